package atsf

import "github.com/signalbox-dev/signalbox/core/isotime"

// Time is a file's timestamp (Compatibility Notes: ISO 8601 in UTC, rule X1).
type Time struct {
	// Text is the timestamp as written, even if it cannot be read.
	Text string
	// Millis is in Unix milliseconds; finer fractions are cut off.
	Millis int64
	// OK is set if Text could be read, and UTC if Text says that it is in UTC.
	OK, UTC bool
}

// ParseTime reads a date and time of ISO 8601's extended form, with seconds and
// any fraction. An offset is applied. A time without one is taken as UTC, which
// the spec requires for all times; UTC is then false.
func ParseTime(s string) Time {
	millis, zone, ok := isotime.Parse(s)
	return Time{Text: s, Millis: millis, OK: ok, UTC: zone == isotime.UTC}
}

// FormatTime writes Unix milliseconds as new files have them:
// 2025-02-14T10:30:00.000Z. Times outside the years 0 to 9999, which this form
// cannot hold, are written as the nearest one it can.
func FormatTime(millis int64) string { return isotime.Format(millis) }
