package amp

import (
	"context"
	"errors"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/printed"
	"github.com/spf13/cobra"
)

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
