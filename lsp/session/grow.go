package session

import (
	"maps"
	"slices"

	"github.com/signalbox-dev/signalbox/lsp/disk/tree"
)

// maxGrown is how many sessions may grow before the whole snapshot is rebuilt.
const maxGrown = 200

// grow publishes a snapshot in which only listed sessions grew, as with every line that an
// agent's program writes. This is cheap even with thousands of sessions. It reports whether
// nothing else changed. The caller must hold the live's publish.
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
		if f.Path != old.Path || f.unlisted != old.unlisted || !slices.EqualFunc(old.items, f.items, now.onlyGrew) {
			return false
		}
		for k, it := range f.items {
			before := old.items[k]
			items[slices.Index(items, before)] = it
			now.replace(before, it)
			if !before.same(it) {
				c.add(it.Key())
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

// onlyGrew reports whether a session is listed and unchanged, except that its file grew.
func (s *Snapshot) onlyGrew(old, it *Item) bool {
	return s.Item(old.Key()) == old && it.Key() == old.Key() && it.Agent == old.Agent && it.ID == old.ID &&
		it.Checkout == old.Checkout && it.Stamp.Inode == old.Stamp.Inode && it.isEmpty() == old.isEmpty()
}

// same reports whether a list shows a session as before.
func (it *Item) same(o *Item) bool {
	return it.Size == o.Size && it.Updated == o.Updated && it.Checkout == o.Checkout
}

// replace replaces a listed session.
func (s *Snapshot) replace(old, it *Item) {
	at, _ := slices.BinarySearchFunc(s.Items, old, newest)
	s.Items = slices.Delete(s.Items, at, at+1)
	at, _ = slices.BinarySearchFunc(s.Items, it, newest)
	s.Items = slices.Insert(s.Items, at, it)
	s.grown[it.Key()] = it
}
