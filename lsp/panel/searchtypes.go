package panel

// SearchParams are the params of signalbox/search. Limit 0 means the default;
// Cursor is a SearchPage.NextCursor of the same query.
type SearchParams struct {
	Query  string `json:"query"`
	Cursor string `json:"cursor,omitempty"`
	Limit  int    `json:"limit,omitempty"`
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
	Group    string `json:"group"` // a Group.ID, or "tasks"
	Title    string `json:"title"` // of the thread
	From     string `json:"from"`
	To       string `json:"to"` // empty where the format has no recipients
	Time     int64  `json:"time"`
	Snippet  string `json:"snippet"` // one line around the first word that was found
	// Marks are the places in Snippet at which words stand: start and length, in
	// UTF-16 units, in order and apart from each other.
	Marks  [][2]int `json:"marks"`
	Unread bool     `json:"unread"`
	Trust  Trust    `json:"trust"`
}

// SearchProblem is a part of a query that was left out. Offset and Length are in
// UTF-16 units.
type SearchProblem struct {
	Offset  int    `json:"offset"`
	Length  int    `json:"length"`
	Message string `json:"message"`
}
