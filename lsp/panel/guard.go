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

// Reader is the agent that reads, by its names. It may see mail from it and to it, threads
// that it takes part in, and mail to all. A nil Reader is the person, who may see everything.
// It is the only guard: views ask it for every request, and so does code that shows mail
// without a view.
type Reader []string

// toAll is the receiver of mail to everybody.
const toAll = "all"

// Sees reports whether the reader may see a message, whatever its thread.
func (r Reader) Sees(m Route) bool {
	return r == nil || m.To == toAll || r.is(party(m.From)) || r.is(party(m.To))
}

// party returns the form of a name that the guard compares. An address of signed mail becomes
// the agent's name in lower case and an "@". Other names have no "@" and stay as they are.
func party(name string) string {
	agent, _, address := strings.Cut(name, "@")
	if address {
		return strings.ToLower(agent) + "@"
	}
	return name
}

// is reports whether the reader has a name of the form that [party] returns.
func (r Reader) is(party string) bool {
	return slices.ContainsFunc(r, func(name string) bool { return name == party || strings.ToLower(name)+"@" == party })
}

// TakesPart reports whether the reader takes part in a thread, and so may see all of it. The
// agent that began the thread takes part, and each agent that a participant wrote to in it.
// Writing into the thread makes no agent a participant. The oldest message comes first.
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

// guarded is a view of mail as an agent may see it. Its only optional interfaces are [Marker]
// and [Indexed]: agents write mail in other ways.
type guarded struct {
	View
	mail      Routed
	reader    Reader
	takesPart map[Ref]bool // by thread: whether the reader takes part in it
}

// Guard returns a view as the reader may see it. Views of tasks and of agents' own
// conversations stay as they are: whoever works in the repository may read these.
func (r Reader) Guard(v View) View {
	m, ok := v.(Routed)
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

// seesAll reports whether the reader may see every message of a thread.
func (g *guarded) seesAll(ctx context.Context, thread Ref) bool {
	takesPart, known := g.takesPart[thread]
	if !known {
		list, err := g.mail.Routes(ctx, thread, false)
		takesPart = err == nil && g.reader.TakesPart(list)
		g.takesPart[thread] = takesPart
	}
	return takesPart
}

// seesSome reports whether the reader may see the message that a ref names, or at least one
// message if the ref names a thread.
func (g *guarded) seesSome(ctx context.Context, r Ref) bool {
	if g.seesAll(ctx, r) {
		return true
	}
	_, thread := r.Thread()
	_, long := r.ThreadDigest()
	list, err := g.mail.Routes(ctx, r, !thread && !long)
	return err == nil && slices.ContainsFunc(list, g.reader.Sees)
}

// notFound returns the error for a thread or message that the reader may not see.
func notFound() error { return &Error{Kind: NotFound, Message: "thread: not found"} }

// Heads returns the heads of threads in which the reader may see a message.
func (g *guarded) Heads(q *HeadQuery) (heads []Head, more bool) {
	heads, more = g.View.Heads(q)
	items := g.View.Items(heads)
	kept := heads[:0]
	for i := range items {
		if g.seesSome(context.Background(), items[i].Ref) {
			kept = append(kept, heads[i])
		}
	}
	return kept, more
}

// Items describes threads without the messages that the reader may not see.
func (g *guarded) Items(heads []Head) []ThreadItem {
	items := g.View.Items(heads)
	for i := range items {
		if !g.seesAll(context.Background(), items[i].Ref) {
			g.limitTo(&items[i], nil)
		}
	}
	return items
}

// limitTo limits a thread's description to the messages that the reader may see. The title
// becomes the thread's name, since it may quote other messages.
func (g *guarded) limitTo(t *ThreadItem, visible []MessageItem) {
	t.Title, t.Preview, t.Question, t.Count = show.Title(t.Name), "", nil, len(visible)
	t.Participants, t.LastFrom, t.LastTo = []string{}, "", ""
	for i := range visible {
		for _, name := range []string{visible[i].From, visible[i].To} {
			if name != "" && !slices.Contains(t.Participants, name) {
				t.Participants = append(t.Participants, name)
			}
		}
		t.LastFrom, t.LastTo = visible[i].From, visible[i].To
	}
}

// Thread returns a page without the messages that the reader may not see.
func (g *guarded) Thread(ctx context.Context, q ThreadParams) (Page, error) {
	if !g.seesSome(ctx, q.Ref) {
		return Page{}, notFound()
	}
	page, err := g.View.Thread(ctx, q)
	if err != nil || g.seesAll(ctx, page.Thread.Ref) {
		return page, err
	}
	page.Messages = slices.DeleteFunc(page.Messages, func(m MessageItem) bool { return !g.reader.Sees(Route{m.From, m.To}) })
	for i := range page.Messages {
		page.Messages[i].Answer = "" // it quotes a later message
	}
	g.limitTo(&page.Thread, page.Messages)
	page.Names = nil
	return page, nil
}

// Cursor returns the cursor of a message that the reader may see.
func (g *guarded) Cursor(r Ref) (string, bool) {
	if !g.seesSome(context.Background(), r) {
		return "", false
	}
	return g.View.Cursor(r)
}

// Name returns the name of a thread that the reader may see.
func (g *guarded) Name(r Ref) (string, error) {
	if !g.seesSome(context.Background(), r) {
		return "", notFound()
	}
	return g.View.Name(r)
}

// ShelfKey returns the shelf's key of a thread that the reader may see.
func (g *guarded) ShelfKey(r Ref) (shelf.Key, shelf.Mail, error) {
	if !g.seesSome(context.Background(), r) {
		return shelf.Key{}, nil, notFound()
	}
	return g.View.ShelfKey(r)
}

// Find returns a target that the reader may see, or nil. If several messages have the same id,
// it returns those that the reader may see.
func (g *guarded) Find(ctx context.Context, by Lookup, token string) *Target {
	t := g.View.Find(ctx, by, token)
	if t == nil {
		return nil
	}
	if t.Status == LinkAmbiguous {
		visible := slices.DeleteFunc(slices.Clone(t.Several), func(m Several) bool { return !g.seesSome(ctx, m.Message) })
		switch len(visible) {
		case 0:
			return nil
		case 1:
			return g.Find(ctx, by, visible[0].Token)
		}
		cut := *t
		cut.Several, cut.Count, cut.Preview = visible, len(visible), func(int) string { return "" }
		return &cut
	}
	for _, r := range []*Ref{t.Message, t.Thread} {
		if r != nil && !g.seesSome(ctx, *r) {
			return nil
		}
	}
	if t.Thread != nil && !g.seesAll(ctx, *t.Thread) {
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

// Complete completes only recipients: ids and names of threads may be from hidden messages.
func (g *guarded) Complete(ctx context.Context, c *Completing) {
	if c.Kind == CompleteRecipient {
		g.View.Complete(ctx, c)
	}
}

// SetRead marks messages. It fails with kind NotFound if the reader may not see one of them.
func (g *guarded) SetRead(ctx context.Context, refs []Ref, read, watermark bool) error {
	m, ok := g.View.(Marker)
	if !ok || slices.ContainsFunc(refs, func(r Ref) bool { return !g.seesSome(ctx, r) }) {
		return notFound()
	}
	return m.SetRead(ctx, refs, read, watermark)
}

// Unread returns the unread messages of a thread in which the reader may see a message.
func (g *guarded) Unread(r Ref) []Ref {
	if m, ok := g.View.(Marker); ok && g.seesSome(context.Background(), r) {
		return m.Unread(r)
	}
	return nil
}

// maxRounds is how often a search is continued while it finds only messages that the reader may
// not see.
const maxRounds = 50

// Searches returns searches that find only messages which the reader may see.
func (g *guarded) Searches(q *query.Query, most int) []Search {
	list := g.View.Searches(q, most)
	for i, s := range list {
		list[i].Follow = nil // it would report hits that the reader may not see
		list[i].Find = func(ctx context.Context, after *SearchPlace) (Matches, error) {
			var hits []Match
			for round := 1; ; round++ {
				m, err := s.Find(ctx, after)
				if err != nil {
					return m, err
				}
				hits = append(hits, g.visible(ctx, m.Hits)...)
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

// visible returns the hits that the reader may see.
func (g *guarded) visible(ctx context.Context, hits []Match) (kept []Match) {
	for _, m := range hits {
		h := m.Show()
		switch {
		case g.seesAll(ctx, h.Thread):
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
