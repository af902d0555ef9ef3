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

// searchBudget bounds the bytes of agents' logs that one search reads.
const searchBudget = 256 << 20

// keptLine is the length of the longest line that is kept until it is known
// whether it gets on the page.
const keptLine = 16 << 10

// Searches is one search of all folders.
func (v *view) Searches(q *query.Query, limit int) []panel.Search {
	if q.Suspicious() {
		return nil // it has no sender that a place contradicts
	}
	h := search{in: v.Snapshot, query: q, limit: limit, budget: searchBudget}
	return []panel.Search{{Name: "atsf", Find: h.find}}
}

// search searches agents' own threads, the newest first. A message counts as no
// newer than its thread, so that threads that are older than a full page need not
// be read.
type search struct {
	in    *threads.Snapshot
	query *query.Query
	limit int

	// budget is what is left of the work.
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
			break // all in it is older than what fills the page
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

// stop ends a search at the thread from which it goes on. What was found does not
// wait for what was not looked at.
func (h *search) stop(out *panel.Matches, from *panel.SearchThread) {
	if len(h.hits) > h.limit {
		h.page(out)
		return
	}
	out.Hits, out.More, out.Bounded = h.hits, true, true
	out.Next, out.Until = panel.SearchPlace{Thread: from}, math.MinInt64
}

// page gives the newest hits.
func (h *search) page(out *panel.Matches) {
	out.Hits = h.hits
	if len(h.hits) > h.limit {
		out.Hits = h.hits[:h.limit]
		last := out.Hits[h.limit-1]
		out.More, out.Next, out.Until = true, last.Place, last.Time
	}
}

// wants reports whether a thread may hold what is looked for.
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

// thread looks through one thread's log. next is where to go on in it, or -1.
func (h *search) thread(ctx context.Context, it *threads.Item, from int64, after *panel.SearchPlace, start *panel.SearchThread) (next int64, err error) {
	told := []string{title(it), it.Name, it.Thread.ID}
	// A word that the thread's own texts hold need not be in the line.
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
		return -1, nil // it went, or cannot be read, as its page says
	}
	if err != nil {
		return -1, failure(err, "search")
	}
	return next, nil
}

// line takes a message if it fits.
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

// trim keeps the newest hits, in order, and one more to tell that there are more.
func (h *search) trim() {
	slices.SortFunc(h.hits, func(a, b panel.Match) int { return a.Place.Compare(&b.Place) })
	if len(h.hits) > h.limit {
		h.hits = h.hits[:h.limit+1]
	}
}

// turnTexts gives what a message of a conversation says.
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
