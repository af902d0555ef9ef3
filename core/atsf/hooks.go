package atsf

import (
	"strconv"

	"github.com/signalbox-dev/signalbox/core/canon"
)

// Hooks is what a project wants done in a new worktree (worktreeHooks, rules H1
// to H6). The package only reads it. Whoever runs it asks first and shows the
// commands as they stand here: opening somebody's project must run nothing.
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
	hooksShape = shape{
		what: "worktreeHooks", rule: "H3", optional: "H3",
		names: []string{"symlinks", "postSetupCommands", "initialPrompt"},
	}
	symlinkShape = shape{what: "the symlink", rule: "H1", optional: "H1", required: 1, names: []string{"source", "target"}}
	commandShape = shape{
		what: "the command", rule: "H3", optional: "H3", required: 1,
		names: []string{"command", "label", "timeout", "continueOnError", "platforms"},
	}
)

func (c *Config) hooks(v canon.Value) {
	c.Hooks = Hooks{}
	readObject(&c.Findings, v, &hooksShape, "worktreeHooks.", func(m *member) {
		switch m.at {
		case 0:
			c.Hooks.Symlinks = nil
			m.elements(MaxHooks, func(i int, e canon.Value) {
				c.Hooks.Symlinks = append(c.Hooks.Symlinks, c.symlink(e, indexed("worktreeHooks.symlinks", i, ".")))
			})
		case 1:
			c.Hooks.Commands = nil
			m.elements(MaxHooks, func(i int, e canon.Value) {
				c.Hooks.Commands = append(c.Hooks.Commands, c.command(e, indexed("worktreeHooks.postSetupCommands", i, ".")))
			})
		case 2:
			c.Hooks.InitialPrompt = m.text()
		}
	})
}

func (c *Config) symlink(v canon.Value, prefix string) Symlink {
	var (
		l     Symlink
		f     canon.Findings
		given bool
	)
	readObject(&f, v, &symlinkShape, prefix, func(m *member) {
		if m.at == 0 {
			l.Source = m.text()
		} else {
			l.Target, given = m.text(), true
		}
	})
	if !given {
		l.Target = l.Source
	}
	if len(f.Faults) == 0 {
		l.clean(&f, prefix, v.Offset)
	}
	l.Fault = c.take(f)
	return l
}

// clean confines both ends.
func (l *Symlink) clean(f *canon.Findings, prefix string, offset int) {
	source, bad := cleanHookPath(l.Source)
	if bad != "" {
		f.AddFault("H1", prefix+"source", offset, "the source "+quote(l.Source)+" "+bad)
		return
	}
	target, bad := cleanHookPath(l.Target)
	if bad != "" {
		f.AddFault("H1", prefix+"target", offset, "the target "+quote(l.Target)+" "+bad)
		return
	}
	l.Source, l.Target = source, target
}

func (c *Config) command(v canon.Value, prefix string) Command {
	cmd := Command{Timeout: DefaultTimeout}
	var f canon.Findings
	readObject(&f, v, &commandShape, prefix, func(m *member) {
		switch m.at {
		case 0:
			cmd.Command = m.text()
			if m.v.Kind == canon.String {
				checkCommand(m, cmd.Command)
			}
		case 1:
			cmd.Label = m.text()
		case 2:
			cmd.Timeout = m.timeout()
		case 3:
			cmd.ContinueOnError = m.flag()
		case 4:
			cmd.Platforms = m.platforms()
		}
	})
	cmd.Fault = c.take(f)
	return cmd
}

// take lists a hook's findings and gives its first fault.
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

func checkCommand(m *member, text string) {
	if blankText(text) {
		m.fault("the command is empty")
	}
	for i := range len(text) {
		// What is shown for consent must be what runs.
		if c := text[i]; c < 0x20 && c != '\t' && c != '\n' || c == 0x7f {
			m.fault("the command holds the control character " + strconv.QuoteToASCII(text[i:i+1]))
			return
		}
	}
}

// timeout reads milliseconds. 0 is not "no limit", as some writers have it
// (rule Z10): a hook that hangs would hang for ever.
func (m *member) timeout() int64 {
	if !m.is(canon.Number) {
		return DefaultTimeout
	}
	n, ok := millis(m.v)
	switch {
	case !ok:
		m.fault("the timeout is no number of milliseconds: " + clip(string(m.v.Raw)))
		return DefaultTimeout
	case n == 0:
		m.out.AddNote("Z10", m.path(), m.v.Offset, "the timeout 0 is read as the default, 120000 ms")
		return DefaultTimeout
	case n > MaxTimeout:
		m.out.AddNote("H3", m.path(), m.v.Offset, "the timeout is cut to a day")
		return MaxTimeout
	}
	return n
}

func (m *member) platforms() []string {
	list := []string{}
	m.elements(MaxHooks, func(_ int, e canon.Value) {
		if e.Kind != canon.String {
			m.out.AddFault("H3", m.path(), e.Offset, "a platform is "+e.Kind.Phrase()+", not a string")
			return
		}
		name, _ := canon.Unquote(e.Raw)
		if name != "win32" && name != "darwin" && name != "linux" {
			m.out.AddNote("H3", m.path(), e.Offset, "the platform "+quote(name)+" is none of win32, darwin and linux")
		}
		list = append(list, name)
	})
	return list
}
