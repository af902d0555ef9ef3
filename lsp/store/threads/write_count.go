package threads

import (
	"context"
	"hash/maphash"
	"io"
	"sync"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/lsp/store/jsonl"
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

// maxTallied is the length in bytes of the longest line that is counted as a
// message. It is above [MaxLine]: what is too long to be shown may be a message
// to the tool that wrote it. But a gigabyte is not held in memory for it.
const maxTallied = 64 << 20

// counter counts a log of a size, line by line.
type counter struct {
	count
	hash maphash.Hash
	// rest is what stands behind the last \n, unless it is too long to be held:
	// then endless is set.
	rest    []byte
	endless bool
}

// unfinished reports whether the log does not end with a \n.
func (c *counter) unfinished() bool { return len(c.rest) > 0 || c.endless }

// tally counts a log of a size. rest is the unfinished line at its end.
func (d *Dir) tally(ctx context.Context, name string, r io.ReaderAt, size int64) (*counter, error) {
	known, seed := d.counts.get(name)
	c := &counter{}
	c.hash.SetSeed(seed)
	if known.size > 0 && known.size <= size {
		if err := c.skip(ctx, r, 0, known.size); err != nil {
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

// skip hashes the bytes from an offset to another.
func (c *counter) skip(ctx context.Context, r io.ReaderAt, at, to int64) error {
	buf := make([]byte, min(to-at, jsonl.LargeChunk))
	for at < to {
		if err := ctx.Err(); err != nil {
			return err
		}
		part := buf[:min(to-at, int64(len(buf)))]
		if err := jsonl.ReadFull(r, part, at); err != nil {
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
		had := int64(len(c.rest))
		n := min(size-at, max(jsonl.LargeChunk, had), maxTallied+1-had)
		buf := make([]byte, had+n)
		if err := jsonl.ReadFull(r, buf[copy(buf, c.rest):], at); err != nil {
			return err
		}
		at += n
		c.rest = nil
		c.add(buf)
		if len(c.rest) > maxTallied {
			c.rest = nil
			var err error
			if at, err = c.pass(ctx, r, at, size); err != nil {
				return err
			}
		}
	}
	return nil
}

// pass goes over a line that is too long to be counted, of which no \n stands
// before at.
func (c *counter) pass(ctx context.Context, r io.ReaderAt, at, size int64) (int64, error) {
	end, err := jsonl.FirstBreak(ctx, r, at, size)
	if err != nil {
		return 0, err
	}
	if end < 0 {
		c.endless = true
		return size, nil
	}
	if err := c.skip(ctx, r, c.size, end+1); err != nil {
		return 0, err
	}
	c.size = end + 1
	c.count.tally.Bad++
	return c.size, nil
}

// add counts what follows.
func (c *counter) add(data []byte) {
	if len(c.rest) > 0 {
		data = append(c.rest, data...)
	}
	if c.endless {
		// The line is ended now. It was not hashed, so that nothing is kept.
		c.count.tally.Bad++
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
	if c.endless {
		return
	}
	c.sum = c.hash.Sum64()
	d.counts.put(name, c.count)
}
