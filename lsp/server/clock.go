package server

import "time"

// WallClock is the real [Clock].
type WallClock struct{}

// Now gives the current time.
func (WallClock) Now() time.Time { return time.Now() }

// After gives a channel that receives once d has passed.
func (WallClock) After(d time.Duration) <-chan time.Time { return time.After(d) }
