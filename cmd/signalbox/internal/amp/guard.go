package amp

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/box"
	"github.com/signalbox-dev/signalbox/lsp/store/mailbox"
)

// reads is [Commands.post] for commands that show or mark mail. An agent does not read the
// person's by choosing their mailbox.
func (a *Commands) reads(ctx context.Context) (*post, error) {
	p, err := a.post(ctx)
	if err == nil && p.reader != nil && a.persons(p.own.Mailbox) {
		return nil, fmt.Errorf("amp: the mailbox of %s is the person's (%s): an agent reads its own, which CLAUDE_AGENT_NAME, AMP_DIR or --as names", p.own.Mailbox.Name, p.own.Origin)
	}
	return p, err
}

// reader returns the agent that reads, for the panels' guard, nil for the person. An agent
// has its names, in small letters as addresses, and the mailbox that its program or a flag
// chose.
func (a *Commands) reader(own *mailbox.Owned) panel.Reader {
	reader := box.Reader(a.Who())
	for i := range reader {
		reader[i] = strings.ToLower(reader[i])
	}
	if reader == nil || own.Mailbox == nil || a.persons(own.Mailbox) {
		return reader
	}
	for _, address := range own.Mailbox.Addresses {
		reader = append(reader, strings.ToLower(address.Agent))
	}
	return reader
}

// persons reports whether a mailbox is called after the person.
func (a *Commands) persons(m *mailbox.Mailbox) bool {
	me := a.Who()
	return m != nil && called(m, me.Is)
}

// chosenFor reports whether a mailbox may be the caller's though nothing names it: it is
// anybody's but an agent's of another name.
func (a *Commands) chosenFor(m *mailbox.Mailbox) bool {
	reader := box.Reader(a.Who())
	return reader == nil || called(m, func(name string) bool {
		return slices.ContainsFunc(reader, func(own string) bool { return strings.EqualFold(own, name) })
	})
}

// called reports whether one of the names of a mailbox is wanted.
func called(m *mailbox.Mailbox, wanted func(name string) bool) bool {
	if wanted(m.Name) || wanted(path.Base(m.Dir)) {
		return true
	}
	for _, address := range m.Addresses {
		if wanted(address.Agent) {
			return true
		}
	}
	return false
}

// sees reports whether the reader may see a message of a thread.
func (p *post) sees(t *mailbox.Thread, at int) bool {
	if p.reader == nil || p.reader.Sees(p.route(t, at)) {
		return true
	}
	takes, known := p.part[t]
	if !known {
		routes := make([]panel.Route, len(t.Messages))
		for i := range routes {
			routes[i] = p.route(t, i)
		}
		takes = p.reader.TakesPart(routes)
		p.part[t] = takes
	}
	return takes
}

// route says who wrote a message to whom. Case does not count in addresses.
func (p *post) route(t *mailbox.Thread, at int) panel.Route {
	m := p.own.Shown(&t.Messages[at])
	return panel.Route{From: strings.ToLower(m.From), To: strings.ToLower(m.To)}
}
