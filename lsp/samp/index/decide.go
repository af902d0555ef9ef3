package index

import (
	"cmp"
	"slices"

	sampstore "github.com/signalbox-dev/signalbox/lsp/samp"
)

// decideAgain decides again which entries of some senders are shown. It is needed if one
// id has two contents, which only a forger or a broken writer produces: then hiding one
// entry may bring another back. It walks all entries once, however many senders there are,
// and changes only contested entries.
func (x *index) decideAgain(senders map[uint32]struct{}) {
	if len(senders) == 0 {
		return
	}
	list := x.contested(senders)
	odd := x.oddRead()
	for _, n := range list {
		e := x.entries.at(n)
		if e.state&visible != 0 {
			x.hide(n)
		} else {
			x.refreshEntry(e, odd)
		}
		if e.state&suspicious != 0 {
			e.state &^= suspicious
			x.suspected--
		}
	}
	slices.SortFunc(list, func(a, b uint32) int {
		ea, eb := x.entries.at(a), x.entries.at(b)
		return cmp.Or(cmp.Compare(ea.provenance, eb.provenance), x.place(ea, eb))
	})
	for _, n := range list {
		x.insert(n)
	}
}

// contested returns the entries of some senders that share their id or their content with
// another entry from the same senders.
func (x *index) contested(senders map[uint32]struct{}) (list []uint32) {
	type id struct {
		from uint32
		bits uint64
	}
	ids, texts := make(map[id]int), make(map[uint64]int)
	for n := range uint32(x.entries.n) {
		if e := x.entries.at(n); has(senders, e.from) {
			ids[id{e.from, e.id}]++
			texts[e.content]++
			list = append(list, n)
		}
	}
	return slices.DeleteFunc(list, func(n uint32) bool {
		e := x.entries.at(n)
		return ids[id{e.from, e.id}] == 1 && texts[e.content] == 1
	})
}

func has(set map[uint32]struct{}, n uint32) bool {
	_, ok := set[n]
	return ok
}

// oddKey is a [sampstore.Key] with an odd id, which it holds hashed, as entries do.
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

// refreshRead updates the read flags of the shown messages with a key, and returns the threads
// that changed.
func (x *index) refreshRead(k sampstore.Key) (touched []uint32) {
	for n := range x.keyed(k) {
		if x.setRead(n, x.read(k)) {
			touched = append(touched, x.entries.at(n).thread)
		}
	}
	return touched
}

// refreshEntry updates the read flag of an entry that was not shown when messages were
// marked. odd holds the read messages with an odd id.
func (x *index) refreshEntry(e *entry, odd map[oddKey]struct{}) {
	from := x.names.text(e.from)
	read := false
	if e.state&oddID != 0 {
		_, read = odd[oddKey{from, e.id}]
	} else {
		read = x.read(sampstore.Key{From: from, ID: hexID(e.id)})
	}
	e.state &^= isRead
	if read {
		e.state |= isRead
	}
}
