package index

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/core/mention"
	"github.com/signalbox-dev/signalbox/core/query"
)

// SearchPlace is a message's place in the order of a search: newest first, and within a
// second the order of rule N3 reversed. A search continues after it.
type SearchPlace struct {
	TS     int64  `json:"t"`
	Log    string `json:"l"`
	Offset int64  `json:"o"`
}

// SearchPage is a page of search results.
type SearchPage struct {
	// Messages are sorted newest first. Places are their places.
	Messages []Message
	Places   []SearchPlace
	// More is set if the search continues after Next.
	More bool
	Next SearchPlace
	// Bounded is set if the search ended because of its budget, and not because the
	// page is full.
	Bounded bool
	// Indexing is set if messages may be missing, since the index is not filled yet.
	Indexing bool
	// Read counts the bytes that were read from the logs.
	Read int64
}

// SearchBudget is roughly the limit for the work of one search: bytes read, plus four times
// the bytes decoded. It is enough to read a gigabyte of mail, or to decode the records of a
// hundred thousand messages.
const SearchBudget = 1 << 30

const (
	// firstSlice is how many bytes a search looks through at first, since many searches
	// are for new mail. Then it looks through the rest, within its budget.
	firstSlice = 1 << 20
	// decodedCost is the cost of decoding a byte. Reading a byte costs 1.
	decodedCost = 4
)

// Search returns the newest messages that match a query, at most limit, beginning after a
// place if one is given. budget bounds the work, as [SearchBudget] does.
//
// The index decides first. Then Search reads the logs, newest part first, and decodes only
// lines that may hold the words. It holds the lock for a few thousand entries at a time, and
// its memory does not grow with the store.
func (l *Live) Search(ctx context.Context, q *query.Query, after *SearchPlace, limit int, budget int64) (SearchPage, error) {
	return l.search(ctx, q, nil, after, limit, budget)
}

// search is [Live.Search]. If word is not nil, messages must mention it, and the query has no
// words.
func (l *Live) search(ctx context.Context, q *query.Query, word *mention.Needle, after *SearchPlace, limit int, budget int64) (SearchPage, error) {
	for try := 1; ; try++ {
		s := l.newSeeker(q, word, limit)
		if s == nil {
			return SearchPage{Indexing: !l.readyNow()}, nil
		}
		page, err := s.run(ctx, after, budget)
		if !errors.Is(err, errIndexMoved) || try == maxTries {
			return page, err
		}
	}
}

// maxTries is how often a search is tried if the index is replaced during it, as happens
// after a log was rewritten.
const maxTries = 4

// run does one search in one index.
func (s *seeker) run(ctx context.Context, after *SearchPlace, budget int64) (SearchPage, error) {
	page := SearchPage{Indexing: s.indexing}
	high := s.span(after)
	size, all := int64(firstSlice), int64(0)
	for _, log := range s.logs {
		all += log.Info.Size()
	}
	switch {
	case s.word != nil:
		size = max(size, budget) // few messages mention a word
	case !s.reads:
		// Sizes are in messages, since the index alone decides.
		size, all = int64(s.limit)+1, math.MaxInt64
	}
	for {
		low, more := s.low, false
		var err error
		if size < all {
			low, more, err = s.cut(ctx, high, size)
		}
		if err == nil {
			err = s.searchRange(ctx, low, high)
		}
		if err != nil {
			return SearchPage{}, err
		}
		high, page.More = low, more
		left := budget - s.work.Load()
		if !more || len(s.hits) > s.limit || left <= 0 {
			break
		}
		size = left
	}
	hits := s.newest()
	if len(hits) > s.limit {
		hits = hits[:s.limit]
		high, page.More = hits[s.limit-1].key, true
	} else {
		page.Bounded = page.More
	}
	if page.More {
		page.Next = s.place(high)
	}
	page.Read = s.read.Load()
	return page, s.fill(&page, hits)
}

func (l *Live) readyNow() bool {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.ready
}

// errIndexMoved means that the index was replaced during a search.
var errIndexMoved = errors.New("store: the index was made anew")

// key is a numeric [SearchPlace]. place holds the rank of the log and the offset in it.
type key struct {
	ts    int64
	place uint64
}

// offsetBits is the number of bits for the offset in a place, enough for 256 TiB.
const offsetBits = 48

func (k key) compare(o key) int {
	return cmp.Or(cmp.Compare(k.ts, o.ts), cmp.Compare(k.place, o.place))
}

// top and bottom return keys above and below all others.
func top() key    { return key{math.MaxInt64, math.MaxUint64} }
func bottom() key { return key{math.MinInt64, 0} }

// found is a message that matches.
type found struct {
	key
	// n is its number in the index, or in a scan the length of its line.
	n uint32
	// unique is set if a scan knows that no other record can hide it.
	unique bool
}

// newSeeker prepares a search. It returns nil if there is no directory.
func (l *Live) newSeeker(q *query.Query, word *mention.Needle, limit int) *seeker {
	l.mu.RLock()
	defer l.mu.RUnlock()
	if l.dir == nil {
		return nil
	}
	x := l.idx
	s := &seeker{live: l, idx: x, dir: l.dir, query: q, word: word, limit: limit, least: bottom(), indexing: !l.ready}
	s.reads = q.Has(query.Word) || word != nil
	s.logs = slices.Clone(x.logs)
	s.byName = make([]int, len(s.logs))
	for i := range s.byName {
		s.byName[i] = i
	}
	slices.SortFunc(s.byName, func(a, b int) int { return strings.Compare(s.logs[a].Name, s.logs[b].Name) })
	s.rank = make([]uint64, len(s.logs))
	for rank, i := range s.byName {
		s.rank[i] = uint64(rank) << offsetBits
	}
	s.suspicious = q.Suspicious()
	s.byState = q.Has(query.Is)
	s.byTime = q.Has(query.Before) || q.Has(query.After) || q.Has(query.On)
	s.matchNames()
	s.filter = newLineFilter(q.Words(), word)
	return s
}

// span returns the key below which a search begins, and sets s.low, where it ends.
func (s *seeker) span(after *SearchPlace) key {
	begin, end := s.query.Span()
	s.low = bottom()
	if begin > math.MinInt64 {
		s.low = key{seconds(begin), 0}
	}
	high := top()
	if end < math.MaxInt64 {
		high = key{seconds(end), 0}
	}
	if after != nil {
		at := key{after.TS, 0}
		rank, known := slices.BinarySearchFunc(s.byName, after.Log, func(i int, name string) int { return strings.Compare(s.logs[i].Name, name) })
		at.place = uint64(rank) << offsetBits
		if known {
			at.place |= uint64(max(after.Offset, 0)) & (1<<offsetBits - 1)
		}
		if at.compare(high) < 0 {
			high = at
		}
	}
	return high
}

// seconds converts milliseconds to seconds, rounded up.
func seconds(ms int64) int64 {
	ts := ms / 1000
	if ms%1000 > 0 {
		ts++
	}
	return ts
}

// toMillis converts seconds to milliseconds, limited to the range of int64.
func toMillis(ts int64) int64 {
	return max(math.MinInt64/1000, min(math.MaxInt64/1000, ts)) * 1000
}

// place converts a key to a [SearchPlace].
func (s *seeker) place(k key) SearchPlace {
	p := SearchPlace{TS: k.ts, Offset: int64(k.place & (1<<offsetBits - 1))}
	if rank := k.place >> offsetBits; rank < uint64(len(s.byName)) {
		p.Log = s.logs[s.byName[rank]].Name
	} else {
		p.Log = "~" // sorts after all log names, as top does
	}
	return p
}

// fill reads the messages of a page. It leaves out messages that are no longer there.
func (s *seeker) fill(page *SearchPage, hits []found) error {
	s.live.mu.RLock()
	if s.live.idx != s.idx {
		s.live.mu.RUnlock()
		return errIndexMoved
	}
	list := make([]uint32, len(hits))
	for i := range hits {
		list[i] = hits[i].n
	}
	read := s.live.describe(list)
	s.live.mu.RUnlock()
	for i, m := range read.messages() {
		if m.Err == nil {
			page.Messages = append(page.Messages, m)
			page.Places = append(page.Places, s.place(hits[i].key))
		}
	}
	return nil
}
