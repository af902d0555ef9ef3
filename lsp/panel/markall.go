package panel

import "context"

// MarkParams are the params of signalbox/read/all. UpdateWatermark absent means as
// the settings say.
type MarkParams struct {
	Filter          InboxFilter `json:"filter,omitzero"`
	UpdateWatermark *bool       `json:"updateWatermark,omitempty"`
}

// Marked is the result of signalbox/read/all: what is left over all stores, and how
// many threads were marked as read.
type Marked struct {
	Counts
	Threads int `json:"threads"`
}

// MarkMatching marks all threads that match a filter as read, however many there are.
// It lists all of them before it marks any, because marking changes which threads a
// page holds.
func (p *Panels) MarkMatching(ctx context.Context, q MarkParams) (Marked, error) {
	unread, returned, err := p.unreadMatching(ctx, q.Filter)
	if err != nil {
		return Marked{}, err
	}
	// SetRead comes first, since it refuses a workspace that is not trusted.
	counts, err := p.SetRead(ctx, ReadParams{Refs: unread, Read: true, UpdateWatermark: q.UpdateWatermark})
	if err == nil && len(returned) > 0 {
		if _, err = p.seen(ctx, returned); err == nil {
			p.shelfChanged()
			counts = p.counts(ctx)
		}
	}
	return Marked{Counts: counts, Threads: len(unread) + len(returned)}, err
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
		page, err := p.Inbox(ctx, q)
		if err != nil {
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
