package panel

import (
	"slices"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/mention"
	"github.com/signalbox-dev/signalbox/lsp/panel/place"
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

// ResolvedLink is what one token stands for. Kind and the fields after it are set if it was
// found.
type ResolvedLink struct {
	Token   string     `json:"token"` // as it was sent, so that a client can match it: not sanitized
	Status  LinkStatus `json:"status"`
	Kind    LinkKind   `json:"kind,omitempty"`
	Title   string     `json:"title,omitempty"`
	Thread  *Ref       `json:"thread,omitempty"`
	Message *Ref       `json:"message,omitempty"`
	Preview string     `json:"preview,omitempty"` // safe Markdown, at most 4096 bytes
	// Time is when the message, or the newest message of the thread, was written. It is 0 if
	// that is not known.
	Time int64 `json:"time,omitempty"`
	// Can lists what the user can do with it: the Can constants.
	Can []string `json:"can,omitempty"`
	// Agent is set if an agent's own conversation was found, not mail.
	Agent bool `json:"agent,omitempty"`
	// Related are threads of other formats that have the same name.
	Related []ThreadLink `json:"related,omitempty"`
	// Protocol is the format. Link is the address of the target, or empty if there is no single
	// target.
	Protocol mail.Protocol `json:"protocol,omitempty"`
	Link     string        `json:"link,omitempty"`
	// Places are in files that the stores know, best first: the line of a message, or the line
	// of a thread's first message. A target whose file is gone has no places.
	Places []Place `json:"-"`
	// Several are the messages that an ambiguous token may mean.
	Several []Several `json:"-"`
}

// Several is one of several messages with the same id. Ids are not signed, so that anybody
// can write a second one.
type Several struct {
	Message Ref
	// Token finds only this message.
	Token string
	From  string
	Time  int64
}

// The values of [ResolvedLink.Can]: what the user can do with the target of a token.
const (
	CanReply    = "reply"
	CanMarkRead = "markRead"
	CanAck      = "ack"     // the user has to acknowledge the message
	CanRespond  = "respond" // an escalation that waits for the admin
)

// Place is a place in a file; see [place.Place].
type Place = place.Place

// Column is a place in a line; see [place.Column].
type Column = place.Column

// MaxPlaces is the largest number of places that one token leads to.
const MaxPlaces = 20

// Lookup is a way to look up a token. All sources try one way before any source tries the
// next.
type Lookup int

// The ways to look up a token, in order.
const (
	ByID      Lookup = iota // as an id that an index knows
	ByName                  // as the name of a thread, which any word may be
	ByReading               // as an id in the files themselves, which takes longest
	ByBranch                // as a git branch that threads belong to
	Lookups
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
	// Time is when the message, or the newest message of the thread, was written. It is 0 if
	// that is not known.
	Time  int64
	Agent bool // an agent's own conversation, not mail
	// Can lists what the user can do with it: the Can constants.
	Can []string
	// Names are the names that related threads of other formats may have. Related are
	// threads of this format that belong to the target.
	Names   []string
	Related []ThreadLink
	// Preview returns safe Markdown. messages is the largest number of a thread's
	// messages in it. Places returns the things' places in files, best first. Both read
	// files.
	Preview func(messages int) string
	Places  func() []Place
}

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

// ReferenceParams ask for messages that mention a token: an id, the name of a thread or
// branch, or an address of one. Limit 0 means the default; Cursor is a
// ReferencePage.NextCursor of the same token.
type ReferenceParams struct {
	Token  string `json:"token" check:"given"`
	Limit  int    `json:"limit,omitempty"`
	Cursor string `json:"cursor,omitempty"`
}

// Reference is a message that mentions a token.
type Reference struct {
	Place
	Message, Thread Ref
	Title, From     string
	Time            int64
}

// ReferencePage is one page of references, one format after the other in the order of
// [Options.Sources], each newest first. Complete is set on the last page. A page that
// is not the last may be short or empty, since each call reads a bounded part of the
// files.
type ReferencePage struct {
	References []Reference
	NextCursor string
	Complete   bool
}

// ReferenceQuery asks a view for messages that mention a token.
type ReferenceQuery struct {
	Token string
	Word  *mention.Needle
	// Place is the Next of the previous list, or empty for the first.
	Place string
	Limit int
}

// ReferenceList is one part of the references in a view. Next is the Place of the next
// part, and empty if there is none.
type ReferenceList struct {
	References []Reference
	Next       string
}
