package session

import (
	"slices"

	"github.com/signalbox-dev/signalbox/lsp/disk/tree"
)

// once sees to it that a list has each session once, and each of them another name.
type once struct {
	files map[fileKey]bool
	// said are the sessions in whose transcripts somebody said something, if there are
	// others.
	said map[Key]bool
}

// fileKey tells a file that is reached by two ways, such as a link, from another one.
type fileKey struct {
	client, agent string
	tree.Stamp
}

// newOnce is for n sessions.
func newOnce(programs []*program, n int) *once {
	o := &once{files: make(map[fileKey]bool, n), said: make(map[Key]bool)}
	hollow := func(p *program) bool { return slices.ContainsFunc(p.items, (*Item).hollow) }
	if !slices.ContainsFunc(programs, hollow) {
		return o
	}
	for _, p := range programs {
		for _, it := range p.items {
			if !it.hollow() {
				o.said[Key{it.Format.Client, it.ID}] = true
			}
		}
	}
	return o
}

// hollow reports whether nobody says anything in a transcript. Some programs begin a second
// one when a session is resumed.
func (it *Item) hollow() bool { return it.Prompt == "" && it.Last == "" && it.Err == nil }

// named returns a session as the list has it, or nil if it is there already. Where two have a
// name the later one gets another.
func (o *once) named(it *Item, keys map[Key]*Item) *Item {
	file := fileKey{it.Format.Client, it.Agent, it.Stamp}
	known := it.Stamp.Inode != 0 && o.files[file]
	if known || it.hollow() && o.said[Key{it.Format.Client, it.ID}] {
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
