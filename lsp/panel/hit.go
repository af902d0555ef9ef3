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
	// Part distinguishes messages in the same line.
	Part int `json:"p,omitempty"`
	// Over is set if there is nothing more to find.
	Over bool `json:"x,omitempty"`
	// Thread is set if the logs of threads are searched one after another. The threads
	// before it are done. Time, Key and Offset then apply only if Behind is set.
	Thread *SearchThread `json:"f,omitempty"`
	Behind bool          `json:"b,omitempty"`
}

// Compare returns a negative number if p comes before o in a search.
func (p *SearchPlace) Compare(o *SearchPlace) int {
	return cmp.Or(cmp.Compare(o.Time, p.Time), strings.Compare(o.Key, p.Key), cmp.Compare(o.Offset, p.Offset), cmp.Compare(o.Part, p.Part))
}

// SearchThread is the place of a thread in the order of the list. From is how far its log was
// searched.
type SearchThread struct {
	Head
	From int64 `json:"l,omitempty"`
}

// Search is a search of one store. Each store has a Name of its own.
type Search struct {
	Name string
	// Find returns the next messages after a place, or the first ones if it is nil.
	Find func(ctx context.Context, after *SearchPlace) (Matches, error)
	// Follow is Find without a limit of work. It calls found with the matches so far whenever
	// more of them are certain. It is nil if the search does not take long.
	Follow func(ctx context.Context, after *SearchPlace, found func(Matches)) (Matches, error)
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
	// PartialResultToken, a string or number, asks for hits in $/progress as soon as they are
	// certain. The result then has only the hits that were not sent.
	PartialResultToken json.RawMessage `json:"partialResultToken,omitempty"`
}

// SearchPart is the value of $/progress while signalbox/search runs: the hits that follow the
// ones sent before.
type SearchPart struct {
	Hits []SearchHit `json:"hits"`
}

// SearchPage is the result of signalbox/search, newest message first.
type SearchPage struct {
	Hits       []SearchHit `json:"hits"`
	NextCursor string      `json:"nextCursor,omitempty"`
	// Complete is false if messages may be missing. With a NextCursor, the search reached its
	// limit of work and goes on there. Without one, a directory is still being indexed.
	Complete bool            `json:"complete"`
	Problems []SearchProblem `json:"problems"` // the parts of the query that were left out
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
	To       string `json:"to"` // empty if the format has no recipients
	Time     int64  `json:"time"`
	// Before is the last line before Snippet that is not blank, cut if it is long. It is empty
	// if there is none, or if Snippet contains no word of the query.
	Before string `json:"before,omitempty"`
	// Snippet is the line with the first word that was found, from a little before that word.
	// If the text contains none of the words, it is the beginning of the text, on one line.
	Snippet string `json:"snippet"`
	After   string `json:"after,omitempty"` // the next line after Snippet, as in Before
	// Marks are the places of the words in Snippet: start and length in UTF-16 units, in
	// order and without overlaps.
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
