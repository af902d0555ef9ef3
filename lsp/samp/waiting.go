package samp

import (
	"context"
	"os"
	"sync"
	"time"

	"github.com/signalbox-dev/signalbox/core/samp"
)

// Waiting returns the unread messages of a reader: the messages that [Dir.ReadNew] finds, without
// those that were marked as read one by one. It saves nothing.
func (d *Dir) Waiting(ctx context.Context, me string, p samp.Profile, now time.Time, stateDir string) ([]Unread, error) {
	if sig, err := d.Signature(); err == nil && d.Unchanged(me, sig) {
		return nil, nil // the read state isn't needed
	}
	state, err := OpenReadState(stateDir, d, me)
	if err != nil {
		state = nil // as in the default inbox, late mail is new again
	}
	r, err := d.ReadNew(ctx, me, p, now, state)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return r.Waiting(), nil
}

// NewCounts caches the number of unread messages of each reader of one directory. It reads the
// logs again only if the logs, the watermark or the read state changed. The zero value is ready
// to use, and safe for concurrent use.
type NewCounts struct {
	mu      sync.Mutex // guards everything below
	readers map[string]newCount
}

type newCount struct {
	state countedState
	count int
}

// countedState is the state that a count depends on.
type countedState struct {
	logs       Signature
	mark, read FileState
}

// Count returns how many messages [Dir.Waiting] returns. The directory is always the same one.
func (c *NewCounts) Count(ctx context.Context, d *Dir, me string, p samp.Profile, now time.Time, stateDir string) (int, error) {
	logs, err := d.Signature()
	if err != nil {
		return 0, err
	}
	state := countedState{
		logs: logs, mark: d.WatermarkFile(me), read: stateOf(os.Lstat(readStatePath(stateDir, d, me))),
	}
	c.mu.Lock()
	before, known := c.readers[me]
	c.mu.Unlock()
	if known && before.state == state {
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
	c.readers[me] = newCount{state, len(list)}
	return len(list), nil
}
