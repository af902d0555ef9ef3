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

// The values of [ResolvedLink.Can]: what the user can do with the target of a token.
const (
	CanReply    = "reply"
	CanMarkRead = "markRead"
	CanAck      = "ack"     // the user has to acknowledge the message
	CanRespond  = "respond" // an escalation that waits for the admin
)

// Locate returns where tokens lead, in their order, without previews: it renders no message
// bodies. As in [Panels.Resolve], only what the index knows is found, and more than
// [MaxRefs] tokens are an error.
func (p *Panels) Locate(ctx context.Context, tokens []string) ([]ResolvedLink, error) {
	return p.lookUpAll(ctx, tokens, func(_ []view, t *Target, l *ResolvedLink) {
		switch {
		case l.Status == LinkAmbiguous:
			l.Title = show.Count(t.Count, "message", "messages")
		case l.Kind == LinkBranch:
			l.Title += ": " + show.Count(t.Count, "thread", "threads")
			if t.Count > 1 {
				l.Thread = nil
			}
		default:
			_, name := named(l.Token)
			l.Link = mail.FormatLink(string(t.Kind), name)
		}
		places := t.Places()
		l.Places = places[:min(len(places), MaxPlaces)]
	})
}

// named returns the token that an address holds, with the address's kind, or the token
// itself.
func named(token string) (kind, name string) {
	if kind, name, ok := mail.ParseLink(token); ok {
		return kind, name
	}
	return "", token
}

// lookUpAll returns what each token stands for, to which add adds what is asked for. An
// address of a message finds only messages. That of a thread may hold the id of its first
// message.
func (p *Panels) lookUpAll(ctx context.Context, tokens []string, add func([]view, *Target, *ResolvedLink)) ([]ResolvedLink, error) {
	if len(tokens) > MaxRefs {
		return nil, &Error{Kind: TooLarge, Message: fmt.Sprintf("%d tokens, and %d is the limit", len(tokens), MaxRefs)}
	}
	views := p.viewsNow(ctx)
	links := make([]ResolvedLink, 0, len(tokens))
	for _, token := range tokens {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		l := ResolvedLink{Token: token, Status: LinkMissing}
		kind, name := named(token)
		if t, protocol := lookUp(ctx, views, name); t != nil && (kind != mail.LinkMessage || t.Kind == LinkMessage) {
			l = ResolvedLink{
				Token: token, Status: t.Status, Kind: t.Kind, Title: t.Title, Protocol: protocol, Thread: t.Thread, Message: t.Message,
				Time: t.Time, Can: t.Can, Agent: t.Agent, Several: t.Several,
			}
			add(views, t, &l)
			if kind == mail.LinkThread && l.Kind == LinkMessage {
				l.Kind, l.Message = LinkThread, nil
			}
		}
		links = append(links, l)
	}
	return links, ctx.Err()
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
	if token == "" {
		return nil, ""
	}
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
