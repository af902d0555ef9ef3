package wasmtime

import (
	"testing"
	"time"
)

// TestClock ticks while calls run, rests when none does, and starts again.
func TestClock(t *testing.T) {
	ticks := make(chan struct{})
	c := newClock(func() { ticks <- struct{}{} }, 8*time.Millisecond)
	for range 2 {
		c.enter()
		c.enter()
		c.leave()
		<-ticks
		<-ticks
		c.leave()
		// It may tick once more, and then ends.
		ended := make(chan struct{})
		go func() { c.ended.Wait(); close(ended) }()
		for resting := false; !resting; {
			select {
			case <-ticks:
			case <-ended:
				resting = true
			}
		}
		if c.running {
			t.Fatal("the clock did not rest")
		}
	}
	c.close()
}

// TestClockSteps checks that a call has its full time, and little more.
func TestClockSteps(t *testing.T) {
	for _, limit := range []time.Duration{1, time.Millisecond, 7 * time.Millisecond, 100 * time.Millisecond, time.Second, time.Hour} {
		c := newClock(nil, limit)
		least, most := time.Duration(c.ticks-1)*c.step, time.Duration(c.ticks)*c.step
		if least < limit || most > limit+limit/4+2*time.Millisecond {
			t.Errorf("a limit of %v is between %v and %v", limit, least, most)
		}
	}
}
