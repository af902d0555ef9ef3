package wasmtime

import (
	"sync"
	"time"
)

// clock advances an engine's epoch while calls run, so that those which are
// late see it and stop. It rests while nothing runs.
type clock struct {
	tick func()
	step time.Duration
	// ticks is the deadline of a call in steps: one more than fit into the time,
	// since the first one may be short.
	ticks uint64
	done  chan struct{}
	ended sync.WaitGroup

	mu sync.Mutex
	// The rest is guarded by mu.
	calls   int
	running bool
}

// newClock gives a clock for calls that may take as long as the limit, and at
// most an eighth longer. tick may be called from now until close returns.
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

// run ticks until nothing has run for a step. It goes on for that long, so that
// many short calls do not start it anew each.
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

// rest tells whether there is nothing to do, and then the clock stops.
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
