// Command signalbox reads and writes the mail of coding agents, and serves it to editors.
//
// The commands are in internal: mail, amp, task, thread and worktree for the formats,
// doctor and demo for all of them, and cli for what they share. They hold flags and
// output only: lsp/panel and the packages below it read and write files, core knows the
// formats, and every text from others passes through core/render before it reaches a
// terminal. Start with [run], then with the file of a command's name.
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
	// A command lives for milliseconds and reads much, so memory is spent to collect less
	// often. A long line must not double it, hence the limit.
	debug.SetGCPercent(400)
	os.Exit(run(process(), os.Args))
}

func process() *cli.Program {
	return &cli.Program{
		Env: environ.OS(), Now: time.Now,
		In: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		Terminal: cli.IsTerminal(os.Stdout), ErrTerminal: cli.IsTerminal(os.Stderr), Unseen: cli.IsUnseen(os.Stdout),
		Above: activity.Ancestors, Run: agents.Exec,
	}
}

// run runs the whole process, writes errors to stderr and returns the exit code.
func run(p *cli.Program, argv []string) int {
	var err error
	if name, ok := mail.DropInName(argv[0]); ok {
		err = mail.DropIn(newOptions(p), name, argv[1:])
	} else {
		root := rootCommand(newOptions(p))
		root.SetArgs(argv[1:])
		err = root.Execute()
	}
	code, silent := cli.ExitCode(err)
	if !silent {
		// Errors quote text from others.
		io.WriteString(p.Stderr, render.Text(err.Error())+"\n")
	}
	return code
}
