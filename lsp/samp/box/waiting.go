package box

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/signalbox-dev/signalbox/core/samp"
)

// Waiting is what waits for the reader at one moment, under all of their names. The caller
// closes it.
type Waiting struct {
	// Me is the reader's alias.
	Me string
	// Unread are the messages that the reader has not read, by time. [Waiting.Texts] reads them.
	Unread []Unread
	// Warnings say what could not be used.
	Warnings []string

	dir *Dir
	// readings are of the reader's names: their own, and the one that other tools give it.
	readings []*Reading
	// second holds the messages that the second reading found.
	second map[Key]bool
}

// Close closes the message directory.
func (m *Waiting) Close() {
	for _, r := range m.readings {
		r.Close()
	}
	if m.dir != nil {
		m.dir.Close()
	}
}

// Waiting reads what waits. A message directory that does not exist yet holds nothing.
func (b *Box) Waiting(ctx context.Context) (*Waiting, error) {
	me, err := b.Reads()
	if err != nil {
		return nil, err
	}
	m := &Waiting{Me: me}
	if m.dir, err = b.openIfExists(); err != nil || m.dir == nil {
		return m, err
	}
	if err := m.read(ctx); err != nil {
		m.Close()
		return nil, err
	}
	return m, nil
}

func (m *Waiting) read(ctx context.Context) error {
	me := m.dir.Who()
	if other := m.dir.OtherCase(ctx, me.Value); other != "" {
		m.Warnings = append(m.Warnings, fmt.Sprintf("there is a name %s, which differs only in case from yours, %s: mail to it is not mail to you", other, me.Value))
	}
	names := me.Names()
	if sig, err := m.dir.dir.Signature(); err == nil {
		names = slices.DeleteFunc(names, func(name string) bool { return m.dir.dir.Unchanged(name, sig) })
	}
	if len(names) == 0 {
		return nil // nothing has changed since all was read
	}
	for _, name := range names {
		if err := m.readAs(ctx, name); err != nil {
			return err
		}
	}
	return nil
}

// readAs reads what waits for one of the reader's names.
func (m *Waiting) readAs(ctx context.Context, name string) error {
	r, err := m.dir.read(ctx, name, false)
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
		m.second = make(map[Key]bool, len(list))
		for i := range list {
			m.second[list[i].Key] = true
		}
		list = slices.Concat(m.Unread, list)
		slices.SortStableFunc(list, func(a, b Unread) int { return cmp.Compare(a.TS, b.TS) })
	} else if len(m.readings) > 1 {
		list = m.Unread
	}
	m.Unread = list
	m.warn(r)
	return nil
}

// warn says what was left out of the mail.
func (m *Waiting) warn(r *Reading) {
	warnings := r.Warnings
	for _, p := range r.Mail.Problems {
		warnings = append(warnings, fmt.Sprintf("%s %s (%s)", p.File, p.Reason, p.Rule))
	}
	switch n := len(r.Mail.Suspicious); n {
	case 0:
	case 1:
		warnings = append(warnings, "1 message may be forged and is not shown: a log that is not the sender's holds it")
	default:
		warnings = append(warnings, fmt.Sprintf("%d messages may be forged and are not shown: logs that are not the senders' hold them", n))
	}
	for _, w := range warnings {
		if !slices.Contains(m.Warnings, w) {
			m.Warnings = append(m.Warnings, w)
		}
	}
}

// Texts walks some of what waits with its texts. A message is valid until the next one.
func (m *Waiting) Texts(ctx context.Context, list []Unread) iter.Seq2[*samp.Found, error] {
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
func (m *Waiting) readingOf(u Unread) *Reading {
	if m.second[u.Key] {
		return m.readings[1]
	}
	return m.readings[0]
}

// Pick returns what waits and accept accepts.
func (m *Waiting) Pick(ctx context.Context, accept func(*samp.Found) bool) ([]Unread, error) {
	var list []Unread
	i := 0
	for f, err := range m.Texts(ctx, m.Unread) {
		if err != nil {
			return nil, err
		}
		if accept(f) {
			list = append(list, m.Unread[i])
		}
		i++
	}
	return list, nil
}

// Each calls each for everything addressed to the reader, by time for each of their names,
// until it returns false. A message is valid during the call.
func (b *Box) Each(ctx context.Context, each func(*samp.Found) bool) error {
	name, err := b.Reads()
	if err != nil {
		return err
	}
	d, err := b.openIfExists()
	if err != nil || d == nil {
		return err
	}
	defer d.Close()
	for _, name := range d.Names(name) {
		if on, err := d.eachTo(ctx, name, each); err != nil || !on {
			return err
		}
	}
	return nil
}

// eachTo calls each for everything addressed to a name. on is false if each ended it.
func (d *Dir) eachTo(ctx context.Context, name string, each func(*samp.Found) bool) (on bool, err error) {
	lines, err := d.All(ctx, name)
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

// Take marks messages of [Waiting.Unread] as read, after they were shown.
func (m *Waiting) Take(shown []Unread) error {
	if len(m.readings) == 0 || len(shown) == 0 {
		return nil
	}
	parts := make([][]Unread, len(m.readings))
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
