// Command signalbox reads and writes the mail of coding agents, and serves it
// to editors.
//
// The commands are in internal: mail, amp, task, thread and worktree for the formats,
// doctor and demo for all of them, and cli for what they share. They hold flags and
// output only: lsp/panel and what is below it read and write, core knows the formats, and
// every text that a stranger wrote passes core/render before a terminal sees it.
// Start with [run], then with the file of a command's name.
package main

import (
	"io"
	"os"
	"runtime/debug"
	"time"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/mail"
	"github.com/signalbox-dev/signalbox/core/render"
	"github.com/signalbox-dev/signalbox/lsp/agents"
	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
	"github.com/signalbox-dev/signalbox/lsp/who/environ"
)

func main() {
	// A command lives for milliseconds and reads much: collecting seldom is
	// worth some memory, up to a limit that a long line must not double.
	debug.SetGCPercent(400)
	os.Exit(run(process(), os.Args))
}

func process() *cli.Program {
	return &cli.Program{
		Env: environ.OS(), Now: time.Now,
		In: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		Terminal: cli.IsTerminal(os.Stdout), ErrTerminal: cli.IsTerminal(os.Stderr), Unseen: cli.IsUnseen(os.Stdout),
		Above: activity.Above, Run: agents.Exec,
	}
}

// run runs the whole process and returns its exit code, after errors were written to
// stderr.
func run(p *cli.Program, argv []string) int {
	var err error
	if name, ok := mail.DropInName(argv[0]); ok {
		err = mail.DropIn(newOptions(p), name, argv[1:])
	} else {
		root := rootCommand(newOptions(p))
		root.SetArgs(argv[1:])
		err = root.Execute()
	}
	code, said := cli.ExitCode(err)
	if !said {
		// Faults quote what a stranger wrote.
		io.WriteString(p.Stderr, render.Text(err.Error())+"\n")
	}
	return code
}
