package panel

import (
	"context"
	"fmt"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
)

// MaxPlaces is the most places that one token leads to.
const MaxPlaces = 20

// What can be done with what a token stands for.
const (
	CanReply    = "reply"
	CanMarkRead = "markRead"
	CanAck      = "ack"     // the user has to acknowledge the message
	CanRespond  = "respond" // an escalation that waits for the admin
)

// Located is where a token leads.
type Located struct {
	Token  string // as it was sent
	Status LinkStatus
	Kind   LinkKind
	Title  string
	// Protocol is that of what was found, Link its address, empty where no single
	// thing was found.
	Protocol mail.Protocol
	Link     string
	// Thread and Message refer to it. A branch has neither.
	Thread, Message *Ref
	// Places are in files that the stores know, the best first: a message's line, or
	// the one with which a thread begins. There are none for what is gone.
	Places []Place
	// Can lists what can be done with it, of the Can constants.
	Can []string
}

// Locate says where tokens lead, in their order. As for [Panels.Resolve], only what
// is known is found. Bodies are not rendered for it.
func (p *Panels) Locate(ctx context.Context, tokens []string) ([]Located, error) {
	if len(tokens) > MaxRefs {
		return nil, &Error{Kind: TooLarge, Message: fmt.Sprintf("%d tokens, and %d is the limit", len(tokens), MaxRefs)}
	}
	views := p.viewsNow(ctx)
	list := make([]Located, 0, len(tokens))
	for _, token := range tokens {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		list = append(list, p.located(ctx, views, token))
	}
	return list, ctx.Err()
}

// located follows one token, or the token of an address.
func (p *Panels) located(ctx context.Context, views []view, token string) Located {
	kind, name, isLink := mail.ParseLink(token)
	if !isLink {
		name = token
	}
	l := Located{Token: token, Status: LinkMissing, Places: []Place{}, Can: []string{}}
	if name == "" {
		return l
	}
	t, protocol := p.lookUp(ctx, views, name)
	if t == nil || isLink && kind == mail.LinkMessage && t.Kind != LinkMessage {
		return l
	}
	l.Status, l.Kind, l.Title, l.Protocol, l.Thread, l.Message = t.Status, t.Kind, t.Title, protocol, t.Thread, t.Message
	l.Can = append(l.Can, t.Can...)
	switch {
	case t.Status == LinkAmbiguous:
		l.Title = show.Count(t.Count, "message", "messages")
	case t.Kind == LinkBranch:
		l.Title += ": " + show.Count(t.Count, "thread", "threads")
		if t.Count > 1 {
			l.Thread = nil
		}
	default:
		l.Link = mail.FormatLink(string(t.Kind), name)
	}
	places := t.Places()
	l.Places = append(l.Places, places[:min(len(places), MaxPlaces)]...)
	if isLink && kind == mail.LinkThread && l.Kind == LinkMessage {
		l.Kind, l.Message = LinkThread, nil // the message that the thread begins with
	}
	return l
}
