package panel

import (
	"context"
	"fmt"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/needle"
	"github.com/signalbox-dev/signalbox/lsp/panel/place"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
)

// MaxPlaces is the most places that one token leads to.
const MaxPlaces = 20

// The values of [Located.Can]: what the user can do with the target of a token.
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
	// Protocol is the format of the target. Link is the target's address, or empty if
	// there is no single target.
	Protocol mail.Protocol
	Link     string
	// Thread and Message refer to the target. A branch has no Message. It has a Thread
	// only if it has exactly one.
	Thread, Message *Ref
	// Places are in files that the stores know, the best first: the line of a message,
	// or the line of a thread's first message. A target that is gone has no places.
	Places []Place
	// Can lists what the user can do with the target, as Can constants.
	Can []string
}

// Locate returns where tokens lead, in their order. As in [Panels.Resolve], only what
// the index knows is found. Locate renders no message bodies. More than [MaxRefs] tokens
// are an error.
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
		list = append(list, located(ctx, views, token))
	}
	return list, ctx.Err()
}

// located returns where one token leads. The token may also be a link, which holds the
// token.
func located(ctx context.Context, views []view, token string) Located {
	kind, name, isLink := mail.ParseLink(token)
	if !isLink {
		name = token
	}
	l := Located{Token: token, Status: LinkMissing, Places: []Place{}, Can: []string{}}
	if name == "" {
		return l
	}
	t, protocol := lookUp(ctx, views, name)
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
		l.Kind, l.Message = LinkThread, nil // a thread link may hold the id of the thread's first message
	}
	return l
}

// Place is a place in a file; see [place.Place].
type Place = place.Place

// Column is a place in a line; see [place.Column].
type Column = place.Column

// Lookup is a way to look up a token. All sources are asked for one way before any is
// asked for the next.
type Lookup int

// The ways to look up a token, in order.
const (
	ByID      Lookup = iota // as an id that an index knows
	ByName                  // as the name of a thread, which any word may be
	ByReading               // as an id in the files themselves, which takes longest
	ByBranch                // as a git branch that threads belong to
	lookups
)

// Target is what a token stands for: one thing, or several of one kind.
type Target struct {
	Status LinkStatus // LinkFound or LinkAmbiguous
	Kind   LinkKind
	Title  string
	// Count is the number of things if Status is LinkAmbiguous or Kind is LinkBranch.
	Count int
	// Thread and Message refer to the thing, or to the first one. Both are nil if the
	// token is ambiguous.
	Thread, Message *Ref
	// Several are the messages that an ambiguous token may mean.
	Several []Several
	// Time is when the message was written, or the newest of the thread. It is 0 where
	// that is not known.
	Time  int64
	Agent bool // an agent's own conversation, not mail
	// Can lists what the user can do with it: the Can constants.
	Can []string
	// Names are the names that related threads of other formats may have. Related are
	// threads of this format that belong to it.
	Names   []string
	Related []ThreadLink
	// Preview returns safe Markdown. messages is the largest number of a thread's
	// messages in it. Places returns the things' places in files, best first. Both read
	// files.
	Preview func(messages int) string
	Places  func() []Place
}

// Several is one of several messages with the same id. Ids are not signed, so that anybody
// can write a second one.
type Several struct {
	Message Ref
	// Token finds this one alone.
	Token string
	From  string
	Time  int64
}

// lookUp returns what a token stands for, with its format, or nil if it stands for
// nothing.
func lookUp(ctx context.Context, views []view, token string) (*Target, mail.Protocol) {
	for by := range lookups {
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
