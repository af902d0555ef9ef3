// Package link answers requests for what a token stands for, which messages mention it and how to
// complete a prefix. Start with [Resolver].
package link

import (
	"context"
	"fmt"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/needle"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/agents"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
	"github.com/signalbox-dev/signalbox/lsp/panel/view"
)

// Resolver answers requests for what a token stands for and which messages mention it.
type Resolver struct{ *agents.Follower }

// Locate returns where tokens lead, in their order, without previews: it renders no message
// bodies. As in [Resolver.Resolve], only what the index knows is found, and more than
// [panel.MaxRefs] tokens are an error.
func (r Resolver) Locate(ctx context.Context, tokens []string) ([]panel.ResolvedLink, error) {
	return r.lookUpAll(ctx, tokens, func(_ view.Views, t *panel.Target, l *panel.ResolvedLink) {
		switch {
		case l.Status == panel.LinkAmbiguous:
			l.Title = show.Count(t.Count, "message", "messages")
		case l.Kind == panel.LinkBranch:
			l.Title += ": " + show.Count(t.Count, "thread", "threads")
			if t.Count > 1 {
				l.Thread = nil
			}
		default:
			_, name := tokenIn(l.Token)
			l.Link = mail.FormatLink(string(t.Kind), name)
		}
		places := t.Places()
		l.Places = places[:min(len(places), panel.MaxPlaces)]
	})
}

// tokenIn returns the kind and the token of an address. A token that is not an address is returned
// as it is, without a kind.
func tokenIn(token string) (kind, name string) {
	if kind, name, ok := mail.ParseLink(token); ok {
		return kind, name
	}
	return "", token
}

// lookUpAll returns what each token stands for. It calls add to complete each link. The address of
// a message finds only messages. The address of a thread may contain the id of its first message.
func (r Resolver) lookUpAll(ctx context.Context, tokens []string, add func(view.Views, *panel.Target, *panel.ResolvedLink)) ([]panel.ResolvedLink, error) {
	if len(tokens) > panel.MaxRefs {
		return nil, &panel.Error{Kind: panel.TooLarge, Message: fmt.Sprintf("%d tokens, and %d is the limit", len(tokens), panel.MaxRefs)}
	}
	views := r.ViewsNow(ctx)
	links := make([]panel.ResolvedLink, 0, len(tokens))
	for _, token := range tokens {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		l := panel.ResolvedLink{Token: token, Status: panel.LinkMissing}
		kind, name := tokenIn(token)
		if t, protocol := lookUp(ctx, views, name); t != nil && (kind != mail.LinkMessage || t.Kind == panel.LinkMessage) {
			l = panel.ResolvedLink{
				Token: token, Status: t.Status, Kind: t.Kind, Title: t.Title, Protocol: protocol, Thread: t.Thread, Message: t.Message,
				Time: t.Time, Can: t.Can, Agent: t.Agent, Several: t.Several,
			}
			add(views, t, &l)
			if kind == mail.LinkThread && l.Kind == panel.LinkMessage {
				l.Kind, l.Message = panel.LinkThread, nil
			}
		}
		links = append(links, l)
	}
	return links, ctx.Err()
}

// lookUp returns what a token stands for, with its format, or nil if it stands for
// nothing.
func lookUp(ctx context.Context, views view.Views, token string) (*panel.Target, mail.Protocol) {
	if token == "" {
		return nil, ""
	}
	for by := range panel.Lookups {
		for _, token := range needle.Spellings(token) {
			for _, v := range views {
				if t := v.Find(ctx, by, token); t != nil {
					return t, v.Protocol
				}
			}
		}
	}
	return nil, ""
}
