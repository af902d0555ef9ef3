package turns

import (
	"cmp"
	"context"
	"math"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/needle"
	"github.com/signalbox-dev/signalbox/core/query"
	atsfstore "github.com/signalbox-dev/signalbox/lsp/atsf"
	"github.com/signalbox-dev/signalbox/lsp/disk/parallel"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
)

// SearchBudget is how many bytes of agents' logs one search of a format reads at most.
const SearchBudget = 256 << 20

// keptLine is the length of the longest line kept in memory until the page is complete.
const keptLine = 16 << 10

// Conversation is an agent's own conversation that can be searched.
type Conversation interface {
	// Head returns its place among all conversations, newest first. A message counts as no newer
	// than its conversation, so conversations older than a full page need not be read.
	Head() panel.Head
	// Ref returns the thread's ref, and Line the ref of the message with a cursor.
	Ref() panel.Ref
	Line(cursor string) panel.Ref
	Group() string
	Title() string
	// Size returns the approximate size of its log in bytes.
	Size() int64
	// Folder returns the folder that its relative paths are based on.
	Folder() string
	// Names returns further names of it, Places its branches, folders and agent, and Clients the
	// names of its agent's program.
	Names() []string
	Places() []string
	Clients() []string
	// Speaker returns the author of a message and the author's other names, or those of the agent
	// if m is nil.
	Speaker(m *atsf.Message) []string
	// Read calls found with the messages from an offset on whose bytes may contain all words, some
	// of them twice. It may begin with the newest, and stop when found returns false. It reads
	// about most bytes, and returns how many it read and the offset to continue at, or -1 if there
	// are no more.
	Read(ctx context.Context, from, most int64, words []needle.Needle, found func(*atsfstore.Hit) (more bool)) (next, read int64, err error)
}

// Search searches conversations, newest first.
type Search struct {
	Conversations []Conversation
	Indexing      bool
	Query         *query.Query
	Limit         int
	Trust         panel.Trust
	// Gone reports whether an error means that there is nothing to search. The conversation's page
	// shows such errors.
	Gone func(error) bool

	// Budget is how many bytes are read at most. After a search it is what is left.
	Budget int64

	onPart func(panel.Matches) // the callback of [panel.Search.Follow], or nil
	words  []needle.Needle
	hits   []panel.Match
	// bound is a time before which no hit can be on the page.
	bound int64
}

// Panel returns the search under a name. Each part may read the whole budget.
func (h *Search) Panel(name string) panel.Search {
	return panel.Search{Name: name, Find: func(ctx context.Context, after *panel.SearchPlace) (panel.Matches, error) {
		part := *h
		return part.Find(ctx, after)
	}, Follow: func(ctx context.Context, after *panel.SearchPlace, so func(panel.Matches)) (panel.Matches, error) {
		part := *h
		part.onPart, part.Budget = so, math.MaxInt64
		return part.Find(ctx, after)
	}}
}

// Find runs one part of a [panel.Search].
func (h *Search) Find(ctx context.Context, after *panel.SearchPlace) (panel.Matches, error) {
	h.words = h.Query.Words()
	out := panel.Matches{Indexing: h.Indexing}
	var start *panel.SearchThread
	if after != nil {
		start = after.Thread
	}
	for i := 0; i < len(h.Conversations); {
		it := h.Conversations[i]
		at := it.Head()
		if h.onPart != nil && len(h.hits) > 0 {
			h.onPart(panel.Matches{Hits: h.hits[:min(h.Limit, len(h.hits))], More: true, Until: millis(&at) + 1})
		}
		from := int64(0)
		if start != nil {
			switch c := start.Newest(&at); {
			case c > 0:
				i++
				continue
			case c == 0:
				from = start.From
			}
		}
		if h.full(it) {
			break // all its messages are older than a full page
		}
		if h.Budget <= 0 {
			h.stop(&out, &panel.SearchThread{Head: at, From: from})
			return out, nil
		}
		if err := ctx.Err(); err != nil {
			return panel.Matches{}, err
		}
		if from == 0 {
			if n := h.batchSize(h.Conversations[i:], i > 0); n > 1 {
				if err := h.searchParallel(ctx, h.Conversations[i:i+n], after, start); err != nil {
					return panel.Matches{}, err
				}
				i += n
				continue
			}
		}
		i++
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

// full reports whether the page is full of messages newer than a conversation.
func (h *Search) full(it Conversation) bool {
	at := it.Head()
	return len(h.hits) > h.Limit && millis(&at) < h.hits[h.Limit-1].Time
}

// atOnce is how many bytes are searched before checking again whether the page is full, and
// firstAtOnce how many at the beginning.
const (
	atOnce      = 64 << 20
	firstAtOnce = 4 << 20
)

// batchSize returns how many of the conversations to search before checking again. begun is
// set unless these are the first.
func (h *Search) batchSize(list []Conversation, begun bool) (n int) {
	left := min(h.Budget/2, atOnce)
	if !begun {
		left = min(left, firstAtOnce)
	}
	for n < len(list) && left > 0 {
		left -= list[n].Size()
		n++
	}
	if left < 0 {
		n--
	}
	return n
}

// searchParallel searches whole conversations on all processors.
func (h *Search) searchParallel(ctx context.Context, list []Conversation, after *panel.SearchPlace, start *panel.SearchThread) error {
	var mu sync.Mutex
	return parallel.Do(ctx, len(list), func() func(int) error {
		return func(i int) error {
			mu.Lock()
			full, bound := h.full(list[i]), h.oldest()
			mu.Unlock()
			if full || !h.wants(list[i]) {
				return nil
			}
			part := Search{Query: h.Query, Limit: h.Limit, Trust: h.Trust, Gone: h.Gone, Budget: math.MaxInt64, words: h.words, bound: bound}
			if _, err := part.thread(ctx, list[i], 0, after, start); err != nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			h.Budget -= math.MaxInt64 - part.Budget
			h.hits = append(h.hits, part.hits...)
			slices.SortFunc(h.hits, func(a, b panel.Match) int { return a.Place.Compare(&b.Place) })
			h.trim()
			return nil
		}
	})
}

func millis(h *panel.Head) int64 { return h.TS*1000 + h.MS }

// stop ends a search that reached its budget. The next part begins at the thread from. The
// hits so far are returned at once, although threads that were not searched may hold newer
// ones.
func (h *Search) stop(out *panel.Matches, from *panel.SearchThread) {
	if len(h.hits) > h.Limit {
		h.page(out)
		return
	}
	out.Hits, out.More, out.Bounded = h.hits, true, true
	out.Next, out.Until = panel.SearchPlace{Thread: from}, math.MinInt64
}

// page sets out to the newest hits, at most h.Limit, and the place after them.
func (h *Search) page(out *panel.Matches) {
	out.Hits = h.hits
	if len(h.hits) > h.Limit {
		out.Hits = h.hits[:h.Limit]
		last := out.Hits[h.Limit-1]
		out.More, out.Next, out.Until = true, last.Place, last.Time
	}
}

// wants reports whether a conversation may hold a match.
func (h *Search) wants(it Conversation) bool {
	names := append(it.Names(), it.Title())
	if !h.Query.State(query.State{}) || !h.Query.To("") || !h.Query.Thread(names...) || !h.Query.Client(it.Clients()...) {
		return false
	}
	return !h.Query.Has(query.In) || h.Query.In(append(it.Places(), names...)...)
}

// thread searches one conversation. next is the offset to continue at, or -1 if it is done.
func (h *Search) thread(ctx context.Context, it Conversation, from int64, after *panel.SearchPlace, start *panel.SearchThread) (next int64, err error) {
	titles := append(it.Names(), it.Title())
	// A line need not contain a word that the title, a name or the agent contains.
	words := h.Query.Traces(slashed(it.Folder()))
	name := it.Speaker(nil)[0]
	for _, w := range h.words {
		if !slices.ContainsFunc(append(titles, name), w.In) {
			words = append(words, w)
		}
	}
	next, read, err := it.Read(ctx, from, h.Budget, words, func(s *atsfstore.Hit) bool {
		h.line(it, s, titles, after, start)
		return !s.Message.Time.OK || s.Message.Time.Millis > h.oldest()-disorder
	})
	h.Budget -= read
	if err != nil && h.Gone(err) {
		return -1, nil
	}
	return next, err
}

// disorder is how far, in milliseconds, times may be out of order in a log.
const disorder = 3_600_000

// oldest returns a time before which no hit can be on the page.
func (h *Search) oldest() int64 {
	if len(h.hits) > h.Limit {
		return max(h.bound, h.hits[h.Limit].Time)
	}
	return h.bound
}

// line adds a message to the hits if it matches.
func (h *Search) line(it Conversation, s *atsfstore.Hit, titles []string, after *panel.SearchPlace, start *panel.SearchThread) {
	m, head := &s.Message, it.Head()
	updated := millis(&head)
	at := updated
	if m.Time.OK {
		at = min(at, m.Time.Millis)
	}
	place := panel.SearchPlace{Time: at, Key: head.Name + "/" + head.Store, Offset: s.Offset, Part: s.Part, Thread: start, Behind: true}
	if after != nil && (after.Thread == nil || after.Behind) && place.Compare(after) <= 0 {
		return
	}
	if len(h.hits) > h.Limit && place.Compare(&h.hits[h.Limit].Place) > 0 {
		return
	}
	by, calls := []string{s.From}, Calls(m, it.Folder())
	if s.From == "" {
		by = it.Speaker(m)
	}
	from := by[0]
	if !h.Query.By(by...) || !h.Query.Time(cmp.Or(m.Time.Millis, updated)) || !h.Query.Calls(calls) {
		return
	}
	texts := Texts(m)
	if h.Query.Has(query.Word) && !h.Query.Text(append(append([]string{from}, titles...), texts...)...) {
		return
	}
	i, again := slices.BinarySearchFunc(h.hits, place, func(m panel.Match, p panel.SearchPlace) int { return m.Place.Compare(&p) })
	if again {
		return
	}
	hit := panel.SearchHit{
		Message: it.Line(s.Cursor), Thread: it.Ref(), Protocol: string(it.Ref().Protocol), Group: it.Group(),
		Title: it.Title(), Name: show.LinkName(it.Names()[0]), From: from, Time: show.Time(at),
		Trust: h.Trust,
	}
	if m.Time.OK {
		hit.Time = show.Time(m.Time.Millis)
	}
	describe := func() panel.SearchHit {
		marked := h.words
		if len(marked) == 0 {
			marked = h.Query.Files()
		}
		if h.Query.Has(query.Tool) || h.Query.Has(query.File) {
			if i := slices.IndexFunc(calls, func(c query.Call) bool { return h.Query.Calls([]query.Call{c}) }); i >= 0 {
				texts = append(callTexts(&m.Tools[i]), texts...) // show what was searched for
			}
		}
		hit.Before, hit.Snippet, hit.After, hit.Marks = show.Snippet(marked, texts...)
		return hit
	}
	if len(m.Raw) > keptLine {
		described := describe()
		describe = func() panel.SearchHit { return described }
	}
	h.hits = slices.Insert(h.hits, i, panel.Match{Time: at, Place: place, Show: describe})
	h.trim()
}

// Calls returns the tool calls of a message by an agent that works in a folder.
func Calls(m *atsf.Message, folder string) []query.Call {
	folder = slashed(folder)
	list := make([]query.Call, len(m.Tools))
	for i := range m.Tools {
		t, c := &m.Tools[i], &list[i]
		c.Tools = []string{t.Name, t.Kind}
		for _, file := range files(t) {
			file = path.Clean(slashed(file))
			short, below := strings.CutPrefix(file, folder+"/")
			if !below && !path.IsAbs(file) && filepath.VolumeName(file) == "" {
				file = path.Join(folder, file)
			}
			c.Files, c.Paths = append(c.Files, short), append(c.Paths, file)
		}
	}
	return list
}

// files returns the files that a tool call refers to.
func files(t *atsf.ToolCall) (list []string) {
	for i := range t.Locations {
		list = append(list, t.Locations[i].Path)
	}
	if t.Diff != nil {
		list = append(list, t.Diff.Path)
	}
	return list
}

// slashed returns a path of any system with "/" between the names and none at its end.
func slashed(path string) string {
	return strings.TrimRight(strings.ReplaceAll(path, `\`, "/"), "/")
}

// trim keeps the newest hits, which are in order: h.Limit, and one more to show that there are
// more.
func (h *Search) trim() {
	if len(h.hits) > h.Limit {
		h.hits = h.hits[:h.Limit+1]
	}
}
