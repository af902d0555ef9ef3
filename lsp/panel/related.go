package panel

import (
	"slices"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/render"
	"github.com/signalbox-dev/signalbox/lsp/store"
	"github.com/signalbox-dev/signalbox/lsp/store/threads"
)

// relatedShown bounds the threads of other formats that a thread links to.
const relatedShown = 5

// namesIn gives what a name or title may refer to: itself, and the mentions in
// it. Each is looked up; none is taken for granted.
func namesIn(s string) []string {
	const enough = 512
	s, _ = clip(s, enough)
	list := []string{s}
	for m := range mail.Mentions(s) {
		if !slices.Contains(list, m.Token) {
			list = append(list, m.Token)
		}
	}
	return list
}

// mailAbout gives the SAMP threads that an agent's thread names in its id,
// directory or title, or that are named after it.
func (p *Panels) mailAbout(it *threads.Item) []ThreadLink {
	stores, _, _ := p.snapshot()
	links := []ThreadLink{}
	names := namesIn(it.Thread.Title)
	for _, n := range []string{it.Name, it.Thread.ID} {
		if !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	for _, name := range names {
		for _, s := range stores {
			if name == "" {
				continue // the SAMP thread of that name is about nothing
			}
			if t, err := s.live.ThreadNamed(name); err == nil && len(links) < relatedShown {
				links = append(links, mailLink(s.live, &t))
			}
		}
	}
	return links
}

// agentsNamed gives the agents' threads that the name of a SAMP thread is, or
// mentions.
func (p *Panels) agentsNamed(name string) []ThreadLink {
	links := []ThreadLink{}
	s := p.agents()
	for _, n := range namesIn(name) {
		for _, it := range s.ByID(n) {
			if len(links) < relatedShown {
				links = append(links, agentLink(it))
			}
		}
	}
	return links
}

func mailLink(live *store.Live, t *store.Thread) ThreadLink {
	title, _ := render.Line(t.Name, titleChars)
	return ThreadLink{Ref: threadRef(live.Stats().ID, t.Name), Title: title, Count: t.Count}
}

func agentLink(it *threads.Item) ThreadLink {
	return ThreadLink{Ref: agentRef(it), Agent: true, Title: agentTitle(it), Count: clampCount(it.Thread.Stats.Messages)}
}
