package canon

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/signalbox-dev/signalbox/core/excerpt"
)

// Shape describes one kind of object, of at most 32 members, and how each of them is read
// into a T, which is a pointer.
type Shape[T any] struct {
	// What is the object's name in a reason, such as "the payload".
	What string
	// Rule is the rule broken by a value that is not an object. If it is empty, the value breaks
	// the rule of its member.
	Rule string
	// Null is the rule of the note about an optional member that is null and counts as absent. If
	// it is empty, there is no note.
	Null   string
	Fields []Field[T]
}

// Field is one known member of an object.
type Field[T any] struct {
	// Rule is the rule broken by a wrong member, and by a missing one unless it is Optional.
	Name, Rule string
	Optional   bool
	// Set reads the member into the object's value.
	Set func(into T, m *Member)
}

// Nulls is how null members are treated.
type Nulls uint8

const (
	// NullIsValue treats null as any other value.
	NullIsValue Nulls = iota
	// OptionalNullIsAbsent treats null as absent where the member is optional.
	OptionalNullIsAbsent
	// NullIsAbsent treats null as absent everywhere.
	NullIsAbsent
)

// Dialect holds a format's choices beyond its shapes.
type Dialect struct {
	Nulls Nulls
	// LastCounts uses the last of several members with the same name instead of the first.
	LastCounts bool
	// TwiceAllowed accepts repeated members without a fault, for a format that checks them
	// elsewhere.
	TwiceAllowed bool
	// Unknown, if set, is called for a member that the object's shape does not list. The argument
	// what is the shape's What. again is set if the object had a member of this name before.
	Unknown func(m *Member, what string, again bool)
	// HalfCharacter, if set, is called for a string with an escape for half of a surrogate
	// pair.
	HalfCharacter func(m *Member)
}

// Member is one value being read. It is valid only during the callback; the result of
// [Member.Kept] is valid while the objects around it are being read.
type Member struct {
	Value
	// Name is the member's name, and Rule the rule that it may break.
	Name, Rule string
	// At is the index of the member's field in its shape.
	At int
	// Out collects the findings.
	Out *Findings

	dialect *Dialect
	// parent is the object or array around the member, or nil.
	parent *Member
	// index is the position of an element in its array, from 1, or 0 for a member.
	index int
}

// Root returns the whole text v as a member without a name.
func (d *Dialect) Root(v Value, out *Findings) *Member {
	return &Member{Value: v, Out: out, dialect: d}
}

// Kept returns a copy, for checking the member again after its object was read.
func (m *Member) Kept() *Member {
	kept := *m
	return &kept
}

// Path returns the path of the member, such as "payload.subtasks[0].id".
func (m *Member) Path() string {
	path := m.Name
	if m.index > 0 {
		path += "[" + strconv.Itoa(m.index-1) + "]"
	}
	if m.parent == nil {
		return path
	}
	around := m.parent.Path()
	if around != "" && m.Name != "" {
		around += "."
	}
	return around + path
}

// Fault adds a fault: the member breaks its rule.
func (m *Member) Fault(reason string) { m.FaultOf(m.Rule, reason) }

// FaultOf adds a fault of another rule.
func (m *Member) FaultOf(rule, reason string) { m.Out.AddFault(rule, m.Path(), m.Offset, reason) }

// Note adds a note under the member's own rule.
func (m *Member) Note(reason string) { m.NoteOf(m.Rule, reason) }

// NoteOf adds a note under another rule.
func (m *Member) NoteOf(rule, reason string) { m.Out.AddNote(rule, m.Path(), m.Offset, reason) }

// Quoted returns the member's path in quotes, as reasons show it.
func (m *Member) Quoted() string { return excerpt.Quote(m.Path()) }

// Is reports whether the value is of the kind, and lists a fault if it is not.
func (m *Member) Is(k Kind) bool {
	if m.Kind == k {
		return true
	}
	m.Fault(m.Quoted() + " is " + m.Kind.Phrase() + ", not " + k.Phrase())
	return false
}

// Text returns a string decoded, and "" for any other value, which is a fault.
func (m *Member) Text() string {
	if !m.Is(String) {
		return ""
	}
	if !m.Escaped {
		return string(m.Raw[1 : len(m.Raw)-1])
	}
	s, lossy := Unquote(m.Raw)
	if lossy && m.dialect.HalfCharacter != nil {
		m.dialect.HalfCharacter(m)
	}
	return s
}

// OneOf returns a string unchanged. It adds a fault if the string is not allowed.
func (m *Member) OneOf(allowed ...string) string {
	s := m.Text()
	if m.Kind == String && !slices.Contains(allowed, s) {
		m.Fault(m.Quoted() + " is " + excerpt.Quote(s) + ", none of " + strings.Join(allowed, ", "))
	}
	return s
}

// Flag returns a bool, and false for any other value, which is a fault.
func (m *Member) Flag() bool { return m.Is(Bool) && m.Raw[0] == 't' }

// Each calls element for the first values of an array, at most limit, and returns the
// array's length. Any other value is a fault.
func (m *Member) Each(limit int, element func(e *Member)) (n int) {
	if !m.Is(Array) {
		return 0
	}
	e := Member{Name: m.Name, Out: m.Out, dialect: m.dialect, parent: m.parent}
	if m.index > 0 {
		e.Name, e.parent = "", m
	}
	// The array was checked as part of a larger text, so there is no error.
	_ = Elements(m.Raw, func(v Value) error {
		if n++; n <= limit {
			v.Offset += m.Offset
			e.Value, e.Rule, e.index = v, m.Rule, n
			element(&e)
		}
		return nil
	})
	return n
}

// List is [Member.Each], but an array of more than limit values is a fault.
func (m *Member) List(limit int, element func(e *Member)) int {
	n := m.Each(limit, element)
	if n > limit {
		m.Fault(m.Quoted() + " has " + strconv.Itoa(n) + " elements, and " + strconv.Itoa(limit) + " is the limit")
	}
	return n
}

// List appends the objects of an array to list, at most limit of them.
func List[T any](m *Member, limit int, sh *Shape[*T], list *[]T) {
	m.List(limit, func(e *Member) {
		into := new(T)
		sh.Read(e, into)
		*list = append(*list, *into)
	})
}

// Read reads an object that was checked as part of a larger text. Members that are
// missing are listed. Any other value is a fault.
func (sh *Shape[T]) Read(m *Member, into T) {
	switch {
	case m.Kind == Mapping:
		_ = sh.ReadText(m, into) // it was checked, so there is no error
	case sh.Rule != "":
		m.FaultOf(sh.Rule, sh.What+" is "+m.Kind.Phrase()+", not an object")
	default:
		m.Is(Mapping)
	}
}

// ReadText is [Shape.Read] for an unchecked text. It returns a *[SyntaxError] if the text is not
// an object; the values set until then are meaningless.
//
// Code that does not depend on T is in members: each T adds another copy of generic code to
// the WASM module.
func (sh *Shape[T]) ReadText(m *Member, into T) error {
	r := members{what: sh.What, null: sh.Null, offset: m.Offset}
	r.Member = Member{Out: m.Out, dialect: m.dialect, parent: m}
	err := Object(m.Raw, func(key []byte, v Value) error {
		if at := sh.find(key); at < 0 {
			r.readUnknown(string(key), v)
		} else if r.readKnown(at, sh.Fields[at].Name, sh.Fields[at].Rule, sh.Fields[at].Optional, v) {
			sh.Fields[at].Set(into, &r.Member)
		}
		return nil
	})
	for i := range sh.Fields {
		if r.have&(1<<i) == 0 && !sh.Fields[i].Optional {
			r.addMissing(sh.Fields[i].Name, sh.Fields[i].Rule)
		}
	}
	return err
}

// Set reads one member by its name, if the shape names it.
func (sh *Shape[T]) Set(m *Member, into T) {
	if i := sh.find([]byte(m.Name)); i >= 0 {
		sh.Fields[i].Set(into, m)
	}
}

// find returns the index of the field with that name, or -1.
func (sh *Shape[T]) find(name []byte) int {
	for i := range sh.Fields {
		if sh.Fields[i].Name == string(name) {
			return i
		}
	}
	return -1
}

// members reads the members of one object.
type members struct {
	Member     // the member that is being read
	what, null string
	offset     int // of the object
	// seen has a bit for each known member that was read, and have for each that counts.
	seen, have uint32
	unknown    map[string]bool
}

// readKnown sets the current member to a field's value, and reports whether it counts.
func (r *members) readKnown(at int, name, rule string, optional bool, v Value) bool {
	v.Offset += r.offset
	r.Value, r.At, r.Name, r.Rule = v, at, name, rule
	bit := uint32(1) << at
	if r.seen&bit != 0 {
		if !r.dialect.TwiceAllowed {
			r.Fault(r.what + " has " + r.Quoted() + " twice")
		}
		if !r.dialect.LastCounts {
			return false
		}
	}
	r.seen |= bit
	r.have &^= bit
	if r.absent(optional) {
		return false
	}
	r.have |= bit
	return true
}

// addMissing adds the fault of a missing member.
func (r *members) addMissing(name, rule string) {
	m := Member{Name: name, parent: r.parent}
	r.Out.AddFault(rule, m.Path(), r.offset, r.what+" has no "+m.Quoted())
}

// absent reports whether the member counts as absent because it is null.
func (r *members) absent(optional bool) bool {
	if r.Kind != Null || r.dialect.Nulls == NullIsValue || r.dialect.Nulls == OptionalNullIsAbsent && !optional {
		return false
	}
	if optional && r.null != "" {
		r.NoteOf(r.null, r.Quoted()+" is null where it should be left out")
	}
	return true
}

// readUnknown reads a member that the shape does not list.
func (r *members) readUnknown(name string, v Value) {
	if r.dialect.Unknown == nil {
		return
	}
	again := r.unknown[name]
	if r.unknown == nil {
		r.unknown = map[string]bool{}
	}
	r.unknown[name] = true
	v.Offset += r.offset
	r.Value, r.Name, r.Rule = v, name, ""
	r.dialect.Unknown(&r.Member, r.what, again)
}

// CheckObject returns a fault if data is not one JSON object in UTF-8. what names the
// text in reasons. Invalid UTF-8 breaks the rule encoding, and anything else breaks rule.
func CheckObject(data []byte, what, encoding, rule string) *Fault {
	if bad := CheckUTF8(data, what, encoding); bad != nil {
		return bad
	}
	return ObjectFault(data, Object(data, func([]byte, Value) error { return nil }), what, rule)
}

// CheckUTF8 returns a fault of the rule if data is not UTF-8.
func CheckUTF8(data []byte, what, rule string) *Fault {
	if ValidUTF8(data) {
		return nil
	}
	return &Fault{Rule: rule, Offset: invalidAt(data), Reason: what + " is not valid UTF-8"}
}

// ObjectFault returns the error of reading data as an object as a fault of the rule, or nil
// if there is no error.
func ObjectFault(data []byte, err error, what, rule string) *Fault {
	syntax, ok := errors.AsType[*SyntaxError](err)
	switch {
	case err == nil:
		return nil
	case !ok:
		return &Fault{Rule: rule, Reason: what + ": " + err.Error()}
	case len(data) >= 3 && string(data[:3]) == "\ufeff":
		return &Fault{Rule: rule, Reason: what + " starts with a byte order mark"}
	}
	return &Fault{Rule: rule, Offset: syntax.Offset, Reason: what + " is not a JSON object: " + syntax.Place()}
}

// invalidAt returns the position of the first byte that is not UTF-8.
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
