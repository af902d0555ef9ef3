package index

import (
	"cmp"
	"slices"

	"github.com/signalbox-dev/signalbox/lsp/store"
)

// decideAgain decides again which of a sender's entries are shown. It is needed if one
// id stands for two contents, which only a forger or a broken writer produces: then
// hiding one entry may bring another back.
func (x *index) decideAgain(from uint32) {
	var list []uint32
	odd := x.oddRead()
	for n := range uint32(x.entries.n) {
		e := x.entries.at(n)
		if e.from != from {
			continue
		}
		list = append(list, n)
		if e.state&visible != 0 {
			x.hide(n)
		} else {
			x.renewRead(e, odd)
		}
		if e.state&suspicious != 0 {
			e.state &^= suspicious
			x.suspected--
		}
	}
	slices.SortFunc(list, func(a, b uint32) int {
		ea, eb := x.entries.at(a), x.entries.at(b)
		return cmp.Or(cmp.Compare(ea.filing, eb.filing), x.place(ea, eb))
	})
	for _, n := range list {
		x.insert(n)
	}
}

// oddKey is a [store.Key] whose id is odd, as entries hold it.
type oddKey struct {
	from string
	id   uint64
}

func (x *index) oddRead() map[oddKey]struct{} {
	odd := make(map[oddKey]struct{})
	for _, k := range x.readOdd() {
		odd[oddKey{k.From, idBits(k.ID)}] = struct{}{}
	}
	return odd
}

// renew updates the read flag of the shown messages with a key, and returns the threads
// that this changed.
func (x *index) renew(k store.Key) (touched []uint32) {
	for n := range x.keyed(k) {
		if x.setRead(n, x.read(k)) {
			touched = append(touched, x.entries.at(n).thread)
		}
	}
	return touched
}

// renewRead updates the read flag of an entry that was not shown when messages were
// marked.
func (x *index) renewRead(e *entry, odd map[oddKey]struct{}) {
	from := x.names.text(e.from)
	read := false
	if e.state&oddID != 0 {
		_, read = odd[oddKey{from, e.id}]
	} else {
		read = x.read(store.Key{From: from, ID: hexID(e.id)})
	}
	e.state &^= isRead
	if read {
		e.state |= isRead
	}
}
