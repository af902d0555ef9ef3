package threads

import (
	"context"
	"hash/maphash"
	"io"
	"sync"

	"github.com/signalbox-dev/signalbox/core/atsf"
)

// Stats have to be right after every append (rule T4), and cheap.
//
// What thread.json caches is not built upon: another tool may have counted
// system messages as the agent's (Z5), or written a line again with more tool
// calls in it (Z6), and adding one to a wrong figure leaves it wrong, even if
// the number of lines agrees. Counting every line at each append is right, and
// takes seconds for the thousands of messages of one session.
//
// So a Dir remembers for a log how far it counted, what it found, and a hash of
// these bytes. Hashing runs at the speed of memory: if the hash is still the
// same, whoever wrote since, only the lines behind are counted. A process that
// appends one message counts everything once.

// counts is what is remembered of logs, by thread. The zero value is empty.
type counts struct {
	mu   sync.Mutex
	seed maphash.Seed
	logs map[string]count
}

// count is what the first size bytes of a log hold, which end with a \n.
type count struct {
	size  int64
	sum   uint64
	tally atsf.Tally
}

// maxCounts bounds what is remembered. Forgetting costs time and nothing else.
const maxCounts = 256

func (c *counts) get(name string) (count, maphash.Seed) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.logs == nil {
		c.logs, c.seed = make(map[string]count), maphash.MakeSeed()
	}
	return c.logs[name], c.seed
}

func (c *counts) put(name string, n count) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.logs) >= maxCounts {
		clear(c.logs)
	}
	c.logs[name] = n
}

// counter counts a log of a size, line by line.
type counter struct {
	count
	hash maphash.Hash
	// rest is what stands behind the last \n.
	rest []byte
}

// tally counts a log of a size. rest is the unfinished line at its end.
func (d *Dir) tally(ctx context.Context, name string, r io.ReaderAt, size int64) (*counter, error) {
	known, seed := d.counts.get(name)
	c := &counter{}
	c.hash.SetSeed(seed)
	if known.size > 0 && known.size <= size {
		if err := c.skip(ctx, r, known.size); err != nil {
			return nil, err
		}
		if c.hash.Sum64() == known.sum {
			c.count = known
		} else {
			c.hash.Reset()
		}
	}
	return c, c.read(ctx, r, size)
}

// skip hashes the bytes before an offset.
func (c *counter) skip(ctx context.Context, r io.ReaderAt, to int64) error {
	buf := make([]byte, min(to, largeChunk))
	for at := int64(0); at < to; {
		if err := ctx.Err(); err != nil {
			return err
		}
		part := buf[:min(to-at, int64(len(buf)))]
		if err := readFull(r, part, at); err != nil {
			return err
		}
		c.hash.Write(part)
		at += int64(len(part))
	}
	return nil
}

// read counts from where the count ends.
func (c *counter) read(ctx context.Context, r io.ReaderAt, size int64) error {
	for at := c.size; at < size; {
		if err := ctx.Err(); err != nil {
			return err
		}
		// As much as there is of a long line, so that its bytes are looked at
		// and copied a few times only.
		n := min(size-at, max(largeChunk, int64(len(c.rest))))
		buf := make([]byte, int64(len(c.rest))+n)
		if err := readFull(r, buf[copy(buf, c.rest):], at); err != nil {
			return err
		}
		at += n
		c.rest = nil
		c.add(buf)
	}
	return nil
}

// add counts what follows.
func (c *counter) add(data []byte) {
	if len(c.rest) > 0 {
		data = append(c.rest, data...)
	}
	t, next := atsf.Count(data)
	c.hash.Write(data[:next])
	c.size += int64(next)
	c.rest = data[next:]
	s := &c.count.tally.Stats
	s.Messages += t.Stats.Messages
	s.User += t.Stats.User
	s.Agent += t.Stats.Agent
	s.ToolCalls += t.Stats.ToolCalls
	c.count.tally.Bad += t.Bad
	if t.Last.OK {
		c.count.tally.Last = t.Last
	}
}

// keep remembers the count for the next append.
func (d *Dir) keep(name string, c *counter) {
	c.sum = c.hash.Sum64()
	d.counts.put(name, c.count)
}
