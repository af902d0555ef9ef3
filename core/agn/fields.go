package agn

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/signalbox-dev/signalbox/core/canon"
)

// shape names the members of one kind of object.
type shape struct {
	// what names the object in a reason.
	what   string
	fields []field
}

// field is a member that an object may have, and must unless it is optional.
type field struct {
	name, rule string
	optional   bool
}

// member is one value that is being read, with the rule that it may break.
type member struct {
	out              *canon.Findings
	name, rule, path string
	v                canon.Value
}

func (m *member) fault(reason string) { m.out.AddFault(m.rule, m.path, m.v.Offset, reason) }

// is reports whether the value is of the kind, and lists a fault if not. null is
// of no kind: where it is allowed, it was looked for before.
func (m *member) is(k canon.Kind) bool {
	if m.v.Kind == k {
		return true
	}
	m.fault(quote(m.path) + " is " + m.v.Kind.Phrase() + ", not " + k.Phrase())
	return false
}

// text decodes a string, and gives "" for anything else.
func (m *member) text() string {
	if !m.is(canon.String) {
		return ""
	}
	s, lossy := canon.Unquote(m.v.Raw)
	if lossy {
		m.fault("an escape in " + quote(m.path) + " stands for half a character")
	}
	return s
}

// word is [member.text] for what must not be empty or blank.
func (m *member) word() string {
	s := m.text()
	if m.v.Kind == canon.String && strings.TrimSpace(s) == "" {
		m.fault(quote(m.path) + " is empty")
	}
	return s
}

// oneOf is [member.text] for an enumeration. What is not in it is kept, and a
// fault.
func (m *member) oneOf(allowed ...string) string {
	s := m.text()
	if m.v.Kind == canon.String && !slices.Contains(allowed, s) {
		m.fault(quote(m.path) + " is " + quote(s) + ", none of " + strings.Join(allowed, ", "))
	}
	return s
}

func (m *member) flag() bool { return m.is(canon.Bool) && m.v.Raw[0] == 't' }

// answer reads a bool, or null for what could not be verified (rule C3).
func (m *member) answer() Answer {
	switch {
	case m.v.Kind == canon.Null:
		return Unknown
	case m.flag():
		return Yes
	}
	return No
}

// count reads an integer that is not negative, and gives 0 for anything else.
func (m *member) count() int64 {
	if !m.is(canon.Number) {
		return 0
	}
	n, ok := m.v.Int64()
	switch {
	case !ok:
		m.fault(quote(m.path) + " is not an integer of 64 bits: " + quote(string(m.v.Raw)))
	case n < 0:
		m.fault(quote(m.path) + " is negative")
		n = 0
	}
	return n
}

func (m *member) texts() []string {
	list := []string{}
	m.each(func(e *member) { list = append(list, e.text()) })
	return list
}

func (m *member) words() []string {
	list := []string{}
	m.each(func(e *member) { list = append(list, e.word()) })
	return list
}

// refs reads a list of message ids. The text's own examples shorten some, so
// that an id of another form is only worth a note (rule C9).
func (m *member) refs() []string {
	list := []string{}
	m.each(func(e *member) { list = append(list, e.ref()) })
	return list
}

func (m *member) ref() string {
	s := m.word()
	if _, ok := ParseID(s); !ok && strings.TrimSpace(s) != "" {
		m.out.AddNote("C9", m.path, m.v.Offset, quote(s)+" has not the form of a message id")
	}
	return s
}

// each walks an array of at most MaxItems values.
func (m *member) each(element func(e *member)) {
	if !m.is(canon.Array) {
		return
	}
	n := 0
	// The array was checked as part of the message: there is no error to come.
	_ = canon.Elements(m.v.Raw, func(v canon.Value) error {
		if n < MaxItems {
			v.Offset += m.v.Offset
			element(&member{out: m.out, rule: m.rule, path: m.path + "[" + strconv.Itoa(n) + "]", v: v})
		}
		n++
		return nil
	})
	if n > MaxItems {
		m.fault(quote(m.path) + " has " + strconv.Itoa(n) + " elements, and " + strconv.Itoa(MaxItems) + " is the limit")
	}
}

// object reads the members of an object that the shape knows.
func (m *member) object(sh *shape, set func(m *member)) {
	if m.is(canon.Mapping) {
		_ = readMembers(m.out, m.v, sh, m.path, set)
	}
}

// readMembers walks an object. A member that stands twice is a fault, since two
// readers would not agree on which one counts; an unknown one is a note (rule
// C17), and a fault of rule E0 where it, or anything in it, stands twice. The
// error is a *canon.SyntaxError.
func readMembers(f *canon.Findings, v canon.Value, sh *shape, path string, set func(m *member)) error {
	if path != "" {
		path += "."
	}
	var have uint32
	var unknown map[string]bool
	err := canon.Object(v.Raw, func(key []byte, e canon.Value) error {
		e.Offset += v.Offset
		at := slices.IndexFunc(sh.fields, func(d field) bool { return d.name == string(key) })
		if at < 0 {
			name := path + string(key)
			if unknown[name] {
				f.AddFault("E0", name, e.Offset, sh.what+" has "+quote(name)+" twice")
				return nil
			}
			if unknown == nil {
				unknown = map[string]bool{}
			}
			unknown[name] = true
			f.AddNote("C17", name, e.Offset, sh.what+" has an unknown member "+quote(name))
			reportTwice(f, "E0", name, e)
			return nil
		}
		d := &sh.fields[at]
		m := member{out: f, name: d.name, rule: d.rule, path: path + d.name, v: e}
		if have&(1<<at) != 0 {
			m.fault(sh.what + " has " + quote(m.path) + " twice")
			return nil
		}
		have |= 1 << at
		set(&m)
		return nil
	})
	for i, d := range sh.fields {
		if !d.optional && have&(1<<i) == 0 {
			f.AddFault(d.rule, path+d.name, v.Offset, sh.what+" has no "+quote(path+d.name))
		}
	}
	return err
}

// reportTwice reports every member that stands twice in a value that is else taken as
// it is.
func reportTwice(f *canon.Findings, rule, path string, v canon.Value) {
	if v.Kind != canon.Mapping && v.Kind != canon.Array {
		return
	}
	// The value was checked as part of the message: there is no error to come.
	_ = canon.Walk(v.Raw, func(way []canon.Step, e canon.Value, again bool) error {
		if !again || len(f.Faults) == canon.MaxFindings {
			return nil
		}
		at := path
		for i, step := range way {
			if step.Key == nil {
				at += "[" + strconv.Itoa(step.Index) + "]"
				continue
			}
			if i == len(way)-1 {
				f.AddFault(rule, at+"."+string(step.Key), v.Offset+e.Offset, quote(at)+" has "+quote(string(step.Key))+" twice")
				return nil
			}
			at += "." + string(step.Key)
		}
		return nil
	})
}

// root checks that data is one JSON object in UTF-8 of at most limit bytes.
func root(data []byte, what string, limit int) *canon.Fault {
	if len(data) > limit {
		return &canon.Fault{Rule: "E0", Offset: limit, Reason: what + " is longer than " + strconv.Itoa(limit) + " bytes"}
	}
	if !utf8.Valid(data) {
		return &canon.Fault{Rule: "E0", Reason: what + " is not valid UTF-8"}
	}
	err := canon.Object(data, func([]byte, canon.Value) error { return nil })
	if err == nil {
		return nil
	}
	bad := &canon.Fault{Rule: "E0", Reason: what + " is not a JSON object: " + err.Error()}
	if syntax, ok := errors.AsType[*canon.SyntaxError](err); ok {
		bad.Offset = syntax.Offset
		bad.Reason = what + " is not a JSON object: " + syntax.Reason + " at byte " + strconv.Itoa(syntax.Offset+1)
	}
	return bad
}
