package panel

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/render"
	"github.com/signalbox-dev/signalbox/core/render/markup"
	"github.com/signalbox-dev/signalbox/lsp/panel/place"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
	"github.com/signalbox-dev/signalbox/lsp/store"
)

// previewMessages is how many messages of a thread a preview shows where the
// settings do not say.
const previewMessages = 5

// Resolve says what tokens stand for, in their order. Only what the index
// knows is found: 16 hexadecimal digits may as well be a commit.
func (p *Panels) Resolve(ctx context.Context, tokens []string) ([]ResolvedLink, error) {
	if len(tokens) > MaxRefs {
		return nil, &Error{Kind: TooLarge, Message: fmt.Sprintf("%d tokens, and %d is the limit", len(tokens), MaxRefs)}
	}
	_, settings, _ := p.snapshot()
	views := p.viewsNow(ctx)
	most := settings.HoverMaxMessages
	if most <= 0 {
		most = previewMessages
	}
	links := make([]ResolvedLink, 0, len(tokens))
	for _, token := range tokens {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		links = append(links, p.link(ctx, views, token, min(most, show.HoverMost)))
	}
	return links, ctx.Err()
}

// link resolves one token, or the token of an address.
func (p *Panels) link(ctx context.Context, views []view, token string, most int) ResolvedLink {
	kind, name, isLink := mail.ParseLink(token)
	if !isLink {
		name = token
	}
	link := ResolvedLink{Token: token, Status: LinkMissing}
	t, protocol := p.lookUp(ctx, views, name)
	switch {
	case t == nil, isLink && kind == mail.LinkMessage && t.Kind != LinkMessage:
		return link
	case t.Status == LinkAmbiguous:
		link.Status, link.Preview = t.Status, show.Hover(t.Preview(most))
		return link
	}
	link.Status, link.Kind, link.Title, link.Agent = t.Status, t.Kind, t.Title, t.Agent
	link.Thread, link.Message = t.Thread, t.Message
	link.Related = append(p.related(views, protocol, t.Names), t.Related...)
	preview := t.Preview(most)
	if t.Kind != LinkBranch {
		preview += relatedWords(link.Related)
	}
	link.Preview = show.Hover(preview)
	if isLink && kind == mail.LinkThread && link.Kind == LinkMessage {
		link.Kind, link.Message = LinkThread, nil // the message that the thread begins with
	}
	return link
}

// relatedWords tells of threads of the same name.
func relatedWords(links []ThreadLink) string {
	var b strings.Builder
	for _, l := range links {
		kind := "Mail thread"
		if l.Agent {
			kind = "Agent thread"
		}
		fmt.Fprintf(&b, "\n\n%s %s, %s", kind, markup.Code(show.Short(l.Title)), show.Count(l.Count, "message", "messages"))
	}
	return b.String()
}

// findRecord finds messages of SAMP by their id.
func (p *Panels) findRecord(token string) *Target {
	stores, _, _ := p.snapshot()
	var hits []hit
	for _, s := range stores {
		for _, m := range s.live.Find(token) {
			if m.Err == nil {
				hits = append(hits, hit{s, s.live.Stats().ID, m})
			}
		}
	}
	if len(hits) == 0 {
		return nil
	}
	t := &Target{Status: LinkFound, Kind: LinkMessage, Count: len(hits), Places: func() (list []Place) {
		for i := range hits {
			list = append(list, recordPlace(hits[i].in, &hits[i].m, token))
		}
		return list
	}}
	if len(hits) > 1 {
		t.Status, t.Preview = LinkAmbiguous, func(int) string { return ambiguous(token, hits) }
		return t
	}
	h := hits[0]
	thread, message := threadRef(h.id, h.m.Thread), messageRef(h.id, &h.m)
	t.Thread, t.Message, t.Can, t.Preview = &thread, &message, []string{CanReply}, h.preview
	if h.m.Unread {
		t.Can = append(t.Can, CanMarkRead)
	}
	t.Title, _ = render.Line(h.m.From+" → "+h.m.To+": "+h.m.Body, 80)
	return t
}

// findThread finds threads of SAMP by their name.
func (p *Panels) findThread(name string) (found *Target) {
	stores, _, _ := p.snapshot()
	var in []opened
	for _, s := range stores {
		t, err := s.live.ThreadNamed(name)
		if err != nil {
			continue
		}
		if in = append(in, s); found != nil {
			continue
		}
		ref := threadRef(s.live.Stats().ID, t.Name)
		found = &Target{Status: LinkFound, Kind: LinkThread, Thread: &ref, Title: show.Title(t.Name), Can: []string{CanReply}, Names: NamesIn(t.Name)}
		if t.Unread > 0 {
			found.Can = append(found.Can, CanMarkRead)
		}
		found.Preview = func(most int) string { return threadPreview(s.live, &t, most) }
	}
	if found != nil {
		found.Places = func() (list []Place) {
			for _, s := range in {
				if m, err := s.live.First(name); err == nil {
					list = append(list, recordPlace(s, &m, name))
				}
			}
			return list
		}
	}
	return found
}

// recordPlace is where a record of SAMP lies, at a token of it.
func recordPlace(s opened, m *store.Message, token string) Place {
	path := filepath.Join(s.live.Stats().Path, m.File)
	raw, err := s.live.LineOf(m, place.LineBytes)
	if err != nil {
		return Place{Path: path, Line: max(m.Line-1, 0)}
	}
	return place.InLine(path, s.live.NumberOf(m)-1, raw, token)
}

type hit struct {
	in opened
	id string
	m  store.Message
}

// preview shows the message, then what else was said last in its thread.
func (h *hit) preview(most int) string {
	var b strings.Builder
	b.WriteString(headline(&h.m))
	fmt.Fprintf(&b, "\n\nThread %s", markup.Code(shorten(h.m.Thread)))
	t, err := h.in.live.ThreadNamed(h.m.Thread)
	if err == nil {
		fmt.Fprintf(&b, ", %s", count(t.Count, "message", "messages"))
	}
	tr := trust(&h.m)
	fmt.Fprintf(&b, " · %s\n\n", trustWords(tr))
	b.WriteString(markup.Markdown(h.m.Body, markup.Options{MaxBytes: previewBody, TopHeading: 4}))
	if err == nil && t.Count > 1 {
		others := lines(h.in.live, t.Name, most-1, func(m *store.Message) bool { return m.Key != h.m.Key || m.From != h.m.From })
		if others != "" {
			b.WriteString("\n\n---\n\n" + others)
		}
	}
	return b.String()
}

func threadPreview(live *store.Live, t *store.Thread, most int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "**Thread** %s\n\n%s", markup.Code(shorten(t.Name)), count(t.Count, "message", "messages"))
	if t.Unread > 0 {
		fmt.Fprintf(&b, ", %d unread", t.Unread)
	}
	var who []string
	for _, a := range t.Participants[:min(len(t.Participants), participantsShown)] {
		who = append(who, markup.Escape(safe(a)))
	}
	fmt.Fprintf(&b, " · %s · last %s\n\n", strings.Join(who, ", "), when(t.Last))
	b.WriteString(lines(live, t.Name, most, func(*store.Message) bool { return true }))
	b.WriteString("\n\nSAMP messages are not signed.")
	return b.String()
}

// lines shows the last messages of a thread, one line each, the oldest first.
func lines(live *store.Live, name string, most int, show func(*store.Message) bool) string {
	page, err := live.Page(name, nil, nil, most+1)
	if err != nil {
		return ""
	}
	var list []string
	for i := range page.Messages {
		m := &page.Messages[i]
		if m.Err != nil || !show(m) {
			continue
		}
		line, _ := render.Line(m.Body, 160)
		list = append(list, "- "+headline(m)+": "+markup.Escape(line))
	}
	if len(list) > most {
		list = list[len(list)-most:]
	}
	return strings.Join(list, "\n")
}

func headline(m *store.Message) string {
	return "**" + markup.Escape(shorten(m.From)) + " → " + markup.Escape(shorten(m.To)) + "** · " + when(m.TS)
}

func trustWords(t Trust) string {
	if t.Level == "warn" {
		return "⚠ **" + t.Label + "**"
	}
	return t.Label
}

func ambiguous(token string, hits []hit) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s stands for %d messages:\n\n", markup.Code(shorten(token)), len(hits))
	for i := range hits[:min(len(hits), previewMost)] {
		line, _ := render.Line(hits[i].m.Body, 120)
		b.WriteString("- " + headline(&hits[i].m) + ": " + markup.Escape(line) + "\n")
	}
	return within(b.String())
}
