package session

import (
	"slices"

	"github.com/signalbox-dev/signalbox/lsp/disk/tree"
)

// deduplicator makes sure that a list has each session once, under a unique name.
type deduplicator struct {
	files map[fileKey]bool
	// spoken are the sessions with a transcript that is not empty, if there are any that are.
	spoken map[Key]bool
}

// fileKey identifies a file that has several paths, for example through a link.
type fileKey struct {
	client, agent string
	tree.Stamp
}

// newDeduplicator returns a deduplicator for n sessions.
func newDeduplicator(programs []*program, n int) *deduplicator {
	o := &deduplicator{files: make(map[fileKey]bool, n), spoken: make(map[Key]bool)}
	isEmpty := func(p *program) bool { return slices.ContainsFunc(p.items, (*Item).isEmpty) }
	if !slices.ContainsFunc(programs, isEmpty) {
		return o
	}
	for _, p := range programs {
		for _, it := range p.items {
			if !it.isEmpty() {
				o.spoken[Key{it.Format.Client, it.ID}] = true
			}
		}
	}
	return o
}

// isEmpty reports whether a transcript has no messages. Some programs begin a second
// transcript when a session is resumed.
func (it *Item) isEmpty() bool { return it.Prompt == "" && it.Last == "" && it.Err == nil }

// add returns a session as the list should have it, or nil if the list has it already. If
// its name is taken, it gets another one.
func (o *deduplicator) add(it *Item, keys map[Key]*Item) *Item {
	file := fileKey{it.Format.Client, it.Agent, it.Stamp}
	known := it.Stamp.Inode != 0 && o.files[file]
	if known || it.isEmpty() && o.spoken[Key{it.Format.Client, it.ID}] {
		return nil
	}
	o.files[file] = true
	if keys[it.Key()] == nil {
		return it
	}
	copied := *it
	copied.Name += "~" + tree.ID(it.File)
	return &copied
}
