package wasmtime

import (
	"testing"
	"time"
)

// TestClock ticks until it is closed.
func TestClock(t *testing.T) {
	ticks := make(chan struct{}, 1)
	c := newClock(func() {
		select {
		case ticks <- struct{}{}:
		default:
		}
	}, 8*time.Millisecond)
	for range 3 {
		<-ticks
	}
	c.close()
}

// TestClockSteps checks that a call has its full time, and little more.
func TestClockSteps(t *testing.T) {
	for _, limit := range []time.Duration{1, time.Millisecond, 7 * time.Millisecond, 100 * time.Millisecond, time.Second, time.Hour} {
		c := newClock(func() {}, limit)
		least, most := time.Duration(c.ticks-1)*c.step, time.Duration(c.ticks)*c.step
		if least < limit || most > limit+limit/4+2*time.Millisecond {
			t.Errorf("a limit of %v is between %v and %v", limit, least, most)
		}
		c.close()
	}
}
