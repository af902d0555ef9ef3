package panel

import (
	"context"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/lsp/panel/place"
)

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
	Agent           bool // an agent's own conversation, not mail
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

// lookUp returns what a token stands for, with its format, or nil if it stands for
// nothing.
func lookUp(ctx context.Context, views []view, token string) (*Target, mail.Protocol) {
	for by := range lookups {
		for _, v := range views {
			if t := v.Find(ctx, by, token); t != nil {
				return t, v.Protocol
			}
		}
	}
	return nil, ""
}
