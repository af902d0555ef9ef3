package samp

import (
	"strconv"

	"github.com/signalbox-dev/signalbox/core/canon"
)

// Screen reads one line piece by piece, in constant memory, and finds out whether it can be a
// record. It is for lines of megabytes, which are worth loading only if they can be records.
// Parse refuses every line that Screen refuses, and more: Screen does not check UTF-8, nor the
// form of numbers, words and \u escapes.
type Screen struct {
	fault *canon.Fault
	at    int64 // bytes so far
	step  step
	// depth counts the open objects and arrays. objects has a bit set for each that is an
	// object.
	depth   int
	objects uint64
	escaped bool // the next character of the string belongs to an escape
	// name is the beginning of the last member's name. plain is set if that name has no escape;
	// hidden is set if any name had one, so that the member is unknown.
	name   []byte
	plain  bool
	hidden bool
	have   field
}

// step is what a [Screen] reads or expects next.
type step uint8

const (
	stepStart step = iota
	stepFirstName
	stepName
	stepInName
	stepColon
	stepValue
	stepFirstElement
	stepInString
	stepInWord
	stepNext
	stepDone
)

// Add reads on and reports whether the line can still be a record.
func (s *Screen) Add(part []byte) bool {
	for len(part) > 0 && s.fault == nil {
		n := 0
		switch s.step {
		case stepInName, stepInString:
			n = s.inString(part)
		case stepInWord:
			n = s.inWord(part)
		default:
			n = 1
			if c := part[0]; c != ' ' && c != '\t' && c != '\r' && c != '\n' {
				s.token(c)
			}
		}
		part = part[n:]
		s.at += int64(n)
	}
	return s.fault == nil
}

// End ends the line. It returns why the line is not a record, or nil if it may be one. blank
// reports whether it contains only white space.
func (s *Screen) End() (fault *canon.Fault, blank bool) {
	if s.fault == nil && s.step == stepStart {
		return nil, true
	}
	if s.step != stepDone {
		s.fail("text ends too early")
	}
	if missing := required &^ s.have; missing != 0 && !s.hidden && s.fault == nil {
		name := firstName(missing)
		s.fault = &canon.Fault{Rule: "R3", Field: name, Reason: "the record has no " + strconv.Quote(name)}
	}
	return s.fault, false
}

func (s *Screen) fail(reason string) {
	if s.fault == nil {
		s.fault = &canon.Fault{Rule: "R3", Offset: int(s.at), Reason: "not a JSON object: " + reason + " at byte " + strconv.FormatInt(s.at+1, 10)}
	}
}

// inString reads on in a string and returns the number of bytes read.
func (s *Screen) inString(part []byte) int {
	if s.escaped {
		s.escaped = false
		return 1
	}
	n := canon.Plain(part)
	if s.step == stepInName {
		s.name = append(s.name, part[:min(n, cap(s.name)-len(s.name))]...)
	}
	if n == len(part) {
		return n
	}
	switch {
	case part[n] == '\\':
		s.escaped = true
		s.plain = s.plain && s.step != stepInName
	case part[n] != '"':
		s.at += int64(n)
		s.fail("a control character in a string is not escaped")
		s.at -= int64(n)
	case s.step == stepInName:
		s.step = stepColon
	default:
		s.step = stepNext
	}
	return n + 1
}

// inWord reads on in a number, or in true, false or null.
func (s *Screen) inWord(part []byte) int {
	for n, c := range part {
		if c != '-' && c != '+' && c != '.' && (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z') {
			s.step = stepNext
			return n
		}
	}
	return len(part)
}

// token reads a character between values that is not white space.
func (s *Screen) token(c byte) {
	inObject := s.depth > 0 && s.objects>>(s.depth-1)&1 == 1
	switch {
	case s.step == stepStart && c == '{':
		s.open(c)
	case s.step == stepStart:
		s.fail("not an object")
	case (s.step == stepFirstName || s.step == stepNext) && c == '}' && inObject,
		(s.step == stepFirstElement || s.step == stepNext) && c == ']' && !inObject && s.depth > 0:
		s.step = stepNext
		if s.depth--; s.depth == 0 {
			s.step = stepDone
		}
	case (s.step == stepFirstName || s.step == stepName) && c == '"':
		// §2's names have 6 characters at most.
		s.name, s.plain, s.step = make([]byte, 0, 8), true, stepInName
	case s.step == stepColon && c == ':':
		s.step = stepValue
	case s.step == stepNext && c == ',' && inObject:
		s.step = stepName
	case s.step == stepNext && c == ',':
		s.step = stepValue
	case s.step == stepValue, s.step == stepFirstElement:
		s.value(c)
	default:
		s.fail("unexpected " + strconv.QuoteToASCII(string(rune(c))))
	}
}

// value begins a value.
func (s *Screen) value(c byte) {
	if s.depth == 1 {
		s.member(c)
	}
	switch {
	case c == '{' || c == '[':
		s.open(c)
	case c == '"':
		s.step = stepInString
	case c == '-' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z':
		s.step = stepInWord
	default:
		s.fail("expected a value")
	}
}

func (s *Screen) open(c byte) {
	if s.depth == canon.MaxDepth {
		s.fail("nested more than " + strconv.Itoa(canon.MaxDepth) + " levels deep")
		return
	}
	s.objects &^= 1 << s.depth
	s.step = stepFirstElement
	if c == '{' {
		s.objects |= 1 << s.depth
		s.step = stepFirstName
	}
	s.depth++
}

// member notes a member of the record whose value begins with c.
func (s *Screen) member(c byte) {
	if s.hidden = s.hidden || !s.plain; !s.plain {
		return
	}
	f, _ := new(Record).member(string(s.name))
	fits := c == '"'
	switch f {
	case 0:
		return
	case fieldTS:
		fits = c == '-' || '0' <= c && c <= '9'
	case fieldID:
		fits = fits || c == 'n'
	}
	switch name := firstName(f); {
	case s.have&f != 0:
		s.fault = &canon.Fault{Rule: "R3", Field: name, Offset: int(s.at), Reason: "the record has " + strconv.Quote(name) + " twice"}
	case !fits:
		s.fault = &canon.Fault{Rule: "R3", Field: name, Offset: int(s.at), Reason: strconv.Quote(name) + " is of the wrong type"}
	}
	s.have |= f
}
