package panel

import (
	"context"
	"slices"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/lsp/panel/place"
)

// Place is where something stands in a file; see [place.Place].
type Place = place.Place

// Column is a place in a line; see [place.Column].
type Column = place.Column

// Lookup is a way in which a token may stand for something. All sources are asked the
// first way before one is asked the next.
type Lookup int

// The ways to look something up.
const (
	ByID      Lookup = iota // it is the id of something that an index knows
	ByName                  // it is the name of a thread, which any word may be
	ByReading               // it is an id that is looked for in files, which takes longest
	ByBranch                // it is a branch of git that threads belong to
	lookups
)

// Target is what goes by a token: one thing, or several of one kind.
type Target struct {
	Status LinkStatus // LinkFound or LinkAmbiguous
	Kind   LinkKind
	Title  string
	// Count is how many things they are where Status is LinkAmbiguous or Kind is
	// LinkBranch.
	Count int
	// Thread and Message refer to the thing, or to the first. Both are nil where the
	// token is ambiguous.
	Thread, Message *Ref
	Agent           bool // an agent's own conversation, not mail
	// Can lists what can be done with it, of the Can constants.
	Can []string
	// Names are what threads of other formats about the same may be called, and
	// Related are threads of this format that belong to it.
	Names   []string
	Related []ThreadLink
	// Preview returns safe Markdown with at most so many messages of a thread, and
	// Places where the things stand in files, the best first. Both read files.
	Preview func(messages int) string
	Places  func() []Place
}

// lookUp finds what a token stands for, with its format. It returns nil where nothing
// goes by the token.
func (p *Panels) lookUp(ctx context.Context, views []view, token string) (*Target, mail.Protocol) {
	// Mail comes before tasks: refused task messages may claim any id.
	mails := slices.IndexFunc(views, func(v view) bool { return v.Protocol == mail.SAMP }) + 1
	for by := range lookups {
		if t, protocol := findIn(ctx, views[:mails], by, token); t != nil {
			return t, protocol
		}
		if t, protocol := p.lookUpMail(ctx, by, token); t != nil {
			return t, protocol
		}
		if t, protocol := findIn(ctx, views[mails:], by, token); t != nil {
			return t, protocol
		}
	}
	return nil, ""
}

func findIn(ctx context.Context, views []view, by Lookup, token string) (*Target, mail.Protocol) {
	for _, v := range views {
		if t := v.Find(ctx, by, token); t != nil {
			return t, v.Protocol
		}
	}
	return nil, ""
}

// lookUpMail is lookUp for the formats that have no source yet.
func (p *Panels) lookUpMail(ctx context.Context, by Lookup, token string) (*Target, mail.Protocol) {
	if by != ByID {
		return nil, ""
	}
	if t := p.findLetter(ctx, token); t != nil {
		return t, mail.AMP
	}
	return nil, ""
}
