package atsf

import (
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/signalbox-dev/signalbox/core/canon"
)

// shape names the members of one kind of object: those it must have first.
type shape struct {
	// what names the object in a reason.
	what string
	// rule is broken by a required member that is missing or of the wrong
	// kind, optional by any other.
	rule, optional string
	names          []string
	required       int
}

// member is one known member of an object that is being read.
type member struct {
	out    *canon.Findings
	shape  *shape
	prefix string
	at     int // in shape.names
	v      canon.Value
}

func (m *member) path() string { return m.prefix + m.shape.names[m.at] }

func (m *member) rule() string {
	if m.at < m.shape.required {
		return m.shape.rule
	}
	return m.shape.optional
}

func (m *member) fault(reason string) { m.out.AddFault(m.rule(), m.path(), m.v.Offset, reason) }

// is reports whether the value is of the kind, and lists a fault if not.
func (m *member) is(k canon.Kind) bool {
	if m.v.Kind == k {
		return true
	}
	m.fault(quote(m.path()) + " is " + m.v.Kind.Phrase() + ", not " + k.Phrase())
	return false
}

// text decodes a string, and gives "" for anything else.
func (m *member) text() string {
	if !m.is(canon.String) {
		return ""
	}
	if !m.v.Escaped {
		return string(m.v.Raw[1 : len(m.v.Raw)-1])
	}
	s, lossy := canon.Unquote(m.v.Raw)
	if lossy {
		m.out.AddNote("X1", m.path(), m.v.Offset, "an escape stands for half a character and reads as U+FFFD")
	}
	return s
}

func (m *member) flag() bool { return m.is(canon.Bool) && m.v.Raw[0] == 't' }

// whole reads a number that is an integer by value, such as 12 or 12.0, and
// gives 0 for anything else.
func (m *member) whole() int64 {
	if !m.is(canon.Number) {
		return 0
	}
	if n, ok := integer(m.v); ok {
		return n
	}
	m.fault(quote(m.path()) + " is not a whole number: " + clip(string(m.v.Raw)))
	return 0
}

// count is [member.whole] for what cannot be negative.
func (m *member) count() int64 {
	n := m.whole()
	if n < 0 {
		m.fault(quote(m.path()) + " is negative")
		return 0
	}
	return n
}

// integer reads a number as JavaScript does, if it is whole and exact there.
func integer(v canon.Value) (int64, bool) {
	if n, ok := v.Int64(); ok {
		return n, true
	}
	const exact = 1 << 53
	x, err := strconv.ParseFloat(string(v.Raw), 64)
	if err != nil || x < -exact || x > exact || x != float64(int64(x)) {
		return 0, false
	}
	return int64(x), true
}

func (m *member) time() Time {
	text := m.text()
	if m.v.Kind != canon.String {
		return Time{}
	}
	t := ParseTime(text)
	switch {
	case !t.OK:
		m.out.AddFault("X1", m.path(), m.v.Offset, quote(m.path())+" is no ISO 8601 timestamp: "+quote(text))
	case !t.UTC:
		m.out.AddNote("X1", m.path(), m.v.Offset, quote(m.path())+" is not written in UTC: "+quote(text))
	}
	return t
}

// readObject reads the known members of v and calls set for each that is not null.
// A null member counts as absent, as real writers mean it. A member that stands
// twice is a fault, and the last one counts, as in every reader there is.
func readObject(f *canon.Findings, v canon.Value, sh *shape, prefix string, set func(m *member)) {
	if v.Kind != canon.Mapping {
		f.AddFault(sh.rule, strings.TrimSuffix(prefix, "."), v.Offset, sh.what+" is "+v.Kind.Phrase()+", not an object")
		return
	}
	// v was checked as part of a larger text: there is no error to come.
	_ = readMembers(f, v, sh, prefix, set)
}

// readLine is [readObject] for a whole text that nobody has checked yet, in one walk
// over it. After a fault, what was set before is worthless.
func readLine(f *canon.Findings, data []byte, sh *shape, rule, what string, set func(m *member)) *canon.Fault {
	if !utf8.Valid(data) {
		return &canon.Fault{Rule: "X1", Offset: invalidAt(data), Reason: what + " is not valid UTF-8"}
	}
	if err := readMembers(f, canon.Value{Kind: canon.Mapping, Raw: data}, sh, "", set); err != nil {
		return syntaxFault(data, err, rule, what)
	}
	return nil
}

func readMembers(f *canon.Findings, v canon.Value, sh *shape, prefix string, set func(m *member)) error {
	var seen, have uint32
	m := member{out: f, shape: sh, prefix: prefix}
	err := canon.Object(v.Raw, func(key []byte, e canon.Value) error {
		m.at = sh.find(key)
		if m.at < 0 {
			return nil
		}
		e.Offset += v.Offset
		m.v = e
		bit := uint32(1) << m.at
		if seen&bit != 0 {
			m.fault(sh.what + " has " + quote(m.path()) + " twice")
		}
		seen |= bit
		have &^= bit
		if e.Kind != canon.Null {
			have |= bit
			set(&m)
		}
		return nil
	})
	for i := range sh.required {
		if have&(1<<i) == 0 {
			path := prefix + sh.names[i]
			f.AddFault(sh.rule, path, v.Offset, sh.what+" has no "+quote(path))
		}
	}
	return err
}

func (sh *shape) find(key []byte) int {
	for i, name := range sh.names {
		if string(key) == name {
			return i
		}
	}
	return -1
}

// elements walks an array of at most most values and reports how many there
// are. What lies beyond is not read, only counted.
func (m *member) elements(most int, element func(i int, v canon.Value)) (n int) {
	if !m.is(canon.Array) {
		return 0
	}
	_ = canon.Elements(m.v.Raw, func(e canon.Value) error {
		if n < most {
			e.Offset += m.v.Offset
			element(n, e)
		}
		n++
		return nil
	})
	if n > most {
		m.fault(quote(m.path()) + " has " + strconv.Itoa(n) + " elements, and " + strconv.Itoa(most) + " is the limit")
	}
	return n
}

// root checks that data is one JSON object in UTF-8. The fault is of rule X1
// or of the given one.
func root(data []byte, rule, what string) (canon.Value, *canon.Fault) {
	if !utf8.Valid(data) {
		return canon.Value{}, &canon.Fault{Rule: "X1", Offset: invalidAt(data), Reason: what + " is not valid UTF-8"}
	}
	err := canon.Object(data, func([]byte, canon.Value) error { return nil })
	if err == nil {
		return canon.Value{Kind: canon.Mapping, Raw: data}, nil
	}
	return canon.Value{}, syntaxFault(data, err, rule, what)
}

func syntaxFault(data []byte, err error, rule, what string) *canon.Fault {
	syntax, ok := errors.AsType[*canon.SyntaxError](err)
	if !ok {
		return &canon.Fault{Rule: rule, Reason: what + ": " + err.Error()}
	}
	if len(data) >= 3 && string(data[:3]) == "\ufeff" {
		return &canon.Fault{Rule: rule, Reason: what + " starts with a byte order mark"}
	}
	return &canon.Fault{Rule: rule, Offset: syntax.Offset, Reason: what + " is not a JSON object: " + syntax.Reason + " at byte " + strconv.Itoa(syntax.Offset+1)}
}

func invalidAt(data []byte) int {
	for i := 0; i < len(data); {
		r, n := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return len(data)
}

// millis reads a number of milliseconds that is not negative, without its
// fraction.
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
