package panel

import (
	"context"
	"fmt"
	"strings"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/render"
	"github.com/signalbox-dev/signalbox/core/render/markup"
	"github.com/signalbox-dev/signalbox/lsp/store"
)

const (
	// previewBytes is how long a hover may be, and previewBody how much of
	// it one message may take.
	previewBytes = 4096
	previewBody  = 1800
	// previewMessages is how many messages of a thread are shown where the
	// settings do not say, and previewMost the most.
	previewMessages = 5
	previewMost     = 20
)

// Resolve says what tokens stand for, in their order. Only what the index
// knows is found: 16 hexadecimal digits may as well be a commit.
func (p *Panels) Resolve(ctx context.Context, tokens []string) ([]ResolvedLink, error) {
	if len(tokens) > MaxRefs {
		return nil, &Error{Kind: TooLarge, Message: fmt.Sprintf("%d tokens, and %d is the limit", len(tokens), MaxRefs)}
	}
	stores, settings, _ := p.snapshot()
	most := settings.HoverMaxMessages
	if most <= 0 {
		most = previewMessages
	}
	links := make([]ResolvedLink, 0, len(tokens))
	for _, token := range tokens {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		link, err := p.resolveLink(ctx, stores, token, min(most, previewMost))
		if err != nil {
			return nil, err
		}
		links = append(links, link)
	}
	return links, nil
}

// resolve looks among the messages, then among tasks, signed mail, the threads of agents,
// those of mail, and last among the agents' messages, which takes longest.
func (p *Panels) resolve(ctx context.Context, stores []opened, token string, most int) (ResolvedLink, error) {
	link := ResolvedLink{Token: token, Status: "missing"}
	var hits []hit
	for _, s := range stores {
		id := s.live.Stats().ID
		for _, m := range s.live.Find(token) {
			if m.Err == nil {
				hits = append(hits, hit{s.live, id, m})
			}
		}
	}
	switch {
	case len(hits) > 1:
		link.Status = "ambiguous"
		link.Preview = ambiguous(token, hits)
		return link, nil
	case len(hits) == 1:
		return hits[0].link(link, most), nil
	}
	if link, ok := p.resolveTask(link, most); ok {
		return link, nil
	}
	if link, ok := p.resolveAmp(ctx, link, most); ok {
		return link, nil
	}
	if link, ok := p.resolveAgent(ctx, link, most); ok {
		return link, ctx.Err()
	}
	for _, s := range stores {
		if t, err := s.live.ThreadNamed(token); err == nil {
			link.Related = p.agentsNamed(t.Name)
			return threadLink(link, s.live, &t, most), nil
		}
	}
	link, err := p.resolveAgentMessage(ctx, link)
	if err == nil && link.Status == "missing" {
		link = p.resolveBranch(link)
	}
	return link, err
}

// resolveLink follows an address to what it names.
func (p *Panels) resolveLink(ctx context.Context, stores []opened, token string, most int) (ResolvedLink, error) {
	kind, name, isLink := mail.ParseLink(token)
	if !isLink {
		return p.resolve(ctx, stores, token, most)
	}
	link, err := p.resolve(ctx, stores, name, most)
	link.Token = token
	switch {
	case kind == mail.LinkThread && link.Kind == "message":
		link.Kind, link.Message = "thread", nil // the message that the thread begins with
	case kind == mail.LinkMessage && link.Status == "found" && link.Kind != "message":
		link = ResolvedLink{Token: token, Status: "missing"}
	}
	return link, err
}

func threadLink(link ResolvedLink, live *store.Live, t *store.Thread, most int) ResolvedLink {
	ref := threadRef(live.Stats().ID, t.Name)
	link.Status, link.Kind, link.Thread = "found", "thread", &ref
	link.Title, _ = render.Line(t.Name, titleChars)
	link.Preview = within(threadPreview(live, t, most) + relatedWords(link.Related))
	return link
}

type hit struct {
	live *store.Live
	id   string
	m    store.Message
}

func (h *hit) link(link ResolvedLink, most int) ResolvedLink {
	thread, message := threadRef(h.id, h.m.Thread), mail.MessageRef(mail.SAMP, h.id, h.m.From, h.m.Key)
	link.Status, link.Kind, link.Thread, link.Message = "found", "message", &thread, &message
	link.Title, _ = render.Line(h.m.From+" → "+h.m.To+": "+h.m.Body, 80)
	link.Preview = h.preview(most)
	return link
}

// preview shows the message, then what else was said last in its thread.
func (h *hit) preview(most int) string {
	var b strings.Builder
	b.WriteString(headline(&h.m))
	fmt.Fprintf(&b, "\n\nThread %s", markup.Code(shorten(h.m.Thread)))
	t, err := h.live.ThreadNamed(h.m.Thread)
	if err == nil {
		fmt.Fprintf(&b, ", %s", count(t.Count, "message", "messages"))
	}
	tr := trust(&h.m)
	fmt.Fprintf(&b, " · %s\n\n", trustWords(tr))
	b.WriteString(markup.Markdown(h.m.Body, markup.Options{MaxBytes: previewBody, TopHeading: 4}))
	if err == nil && t.Count > 1 {
		others := lines(h.live, t.Name, most-1, func(m *store.Message) bool { return m.Key != h.m.Key || m.From != h.m.From })
		if others != "" {
			b.WriteString("\n\n---\n\n" + others)
		}
	}
	return within(b.String())
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
	return within(b.String())
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

func shorten(s string) string {
	line, _ := render.Line(s, 100)
	return line
}

// within cuts a preview that is too long at a line. Its parts are bounded, so
// that only many long names bring it here.
func within(s string) string {
	if len(s) <= previewBytes {
		return s
	}
	const note = "\n\n*(cut: open the thread for the rest)*"
	s, _ = clip(s, previewBytes-len(note))
	if i := strings.LastIndexByte(s, '\n'); i > 0 {
		s = s[:i]
	}
	return s + note
}
