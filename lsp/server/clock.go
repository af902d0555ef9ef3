package server

import "time"

// WallClock is a [Clock] that goes by the machine's.
type WallClock struct{}

// After returns a channel that receives once d has passed.
func (WallClock) After(d time.Duration) <-chan time.Time { return time.After(d) }
