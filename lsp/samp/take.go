package samp

import (
	"cmp"
	"errors"
	"iter"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/core/samp"
)

// maxMarked is the largest number of messages that a watermark lists.
const maxMarked = 10000

// Waiting returns the messages that the reader has not read, by time: the default inbox without
// messages that were marked as read one by one. The caller does not change the list, which may
// be Fresh itself.
func (r *Reading) Waiting() []Unread {
	if len(r.Late) == 0 && !slices.ContainsFunc(r.Fresh, r.marked) {
		return slices.Clip(r.Fresh) // already sorted by time
	}
	list := slices.DeleteFunc(slices.Concat(r.Late, r.Fresh), r.marked)
	slices.SortStableFunc(list, func(a, b Unread) int { return cmp.Compare(a.TS, b.TS) })
	return list
}

// marked reports whether a message was marked as read one by one.
func (r *Reading) marked(m Unread) bool { return r.state != nil && r.state.Has(m.Key) }

// Take saves that some unread messages were shown, as [Reading.Commit] does for all of them. The
// watermark moves up to the oldest unread message, and lists the messages that were read beyond it.
func (r *Reading) Take(shown []Unread) []error {
	if r.state != nil {
		// Another window may have marked messages meanwhile.
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
	oldest, unread := r.oldest(read)
	if !unread {
		return r.Commit()
	}
	if r.state == nil {
		return []error{errors.New("store: what was read cannot be kept without a state folder")}
	}
	if err := r.markRead(oldest, read, keysOf(r.presumedRead, shown)); err != nil {
		return []error{err}
	}
	return nil
}

// MoveWatermark moves the watermark as [Reading.Take] does, and marks nothing as read. It needs
// a state.
func (r *Reading) MoveWatermark() error {
	if r.Len() == 0 {
		return nil
	}
	oldest, unread := r.oldest(r.state.Has)
	if !unread {
		oldest = r.lines.locations[r.Len()-1].ts
	}
	return r.markRead(oldest, r.state.Has, keysOf(nil))
}

// markRead marks messages as read, and moves the watermark to the oldest unread message.
func (r *Reading) markRead(oldest int64, read func(Key) bool, keys iter.Seq[Key]) error {
	mark, err := r.watermarkAt(oldest, read)
	if err == nil {
		err = r.state.MarkWithWatermark(keys, mark)
	}
	if err == nil {
		err = r.dir.SetWatermark(r.me, mark)
	}
	return err
}

// oldest returns the time of the oldest message that is still unread, and whether there is one.
func (r *Reading) oldest(read func(Key) bool) (ts int64, found bool) {
	for _, list := range [][]Unread{r.Late, r.Fresh} {
		for i := range list {
			if m := &list[i]; !read(m.Key) && (!found || m.TS < ts) {
				ts, found = m.TS, true
			}
		}
	}
	return ts, found
}

// watermarkAt returns a watermark at the time of the oldest unread message, but not before the
// present watermark or after now. It lists the messages from then on that were read.
func (r *Reading) watermarkAt(oldest int64, read func(Key) bool) (samp.Watermark, error) {
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
		// These are too many to list. Our own state still has their marks.
		return r.mark, err
	}
	return next, err
}
