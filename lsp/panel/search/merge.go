package search

import (
	"cmp"
	"slices"

	"github.com/signalbox-dev/signalbox/lsp/panel"
)

// places is the cursor of a search: the place in each store, by the store's name. A
// missing store has not been searched yet.
type places map[string]panel.SearchPlace

// storeMatches is a part of the results of one store, with the store's name.
type storeMatches struct {
	name string
	panel.Matches
}

// merge returns the newest hits of all stores, at most limit, and moves each store's place in the
// cursor at past them. If a store has more hits, hits older than its Until are left for a later
// page, so that pages are in order of time. more reports whether a later page has hits.
func merge(parts []storeMatches, at places, limit int) (shown []panel.Match, more bool) {
	type ranked struct {
		panel.Match
		from int
	}
	var all []ranked
	bound, bounded := int64(0), false
	for i := range parts {
		if s := &parts[i]; s.More && (!bounded || s.Until > bound) {
			bound, bounded = s.Until, true
		}
		for _, m := range parts[i].Hits {
			all = append(all, ranked{m, i})
		}
	}
	slices.SortStableFunc(all, func(a, b ranked) int { return cmp.Compare(b.Time, a.Time) })
	taken := make([]int, len(parts))
	for _, r := range all {
		if len(shown) == limit || bounded && r.Time < bound {
			break
		}
		shown = append(shown, r.Match)
		taken[r.from]++
	}
	for i := range parts {
		s := &parts[i]
		switch n := taken[i]; {
		case n < len(s.Hits) && n > 0:
			at[s.name] = s.Hits[n-1].Place
		case n < len(s.Hits):
			// None of its hits is on the page: its place stays.
		case s.More:
			at[s.name] = s.Next
		default:
			at[s.name] = panel.SearchPlace{Over: true}
			continue
		}
		more = true
	}
	return shown, more
}
