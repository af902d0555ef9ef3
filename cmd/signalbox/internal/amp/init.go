package amp

import (
	"context"
	"errors"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/printed"
	"github.com/signalbox-dev/signalbox/lsp/store/mailbox"
	"github.com/spf13/cobra"
)

func (a *Commands) initCommand() *cobra.Command {
	c := mailbox.InitConfig{}
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
			if c.Name == "" {
				return cli.WrongUse(cmd)
			}
			if cmd.Flags().Changed("as") {
				return cli.Usage(errors.New("--as chooses a mailbox that is there: a new one is called --name"))
			}
			return a.init(cmd.Context(), c)
		}),
	}
	f := cmd.Flags()
	f.StringVar(&c.Name, "name", "", "the agent's `name`: letters, digits, - and _")
	f.StringVar(&c.Address, "address", "", "the full `address` (default: NAME at the domain that is used here)")
	return cmd
}

func (a *Commands) init(ctx context.Context, c mailbox.InitConfig) error {
	where := a.Root()
	c.Root, c.Now = where.Value, a.Now()
	m, err := mailbox.Init(ctx, c)
	if err != nil {
		return refused(err)
	}
	a.noticeNew(ctx, m)
	address := ""
	if len(m.Addresses) > 0 {
		address = m.Addresses[0].String()
	}
	const key = "keys/private.pem"
	return a.Result(printed.NewMailbox{
		Name: m.Name, Address: address, Fingerprint: m.Key.Fingerprint(), File: m.Path, PrivateKey: key,
	}, "%s\n  mailbox      %s\n  public key   %s\n  private key  %s", cli.Line(address), cli.WholeLine(m.Path), m.Key.Fingerprint(), key)
}

// noticeNew remembers the key of a new mailbox, so that a change is noticed. It warns
// if the address had another key before.
func (a *Commands) noticeNew(ctx context.Context, m *mailbox.Mailbox) {
	pins, err := a.Pins()
	var alarms []mailbox.Alarm
	if err == nil {
		alarms, err = pins.Notice(ctx, []*mailbox.Mailbox{m}, a.Now(), true)
	}
	if err != nil {
		a.Warn("the key is not remembered: %v", err)
	}
	for i := range alarms {
		a.Warn("%s", AlarmText(&alarms[i]))
	}
}
