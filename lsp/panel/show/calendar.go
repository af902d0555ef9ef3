package show

import (
	"time"

	"github.com/signalbox-dev/signalbox/core/query"
)

// Calendar returns the calendar for a query's times, in the time zone of now.
func Calendar(now time.Time) query.Calendar {
	year, month, day := now.Date()
	return query.Calendar{Year: year, Month: int(month), Day: day, Now: now.UnixMilli(), Begin: func(y, m, d int) int64 {
		return time.Date(y, time.Month(m), d, 0, 0, 0, 0, now.Location()).UnixMilli()
	}}
}
