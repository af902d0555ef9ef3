package amp

import (
	"cmp"
	"context"
	"slices"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	signed "github.com/signalbox-dev/signalbox/lsp/panel/source/amp"
)

// seen returns the mailboxes for completion, which warns of nothing and remembers no keys.
func (a *Commands) seen(ctx context.Context) (*post, bool) {
	m, err := a.access().Open(ctx)
	return &post{m}, err == nil
}

// offerMailboxes offers the names of mailboxes.
func (a *Commands) offerMailboxes(ctx context.Context, f *cli.Offers) {
	p, ok := a.seen(ctx)
	if !ok {
		return
	}
	for _, m := range p.Mailboxes {
		about := ""
		if len(m.Addresses) > 0 {
			about = m.Addresses[0].String()
		}
		f.Add(m.Name, about)
	}
}

// offerIDs offers the ids of messages in the user's own mailbox, the newest first.
func (a *Commands) offerIDs(ctx context.Context, f *cli.Offers) {
	p, ok := a.seen(ctx)
	if !ok {
		return
	}
	var list []*signed.Message
	p.Each(func(m signed.Found) bool {
		if p.Own.Has(m.Mailbox) {
			list = append(list, m.Message)
		}
		return true
	})
	slices.SortStableFunc(list, func(x, y *signed.Message) int { return cmp.Compare(y.When(), x.When()) })
	for _, m := range list {
		f.Add(m.ID, m.From+": "+m.Subject)
	}
}

// offerKeys offers the addresses whose keys are known.
func (a *Commands) offerKeys(_ context.Context, f *cli.Offers) {
	pins, err := a.access().Keys()
	if err != nil {
		return
	}
	for _, pin := range pins.List() {
		f.Add(pin.Address, pin.Source)
	}
}
