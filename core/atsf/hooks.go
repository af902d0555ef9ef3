package atsf

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/signalbox-dev/signalbox/core/canon"
)

// Hooks is the setup that a project wants in a new worktree (worktreeHooks, rules H1 to H6).
// The package only reads it. A program that runs it must first show the commands exactly as
// they are here and ask: opening somebody's project must run nothing.
type Hooks struct {
	Symlinks []Symlink
	Commands []Command
	// InitialPrompt is the first user message of the thread (rule H5), or "".
	InitialPrompt string
}

// Symlink is a link to make in the worktree (rule H1).
type Symlink struct {
	// Source is relative to the repository and Target to the worktree, both cleaned, with "/"
	// between names. Target is Source if the file has none.
	Source, Target string
	// Fault is set for a link that must not be made; Source and Target are
	// then as the file has them.
	Fault *canon.Fault
}

// DefaultTimeout is the timeout of a command without one, in milliseconds (rule H3). A timeout
// longer than MaxTimeout, a day, is cut to it.
const (
	DefaultTimeout = 120_000
	MaxTimeout     = 86_400_000
)

// MaxHooks is the largest number of links, and of commands, that are read.
const MaxHooks = 256

// Command is a shell command to run in the worktree (rules H3 and H4).
type Command struct {
	Command, Label string
	// Timeout is in milliseconds, from 1 to [MaxTimeout].
	Timeout         int64
	ContinueOnError bool
	// Platforms are of win32, darwin and linux; nil means all of them.
	Platforms []string
	// Fault is set for a command that must not be run.
	Fault *canon.Fault
}

// RunsOn reports whether the command is for a platform, named as in Platforms. An empty list
// that is not nil names no platform.
func (c *Command) RunsOn(platform string) bool {
	return c.Platforms == nil || slices.Contains(c.Platforms, platform)
}

// Name returns the label, or the command itself, to show to a person.
func (c *Command) Name() string {
	return cmp.Or(c.Label, c.Command)
}

var (
	hooksShape = canon.Shape[*Hooks]{What: "worktreeHooks", Rule: "H3", Fields: []canon.Field[*Hooks]{
		{Name: "symlinks", Rule: "H3", Optional: true, Set: func(h *Hooks, m *canon.Member) {
			h.Symlinks = nil
			m.List(MaxHooks, func(e *canon.Member) { h.Symlinks = append(h.Symlinks, symlink(e)) })
		}},
		{Name: "postSetupCommands", Rule: "H3", Optional: true, Set: func(h *Hooks, m *canon.Member) {
			h.Commands = nil
			m.List(MaxHooks, func(e *canon.Member) { h.Commands = append(h.Commands, command(e)) })
		}},
		{Name: "initialPrompt", Rule: "H3", Optional: true, Set: func(h *Hooks, m *canon.Member) { h.InitialPrompt = m.Text() }},
	}}
	symlinkShape = canon.Shape[*symlinkReader]{What: "the symlink", Rule: "H1", Fields: []canon.Field[*symlinkReader]{
		{Name: "source", Rule: "H1", Set: func(l *symlinkReader, m *canon.Member) { l.Source = m.Text() }},
		{Name: "target", Rule: "H1", Optional: true, Set: func(l *symlinkReader, m *canon.Member) { l.Target, l.given = m.Text(), true }},
	}}
	commandShape = canon.Shape[*Command]{What: "the command", Rule: "H3", Fields: []canon.Field[*Command]{
		{Name: "command", Rule: "H3", Set: func(c *Command, m *canon.Member) {
			c.Command = m.Text()
			if m.Kind == canon.String {
				checkCommand(m, c.Command)
			}
		}},
		{Name: "label", Rule: "H3", Optional: true, Set: func(c *Command, m *canon.Member) { c.Label = m.Text() }},
		{Name: "timeout", Rule: "H3", Optional: true, Set: func(c *Command, m *canon.Member) { c.Timeout = timeout(m) }},
		{Name: "continueOnError", Rule: "H3", Optional: true, Set: func(c *Command, m *canon.Member) { c.ContinueOnError = m.Flag() }},
		{Name: "platforms", Rule: "H3", Optional: true, Set: func(c *Command, m *canon.Member) { c.Platforms = platforms(m) }},
	}}
)

// symlinkReader is a link that is being read. given is set if it has a target.
type symlinkReader struct {
	Symlink
	given bool
}

func symlink(e *canon.Member) Symlink {
	var l symlinkReader
	l.Fault = readHook(e, func(e *canon.Member) {
		symlinkShape.Read(e, &l)
		if !l.given {
			l.Target = l.Source
		}
		if len(e.Out.Faults) == 0 {
			l.clean(e)
		}
	})
	return l.Symlink
}

// clean cleans source and target, or lists why one of them must not be used.
func (l *Symlink) clean(e *canon.Member) {
	source, bad := cleanHookPath(l.Source)
	if bad != "" {
		e.Out.AddFault("H1", e.Path()+".source", e.Offset, "the source "+quote(l.Source)+" "+bad)
		return
	}
	target, bad := cleanHookPath(l.Target)
	if bad != "" {
		e.Out.AddFault("H1", e.Path()+".target", e.Offset, "the target "+quote(l.Target)+" "+bad)
		return
	}
	l.Source, l.Target = source, target
}

func command(e *canon.Member) Command {
	c := Command{Timeout: DefaultTimeout}
	c.Fault = readHook(e, func(e *canon.Member) { commandShape.Read(e, &c) })
	return c
}

// readHook reads a hook and returns its first fault, or nil. The file's findings may have
// reached their limit, so the hook's findings are counted separately before they are listed
// there.
func readHook(e *canon.Member, read func(e *canon.Member)) *canon.Fault {
	var f canon.Findings
	hook := e.Kept()
	hook.Out = &f
	read(hook)
	for _, x := range f.Faults {
		e.Out.AddFault(x.Rule, x.Field, x.Offset, x.Reason)
	}
	for _, x := range f.Notes {
		e.Out.AddNote(x.Rule, x.Field, x.Offset, x.Reason)
	}
	if len(f.Faults) == 0 {
		return nil
	}
	return &f.Faults[0]
}

func checkCommand(m *canon.Member, text string) {
	if blankText(text) {
		m.Fault("the command is empty")
	}
	for i := range len(text) {
		// What is shown for consent must be what runs.
		if c := text[i]; c < 0x20 && c != '\t' && c != '\n' || c == 0x7f {
			m.Fault("the command holds the control character " + strconv.QuoteToASCII(text[i:i+1]))
			return
		}
	}
}

// timeout reads milliseconds. 0 does not mean "no limit", as in some writers' files (rule Z10):
// a hook that hangs would hang for ever.
func timeout(m *canon.Member) int64 {
	if !m.Is(canon.Number) {
		return DefaultTimeout
	}
	n, ok := millis(m.Value)
	switch {
	case !ok:
		m.Fault("the timeout is not a number of milliseconds: " + clip(string(m.Raw)))
		return DefaultTimeout
	case n == 0:
		m.NoteOf("Z10", "the timeout 0 is read as the default, 120000 ms")
		return DefaultTimeout
	case n > MaxTimeout:
		m.NoteOf("H3", "the timeout is cut to a day")
		return MaxTimeout
	}
	return n
}

func platforms(m *canon.Member) []string {
	list := []string{}
	m.List(MaxHooks, func(e *canon.Member) {
		if e.Kind != canon.String {
			m.Out.AddFault("H3", m.Path(), e.Offset, "a platform is "+e.Kind.Phrase()+", not a string")
			return
		}
		name, _ := canon.Unquote(e.Raw)
		if name != "win32" && name != "darwin" && name != "linux" {
			m.Out.AddNote("H3", m.Path(), e.Offset, "the platform "+quote(name)+" is none of win32, darwin and linux")
		}
		list = append(list, name)
	})
	return list
}
