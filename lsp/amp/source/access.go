package source

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	ampstore "github.com/signalbox-dev/signalbox/lsp/amp"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/samp/box"
	"github.com/signalbox-dev/signalbox/lsp/who"
	"github.com/signalbox-dev/signalbox/lsp/who/environ"
)

// Access reads and writes signed mail for commands, which have no view.
type Access struct {
	Env environ.Env
	// Root and As come from flags: the directory of the mailboxes, and the name or address of
	// the user's own.
	Root, As string
	Who      func() who.Who
	Now      func() time.Time
}

// Locate returns the directory of the mailboxes, and why it was chosen.
func (a *Access) Locate() environ.Choice { return ampstore.Locate(a.Env, a.Root, "") }

// Keys returns the remembered keys.
func (a *Access) Keys() (*ampstore.Pins, error) {
	keys := ampstore.PinsAt(ampstore.PinsPath(a.Env))
	return keys, keys.Err()
}

// Init makes a mailbox and remembers its key. If the key cannot be remembered, that is a
// warning.
func (a *Access) Init(ctx context.Context, name, address string) (m *Mailbox, alarms []Alarm, warning, err error) {
	c := ampstore.InitConfig{Root: a.Locate().Value, Name: name, Address: address, Now: a.Now()}
	if m, err = ampstore.Init(ctx, c); err != nil {
		return nil, nil, nil, err
	}
	keys, warning := a.Keys()
	if warning == nil {
		alarms, warning = keys.PinNew(ctx, []*Mailbox{m}, c.Now, true)
	}
	return m, alarms, warning, nil
}

// own returns the user's own mailbox. If nothing chooses one, it is the only mailbox that can
// sign, unless the reader is an agent with another name.
func (a *Access) own(snap *ampstore.Snapshot) ampstore.OwnMailbox {
	own := ampstore.ChooseOwn(snap, a.Env, environ.Choice{Value: a.As, Origin: "--as"}, environ.GivenAlias(a.Env, "", "").Value)
	if own.Mailbox != nil || a.As != "" || a.Env.Getenv("AMP_DIR") != "" ||
		slices.ContainsFunc(ampstore.AgentVariables(), func(name string) bool { return a.Env.Getenv(name) != "" }) {
		return own
	}
	can := slices.DeleteFunc(slices.Clone(snap.Mailboxes), func(m *Mailbox) bool { return !m.Signs || len(m.Addresses) == 0 })
	if len(can) != 1 {
		return own
	}
	reader := box.Reader(a.Who())
	if reader != nil && !slices.ContainsFunc(names(can[0]), func(name string) bool {
		return slices.ContainsFunc(reader, func(own string) bool { return strings.EqualFold(own, name) })
	}) {
		return own
	}
	return ampstore.OwnMailbox{Mailbox: can[0], Origin: "the only one that can sign"}
}

// reader returns the names of the reader, for the panels' guard: nil for the person. An agent
// also has the names of the mailbox that its program or a flag chose.
func (a *Access) reader(own *Mailbox) panel.Reader {
	reader := box.Reader(a.Who())
	if reader == nil || own == nil || a.isPersons(own) {
		return reader
	}
	for _, address := range own.Addresses {
		reader = append(reader, address.Agent)
	}
	return reader
}

func (a *Access) isPersons(m *Mailbox) bool {
	me := a.Who()
	return slices.ContainsFunc(names(m), me.Is)
}

func names(m *Mailbox) []string {
	list := []string{m.Name, path.Base(m.Dir)}
	for _, address := range m.Addresses {
		list = append(list, address.Agent)
	}
	return list
}

// CheckReader returns an error if an agent chose the person's mailbox, which agents do not
// read.
func (m *Mail) CheckReader() error {
	if m.reader == nil || m.Own.Mailbox == nil || !m.access.isPersons(m.Own.Mailbox) {
		return nil
	}
	return fmt.Errorf("amp: the mailbox of %s is the person's (%s): an agent reads its own, which CLAUDE_AGENT_NAME, AMP_DIR or --as names", m.Own.Mailbox.Name, m.Own.Origin)
}

func (m *Mail) sees(t *ampstore.Thread, at int) bool {
	if m.reader == nil || m.reader.Sees(route(&m.Own, &t.Messages[at])) {
		return true
	}
	takes, known := m.takesPart[t]
	if !known {
		takes = m.reader.TakesPart(routes(&m.Own, t))
		m.takesPart[t] = takes
	}
	return takes
}

func route(own *ampstore.OwnMailbox, at *ampstore.Placed) panel.Route {
	m := own.Shown(at)
	return panel.Route{From: m.From, To: m.To}
}

func routes(own *ampstore.OwnMailbox, t *ampstore.Thread) []panel.Route {
	list := make([]panel.Route, len(t.Messages))
	for i := range list {
		list[i] = route(own, &t.Messages[i])
	}
	return list
}
