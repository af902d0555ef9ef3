package amp

import (
	"strconv"
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
	// OK tells that Text could be read.
	OK bool
}

// FormatTime writes Unix milliseconds as new messages have them, in whole seconds:
// 2025-01-30T10:00:00Z.
func FormatTime(millis int64) string {
	return isotime.Format(millis)[:len("2006-01-02T15:04:05")] + "Z"
}

// field is a member that an object may have, and must where it is required.
type field struct {
	name, rule string
	required   bool
}

// shape names the members of one kind of object.
type shape struct {
	what   string
	fields []field
	// null is the rule that a null breaks, as a note: in all of these objects
	// real senders write null for what they leave out.
	null string
}

// member is one value that is being read, with the rule that it may break.
type member struct {
	out              *canon.Findings
	name, rule, path string
	v                canon.Value
}

func (m *member) fault(reason string) { m.out.AddFault(m.rule, m.path, m.v.Offset, reason) }
func (m *member) note(reason string)  { m.out.AddNote(m.rule, m.path, m.v.Offset, reason) }

// is reports whether the value is of the kind, and lists a fault if not.
func (m *member) is(k canon.Kind) bool {
	if m.v.Kind == k {
		return true
	}
	m.fault(quote(m.path) + " is " + m.v.Kind.Phrase() + ", not " + k.Phrase())
	return false
}

// text decodes a string, and gives "" for anything else. Halves of characters were
// looked for before.
func (m *member) text() string {
	if !m.is(canon.String) {
		return ""
	}
	s, _ := canon.Unquote(m.v.Raw)
	return s
}

// word is [member.text] for what must not be empty.
func (m *member) word() string {
	s := m.text()
	if m.v.Kind == canon.String && s == "" {
		m.fault(quote(m.path) + " is empty")
	}
	return s
}

// time reads ISO 8601. Without an offset a time counts as UTC, and is noted.
func (m *member) time() Time {
	t := Time{Text: m.text()}
	if m.v.Kind != canon.String {
		return t
	}
	var zone isotime.Zone
	t.Millis, zone, t.OK = isotime.Parse(t.Text)
	switch {
	case !t.OK:
		m.fault(quote(m.path) + " is no ISO 8601 time: " + quote(t.Text))
	case zone == isotime.NoZone:
		m.note(quote(m.path) + " has no offset from UTC, which is taken as none")
	}
	return t
}

// id reads a message's id. The form of another one's, in a reply, is not this
// message's to answer for: its time and dashes are only noted of the own one.
func (m *member) id() string {
	s := m.word()
	if s == "" {
		return ""
	}
	id, ok := ParseID(s)
	switch {
	case !ok:
		m.fault(quote(m.path) + " has not the form msg_<time>_<letters and digits>: " + quote(s))
	case m.rule != "ENV-2":
	case id.Dashes:
		m.note(quote(m.path) + " is written with dashes: " + quote(s))
	case id.Millis:
		m.note(quote(m.path) + " counts milliseconds, where the text has seconds")
	}
	return s
}

// count reads an integer that is not negative. One that is written with a fraction
// or exponent is taken if it is whole (rule JSN-5).
func (m *member) count() int64 {
	if !m.is(canon.Number) {
		return 0
	}
	n, ok := m.v.Int64()
	if !ok {
		f, err := strconv.ParseFloat(string(m.v.Raw), 64)
		if n = int64(f); err == nil && f >= 0 && f < 1<<53 && float64(n) == f {
			m.out.AddNote("JSN-5", m.path, m.v.Offset, quote(m.path)+" is a whole number that is not written as one")
			return n
		}
		m.fault(quote(m.path) + " is no integer: " + quote(string(m.v.Raw)))
		return 0
	}
	if n < 0 {
		m.fault(quote(m.path) + " is negative")
		return 0
	}
	return n
}

// each walks an array of at most limit values, and counts all of them.
func (m *member) each(limit int, element func(e *member)) (n int) {
	if !m.is(canon.Array) {
		return 0
	}
	// The array was checked as part of the message: there is no error to come.
	_ = canon.Elements(m.v.Raw, func(v canon.Value) error {
		if n < limit {
			v.Offset += m.v.Offset
			element(&member{out: m.out, rule: m.rule, path: m.path + "[" + strconv.Itoa(n) + "]", v: v})
		}
		n++
		return nil
	})
	return n
}

// object reads the members of an object that the shape knows; others are kept and
// passed over. Of members that stand twice the first counts, and all others were
// reported before. It gives the names of those that are there.
func (m *member) object(sh *shape, set func(m *member)) {
	if !m.is(canon.Mapping) {
		return
	}
	have := map[string]bool{}
	prefix := m.path
	if prefix != "" {
		prefix += "."
	}
	_ = canon.Object(m.v.Raw, func(key []byte, v canon.Value) error {
		v.Offset += m.v.Offset
		for _, f := range sh.fields {
			if f.name != string(key) || have[f.name] {
				continue
			}
			have[f.name] = true
			e := member{out: m.out, name: f.name, rule: f.rule, path: prefix + f.name, v: v}
			if v.Kind == canon.Null && !f.required {
				if sh.null != "" {
					m.out.AddNote(sh.null, e.path, v.Offset, quote(e.path)+" is null where it should be left out")
				}
				return nil
			}
			set(&e)
		}
		return nil
	})
	for _, f := range sh.fields {
		if f.required && !have[f.name] {
			m.out.AddFault(f.rule, prefix+f.name, m.v.Offset, sh.what+" has no "+quote(prefix+f.name))
		}
	}
}

func anyOf(s string, list []string) string { return quote(s) + ", none of " + strings.Join(list, ", ") }
