package panel

import (
	"context"
	"strings"

	"github.com/signalbox-dev/signalbox/core/query"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
)

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

// MaxSearchCursor is the length in bytes of the longest cursor of a search, which holds
// a place for each directory.
const MaxSearchCursor = 64 << 10

// Search returns one page of the messages that match a query, over all stores. An empty
// query finds nothing.
func (p *Panels) Search(ctx context.Context, s SearchParams) (SearchPage, error) {
	page := SearchPage{Hits: []SearchHit{}, Problems: []SearchProblem{}, Complete: true, Revision: p.revised()}
	q := query.Parse(s.Query, show.Calendar(p.opt.Now()))
	for _, pr := range q.Problems {
		before, inside := s.Query[:pr.Offset], s.Query[pr.Offset:pr.Offset+pr.Length]
		page.Problems = append(page.Problems, SearchProblem{Offset: show.Units(before), Length: show.Units(inside), Message: pr.Message})
	}
	at, err := parsePlaces(s.Cursor)
	if err != nil || q.Empty() {
		return page, err
	}
	limit := PageSize(s.Limit)
	var parts []searched
	for _, search := range p.searches(ctx, &q, limit) {
		var after *SearchPlace
		if place, known := at[search.Name]; known {
			if place.Over {
				continue
			}
			after = &place
		}
		found, err := search.Find(ctx, after)
		if err != nil {
			return page, err
		}
		parts = append(parts, searched{search.Name, found})
	}
	shown, more := merge(parts, at, limit)
	for _, m := range shown {
		page.Hits = append(page.Hits, m.Show())
	}
	if more {
		page.NextCursor = at.sent()
	}
	for i := range parts {
		if parts[i].Bounded && len(shown) < limit || parts[i].Indexing {
			page.Complete = false
		}
	}
	return page, nil
}

// searches returns a search for each store that may hold what the query looks for.
func (p *Panels) searches(ctx context.Context, q *query.Query, limit int) []Search {
	var list []Search
	for _, v := range p.viewsNow(ctx) {
		if q.Protocol(string(v.Protocol)) {
			list = append(list, v.Searches(q, limit)...)
		}
	}
	return list
}
