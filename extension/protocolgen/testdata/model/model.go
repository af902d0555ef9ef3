// Package model is what the test's server sends.
package model

import "encoding/json"

// Ref names a thing.
type Ref struct {
	Protocol Protocol `json:"protocol"`
	ID       string   `json:"id"` // opaque
}

// Protocol is a format; there will be more.
type Protocol string

// The formats.
const (
	One Protocol = "one"
	Two Protocol = "two"
)

// What a request may ask for.
const (
	MaxPage  = 20
	MaxNeeds = 30
	MaxRefs  = 5
)

// State is how a thing fares.
type State string

// The states.
const (
	Good    State = "good"
	Unknown State = ""
)

// Reason is why a thing fares so, in one of so many words that they take more than a line of the file.
type Reason string

// The reasons.
const (
	Wet  Reason = "it rained for most of the week"
	Dry  Reason = "it did not rain for most of the week"
	Cold Reason = "it snowed for most of the week"
)

// Base is what every page has.
type Base struct {
	Revision int64 `json:"revision"`
}

// Page is a page of things. With a Cursor there are more: see [Params.Cursor].
//
// It ends in */ to see what becomes of that.
type Page struct {
	Base
	Things []Thing         `json:"things"`
	Marks  [][2]int        `json:"marks"` // start and length
	Cursor string          `json:"cursor,omitempty"`
	Extra  json.RawMessage `json:"extra"`
	Kept   int             `json:"-"`
}

// Thing is one thing. HTML is made by [Base].
type Thing struct {
	Ref Ref `json:"ref"`
	// State and Reason go together.
	State  State       `json:"state"`
	Reason Reason      `json:"reason,omitempty"`
	Parent *Ref        `json:"parent,omitempty"`
	Next   *Thing      `json:"next"`
	Names  []*[]string `json:"names"`
	HTML   string      `json:"html"` // safe HTML
}

// Filter narrows.
type Filter struct {
	Open *bool `json:"open,omitempty"`
}

// Params ask for a page.
type Params struct {
	Filter Filter `json:"filter,omitzero"`
	Cursor string `json:"cursor,omitempty"`
}

// Notice is sent when things change.
type Notice struct {
	Refs []Ref `json:"refs"`
}

// Unused is not written.
type Unused struct{ A chan int }
