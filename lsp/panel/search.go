package panel

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"math"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/query"
	"github.com/signalbox-dev/signalbox/lsp/store"
)

// MaxSearchCursor is the length in bytes of the longest cursor of a search: a
// place for each directory.
const MaxSearchCursor = 64 << 10

// tasksGroup is the [SearchHit.Group] of task messages, which no inbox lists.
const tasksGroup = "tasks"

// searchPlace is where a search of one store goes on: behind a message of a time
// and key.
type searchPlace struct {
	Time   int64  `json:"t,omitempty"`
	Key    string `json:"k,omitempty"`
	Offset int64  `json:"o,omitempty"`
	// Over tells that there is nothing more.
	Over bool `json:"x,omitempty"`
	// Thread is set for agents' threads alone: those before it were looked
	// through. Then Time, Key and Offset count only with Behind.
	Thread *searchThread `json:"f,omitempty"`
	Behind bool          `json:"b,omitempty"`
}

// searchThread is the place of an agent's thread in the order of their list, and
// how far its log was looked through.
type searchThread struct {
	cursor
	From int64 `json:"o,omitempty"`
}

// places are those of all stores by name: the cursor of a search. A store that is
// not in it has not been looked at.
type places map[string]searchPlace

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

// hunt is a search of one store. after is nil at the beginning.
type hunt struct {
	name string
	find func(ctx context.Context, after *searchPlace) (haul, error)
}

// haul is what a hunt brought: hits in order, the newest first.
type haul struct {
	hits []catch
	// more tells that there is more behind next. All hits that are newer than
	// until were given.
	more  bool
	next  searchPlace
	until int64
	// bounded tells that it ended because of the work, indexing that the store
	// is not known whole yet.
	bounded, indexing bool
}

// catch is a hit that is shown only if it gets on the page.
type catch struct {
	time  int64 // Unix milliseconds
	place searchPlace
	show  func() SearchHit
}

// Search gives one page of the messages that a query looks for, in all stores. A
// query that says nothing finds nothing.
func (p *Panels) Search(ctx context.Context, s SearchParams) (SearchPage, error) {
	page := SearchPage{Hits: []SearchHit{}, Problems: []SearchProblem{}, Complete: true, Revision: p.revised()}
	q := query.Parse(s.Query, calendar(p.opt.Now()))
	for _, pr := range q.Problems {
		before, inside := s.Query[:pr.Offset], s.Query[pr.Offset:pr.Offset+pr.Length]
		page.Problems = append(page.Problems, SearchProblem{Offset: units(before), Length: units(inside), Message: pr.Message})
	}
	at, err := parsePlaces(s.Cursor)
	if err != nil || q.Empty() {
		return page, err
	}
	limit := pageSize(s.Limit)
	var hauls []haul
	var hunts []hunt
	for _, h := range p.hunts(ctx, &q, limit) {
		after, known := at[h.name]
		if known && after.Over {
			continue
		}
		var from *searchPlace
		if known {
			from = &after
		}
		found, err := h.find(ctx, from)
		if err != nil {
			return page, err
		}
		hunts, hauls = append(hunts, h), append(hauls, found)
	}
	shown, more := merge(hunts, hauls, at, limit)
	for _, c := range shown {
		page.Hits = append(page.Hits, c.show())
	}
	if more {
		page.NextCursor = at.sent()
	}
	for i := range hauls {
		if hauls[i].bounded && len(shown) < limit || hauls[i].indexing {
			page.Complete = false
		}
	}
	return page, nil
}

// merge takes the newest of all hits, and moves the places behind them. What is
// older than the place at which a store has more waits until that store has come
// so far, so that pages follow each other in time.
func merge(hunts []hunt, hauls []haul, at places, limit int) (shown []catch, more bool) {
	type ranked struct {
		catch
		from int
	}
	var all []ranked
	bound, bounded := int64(0), false
	for i := range hauls {
		if h := &hauls[i]; h.more && (!bounded || h.until > bound) {
			bound, bounded = h.until, true
		}
		for _, c := range hauls[i].hits {
			all = append(all, ranked{c, i})
		}
	}
	slices.SortStableFunc(all, func(a, b ranked) int {
		switch {
		case a.time > b.time:
			return -1
		case a.time < b.time:
			return 1
		}
		return 0
	})
	taken := make([]int, len(hauls))
	for _, r := range all {
		if len(shown) == limit || bounded && r.time < bound {
			break
		}
		shown = append(shown, r.catch)
		taken[r.from]++
	}
	for i := range hauls {
		h := &hauls[i]
		switch n := taken[i]; {
		case n < len(h.hits) && n > 0:
			at[hunts[i].name] = h.hits[n-1].place
		case n < len(h.hits):
			// It goes on where it began.
		case h.more:
			at[hunts[i].name] = h.next
		default:
			at[hunts[i].name] = searchPlace{Over: true}
			continue
		}
		more = true
	}
	return shown, more
}

// hunts gives the searches of all stores that a query may find something in.
func (p *Panels) hunts(ctx context.Context, q *query.Query, limit int) []hunt {
	var list []hunt
	stores, _, _ := p.snapshot()
	if q.Protocol(string(mail.SAMP)) && q.In(mailGroup) {
		for _, s := range stores {
			list = append(list, huntMail(s.live, q, limit))
		}
	}
	if q.Suspicious() {
		return list // the other formats have no sender that a place contradicts
	}
	if q.Protocol(string(mail.AMP)) && q.In(mailGroup) {
		n := p.mailNow(ctx)
		h := letterHunt{now: &n, query: q, limit: limit, millis: p.now(), budget: lettersBudget}
		list = append(list, hunt{"amp/" + n.ID, h.find})
	}
	if q.Protocol(string(mail.AGN)) && q.In(tasksGroup) {
		for _, s := range p.ssotsNow() {
			h := taskHunt{in: s, query: q, limit: limit}
			list = append(list, hunt{"agn/" + s.ID, h.find})
		}
	}
	if q.Protocol(string(mail.ATSF)) {
		h := agentHunt{now: p.agents(), query: q, limit: limit, budget: agentsBudget}
		list = append(list, hunt{"atsf", h.find})
	}
	return list
}

// huntMail searches a message directory.
func huntMail(live *store.Live, q *query.Query, limit int) hunt {
	id := live.Stats().ID
	words := q.Words()
	return hunt{"samp/" + id, func(ctx context.Context, after *searchPlace) (haul, error) {
		var from *store.SearchPlace
		if after != nil {
			from = &store.SearchPlace{TS: after.Time, Log: after.Key, Offset: after.Offset}
		}
		page, err := live.Search(ctx, q, from, limit, store.SearchBudget)
		if err != nil {
			return haul{}, failure(err, "search")
		}
		h := haul{more: page.More, next: mailPlace(page.Next), until: wideMillis(page.Next.TS), bounded: page.Bounded, indexing: page.Indexing}
		for i := range page.Messages {
			m := &page.Messages[i]
			h.hits = append(h.hits, catch{wideMillis(m.TS), mailPlace(page.Places[i]), func() SearchHit { return mailHit(id, m, words) }})
		}
		return h, nil
	}}
}

// wideMillis turns seconds into milliseconds and keeps their order, whatever a
// record says.
func wideMillis(ts int64) int64 {
	return max(math.MinInt64/1000, min(math.MaxInt64/1000, ts)) * 1000
}

func mailPlace(p store.SearchPlace) searchPlace {
	return searchPlace{Time: p.TS, Key: p.Log, Offset: p.Offset}
}

// calendar is where the user is: in the zone of the server's clock.
func calendar(now time.Time) query.Calendar {
	year, month, day := now.Date()
	return query.Calendar{Year: year, Month: int(month), Day: day, Begin: func(y, m, d int) int64 {
		return time.Date(y, time.Month(m), d, 0, 0, 0, 0, now.Location()).UnixMilli()
	}}
}

// units counts a text's UTF-16 units, as editors do.
func units(s string) (n int) {
	for _, r := range s {
		n++
		if r > 0xffff && r <= utf8.MaxRune {
			n++
		}
	}
	return n
}
