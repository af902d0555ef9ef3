package show

import (
	"math"
	"time"
)

// Millis returns a SAMP record's time in Unix milliseconds. A stranger's time may be
// any number: one out of range becomes the nearest time in range.
func Millis(ts int64) int64 {
	if ts <= math.MaxInt64/1000 && ts >= math.MinInt64/1000 {
		ts *= 1000
	}
	return Time(ts)
}

// Time returns Unix milliseconds, limited to the range of JavaScript's dates.
func Time(milli int64) int64 {
	const most = 8_640_000_000_000_000
	return max(-most, min(most, milli))
}

// Number returns a number that a stranger wrote, limited to 0 to 2^53-1, which clients can represent
// exactly.
func Number(n int64) int { return int(max(0, min(n, 1<<53-1))) }

// When returns a time of the protocol in words. It includes the time zone, because the server's
// may differ from the reader's.
func When(milli int64) string {
	return time.UnixMilli(milli).Format("2006-01-02 15:04 MST")
}
