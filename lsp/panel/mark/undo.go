package mark

import (
	"context"
	"maps"
	"slices"

	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/shelf"
	"github.com/signalbox-dev/signalbox/lsp/panel/view"
)

// maxUndone is the largest number of messages that one undo marks as unread again. A
// change of more cannot be undone: the messages would have to be kept.
const maxUndone = 10_000

// done is what takes back what the user did last.
type done struct {
	number int64
	// put and back are the shelf's entries as they were, and the keys that had none.
	put  map[shelf.Key]shelf.Entry
	back []shelf.Key
	// archived and restored are the threads whose format archived them, or took them out
	// of the archive.
	archived, restored []panel.Ref
	// unread are the messages that were unread.
	unread []panel.Ref
}

// held notes the shelf's entries of some threads, as they are before a change.
func (d *done) held(away *panel.Shelf, keys []shelf.Key) {
	d.put = make(map[shelf.Key]shelf.Entry)
	for _, key := range keys {
		if e, ok := away.Entries[key]; ok {
			d.put[key] = e
		} else {
			d.back = append(d.back, key)
		}
	}
}

// unreadIn notes the unread messages of threads.
func (d *done) unreadIn(views view.Views, threads []panel.Ref) {
	for _, r := range threads {
		if m, ok := views.Of(r).(panel.Marker); ok && len(d.unread) <= maxUndone {
			d.unread = append(d.unread, m.Unread(r)...)
		}
	}
}

// remember keeps what takes a change back instead of what took back the one before. It
// returns the number for [panel.Counts.Undo].
func (m *Marks) remember(d *done) int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.done = nil
	if len(d.unread) > maxUndone {
		return 0
	}
	m.undos++
	d.number, m.done = m.undos, d
	return d.number
}

// Undo takes back what the user did last: threads are put away or not, and messages are
// unread, as they were before. It fails with kind NotFound for anything but the last
// change.
func (m *Marks) Undo(ctx context.Context, q panel.UndoParams) (panel.Counts, error) {
	if err := m.Trusted("undone"); err != nil {
		return panel.Counts{}, err
	}
	m.mu.Lock()
	d := m.done
	known := d != nil && d.number == q.Undo
	if known {
		m.done = nil
	}
	m.mu.Unlock()
	if !known {
		return panel.Counts{}, &panel.Error{Kind: panel.NotFound, Message: "it is too late to undo that: something else was done since"}
	}
	if err := m.putAway(ctx, d.put, d.back); err != nil {
		return panel.Counts{}, err
	}
	views := m.ViewsNow(ctx)
	if err := archive(ctx, views, d.archived, false); err != nil {
		return panel.Counts{}, err
	}
	if err := archive(ctx, views, d.restored, true); err != nil {
		return panel.Counts{}, err
	}
	// Mail that was archived is read now, so the messages are looked up anew.
	if err := m.ViewsNow(ctx).Each(d.unread, func(v panel.View, own []panel.Ref) error {
		return v.(panel.Marker).SetRead(ctx, own, false, false)
	}); err != nil {
		return panel.Counts{}, err
	}
	m.ShelfChanged()
	return m.Counts(ctx), nil
}

// undoing returns what takes a request back.
func (s *shelving) undoing() *done {
	d := &done{archived: s.archive, restored: s.restore}
	d.held(s.away, append(slices.Collect(maps.Keys(s.put)), s.back...))
	d.unreadIn(s.views, s.archive)
	return d
}
