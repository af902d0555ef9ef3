package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

const exitCodes = `Every command ends with one of these codes:

  0  it worked; also: nothing new, or a mark that could not be saved (said on
     stderr), and tail or task watch ended by a signal
  1  it failed: no such message, a search that found nothing, nothing to reply
     to, a tie between senders, a directory none of whose logs can be read, a
     file that cannot be read or written, new mail that nobody saw since stdout
     is closed, a body over the limit, a task message or signed mail that was
     refused, a signature that amp verify did not find right, or a violation
     that validate, doctor, threads check, task check or amp check found
  2  it was called wrongly: a bad alias, recipient, role, flag, mode or profile,
     or no text; the error names the rule and the accepted form, and nothing was
     written

Run as agent-message-cmd, it ends with 0 or 1 alone, as scripts for that tool
expect.`

func newOptions(p *program) *options { return &options{program: p} }

// root is the whole command tree.
func (o *options) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "signalbox",
		Short: "Mail of coding agents: read, write, check and serve it",
		Long: `signalbox reads and writes what coding agents leave on disk: the mail they send
each other (SAMP v1: one append-only JSONL log per writer), and the conversations
they hold in a project and its git worktrees (ATSF: "threads", "worktree"), the
messages with which they hand on tasks (AMP/1.0: "task"), and signed mail in
mailboxes (amp/0.1: "amp").

The directory of mail is --dir, else AGENT_MESSAGE_DIR, else whichever of
$HOME/dev/.message and $XDG_STATE_HOME/agent-message exists. You are --as, else
SIGNALBOX_AS, else the first valid line of ./.agent-message, else the name of
the working directory. "signalbox doctor" says which was taken and why.`,
		SilenceUsage:      true,
		SilenceErrors:     true,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error { return o.resolve(cmd) },
	}
	root.SetIn(o.in)
	root.SetOut(o.stdout)
	root.SetErr(o.stderr)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usage(fmt.Errorf("%w (see %q)", err, cmd.CommandPath()+" --help"))
	})
	o.register(root)
	root.AddCommand(
		o.inboxCommand(), o.sendCommand(), o.replyCommand(), o.tailCommand(),
		o.searchCommand(), o.catCommand(), o.logCommand(), o.rawCommand(), o.compactCommand(),
		o.validateCommand(), o.doctorCommand(), o.sampCommand(), o.lspCommand(),
		o.worktreeCommand(), o.threadsCommand(), o.taskCommand(), o.ampCommand(),
		o.demoCommand(), o.benchCommand(), o.versionCommand(),
		&cobra.Command{Use: "exit-codes", Short: "What the exit codes mean", Long: exitCodes},
	)
	root.AddCommand(o.wasmCommands()...)
	return root
}

// action makes a command's function: it runs after the flags were read, and
// its errors get their exit code.
func action(do func(cmd *cobra.Command, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error { return failed(do(cmd, args)) }
}
