package source

import (
	"cmp"
	"context"
	"encoding/json"
	"iter"
	"math"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/query"
	"github.com/signalbox-dev/signalbox/core/render"
	ampstore "github.com/signalbox-dev/signalbox/lsp/amp"
	"github.com/signalbox-dev/signalbox/lsp/disk/tree"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/place"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
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
		return nil // signed mail is never suspicious: its place cannot contradict its sender
	}
	return []panel.Search{{Name: "amp/" + v.ID, Find: func(ctx context.Context, after *panel.SearchPlace) (panel.Matches, error) {
		h := search{view: v, query: q, limit: limit, budget: searchBudget}
		return h.find(ctx, after)
	}}}
}

type search struct {
	*view
	query  *query.Query
	limit  int
	budget int64
}

func (h *search) find(ctx context.Context, after *panel.SearchPlace) (panel.Matches, error) {
	var out panel.Matches
	words := h.query.Words()
	out.Indexing = !h.Ready && h.Path != ""
	for s := range h.byTime(after) {
		m := s.Placed()
		if !h.matches(s) {
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
		place := placeOf(s)
		out.Next, out.Until = place, place.Time
		if !h.query.Text(m.Subject, text, m.From, s.Thread.ID) {
			continue
		}
		out.Hits = append(out.Hits, panel.Match{Time: place.Time, Place: place, Show: func() panel.SearchHit {
			hit := h.show(s)
			hit.Before, hit.Snippet, hit.After, hit.Marks = show.Snippet(words, text)
			return hit
		}})
	}
	out.Until = math.MinInt64
	return out, nil
}

// placeOf identifies the message at which a search or a list of references stops.
func placeOf(s ampstore.Located) panel.SearchPlace {
	return panel.SearchPlace{Time: s.Placed().When(), Key: s.Placed().Key}
}

// byTime yields every message once, or only those after a place: newest first, and in
// descending order of keys at one time.
func (v *view) byTime(after *panel.SearchPlace) iter.Seq[ampstore.Located] {
	compare := func(a, b panel.SearchPlace) int {
		return cmp.Or(cmp.Compare(b.Time, a.Time), strings.Compare(b.Key, a.Key))
	}
	list := make([]ampstore.Located, 0, v.Messages)
	for _, t := range v.Threads {
		for i := range t.Messages {
			if s := (ampstore.Located{Thread: t, At: i}); after == nil || compare(*after, placeOf(s)) < 0 {
				list = append(list, s)
			}
		}
	}
	slices.SortStableFunc(list, func(a, b ampstore.Located) int { return compare(placeOf(a), placeOf(b)) })
	return slices.Values(list)
}

func (h *search) matches(s ampstore.Located) bool {
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

func (h *search) show(s ampstore.Located) panel.SearchHit {
	placed := s.Placed()
	m := h.own.Shown(placed)
	trust := h.trust(m)
	return panel.SearchHit{
		Message: messageRef(h.ID, m.Key), Thread: mail.ThreadRef(mail.AMP, h.ID, s.Thread.ID), Protocol: string(mail.AMP), Group: panel.MailGroup,
		Title: title(s.Thread), Name: show.LinkName(s.Thread.ID), From: h.short(m.From), To: h.short(m.To), Time: show.Time(m.When()), Unread: h.unreadAt(placed), Trust: trust.shown(),
	}
}

// filesRead is the largest number of files that one call reads. The index has the whole
// text of most messages and the beginning of the others.
const filesRead = 2000

// References returns the messages that reply to the token or hold it in their text,
// newest first.
func (v *view) References(ctx context.Context, q *panel.ReferenceQuery) (found panel.ReferenceList, err error) {
	var after *panel.SearchPlace
	if q.Place != "" && json.Unmarshal([]byte(q.Place), &after) != nil {
		return found, &panel.Error{Kind: panel.Malformed, Message: "the cursor is not one that a page gave", Detail: "cursor"}
	}
	read := 0
	for s := range v.byTime(after) {
		if err := ctx.Err(); err != nil {
			return found, err
		}
		m := v.own.Shown(s.Placed())
		replies := m.InReplyTo != "" && amp.NormalizeID(m.InReplyTo) == amp.NormalizeID(q.Token)
		if m.Whole() && !replies && len(q.Word.InText(m.Subject+"\n"+m.Excerpt, 1)) == 0 {
			continue
		}
		data, err := tree.ReadFile(v.Path, m.Key, amp.MaxStored)
		if _, _, mentions := q.Word.In(data, "id", "thread_id"); err == nil && (mentions || replies) {
			title, _ := render.Line(m.Subject, 160)
			found.References = append(found.References, panel.Reference{
				Place:   place.InText(place.Join(v.Path, m.Key), data, q.Token, "id", "thread_id"),
				Message: messageRef(v.ID, m.Key), Thread: mail.ThreadRef(mail.AMP, v.ID, s.Thread.ID),
				Title: title, From: show.Line(m.From), Time: show.Time(m.When()),
			})
		}
		if read++; len(found.References) >= q.Limit || read >= filesRead {
			place, err := json.Marshal(placeOf(s))
			found.Next = string(place)
			return found, err
		}
	}
	return found, nil
}
