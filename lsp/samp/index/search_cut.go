package index

import (
	"context"
	"math"
	"math/bits"
	"sync"

	"github.com/signalbox-dev/signalbox/lsp/disk/parallel"
)

// bins is the number of parts in a division.
const bins = 2048

// division divides a range of keys into equal parts, by seconds, or by places within one
// second.
type division struct {
	low, high key // without high
	byPlace   bool
	shift     int
}

func divide(low, high key) division {
	d := division{low: low, high: high}
	last := high.ts
	if high.place == 0 && last > math.MinInt64 {
		last--
	}
	width := uint64(last) - uint64(low.ts)
	if d.byPlace = last == low.ts; d.byPlace {
		width = math.MaxUint64 - low.place
		if high.ts == low.ts {
			width = high.place - 1 - low.place
		}
	}
	d.shift = max(0, bits.Len64(width)-bits.Len64(bins-1))
	return d
}

func (d *division) bin(k key) int {
	if d.byPlace {
		return int((k.place - d.low.place) >> d.shift)
	}
	return int((uint64(k.ts) - uint64(d.low.ts)) >> d.shift)
}

// bounds returns the range of one bin, without high.
func (d *division) bounds(bin int) (low, high key) {
	low, high = d.start(bin), d.high
	if bin+1 < bins {
		if next := d.start(bin + 1); next.compare(low) > 0 && next.compare(high) < 0 {
			high = next
		}
	}
	return low, high
}

func (d *division) start(bin int) key {
	switch {
	case bin == 0:
		return d.low
	case d.byPlace:
		return key{d.low.ts, d.low.place + uint64(bin)<<d.shift}
	}
	return key{int64(uint64(d.low.ts) + uint64(bin)<<d.shift), 0}
}

// cut returns the key low for which the range from low to high costs about size. The cost is
// bytes to read, or messages if the index alone decides. more is set if there are entries
// below low. cut divides even a single second, so that a stranger cannot make a part larger
// with many messages of one time.
func (s *seeker) cut(ctx context.Context, high key, size int64) (low key, more bool, err error) {
	lowest, highest, err := s.narrow(high)
	if err != nil || lowest.compare(highest) >= 0 {
		return s.low, false, err
	}
	cost := int64(0)
	for d := divide(lowest, highest); ; {
		sums, err := s.sums(ctx, &d)
		if err != nil {
			return low, false, err
		}
		next := -1
		for i := bins - 1; i >= 0 && next < 0; i-- {
			if sums[i] == 0 {
				continue
			}
			if cost >= size {
				_, low = d.bounds(i)
				return low, true, nil
			}
			if from, to := d.bounds(i); cost+sums[i] > 2*size && (d.shift > 0 || !d.byPlace) && from.compare(to) < 0 {
				next = i
				continue
			}
			cost += sums[i]
		}
		if next < 0 {
			if d.low == lowest {
				return s.low, false, nil
			}
			return d.low, true, nil
		}
		d = divide(d.bounds(next))
	}
}

// narrow returns the range between s.low and high, narrowed to the times in the index.
func (s *seeker) narrow(high key) (lowest, highest key, err error) {
	s.live.mu.RLock()
	defer s.live.mu.RUnlock()
	if s.live.idx != s.idx {
		return lowest, highest, errIndexMoved
	}
	if len(s.idx.entries.spans) == 0 {
		return high, high, nil
	}
	all := s.idx.entries.spans[0]
	for _, p := range s.idx.entries.spans {
		all.oldest, all.newest = min(all.oldest, p.oldest), max(all.newest, p.newest)
	}
	lowest, highest = s.low, high
	if from := (key{all.oldest, 0}); from.compare(lowest) > 0 {
		lowest = from
	}
	if all.newest < math.MaxInt64 {
		if to := (key{all.newest + 1, 0}); to.compare(highest) < 0 {
			highest = to
		}
	}
	return lowest, highest, nil
}

// sums adds up the costs in each part of a division.
func (s *seeker) sums(ctx context.Context, d *division) (*[bins]int64, error) {
	total := new([bins]int64)
	var mu sync.Mutex
	err := s.eachChunk(ctx, d.low, d.high, func() func(chunk int) error {
		return func(chunk int) error {
			var local [bins]int64
			err := s.walk(chunk, d.low, d.high, func(k key, e *entry, _ uint32) {
				if s.reads {
					local[d.bin(k)] += int64(e.length)
				} else {
					local[d.bin(k)]++
				}
			})
			mu.Lock()
			for i, v := range local {
				total[i] += v
			}
			mu.Unlock()
			return err
		}
	})
	return total, err
}

// walk visits the entries of a chunk that are in a range and may match, by the index alone.
// It holds the lock meanwhile.
func (s *seeker) walk(chunk int, low, high key, visit func(key, *entry, uint32)) error {
	s.live.mu.RLock()
	defer s.live.mu.RUnlock()
	if s.live.idx != s.idx {
		return errIndexMoved
	}
	c := &s.idx.entries
	part := c.list[chunk]
	count := min(chunkLen, c.n-chunk*chunkLen)
	for i := range count {
		e := &part[i]
		if e.ts < low.ts || e.ts > high.ts || int(e.log) >= len(s.rank) {
			continue
		}
		k := key{e.ts, s.rank[e.log] | uint64(e.offset)}
		if k.compare(low) >= 0 && k.compare(high) < 0 && s.fits(e) {
			visit(k, e, uint32(chunk*chunkLen+i))
		}
	}
	return nil
}

// eachChunk visits each chunk with entries in a range, on all processors.
// worker returns the work function of one goroutine.
func (s *seeker) eachChunk(ctx context.Context, low, high key, worker func() func(chunk int) error) error {
	chunks, err := s.chunks(low, high)
	if err != nil {
		return err
	}
	return parallel.Do(ctx, len(chunks), func() func(int) error {
		work := worker()
		return func(i int) error { return work(chunks[i]) }
	})
}
