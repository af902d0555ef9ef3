package index

import (
	"cmp"
	"slices"
	"strings"
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
}

func (x *index) rank(t uint32) {
	if x.order == nil || x.threads[t].last == none {
		return
	}
	x.order = with(x.order, t, x.older)
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
