// Package search answers requests for messages by their text, over all stores. Start with
// [Searcher].
package search

import (
	"context"
	"maps"
	"slices"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/query"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
	"github.com/signalbox-dev/signalbox/lsp/panel/view"
)

// Searcher answers requests for messages by their text.
type Searcher struct{ *view.Sources }

// Search returns one page of the messages that match a query, over all stores. An empty
// query finds nothing.
func (r Searcher) Search(ctx context.Context, s panel.SearchParams) (panel.SearchPage, error) {
	return r.StreamSearch(ctx, s, nil)
}

// StreamSearch is Search for somebody who watches: found, if it is not nil, gets hits of
// the page in order as soon as no other can come before them, and the page holds the rest.
// Agents' logs are then read without a limit.
func (r Searcher) StreamSearch(ctx context.Context, s panel.SearchParams, found func(panel.SearchPart)) (panel.SearchPage, error) {
	limit := panel.PageSize(s.Limit)
	return r.newSearcher(ctx, s.Query, limit).page(ctx, s.Cursor, limit, found)
}

// streamed is how many messages [Searcher.SearchAll] gives at once at most.
const streamed = 4096

// SearchAll gives the pages of a search one after the other, with s.Limit messages in all,
// or with all messages if that is 0. The last one has a NextCursor if there are more. Each
// store goes on where it was, so that it need not search anew for a page.
func (r Searcher) SearchAll(ctx context.Context, s panel.SearchParams, give func(*panel.SearchPage) error) error {
	left, most := s.Limit, streamed
	if left > 0 {
		most = min(most, left)
	}
	on := r.newSearcher(ctx, s.Query, most)
	for cursor := s.Cursor; ; {
		limit := most
		if left > 0 {
			limit = min(limit, left)
		}
		page, err := on.page(ctx, cursor, limit, nil)
		if err == nil {
			err = give(&page)
		}
		if err != nil {
			return err
		}
		cursor = page.NextCursor
		if left -= len(page.Hits); cursor == "" || s.Limit > 0 && left <= 0 {
			return nil
		}
	}
}

// searcher is a search of all stores that goes on from page to page.
type searcher struct {
	Searcher
	text   string
	query  query.Query
	stores []panel.Search
}

func (r Searcher) newSearcher(ctx context.Context, text string, limit int) *searcher {
	s := &searcher{Searcher: r, text: text, query: query.Parse(text, show.Calendar(r.Options.Now()))}
	if !s.query.Empty() {
		s.stores = r.searches(ctx, &s.query, limit)
	}
	return s
}

// page returns the messages behind a cursor.
func (s *searcher) page(ctx context.Context, cursor string, limit int, found func(panel.SearchPart)) (panel.SearchPage, error) {
	page := panel.SearchPage{Hits: []panel.SearchHit{}, Problems: []panel.SearchProblem{}, Complete: true, Revision: s.Revision()}
	for _, pr := range s.query.Problems {
		before, inside := s.text[:pr.Offset], s.text[pr.Offset:pr.Offset+pr.Length]
		page.Problems = append(page.Problems, panel.SearchProblem{Offset: show.Units(before), Length: show.Units(inside), Message: pr.Message})
	}
	at, err := panel.ParseOpaque[places](cursor)
	if err != nil {
		return page, err
	}
	if at == nil {
		at = places{}
	}
	run := searching{at: at, limit: limit, found: found}
	if err := run.all(ctx, s.stores); err != nil {
		return page, err
	}
	shown, more := merge(run.parts, at, run.limit)
	for _, m := range shown[run.sent:] {
		page.Hits = append(page.Hits, m.Show())
	}
	if more {
		page.NextCursor = panel.Opaque(at)
	}
	for i := range run.parts {
		if run.parts[i].Bounded && len(shown) < run.limit || run.parts[i].Indexing {
			page.Complete = false
		}
	}
	return page, nil
}

// searching is one page of a search of all stores.
type searching struct {
	at    places
	limit int
	found func(panel.SearchPart)
	parts []searched
	sent  int // how many hits found got
}

// all searches one store after the other.
func (r *searching) all(ctx context.Context, list []panel.Search) error {
	list = slices.DeleteFunc(slices.Clone(list), func(s panel.Search) bool { return r.at[s.Name].Over })
	for i, s := range list {
		var after *panel.SearchPlace
		if place, known := r.at[s.Name]; known {
			after = &place
		}
		find := s.Find
		if s.Follow != nil && r.found != nil {
			find = func(ctx context.Context, after *panel.SearchPlace) (panel.Matches, error) {
				return s.Follow(ctx, after, func(m panel.Matches) {
					if i == len(list)-1 { // else the others may hold anything newer
						r.early(searched{s.Name, m})
					}
				})
			}
		}
		m, err := find(ctx, after)
		if err != nil {
			return err
		}
		r.parts = append(r.parts, searched{s.Name, m})
	}
	return nil
}

// early sends the hits that are certain although the last store is still searched.
func (r *searching) early(last searched) {
	shown, _ := merge(append(slices.Clone(r.parts), last), maps.Clone(r.at), r.limit)
	if len(shown) <= r.sent {
		return
	}
	part := panel.SearchPart{Hits: make([]panel.SearchHit, 0, len(shown)-r.sent)}
	for _, m := range shown[r.sent:] {
		part.Hits = append(part.Hits, m.Show())
	}
	r.sent = len(shown)
	r.found(part)
}

// searches returns a search for each store that may hold what the query looks for.
func (r Searcher) searches(ctx context.Context, q *query.Query, limit int) []panel.Search {
	var list []panel.Search
	for _, v := range r.ViewsNow(ctx) {
		if q.Protocol(string(v.Protocol)) && (q.Mail() || v.Protocol == mail.ATSF || v.Protocol == mail.Session) {
			list = append(list, v.Searches(q, limit)...)
		}
	}
	return list
}
