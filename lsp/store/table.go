package store

import (
	"math/bits"
	"strings"
)

// table is a hash table from 64-bit hashes to numbers, four bytes a slot. A hash may
// stand in it several times: callers compare what the numbers stand for.
type table struct {
	slots []uint32
	used  int
	// key is secret: strangers choose the ids, and must not be able to put many of them
	// into one slot.
	key uint64
}

// find walks the numbers that may have a hash.
func (t *table) find(hash uint64) func(func(uint32) bool) {
	return func(yield func(uint32) bool) {
		if len(t.slots) == 0 {
			return
		}
		mask := uint64(len(t.slots) - 1)
		for i := t.spread(hash) & mask; t.slots[i] != 0; i = (i + 1) & mask {
			if !yield(t.slots[i] - 1) {
				return
			}
		}
	}
}

// add puts a number in. When the table grows, it asks hashOf for the hashes of the
// numbers in it.
func (t *table) add(hash uint64, n uint32, hashOf func(uint32) uint64) {
	if (t.used+1)*4 > len(t.slots)*3 {
		t.grow(hashOf)
	}
	t.put(hash, n)
	t.used++
}

// addOnce puts a number in unless it is there.
func (t *table) addOnce(hash uint64, n uint32, hashOf func(uint32) uint64) {
	for o := range t.find(hash) {
		if o == n {
			return
		}
	}
	t.add(hash, n, hashOf)
}

func (t *table) put(hash uint64, n uint32) {
	mask := uint64(len(t.slots) - 1)
	i := t.spread(hash) & mask
	for t.slots[i] != 0 {
		i = (i + 1) & mask
	}
	t.slots[i] = n + 1
}

func (t *table) grow(hashOf func(uint32) uint64) {
	old := t.slots
	t.slots = make([]uint32, max(16, 2*len(old)))
	for _, n := range old {
		if n != 0 {
			t.put(hashOf(n-1), n-1)
		}
	}
}

// reserve makes room for count numbers in an empty table.
func (t *table) reserve(count int) {
	if count == 0 {
		return
	}
	size := max(16, 1<<bits.Len(uint(count-1)))
	if (count+1)*4 > size*3 {
		size *= 2
	}
	t.slots = make([]uint32, size)
}

func (t *table) spread(hash uint64) uint64 {
	hash = (hash ^ t.key) * 0x9e3779b97f4a7c15
	hash = (hash ^ hash>>32 ^ t.key) * 0xd6e8feb86659fd93
	return hash ^ hash>>32
}

const chunkLen = 4096

// chunks is a list of entries that grows without copying.
type chunks struct {
	list []*[chunkLen]entry
	n    int
	// spans holds the oldest and the newest time in each chunk, so that a
	// search skips chunks that are too old.
	spans []span
}

// span is a range of times, both ends included.
type span struct{ oldest, newest int64 }

func (c *chunks) add(e entry) uint32 {
	if c.n%chunkLen == 0 {
		c.list = append(c.list, new([chunkLen]entry))
		c.spans = append(c.spans, span{e.ts, e.ts})
	}
	s := &c.spans[len(c.spans)-1]
	s.oldest, s.newest = min(s.oldest, e.ts), max(s.newest, e.ts)
	c.list[c.n/chunkLen][c.n%chunkLen] = e
	c.n++
	return uint32(c.n - 1)
}

func (c *chunks) at(n uint32) *entry { return &c.list[n/chunkLen][n%chunkLen] }

// names numbers strings: aliases and thread names.
type names struct {
	byText map[string]uint32
	texts  *[]string
}

func newNames() names { return names{byText: make(map[string]uint32), texts: new([]string)} }

func (s names) add(text string) uint32 {
	if n, ok := s.byText[text]; ok {
		return n
	}
	n := uint32(len(*s.texts))
	// The text may be cut from a buffer that is about to be reused.
	text = strings.Clone(text)
	s.byText[text] = n
	*s.texts = append(*s.texts, text)
	return n
}

func (s names) find(text string) (uint32, bool) {
	n, ok := s.byText[text]
	return n, ok
}

func (s names) text(n uint32) string { return (*s.texts)[n] }
