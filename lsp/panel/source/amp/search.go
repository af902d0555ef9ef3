package amp

import (
	"context"
	"math"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/query"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
	"github.com/signalbox-dev/signalbox/lsp/store/mailbox"
)

const (
	// searchBudget is how many bytes one search reads at most. Opening a file counts as
	// openCost bytes.
	searchBudget = 64 << 20
	openCost     = 16 << 10
)

// Searches returns the search of the mailboxes.
func (v *view) Searches(q *query.Query, limit int) []panel.Search {
	if q.Suspicious() {
		return nil // no signed mail is suspicious: a place cannot contradict its sender
	}
	return []panel.Search{{Name: "amp/" + v.ID, Find: func(ctx context.Context, after *panel.SearchPlace) (panel.Matches, error) {
		h := search{view: v, query: q, limit: limit, budget: searchBudget}
		return h.find(ctx, after)
	}}}
}

type search struct {
	*view
	query *query.Query
	limit int
	// budget is how many bytes may still be read.
	budget int64
}

func (h *search) find(ctx context.Context, after *panel.SearchPlace) (panel.Matches, error) {
	var out panel.Matches
	words := h.query.Words()
	out.Indexing = !h.Ready && h.Path != ""
	for _, s := range h.ByTime() {
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
			return panel.Matches{}, err
		}
		text := m.Excerpt
		if h.query.Has(query.Word) && !m.Whole() {
			h.budget -= m.Size + openCost
			if msg, err := h.Read(m.Message); err == nil {
				text = msg.Payload.Text
			}
		}
		place := panel.SearchPlace{Time: when, Key: m.Key}
		out.Next, out.Until = place, when
		if !h.query.Text(m.Subject, text, m.From, s.Thread.ID) {
			continue
		}
		out.Hits = append(out.Hits, panel.Match{Time: when, Place: place, Show: func() panel.SearchHit {
			hit := h.show(s)
			hit.Before, hit.Snippet, hit.After, hit.Marks = show.Snippet(words, text)
			return hit
		}})
	}
	out.Until = math.MinInt64
	return out, nil
}

// fits reports whether a message matches every part of the query except its text.
func (h *search) fits(s mailbox.Sought) bool {
	m := s.Placed()
	if !h.query.Time(m.When()) || !h.query.From(m.From) || !h.query.To(m.To) {
		return false
	}
	if h.query.Has(query.Thread) || h.query.Has(query.In) {
		name, id := title(s.Thread), s.Thread.ID
		if !h.query.Thread(name, id) || !h.query.In(panel.MailGroup, name, id) {
			return false
		}
	}
	if !h.query.Has(query.Is) {
		return true
	}
	received := h.received(m) != nil
	unread := h.unreadAt(m)
	return h.query.State(query.State{
		Unread: unread, Read: received && !unread, Mine: received || h.own.Addressed(m.From) || h.own.Addressed(m.To) || h.own.Has(m.Mailbox),
	})
}

func (h *search) show(s mailbox.Sought) panel.SearchHit {
	placed := s.Placed()
	m := h.own.Shown(placed)
	_, trust := h.judge(m)
	return panel.SearchHit{
		Message: messageRef(h.ID, m.Key), Thread: mail.ThreadRef(mail.AMP, h.ID, s.Thread.ID), Protocol: string(mail.AMP), Group: panel.MailGroup,
		Title: title(s.Thread), Name: show.LinkName(s.Thread.ID), From: h.short(m.From), To: h.short(m.To), Time: show.Time(m.When()), Unread: h.unreadAt(placed), Trust: trust.Trust,
	}
}
