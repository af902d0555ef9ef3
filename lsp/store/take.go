package store

import (
	"cmp"
	"errors"
	"slices"

	"github.com/signalbox-dev/signalbox/core/samp"
)

// MaxMarked bounds the ids that a watermark lists.
const MaxMarked = 10000

// Waiting returns what the reader has not read: what the default inbox shows, without
// what was marked as read message by message, by time.
func (r *Reading) Waiting() []samp.Found {
	list := slices.Concat(r.Late, r.Fresh)
	if r.state != nil {
		list = slices.DeleteFunc(list, func(m samp.Found) bool { return r.state.Has(KeyOf(&m)) })
	}
	slices.SortStableFunc(list, func(a, b samp.Found) int { return cmp.Compare(a.TS, b.TS) })
	return list
}

// Take saves that some of what waits was shown, as [Reading.Commit] does for all of it.
// The watermark moves as far as everything was read, and names what was read beyond it.
func (r *Reading) Take(shown []samp.Found) []error {
	if r.state != nil {
		// Another window may have marked some meanwhile.
		if _, err := r.state.Refresh(); err != nil {
			return []error{err}
		}
	}
	taken := make(map[Key]bool, len(shown))
	for i := range shown {
		taken[KeyOf(&shown[i])] = true
	}
	rest := slices.DeleteFunc(r.Waiting(), func(m samp.Found) bool { return taken[KeyOf(&m)] })
	if len(rest) == 0 {
		return r.Commit()
	}
	if r.state == nil {
		return []error{errors.New("store: what was read cannot be kept without a state folder")}
	}
	var keys []Key
	for _, list := range [][]samp.Found{r.known, shown} {
		for i := range list {
			keys = append(keys, KeyOf(&list[i]))
		}
	}
	mark := r.upTo(rest[0].TS, func(k Key) bool { return taken[k] || r.state.Has(k) })
	if err := r.state.Leave(keys, mark); err != nil {
		return []error{err}
	}
	if err := r.dir.SetWatermark(r.me, mark); err != nil {
		return []error{err}
	}
	return nil
}

// upTo returns the watermark that lies at the oldest unread message, never before the
// present one or after now, and names what was read from then on.
func (r *Reading) upTo(oldest int64, read func(Key) bool) samp.Watermark {
	mark := r.mark.Capped(r.now)
	next := samp.Watermark{TS: max(min(oldest, r.now), mark.TS)}
	seen := r.mark.Seen()
	for i := range r.Mail.Messages {
		m := &r.Mail.Messages[i]
		if m.TS >= next.TS && (seen.Listed(m) || read(KeyOf(m))) {
			next.IDs = append(next.IDs, next.Name(m))
		}
	}
	if len(next.IDs) > MaxMarked {
		// Too many to name. They stay marked in our own state.
		return r.mark
	}
	return next
}
