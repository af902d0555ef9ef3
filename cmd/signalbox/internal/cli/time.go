package cli

import (
	"fmt"
	"time"
)

// Minute formats a time in the local zone, to the minute.
func Minute(millis int64) string { return time.UnixMilli(millis).Format("2006-01-02 15:04") }

// Second formats a time in the local zone, to the second and with the zone.
func Second(millis int64) string { return time.UnixMilli(millis).Format("2006-01-02 15:04:05 -0700") }

// Day formats the day of a time in the local zone.
func Day(millis int64) string { return time.UnixMilli(millis).Format(time.DateOnly) }

// Clock formats the time of day of a time in the local zone.
func Clock(millis int64) string { return time.UnixMilli(millis).Format("15:04") }

// Age returns a duration in its largest unit.
func Age(d time.Duration) string {
	switch {
	case d < 0:
		return "ahead"
	case d < time.Minute:
		return fmt.Sprintf("%ds", d/time.Second)
	case d < time.Hour:
		return fmt.Sprintf("%dm", d/time.Minute)
	case d < 48*time.Hour:
		return fmt.Sprintf("%dh", d/time.Hour)
	}
	return fmt.Sprintf("%dd", d/(24*time.Hour))
}

// longAgo is the age from which a list shows the day instead of the age.
const longAgo = 60 * 24 * time.Hour

// When formats a time for a list: on a terminal the age, or the day if it is long ago,
// and otherwise the exact time. It returns "-" for 0.
func (o *Options) When(millis int64) string {
	if millis == 0 {
		return "-"
	}
	if !o.OnScreen() {
		return Minute(millis)
	}
	switch age := o.Now().Sub(time.UnixMilli(millis)); {
	case age < -time.Minute || age >= longAgo:
		return Day(millis)
	default:
		return Age(max(age, 0))
	}
}
