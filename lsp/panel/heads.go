package panel

import (
	"cmp"
	"iter"
	"slices"
	"sort"
	"strings"
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
