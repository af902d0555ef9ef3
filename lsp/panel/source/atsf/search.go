package atsf

import (
	"cmp"
	"context"
	"errors"
	"math"
	"path/filepath"
	"slices"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/needle"
	"github.com/signalbox-dev/signalbox/core/query"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
	"github.com/signalbox-dev/signalbox/lsp/store/threads"
)

// searchBudget is how many bytes of agents' logs one search reads at most.
const searchBudget = 256 << 20

// keptLine is the length of the longest line that is kept in memory until the page is
// full.
const keptLine = 16 << 10

// Searches returns one search of all folders.
func (v *view) Searches(q *query.Query, limit int) []panel.Search {
	if q.Suspicious() {
		return nil // no message of an agent's thread is suspicious
	}
	h := search{in: v.Snapshot, query: q, limit: limit, budget: searchBudget}
	return []panel.Search{{Name: "atsf", Find: h.find}}
}

// search searches agents' own threads, newest first. It takes a message as no newer
// than its thread, so that it need not read threads older than a full page.
type search struct {
	in    *threads.Snapshot
	query *query.Query
	limit int

	// budget is how many bytes may still be read.
	budget int64

	words []needle.Needle
	hits  []panel.Match
}

func (h *search) find(ctx context.Context, after *panel.SearchPlace) (panel.Matches, error) {
	h.words = h.query.Words()
	out := panel.Matches{Indexing: !h.in.Ready}
	var start *panel.SearchThread
	if after != nil {
		start = after.Thread
	}
	for _, it := range h.in.Items {
		at := panel.Head{At: panel.AtMillis(it.Updated), Name: it.Name, Store: it.Folder}
		from := int64(0)
		if start != nil {
			switch c := start.Newest(&at); {
			case c > 0:
				continue
			case c == 0:
				from = start.From
			}
		}
		if len(h.hits) > h.limit && it.Updated < h.hits[h.limit-1].Time {
			break // all its messages are older than a full page
		}
		if h.budget <= 0 {
			h.stop(&out, &panel.SearchThread{Head: at, From: from})
			return out, nil
		}
		if err := ctx.Err(); err != nil {
			return panel.Matches{}, err
		}
		if !h.wants(it) {
			continue
		}
		next, err := h.thread(ctx, it, from, after, start)
		if err != nil {
			return panel.Matches{}, err
		}
		if next >= 0 {
			h.stop(&out, &panel.SearchThread{Head: at, From: next})
			return out, nil
		}
	}
	h.page(&out)
	return out, nil
}

// stop ends a search that reached its budget; from is the thread at which it goes on.
// The hits so far are returned at once, although threads that were not searched may
// hold newer ones.
func (h *search) stop(out *panel.Matches, from *panel.SearchThread) {
	if len(h.hits) > h.limit {
		h.page(out)
		return
	}
	out.Hits, out.More, out.Bounded = h.hits, true, true
	out.Next, out.Until = panel.SearchPlace{Thread: from}, math.MinInt64
}

// page sets out to the newest hits, at most h.limit, and the place after them.
func (h *search) page(out *panel.Matches) {
	out.Hits = h.hits
	if len(h.hits) > h.limit {
		out.Hits = h.hits[:h.limit]
		last := out.Hits[h.limit-1]
		out.More, out.Next, out.Until = true, last.Place, last.Time
	}
}

// wants reports whether a thread may hold a match.
func (h *search) wants(it *threads.Item) bool {
	if !h.query.State(query.State{}) || !h.query.To("") || !h.query.Thread(title(it), it.Name, it.Thread.ID) {
		return false
	}
	if !h.query.Has(query.In) {
		return true
	}
	f, _ := h.in.Folder(it.Folder)
	return h.query.In(f.Branch, filepath.Base(f.Path), f.ID)
}

// thread searches one thread's log. next is the offset to go on at, or -1 if the log is
// done.
func (h *search) thread(ctx context.Context, it *threads.Item, from int64, after *panel.SearchPlace, start *panel.SearchThread) (next int64, err error) {
	told := []string{title(it), it.Name, it.Thread.ID}
	// A line need not hold a word that the thread's title, name, id or agent holds.
	var words []needle.Needle
	name := agent(it)
	for _, w := range h.words {
		if !slices.ContainsFunc(append(told, name), w.In) {
			words = append(words, w)
		}
	}
	may := func(raw []byte) bool {
		return !slices.ContainsFunc(words, func(w needle.Needle) bool { return !w.MayBeIn(raw) })
	}
	key := it.Name + "/" + it.Folder
	next, read, err := h.in.Search(ctx, it, from, h.budget, may, func(s *threads.Sought) {
		h.line(it, s, told, key, after, start)
	})
	h.budget -= read
	var fault *canon.Fault
	if errors.Is(err, threads.ErrNotFound) || errors.Is(err, threads.ErrRewritten) || errors.As(err, &fault) {
		return -1, nil // the thread is gone or cannot be read; its page says so
	}
	if err != nil {
		return -1, failure(err, "search")
	}
	return next, nil
}

// line adds a message to the hits if it matches.
func (h *search) line(it *threads.Item, s *threads.Sought, told []string, key string, after *panel.SearchPlace, start *panel.SearchThread) {
	m := &s.Message
	at := it.Updated
	if m.Time.OK {
		at = min(at, m.Time.Millis)
	}
	place := panel.SearchPlace{Time: at, Key: key, Offset: s.Offset, Thread: start, Behind: true}
	if after != nil && (after.Thread == nil || after.Behind) && place.Compare(after) <= 0 {
		return
	}
	if len(h.hits) > h.limit && place.Compare(&h.hits[h.limit].Place) > 0 {
		return
	}
	from := speaker(it, m)
	if !h.query.From(from) || !h.query.Time(cmp.Or(m.Time.Millis, it.Updated)) {
		return
	}
	texts := turnTexts(m)
	if h.query.Has(query.Word) && !h.query.Text(append(append([]string{from}, told...), texts...)...) {
		return
	}
	hit := panel.SearchHit{
		Message: mail.MessageRef(mail.ATSF, it.Folder, it.Name, s.Cursor), Thread: threadRef(it), Protocol: string(mail.ATSF), Group: it.Folder,
		Title: title(it), From: from, Time: show.Time(at),
		Trust: ownLog,
	}
	if m.Time.OK {
		hit.Time = show.Time(m.Time.Millis)
	}
	describe := func() panel.SearchHit {
		hit.Snippet, hit.Marks = show.Snippet(h.words, texts...)
		return hit
	}
	if len(m.Raw) > keptLine {
		described := describe()
		describe = func() panel.SearchHit { return described }
	}
	h.hits = append(h.hits, panel.Match{Time: at, Place: place, Show: describe})
	h.trim()
}

// trim sorts the hits and keeps the newest ones: h.limit and one more, which shows that
// there are more.
func (h *search) trim() {
	slices.SortFunc(h.hits, func(a, b panel.Match) int { return a.Place.Compare(&b.Place) })
	if len(h.hits) > h.limit {
		h.hits = h.hits[:h.limit+1]
	}
}

// turnTexts returns the texts of a message and of its tool calls.
func turnTexts(m *atsf.Message) []string {
	var list []string
	for i := range m.Content {
		if b := &m.Content[i]; b.Text != "" {
			list = append(list, b.Text)
		}
	}
	for i := range m.Tools {
		t := &m.Tools[i]
		list = append(list, t.Title, t.Name, t.Input, t.Output)
	}
	return list
}
