package cli

import (
	"io"
	"os"
	"time"

	"github.com/signalbox-dev/signalbox/lsp/store"
	"golang.org/x/term"
)

// Program is the process a command runs in. It is passed in, so that a test
// has its own clock and environment.
type Program struct {
	Env            store.Env
	Now            func() time.Time
	In             *os.File
	Stdout, Stderr io.Writer
	// Terminal tells that stdout is shown to a person, unseen that it is shown to
	// nobody.
	Terminal, Unseen bool
}

// IsTerminal reports whether a file is a terminal.
func IsTerminal(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }
