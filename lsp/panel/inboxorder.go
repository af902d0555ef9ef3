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
	"github.com/signalbox-dev/signalbox/lsp/store"
	"github.com/signalbox-dev/signalbox/lsp/store/mailbox"
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

// inStore is what a message directory calls it.
func (o Sort) inStore() store.Sort {
	return map[Sort]store.Sort{SortOldest: store.Oldest, SortUnread: store.WaitingFirst, SortSender: store.BySender}[o]
}

// cursor is a place in an inbox over several stores: newest first by time, then
// name, then store, or in another order.
type cursor struct {
	at
	Name  string `json:"n"`
	Store string `json:"s"`
	// Digest is of the name if that is too long for a cursor.
	Digest string `json:"d,omitempty"`
	// Order is empty for newest first. Rest tells, in that of what waits, that the
	// place is behind it, and From is who wrote last, in that of senders.
	Order Sort   `json:"o,omitempty"`
	Rest  bool   `json:"r,omitempty"`
	From  string `json:"f,omitempty"`
}

// at is a time in seconds, which may be any number, and the thousandths that
// some formats have besides.
type at struct {
	TS int64 `json:"t"`
	MS int64 `json:"m,omitempty"`
}

// atMillis splits Unix milliseconds.
func atMillis(ms int64) at {
	a := at{ms / 1000, ms % 1000}
	if a.MS < 0 {
		a.TS, a.MS = a.TS-1, a.MS+1000
	}
	return a
}

// compare is negative where a comes first in a list.
func (o Sort) compare(a, b *cursor) int {
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

// behind is negative where c comes first in a list from the newest on.
func (c *cursor) behind(d *cursor) int { return SortNewest.compare(c, d) }

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

// named puts the long name back, out of whichever store knows it. If none does
// any more, the list goes on behind all of that time.
func (c cursor) named(stores []opened) cursor {
	for i := 0; i < len(stores) && c.Digest != ""; i++ {
		if name, ok := stores[i].live.LongName(c.Digest); ok {
			c.Name, c.Digest = name, ""
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

// placeAfter reads the cursor of a request, or gives nil where there is none.
func placeAfter(q *InboxParams, o Sort, stores []opened) (*cursor, error) {
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
	c = c.named(stores)
	return &c, nil
}

// inStore gives where a message directory's threads go on behind the cursor.
func (c *cursor) inStore(id string, o Sort) *store.Place {
	p := &store.Place{Cursor: store.Cursor{TS: c.TS, Name: c.Name}, Rest: c.Rest, Sender: c.From}
	// Threads of that very time and name come behind it in some of the stores. A
	// name and a zero byte are the next name there is.
	same := id < c.Store
	if o == SortOldest {
		same = id <= c.Store
	}
	switch {
	case c.MS > 0:
		// Its threads of that second come behind, or before it, whatever their
		// names, which are valid UTF-8.
		p.Name = "\xff"
	case same:
		p.Name += "\x00"
	}
	return p
}

// ordered walks a list, which is given from the newest on, in any order and from a
// place on. sorted gives the list by sender.
func ordered[T any](list []T, o Sort, after *cursor, place func(T) cursor, sorted func() []T) iter.Seq[T] {
	from := func(list []T, o Sort, after *cursor) []T {
		if after == nil {
			return list
		}
		return list[sort.Search(len(list), func(i int) bool {
			p := place(list[i])
			return o.compare(after, &p) < 0
		}):]
	}
	switch o {
	case SortOldest:
		end := len(list)
		if after != nil {
			end = sort.Search(len(list), func(i int) bool {
				p := place(list[i])
				return after.behind(&p) <= 0
			})
		}
		return func(yield func(T) bool) {
			for _, t := range slices.Backward(list[:end]) {
				if !yield(t) {
					return
				}
			}
		}
	case SortUnread:
		return func(yield func(T) bool) {
			for _, rest := range []bool{false, true} {
				if after != nil && after.Rest && !rest {
					continue
				}
				part := list // all of the second part is behind a place in the first
				if after != nil && after.Rest == rest {
					part = from(list, SortNewest, after)
				}
				for _, t := range part {
					if place(t).Rest == rest && !yield(t) {
						return
					}
				}
			}
		}
	case SortSender:
		return slices.Values(from(sorted(), o, after))
	}
	return slices.Values(from(list, o, after))
}

// bySender sorts a list that is given from the newest on.
func bySender[T any](list []T, place func(T) cursor) []T {
	type placed struct {
		cursor
		item T
	}
	all := make([]placed, len(list))
	for i, t := range list {
		all[i] = placed{place(t), t}
	}
	slices.SortFunc(all, func(a, b placed) int { return SortSender.compare(&a.cursor, &b.cursor) })
	out := make([]T, len(all))
	for i := range all {
		out[i] = all[i].item
	}
	return out
}

// senderCache holds a list by sender for as long as the list itself stands: who
// pages through it sorts it once.
type senderCache[S comparable, T any] struct {
	mu   sync.Mutex
	of   S
	own  *mailbox.Mailbox // whose domain is left out of names
	list []T
}

func (c *senderCache[S, T]) sort(of S, own *mailbox.Mailbox, list []T, place func(T) cursor) []T {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.of != of || c.own != own || len(c.list) != len(list) {
		c.of, c.own, c.list = of, own, bySender(list, place)
	}
	return c.list
}
