package index

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/core/mail"
)

// older orders threads by their newest message, then by name.
func (x *index) older(a, b uint32) int {
	ta, tb := x.entries.at(x.threads[a].last).ts, x.entries.at(x.threads[b].last).ts
	if ta != tb {
		return cmp.Compare(ta, tb)
	}
	return strings.Compare(x.names.text(x.threads[a].name), x.names.text(x.threads[b].name))
}

// sort makes the order after the index was filled.
func (x *index) sort() {
	// The times stand side by side, since most comparisons need no more.
	type timed struct {
		ts int64
		t  uint32
	}
	list := make([]timed, 0, len(x.threads))
	for t := range x.threads {
		if last := x.threads[t].last; last != none {
			list = append(list, timed{x.entries.at(last).ts, uint32(t)})
		}
	}
	slices.SortFunc(list, func(a, b timed) int {
		if a.ts != b.ts {
			return cmp.Compare(a.ts, b.ts)
		}
		return x.older(a.t, b.t)
	})
	x.order = make([]uint32, len(list))
	for i := range list {
		x.order[i] = list[i].t
	}
}

// unrank takes a thread out of the orders before one of its messages changes, and rank
// puts it back. While the index is filled there is no order to keep.
func (x *index) unrank(t uint32) {
	if x.order == nil || x.threads[t].last == none {
		return
	}
	x.order = without(x.order, t, x.older)
	if x.senders != nil {
		x.senders = without(x.senders, t, x.senderOrder)
	}
}

func (x *index) rank(t uint32) {
	if x.order == nil || x.threads[t].last == none {
		return
	}
	x.order = with(x.order, t, x.older)
	if x.senders != nil {
		x.senders = with(x.senders, t, x.senderOrder)
	}
}

// with puts a thread into an order, and without takes it out.
func with(order []uint32, t uint32, compare func(a, b uint32) int) []uint32 {
	i, _ := slices.BinarySearchFunc(order, t, compare)
	return slices.Insert(order, i, t)
}

func without(order []uint32, t uint32, compare func(a, b uint32) int) []uint32 {
	if i, found := slices.BinarySearchFunc(order, t, compare); found {
		return slices.Delete(order, i, i+1)
	}
	return order
}

// senderOrder compares threads as [BySender] does.
func (x *index) senderOrder(a, b uint32) int {
	if c := strings.Compare(x.senderOf(a), x.senderOf(b)); c != 0 {
		return c
	}
	return x.older(b, a)
}

// senderOf returns the [mail.SenderKey] of a thread's newest message.
func (x *index) senderOf(t uint32) string {
	return mail.SenderKey(x.names.text(x.entries.at(x.threads[t].last).from))
}

// sortSenders makes the order by sender, the first time somebody asks for it: most
// users never do.
func (x *index) sortSenders() {
	if x.senders != nil {
		return
	}
	// The threads of each sender are in order already.
	lists := make(map[string][]uint32)
	for _, t := range slices.Backward(x.order) {
		key := x.senderOf(t)
		lists[key] = append(lists[key], t)
	}
	x.senders = make([]uint32, 0, len(x.order))
	for _, key := range slices.Sorted(maps.Keys(lists)) {
		x.senders = append(x.senders, lists[key]...)
	}
}
