package panel

import (
	"cmp"
	"context"
	"encoding/json"
	"strings"
)

// SearchPlace is the place at which a search of one store goes on: after the message
// with this time and key.
type SearchPlace struct {
	Time   int64  `json:"t,omitempty"`
	Key    string `json:"k,omitempty"`
	Offset int64  `json:"o,omitempty"`
	// Part tells messages apart that stand in one line.
	Part int `json:"p,omitempty"`
	// Over is set if there is nothing more to find.
	Over bool `json:"x,omitempty"`
	// Thread is set where the logs of threads are searched one after the other. The
	// threads before it are done. Time, Key and Offset then count only if Behind is
	// set.
	Thread *SearchThread `json:"f,omitempty"`
	Behind bool          `json:"b,omitempty"`
}

// Compare returns a negative number if p comes before o in a search.
func (p *SearchPlace) Compare(o *SearchPlace) int {
	return cmp.Or(cmp.Compare(o.Time, p.Time), strings.Compare(o.Key, p.Key), cmp.Compare(o.Offset, p.Offset), cmp.Compare(o.Part, p.Part))
}

// SearchThread is the place of a thread in the order of the list, and how far its log
// was searched.
type SearchThread struct {
	Head
	From int64 `json:"l,omitempty"`
}

// Search is a search of one store. Each store has a Name of its own.
type Search struct {
	Name string
	// Find returns the next messages after a place, or the first ones if it is nil.
	Find func(ctx context.Context, after *SearchPlace) (Matches, error)
	// Follow, where a search may take long, is Find without a limit of work. It calls so
	// with the matches so far, whenever more of them are certain.
	Follow func(ctx context.Context, after *SearchPlace, so func(Matches)) (Matches, error)
}

// Matches is one part of the results of a search.
type Matches struct {
	// Hits are in order of time, newest first.
	Hits []Match
	// More is set if the search can go on after Next. Hits then holds every hit that is
	// newer than Until.
	More  bool
	Next  SearchPlace
	Until int64
	// Bounded is set if the search stopped at its limit of work, Indexing if the store
	// is still being read for the first time.
	Bounded, Indexing bool
}

// Match is a hit. Show describes it and is called only for hits on the page.
type Match struct {
	Time  int64 // Unix milliseconds
	Place SearchPlace
	Show  func() SearchHit
}

// SearchParams are the params of signalbox/search. Limit 0 means the default;
// Cursor is a SearchPage.NextCursor of the same query.
type SearchParams struct {
	Query  string `json:"query"`
	Cursor string `json:"cursor,omitempty" check:"most 65536"`
	Limit  int    `json:"limit,omitempty"`
	// PartialResultToken, a string or number, has hits sent in $/progress as soon as they are
	// certain. The result then holds those that were not sent.
	PartialResultToken json.RawMessage `json:"partialResultToken,omitempty"`
}

// SearchPart is the value of $/progress while signalbox/search runs: the hits behind those
// that were sent before.
type SearchPart struct {
	Hits []SearchHit `json:"hits"`
}

// SearchPage is the result of signalbox/search, newest message first.
type SearchPage struct {
	Hits       []SearchHit `json:"hits"`
	NextCursor string      `json:"nextCursor,omitempty"`
	// Complete is false where messages may be missing before the page was full:
	// with a NextCursor the search ended because it had done enough work, and
	// goes on there; without one a directory is still being indexed.
	Complete bool            `json:"complete"`
	Problems []SearchProblem `json:"problems"` // what was left out of the query
	Revision int64           `json:"revision"`
}

// SearchHit is a message that was found.
type SearchHit struct {
	Message  Ref    `json:"message"`
	Thread   Ref    `json:"thread"`
	Protocol string `json:"protocol"`
	Group    string `json:"group"`          // a Group.ID, or "tasks"
	Title    string `json:"title"`          // of the thread
	Name     string `json:"name,omitempty"` // of the thread, as ThreadItem has it
	From     string `json:"from"`
	To       string `json:"to"` // empty where the format has no recipients
	Time     int64  `json:"time"`
	// Before is the line before Snippet that is not blank, cut where it is long. It is empty
	// where there is none, and where Snippet holds no word.
	Before string `json:"before,omitempty"`
	// Snippet is the line with the first word that was found, from a little before it on.
	// Where none is in the text it is the text's beginning, on one line.
	Snippet string `json:"snippet"`
	After   string `json:"after,omitempty"` // as Before, behind Snippet
	// Marks are the places in Snippet at which words stand: start and length, in
	// UTF-16 units, in order and apart from each other.
	Marks  [][2]int `json:"marks"`
	Unread bool     `json:"unread"`
	Trust  Trust    `json:"trust"`
}

// Lines returns the snippet with the lines around it.
func (h *SearchHit) Lines() string {
	return strings.Trim(h.Before+"\n"+h.Snippet+"\n"+h.After, "\n")
}

// SearchProblem is a part of a query that was left out. Offset and Length are in
// UTF-16 units.
type SearchProblem struct {
	Offset  int    `json:"offset"`
	Length  int    `json:"length"`
	Message string `json:"message"`
}
