package index

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/store"
)

// Send appends the record that build makes in the store's profile, once for
// each token, and waits until the index shows it. The directory is created if
// it is missing (§5 step 3).
func (l *Live) Send(ctx context.Context, token string, build func(samp.Profile) (samp.Record, error)) (samp.Record, error) {
	l.sending.Lock()
	defer l.sending.Unlock()
	dir, err := store.Create(l.cfg.Path)
	if err != nil {
		return samp.Record{}, err
	}
	defer dir.Close()
	r, _, err := store.OpenOutbox(l.cfg.StateDir, dir).Send(dir, token, func() (samp.Record, error) {
		if err := dir.CheckWriter(l.cfg.Me); err != nil {
			return samp.Record{}, err
		}
		return build(l.Stats().Profile)
	})
	if err != nil {
		return r, err
	}
	return r, l.Sync(ctx)
}

// MoveWatermark moves the reader's watermark as far as everything was read (§6 step 9):
// to the oldest unread message, or to the newest message if all were read. It never moves
// it back, or past now. Messages that were read beyond it are listed by id.
func (l *Live) MoveWatermark(now time.Time) error {
	l.mu.RLock()
	dir, state := l.dir, l.state
	l.mu.RUnlock()
	if dir == nil {
		return fmt.Errorf("store: move watermark: %w", ErrNotFound)
	}
	mark, _, err := dir.Watermark(l.cfg.Me)
	if err != nil {
		// A broken watermark is replaced.
		mark = samp.Watermark{}
	}
	next, read, err := l.readUpTo(mark.Capped(now.Unix()).TS, now.Unix())
	if err != nil || next == 0 {
		return err
	}
	moved := samp.Watermark{TS: next}
	if next == mark.TS {
		moved.IDs = mark.IDs
	}
	named := make(map[string]bool)
	for _, id := range moved.IDs {
		named[id] = true
	}
	for _, m := range read.messages() {
		if m.Err != nil {
			continue
		}
		for _, name := range moved.Names(&m.Found) {
			if !named[name] {
				named[name] = true
				moved.IDs = append(moved.IDs, name)
			}
		}
	}
	if err := state.Leave(func(func(store.Key) bool) {}, moved); err != nil {
		return err
	}
	return dir.SetWatermark(l.cfg.Me, moved)
}

// readUpTo returns the time up to which everything was read, and the messages that were
// read from then on. The time is 0 if there is no mail.
func (l *Live) readUpTo(mark, now int64) (next int64, beyond *reading, err error) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	all, oldest, waiting := l.mailToMe()
	if len(all) == 0 {
		return 0, nil, nil
	}
	next = all[len(all)-1].ts
	if waiting {
		next = oldest
	}
	next = max(min(next, now), mark)
	first, _ := slices.BinarySearchFunc(all, next, func(m toReader, ts int64) int { return cmp.Compare(m.ts, ts) })
	var listed []uint32
	for _, m := range all[first:] {
		if m.read {
			listed = append(listed, m.entry)
		}
	}
	if len(listed) > store.MaxMarked {
		return 0, nil, fmt.Errorf("store: move watermark: %d messages were read beyond the oldest unread one, and %d is the limit", len(listed), store.MaxMarked)
	}
	return next, l.describe(listed), nil
}

type toReader struct {
	ts    int64
	entry uint32
	read  bool
}

// mailToMe lists the reader's messages by time. The lock is held.
func (l *Live) mailToMe() (all []toReader, oldestUnread int64, waiting bool) {
	x := l.idx
	for n := range uint32(x.entries.n) {
		e := x.entries.at(n)
		if e.to != x.me || e.state&visible == 0 {
			continue
		}
		m := toReader{e.ts, n, e.state&isRead != 0}
		all = append(all, m)
		if !m.read && (!waiting || m.ts < oldestUnread) {
			oldestUnread, waiting = m.ts, true
		}
	}
	slices.SortFunc(all, func(a, b toReader) int { return cmp.Compare(a.ts, b.ts) })
	return all, oldestUnread, waiting
}
