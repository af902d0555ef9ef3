package agn

import (
	"strconv"
	"strings"

	"github.com/signalbox-dev/signalbox/core/isotime"
)

// ID is a message id in its parts, "{type}-{task_id}-{unix_ms}" (rule E1). Do not take the
// milliseconds for the time of the message: the spec's own example is a year off (rule C9).
type ID struct {
	Type, TaskID string
	Millis       int64
}

// ParseID splits a message id into its parts. ok is true if the type is known, the task id is well
// formed, and the last part is a number of at most 16 digits. The id is then safe as a file name.
// ParseID accepts short numbers, which references may have (rule C9). A message's own id needs a
// longer one (rule E1).
func ParseID(s string) (id ID, ok bool) {
	kind, rest, found := strings.Cut(s, "-")
	at := strings.LastIndexByte(rest, '-')
	if !found || at < 0 || !ValidType(kind) || !ValidTaskID(rest[:at]) {
		return ID{}, false
	}
	digits := rest[at+1:]
	if !number(digits, 1, 16) {
		return ID{}, false
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	return ID{Type: kind, TaskID: rest[:at], Millis: n}, err == nil
}

// MinNumber is the smallest number that a message's own id may end in, a time in 2001. Smaller
// numbers count messages or seconds.
const MinNumber = 1e12

// Timed reports whether the id ends in a possible time in milliseconds, of at most 15 digits
// (microseconds have 16). The number need not match the message's timestamp (rules E1 and
// C9).
func (id ID) Timed() bool { return id.Millis >= MinNumber && id.Millis < 1e15 }

// String returns the id as written in messages.
func (id ID) String() string {
	return id.Type + "-" + id.TaskID + "-" + strconv.FormatInt(id.Millis, 10)
}

// ValidType reports whether s is one of the five types (rule E3).
func ValidType(s string) bool {
	switch s {
	case TypeDispatch, TypeResult, TypeRequest, TypeVerdict, TypeEscalation:
		return true
	}
	return false
}

// ValidTaskID reports whether s has the form "T-YYYY-NNN" (rule E6). A number over 999 has as
// many digits as it needs, up to nine (rule C17).
func ValidTaskID(s string) bool {
	rest, ok := strings.CutPrefix(s, "T-")
	return ok && len(rest) > 5 && rest[4] == '-' && number(rest[:4], 4, 4) && number(rest[5:], 3, 9)
}

func number(s string, least, most int) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return len(s) >= least && len(s) <= most
}

// Time is a message's timestamp: ISO 8601 with Z or a numeric offset (rules E7 and C11).
type Time struct {
	// Text is the timestamp as written, even if it cannot be read.
	Text string
	// Millis is in Unix milliseconds; finer fractions are cut off.
	Millis int64
	// OK is set if Text could be read.
	OK bool
}

// ParseTime reads a date and time with seconds, any fraction and an offset. The result is not OK
// without an offset, which the spec requires, or outside the years 0 to 9999 in UTC: an answer to
// such a message could not be dated.
func ParseTime(s string) Time {
	millis, zone, ok := isotime.Parse(s)
	// isotime also accepts a space instead of the T, and a time without an offset.
	if !ok || zone == isotime.NoZone || s[10] == ' ' || millis < isotime.Min || millis > isotime.Max {
		return Time{Text: s}
	}
	return Time{Text: s, Millis: millis, OK: true}
}

// FormatTime writes Unix milliseconds in the form for new messages:
// 2026-02-26T14:32:07.000+00:00.
func FormatTime(millis int64) string {
	return strings.TrimSuffix(isotime.Format(millis), "Z") + "+00:00"
}

// At returns a Time for building messages.
func At(millis int64) Time { return ParseTime(FormatTime(millis)) }
