package cli

import (
	"context"
	"io"
	"os"
	"time"

	"github.com/signalbox-dev/signalbox/lsp/agents"
	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
	"github.com/signalbox-dev/signalbox/lsp/who/environ"
	"golang.org/x/term"
)

// Program is the process that a command runs in. Tests pass their own clock and
// environment.
type Program struct {
	Env            environ.Env
	Now            func() time.Time
	In             *os.File
	Stdout, Stderr io.Writer
	// Terminal is set if stdout is a terminal, ErrTerminal if stderr is one, and Unseen
	// if nobody sees stdout.
	Terminal, ErrTerminal, Unseen bool
	// Above lists the processes that run this one. It may be nil.
	Above func(most int) []activity.Ancestor
	// Run runs an agent's program, to wake the agent. It may be nil.
	Run agents.Run

	// work shows the progress of a command that takes long. It is nil if nothing is shown.
	work *work
}

// Runner runs another command of signalbox in this process, as if it were given in p.
type Runner func(ctx context.Context, p *Program, args ...string) error

// IsTerminal reports whether a file is a terminal.
func IsTerminal(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }
