package panel

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"iter"
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/signalbox-dev/signalbox/core/mail"
)

// Head holds the sort keys of a thread in a list.
type Head struct {
	At
	Name  string `json:"n"`
	Store string `json:"s"`
	// Rest is set in the order SortUnread for a thread that does not wait for the user.
	Rest bool `json:"r,omitempty"`
	// Key is the sort key of a keyed order; see [Sort.Keyed].
	Key string `json:"f,omitempty"`
	// From is who wrote last.
	From string `json:"-"`
	// Of is the thread itself, in the form of the view that returned the head.
	Of any `json:"-"`
}

// At is a time in seconds and milliseconds. The seconds may be any number. Only some
// formats have milliseconds.
type At struct {
	TS int64 `json:"t"`
	MS int64 `json:"m,omitempty"`
}

// AtMillis returns Unix milliseconds as seconds and milliseconds. The milliseconds are
// never negative.
func AtMillis(ms int64) At {
	a := At{ms / 1000, ms % 1000}
	if a.MS < 0 {
		a.TS, a.MS = a.TS-1, a.MS+1000
	}
	return a
}

// HeadQuery asks a view for the heads after After, or for the first ones if After is
// nil.
type HeadQuery struct {
	Filter *InboxFilter
	Order  Sort
	After  *Head
	Limit  int
}

// Compare returns a negative number if a comes before b in a list of this order.
func (o Sort) Compare(a, b *Head) int {
	newest := cmp.Or(cmp.Compare(b.TS, a.TS), cmp.Compare(b.MS, a.MS), strings.Compare(b.Name, a.Name), strings.Compare(b.Store, a.Store))
	switch o {
	case SortOldest:
		return -newest
	case SortUnread:
		if a.Rest != b.Rest {
			if a.Rest {
				return 1
			}
			return -1
		}
	case SortSender:
		return cmp.Or(strings.Compare(a.Key, b.Key), newest)
	}
	return newest
}

// Keyed reports whether an order sorts by [Head.Key]. The other orders sort by time.
func (o Sort) Keyed() bool { return o == SortSender }

// key returns a head's key in an order.
func (o Sort) key(h *Head) string {
	if o == SortSender {
		return mail.SenderKey(h.From)
	}
	return ""
}

// Newest returns a negative number if h comes before o in a list with the newest thread
// first.
func (h *Head) Newest(o *Head) int { return SortNewest.Compare(h, o) }

// HeadList holds the threads of a source that has all of them in memory, in the order of
// [Head.Newest].
type HeadList struct {
	Len int
	// Head returns the head of the thread at an index, without Rest and Key.
	Head func(index int) Head
	// Keyed caches the lists in keyed orders while Of is equal. It may be nil if no such
	// order is asked for.
	Keyed *KeyedLists
	Of    any
}

// Page returns the heads that a query asks for, and reports whether there are more. match
// reports whether the query asks for a thread, and whether the thread waits for the user.
func (l *HeadList) Page(q *HeadQuery, match func(*Head) (wanted, waits bool)) (page []Head, more bool) {
	if q.Order != SortUnread {
		return l.take(nil, l.walk(q.Order, q.After), q.Limit, func(h *Head) bool {
			wanted, _ := match(h)
			return wanted
		})
	}
	for _, rest := range []bool{false, true} {
		var after *Head // nil: the second part follows all of the first
		if q.After != nil && q.After.Rest == rest {
			after = q.After
		} else if q.After != nil && !rest {
			continue
		}
		page, more = l.take(page, l.walk(SortNewest, after), q.Limit, func(h *Head) bool {
			wanted, waits := match(h)
			h.Rest = rest
			return wanted && waits != rest
		})
		if more {
			break
		}
	}
	return page, more
}

// take adds heads to a page until it is full, and reports whether there are more.
func (l *HeadList) take(page []Head, list iter.Seq[Head], limit int, want func(*Head) bool) (_ []Head, more bool) {
	for h := range list {
		if !want(&h) {
			continue
		}
		if len(page) == limit {
			return page, true
		}
		page = append(page, h)
	}
	return page, false
}

// walk iterates over the list in an order, starting after the head after, or at the
// first thread if that is nil.
func (l *HeadList) walk(o Sort, after *Head) iter.Seq[Head] {
	at, n, start := l.Head, l.Len, 0
	if o.Keyed() {
		keyed := l.Keyed.Get(l.Of, o, l.all)
		at, n = func(i int) Head { return keyed[i] }, len(keyed)
	}
	step := func(i int) Head { return at(i) }
	if o == SortOldest {
		step = func(i int) Head { return at(n - 1 - i) }
	}
	if after != nil {
		start = sort.Search(n, func(i int) bool {
			h := step(i)
			return o.Compare(after, &h) < 0
		})
	}
	return func(yield func(Head) bool) {
		for i := start; i < n; i++ {
			if !yield(step(i)) {
				return
			}
		}
	}
}

func (l *HeadList) all() []Head {
	list := make([]Head, l.Len)
	for i := range list {
		list[i] = l.Head(i)
	}
	return list
}

// KeyedLists caches the heads of a source in the keyed orders that were asked for. The zero
// value is empty, and it is safe for concurrent use.
type KeyedLists struct {
	mu    sync.Mutex
	of    any
	lists map[Sort][]Head
}

// Get returns the heads in a keyed order. of identifies the source's state. If no list of that
// state is cached, Get sorts all heads, which heads returns.
func (k *KeyedLists) Get(of any, o Sort, heads func() []Head) []Head {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.of != of || k.lists == nil {
		k.of, k.lists = of, make(map[Sort][]Head)
	}
	if list, ok := k.lists[o]; ok {
		return list
	}
	list := heads()
	for i := range list {
		list[i].Key = o.key(&list[i])
	}
	slices.SortFunc(list, func(a, b Head) int { return o.Compare(&a, &b) })
	k.lists[o] = list
	return list
}

// Cursor is a place in an inbox that shows several sources.
type Cursor struct {
	Head
	// Digest replaces Name if the name is too long for a cursor. See [mail.Digest].
	Digest string `json:"d,omitempty"`
	// Order is empty if the newest thread comes first.
	Order Sort `json:"o,omitempty"`
}

// Sent returns the cursor as opaque text for a client.
func (c Cursor) Sent() string {
	if len(c.Name) > mail.MaxName {
		c.Name, c.Digest = "", mail.Digest(c.Name)
	}
	if c.Order == SortNewest {
		c.Order = ""
	}
	return Opaque(c)
}

// Opaque returns a place as opaque text for a client.
func Opaque(place any) string {
	data, err := json.Marshal(place)
	if err != nil {
		return ""
	}
	return base64.RawURLEncoding.EncodeToString(data)
}

// ParseOpaque returns the place that [Opaque] turned into text. Empty text is the zero place.
func ParseOpaque[T any](s string) (place T, err error) {
	if s == "" {
		return place, nil
	}
	data, err := base64.RawURLEncoding.DecodeString(s)
	if err == nil {
		err = json.Unmarshal(data, &place)
	}
	if err != nil || string(data) == "null" {
		return place, &Error{Kind: Malformed, Message: "the cursor is not one that a page gave", Detail: "cursor", Err: err}
	}
	return place, nil
}

// Cursor returns the head as opaque text for a client. The text has no order, so it is for
// lists that have only one.
func (h *Head) Cursor() string { return Cursor{Head: *h}.Sent() }

// ParseHead returns the head that [Head.Cursor] turned into text. Its name is empty if
// the name was too long for a cursor.
func ParseHead(s string) (Head, error) {
	c, err := ParseOpaque[Cursor](s)
	return c.Head, err
}

// Rank returns 1 for true and 0 for false, so that true sorts last.
func Rank(last bool) int {
	if last {
		return 1
	}
	return 0
}
