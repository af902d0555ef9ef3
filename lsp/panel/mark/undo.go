package mark

import (
	"context"
	"maps"
	"slices"

	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/shelf"
	"github.com/signalbox-dev/signalbox/lsp/panel/view"
)

// maxUndone is the largest number of messages that one undo marks as unread again. A change of more
// messages cannot be undone, because all of them would have to stay in memory.
const maxUndone = 10_000

// undo is what is needed to undo a change.
type undo struct {
	number int64
	// put and back are the shelf's entries before the change, and the keys that had none.
	put  map[shelf.Key]shelf.Entry
	back []shelf.Key
	// archived and restored are the threads that their format archived, or took out of its
	// archive.
	archived, restored []panel.Ref
	// unread are the messages that were unread.
	unread []panel.Ref
}

// addEntries adds the shelf's entries of some threads, as they are before the change.
func (u *undo) addEntries(away *panel.Shelf, keys []shelf.Key) {
	u.put = make(map[shelf.Key]shelf.Entry)
	for _, key := range keys {
		if e, ok := away.Entries[key]; ok {
			u.put[key] = e
		} else {
			u.back = append(u.back, key)
		}
	}
}

// addUnread adds the unread messages of threads.
func (u *undo) addUnread(views view.Views, threads []panel.Ref) {
	for _, r := range threads {
		if m, ok := views.Of(r).(panel.Marker); ok && len(u.unread) <= maxUndone {
			u.unread = append(u.unread, m.Unread(r)...)
		}
	}
}

// remember replaces the last change that can be undone. It returns the number for
// [panel.Counts.Undo], or 0 if the change cannot be undone.
func (m *Marks) remember(u *undo) int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.undo = nil
	if len(u.unread) > maxUndone {
		return 0
	}
	m.undos++
	u.number, m.undo = m.undos, u
	return u.number
}

// Undo undoes the user's last change: threads are put away and messages are unread as before. It
// fails with kind NotFound for any other change.
func (m *Marks) Undo(ctx context.Context, q panel.UndoParams) (panel.Counts, error) {
	if err := m.Trusted("undone"); err != nil {
		return panel.Counts{}, err
	}
	m.mu.Lock()
	u := m.undo
	known := u != nil && u.number == q.Undo
	if known {
		m.undo = nil
	}
	m.mu.Unlock()
	if !known {
		return panel.Counts{}, &panel.Error{Kind: panel.NotFound, Message: "it is too late to undo that: something else was done since"}
	}
	if err := m.putAway(ctx, u.put, u.back); err != nil {
		return panel.Counts{}, err
	}
	views := m.ViewsNow(ctx)
	if err := archive(ctx, views, u.archived, false); err != nil {
		return panel.Counts{}, err
	}
	if err := archive(ctx, views, u.restored, true); err != nil {
		return panel.Counts{}, err
	}
	// Archiving has marked mail as read, so the messages are looked up in new views.
	if err := m.ViewsNow(ctx).Each(u.unread, func(v panel.View, own []panel.Ref) error {
		return v.(panel.Marker).SetRead(ctx, own, false, false)
	}); err != nil {
		return panel.Counts{}, err
	}
	m.ShelfChanged()
	return m.Counts(ctx), nil
}

// undo returns what is needed to undo the request.
func (s *shelving) undo() *undo {
	u := &undo{archived: s.archive, restored: s.restore}
	u.addEntries(s.away, append(slices.Collect(maps.Keys(s.put)), s.back...))
	u.addUnread(s.views, s.archive)
	return u
}
