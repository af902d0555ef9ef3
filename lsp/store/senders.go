package store

import (
	"iter"
	"slices"
	"strings"
)

// sender holds the threads whose newest message is of one [SenderKey], ordered as
// index.order is.
type sender struct {
	key   string
	order []uint32
}

// sortSenders makes the lists by sender, the first time one is asked for: most
// users never do. From then on they are kept as index.order is.
func (x *index) sortSenders() {
	if x.senders != nil {
		return
	}
	lists := make(map[string][]uint32)
	for _, t := range x.order {
		key := x.senderOf(t)
		lists[key] = append(lists[key], t)
	}
	x.senders = make([]sender, 0, len(lists))
	for key, order := range lists {
		x.senders = append(x.senders, sender{key, order})
	}
	slices.SortFunc(x.senders, func(a, b sender) int { return strings.Compare(a.key, b.key) })
}

func (x *index) senderOf(t uint32) string {
	return SenderKey(x.names.text(x.entries.at(x.threads[t].last).from))
}

func (x *index) findSender(key string) (int, bool) {
	return slices.BinarySearchFunc(x.senders, key, func(s sender, key string) int { return strings.Compare(s.key, key) })
}

// unrankSender and rankSender do for the lists by sender what unrank and rank do
// for index.order.
func (x *index) unrankSender(t uint32) {
	if x.senders == nil {
		return
	}
	at, found := x.findSender(x.senderOf(t))
	if !found {
		return
	}
	s := &x.senders[at]
	if i, found := slices.BinarySearchFunc(s.order, t, x.older); found {
		s.order = slices.Delete(s.order, i, i+1)
	}
	if len(s.order) == 0 {
		x.senders = slices.Delete(x.senders, at, at+1)
	}
}

func (x *index) rankSender(t uint32) {
	if x.senders == nil {
		return
	}
	key := x.senderOf(t)
	at, found := x.findSender(key)
	if !found {
		x.senders = slices.Insert(x.senders, at, sender{key: key})
	}
	s := &x.senders[at]
	i, _ := slices.BinarySearchFunc(s.order, t, x.older)
	s.order = slices.Insert(s.order, i, t)
}

// bySender walks the threads sender by sender.
func (x *index) bySender(after *Place) iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		start := 0
		if after != nil {
			start, _ = x.findSender(after.Sender)
		}
		for i := start; i < len(x.senders); i++ {
			place := after
			if after != nil && x.senders[i].key != after.Sender {
				place = nil
			}
			for t := range x.freshest(x.senders[i].order, place) {
				if !yield(t) {
					return
				}
			}
		}
	}
}
