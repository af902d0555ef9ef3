package index

import (
	"context"
	"hash/maphash"
	"sync/atomic"

	"github.com/signalbox-dev/signalbox/core/samp"
)

// pairs is a filter that reports whether another record may have the same id or content as a
// record. A scan for all messages asks it about each hit, and looks for records that hide the
// hit only if it reports so. In a million messages about one in thirty is reported wrongly.
type pairs struct {
	seed        maphash.Seed
	once, twice [pairBits / 32]uint32
}

const pairBits = 1 << 26

func (t *pairs) add(hash uint64) {
	i, bit := hash%pairBits/32, uint32(1)<<(hash%32)
	if atomic.OrUint32(&t.once[i], bit)&bit != 0 {
		atomic.OrUint32(&t.twice[i], bit)
	}
}

func (t *pairs) has(hash uint64) bool {
	return atomic.LoadUint32(&t.twice[hash%pairBits/32])&(1<<(hash%32)) != 0
}

// mayMatch reports whether another record may have the id or the content of a record.
func (t *pairs) mayMatch(h heads) bool { return t.has(h.id) || t.has(h.text) }

// findPairs fills s.pairs with the ids and contents of all records.
func (s *seeker) findPairs(ctx context.Context) error {
	t := &pairs{seed: maphash.MakeSeed()}
	ends := make([]int64, len(s.logs))
	for i := range ends {
		ends[i] = s.logs[i].Info.Size()
	}
	line := func(_ part, _ int64, raw []byte) {
		var hash heads
		if h, ok := samp.ParseHead(raw); ok {
			hash = headsOf(t.seed, &h)
		} else if r, err := samp.ParseInPlace(raw); err == nil {
			hash = s.headsOfRecord(t.seed, &r)
		} else {
			return
		}
		t.add(hash.id)
		t.add(hash.text)
	}
	s.pairs = t
	return s.eachLine(ctx, ends, func() lineVisitor { return lineVisitor{func(part) {}, line} })
}
