package panel

import (
	"cmp"
	"context"
	"errors"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/needle"
	"github.com/signalbox-dev/signalbox/core/query"
	"github.com/signalbox-dev/signalbox/lsp/store/threads"
)

// agentsBudget bounds the bytes of agents' logs that one search reads.
const agentsBudget = 256 << 20

// keptLine is the length of the longest line that is kept until it is known
// whether it gets on the page.
const keptLine = 16 << 10

// agentHunt searches agents' own threads, the newest first. A message counts as no
// newer than its thread, so that threads that are older than a full page need not
// be read.
type agentHunt struct {
	now   *threads.Snapshot
	query *query.Query
	limit int

	// budget is what is left of the work.
	budget int64

	words []needle.Needle
	hits  []catch
}

func (h *agentHunt) find(ctx context.Context, after *searchPlace) (haul, error) {
	h.words = h.query.Words()
	out := haul{indexing: !h.now.Ready}
	var start *searchThread
	if after != nil {
		start = after.Thread
	}
	for _, it := range h.now.Items {
		at := agentPlace(it)
		from := int64(0)
		if start != nil {
			switch c := start.behind(&at); {
			case c > 0:
				continue
			case c == 0:
				from = start.From
			}
		}
		if len(h.hits) > h.limit && it.Updated < h.hits[h.limit-1].time {
			break // all in it is older than what fills the page
		}
		if h.budget <= 0 {
			h.stop(&out, &searchThread{cursor: at, From: from})
			return out, nil
		}
		if err := ctx.Err(); err != nil {
			return haul{}, err
		}
		if !h.wants(it) {
			continue
		}
		next, err := h.thread(ctx, it, from, after, start)
		if err != nil {
			return haul{}, err
		}
		if next >= 0 {
			h.stop(&out, &searchThread{cursor: at, From: next})
			return out, nil
		}
	}
	h.page(&out)
	return out, nil
}

// stop ends a search at the thread from which it goes on. What was found does not
// wait for what was not looked at.
func (h *agentHunt) stop(out *haul, from *searchThread) {
	if len(h.hits) > h.limit {
		h.page(out)
		return
	}
	out.hits, out.more, out.bounded = h.hits, true, true
	out.next, out.until = searchPlace{Thread: from}, math.MinInt64
}

// page gives the newest hits.
func (h *agentHunt) page(out *haul) {
	out.hits = h.hits
	if len(h.hits) > h.limit {
		out.hits = h.hits[:h.limit]
		last := out.hits[h.limit-1]
		out.more, out.next, out.until = true, last.place, last.time
	}
}

// wants reports whether a thread may hold what is looked for.
func (h *agentHunt) wants(it *threads.Item) bool {
	if !h.query.State(query.State{}) || !h.query.To("") || !h.query.Thread(agentTitle(it), it.Name, it.Thread.ID) {
		return false
	}
	if !h.query.Has(query.In) {
		return true
	}
	f, _ := h.now.Folder(it.Folder)
	return h.query.In(f.Branch, filepath.Base(f.Path), f.ID)
}

// thread looks through one thread's log. next is where to go on in it, or -1.
func (h *agentHunt) thread(ctx context.Context, it *threads.Item, from int64, after *searchPlace, start *searchThread) (next int64, err error) {
	told := []string{agentTitle(it), it.Name, it.Thread.ID}
	// A word that the thread's own texts hold need not be in the line.
	var words []needle.Needle
	name := agentName(it)
	for _, w := range h.words {
		if !slices.ContainsFunc(append(told, name), w.In) {
			words = append(words, w)
		}
	}
	may := func(raw []byte) bool {
		return !slices.ContainsFunc(words, func(w needle.Needle) bool { return !w.MayBeIn(raw) })
	}
	key := it.Name + "/" + it.Folder
	next, read, err := h.now.Search(ctx, it, from, h.budget, may, func(s *threads.Sought) {
		h.line(it, s, told, key, after, start)
	})
	h.budget -= read
	var fault *canon.Fault
	if errors.Is(err, threads.ErrNotFound) || errors.Is(err, threads.ErrRewritten) || errors.As(err, &fault) {
		return -1, nil // it went, or cannot be read, as its page says
	}
	if err != nil {
		return -1, agentFailure(err, "search")
	}
	return next, nil
}

// line takes a message if it fits.
func (h *agentHunt) line(it *threads.Item, s *threads.Sought, told []string, key string, after *searchPlace, start *searchThread) {
	m := &s.Message
	at := it.Updated
	if m.Time.OK {
		at = min(at, m.Time.Millis)
	}
	place := searchPlace{Time: at, Key: key, Offset: s.Offset, Thread: start, Behind: true}
	if after != nil && (after.Thread == nil || after.Behind) && place.compare(after) <= 0 {
		return
	}
	if len(h.hits) > h.limit && place.compare(&h.hits[h.limit].place) > 0 {
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
	hit := SearchHit{
		Message: mail.MessageRef(mail.ATSF, it.Folder, it.Name, s.Cursor), Thread: agentRef(it), Protocol: string(mail.ATSF), Group: it.Folder,
		Title: agentTitle(it), From: from, Time: clampTime(at),
		Trust: Trust{"ok", "the agent's own log", "ATSF has no signatures: this is what stands in the project's folder, whoever wrote it."},
	}
	if m.Time.OK {
		hit.Time = clampTime(m.Time.Millis)
	}
	show := func() SearchHit {
		hit.excerpt(h.words, texts...)
		return hit
	}
	if len(m.Raw) > keptLine {
		shown := show()
		show = func() SearchHit { return shown }
	}
	h.hits = append(h.hits, catch{at, place, show})
	h.trim()
}

// trim keeps the newest hits, in order, and one more to tell that there are more.
func (h *agentHunt) trim() {
	slices.SortFunc(h.hits, func(a, b catch) int { return a.place.compare(&b.place) })
	if len(h.hits) > h.limit {
		h.hits = h.hits[:h.limit+1]
	}
}

// compare is negative for what comes first in a list.
func (p *searchPlace) compare(o *searchPlace) int {
	return cmp.Or(cmp.Compare(o.Time, p.Time), strings.Compare(o.Key, p.Key), cmp.Compare(o.Offset, p.Offset))
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
