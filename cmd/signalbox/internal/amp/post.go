package amp

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/core/names"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/store/environ"
	"github.com/signalbox-dev/signalbox/lsp/store/mailbox"
)

// post is all mailboxes at one moment, as the user sees them.
type post struct {
	*mailbox.Snapshot
	own  mailbox.Owned
	pins *mailbox.Pins
	// alarms are the keys that have changed.
	alarms []mailbox.Alarm
	now    int64
	// reader is the agent that reads, and part says in which threads it takes part.
	reader panel.Reader
	part   map[*mailbox.Thread]bool
}

// Root returns the directory of the mailboxes, and why it was chosen.
func (a *Commands) Root() environ.Choice { return mailbox.Locate(a.Env, a.root, "") }

// post reads the mailboxes, which must be there, and says what is wrong with the
// user's own, and with keys.
func (a *Commands) post(ctx context.Context) (*post, error) {
	p, err := a.look(ctx)
	if err != nil {
		return nil, err
	}
	if !p.Exists {
		where := a.Root()
		return nil, fmt.Errorf("amp: make a mailbox with \"signalbox amp init --name NAME\": there is none yet in %s (%s)", where.Value, where.Origin)
	}
	a.complain(p, p.inMine)
	if a.identity != "" && p.own.Mailbox == nil {
		return nil, cli.Usage(fmt.Errorf("amp: %s%s", p.own.Why, p.meant(a.identity)))
	}
	for i := range p.alarms {
		a.Warn("%s", AlarmText(&p.alarms[i]))
	}
	return p, nil
}

// look reads the mailboxes and remembers new keys.
func (a *Commands) look(ctx context.Context) (*post, error) {
	snap, err := mailbox.Scan(ctx, a.Root().Value)
	if err != nil {
		return nil, err
	}
	if snap.Err != nil {
		return nil, fmt.Errorf("amp: %w", snap.Err)
	}
	now := a.Now()
	snap.Seen = mailbox.SeenAt(mailbox.SeenPath(a.Env))
	if err := snap.Seen.Keep(ctx, false); err != nil {
		a.Warn("mail that was deleted and is delivered again is not noticed: %v", err)
	}
	p := a.seenAs(snap)
	p.now = now.UnixMilli()
	if p.pins, err = a.Pins(); err != nil {
		return nil, err
	}
	if p.alarms, err = p.pins.Notice(ctx, snap.Mailboxes, now, true); err != nil {
		if ctx.Err() != nil {
			return nil, err
		}
		a.Warn("keys that are new are not remembered: %v", err)
	}
	return p, nil
}

// seenAs returns mailboxes as the user, or an agent, sees them.
func (a *Commands) seenAs(snap *mailbox.Snapshot) *post {
	own := a.Own(snap)
	return &post{Snapshot: snap, own: own, reader: a.reader(&own), part: make(map[*mailbox.Thread]bool)}
}

// remember saves what was computed about messages, after it was shown.
func (a *Commands) remember(ctx context.Context, p *post) {
	if err := p.Seen.Keep(ctx, true); err != nil {
		a.Warn("what was seen is not remembered, so that mail that is deleted can be delivered again: %v", err)
	}
}

// Pins returns the keys that are remembered.
func (a *Commands) Pins() (*mailbox.Pins, error) {
	return mailbox.OpenPins(mailbox.PinsPath(a.Env))
}

// Own returns the user's own mailbox. If nothing names one, it is the only mailbox
// that can sign, unless an agent calls that has another name; the output shows which that
// is.
func (a *Commands) Own(snap *mailbox.Snapshot) mailbox.Owned {
	alias := environ.GivenAlias(a.Env, "", "")
	own := mailbox.Own(snap, a.Env, environ.Choice{Value: a.identity, Origin: "--as"}, alias.Value)
	if own.Mailbox != nil || a.identity != "" || a.Env.Getenv("AMP_DIR") != "" ||
		slices.ContainsFunc(mailbox.AgentVariables(), func(name string) bool { return a.Env.Getenv(name) != "" }) {
		return own
	}
	signs := func(m *mailbox.Mailbox) bool { return m.Signs && len(m.Addresses) > 0 }
	at := slices.IndexFunc(snap.Mailboxes, signs)
	if at < 0 || slices.ContainsFunc(snap.Mailboxes[at+1:], signs) || !a.chosenFor(snap.Mailboxes[at]) {
		return own
	}
	return mailbox.Owned{Mailbox: snap.Mailboxes[at], Origin: "the only one that can sign"}
}

// needOwn returns the user's own mailbox, or an error that lists the mailboxes.
func (p *post) needOwn() (*mailbox.Mailbox, error) {
	if p.own.Mailbox == nil {
		return nil, cli.Usage(fmt.Errorf("amp: %s; --as chooses one of those that are here%s", p.own.Why, p.names()))
	}
	return p.own.Mailbox, nil
}

// names lists the mailboxes, for an error that asks for one.
func (p *post) names() string {
	var all []string
	for _, m := range p.Mailboxes {
		all = append(all, m.Name)
	}
	if len(all) == 0 {
		return ""
	}
	return ": " + joined(all)
}

// meant returns a question whether the user meant a mailbox with much the same name or
// address, or "".
func (p *post) meant(name string) string {
	var all []string
	for _, m := range p.Mailboxes {
		all = append(all, m.Name)
		for _, address := range m.Addresses {
			all = append(all, address.String())
		}
	}
	if other := names.Near(name, all); other != "" {
		return "; did you mean " + cli.Line(other) + "?"
	}
	return ""
}

// joined joins the first ten names for a line of text.
func joined(names []string) string {
	var b strings.Builder
	for i, name := range names {
		if i == 10 {
			b.WriteString(", …")
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(cli.Line(name))
	}
	return b.String()
}

// claimants returns the folders of the mailboxes that claim an address.
func (p *post) claimants(address string) []string {
	a, ok := amp.ParseAddress(address)
	return p.folders(func(m *mailbox.Mailbox) bool { return ok && slices.ContainsFunc(m.Addresses, a.Same) })
}

// namesakes returns the folders of the mailboxes with a name.
func (p *post) namesakes(name string) []string {
	return p.folders(func(m *mailbox.Mailbox) bool {
		return strings.EqualFold(m.Name, name) || strings.EqualFold(path.Base(m.Dir), name)
	})
}

func (p *post) folders(ok func(m *mailbox.Mailbox) bool) (dirs []string) {
	for _, m := range p.Mailboxes {
		if ok(m) {
			dirs = append(dirs, m.Dir)
		}
	}
	return dirs
}

// openOwn opens the user's own mailbox for writing. The caller closes it.
func (p *post) openOwn() (*mailbox.Box, error) {
	own, err := p.needOwn()
	if err != nil {
		return nil, err
	}
	return mailbox.Open(p.Path, own.Dir)
}

// AlarmText says that a key has changed, and what to do.
func AlarmText(a *mailbox.Alarm) string {
	if a.Pinned.Address == "" {
		return fmt.Sprintf("several mailboxes claim %s, and the one in %s has the key %s: which is right is not known, and none is trusted; \"signalbox amp keys add %[1]s FILE\" says it",
			a.Address, a.Where, a.Now.Fingerprint())
	}
	return fmt.Sprintf("the key of %s has changed: it was %s since %s, and is %s in %s. Ask the owner before \"signalbox amp keys accept %[1]s\"",
		a.Address, a.Pinned.Key.Fingerprint(), cli.Day(a.Pinned.First), a.Now.Fingerprint(), a.Where)
}
