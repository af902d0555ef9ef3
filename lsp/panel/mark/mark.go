// Package mark marks threads as read, archived, snoozed or needing no reply, and undoes that. Start
// with [New].
package mark

import (
	"context"
	"slices"
	"sync"

	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/list"
	"github.com/signalbox-dev/signalbox/lsp/panel/shelf"
	"github.com/signalbox-dev/signalbox/lsp/panel/view"
)

// Marks answers requests that mark threads: as read, archived or snoozed.
type Marks struct {
	*view.Sources

	mu    sync.Mutex // guards everything below
	undo  *undo      // of the user's last change
	undos int64      // how many changes could be undone so far
}

// New returns marks without a change to undo.
func New(s *view.Sources) *Marks { return &Marks{Sources: s} }

// SetRead marks messages as read or unread and returns the new counts. A ref to a thread
// stands for all messages of the thread to the user.
func (m *Marks) SetRead(ctx context.Context, q panel.ReadParams) (panel.Counts, error) {
	if err := m.Trusted("marked"); err != nil {
		return panel.Counts{}, err
	}
	if err := m.Settled(ctx); err != nil {
		return panel.Counts{}, err
	}
	refs := q.Refs
	if q.Read {
		var err error
		if refs, err = m.looked(ctx, refs); err != nil {
			return panel.Counts{}, err
		}
	}
	watermark := m.Configured().Settings.UpdateWatermark
	if q.UpdateWatermark != nil {
		watermark = *q.UpdateWatermark
	}
	views := m.ViewsNow(ctx)
	for _, r := range refs { // check every ref before any is marked
		if _, ok := views.Of(r).(panel.Marker); !ok {
			return panel.Counts{}, views.Unserved(r)
		}
	}
	if err := views.Each(refs, func(v panel.View, own []panel.Ref) error {
		return v.(panel.Marker).SetRead(ctx, own, q.Read, watermark)
	}); err != nil {
		return panel.Counts{}, err
	}
	return m.Counts(ctx), nil
}

// Archive archives threads or messages of signed mail in the user's own inbox, or takes
// them out of the archive. It returns the new counts.
func (m *Marks) Archive(ctx context.Context, q panel.ArchiveParams) (panel.Counts, error) {
	if err := m.Trusted("marked"); err != nil {
		return panel.Counts{}, err
	}
	views := m.ViewsNow(ctx)
	for _, r := range q.Refs { // check every ref before any is archived
		if _, ok := views.Of(r).(panel.Archiver); !ok {
			return panel.Counts{}, &panel.Error{Kind: panel.Unsupported, Message: "only signed mail can be archived"}
		}
	}
	if err := archive(ctx, views, q.Refs, q.Archived); err != nil {
		return panel.Counts{}, err
	}
	return m.Counts(ctx), nil
}

// archive archives messages, or takes them out of the archive. The views of all refs
// must be Archivers.
func archive(ctx context.Context, views view.Views, refs []panel.Ref, archived bool) error {
	return views.Each(refs, func(v panel.View, own []panel.Ref) error { return v.(panel.Archiver).Archive(ctx, own, archived) })
}

// MarkMatching marks all threads that match a filter as read, however many there are.
// It lists all of them before it marks any, because marking changes which threads a
// page holds.
func (m *Marks) MarkMatching(ctx context.Context, q panel.MarkParams) (panel.Marked, error) {
	unread, returned, err := m.unreadMatching(ctx, q.Filter)
	if err != nil {
		return panel.Marked{}, err
	}
	undo := m.undoMarking(ctx, unread, returned)
	// SetRead comes first, since it refuses a workspace that is not trusted.
	counts, err := m.SetRead(ctx, panel.ReadParams{Refs: unread, Read: true, UpdateWatermark: q.UpdateWatermark})
	if err == nil && len(returned) > 0 {
		if _, err = m.looked(ctx, returned); err == nil {
			m.ShelfChanged()
			counts = m.Counts(ctx)
		}
	}
	if err == nil && len(unread)+len(returned) > 0 {
		counts.Undo = m.remember(undo)
	}
	return panel.Marked{Counts: counts, Threads: len(unread) + len(returned)}, err
}

// undoMarking returns what is needed to undo marking threads as read: their unread messages, and
// the entries of threads that are back from being snoozed.
func (m *Marks) undoMarking(ctx context.Context, unread, returned []panel.Ref) *undo {
	away := m.Shelf()
	views, u := m.Views(ctx, away), &undo{}
	u.addUnread(views, unread)
	var keys []shelf.Key
	for _, r := range slices.Concat(unread, returned) {
		if key, _, err := views.Of(r).ShelfKey(r); err == nil && away.Entries[key].Until != 0 {
			keys = append(keys, key)
		}
	}
	u.addEntries(away, keys)
	return u
}

// unreadMatching returns the threads that match a filter and have unread messages, and the threads
// that have none but are back from being snoozed. It returns no messages that may be forged.
func (m *Marks) unreadMatching(ctx context.Context, f panel.InboxFilter) (unread, returned []panel.Ref, err error) {
	if err := m.Settled(ctx); err != nil || f.Suspicious {
		return nil, nil, err // records that may be forged cannot be marked
	}
	f.Unread = true
	for q := (panel.InboxParams{Filter: f, Limit: panel.MaxPage}); ; {
		threads, next, err := list.Threads(m.Look(ctx), &q)
		if err != nil {
			return nil, nil, err
		}
		for _, t := range threads {
			if t.Unread > 0 {
				unread = append(unread, t.Ref)
			} else {
				returned = append(returned, t.Ref)
			}
		}
		if q.Cursor = next; q.Cursor == "" {
			return unread, returned, nil
		}
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
	}
}
