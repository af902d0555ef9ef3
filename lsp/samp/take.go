package samp

import (
	"cmp"
	"errors"
	"iter"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/core/samp"
)

// maxMarked bounds the messages that a watermark lists.
const maxMarked = 10000

// Waiting returns what the reader has not read: what the default inbox shows, without
// what was marked as read message by message, by time. The caller does not change it: it
// may be Fresh itself.
func (r *Reading) Waiting() []Unread {
	if len(r.Late) == 0 && !slices.ContainsFunc(r.Fresh, r.marked) {
		return slices.Clip(r.Fresh) // which is by time
	}
	list := slices.DeleteFunc(slices.Concat(r.Late, r.Fresh), r.marked)
	slices.SortStableFunc(list, func(a, b Unread) int { return cmp.Compare(a.TS, b.TS) })
	return list
}

// marked reports whether a message was marked as read by itself.
func (r *Reading) marked(m Unread) bool { return r.state != nil && r.state.Has(m.Key) }

// Take saves that some of what waits was shown, as [Reading.Commit] does for all of it.
// The watermark moves as far as everything was read, and names what was read beyond it.
func (r *Reading) Take(shown []Unread) []error {
	if r.state != nil {
		// Another window may have marked some meanwhile.
		if _, err := r.state.Refresh(); err != nil {
			return []error{err}
		}
	}
	taken := make(map[Key]bool, len(shown))
	read := func(k Key) bool { return taken[k] || r.state != nil && r.state.Has(k) }
	if err := r.fillKeys(shown); err != nil {
		return []error{err}
	}
	for i := range shown {
		taken[shown[i].Key] = true
	}
	oldest, any := r.oldest(read)
	if !any {
		return r.Commit()
	}
	if r.state == nil {
		return []error{errors.New("store: what was read cannot be kept without a state folder")}
	}
	if err := r.leave(oldest, read, keysOf(r.presumedRead, shown)); err != nil {
		return []error{err}
	}
	return nil
}

// Move moves the watermark as [Reading.Take] does, and marks nothing as read. It needs a
// state.
func (r *Reading) Move() error {
	if r.Len() == 0 {
		return nil
	}
	oldest, any := r.oldest(r.state.Has)
	if !any {
		oldest = r.lines.locations[r.Len()-1].ts
	}
	return r.leave(oldest, r.state.Has, keysOf(nil))
}

// leave marks messages as read, and moves the watermark to the oldest unread one.
func (r *Reading) leave(oldest int64, read func(Key) bool, keys iter.Seq[Key]) error {
	mark, err := r.upTo(oldest, read)
	if err == nil {
		err = r.state.Leave(keys, mark)
	}
	if err == nil {
		err = r.dir.SetWatermark(r.me, mark)
	}
	return err
}

// oldest returns the time of the oldest message that is still unread, if any is.
func (r *Reading) oldest(read func(Key) bool) (ts int64, any bool) {
	for _, list := range [][]Unread{r.Late, r.Fresh} {
		for i := range list {
			if m := &list[i]; !read(m.Key) && (!any || m.TS < ts) {
				ts, any = m.TS, true
			}
		}
	}
	return ts, any
}

// upTo returns the watermark that lies at the oldest unread message, never before the
// present one or after now, and names what was read from then on.
func (r *Reading) upTo(oldest int64, read func(Key) bool) (samp.Watermark, error) {
	mark := r.mark.Capped(r.now)
	next := samp.Watermark{TS: max(min(oldest, r.now), mark.TS)}
	seen, named := r.mark.Seen(), 0
	err := r.since(next.TS, func(_ int, m *samp.Found) bool {
		if seen.Listed(m) || read(KeyOf(m)) {
			for _, name := range next.Names(m) {
				next.IDs = append(next.IDs, strings.Clone(name))
			}
			named++
		}
		return named <= maxMarked
	})
	if named > maxMarked {
		// Too many to name. They stay marked in our own state.
		return r.mark, err
	}
	return next, err
}
