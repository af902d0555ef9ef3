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

// StreamSearch is Search with early results. If found is not nil, it gets hits of the page in order
// as soon as no other hit can come before them, and the page contains the rest. Agents' logs are
// then read without a limit.
func (r Searcher) StreamSearch(ctx context.Context, s panel.SearchParams, found func(panel.SearchPart)) (panel.SearchPage, error) {
	limit := panel.PageSize(s.Limit)
	return r.newPager(ctx, s.Query, limit).page(ctx, s.Cursor, limit, found)
}

// pageMost is the largest number of messages in a page of [Searcher.SearchAll].
const pageMost = 4096

// SearchAll calls yield with the pages of a search, one after another. They have s.Limit messages
// in all, or all messages if s.Limit is 0. The last page has a NextCursor if there are more. Each
// store continues its search from page to page, and does not start anew.
func (r Searcher) SearchAll(ctx context.Context, s panel.SearchParams, yield func(*panel.SearchPage) error) error {
	left, most := s.Limit, pageMost
	if left > 0 {
		most = min(most, left)
	}
	pages := r.newPager(ctx, s.Query, most)
	for cursor := s.Cursor; ; {
		limit := most
		if left > 0 {
			limit = min(limit, left)
		}
		page, err := pages.page(ctx, cursor, limit, nil)
		if err == nil {
			err = yield(&page)
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

// pager is a search of all stores that continues from page to page.
type pager struct {
	Searcher
	text   string
	query  query.Query
	stores []panel.Search
}

func (r Searcher) newPager(ctx context.Context, text string, limit int) *pager {
	s := &pager{Searcher: r, text: text, query: query.Parse(text, show.Calendar(r.Options.Now()))}
	if !s.query.Empty() {
		s.stores = r.searches(ctx, &s.query, limit)
	}
	return s
}

// page returns the page of messages after a cursor.
func (s *pager) page(ctx context.Context, cursor string, limit int, found func(panel.SearchPart)) (panel.SearchPage, error) {
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
	run := pageSearch{at: at, limit: limit, found: found}
	if err := run.searchAll(ctx, s.stores); err != nil {
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

// pageSearch is the search for one page in all stores.
type pageSearch struct {
	at    places
	limit int
	found func(panel.SearchPart)
	parts []storeMatches
	sent  int // how many hits were passed to found
}

// searchAll searches one store after another.
func (r *pageSearch) searchAll(ctx context.Context, list []panel.Search) error {
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
					if i == len(list)-1 { // otherwise later stores may have newer hits
						r.sendEarly(storeMatches{s.Name, m})
					}
				})
			}
		}
		m, err := find(ctx, after)
		if err != nil {
			return err
		}
		r.parts = append(r.parts, storeMatches{s.Name, m})
	}
	return nil
}

// sendEarly sends the hits that are certain while the last store is still being searched.
func (r *pageSearch) sendEarly(last storeMatches) {
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

// searches returns a search for each store that may have hits for a query.
func (r Searcher) searches(ctx context.Context, q *query.Query, limit int) []panel.Search {
	var list []panel.Search
	for _, v := range r.ViewsNow(ctx) {
		if q.Protocol(string(v.Protocol)) && (q.Mail() || v.Protocol == mail.ATSF || v.Protocol == mail.Session) {
			list = append(list, v.Searches(q, limit)...)
		}
	}
	return list
}
