package mail

import (
	"context"
	"fmt"
	"slices"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/store"
)

func route(m *samp.Found) panel.Route { return panel.Route{From: m.From, To: m.To} }

// reads returns whose mail is read. An agent does not read the person's by giving itself
// their name.
func (o *commands) reads() (me string, err error) {
	if me, err = o.Alias(); err != nil {
		return "", err
	}
	if self := o.Who(); self.Agent && self.Is(me) {
		return "", fmt.Errorf("%s is the person (%s): an agent reads the mail of its own name", me, self.Origin)
	}
	return me, nil
}

// names returns the names whose mail is read by whoever reads as me.
func (o *commands) names(me string) []string {
	if who := o.Who(); !o.Scripted && who.Value == me {
		return who.Names()
	}
	return []string{me}
}

// guard leaves of some mail what the caller may see: an agent asks the panels' guard, also
// where a command reads the logs itself.
func (o *commands) guard(ctx context.Context, d *store.Dir, form samp.Profile, mail *store.Mail) error {
	reader := o.Reader()
	if reader == nil {
		return nil
	}
	mail.Suspicious = slices.DeleteFunc(mail.Suspicious, func(m samp.Found) bool { return !reader.Sees(panel.Route{To: m.To}) })
	threads := make(map[string][]panel.Route)
	for i := range mail.Messages {
		if m := &mail.Messages[i]; !reader.Sees(route(m)) {
			threads[m.Thread] = nil
		}
	}
	if len(threads) == 0 {
		return nil
	}
	all, err := d.Select(ctx, form, func(m *samp.Found) bool {
		_, asked := threads[m.Thread]
		return asked
	})
	if err != nil {
		return err
	}
	for i := range all.Messages {
		m := &all.Messages[i]
		threads[m.Thread] = append(threads[m.Thread], route(m))
	}
	takes := make(map[string]bool)
	for name, routes := range threads {
		takes[name] = reader.TakesPart(routes)
	}
	mail.Messages = slices.DeleteFunc(mail.Messages, func(m samp.Found) bool { return !reader.Sees(route(&m)) && !takes[m.Thread] })
	return nil
}
