package show

import (
	"math"
	"time"
)

// Millis turns a SAMP record's time into Unix milliseconds. A stranger's time may be
// any number; what does not fit becomes the furthest time that does.
func Millis(ts int64) int64 {
	if ts <= math.MaxInt64/1000 && ts >= math.MinInt64/1000 {
		ts *= 1000
	}
	return Time(ts)
}

// Time keeps Unix milliseconds within the times that JavaScript knows.
func Time(milli int64) int64 {
	const most = 8_640_000_000_000_000
	return max(-most, min(most, milli))
}

// Number keeps a count that a stranger wrote within what clients can add.
func Number(n int64) int { return int(max(0, min(n, 1<<53-1))) }

// When words a time of the protocol. It names the zone, since the server may run in
// another one than the reader's.
func When(milli int64) string {
	return time.UnixMilli(milli).Format("2006-01-02 15:04 MST")
}
