package link

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/render/markup"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
	"github.com/signalbox-dev/signalbox/lsp/panel/view"
)

// previewMessages is how many messages of a thread a preview shows by default.
const previewMessages = 5

// Resolve returns what each token stands for, in their order. It finds only what the indexes
// contain: 16 hexadecimal digits may also be a commit. More than [panel.MaxRefs] tokens
// are an error of kind TooLarge.
func (r Resolver) Resolve(ctx context.Context, tokens []string) ([]panel.ResolvedLink, error) {
	most := r.Configured().Settings.HoverMaxMessages
	if most <= 0 {
		most = previewMessages
	}
	return r.lookUpAll(ctx, tokens, func(views view.Views, t *panel.Target, l *panel.ResolvedLink) {
		preview := t.Preview(min(most, show.HoverMost))
		if l.Status != panel.LinkAmbiguous {
			l.Related = append(Related(views, l.Protocol, t.Names), t.Related...)
			if l.Kind != panel.LinkBranch {
				preview += relatedWords(l.Related)
			}
		}
		l.Preview = show.Hover(preview)
	})
}

// relatedWords returns Markdown that lists the related threads.
func relatedWords(links []panel.ThreadLink) string {
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

// Related returns the threads of formats other than own that have one of the names, at most
// relatedShown.
func Related(views view.Views, own mail.Protocol, names []string) (links []panel.ThreadLink) {
	for i, name := range names {
		if name == "" || slices.Contains(names[:i], name) {
			continue // an empty name refers to nothing
		}
		for _, v := range views {
			if r, ok := v.View.(panel.Relative); ok && v.Protocol != own && len(links) < relatedShown {
				links = append(links, r.Named(name, relatedShown-len(links))...)
			}
		}
	}
	return links[:min(len(links), relatedShown)]
}
