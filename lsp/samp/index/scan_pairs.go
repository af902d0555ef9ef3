package index

import (
	"context"
	"hash/maphash"
	"sync/atomic"

	"github.com/signalbox-dev/signalbox/core/samp"
)

// pairs says of records whether another one may have their id or their content. A search of
// all messages asks it for each hit, and looks only for what may hide those of which it says
// so. One in thirty or so it says it of wrongly in a million messages.
type pairs struct {
	seed       maphash.Seed
	once, more [pairBits / 32]uint32
}

const pairBits = 1 << 26

func (t *pairs) add(hash uint64) {
	i, bit := hash%pairBits/32, uint32(1)<<(hash%32)
	if atomic.OrUint32(&t.once[i], bit)&bit != 0 {
		atomic.OrUint32(&t.more[i], bit)
	}
}

func (t *pairs) has(hash uint64) bool {
	return atomic.LoadUint32(&t.more[hash%pairBits/32])&(1<<(hash%32)) != 0
}

// of reports whether a record may have a twin.
func (t *pairs) of(h heads) bool { return t.has(h.id) || t.has(h.text) }

// findPairs reads all records for their ids and contents.
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
