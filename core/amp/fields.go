package amp

import (
	"bytes"
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/core/excerpt"
	"github.com/signalbox-dev/signalbox/core/isotime"
)

// Time is a message's timestamp.
type Time struct {
	Text   string // the timestamp as written, even if it cannot be read
	Millis int64  // in Unix milliseconds; finer fractions are cut off
	OK     bool   // set if Text could be read
}

// FormatTime writes Unix milliseconds in the form for new messages, in whole seconds:
// 2025-01-30T10:00:00Z.
func FormatTime(millis int64) string {
	return isotime.Format(millis)[:len("2006-01-02T15:04:05")] + "Z"
}

// dialect sets how this format reads members. Real senders write null for absent members (rule
// JSN-2). [Message.scan] has already found repeated members and halves of characters, including
// in unknown members.
var dialect = canon.Dialect{Nulls: canon.OptionalNullIsAbsent, TwiceAllowed: true}

func nonEmpty(m *canon.Member) string {
	s := m.Text()
	if m.Kind == canon.String && s == "" {
		m.Fault(m.Quoted() + " is empty")
	}
	return s
}

// readTime reads an ISO 8601 time. A time without an offset is taken as UTC, and noted.
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

// messageID reads a message's id. It notes the form of the time and dashes only for the message's
// own id: a reply is not responsible for the form of another message's id.
func messageID(m *canon.Member) string {
	s := nonEmpty(m)
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

// count reads an integer that is not negative. A whole number with a fraction or exponent is
// accepted (rule JSN-5).
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

// scan checks every value for repeated members (JSN-3), null in the payload (JSN-1), numbers that
// are infinite to most readers (JSN-4), and halves of characters, which no two languages hash
// alike.
func (msg *Message) scan() *canon.Fault {
	data := msg.Raw
	if !utf8.Valid(data) {
		return &canon.Fault{Rule: "JSN-0", Reason: "the message is not valid UTF-8"}
	}
	if start := bytes.TrimLeft(data, " \t\r\n"); len(start) == 0 || start[0] != '{' {
		return &canon.Fault{Rule: "JSN-0", Offset: len(data) - len(start), Reason: "the message is not a JSON object"}
	}
	err := canon.Walk(data, func(steps []canon.Step, v canon.Value, again bool) error {
		if len(steps) > 0 {
			msg.checkValue(steps, v, again)
		}
		return nil
	})
	if err == nil {
		return nil
	}
	bad := &canon.Fault{Rule: "JSN-0", Reason: "the message is not JSON: " + err.Error()}
	if syntax, ok := errors.AsType[*canon.SyntaxError](err); ok {
		bad.Offset = syntax.Offset
		bad.Reason = "the message is not JSON: " + syntax.Place()
		rest := data[syntax.Offset:]
		if bytes.HasPrefix(rest, []byte("NaN")) || bytes.HasPrefix(rest, []byte("Infinity")) {
			bad.Rule, bad.Reason = "JSN-4", "a number is "+string(rest[:3])+"…, which JSON does not have"
		}
	}
	return bad
}

func (msg *Message) checkValue(steps []canon.Step, v canon.Value, again bool) {
	root := string(steps[0].Key)
	sent := root == "envelope" || root == "payload"
	// A hostile message has tens of thousands of findings: beyond the limit, build no texts.
	faults, notes := len(msg.Faults) < canon.MaxFindings, len(msg.Notes) < canon.MaxFindings
	switch {
	case again && sent && faults:
		msg.AddFault("JSN-3", path(steps), v.Offset, quote(path(steps))+" stands twice")
	case again && !sent && notes:
		msg.AddNote("JSN-3", path(steps), v.Offset, quote(path(steps))+" stands twice")
	}
	switch {
	case !sent:
	case notes && v.Kind == canon.Null && root == "payload" && len(steps) > 1:
		msg.AddNote("JSN-1", path(steps), v.Offset, quote(path(steps))+" is null where it should be left out")
	case faults && v.Kind == canon.Number && infinite(v.Raw):
		msg.AddFault("JSN-4", path(steps), v.Offset, quote(path(steps))+" is not finite to most readers: "+excerpt.Clip(string(v.Raw)))
	case faults && v.Kind == canon.String && v.Escaped && bytes.Contains(v.Raw, []byte(`\u`)):
		if _, lossy := canon.Unquote(v.Raw); lossy {
			msg.AddFault("JSN-0", path(steps), v.Offset, "an escape in "+quote(path(steps))+" stands for half a character")
		}
	}
}

// infinite reports whether a number does not fit in 64 bits of floating point.
func infinite(raw []byte) bool {
	if len(raw) < 300 && !bytes.ContainsAny(raw, "eE") {
		return false
	}
	_, err := strconv.ParseFloat(string(raw), 64)
	return err != nil
}

// path returns the path of a value: payload.context.list[0].
func path(steps []canon.Step) string {
	var b strings.Builder
	for i, step := range steps {
		switch {
		case step.Key == nil:
			b.WriteString("[" + strconv.Itoa(step.Index) + "]")
			continue
		case i > 0:
			b.WriteByte('.')
		}
		b.WriteString(excerpt.Clip(string(step.Key)))
	}
	return b.String()
}
