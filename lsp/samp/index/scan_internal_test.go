package index

import (
	"math/rand/v2"
	"testing"
)

// SetPartSize sets the size of the parts in which scans look through logs.
func (l *Live) SetPartSize(n int64) { l.partSize = n }

// TextBytes is how many bytes of messages a page of a scan has at most, and MaxScanned how
// many threads a scan remembers.
const (
	TextBytes  = textBytes
	MaxScanned = maxScanned
)

// TestConflicts holds that the first of many records with one id are stored, and that copies
// of one record do not count.
func TestConflicts(t *testing.T) {
	const n = 1000
	for seed := range uint64(20) {
		a := resolver{conflicts: make(map[uint64][]*record)}
		for _, i := range rand.New(rand.NewPCG(seed, 1)).Perm(n) {
			// Every third one is a copy of the first.
			r := &record{key: key{place: uint64(i)}, heads: heads{id: 1}, content: uint64(min(i%3, 1) * i)}
			a.addConflict(true, r.id, r)
			a.addConflict(i > n, r.content, r)
		}
		for i, place := range []uint64{0, 1, 2, 4, 5, 7, 8, 10} {
			if list := a.conflicts[1]; len(list) != conflictsTried || list[i].place != place {
				t.Fatalf("%d records, the %dth of place %d in place of %d", len(list), i, list[i].place, place)
			}
		}
		if a.count != conflictsTried || len(a.conflicts) != 1 {
			t.Errorf("%d counted, of %d ids and contents", a.count, len(a.conflicts))
		}
	}
}
