package panel

import (
	"context"
	"math"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/query"
	"github.com/signalbox-dev/signalbox/core/render"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
	"github.com/signalbox-dev/signalbox/lsp/store/mailbox"
)

const (
	// lettersBudget is how many bytes of signed mail one search reads at most. Opening
	// a file counts as letterCost bytes.
	lettersBudget = 64 << 20
	letterCost    = 16 << 10
)

// letterHunt searches signed mail.
type letterHunt struct {
	now    *mailNow
	query  *query.Query
	limit  int
	millis int64
	// budget is how many bytes may still be read.
	budget int64
}

func (h *letterHunt) find(ctx context.Context, after *SearchPlace) (Matches, error) {
	var out Matches
	words := h.query.Words()
	out.Indexing = !h.now.Ready && h.now.Path != ""
	for _, s := range h.now.ByTime() {
		m := s.Placed()
		when := m.When()
		if after != nil && (when > after.Time || when == after.Time && m.Key >= after.Key) {
			continue
		}
		if !h.fits(s) {
			continue
		}
		if len(out.Hits) == h.limit || h.budget <= 0 {
			// The search goes on after the last message that was checked.
			out.More, out.Bounded = true, len(out.Hits) < h.limit
			return out, nil
		}
		if err := ctx.Err(); err != nil {
			return Matches{}, err
		}
		text := m.Excerpt
		if h.query.Has(query.Word) && !m.Whole() {
			h.budget -= m.Size + letterCost
			if msg, err := h.now.Read(m.Message); err == nil {
				text = msg.Payload.Text
			}
		}
		place := SearchPlace{Time: when, Key: m.Key}
		out.Next, out.Until = place, when
		if !h.query.Text(m.Subject, text, m.From, s.Thread.ID) {
			continue
		}
		out.Hits = append(out.Hits, Match{when, place, func() SearchHit {
			hit := h.show(s)
			hit.Snippet, hit.Marks = show.Snippet(words, text)
			return hit
		}})
	}
	out.Until = math.MinInt64
	return out, nil
}

// fits reports whether a message matches every part of the query except its text.
func (h *letterHunt) fits(s mailbox.Sought) bool {
	m := s.Placed()
	if !h.query.Time(m.When()) || !h.query.From(m.From) || !h.query.To(m.To) {
		return false
	}
	if h.query.Has(query.Thread) && !h.query.Thread(ampTitle(s.Thread), s.Thread.ID) {
		return false
	}
	if !h.query.Has(query.Is) {
		return true
	}
	n := h.now
	received := n.received(m) != nil
	unread := n.unreadAt(m)
	return h.query.State(query.State{
		Unread: unread, Read: received && !unread, Mine: received || n.own.Addressed(m.From) || n.own.Addressed(m.To) || n.own.Has(m.Mailbox),
	})
}

func (h *letterHunt) show(s mailbox.Sought) SearchHit {
	n := h.now
	placed := s.Placed()
	m := n.own.Shown(placed)
	_, trust := n.judge(m, h.millis)
	title, _ := render.Line(m.Subject, titleChars)
	if title == "" {
		title = ampTitle(s.Thread)
	}
	return SearchHit{
		Message: ampMessageRef(n.ID, m.Key), Thread: mail.ThreadRef(mail.AMP, n.ID, s.Thread.ID), Protocol: string(mail.AMP), Group: mailGroup,
		Title: title, From: n.short(m.From), To: n.short(m.To), Time: clampTime(m.When()), Unread: n.unreadAt(placed), Trust: trust.Trust,
	}
}
