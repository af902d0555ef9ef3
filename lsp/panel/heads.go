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

// The orders of an inbox, as values of [InboxParams.Sort].
const (
	SortNewest Sort = "newest" // the default
	SortOldest Sort = "oldest"
	SortUnread Sort = "unread" // threads that wait for the user, then the others, both newest first
	SortSender Sort = "sender" // by the shown name of who wrote last, then newest first
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

// Head is what a list needs to know of a thread: its order keys.
type Head struct {
	At
	Name  string `json:"n"`
	Store string `json:"s"`
	// Rest is set for a thread that does not wait for the user, in the order SortUnread.
	Rest bool `json:"r,omitempty"`
	// From is the [mail.SenderKey] of who wrote last, in the order SortSender.
	From string `json:"f,omitempty"`
	// Number is the number that the view itself gave the thread.
	Number int `json:"-"`
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
		return cmp.Or(strings.Compare(a.From, b.From), newest)
	}
	return newest
}

// Newest returns a negative number if h comes before o in a list with the newest thread
// first.
func (h *Head) Newest(o *Head) int { return SortNewest.Compare(h, o) }

// HeadList holds all threads of a source that is in memory, newest first in the order
// of [Head.Newest].
type HeadList struct {
	Len int
	// Head returns the head of the thread at a number, without Rest and From.
	Head func(number int) Head
	// Senders returns all heads in the order of SortSender. See [SenderList].
	Senders func() []Head
}

// Page returns the heads that a query asks for, and reports whether there are more. keep
// reports whether the query wants a thread, and whether the thread waits for the user.
func (l *HeadList) Page(q *HeadQuery, keep func(*Head) (wanted, waits bool)) (page []Head, more bool) {
	if q.Order != SortUnread {
		return l.take(nil, l.walk(q.Order, q.After), q.Limit, func(h *Head) bool {
			wanted, _ := keep(h)
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

// walk iterates over the list in an order, starting after the head after, or at the
// first thread if that is nil.
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

// SenderList returns the heads of n threads in the order SortSender, for
// [HeadList.Senders]. head has to set From.
func SenderList(n int, head func(number int) Head) []Head {
	list := make([]Head, n)
	for i := range list {
		list[i] = head(i)
	}
	slices.SortFunc(list, func(a, b Head) int { return SortSender.Compare(&a, &b) })
	return list
}

// Latest caches the last value that was made, together with the key it was made from.
type Latest[K comparable, V any] struct {
	mu    sync.Mutex
	made  bool
	of    K
	value V
}

// Get returns the cached value if it was made from the same key. Otherwise it calls
// produce and caches the result.
func (l *Latest[K, V]) Get(of K, produce func() V) V {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.made || l.of != of {
		l.made, l.of, l.value = true, of, produce()
	}
	return l.value
}

// cursor is a place in an inbox that shows several sources.
type cursor struct {
	Head
	// Digest replaces Name if the name is too long for a cursor. See [mail.Digest].
	Digest string `json:"d,omitempty"`
	// Order is empty if the newest thread comes first.
	Order Sort `json:"o,omitempty"`
}

// sent returns the cursor as the opaque text that a client gets.
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

// Cursor returns the head as the opaque text that a client gets. The text names no
// order, so it is for lists that have only one.
func (h *Head) Cursor() string { return cursor{Head: *h}.sent() }

// ParseHead returns the head that [Head.Cursor] turned into text. Its name is empty if
// the name was too long for a cursor.
func ParseHead(s string) (Head, error) {
	c, err := parseCursor(s)
	return c.Head, err
}

// named returns the cursor with the long name that its digest stands for, if a view
// knows the name. If no view does any more, the name stays empty, and the list goes on
// after all threads of that time.
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

// placeAfter returns the head that the cursor of a request names, or nil if the request
// has no cursor. A cursor of a list in another order is an error.
func placeAfter(q *InboxParams, o Sort, views []view) (*Head, error) {
	if q.Cursor == "" {
		return nil, nil //nolint:nilnil // without a cursor the list starts at the first thread
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
