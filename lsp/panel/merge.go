package panel

import (
	"cmp"
	"context"
	"slices"
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

// places is the cursor of a search: the place in each store, by the store's name. A
// store that is missing has not been searched yet.
type places map[string]SearchPlace

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

// searched holds the results of one store's search, with its name.
type searched struct {
	name string
	Matches
}

// merge returns the newest hits of all stores, at most limit, and moves each store's
// place in the cursor at past them. Hits older than the Until of a store with more are
// held back for a later page, so that pages follow each other in time. more reports
// whether a later page has hits.
func merge(parts []searched, at places, limit int) (shown []Match, more bool) {
	type ranked struct {
		Match
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
			// None of its hits was taken: its place stays.
		case s.More:
			at[s.name] = s.Next
		default:
			at[s.name] = SearchPlace{Over: true}
			continue
		}
		more = true
	}
	return shown, more
}
