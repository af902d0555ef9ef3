package amp

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/core/amp"
	ampsource "github.com/signalbox-dev/signalbox/lsp/amp/source"
)

// mine lists the files of a message in the user's own mailbox, in inbox or sent, or in both for "".
func (p *mailboxes) mine(f *ampsource.Found, box string) []*ampsource.Message {
	return slices.DeleteFunc(f.Placed.Files(), func(m *ampsource.Message) bool { return !p.Own.Has(m.Mailbox) || box != "" && m.Box != box })
}

func idTail(id string) string {
	parsed, ok := amp.ParseID(id)
	if !ok {
		return ""
	}
	return parsed.Suffix
}

// find returns the message with an id, with an id or last part of one that begins with ref,
// or with that file path. It is an error if there are several.
func (p *mailboxes) find(ref string) (*ampsource.Found, error) {
	var whole, begun []ampsource.Found
	id := amp.NormalizeID(ref)
	p.Each(func(f ampsource.Found) bool {
		switch {
		case slices.ContainsFunc(f.Placed.Files(), func(m *ampsource.Message) bool { return m.Key == ref }):
			whole = []ampsource.Found{f}
			return false
		case f.ID != "" && amp.NormalizeID(f.ID) == id:
			whole = append(whole, f)
		case len(ref) >= cli.MinPrefix && (strings.HasPrefix(amp.NormalizeID(f.ID), id) || strings.HasPrefix(idTail(f.ID), ref)):
			begun = append(begun, f)
		}
		return true
	})
	hits := whole
	if len(hits) == 0 {
		hits = begun
	}
	if len(hits) > 1 {
		// Ids are not signed, so others may use the id of one of our messages.
		if own := p.onlyOwn(hits); len(own) > 0 {
			hits = own
		}
	}
	switch len(hits) {
	case 0:
		if len(ref) < cli.MinPrefix {
			return nil, cli.Usage(fmt.Errorf("%q is too short: give at least %d characters of an id", ref, cli.MinPrefix))
		}
		return nil, fmt.Errorf("amp: no message %q in %q", ref, p.Path)
	case 1:
		return &hits[0], nil
	}
	return nil, p.ambiguous(ref, hits)
}

func (p *mailboxes) onlyOwn(hits []ampsource.Found) []ampsource.Found {
	return slices.DeleteFunc(slices.Clone(hits), func(f ampsource.Found) bool { return !p.Own.Has(f.Mailbox) })
}

func (p *mailboxes) ambiguous(ref string, hits []ampsource.Found) error {
	same := !slices.ContainsFunc(hits, func(f ampsource.Found) bool { return amp.NormalizeID(f.ID) != amp.NormalizeID(hits[0].ID) })
	text := fmt.Sprintf("amp: %q names %d messages: give more of the id", ref, len(hits))
	if same {
		text = fmt.Sprintf("amp: %d messages have the id %q, which is not signed: name the file of one", len(hits), ref)
	}
	var list []string
	for i := range hits {
		name := hits[i].ID
		if same {
			name = hits[i].Key
		}
		list = append(list, cli.WholeLine(name)+"  "+cli.Fit(hits[i].Subject, 40))
	}
	return cli.Ambiguous(text, list)
}

// shortNames returns the names that lists show, by file: the shortest unique prefix of the
// id's last part. A message has none if its id is invalid or several messages have it;
// lists then show the file.
func (p *mailboxes) shortNames() map[string]string {
	var all []string
	byID := make(map[string][]ampsource.Found)
	p.Each(func(f ampsource.Found) bool {
		id := idTail(f.ID) + "\x00" + amp.NormalizeID(f.ID)
		all, byID[id] = append(all, id), append(byID[id], f)
		return true
	})
	short, shown := cli.ShortNames(all, 1), make(map[string]string, len(all))
	for id, list := range byID {
		tail, _, _ := strings.Cut(id, "\x00")
		need, own := len(short(id)), len(p.onlyOwn(list))
		for _, f := range list {
			if tail == "" || len(list) > 1 && (own != 1 || !p.Own.Has(f.Mailbox)) {
				continue
			}
			for _, m := range f.Placed.Files() {
				shown[m.Key] = m.ID
				if need <= len(tail) {
					shown[m.Key] = tail[:min(max(need, minShown), len(tail))]
				}
			}
		}
	}
	return shown
}

const minShown = 8

// peek returns the mailboxes for completion, without warnings and without remembering keys.
func (a *Commands) peek(ctx context.Context) (*mailboxes, bool) {
	m, err := a.access().Open(ctx)
	return &mailboxes{m}, err == nil
}

func (a *Commands) offerMailboxes(ctx context.Context, f *cli.Offers) {
	p, ok := a.peek(ctx)
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

// offerIDs offers the ids of messages in the user's own mailbox, newest first.
func (a *Commands) offerIDs(ctx context.Context, f *cli.Offers) {
	p, ok := a.peek(ctx)
	if !ok {
		return
	}
	var list []*ampsource.Message
	p.Each(func(m ampsource.Found) bool {
		if p.Own.Has(m.Mailbox) {
			list = append(list, m.Message)
		}
		return true
	})
	slices.SortStableFunc(list, func(x, y *ampsource.Message) int { return cmp.Compare(y.When(), x.When()) })
	for _, m := range list {
		f.Add(m.ID, m.From+": "+m.Subject)
	}
}

func (a *Commands) offerKeys(_ context.Context, f *cli.Offers) {
	pins, err := a.access().Keys()
	if err != nil {
		return
	}
	for _, pin := range pins.List() {
		f.Add(pin.Address, pin.Source)
	}
}
