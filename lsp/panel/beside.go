package panel

import (
	"context"
	"slices"

	"github.com/signalbox-dev/signalbox/lsp/panel/show"
)

// cursorOf returns the cursor of the message that a ref names. Pages before and after
// the message start at this cursor.
func (p *Panels) cursorOf(ctx context.Context, r Ref) (string, bool) {
	if v := p.viewOf(ctx, r); v != nil {
		return v.Cursor(r)
	}
	return "", false
}

// beside returns the page before, after or around a message. The ref has to name a
// message, and the params must not have a cursor.
func (p *Panels) beside(ctx context.Context, q ThreadParams) (ThreadPage, error) {
	if p.viewOf(ctx, q.Ref) == nil {
		return ThreadPage{}, p.unserved(q.Ref)
	}
	at, ok := p.cursorOf(ctx, q.Ref)
	if !ok || q.Before != "" || q.After != "" {
		return ThreadPage{}, &Error{Kind: Malformed, Message: "a side is one of a message, without a cursor", Detail: "side"}
	}
	page := ThreadParams{Ref: q.Ref, Limit: q.Limit}
	switch q.Side {
	case SideBefore:
		page.Before = at
	case SideAfter:
		page.After = at
	case SideAround:
		return p.pageAround(ctx, page, at)
	default:
		return ThreadPage{}, &Error{Kind: Malformed, Message: "the side is none that there is", Detail: "side"}
	}
	return p.Thread(ctx, page)
}

// pageAround returns a page with a message in its middle. If one side has too few
// messages, the message stands nearer to that end. The message is always on the page,
// however large the messages are.
func (p *Panels) pageAround(ctx context.Context, q ThreadParams, at string) (ThreadPage, error) {
	limit := PageSize(q.Limit)
	later, err := p.Thread(ctx, ThreadParams{Ref: q.Ref, After: at, Limit: max(1, limit/2)})
	if err != nil {
		return ThreadPage{}, err
	}
	if len(later.Messages) == 0 {
		return p.Thread(ctx, q) // the message is the newest
	}
	// The page before the next message ends with the message itself.
	next, _ := p.cursorOf(ctx, later.Messages[0].Ref)
	page, err := p.Thread(ctx, ThreadParams{Ref: q.Ref, Before: next, Limit: max(1, limit-len(later.Messages))})
	if err != nil {
		return ThreadPage{}, err
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
		page.After, _ = p.cursorOf(ctx, page.Messages[n-1].Ref)
	}
	for _, w := range later.Warnings {
		if !slices.Contains(page.Warnings, w) { // both pages may carry the same warning about the thread
			page.Warnings = Some(append(page.Warnings, w), Warning{Rule: w.Rule, Message: "and more"})
		}
	}
	return page, nil
}

// Size returns about how many bytes a message takes in a frame. It works for messages
// of every format.
func (m *MessageItem) Size() int {
	n := 4096 + len(m.HTML) + len(m.Text)
	if m.Amp != nil {
		n += 2 * len(m.Amp.Context)
	}
	if m.Turn == nil {
		return n
	}
	n += len(m.Text)
	for i := range m.Turn.Parts {
		n += 256 + 2*len(m.Turn.Parts[i].HTML)
		if tool := m.Turn.Parts[i].Tool; tool != nil {
			n += 256 + 2*len(tool.Input) + 2*len(tool.Output)
		}
	}
	return n
}
