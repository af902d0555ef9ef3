package atsf

import (
	"strconv"

	"github.com/signalbox-dev/signalbox/core/canon"
)

// dialect sets how this format reads members. Real writers write null for a missing member, every
// reader uses the last of two members with the same name, and half a character does not make a
// message unreadable (rule X1).
var dialect = canon.Dialect{
	Nulls:      canon.NullIsAbsent,
	LastCounts: true,
	HalfCharacter: func(m *canon.Member) {
		m.NoteOf("X1", "an escape stands for half a character and reads as U+FFFD")
	},
}

// rootOf returns a whole file as a member, or a fault of rule X1 or of the given one
// if it is not one JSON object in UTF-8.
func rootOf(data []byte, rule, what string, out *canon.Findings) (*canon.Member, *canon.Fault) {
	if bad := canon.CheckObject(data, what, "X1", rule); bad != nil {
		return nil, bad
	}
	return dialect.Root(canon.Value{Kind: canon.Mapping, Raw: data}, out), nil
}

// readLine reads the members of a line that nobody has checked yet, in one walk over
// it. It returns a fault of rule X1 or M1 if the line is not a JSON object in UTF-8;
// whatever was set until then is meaningless.
func readLine[T any](out *canon.Findings, line []byte, sh *canon.Shape[T], into T) *canon.Fault {
	if bad := canon.CheckUTF8(line, "the line", "X1"); bad != nil {
		return bad
	}
	err := sh.ReadText(dialect.Root(canon.Value{Kind: canon.Mapping, Raw: line}, out), into)
	return canon.ObjectFault(line, err, "the line", "M1")
}

// whole reads a number that is an integer by value, such as 12 or 12.0, and returns 0
// for anything else.
func whole(m *canon.Member) int64 {
	if !m.Is(canon.Number) {
		return 0
	}
	n, ok := m.Whole()
	if !ok {
		m.Fault(m.Quoted() + " is not a whole number: " + clip(string(m.Raw)))
	}
	return n
}

// count is [whole] for a number that must not be negative.
func count(m *canon.Member) int64 {
	n := whole(m)
	if n < 0 {
		m.Fault(m.Quoted() + " is negative")
		return 0
	}
	return n
}

// readTime reads a time of ISO 8601. One that is not written in UTC is noted.
func readTime(m *canon.Member) Time {
	text := m.Text()
	if m.Kind != canon.String {
		return Time{}
	}
	t := ParseTime(text)
	switch {
	case !t.OK:
		m.FaultOf("X1", m.Quoted()+" is not an ISO 8601 timestamp: "+quote(text))
	case !t.UTC:
		m.NoteOf("X1", m.Quoted()+" is not written in UTC: "+quote(text))
	}
	return t
}

// millis reads a number of milliseconds that is not negative, without its fraction.
func millis(v canon.Value) (int64, bool) {
	if n, ok := v.Int64(); ok {
		return n, n >= 0
	}
	x, err := strconv.ParseFloat(string(v.Raw), 64)
	if err != nil || x < 0 || x > 1<<53 {
		return 0, false
	}
	return int64(x), true
}
