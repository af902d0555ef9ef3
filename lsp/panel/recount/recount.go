// Package recount keeps numbers that cost too much to be counted for a request. A
// [Counter] counts them in the background, rarely if counting takes long.
package recount

import (
	"context"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// every is the least time between two counts.
	every = 2 * time.Second
	// share is how much longer it rests than it counts.
	share = 20
	// again is how often everything is counted even if nobody said that it changed.
	again = 15 * time.Second
)

// Config says what is counted.
type Config struct {
	// Count counts for one name. It is called again for the same name, and should be
	// quick if nothing changed.
	Count func(ctx context.Context, name string) (int, error)
	// Failed is told of the errors of Count. The number then stays as it was.
	Failed func(name string, err error)
	// Changed is called after a number changed. It is not called concurrently.
	Changed func()
}

// Counter counts. Its methods may be called from everywhere. One goroutine, ended by
// [Counter.Close], does the counting.
type Counter struct {
	cfg    Config
	cancel context.CancelFunc
	done   chan struct{}
	kick   chan struct{} // holds one token when there may be something to count
	sync   chan chan struct{}
	counts atomic.Pointer[map[string]int]

	mu    sync.Mutex // guards names
	names []string
}

// Start starts a counter that counts for nobody yet.
func Start(cfg Config) *Counter {
	ctx, cancel := context.WithCancel(context.Background())
	c := &Counter{cfg: cfg, cancel: cancel, done: make(chan struct{}), kick: make(chan struct{}, 1), sync: make(chan chan struct{})}
	c.counts.Store(&map[string]int{})
	go func() {
		defer close(c.done)
		c.keep(ctx)
	}()
	return c
}

// Close ends the counting and waits for it.
func (c *Counter) Close() {
	c.cancel()
	<-c.done
}

// Counts returns the numbers as they were counted last. They are not to be changed.
func (c *Counter) Counts() map[string]int { return *c.counts.Load() }

// Want sets the names to count for. It keeps the list.
func (c *Counter) Want(names []string) {
	c.mu.Lock()
	same := slices.Equal(c.names, names)
	c.names = names
	c.mu.Unlock()
	if !same {
		c.Kick()
	}
}

// Kick has everything counted again soon.
func (c *Counter) Kick() {
	select {
	case c.kick <- struct{}{}:
	default:
	}
}

// Sync waits until everything was counted after it was called. It does not wait for the
// counter to have rested.
func (c *Counter) Sync(ctx context.Context) error {
	counted := make(chan struct{})
	select {
	case c.sync <- counted:
	case <-c.done:
		return context.Canceled
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case <-counted:
		return nil
	case <-c.done:
		return context.Canceled
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (c *Counter) keep(ctx context.Context) {
	timer := time.NewTimer(again)
	defer timer.Stop()
	for kick := c.kick; ; {
		select {
		case <-ctx.Done():
			return
		case counted := <-c.sync:
			c.count(ctx)
			close(counted)
			continue
		case <-kick:
		case <-timer.C:
			if kick == nil { // it has rested
				kick = c.kick
				timer.Reset(again)
				continue
			}
		}
		start := time.Now()
		if c.count(ctx) { // else until somebody wants a number
			timer.Reset(max(every, share*time.Since(start)))
			kick = nil
		}
	}
}

// count counts once, and reports whether there was anything to count.
func (c *Counter) count(ctx context.Context) bool {
	c.mu.Lock()
	names := c.names
	c.mu.Unlock()
	before := c.Counts()
	next := make(map[string]int, len(names))
	for _, name := range names {
		n, err := c.cfg.Count(ctx, name)
		if ctx.Err() != nil {
			return false
		}
		if err != nil {
			c.cfg.Failed(name, err)
			n = before[name]
		}
		next[name] = n
	}
	if !maps.Equal(before, next) {
		c.counts.Store(&next)
		c.cfg.Changed()
	}
	return len(names) > 0
}
