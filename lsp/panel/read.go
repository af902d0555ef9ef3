package panel

import (
	"context"
	"slices"

	"github.com/signalbox-dev/signalbox/lsp/panel/shelf"
)

// SetRead marks messages as read or unread and returns the new counts. A ref to a thread
// stands for all messages of the thread to the user.
func (p *Panels) SetRead(ctx context.Context, q ReadParams) (Counts, error) {
	settings := p.settingsNow()
	if err := p.trusted("marked"); err != nil {
		return Counts{}, err
	}
	if err := p.settled(ctx); err != nil {
		return Counts{}, err
	}
	refs := q.Refs
	if q.Read {
		var err error
		if refs, err = p.seen(ctx, refs); err != nil {
			return Counts{}, err
		}
	}
	move := settings.UpdateWatermark
	if q.UpdateWatermark != nil {
		move = *q.UpdateWatermark
	}
	views := p.viewsNow(ctx)
	for _, r := range refs { // check every ref before any is marked
		if _, ok := viewIn(views, r).(Marker); !ok {
			return Counts{}, unserved(views, r)
		}
	}
	if err := eachView(views, refs, func(v View, own []Ref) error {
		return v.(Marker).SetRead(ctx, own, q.Read, move)
	}); err != nil {
		return Counts{}, err
	}
	return p.counts(ctx), nil
}

// Archive archives threads or messages of signed mail in the user's own inbox, or takes
// them out of the archive. It returns the new counts.
func (p *Panels) Archive(ctx context.Context, q ArchiveParams) (Counts, error) {
	if err := p.trusted("marked"); err != nil {
		return Counts{}, err
	}
	views := p.viewsNow(ctx)
	for _, r := range q.Refs { // check every ref before any is archived
		if _, ok := viewIn(views, r).(Archiver); !ok {
			return Counts{}, &Error{Kind: Unsupported, Message: "only signed mail can be archived"}
		}
	}
	if err := archive(ctx, views, q.Refs, q.Archived); err != nil {
		return Counts{}, err
	}
	return p.counts(ctx), nil
}

// archive archives messages, or takes them out of the archive. The views of all refs
// must be Archivers.
func archive(ctx context.Context, views []view, refs []Ref, archived bool) error {
	return eachView(views, refs, func(v View, own []Ref) error { return v.(Archiver).Archive(ctx, own, archived) })
}

// MarkMatching marks all threads that match a filter as read, however many there are.
// It lists all of them before it marks any, because marking changes which threads a
// page holds.
func (p *Panels) MarkMatching(ctx context.Context, q MarkParams) (Marked, error) {
	unread, returned, err := p.unreadMatching(ctx, q.Filter)
	if err != nil {
		return Marked{}, err
	}
	taken := p.undoMarking(ctx, unread, returned)
	// SetRead comes first, since it refuses a workspace that is not trusted.
	counts, err := p.SetRead(ctx, ReadParams{Refs: unread, Read: true, UpdateWatermark: q.UpdateWatermark})
	if err == nil && len(returned) > 0 {
		if _, err = p.seen(ctx, returned); err == nil {
			p.shelfChanged()
			counts = p.counts(ctx)
		}
	}
	if err == nil && len(unread)+len(returned) > 0 {
		counts.Undo = p.remember(taken)
	}
	return Marked{Counts: counts, Threads: len(unread) + len(returned)}, err
}

// undoMarking returns what takes back that threads are marked as read: their unread
// messages, and that some of them are back from being snoozed.
func (p *Panels) undoMarking(ctx context.Context, unread, returned []Ref) *done {
	away := p.shelfNow()
	views, d := p.views(ctx, away), &done{}
	d.unreadIn(views, unread)
	var keys []shelf.Key
	for _, r := range slices.Concat(unread, returned) {
		if key, _, err := viewIn(views, r).ShelfKey(r); err == nil && away.Entries[key].Until != 0 {
			keys = append(keys, key)
		}
	}
	d.held(away, keys)
	return d
}

// unreadMatching returns the threads that match a filter: first those with unread
// messages, then those without, which are only back from being snoozed. It returns no
// messages that may be forged.
func (p *Panels) unreadMatching(ctx context.Context, f InboxFilter) (unread, returned []Ref, err error) {
	if err := p.settled(ctx); err != nil || f.Suspicious {
		return nil, nil, err // records that may be forged cannot be marked
	}
	f.Unread = true
	for q := (InboxParams{Filter: f, Limit: MaxPage}); ; {
		var page InboxPage
		if err := p.inboxNow(ctx).list(&page, &q); err != nil {
			return nil, nil, err
		}
		for _, t := range page.Threads {
			if t.Unread > 0 {
				unread = append(unread, t.Ref)
			} else {
				returned = append(returned, t.Ref)
			}
		}
		if q.Cursor = page.NextCursor; q.Cursor == "" {
			return unread, returned, nil
		}
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
	}
}
