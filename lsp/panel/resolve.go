package panel

import (
	"context"
	"fmt"
	"strings"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/render/markup"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
)

// previewMessages is how many messages of a thread a preview shows by default.
const previewMessages = 5

// Resolve returns what each token stands for, in their order. It finds only what the
// indexes know: 16 hexadecimal digits may also be a commit. More than [MaxRefs] tokens
// are an error of kind TooLarge.
func (p *Panels) Resolve(ctx context.Context, tokens []string) ([]ResolvedLink, error) {
	if len(tokens) > MaxRefs {
		return nil, &Error{Kind: TooLarge, Message: fmt.Sprintf("%d tokens, and %d is the limit", len(tokens), MaxRefs)}
	}
	views := p.viewsNow(ctx)
	most := p.settingsNow().HoverMaxMessages
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

// link returns what one token stands for. For an address it looks up the token in it;
// an address of a message finds only messages.
func (p *Panels) link(ctx context.Context, views []view, token string, most int) ResolvedLink {
	kind, name, isLink := mail.ParseLink(token)
	if !isLink {
		name = token
	}
	link := ResolvedLink{Token: token, Status: LinkMissing}
	t, protocol := lookUp(ctx, views, name)
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
