package panel

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/render/markup"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
)

// ResolveParams are the params of signalbox/link/resolve: raw tokens as found
// in a text, each a 16-digit hex id or a thread name, at most Limits.RefsMax.
type ResolveParams struct {
	Refs []string `json:"refs" check:"most 50"`
}

// LinkStatus says whether a token stands for something.
type LinkStatus string

// The statuses of a token.
const (
	LinkFound     LinkStatus = "found"
	LinkAmbiguous LinkStatus = "ambiguous" // several things go by that name
	LinkMissing   LinkStatus = "missing"
)

// LinkKind is the kind of thing that a token stands for.
type LinkKind string

// The kinds of things that tokens stand for.
const (
	LinkMessage LinkKind = "message"
	LinkThread  LinkKind = "thread"
	LinkBranch  LinkKind = "branch" // of git, which may have threads
)

// ResolvedLink is what one token stands for. Kind and what follows are set when it
// was found.
type ResolvedLink struct {
	Token   string     `json:"token"` // as it was sent, so that a client can match it: not sanitized
	Status  LinkStatus `json:"status"`
	Kind    LinkKind   `json:"kind,omitempty"`
	Title   string     `json:"title,omitempty"`
	Thread  *Ref       `json:"thread,omitempty"`
	Message *Ref       `json:"message,omitempty"`
	Preview string     `json:"preview,omitempty"` // safe Markdown, at most 4096 bytes
	// Time is when the message was written, or the newest of the thread, 0 where that is
	// not known.
	Time int64 `json:"time,omitempty"`
	// Can lists what the user can do with it: the Can constants.
	Can []string `json:"can,omitempty"`
	// Agent is set when an agent's own conversation was found, not mail.
	Agent bool `json:"agent,omitempty"`
	// Related are threads of other formats that go by the same name.
	Related []ThreadLink `json:"related,omitempty"`
	// Protocol is the format. Link is the address of what was located, or empty if there is no
	// single thing.
	Protocol mail.Protocol `json:"protocol,omitempty"`
	Link     string        `json:"link,omitempty"`
	// Places are in files that the stores know, the best first: the line of a message, or the
	// line of a thread's first message. What is gone has no places.
	Places []Place `json:"-"`
	// Several are the messages that an ambiguous token may mean.
	Several []Several `json:"-"`
}

// previewMessages is how many messages of a thread a preview shows by default.
const previewMessages = 5

// Resolve returns what each token stands for, in their order. It finds only what the
// indexes know: 16 hexadecimal digits may also be a commit. More than [MaxRefs] tokens
// are an error of kind TooLarge.
func (p *Panels) Resolve(ctx context.Context, tokens []string) ([]ResolvedLink, error) {
	most := p.settingsNow().HoverMaxMessages
	if most <= 0 {
		most = previewMessages
	}
	return p.lookUpAll(ctx, tokens, func(views []view, t *Target, l *ResolvedLink) {
		preview := t.Preview(min(most, show.HoverMost))
		if l.Status != LinkAmbiguous {
			l.Related = append(related(views, l.Protocol, t.Names), t.Related...)
			if l.Kind != LinkBranch {
				preview += relatedWords(l.Related)
			}
		}
		l.Preview = show.Hover(preview)
	})
}

// relatedWords returns the Markdown that lists threads of the same name.
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

// relatedShown is the largest number of threads of other formats that a thread links
// to.
const relatedShown = 5

// NamesIn returns the tokens that a name or title may refer to: itself and the mentions
// in it. It reads the first 512 bytes. The tokens are candidates: the caller looks each
// one up.
func NamesIn(s string) []string {
	const enough = 512
	s, _ = show.Clip(s, enough)
	list := []string{s}
	for m := range mail.Mentions(s) {
		if !slices.Contains(list, m.Token) {
			list = append(list, m.Token)
		}
	}
	return list
}

// related returns the threads of other formats that go by one of the names, at most
// relatedShown.
func related(views []view, own mail.Protocol, names []string) (links []ThreadLink) {
	for i, name := range names {
		if name == "" || slices.Contains(names[:i], name) {
			continue // an empty name refers to nothing
		}
		for _, v := range views {
			if r, ok := v.View.(Relative); ok && v.Protocol != own && len(links) < relatedShown {
				links = append(links, r.Named(name, relatedShown-len(links))...)
			}
		}
	}
	return links[:min(len(links), relatedShown)]
}
