package main

import (
	"context"
	"fmt"
	"runtime/debug"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/agent"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/amp"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/demo"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/doctor"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/home"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/hook"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/mail"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/man"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/mcp"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/setup"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/task"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/thread"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/worktree"
	"github.com/spf13/cobra"
)

func newOptions(p *cli.Program) *cli.Options {
	release, _ := built(debug.ReadBuildInfo())
	return &cli.Options{Program: p, Version: release}
}

func rootCommand(o *cli.Options) *cobra.Command {
	showVersion := false
	root := &cobra.Command{
		Use:   "signalbox",
		Short: "Mail of coding agents: read, write, check and serve it",
		Long: `signalbox reads and writes what coding agents leave on disk: the mail they send
each other (SAMP v1: one append-only JSONL log per writer), and the conversations
they hold in a project and its git worktrees (ATSF: "threads", "worktree"), the
messages with which they hand on tasks (AMP/1.0: "task"), and signed mail in
mailboxes (amp/0.1: "amp").

"signalbox help directories" says where all of that is looked for, "signalbox help
names" who you are, and "signalbox doctor" what was chosen here, and why. Without a
command, on a terminal, signalbox shows where you stand.`,
		Example: `  signalbox inbox
  signalbox send bob "the build is red"
  signalbox needs
  signalbox search 'login timeout from:ci'
  signalbox demo`,
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE: cli.Action(func(cmd *cobra.Command, args []string) error {
			switch {
			case showVersion:
				return printVersion(o)
			case !o.OnScreen():
				return cmd.Help()
			}
			return home.Show(cmd.Context(), o)
		}),
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error { return o.Resolve(cmd) },
	}
	root.SetIn(o.In)
	root.SetOut(o.Stdout)
	root.SetErr(o.Stderr)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return cli.Usage(fmt.Errorf("%w (see %q)", err, cmd.CommandPath()+" --help"))
	})
	// cobra's own flag takes a template, and with text/template the linker keeps every
	// exported method: 5 MB.
	root.Flags().BoolVarP(&showVersion, "version", "v", false, "print the version, as \"signalbox version\" does")
	o.Register(root)
	cli.RegisterHelp(root)
	connected := func(what string) func(client string) bool {
		return func(client string) bool { return setup.Connected(o.Env, client, what) }
	}
	root.AddCommand(mail.Commands(o)...)
	root.AddCommand(
		doctor.Command(o), serverCommand(o), mcp.Command(o, runIn(o), connected("tools")), hook.Command(o, connected("hooks")), setup.Command(o), agent.Command(o), agent.NeedsCommand(o), agent.AnswerCommand(o, runIn(o)),
		worktree.Command(o), thread.Command(o, mail.SearchThreads(o)), task.Command(o), amp.Command(o),
		demo.Command(o, runIn(o)), versionCommand(o), man.Command(o),
	)
	root.AddCommand(topics()...)
	root.AddCommand(wasmCommands(o)...)
	return root
}

// runIn returns a function that runs another command in this process as if it
// were given in p.
func runIn(o *cli.Options) cli.Runner {
	return func(ctx context.Context, p *cli.Program, args ...string) error {
		root := rootCommand(newOptions(p))
		root.SetArgs(append([]string{"--color", o.Color, "--json=false"}, args...))
		return root.ExecuteContext(ctx)
	}
}
