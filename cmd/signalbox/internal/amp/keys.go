package amp

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/printed"
	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/core/canon"
	ampsource "github.com/signalbox-dev/signalbox/lsp/amp/source"
	"github.com/spf13/cobra"
)

func (a *Commands) keysCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "keys",
		Example: `  signalbox amp keys`,
		Short:   "List the known keys of others; add, accept or remove one",
		Long: `List the public keys that are known of each address, and where they came from.
The key of a mailbox on this machine is remembered when it is first seen; you add the
keys of people elsewhere. A changed key is an alarm: mail signed with it is not
trusted until you accept it.`,
		Args: cobra.NoArgs,
		RunE: cli.Action(a.keys),
	}
	cmd.AddCommand(
		&cobra.Command{
			Use:     "add ADDRESS FILE",
			Example: `  signalbox amp keys add bob@acme.crabmail.ai bob.public.pem`,
			Short:   "Remember the public key of an address, from a PEM or DER file",
			Long: `Remember the public key of an address: a SubjectPublicKeyInfo in PEM or DER, Ed25519,
RSA or ECDSA P-256. "-" is stdin. Where another key is known nothing changes: that
is for "signalbox amp keys accept".`,
			Args: cli.Args(2, 2),
			RunE: onAddress(a.addKey),
		},
		&cobra.Command{
			Use:     "accept ADDRESS [FILE]",
			Example: `  signalbox amp keys accept bob@acme.crabmail.ai`,
			Short:   "Take a key that has changed, once its owner confirmed it",
			Long: `Take the key that the mailbox of an address on this machine has now, or the key in
FILE, in place of the known one. Ask its owner first, by another way
than this mail: whoever writes into the mailbox can write a key, too.`,
			Args:              cli.Args(1, 2),
			ValidArgsFunction: cli.Completing(1, a.offerKeys),
			RunE:              onAddress(a.acceptKey),
		},
		&cobra.Command{
			Use:     "remove ADDRESS",
			Example: `  signalbox amp keys remove bob@acme.crabmail.ai`,
			Short:   "Forget the key of an address",
			Long: `Forget the key of an address. The key of a mailbox on this machine is remembered again
when it is next seen, whichever it is then.`,
			Args:              cli.Args(1, 1),
			ValidArgsFunction: cli.Completing(1, a.offerKeys),
			RunE:              onAddress(a.removeKey),
		},
	)
	return cmd
}

func (a *Commands) keys(cmd *cobra.Command, _ []string) error {
	p, err := a.open(cmd.Context())
	if err != nil {
		return err
	}
	a.warnProblems(p, aboutKeys)
	w := a.Writer()
	list := p.Keys.List()
	for i := range list {
		pin := &list[i]
		changed := slices.IndexFunc(p.Alarms, func(alarm ampsource.Alarm) bool { return alarm.Address == pin.Address })
		print := pin.Key.Fingerprint()
		out := printed.Key{
			Address: pin.Address, Fingerprint: print, Algorithm: string(pin.Key.Algorithm()), Time: pin.First, Source: pin.Source,
		}
		if changed >= 0 {
			out.Now = p.Alarms[changed].Now.Fingerprint()
		}
		a.Row(w, out, "%s\n  %s  %s\n  since %s, %s", cli.WholeLine(pin.Address), print, pin.Key.Algorithm(), cli.Day(pin.First), cli.Line(pin.Source))
		if changed >= 0 && !a.JSON {
			w.WriteString("  " + a.Paint().In(cli.Red, "CHANGED: now "+p.Alarms[changed].Now.Fingerprint()) + "\n")
		}
	}
	if len(list) == 0 && !a.JSON {
		w.WriteString("no keys\n")
	}
	if err := w.Flush(); err != nil {
		return err
	}
	a.alarmed(p.Alarms)
	return nil
}

// onAddress returns the action of a command whose first argument is an address.
func onAddress(do func(ctx context.Context, addr amp.Address, args []string) error) func(cmd *cobra.Command, args []string) error {
	return cli.Action(func(cmd *cobra.Command, args []string) error {
		addr, ok := amp.ParseAddress(strings.ToLower(args[0]))
		if !ok {
			return cli.Usage(fmt.Errorf("%q is not a full address such as agent@tenant.provider (ENV-3)", args[0]))
		}
		return do(cmd.Context(), addr, args)
	})
}

// readKey reads a public key from a file. Its errors quote nothing from the file, which
// may hold a private key.
func (a *Commands) readKey(name string) (amp.Key, error) {
	data, err := a.ReadInput(name, maxKeyFile)
	if err != nil {
		return amp.Key{}, err
	}
	key, err := amp.ParseKey(data)
	if bad, ok := errors.AsType[*canon.Fault](err); ok {
		return key, fmt.Errorf("amp: %q: %s (%s)", name, bad.Reason, bad.Rule)
	}
	return key, err
}

func (a *Commands) addKey(ctx context.Context, addr amp.Address, args []string) error {
	key, err := a.readKey(args[1])
	if err != nil {
		return err
	}
	pins, err := a.access().Keys()
	if err != nil {
		return err
	}
	added, err := pins.Add(ctx, ampsource.Pin{Address: addr.String(), Key: key, First: a.Now().UnixMilli(), Source: "amp keys add"})
	if other, ok := errors.AsType[*ampsource.PinnedError](err); ok {
		return fmt.Errorf("amp: ask the owner before \"signalbox amp keys accept %[1]s FILE\": another key of %[1]s is known, %s since %s, and this one is %s",
			addr, other.Pinned.Key.Fingerprint(), cli.Day(other.Pinned.First), key.Fingerprint())
	}
	if err != nil {
		return err
	}
	what := "added"
	if !added {
		what = "known already"
	}
	return a.keyDone(addr, key, what)
}

func (a *Commands) keyDone(addr amp.Address, key amp.Key, what string) error {
	return a.Result(printed.ChangedKey{Address: addr.String(), Fingerprint: key.Fingerprint(), Result: what}, "%s %s %s", addr, key.Fingerprint(), what)
}

func (a *Commands) acceptKey(ctx context.Context, addr amp.Address, args []string) error {
	p, err := a.open(ctx)
	if err != nil {
		return err
	}
	a.warnProblems(p, aboutKeys)
	was, known := p.Keys.For(addr)
	var key amp.Key
	if len(args) > 1 {
		if key, err = a.readKey(args[1]); err != nil {
			return err
		}
	} else if key, err = p.changedKey(addr); err != nil {
		return err
	}
	if known && was.Key.Fingerprint() == key.Fingerprint() {
		return a.keyDone(addr, key, "known already")
	}
	if err := p.Keys.Replace(ctx, ampsource.Pin{Address: addr.String(), Key: key, First: p.Now, Source: "amp keys accept"}); err != nil {
		return err
	}
	if known {
		a.Warn("the key of %s was %s since %s (%s)", addr, was.Key.Fingerprint(), cli.Day(was.First), was.Source)
	}
	return a.keyDone(addr, key, "accepted")
}

func (p *mailboxes) changedKey(addr amp.Address) (amp.Key, error) {
	keys := make(map[string]bool)
	var last amp.Key
	for _, m := range p.Mailboxes {
		if print := m.Key.Fingerprint(); print != "" && slices.ContainsFunc(m.Addresses, addr.Same) {
			keys[print], last = true, m.Key
		}
	}
	switch len(keys) {
	case 0:
		return last, fmt.Errorf("amp: no mailbox of %s on this machine has a key: name the file of the new one", addr)
	case 1:
		return last, nil
	}
	return last, fmt.Errorf("amp: %d mailboxes claim %s, with other keys: name the file of the right one", len(keys), addr)
}

func (a *Commands) removeKey(ctx context.Context, addr amp.Address, _ []string) error {
	pins, err := a.access().Keys()
	if err != nil {
		return err
	}
	was, _ := pins.For(addr)
	if err := pins.Remove(ctx, addr); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("amp: no key of %s is known", addr)
	} else if err != nil {
		return err
	}
	return a.keyDone(addr, was.Key, "removed")
}
