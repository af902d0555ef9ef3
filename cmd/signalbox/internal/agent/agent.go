// Package agent is what an agent does with its mail, for the commands that agents'
// programs run: take what is new, send, answer, wait, and show what strangers wrote.
//
// Start with [Box]. The package shows nothing itself: mcp answers calls of tools with it,
// hook answers events.
package agent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"slices"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/store"
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

	dir *store.Dir
	// readings are of the agent's names: its own, and the one that other tools give it.
	readings []*store.Reading
	// second holds the messages that the second reading found.
	second map[store.Key]bool
}

// Close closes the message directory.
func (m *Mail) Close() {
	for _, r := range m.readings {
		r.Close()
	}
	if m.dir != nil {
		m.dir.Close()
	}
}

// Open reads what waits. A message directory that does not exist yet holds nothing.
func (b *Box) Open(ctx context.Context) (*Mail, error) {
	me, err := b.Alias()
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

// dir opens the message directory. It returns nil if there is none yet.
func (b *Box) dir() (*store.Dir, error) {
	where := b.Locate()
	d, err := store.Open(where.Value)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return d, err
}

func (m *Mail) read(ctx context.Context, b *Box) error {
	me := b.Who()
	if other := m.dir.OtherCase(ctx, me.Value); other != "" {
		m.Warnings = append(m.Warnings, fmt.Sprintf("there is a name %s, which differs only in case from yours, %s: mail to it is not mail to you", other, me.Value))
	}
	names := me.Names()
	if sig, err := m.dir.Signature(); err == nil {
		names = slices.DeleteFunc(names, func(name string) bool { return m.dir.Unchanged(name, sig) })
	}
	if len(names) == 0 {
		return nil // nothing has changed since all was read
	}
	form, err := b.Form(ctx, m.dir)
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := m.readAs(ctx, b, name, form); err != nil {
			return err
		}
	}
	return nil
}

// readAs reads what waits for one of the agent's names.
func (m *Mail) readAs(ctx context.Context, b *Box, name string, form samp.Profile) error {
	state, err := store.OpenReadState(b.Env.StateDir(), m.dir, name)
	if err != nil {
		m.Warnings = append(m.Warnings, err.Error())
		state = nil
	}
	r, err := m.dir.ReadNew(ctx, name, form, b.Now(), state)
	if err != nil {
		return err
	}
	m.readings = append(m.readings, r)
	list := r.Waiting()
	if len(list) == 0 {
		// The next look need not read everything again.
		for _, err := range r.Commit() {
			m.Warnings = append(m.Warnings, err.Error())
		}
	}
	if len(m.readings) > 1 && len(list) > 0 {
		m.second = make(map[store.Key]bool, len(list))
		for i := range list {
			m.second[list[i].Key] = true
		}
		list = slices.Concat(m.Waiting, list)
		slices.SortStableFunc(list, func(a, b store.Unread) int { return cmp.Compare(a.TS, b.TS) })
	} else if len(m.readings) > 1 {
		list = m.Waiting
	}
	m.Waiting = list
	m.warn(r)
	return nil
}

// warn says what was left out of the mail.
func (m *Mail) warn(r *store.Reading) {
	warnings := r.Warnings
	for _, p := range r.Mail.Problems {
		warnings = append(warnings, cli.ProblemText(p.File, p.Reason, "", p.Rule))
	}
	if n := len(r.Mail.Suspicious); n > 0 {
		warnings = append(warnings, fmt.Sprintf("%s may be forged and not shown: a log that is not the sender's holds them", cli.Plural(n, "message")))
	}
	for _, w := range warnings {
		if !slices.Contains(m.Warnings, w) {
			m.Warnings = append(m.Warnings, w)
		}
	}
}

// Texts walks some of what waits with its texts. A message is valid until the next one.
func (m *Mail) Texts(ctx context.Context, list []store.Unread) iter.Seq2[*samp.Found, error] {
	return func(yield func(*samp.Found, error) bool) {
		for len(list) > 0 {
			// As many as one reading has in a row.
			n := 1
			for n < len(list) && m.second[list[n].Key] == m.second[list[0].Key] {
				n++
			}
			for f, err := range m.readingOf(list[0]).Messages(ctx, list[:n]) {
				if !yield(f, err) {
					return
				}
			}
			list = list[n:]
		}
	}
}

// readingOf returns the reading that found a message.
func (m *Mail) readingOf(u store.Unread) *store.Reading {
	if m.second[u.Key] {
		return m.readings[1]
	}
	return m.readings[0]
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

// Each calls each for everything addressed to the agent, by time for each of its names, until
// it returns false. A
// message is valid during the call.
func (b *Box) Each(ctx context.Context, each func(*samp.Found) bool) error {
	if _, err := b.Alias(); err != nil {
		return err
	}
	me := b.Who()
	d, err := b.dir()
	if err != nil || d == nil {
		return err
	}
	defer d.Close()
	form, err := b.Form(ctx, d)
	if err != nil {
		return err
	}
	for _, name := range me.Names() {
		if on, err := eachTo(ctx, d, name, form, each); err != nil || !on {
			return err
		}
	}
	return nil
}

// eachTo calls each for everything addressed to a name. on is false if each ended it.
func eachTo(ctx context.Context, d *store.Dir, name string, form samp.Profile, each func(*samp.Found) bool) (on bool, err error) {
	lines, err := d.Lines(ctx, name, form)
	if err != nil {
		return false, err
	}
	defer lines.Close()
	for m, err := range lines.All(ctx) {
		if err != nil || !each(m) {
			return false, err
		}
	}
	return true, nil
}

// Take marks messages of [Mail.Waiting] as read, after they were shown.
func (m *Mail) Take(shown []store.Unread) error {
	if len(m.readings) == 0 || len(shown) == 0 {
		return nil
	}
	parts := make([][]store.Unread, len(m.readings))
	for _, u := range shown {
		at := slices.Index(m.readings, m.readingOf(u))
		parts[at] = append(parts[at], u)
	}
	var errs []error
	for i, part := range parts {
		if len(part) > 0 {
			errs = append(errs, m.readings[i].Take(part)...)
		}
	}
	return errors.Join(errs...)
}
