package panel

import (
	"slices"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
)

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
func (p *Panels) related(views []view, own mail.Protocol, names []string) (links []ThreadLink) {
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
