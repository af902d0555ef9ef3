// Command signalbox reads and writes the mail of coding agents, and serves it
// to editors.
//
// The package holds flags and wiring only: what a directory says comes from
// lsp/store, what a record means from core/samp, and everything that a stranger
// wrote passes core/render before a terminal sees it. Start with [run] and, for
// one command, with the file of its name.
package main

import (
	"io"
	"os"
	"runtime/debug"
	"time"

	"github.com/signalbox-dev/signalbox/core/render"
	"github.com/signalbox-dev/signalbox/lsp/store"
)

// program is the process a command runs in. It is passed in, so that a test
// has its own clock and environment.
type program struct {
	env            store.Env
	now            func() time.Time
	in             *os.File
	stdout, stderr io.Writer
	// terminal tells that stdout is shown to a person, unseen that it is shown to
	// nobody.
	terminal, unseen bool
}

func main() {
	// A command lives for milliseconds and reads much: collecting seldom is
	// worth some memory, up to a limit that a long line must not double.
	debug.SetGCPercent(400)
	p := &program{
		env: store.OSEnv(), now: time.Now,
		in: os.Stdin, stdout: os.Stdout, stderr: os.Stderr,
		terminal: isTerminal(os.Stdout), unseen: isUnseen(os.Stdout),
	}
	os.Exit(run(p, os.Args))
}

// run is the whole process: it gives the exit code, after what went wrong was
// said on stderr.
func run(p *program, argv []string) int {
	var err error
	if name, ok := dropInName(argv[0]); ok {
		err = dropIn(p, name, argv[1:])
	} else {
		o := newOptions(p)
		root := o.root()
		root.SetArgs(argv[1:])
		err = root.Execute()
	}
	code, said := exitCode(err)
	if !said {
		// Faults quote what a stranger wrote.
		io.WriteString(p.stderr, render.Text(err.Error())+"\n")
	}
	return code
}
