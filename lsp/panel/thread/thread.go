// Package thread answers requests for the content of threads: messages, attachments, changes to
// files and images. Start with [Threads].
package thread

import (
	"context"
	"slices"

	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/agents"
	"github.com/signalbox-dev/signalbox/lsp/panel/link"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
)

// Threads answers requests for the content of threads.
type Threads struct{ *agents.Follower }

// Thread returns one page of a thread's messages: the newest messages, the messages before or after
// a cursor, or the messages beside a message. A message's ref stands for its thread.
func (t Threads) Thread(ctx context.Context, q panel.ThreadParams) (panel.ThreadPage, error) {
	_ = t.Settle(ctx) // no session is known before the files were read once
	revision, views := t.Revision(), t.ViewsNow(ctx)
	v := views.Of(q.Ref)
	if v == nil {
		return panel.ThreadPage{}, views.Unserved(q.Ref)
	}
	page, err := pageOf(ctx, v, q)
	if err != nil {
		return panel.ThreadPage{}, err
	}
	page.Related = append(page.Related, link.Related(views, q.Ref.Protocol, page.Names)...)
	if page.Related == nil {
		page.Related = []panel.ThreadLink{}
	}
	if a := page.Thread.Agent; a != nil && a.Session != nil {
		page.Requests = t.Asked(ctx, a.Session)
	}
	page.Revision = revision
	return page.ThreadPage, nil
}

// pageOf returns a page from its source. A request with a side names a message and has no cursor.
func pageOf(ctx context.Context, v panel.View, q panel.ThreadParams) (panel.Page, error) {
	side := q.Side
	q.Side = ""
	if side == "" {
		if q.Before != "" && q.After != "" {
			return panel.Page{}, &panel.Error{Kind: panel.Malformed, Message: "after cannot go with before", Detail: "after"}
		}
		return v.Thread(ctx, q)
	}
	at, ok := v.Cursor(q.Ref)
	if !ok || q.Before != "" || q.After != "" {
		return panel.Page{}, &panel.Error{Kind: panel.Malformed, Message: "a side is one of a message, without a cursor", Detail: "side"}
	}
	switch side {
	case panel.SideBefore:
		q.Before = at
	case panel.SideAfter:
		q.After = at
	case panel.SideAround:
		return pageAround(ctx, v, q, at)
	default:
		return panel.Page{}, &panel.Error{Kind: panel.Malformed, Message: "side is to be one of before, after, around", Detail: "side"}
	}
	return v.Thread(ctx, q)
}

// pageAround returns a page with a message in its middle. If one side has too few
// messages, the message is nearer to that end. The message is always on the page,
// however large the messages are.
func pageAround(ctx context.Context, v panel.View, q panel.ThreadParams, at string) (panel.Page, error) {
	limit := panel.PageSize(q.Limit)
	after := q
	after.After, after.Limit = at, max(1, limit/2)
	later, err := v.Thread(ctx, after)
	if err != nil {
		return panel.Page{}, err
	}
	if len(later.Messages) == 0 {
		return v.Thread(ctx, q) // the message is the newest
	}
	// The page before the next message ends with the message itself.
	next, _ := v.Cursor(later.Messages[0].Ref)
	q.Before, q.Limit = next, max(1, limit-len(later.Messages))
	page, err := v.Thread(ctx, q)
	if err != nil {
		return panel.Page{}, err
	}
	room := show.PageBytes
	for i := range page.Messages {
		room -= page.Messages[i].Size()
	}
	page.After = next
	for i := range later.Messages {
		if room -= later.Messages[i].Size(); room < 0 {
			break
		}
		page.Messages = append(page.Messages, later.Messages[i])
	}
	switch n := len(page.Messages); {
	case n == 0:
	case page.Messages[n-1].Ref == later.Messages[len(later.Messages)-1].Ref:
		page.After = later.After
	default:
		page.After, _ = v.Cursor(page.Messages[n-1].Ref)
	}
	for _, w := range later.Warnings {
		if !slices.Contains(page.Warnings, w) { // both pages may carry the same warning about the thread
			page.Warnings = panel.Some(append(page.Warnings, w), panel.Warning{Rule: w.Rule, Message: "and more"})
		}
	}
	return page, nil
}
