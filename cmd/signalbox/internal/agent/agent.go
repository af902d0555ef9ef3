// Package agent is what an agent does with its mail, for the commands that agents'
// programs run: take what is new, send, answer, wait, and show what strangers wrote.
//
// Start with [Box]. The package shows nothing itself: mcp answers calls of tools with it,
// hook answers events.
package agent

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/store"
	"github.com/signalbox-dev/signalbox/lsp/store/environ"
)

// Box is one agent's mail. It opens the message directory for each call and holds
// nothing of it between calls.
type Box struct{ *cli.Options }

// Mail is what waits for the agent at one moment. The caller closes it.
type Mail struct {
	// Me is the agent's alias.
	Me string
	// Waiting are the messages that the agent has not read, by time. [Mail.Texts] reads them.
	Waiting []store.Unread
	// Warnings say what could not be used.
	Warnings []string

	dir     *store.Dir
	reading *store.Reading
}

// Close closes the message directory.
func (m *Mail) Close() {
	if m.reading != nil {
		m.reading.Close()
	}
	if m.dir != nil {
		m.dir.Close()
	}
}

// Open reads what waits. A message directory that does not exist yet holds nothing.
func (b *Box) Open(ctx context.Context) (*Mail, error) {
	me, err := b.me()
	if err != nil {
		return nil, err
	}
	m := &Mail{Me: me}
	if m.dir, err = b.dir(); err != nil || m.dir == nil {
		return m, err
	}
	if err := m.read(ctx, b); err != nil {
		m.Close()
		return nil, err
	}
	return m, nil
}

// me returns the agent's alias. A folder that gives an agent the person's own name, such as
// their home, would have the agent read the person's mail.
func (b *Box) me() (string, error) {
	me, err := b.Alias()
	if err != nil {
		return "", err
	}
	if given := environ.GivenAlias(b.Env, b.As, "--as"); given.Value == "" && me == b.Person() {
		return "", fmt.Errorf("the agent here would be %s (%s), who is the person: give it a name with SIGNALBOX_AS, --as or a line in .agent-message", me, b.ChooseAlias().Origin)
	}
	return me, nil
}

// dir opens the message directory. It returns nil if there is none yet.
func (b *Box) dir() (*store.Dir, error) {
	where, _ := b.Locate()
	d, err := store.Open(where.Value)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return d, err
}

func (m *Mail) read(ctx context.Context, b *Box) error {
	if sig, err := m.dir.Signature(); err == nil && m.dir.Unchanged(m.Me, sig) {
		// Nothing has changed since all was read.
		return nil
	}
	form, err := b.Form(ctx, m.dir)
	if err != nil {
		return err
	}
	state, err := store.OpenReadState(b.Env.StateDir(), m.dir, m.Me)
	if err != nil {
		m.Warnings = append(m.Warnings, err.Error())
		state = nil
	}
	if m.reading, err = m.dir.ReadNew(ctx, m.Me, form, b.Now(), state); err != nil {
		return err
	}
	if m.Waiting = m.reading.Waiting(); len(m.Waiting) == 0 {
		// The next look need not read everything again.
		for _, err := range m.reading.Commit() {
			m.Warnings = append(m.Warnings, err.Error())
		}
	}
	m.warn(&m.reading.Mail)
	return nil
}

// warn says what was left out of the mail.
func (m *Mail) warn(mail *store.Mail) {
	m.Warnings = append(m.Warnings, m.reading.Warnings...)
	for _, p := range mail.Problems {
		m.Warnings = append(m.Warnings, cli.ProblemText(p.File, p.Reason, "", p.Rule))
	}
	if n := len(mail.Suspicious); n > 0 {
		m.Warnings = append(m.Warnings, fmt.Sprintf("%s may be forged and not shown: a log that is not the sender's holds them", cli.Plural(n, "message")))
	}
}

// Texts walks some of what waits with its texts. A message is valid until the next one.
func (m *Mail) Texts(ctx context.Context, list []store.Unread) iter.Seq2[*samp.Found, error] {
	if m.reading == nil {
		return func(func(*samp.Found, error) bool) {}
	}
	return m.reading.Messages(ctx, list)
}

// Pick returns what waits and accept accepts.
func (m *Mail) Pick(ctx context.Context, accept func(*samp.Found) bool) ([]store.Unread, error) {
	var list []store.Unread
	i := 0
	for f, err := range m.Texts(ctx, m.Waiting) {
		if err != nil {
			return nil, err
		}
		if accept(f) {
			list = append(list, m.Waiting[i])
		}
		i++
	}
	return list, nil
}

// Each calls each for everything addressed to the agent, by time, until it returns false. A
// message is valid during the call.
func (b *Box) Each(ctx context.Context, each func(*samp.Found) bool) error {
	me, err := b.me()
	if err != nil {
		return err
	}
	d, err := b.dir()
	if err != nil || d == nil {
		return err
	}
	defer d.Close()
	form, err := b.Form(ctx, d)
	if err != nil {
		return err
	}
	lines, err := d.Lines(ctx, me, form)
	if err != nil {
		return err
	}
	defer lines.Close()
	for m, err := range lines.All(ctx) {
		if err != nil || !each(m) {
			return err
		}
	}
	return nil
}

// Take marks messages of [Mail.Waiting] as read, after they were shown.
func (m *Mail) Take(shown []store.Unread) error {
	if m.reading == nil || len(shown) == 0 {
		return nil
	}
	return errors.Join(m.reading.Take(shown)...)
}
