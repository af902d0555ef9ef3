package index

import (
	"cmp"
	"iter"
	"slices"
	"sort"
	"strings"
)

// Sort is an order in which threads are listed. Each is total, so that a place in
// it stays where it is while mail comes in. The zero value is Newest. The words are those
// of panel.Sort.
type Sort string

const (
	// Newest is by the newest message, the freshest thread first, then by name.
	Newest Sort = "newest"
	// Oldest is Newest from its end.
	Oldest Sort = "oldest"
	// WaitingFirst puts the threads before the others that hold something unread,
	// or that came back to be looked at. Each part is as Newest.
	WaitingFirst Sort = "unread"
)

// Place is a place in a list: at a thread, or between two. It stays where it is while mail
// comes in.
type Place struct {
	// TS is the time of the thread's newest message.
	TS   int64
	Name string
	// Rest is set if the place is after the threads that wait. It counts with
	// WaitingFirst only.
	Rest bool
}

// Listing asks for a part of a list of threads.
type Listing struct {
	Filter
	Sort Sort
	// After is the place after which the part begins. Nil is the beginning. With Oldest
	// a thread at the place itself belongs to the part. A Name that ends in a zero byte
	// is after it.
	After *Place
	Limit int
}

// List lists threads in any order. more is set if others follow the last.
func (l *Live) List(q Listing) (list []Thread, more bool) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	left := l.idx.asking + q.Due
	if q.NeedsReply {
		left = l.idx.needingReply + q.Due
	}
	for t := range l.walk(&q) {
		if q.Asks || q.NeedsReply {
			if left == 0 {
				return list, false
			}
			if !q.needs(l.idx, t) {
				continue
			}
			left--
		}
		if q.Shelf != nil && !q.shown(l.idx, t) || q.Unread && !q.waits(l.idx, t) {
			continue
		}
		info := l.thread(t)
		if q.Mine && !info.Mine {
			continue
		}
		if len(list) == q.Limit {
			return list, true
		}
		list = append(list, info)
	}
	return list, false
}

// shown reports whether a thread is not put away.
func (f *Filter) shown(x *index, t uint32) bool {
	hidden, _ := f.Shelf(x.names.text(x.threads[t].name), x.mailOf(&x.threads[t]))
	return !hidden
}

// needs reports whether a thread asks or needs a reply, as the filter wants.
func (f *Filter) needs(x *index, t uint32) bool {
	found := &x.threads[t]
	if f.Unasked {
		return x.needsReply(found) && !x.asks(found) && !f.due(x, t)
	}
	return (!f.Asks || x.asks(found) || f.OrDue && f.due(x, t)) && (!f.NeedsReply || x.needsReply(found) || f.due(x, t))
}

// waits reports whether a thread holds an unread message, or was put away and came back.
func (f *Filter) waits(x *index, t uint32) bool {
	return x.threads[t].unread > 0 || f.due(x, t)
}

// due reports whether a thread was put away and came back.
func (f *Filter) due(x *index, t uint32) bool {
	if f.Shelf == nil || f.Due == 0 {
		return false
	}
	_, due := f.Shelf(x.names.text(x.threads[t].name), x.mailOf(&x.threads[t]))
	return due
}

// walk returns the threads of a list in order. The lock is held.
func (l *Live) walk(q *Listing) iter.Seq[uint32] {
	x := l.idx
	if q.Only != nil {
		return x.some(q)
	}
	switch q.Sort {
	case Oldest:
		return slices.Values(x.order[x.start(q, x.order):])
	case WaitingFirst:
		return x.parts(q)
	}
	return x.freshest(q.After)
}

// start returns the index at which a list begins among threads that stand in its order.
func (x *index) start(q *Listing, order []uint32) int {
	return q.start(len(order), func(i int) Place { return x.placeOf(q, order[i]) })
}

// start returns how many of n places, in the list's order, come before its beginning.
func (q *Listing) start(n int, at func(i int) Place) int {
	if q.After == nil {
		return 0
	}
	return sort.Search(n, func(i int) bool {
		p := at(i)
		c := q.Sort.compare(q.After, &p)
		return c < 0 || c == 0 && q.Sort == Oldest
	})
}

// freshest walks all threads from the newest on, or from a place.
func (x *index) freshest(after *Place) iter.Seq[uint32] {
	q := Listing{Sort: Newest, After: after}
	n := len(x.order)
	end := n - q.start(n, func(i int) Place { return x.placeOf(&q, x.order[n-1-i]) })
	return func(yield func(uint32) bool) {
		for _, t := range slices.Backward(x.order[:end]) {
			if !yield(t) {
				return
			}
		}
	}
}

// parts walks the threads that wait, then the others.
func (x *index) parts(q *Listing) iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		after := q.After
		if after == nil || !after.Rest {
			// Not further than the last thread that waits.
			left := x.waiting + q.Due
			for t := range x.freshest(after) {
				if left == 0 {
					break
				}
				if !q.waits(x, t) {
					continue
				}
				if left--; !yield(t) {
					return
				}
			}
			after = nil
		}
		if q.Unread {
			return
		}
		for t := range x.freshest(after) {
			if !q.waits(x, t) && !yield(t) {
				return
			}
		}
	}
}

// some walks the threads that [Filter.Only] names, in order.
func (x *index) some(q *Listing) iter.Seq[uint32] {
	type placed struct {
		Place
		thread uint32
	}
	list := make([]*placed, 0, len(q.Only))
	for _, name := range q.Only {
		if t, ok := x.findThread(name); ok {
			list = append(list, &placed{x.placeOf(q, t), t})
		}
	}
	slices.SortFunc(list, func(a, b *placed) int { return q.Sort.compare(&a.Place, &b.Place) })
	start := q.start(len(list), func(i int) Place { return list[i].Place })
	return func(yield func(uint32) bool) {
		for _, p := range list[start:] {
			if !yield(p.thread) {
				return
			}
		}
	}
}

// placeOf returns the place of a thread.
func (x *index) placeOf(q *Listing, t uint32) Place {
	last := x.entries.at(x.threads[t].last)
	p := Place{TS: last.ts, Name: x.names.text(x.threads[t].name)}
	if q.Sort == WaitingFirst {
		p.Rest = !q.waits(x, t)
	}
	return p
}

// compare is negative if a comes first in a list.
func (s Sort) compare(a, b *Place) int {
	switch {
	case s == Oldest:
		a, b = b, a
	case s == WaitingFirst && a.Rest != b.Rest:
		if a.Rest {
			return 1
		}
		return -1
	}
	// Names are looked at last: most times differ.
	if a.TS != b.TS {
		return cmp.Compare(b.TS, a.TS)
	}
	return strings.Compare(b.Name, a.Name)
}

// Each calls visit with every thread, the newest first: its name, who wrote last and when,
// in Unix seconds. visit is called with the store's lock held.
func (l *Live) Each(visit func(name, from string, last int64)) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	x := l.idx
	for _, t := range slices.Backward(x.order) {
		last := x.entries.at(x.threads[t].last)
		visit(x.names.text(x.threads[t].name), x.names.text(last.from), last.ts)
	}
}

// Tally is what a thread adds to counts.
type Tally struct {
	// Mail holds the digests of its messages to the reader, as [Live.Mail] does. Unread
	// counts those that wait.
	Mail   []uint64
	Unread int
	// Asks is set if it asks the reader something, and Owed if it needs the
	// reader's reply.
	Asks, NeedsReply bool
}

// Tally returns the weights of threads by name, and the numbers of the store at the same
// moment: one is part of the other. A thread that is not there has no weight.
func (l *Live) Tally(names []string) (map[string]Tally, Stats) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	tallies := make(map[string]Tally, len(names))
	for _, name := range names {
		if t, ok := l.idx.findThread(name); ok {
			found := &l.idx.threads[t]
			tallies[name] = Tally{slices.Collect(l.idx.mailOf(found)), int(found.unread), l.idx.asks(found), l.idx.needsReply(found)}
		}
	}
	return tallies, l.stats()
}

// Mail returns the digests of a thread's messages to the reader, the newest first. A digest
// stands for one message and is the same in every run. A thread that is not there has none.
func (l *Live) Mail(name string) []uint64 {
	l.mu.RLock()
	defer l.mu.RUnlock()
	t, ok := l.idx.findThread(name)
	if !ok {
		return nil
	}
	return slices.Collect(l.idx.mailOf(&l.idx.threads[t]))
}

// SetReplySince sets from when on, in Unix seconds, a message to the reader needs a reply if it
// is the last word of its thread and somebody else wrote it. A message that asks the reader
// something needs one whenever it was written.
func (l *Live) SetReplySince(ts int64) {
	l.mu.RLock()
	same := l.idx.since == ts
	l.mu.RUnlock()
	if same {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.idx.setReplySince(ts)
}

func (x *index) setReplySince(ts int64) {
	x.since, x.needingReply = ts, 0
	for _, t := range x.order {
		if x.needsReply(&x.threads[t]) {
			x.needingReply++
		}
	}
}
