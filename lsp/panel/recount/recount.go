// Package recount counts in the background what takes too long to count for each request. A
// [Counter] counts less often if counting takes long.
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
	// minRest is the shortest rest between two counts.
	minRest = 2 * time.Second
	// restFactor is how many times longer the counter rests than it counts.
	restFactor = 20
	// recountAfter is how often everything is counted without a call of [Counter.Kick].
	recountAfter = 15 * time.Second
)

// Config says what is counted.
type Config struct {
	// Count returns the number for a name. It is called again for the same name, and should
	// be quick if nothing changed.
	Count func(ctx context.Context, name string) (int, error)
	// Failed gets the errors of Count. The number then stays as it was.
	Failed func(name string, err error)
	// Changed is called after a number changed. It is not called concurrently.
	Changed func()
}

// Counter counts in one goroutine, which [Counter.Close] ends. Its methods are safe for concurrent
// use.
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

// Start starts a counter without names.
func Start(cfg Config) *Counter {
	ctx, cancel := context.WithCancel(context.Background())
	c := &Counter{cfg: cfg, cancel: cancel, done: make(chan struct{}), kick: make(chan struct{}, 1), sync: make(chan chan struct{})}
	c.counts.Store(&map[string]int{})
	go func() {
		defer close(c.done)
		c.run(ctx)
	}()
	return c
}

// Close stops the counting and waits until it has stopped.
func (c *Counter) Close() {
	c.cancel()
	<-c.done
}

// Counts returns the numbers of the last count, by name. The caller must not change the map.
func (c *Counter) Counts() map[string]int { return *c.counts.Load() }

// Want sets the names to count for. The caller must not change the list afterwards.
func (c *Counter) Want(names []string) {
	c.mu.Lock()
	same := slices.Equal(c.names, names)
	c.names = names
	c.mu.Unlock()
	if !same {
		c.Kick()
	}
}

// Kick starts a new count soon.
func (c *Counter) Kick() {
	select {
	case c.kick <- struct{}{}:
	default:
	}
}

// Sync counts everything and waits for the result. It does not wait while the counter rests.
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

// run counts until the context ends. While the counter rests, kick is nil.
func (c *Counter) run(ctx context.Context) {
	timer := time.NewTimer(recountAfter)
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
				timer.Reset(recountAfter)
				continue
			}
		}
		start := time.Now()
		if c.count(ctx) { // without names it waits for a kick
			timer.Reset(max(minRest, restFactor*time.Since(start)))
			kick = nil
		}
	}
}

// count counts once for each name, and reports whether there are names.
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
