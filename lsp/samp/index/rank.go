package index

import (
	"cmp"
	"slices"
	"strings"
)

// compareAge compares threads by their newest message, oldest first, then by name.
func (x *index) compareAge(a, b uint32) int {
	ta, tb := x.entries.at(x.threads[a].last).ts, x.entries.at(x.threads[b].last).ts
	if ta != tb {
		return cmp.Compare(ta, tb)
	}
	return strings.Compare(x.names.text(x.threads[a].name), x.names.text(x.threads[b].name))
}

// sort rebuilds the order from all threads that have messages.
func (x *index) sort() {
	// The list holds the times, since most comparisons need nothing else.
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
		return x.compareAge(a.t, b.t)
	})
	x.order = make([]uint32, len(list))
	for i := range list {
		x.order[i] = list[i].t
	}
}

// unrank removes a thread from the order before one of its messages changes, and rank
// puts it back. Both do nothing while there is no order.
func (x *index) unrank(t uint32) {
	if x.order == nil || x.threads[t].last == none {
		return
	}
	x.order = removeSorted(x.order, t, x.compareAge)
}

func (x *index) rank(t uint32) {
	if x.order == nil || x.threads[t].last == none {
		return
	}
	x.order = insertSorted(x.order, t, x.compareAge)
}

// insertSorted returns an order with a thread inserted, and removeSorted without it.
func insertSorted(order []uint32, t uint32, compare func(a, b uint32) int) []uint32 {
	i, _ := slices.BinarySearchFunc(order, t, compare)
	return slices.Insert(order, i, t)
}

func removeSorted(order []uint32, t uint32, compare func(a, b uint32) int) []uint32 {
	if i, found := slices.BinarySearchFunc(order, t, compare); found {
		return slices.Delete(order, i, i+1)
	}
	return order
}
