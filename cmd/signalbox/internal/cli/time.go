package cli

import "time"

// Minute formats a time in the local zone, to the minute.
func Minute(millis int64) string { return time.UnixMilli(millis).Format("2006-01-02 15:04") }

// Second formats a time in the local zone, to the second and with the zone.
func Second(millis int64) string { return time.UnixMilli(millis).Format("2006-01-02 15:04:05 -0700") }

// Day formats the day of a time in the local zone.
func Day(millis int64) string { return time.UnixMilli(millis).Format(time.DateOnly) }
