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

// Sort is an order of the inbox.
type Sort string

// The orders of an inbox, for [InboxParams.Sort].
const (
	SortNewest Sort = "newest" // the default
	SortOldest Sort = "oldest"
	SortUnread Sort = "unread" // threads that wait for the user before the others, each part as newest
	SortSender Sort = "sender" // by who wrote last, as the list names them, then as newest
)

func parseOrder(s Sort) (Sort, error) {
	switch s {
	case "":
		return SortNewest, nil
	case SortNewest, SortOldest, SortUnread, SortSender:
		return s, nil
	}
	return "", &Error{Kind: Malformed, Message: "sort is to be newest, oldest, unread or sender", Detail: "sort"}
}

// Head is what a list needs to know of a thread: the keys of its order.
type Head struct {
	At
	Name  string `json:"n"`
	Store string `json:"s"`
	// Rest is set, where those that wait come first, for a thread that does not.
	Rest bool `json:"r,omitempty"`
	// From is, where a list is by sender, the key of who wrote last: [store.SenderKey].
	From string `json:"f,omitempty"`
	// Number is the view's own for the thread.
	Number int `json:"-"`
}

// At is a time in seconds, which may be any number, and the thousandths that some
// formats have besides.
type At struct {
	TS int64 `json:"t"`
	MS int64 `json:"m,omitempty"`
}

// AtMillis splits Unix milliseconds.
func AtMillis(ms int64) At {
	a := At{ms / 1000, ms % 1000}
	if a.MS < 0 {
		a.TS, a.MS = a.TS-1, a.MS+1000
	}
	return a
}

// HeadQuery asks a view for heads: those behind After, or from the first on.
type HeadQuery struct {
	Filter *InboxFilter
	Order  Sort
	After  *Head
	Limit  int
}

// Compare is negative where a comes first in a list.
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
		return cmp.Or(strings.Compare(a.From, b.From), newest)
	}
	return newest
}

// Newest is negative where the head comes first in a list from the newest on.
func (h *Head) Newest(o *Head) int { return SortNewest.Compare(h, o) }

// HeadList is all threads of a source in memory, from the newest on in the order of
// [Head.Newest].
type HeadList struct {
	Len int
	// Head returns the thread of a number, without Rest and From.
	Head func(number int) Head
	// Senders returns all heads in the order of SortSender. See [SenderList].
	Senders func() []Head
}

// Page returns the heads that a query asks for. keep reports whether the query wants a
// thread, and whether that waits for the user.
func (l *HeadList) Page(q *HeadQuery, keep func(*Head) (wanted, waits bool)) (page []Head, more bool) {
	if q.Order != SortUnread {
		return l.take(nil, l.walk(q.Order, q.After), q.Limit, func(h *Head) bool {
			wanted, _ := keep(h)
			return wanted
		})
	}
	for _, rest := range []bool{false, true} {
		var after *Head // all of the second part is behind a place in the first
		if q.After != nil && q.After.Rest == rest {
			after = q.After
		} else if q.After != nil && !rest {
			continue
		}
		page, more = l.take(page, l.walk(SortNewest, after), q.Limit, func(h *Head) bool {
			wanted, waits := keep(h)
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

// walk goes through the list in an order, from the place behind a head on.
func (l *HeadList) walk(o Sort, after *Head) iter.Seq[Head] {
	at, n, start := l.Head, l.Len, 0
	if o == SortSender {
		senders := l.Senders()
		at, n = func(i int) Head { return senders[i] }, len(senders)
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

// SenderList sorts heads for [HeadList.Senders]. head has to set From.
func SenderList(n int, head func(number int) Head) []Head {
	list := make([]Head, n)
	for i := range list {
		list[i] = head(i)
	}
	slices.SortFunc(list, func(a, b Head) int { return SortSender.Compare(&a, &b) })
	return list
}

// Latest keeps what was made last, for as long as what it was made of stays the same.
type Latest[K comparable, V any] struct {
	mu    sync.Mutex
	made  bool
	of    K
	value V
}

// Get returns what was made of a key before, or makes it.
func (l *Latest[K, V]) Get(of K, produce func() V) V {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.made || l.of != of {
		l.made, l.of, l.value = true, of, produce()
	}
	return l.value
}

// cursor is a place in an inbox over several sources, as a client gets it.
type cursor struct {
	Head
	// Digest is of the name if that is too long for a cursor.
	Digest string `json:"d,omitempty"`
	// Order is empty for newest first.
	Order Sort `json:"o,omitempty"`
}

// sent is the cursor as a client gets it.
func (c cursor) sent() string {
	if len(c.Name) > mail.MaxName {
		c.Name, c.Digest = "", mail.Digest(c.Name)
	}
	if c.Order == SortNewest {
		c.Order = ""
	}
	data, err := json.Marshal(c)
	if err != nil {
		return ""
	}
	return base64.RawURLEncoding.EncodeToString(data)
}

// Cursor returns the head as a client gets it, in a list of its own order.
func (h *Head) Cursor() string { return cursor{Head: *h}.sent() }

// ParseHead reads what [Head.Cursor] returned. A name that is too long for a cursor is
// missing.
func ParseHead(s string) (Head, error) {
	c, err := parseCursor(s)
	return c.Head, err
}

// named puts the long name back, out of whichever view knows it. If none does
// any more, the list goes on behind all of that time.
func (c cursor) named(views []view) cursor {
	for i := 0; i < len(views) && c.Digest != ""; i++ {
		if v, ok := views[i].View.(Indexed); ok {
			if name, ok := v.LongName(c.Digest); ok {
				c.Name, c.Digest = name, ""
			}
		}
	}
	return c
}

func parseCursor(s string) (c cursor, err error) {
	data, err := base64.RawURLEncoding.DecodeString(s)
	if err == nil {
		err = json.Unmarshal(data, &c)
	}
	if err != nil {
		return c, &Error{Kind: Malformed, Message: "the cursor is not one that a page gave", Err: err}
	}
	return c, nil
}

// placeAfter reads the cursor of a request, or returns nil where there is none.
func placeAfter(q *InboxParams, o Sort, views []view) (*Head, error) {
	if q.Cursor == "" {
		return nil, nil //nolint:nilnil // no cursor is the beginning
	}
	c, err := parseCursor(q.Cursor)
	if err != nil {
		return nil, err
	}
	if cmp.Or(c.Order, SortNewest) != o {
		return nil, &Error{Kind: Malformed, Message: "the cursor is of a page in another order", Detail: "cursor"}
	}
	c = c.named(views)
	return &c.Head, nil
}
