package atsf

import (
	"strconv"

	"github.com/signalbox-dev/signalbox/core/canon"
)

// Hooks is what a project wants done in a new worktree (worktreeHooks, rules H1 to H6).
// The package only reads it. A program that runs it must first show the commands
// exactly as they are here and ask: opening somebody's project must run nothing.
type Hooks struct {
	Symlinks []Symlink
	Commands []Command
	// InitialPrompt is the first user message of the thread (rule H5), or "".
	InitialPrompt string
}

// Symlink is a link to make in the worktree (rule H1).
type Symlink struct {
	// Source is relative to the repository and Target to the worktree, both
	// cleaned by [CleanHookPath], with "/" between names. Target is Source
	// where the file has none.
	Source, Target string
	// Fault is set for a link that must not be made; Source and Target are
	// then as the file has them.
	Fault *canon.Fault
}

// DefaultTimeout is a command's in milliseconds (rule H3), and MaxTimeout what
// a longer one is cut to: a day.
const (
	DefaultTimeout = 120_000
	MaxTimeout     = 86_400_000
)

// MaxHooks is the number of links, and of commands, that are read.
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

// RunsOn reports whether the command is for a platform, named as in Platforms.
// A list that is there and empty names no platform.
func (c *Command) RunsOn(platform string) bool {
	if c.Platforms == nil {
		return true
	}
	for _, p := range c.Platforms {
		if p == platform {
			return true
		}
	}
	return false
}

// Name is what a person is shown: the label, or the command itself.
func (c *Command) Name() string {
	if c.Label != "" {
		return c.Label
	}
	return c.Command
}

var (
	hooksShape = canon.Shape{What: "worktreeHooks", Fields: []canon.Field{
		{Name: "symlinks", Rule: "H3", Optional: true},
		{Name: "postSetupCommands", Rule: "H3", Optional: true},
		{Name: "initialPrompt", Rule: "H3", Optional: true},
	}}
	symlinkShape = canon.Shape{What: "the symlink", Fields: []canon.Field{
		{Name: "source", Rule: "H1"},
		{Name: "target", Rule: "H1", Optional: true},
	}}
	commandShape = canon.Shape{What: "the command", Fields: []canon.Field{
		{Name: "command", Rule: "H3"},
		{Name: "label", Rule: "H3", Optional: true},
		{Name: "timeout", Rule: "H3", Optional: true},
		{Name: "continueOnError", Rule: "H3", Optional: true},
		{Name: "platforms", Rule: "H3", Optional: true},
	}}
)

func (c *Config) hooks(m *canon.Member) {
	c.Hooks = Hooks{}
	object(m, &hooksShape, func(m *canon.Member) {
		switch m.Name {
		case "symlinks":
			c.Hooks.Symlinks = nil
			m.List(MaxHooks, func(e *canon.Member) {
				c.Hooks.Symlinks = append(c.Hooks.Symlinks, c.symlink(e))
			})
		case "postSetupCommands":
			c.Hooks.Commands = nil
			m.List(MaxHooks, func(e *canon.Member) {
				c.Hooks.Commands = append(c.Hooks.Commands, c.command(e))
			})
		case "initialPrompt":
			c.Hooks.InitialPrompt = m.Text()
		}
	})
}

func (c *Config) symlink(e *canon.Member) Symlink {
	var (
		l     Symlink
		f     canon.Findings
		given bool
	)
	in := *e
	in.Out = &f
	object(&in, &symlinkShape, func(m *canon.Member) {
		if m.Name == "source" {
			l.Source = m.Text()
		} else {
			l.Target, given = m.Text(), true
		}
	})
	if !given {
		l.Target = l.Source
	}
	if len(f.Faults) == 0 {
		l.clean(&in)
	}
	l.Fault = c.take(f)
	return l
}

// clean confines both ends, or lists why one of them must not be used.
func (l *Symlink) clean(in *canon.Member) {
	source, bad := cleanHookPath(l.Source)
	if bad != "" {
		in.Out.AddFault("H1", in.Path()+".source", in.Offset, "the source "+quote(l.Source)+" "+bad)
		return
	}
	target, bad := cleanHookPath(l.Target)
	if bad != "" {
		in.Out.AddFault("H1", in.Path()+".target", in.Offset, "the target "+quote(l.Target)+" "+bad)
		return
	}
	l.Source, l.Target = source, target
}

func (c *Config) command(e *canon.Member) Command {
	cmd := Command{Timeout: DefaultTimeout}
	var f canon.Findings
	in := *e
	in.Out = &f
	object(&in, &commandShape, func(m *canon.Member) {
		switch m.Name {
		case "command":
			cmd.Command = m.Text()
			if m.Kind == canon.String {
				checkCommand(m, cmd.Command)
			}
		case "label":
			cmd.Label = m.Text()
		case "timeout":
			cmd.Timeout = timeout(m)
		case "continueOnError":
			cmd.ContinueOnError = m.Flag()
		case "platforms":
			cmd.Platforms = platforms(m)
		}
	})
	cmd.Fault = c.take(f)
	return cmd
}

// take lists a hook's findings and returns its first fault, or nil.
func (c *Config) take(f canon.Findings) *canon.Fault {
	for _, x := range f.Faults {
		c.AddFault(x.Rule, x.Field, x.Offset, x.Reason)
	}
	for _, x := range f.Notes {
		c.AddNote(x.Rule, x.Field, x.Offset, x.Reason)
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

// timeout reads milliseconds. 0 is not "no limit", as some writers have it
// (rule Z10): a hook that hangs would hang for ever.
func timeout(m *canon.Member) int64 {
	if !m.Is(canon.Number) {
		return DefaultTimeout
	}
	n, ok := millis(m.Value)
	switch {
	case !ok:
		m.Fault("the timeout is no number of milliseconds: " + clip(string(m.Raw)))
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
