package wasmtime

import (
	"sync"
	"time"
)

// clock advances an engine's epoch while calls run, so that late calls see it and
// stop. It rests while nothing runs.
type clock struct {
	tick func()
	step time.Duration
	// ticks is the deadline of a call in steps. It is one more than fit into the
	// time, since the first step may be short.
	ticks uint64
	done  chan struct{}
	ended sync.WaitGroup

	mu sync.Mutex
	// The rest is guarded by mu.
	calls   int
	running bool
}

// newClock returns a clock that lets a call take as long as the limit, and at most
// an eighth longer. tick may be called from now until close returns.
func newClock(tick func(), limit time.Duration) *clock {
	step := min(max(limit/8, time.Millisecond), 100*time.Millisecond)
	return &clock{tick: tick, step: step, ticks: uint64((limit+step-1)/step) + 1, done: make(chan struct{})}
}

// enter is called before a call, and leave after it.
func (c *clock) enter() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.calls++
	if !c.running {
		c.running = true
		c.ended.Go(c.run)
	}
}

func (c *clock) leave() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.calls--
}

// run ticks until nothing has run for a step. It waits that long so that not every
// one of many short calls starts it again.
func (c *clock) run() {
	ticker := time.NewTicker(c.step)
	defer ticker.Stop()
	for {
		select {
		case <-c.done:
			return
		case <-ticker.C:
			if c.rest() {
				return
			}
			c.tick()
		}
	}
}

// rest reports whether nothing runs, and then marks the clock as stopped.
func (c *clock) rest() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.running = c.calls > 0
	return !c.running
}

// close is called once, after the last call.
func (c *clock) close() {
	close(c.done)
	c.ended.Wait()
}
