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

// Waiting holds the reader's unread mail at one moment, under all of their names. The caller
// closes it.
type Waiting struct {
	// Me is the reader's alias.
	Me string
	// Unread lists the unread messages, by time. [Waiting.Texts] reads their texts.
	Unread []Unread
	// Warnings report state and logs that could not be used.
	Warnings []string

	dir *Dir
	// readings has one reading for each of the reader's names that may have new mail: their
	// alias, and the name that other tools give them.
	readings []*Reading
	// inSecond holds the messages that the second reading found.
	inSecond map[Key]bool
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

// Waiting returns the reader's unread mail. The list is empty if the message directory does not
// exist yet.
func (b *Box) Waiting(ctx context.Context) (*Waiting, error) {
	me, err := b.Reads()
	if err != nil {
		return nil, err
	}
	dir, err := b.openIfExists()
	if err != nil {
		return nil, err
	}
	m := &Waiting{Me: me, dir: dir}
	if dir == nil {
		return m, nil
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
		return nil // nothing has changed since all mail was read
	}
	for _, name := range names {
		if err := m.readAs(ctx, name); err != nil {
			return err
		}
	}
	return nil
}

// readAs reads the unread mail of one of the reader's names.
func (m *Waiting) readAs(ctx context.Context, name string) error {
	r, err := m.dir.read(ctx, name, false)
	if err != nil {
		return err
	}
	m.readings = append(m.readings, r)
	list := r.Waiting()
	if len(list) == 0 {
		// The next call then need not read everything again.
		for _, err := range r.Commit() {
			m.Warnings = append(m.Warnings, err.Error())
		}
	}
	if len(m.readings) > 1 && len(list) > 0 {
		m.inSecond = make(map[Key]bool, len(list))
		for i := range list {
			m.inSecond[list[i].Key] = true
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

// warn adds warnings about mail that was left out.
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

// Texts walks some unread messages, with their texts. A message is valid until the next one.
func (m *Waiting) Texts(ctx context.Context, list []Unread) iter.Seq2[*samp.Found, error] {
	return func(yield func(*samp.Found, error) bool) {
		for len(list) > 0 {
			// Count the messages in a row that are from the same reading.
			n := 1
			for n < len(list) && m.inSecond[list[n].Key] == m.inSecond[list[0].Key] {
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
	if m.inSecond[u.Key] {
		return m.readings[1]
	}
	return m.readings[0]
}

// Pick returns the unread messages that accept accepts.
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

// Each calls each for all mail addressed to the reader, name by name and by time, until each
// returns false. A message is valid only during the call.
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
		if more, err := d.eachTo(ctx, name, each); err != nil || !more {
			return err
		}
	}
	return nil
}

// eachTo calls each for all mail addressed to a name. more is false if each returned false.
func (d *Dir) eachTo(ctx context.Context, name string, each func(*samp.Found) bool) (more bool, err error) {
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
