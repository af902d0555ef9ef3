// Package task holds the commands about tasks (AMP/1.0).
package task

import (
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/spf13/cobra"
)

// Command returns the command task with its subcommands.
func Command(o *cli.Options) *cobra.Command {
	j := &Commands{Options: o}
	cmd := &cobra.Command{
		Use:         "task",
		Annotations: cli.Uses("json", "color"),
		Example: `  signalbox task list
  signalbox task show T-2026-044
  signalbox task escalations`,
		Short: "Tasks between a coordinator, an executor and a reviewer (AMP/1.0)",
		Long: `Check, write and follow the task messages that agents leave in a task directory:
dispatches, results, review requests, verdicts and escalations, with the ACKs and
answers to them.

"signalbox help directories" says where the tasks are looked for, and "signalbox
help names" how a task and a message are named.`,
		Args: cobra.NoArgs,
		RunE: cli.Help,
	}
	cmd.PersistentFlags().StringVar(&j.ssot, "ssot", "", "`directory` of the task messages (SIGNALBOX_SSOT)")
	_ = cmd.MarkPersistentFlagDirname("ssot")
	cmd.AddCommand(
		j.listCommand(), j.showCommand(), j.escalationsCommand(), j.ackCommand(), j.resumeCommand(),
		j.sendCommand(), j.checkCommand(), j.watchCommand(),
	)
	return cmd
}

// Commands is the state that the commands about tasks share.
type Commands struct {
	*cli.Options
	ssot string
}
