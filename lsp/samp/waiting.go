package samp

import (
	"context"
	"os"
	"sync"
	"time"

	"github.com/signalbox-dev/signalbox/core/samp"
)

// Waiting returns what waits for a reader: what [Dir.ReadNew] finds, without what was marked
// as read message by message. It saves nothing.
func (d *Dir) Waiting(ctx context.Context, me string, p samp.Profile, now time.Time, stateDir string) ([]Unread, error) {
	if sig, err := d.Signature(); err == nil && d.Unchanged(me, sig) {
		return nil, nil // without a look into the read state
	}
	state, err := OpenReadState(stateDir, d, me)
	if err != nil {
		state = nil // as in the default inbox: late mail is new again
	}
	r, err := d.ReadNew(ctx, me, p, now, state)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return r.Waiting(), nil
}

// NewCounts remembers what waited for the readers of one directory, and reads the logs
// again only if they or what the reader has read changed. The zero value is ready, and its
// methods may be called from everywhere.
type NewCounts struct {
	mu      sync.Mutex // guards everything below
	readers map[string]newCount
}

type newCount struct {
	of    countedState
	count int
}

// countedState is what a count depends on.
type countedState struct {
	logs       Signature
	mark, read FileState
}

// Count counts what [Dir.Waiting] returns of the directory, which is always the same one.
func (c *NewCounts) Count(ctx context.Context, d *Dir, me string, p samp.Profile, now time.Time, stateDir string) (int, error) {
	logs, err := d.Signature()
	if err != nil {
		return 0, err
	}
	is := countedState{
		logs: logs, mark: d.WatermarkFile(me), read: stateOf(os.Lstat(readStatePath(stateDir, d, me))),
	}
	c.mu.Lock()
	before, known := c.readers[me]
	c.mu.Unlock()
	if known && before.of == is {
		return before.count, nil
	}
	list, err := d.Waiting(ctx, me, p, now, stateDir)
	if err != nil {
		return 0, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.readers == nil {
		c.readers = make(map[string]newCount)
	}
	c.readers[me] = newCount{is, len(list)}
	return len(list), nil
}
