package main

import (
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/cobra"
)

func (o *options) ampCommand() *cobra.Command {
	a := &mails{options: o}
	cmd := &cobra.Command{
		Use:   "amp",
		Short: "Signed mail between agents, with attachments (amp/0.1)",
		Long: `Read, check, write and sign the mail that agents leave in each other's mailboxes
on this machine.

The directory of the mailboxes is --amp, else the one that AMP_DIR lies in, else
~/.agent-messaging. You are --as, else the mailbox AMP_DIR, else that of the agent
CLAUDE_AGENT_NAME, else the one that is called as your alias, else the only one
that can sign.

A message is named by its id, or by a part of it that no other has. Whether it can
be trusted is computed from the keys that you hold, each time it is shown.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(a.verifyCommand(), a.checkCommand())
	return cmd
}

// mails is what the commands about signed mail share.
type mails struct {
	*options
}

// moment reads a time that a flag gives: RFC 3339, or Unix seconds.
func moment(flag, s string) (time.Time, error) {
	if seconds, err := strconv.ParseInt(s, 10, 64); err == nil && seconds >= 0 && seconds <= maxSeconds {
		return time.Unix(seconds, 0), nil
	}
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return time.Time{}, usage(fmt.Errorf("--%s is %q, and must be a time as 2026-04-25T12:00:00Z, or Unix seconds", flag, s))
	}
	return t, nil
}

// maxSeconds is the end of the year 9999, the last that a time can be written in.
const maxSeconds = 253402300799
