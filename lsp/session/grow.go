package session

import (
	"maps"
	"slices"

	"github.com/signalbox-dev/signalbox/lsp/disk/tree"
)

// maxGrown is how many sessions may have gone on before the snapshot is made of all again.
const maxGrown = 200

// grow publishes a snapshot in which sessions went on that are listed already, as happens
// with each line that an agent's program writes: among thousands it costs next to nothing. It
// reports whether that is all that differs. The live's publish is held.
func (p *program) grow(d *tree.Delta[*file]) bool {
	if len(d.Removed) != len(d.Added) {
		return false
	}
	was := p.live.Snapshot()
	now, items := *was, slices.Clone(p.items)
	now.Items, now.grown = slices.Clone(was.Items), maps.Clone(was.grown)
	if now.grown == nil {
		now.grown = make(map[Key]*Item)
	}
	var c Change
	for i, f := range d.Added {
		old := d.Removed[i]
		if f.Path != old.Path || f.unread != old.unread || !slices.EqualFunc(old.items, f.items, now.goesOn) {
			return false
		}
		for k, it := range f.items {
			before := old.items[k]
			items[slices.Index(items, before)] = it
			now.replace(before, it)
			if !before.same(it) {
				c.name(it.Key())
			}
		}
	}
	if len(now.grown) > maxGrown {
		return false
	}
	if p.items = items; len(d.Added) > 0 {
		p.live.snap.Store(&now)
	}
	if len(c.Sessions) > 0 {
		p.live.cfg.Changed(c)
	}
	return true
}

// goesOn reports whether a session is listed, and stands where it stood, of a file of which
// only more was written.
func (s *Snapshot) goesOn(old, it *Item) bool {
	return s.Item(old.Key()) == old && it.Key() == old.Key() && it.Agent == old.Agent && it.ID == old.ID &&
		it.Checkout == old.Checkout && it.Stamp.Inode == old.Stamp.Inode && it.hollow() == old.hollow()
}

// same reports whether a list shows a session as before.
func (it *Item) same(o *Item) bool {
	return it.Size == o.Size && it.Updated == o.Updated && it.Checkout == o.Checkout
}

// replace puts a session in the place of another, which is listed.
func (s *Snapshot) replace(old, it *Item) {
	at, _ := slices.BinarySearchFunc(s.Items, old, newest)
	s.Items = slices.Delete(s.Items, at, at+1)
	at, _ = slices.BinarySearchFunc(s.Items, it, newest)
	s.Items = slices.Insert(s.Items, at, it)
	s.grown[it.Key()] = it
}
