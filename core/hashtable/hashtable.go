// Package hashtable finds numbers by 64-bit hashes in little memory. Start with [Table].
package hashtable

import "math/bits"

// Table is a hash table from 64-bit hashes to numbers, four bytes a slot. A hash may have
// several numbers: callers compare the values that the numbers stand for. The zero value
// with a Key is ready to use.
type Table struct {
	slots []uint32
	used  int
	// Key is secret: strangers choose the ids, and must not be able to put many of them
	// into one slot.
	Key uint64
}

// Find yields the numbers that may have a hash.
func (t *Table) Find(hash uint64) func(func(uint32) bool) {
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

// Add adds a number. When the table grows, it calls hashOf for the hashes of its
// numbers.
func (t *Table) Add(hash uint64, n uint32, hashOf func(uint32) uint64) {
	if (t.used+1)*4 > len(t.slots)*3 {
		t.grow(hashOf)
	}
	t.put(hash, n)
	t.used++
}

// AddOnce adds a number unless the table contains it.
func (t *Table) AddOnce(hash uint64, n uint32, hashOf func(uint32) uint64) {
	for o := range t.Find(hash) {
		if o == n {
			return
		}
	}
	t.Add(hash, n, hashOf)
}

func (t *Table) put(hash uint64, n uint32) {
	mask := uint64(len(t.slots) - 1)
	i := t.spread(hash) & mask
	for t.slots[i] != 0 {
		i = (i + 1) & mask
	}
	t.slots[i] = n + 1
}

func (t *Table) grow(hashOf func(uint32) uint64) {
	old := t.slots
	t.slots = make([]uint32, max(16, 2*len(old)))
	for _, n := range old {
		if n != 0 {
			t.put(hashOf(n-1), n-1)
		}
	}
}

// Reserve makes room for count numbers in an empty table.
func (t *Table) Reserve(count int) {
	if count == 0 {
		return
	}
	size := max(16, 1<<bits.Len(uint(count-1)))
	if (count+1)*4 > size*3 {
		size *= 2
	}
	t.slots = make([]uint32, size)
}

func (t *Table) spread(hash uint64) uint64 {
	hash = (hash ^ t.Key) * 0x9e3779b97f4a7c15
	hash = (hash ^ hash>>32 ^ t.Key) * 0xd6e8feb86659fd93
	return hash ^ hash>>32
}
