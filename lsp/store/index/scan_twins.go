package index

import (
	"context"
	"hash/maphash"
	"sync/atomic"

	"github.com/signalbox-dev/signalbox/core/samp"
)

// twins says of records whether another one may have their id or their content. A search of
// all messages asks it for each hit, and looks only for what may hide those of which it says
// so. One in thirty or so it says it of wrongly in a million messages.
type twins struct {
	seed       maphash.Seed
	once, more [twinBits / 32]uint32
}

const twinBits = 1 << 26

func (t *twins) add(hash uint64) {
	i, bit := hash%twinBits/32, uint32(1)<<(hash%32)
	if atomic.OrUint32(&t.once[i], bit)&bit != 0 {
		atomic.OrUint32(&t.more[i], bit)
	}
}

func (t *twins) has(hash uint64) bool {
	return atomic.LoadUint32(&t.more[hash%twinBits/32])&(1<<(hash%32)) != 0
}

// hashes returns hashes of a record's sender and id, and of what its content begins with.
func (t *twins) hashes(from, key, to, thread []byte, ts int64) (id, text uint64) {
	sender := maphash.Bytes(t.seed, from)
	id = maphash.Bytes(t.seed, key) ^ 3*sender
	return id, uint64(ts)*spread ^ 5*maphash.Bytes(t.seed, thread) ^ 7*maphash.Bytes(t.seed, to) ^ sender
}

// of reports whether a record may have a twin.
func (t *twins) of(r *samp.Record, key string) bool {
	id, text := t.hashes([]byte(r.From), []byte(key), []byte(r.To), []byte(r.Thread), r.TS)
	return t.has(id) || t.has(text)
}

// findTwins reads all records for their ids and contents.
func (s *seeker) findTwins(ctx context.Context) error {
	t := &twins{seed: maphash.MakeSeed()}
	ends := make([]int64, len(s.logs))
	for i := range ends {
		ends[i] = s.logs[i].Info.Size()
	}
	err := s.eachLine(ctx, ends, func(_ int, _ int64, raw []byte) {
		h, ok := samp.Peek(raw)
		if !ok {
			r, err := samp.ParseInPlace(raw)
			if err != nil {
				return
			}
			h = samp.Head{ID: []byte(samp.EffectiveID(&r, s.live.profile)), From: []byte(r.From), To: []byte(r.To), Thread: []byte(r.Thread), TS: r.TS}
		}
		id, text := t.hashes(h.From, h.ID, h.To, h.Thread, h.TS)
		t.add(id)
		t.add(text)
	})
	s.twins = t
	return err
}
