package wasmtime

import (
	"sync"
	"time"
)

// clock advances an engine's epoch, so that late calls see it and stop.
type clock struct {
	step time.Duration
	// ticks is the deadline of a call in steps. It is one more than fit into the
	// time, since the first step may be short.
	ticks uint64
	done  chan struct{}
	ended sync.WaitGroup
}

// newClock returns a clock that lets a call take as long as the limit, and at most
// an eighth longer. tick is called from now until close returns.
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
