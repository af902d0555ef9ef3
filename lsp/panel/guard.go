package panel

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/core/query"
	"github.com/signalbox-dev/signalbox/lsp/panel/shelf"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
)

// Reader is an agent that reads, by its names. It may see mail from it and to it, threads
// that it takes part in, and what is addressed to all. A nil Reader is the person, who may
// see everything. It is the one guard: views ask it for every request, and whoever shows
// mail without a view asks it, too.
type Reader []string

// toAll is the name that mail to everybody is sent to.
const toAll = "all"

// Sees reports whether the reader may see a message, whatever its thread.
func (r Reader) Sees(m Route) bool {
	return r == nil || m.To == toAll || r.is(party(m.From)) || r.is(party(m.To))
}

// party returns what the guard compares of a name. An address of signed mail is compared by
// the name in it, whose case does not count; other names have no "@".
func party(name string) string {
	agent, _, address := strings.Cut(name, "@")
	if address {
		return strings.ToLower(agent) + "@"
	}
	return name
}

// is reports whether the reader is a party.
func (r Reader) is(party string) bool {
	return slices.ContainsFunc(r, func(name string) bool { return name == party || strings.ToLower(name)+"@" == party })
}

// TakesPart reports whether the reader takes part in a thread, of which it then may see
// everything: it began the thread, or somebody who takes part wrote to it there. Nobody
// comes to take part by writing into a thread themselves. The oldest message comes first.
func (r Reader) TakesPart(thread []Route) bool {
	part := make(map[string]bool)
	for i, m := range thread {
		if i == 0 {
			part[party(m.From)] = true
		}
		if part[party(m.From)] {
			part[party(m.To)] = true
		}
	}
	return r == nil || slices.ContainsFunc(slices.Collect(maps.Keys(part)), r.is)
}

// guarded is a view of mail as an agent may see it. Of what is optional it has only the marks
// of what was read: an agent has other doors to write.
type guarded struct {
	View
	mail   Passing
	reader Reader
	// part remembers in which threads the reader takes part.
	part map[Ref]bool
}

// Guard returns a view as the reader may see it. Tasks and agents' own conversations have
// no receiver: whoever works in the repository may read them.
func (r Reader) Guard(v View) View {
	m, ok := v.(Passing)
	if r == nil || !ok {
		return v
	}
	g := &guarded{v, m, r, make(map[Ref]bool)}
	if i, ok := v.(Indexed); ok {
		return struct {
			*guarded
			Indexed
		}{g, i}
	}
	return g
}

// whole reports whether the reader may see a thread whole.
func (g *guarded) whole(ctx context.Context, thread Ref) bool {
	takes, known := g.part[thread]
	if !known {
		list, err := g.mail.Routes(ctx, thread, false)
		takes = err == nil && g.reader.TakesPart(list)
		g.part[thread] = takes
	}
	return takes
}

// any reports whether the reader may see something of what a ref names.
func (g *guarded) any(ctx context.Context, r Ref) bool {
	if g.whole(ctx, r) {
		return true
	}
	_, thread := r.Thread()
	_, long := r.ThreadDigest()
	list, err := g.mail.Routes(ctx, r, !thread && !long)
	return err == nil && slices.ContainsFunc(list, g.reader.Sees)
}

func hidden() error { return &Error{Kind: NotFound, Message: "thread: not found"} }

// Heads leaves out threads of which the reader may see nothing.
func (g *guarded) Heads(q *HeadQuery) (heads []Head, more bool) {
	heads, more = g.View.Heads(q)
	items := g.View.Items(heads)
	kept := heads[:0]
	for i := range items {
		if g.any(context.Background(), items[i].Ref) {
			kept = append(kept, heads[i])
		}
	}
	return kept, more
}

// Items describes threads without what the reader may not see.
func (g *guarded) Items(heads []Head) []ThreadItem {
	items := g.View.Items(heads)
	for i := range items {
		if !g.whole(context.Background(), items[i].Ref) {
			g.cut(&items[i], nil)
		}
	}
	return items
}

// cut leaves of a thread's description what some of its messages say. Its title may be what
// others wrote.
func (g *guarded) cut(t *ThreadItem, seen []MessageItem) {
	t.Title, t.Preview, t.Question, t.Count = show.Title(t.Name), "", nil, len(seen)
	t.Participants, t.LastFrom, t.LastTo = []string{}, "", ""
	for i := range seen {
		for _, name := range []string{seen[i].From, seen[i].To} {
			if name != "" && !slices.Contains(t.Participants, name) {
				t.Participants = append(t.Participants, name)
			}
		}
		t.LastFrom, t.LastTo = seen[i].From, seen[i].To
	}
}

// Thread returns a page without the messages that the reader may not see.
func (g *guarded) Thread(ctx context.Context, q ThreadParams) (Page, error) {
	if !g.any(ctx, q.Ref) {
		return Page{}, hidden()
	}
	page, err := g.View.Thread(ctx, q)
	if err != nil || g.whole(ctx, page.Thread.Ref) {
		return page, err
	}
	page.Messages = slices.DeleteFunc(page.Messages, func(m MessageItem) bool { return !g.reader.Sees(Route{m.From, m.To}) })
	for i := range page.Messages {
		page.Messages[i].Answer = "" // what somebody wrote after it
	}
	g.cut(&page.Thread, page.Messages)
	page.Names = nil
	return page, nil
}

// Cursor finds a place only beside what the reader may see.
func (g *guarded) Cursor(r Ref) (string, bool) {
	if !g.any(context.Background(), r) {
		return "", false
	}
	return g.View.Cursor(r)
}

// Name names no thread of which the reader may see nothing.
func (g *guarded) Name(r Ref) (string, error) {
	if !g.any(context.Background(), r) {
		return "", hidden()
	}
	return g.View.Name(r)
}

// ShelfKey finds no thread of which the reader may see nothing.
func (g *guarded) ShelfKey(r Ref) (shelf.Key, shelf.Mail, error) {
	if !g.any(context.Background(), r) {
		return shelf.Key{}, nil, hidden()
	}
	return g.View.ShelfKey(r)
}

// Find finds what the reader may see. Of several messages with one id it finds the one that
// the reader may see.
func (g *guarded) Find(ctx context.Context, by Lookup, token string) *Target {
	t := g.View.Find(ctx, by, token)
	if t == nil {
		return nil
	}
	if t.Status == LinkAmbiguous {
		seen := slices.DeleteFunc(slices.Clone(t.Several), func(m Several) bool { return !g.any(ctx, m.Message) })
		switch len(seen) {
		case 0:
			return nil
		case 1:
			return g.Find(ctx, by, seen[0].Token)
		}
		cut := *t
		cut.Several, cut.Count, cut.Preview = seen, len(seen), func(int) string { return "" }
		return &cut
	}
	for _, r := range []*Ref{t.Message, t.Thread} {
		if r != nil && !g.any(ctx, *r) {
			return nil
		}
	}
	if t.Thread != nil && !g.whole(ctx, *t.Thread) {
		cut := *t
		cut.Preview, cut.Places, cut.Names, cut.Related = func(int) string { return "" }, func() []Place { return nil }, nil, nil
		if cut.Kind == LinkThread {
			cut.Title = ""
		}
		return &cut
	}
	return t
}

// Knows reports whether Find finds something.
func (g *guarded) Knows(ctx context.Context, token string) bool {
	for by := range Lookups {
		if g.Find(ctx, by, token) != nil {
			return true
		}
	}
	return false
}

// Complete completes whom one writes to. Ids and threads are others' words.
func (g *guarded) Complete(ctx context.Context, c *Completing) {
	if c.Kind == CompleteRecipient {
		g.View.Complete(ctx, c)
	}
}

// SetRead marks what the reader may see.
func (g *guarded) SetRead(ctx context.Context, refs []Ref, read, watermark bool) error {
	m, ok := g.View.(Marker)
	if !ok || slices.ContainsFunc(refs, func(r Ref) bool { return !g.any(ctx, r) }) {
		return hidden()
	}
	return m.SetRead(ctx, refs, read, watermark)
}

// Unread returns nothing of a thread of which the reader may see nothing.
func (g *guarded) Unread(r Ref) []Ref {
	if m, ok := g.View.(Marker); ok && g.any(context.Background(), r) {
		return m.Unread(r)
	}
	return nil
}

// maxRounds is how often a search goes on that has found only what the reader may not see.
const maxRounds = 50

// Searches finds what the reader may see.
func (g *guarded) Searches(q *query.Query, most int) []Search {
	list := g.View.Searches(q, most)
	for i, s := range list {
		list[i].Follow = nil // it would tell what is not to be seen
		list[i].Find = func(ctx context.Context, after *SearchPlace) (Matches, error) {
			var hits []Match
			for round := 1; ; round++ {
				m, err := s.Find(ctx, after)
				if err != nil {
					return m, err
				}
				hits = append(hits, g.seen(ctx, m.Hits)...)
				if len(hits) > 0 || !m.More || m.Bounded || round == maxRounds {
					m.Hits = hits
					return m, nil
				}
				after = &m.Next
			}
		}
	}
	return list
}

// seen returns the hits that the reader may see.
func (g *guarded) seen(ctx context.Context, hits []Match) (kept []Match) {
	for _, m := range hits {
		h := m.Show()
		switch {
		case g.whole(ctx, h.Thread):
		case g.reader.Sees(Route{h.From, h.To}):
			h.Title = show.Title(h.Name)
		default:
			continue
		}
		m.Show = func() SearchHit { return h }
		kept = append(kept, m)
	}
	return kept
}
