package server

import "time"

// WallClock is the real [Clock].
type WallClock struct{}

// After returns a channel that receives once d has passed.
func (WallClock) After(d time.Duration) <-chan time.Time { return time.After(d) }
