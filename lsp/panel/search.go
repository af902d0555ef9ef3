package panel

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/query"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
)

// MaxSearchCursor is the length in bytes of the longest cursor of a search: a
// place for each directory.
const MaxSearchCursor = 64 << 10

// SearchPlace is where a search of one store goes on: behind a message of a time and
// key.
type SearchPlace struct {
	Time   int64  `json:"t,omitempty"`
	Key    string `json:"k,omitempty"`
	Offset int64  `json:"o,omitempty"`
	// Over tells that there is nothing more.
	Over bool `json:"x,omitempty"`
	// Thread is set where the logs of threads are looked through one after the other:
	// those before it were. Then Time, Key and Offset count only with Behind.
	Thread *SearchThread `json:"f,omitempty"`
	Behind bool          `json:"b,omitempty"`
}

// Compare is negative where p comes first in a search.
func (p *SearchPlace) Compare(o *SearchPlace) int {
	return cmp.Or(cmp.Compare(o.Time, p.Time), strings.Compare(o.Key, p.Key), cmp.Compare(o.Offset, p.Offset))
}

// SearchThread is the place of a thread in the order of the list, and how far its log
// was looked through.
type SearchThread struct {
	Head
	From int64 `json:"l,omitempty"`
}

// places are those of all stores by name: the cursor of a search. A store that is
// not in it has not been looked at.
type places map[string]SearchPlace

func (p places) sent() string {
	data, err := json.Marshal(p)
	if err != nil {
		return ""
	}
	return base64.RawURLEncoding.EncodeToString(data)
}

func parsePlaces(s string) (places, error) {
	p := places{}
	if s == "" {
		return p, nil
	}
	data, err := base64.RawURLEncoding.DecodeString(s)
	if err == nil {
		err = json.Unmarshal(data, &p)
	}
	if err != nil || p == nil {
		return nil, &Error{Kind: Malformed, Message: "the cursor is not one that a search gave", Err: err}
	}
	return p, nil
}

// Search is a search of one store. No two stores have the same Name.
type Search struct {
	Name string
	// Find returns the next messages behind a place, or the first for nil.
	Find func(ctx context.Context, after *SearchPlace) (Matches, error)
}

// Matches is a part of what a search finds.
type Matches struct {
	// Hits are the newest first.
	Hits []Match
	// More tells that there is more behind Next. All hits that are newer than Until
	// were given.
	More  bool
	Next  SearchPlace
	Until int64
	// Bounded tells that the search ended because it had done enough work, and
	// Indexing that the store is still being read for the first time.
	Bounded, Indexing bool
}

// Match is a hit that is described only if it gets on the page.
type Match struct {
	Time  int64 // Unix milliseconds
	Place SearchPlace
	Show  func() SearchHit
}

// Search gives one page of the messages that a query looks for, in all stores. A
// query that says nothing finds nothing.
func (p *Panels) Search(ctx context.Context, s SearchParams) (SearchPage, error) {
	page := SearchPage{Hits: []SearchHit{}, Problems: []SearchProblem{}, Complete: true, Revision: p.revised()}
	q := query.Parse(s.Query, calendar(p.opt.Now()))
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

// searched is what the search of a name found.
type searched struct {
	name string
	Matches
}

// merge takes the newest of all hits, and moves the places behind them. What is
// older than the place at which a store has more waits until that store has come
// so far, so that pages follow each other in time.
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
			// It goes on where it began.
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

// searches returns the searches of all stores that a query may find something in.
func (p *Panels) searches(ctx context.Context, q *query.Query, limit int) []Search {
	var list []Search
	for _, v := range p.viewsNow(ctx) {
		if q.Protocol(string(v.Protocol)) {
			list = append(list, v.Searches(q, limit)...)
		}
	}
	if q.Suspicious() {
		return list // the other formats have no sender that a place contradicts
	}
	if q.Protocol(string(mail.AMP)) && q.In(mailGroup) {
		n := p.mailNow(ctx)
		h := letterHunt{now: &n, query: q, limit: limit, millis: p.now(), budget: lettersBudget}
		list = append(list, Search{"amp/" + n.ID, h.find})
	}
	return list
}

// calendar is where the user is: in the zone of the server's clock.
func calendar(now time.Time) query.Calendar {
	year, month, day := now.Date()
	return query.Calendar{Year: year, Month: int(month), Day: day, Begin: func(y, m, d int) int64 {
		return time.Date(y, time.Month(m), d, 0, 0, 0, 0, now.Location()).UnixMilli()
	}}
}
