// Package amp holds the commands about signed mail (amp/0.1).
package amp

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/printed"
	"github.com/signalbox-dev/signalbox/core/query"
	"github.com/spf13/cobra"
)

// Command returns the command amp with its subcommands.
func Command(o *cli.Options) *cobra.Command {
	a := &Commands{Options: o}
	cmd := &cobra.Command{
		Use:         "amp",
		Annotations: cli.Uses("json", "color"),
		Example: `  signalbox amp init --name dev
  signalbox amp inbox
  signalbox amp send reviewer --subject "The plan" -m "Is it right?"`,
		Short: "Signed mail between agents, with attachments (amp/0.1)",
		Long: `Read, check, write and sign the mail that agents leave in each other's mailboxes
on this machine.

"signalbox help directories" says where the mailboxes are looked for, "signalbox
help names" which of them is yours and how a message is named, and "signalbox help
trust" how far each can be believed.`,
		Args: cobra.NoArgs,
		RunE: cli.Help,
	}
	f := cmd.PersistentFlags()
	f.StringVar(&a.root, "amp", "", "`directory` of the mailboxes (AMP_DIR)")
	f.StringVar(&a.identity, "as", "", "who you are: the `name` or address of your mailbox")
	_ = cmd.MarkPersistentFlagDirname("amp")
	cli.CompleteFlag(cmd, "as", a.offerMailboxes)
	cmd.AddCommand(
		a.inboxCommand(), a.readCommand(), a.sendCommand(), a.replyCommand(), a.archiveCommand(), a.deleteCommand(),
		a.initCommand(), a.keysCommand(), a.verifyCommand(), a.checkCommand(),
	)
	return cmd
}

// Commands is the state that the commands about signed mail share.
type Commands struct {
	*cli.Options
	root, identity string
}

// moment parses the time in a flag: RFC 3339, a day (midnight in UTC), or Unix seconds;
// numbers from minMillis up are milliseconds.
func moment(flag, s string) (time.Time, error) {
	if n, err := strconv.ParseInt(s, 10, 64); err == nil && n >= 0 && n < minMillis {
		return time.Unix(n, 0), nil
	} else if err == nil && n >= minMillis && n <= maxMillis {
		return time.UnixMilli(n), nil
	}
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if t, err := time.Parse(layout, s); err == nil {
			return t, nil
		}
	}
	return time.Time{}, cli.Usage(fmt.Errorf("--%s is %q, and must be a time as 2026-04-25T12:00:00Z, a day as 2026-04-25, or Unix seconds or milliseconds", flag, s))
}

// minMillis is the smallest number of 12 digits. In seconds it would be the year 5138,
// in milliseconds it is 1973. maxMillis is the end of the year 9999, the last year that
// can be written.
const (
	minMillis = 100_000_000_000
	maxMillis = 253402300799_999
)

func span(flag, s string) (time.Duration, error) {
	ms, ok := query.Ago(s)
	if !ok || ms <= 0 || ms > maxSpan.Milliseconds() {
		return 0, cli.Usage(fmt.Errorf("--%s is %q, and must be a number with m, h, d or w behind it, such as 7d", flag, s))
	}
	return time.Duration(ms) * time.Millisecond, nil
}

// maxSpan is ten years. Anything longer is a mistake.
const maxSpan = 3660 * 24 * time.Hour

func (a *Commands) initCommand() *cobra.Command {
	var name, address string
	cmd := &cobra.Command{
		Use:   "init --name NAME",
		Short: "Make a mailbox with a key of its own",
		Long: `Make the mailbox agents/NAME with a new Ed25519 key, in the form that existing clients
have. The private key is a file that you alone can read.

The address is --address, else NAME at the domain that most mailboxes here have,
else at default.aimaestro.local. A mailbox that is there is never changed.`,
		Example: `  signalbox amp init --name reviewer
  signalbox amp init --name dev --address dev@acme.crabmail.ai`,
		Args: cobra.NoArgs,
		RunE: cli.Action(func(cmd *cobra.Command, _ []string) error {
			if name == "" {
				return cli.WrongUse(cmd)
			}
			if cmd.Flags().Changed("as") {
				return cli.Usage(errors.New("--as chooses a mailbox that is there: a new one is called --name"))
			}
			return a.init(cmd.Context(), name, address)
		}),
	}
	f := cmd.Flags()
	f.StringVar(&name, "name", "", "the agent's `name`: letters, digits, - and _")
	f.StringVar(&address, "address", "", "the full `address` (default: NAME at the domain that is used here)")
	return cmd
}

func (a *Commands) init(ctx context.Context, name, address string) error {
	m, alarms, unnoticed, err := a.access().Init(ctx, name, address)
	if err != nil {
		return refused(err)
	}
	if unnoticed != nil {
		a.Warn("the key is not remembered: %v", unnoticed)
	}
	a.alarmed(alarms)
	address = ""
	if len(m.Addresses) > 0 {
		address = m.Addresses[0].String()
	}
	const key = "keys/private.pem"
	return a.Result(printed.NewMailbox{
		Name: m.Name, Address: address, Fingerprint: m.Key.Fingerprint(), File: m.Path, PrivateKey: key,
	}, "%s\n  mailbox      %s\n  public key   %s\n  private key  %s", cli.Line(address), cli.WholeLine(m.Path), m.Key.Fingerprint(), key)
}
