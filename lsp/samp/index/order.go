package index

import (
	"cmp"
	"iter"
	"slices"
	"sort"
	"strings"
)

// Sort is an order of threads in a list. Every order is total, so that a place in it stays
// valid while mail arrives. The zero value means Newest. The values equal those in panel.Sort.
type Sort string

const (
	// Newest sorts by the time of the newest message, newest first, then by name.
	Newest Sort = "newest"
	// Oldest is Newest reversed.
	Oldest Sort = "oldest"
	// WaitingFirst lists threads with unread messages, and due threads, before the others.
	// Both parts are sorted as Newest.
	WaitingFirst Sort = "unread"
)

// Place is a place in a list: at a thread, or between two. It stays valid while mail arrives.
type Place struct {
	// TS is the time of the thread's newest message.
	TS   int64
	Name string
	// Rest is set if the place is after the waiting threads. Only WaitingFirst uses it.
	Rest bool
}

// Listing asks for a part of a list of threads.
type Listing struct {
	Filter
	Sort Sort
	// After is the place after which the part begins. Nil is the beginning. With Oldest
	// a thread at the place itself belongs to the part, unless a zero byte is appended to
	// Name.
	After *Place
	Limit int
}

// List returns the part of the list that q asks for. more is set if other threads follow.
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

// needs reports whether a thread asks, needs a reply or is due, as the filter wants.
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
		return x.only(q)
	}
	switch q.Sort {
	case Oldest:
		return slices.Values(x.order[x.start(q, x.order):])
	case WaitingFirst:
		return x.waitingFirst(q)
	}
	return x.newestFirst(q.After)
}

// start returns the index at which a list begins among threads in its order.
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

// newestFirst walks all threads, newest first, or the threads after a place.
func (x *index) newestFirst(after *Place) iter.Seq[uint32] {
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

// waitingFirst walks the waiting threads, then the others.
func (x *index) waitingFirst(q *Listing) iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		after := q.After
		if after == nil || !after.Rest {
			// Stop at the last waiting thread.
			left := x.waiting + q.Due
			for t := range x.newestFirst(after) {
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
		for t := range x.newestFirst(after) {
			if !q.waits(x, t) && !yield(t) {
				return
			}
		}
	}
}

// only walks the threads in [Filter.Only], in order.
func (x *index) only(q *Listing) iter.Seq[uint32] {
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

// compare returns a negative number if a comes first in a list.
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
	// Names are compared last, since most times differ.
	if a.TS != b.TS {
		return cmp.Compare(b.TS, a.TS)
	}
	return strings.Compare(b.Name, a.Name)
}

// Each calls visit for every thread, newest first, with its name and the sender and time of
// its last message, in Unix seconds. It holds the store's lock meanwhile.
func (l *Live) Each(visit func(name, from string, last int64)) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	x := l.idx
	for _, t := range slices.Backward(x.order) {
		last := x.entries.at(x.threads[t].last)
		visit(x.names.text(x.threads[t].name), x.names.text(last.from), last.ts)
	}
}

// Tally is a thread's share in the store's counts.
type Tally struct {
	// Mail is the thread's [Live.Mail]. Unread counts the unread messages to the reader.
	Mail   []uint64
	Unread int
	// Asks is set if the thread asks the reader something, and NeedsReply if it needs the
	// reader's reply.
	Asks, NeedsReply bool
}

// Tally returns the tallies of existing threads by name, and the numbers of the store at the
// same moment, so that the tallies can be subtracted from these.
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

// Mail returns the digests of a thread's messages to the reader, newest first. A digest
// identifies a message and is the same in every run. Mail returns nil for an unknown thread.
func (l *Live) Mail(name string) []uint64 {
	l.mu.RLock()
	defer l.mu.RUnlock()
	t, ok := l.idx.findThread(name)
	if !ok {
		return nil
	}
	return slices.Collect(l.idx.mailOf(&l.idx.threads[t]))
}

// SetReplySince sets the time, in Unix seconds, from which a thread's last message needs a
// reply if it is to the reader and from somebody else. A message that asks the reader
// something needs a reply whatever its time.
func (l *Live) SetReplySince(ts int64) {
	l.mu.RLock()
	same := l.idx.replySince == ts
	l.mu.RUnlock()
	if same {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.idx.setReplySince(ts)
}

func (x *index) setReplySince(ts int64) {
	x.replySince, x.needingReply = ts, 0
	for _, t := range x.order {
		if x.needsReply(&x.threads[t]) {
			x.needingReply++
		}
	}
}
