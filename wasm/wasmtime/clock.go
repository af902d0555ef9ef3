package wasmtime

import (
	"sync"
	"time"
)

// clock advances an engine's epoch, so that calls over the time limit stop.
type clock struct {
	step time.Duration
	// ticks is the deadline of a call in steps: one more than fit into the time limit,
	// since the first step may be short.
	ticks uint64
	done  chan struct{}
	ended sync.WaitGroup
}

// newClock returns a clock that allows a call the time limit, and less than two steps more. It calls
// tick once a step until close returns.
func newClock(tick func(), limit time.Duration) *clock {
	step := min(max(limit/8, time.Millisecond), 100*time.Millisecond)
	c := &clock{step: step, ticks: uint64((limit+step-1)/step) + 1, done: make(chan struct{})}
	c.ended.Go(func() {
		ticker := time.NewTicker(step)
		defer ticker.Stop()
		for {
			select {
			case <-c.done:
				return
			case <-ticker.C:
				tick()
			}
		}
	})
	return c
}

// close is called once, after the last call.
func (c *clock) close() {
	close(c.done)
	c.ended.Wait()
}
