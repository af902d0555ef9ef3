package amp

import (
	"strings"

	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/core/isotime"
)

// Time is a timestamp as a message has it.
type Time struct {
	// Text is what the message says, also where it cannot be read.
	Text string
	// Millis is in Unix milliseconds; finer fractions are cut off.
	Millis int64
	// OK is set if Text could be read.
	OK bool
}

// FormatTime writes Unix milliseconds as new messages have them, in whole seconds:
// 2025-01-30T10:00:00Z.
func FormatTime(millis int64) string {
	return isotime.Format(millis)[:len("2006-01-02T15:04:05")] + "Z"
}

// dialect is how this format reads members. Real senders write null for what they leave
// out (rule JSN-2). [Message.scan] has found repeated members and halves of characters
// before, in unknown members too.
var dialect = canon.Dialect{Nulls: canon.OptionalNullIsAbsent, TwiceAllowed: true}

// word reads a string that must not be empty.
func word(m *canon.Member) string {
	s := m.Text()
	if m.Kind == canon.String && s == "" {
		m.Fault(m.Quoted() + " is empty")
	}
	return s
}

// readTime reads a time of ISO 8601. One without an offset counts as UTC, and is noted.
func readTime(m *canon.Member) Time {
	t := Time{Text: m.Text()}
	if m.Kind != canon.String {
		return t
	}
	var zone isotime.Zone
	t.Millis, zone, t.OK = isotime.Parse(t.Text)
	switch {
	case !t.OK:
		m.Fault(m.Quoted() + " is not an ISO 8601 time: " + quote(t.Text))
	case zone == isotime.NoZone:
		m.Note(m.Quoted() + " has no offset from UTC, which is taken as none")
	}
	return t
}

// messageID reads a message's id. The time and dashes of an id are noted only for the
// message's own id: a reply does not answer for the form of another message's.
func messageID(m *canon.Member) string {
	s := word(m)
	if s == "" {
		return ""
	}
	id, ok := ParseID(s)
	switch {
	case !ok:
		m.Fault(m.Quoted() + " does not have the form msg_<time>_<letters and digits>: " + quote(s))
	case m.Rule != "ENV-2":
	case id.Dashes:
		m.Note(m.Quoted() + " is written with dashes: " + quote(s))
	case id.Millis:
		m.Note(m.Quoted() + " counts milliseconds, where the text has seconds")
	}
	return s
}

// count reads an integer that is not negative. One that is written with a fraction or
// exponent is taken if it is whole (rule JSN-5).
func count(m *canon.Member) int64 {
	if !m.Is(canon.Number) {
		return 0
	}
	n, ok := m.Whole()
	written := canon.IsInteger(m.Raw)
	switch {
	case !ok, !written && (n < 0 || n >= 1<<53): // 1<<53 may stand for a number that was rounded
		m.Fault(m.Quoted() + " is not an integer: " + quote(string(m.Raw)))
		return 0
	case n < 0:
		m.Fault(m.Quoted() + " is negative")
		return 0
	case !written:
		m.NoteOf("JSN-5", m.Quoted()+" is a whole number that is not written as one")
	}
	return n
}

func anyOf(s string, list []string) string { return quote(s) + ", none of " + strings.Join(list, ", ") }
