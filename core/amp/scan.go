package amp

import (
	"bytes"
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/core/excerpt"
)

// scan looks at every value once: members that stand twice (JSN-3), null in the
// payload (JSN-1), numbers that are infinite to most readers (JSN-4), and halves of
// characters, which no two languages hash alike.
func (msg *Message) scan() *canon.Fault {
	data := msg.Raw
	if !utf8.Valid(data) {
		return &canon.Fault{Rule: "JSN-0", Reason: "the message is not valid UTF-8"}
	}
	if start := bytes.TrimLeft(data, " \t\r\n"); len(start) == 0 || start[0] != '{' {
		return &canon.Fault{Rule: "JSN-0", Offset: len(data) - len(start), Reason: "the message is not a JSON object"}
	}
	err := canon.Walk(data, func(way []canon.Step, v canon.Value, again bool) error {
		if len(way) > 0 {
			msg.look(way, v, again)
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

func (msg *Message) look(way []canon.Step, v canon.Value, again bool) {
	root := string(way[0].Key)
	sent := root == "envelope" || root == "payload"
	// A hostile message has ten thousands of findings: beyond the limit none is
	// put into words.
	faults, notes := len(msg.Faults) < canon.MaxFindings, len(msg.Notes) < canon.MaxFindings
	switch {
	case again && sent && faults:
		msg.AddFault("JSN-3", path(way), v.Offset, quote(path(way))+" stands twice")
	case again && !sent && notes:
		msg.AddNote("JSN-3", path(way), v.Offset, quote(path(way))+" stands twice")
	}
	switch {
	case !sent:
	case notes && v.Kind == canon.Null && root == "payload" && len(way) > 1:
		msg.AddNote("JSN-1", path(way), v.Offset, quote(path(way))+" is null where it should be left out")
	case faults && v.Kind == canon.Number && infinite(v.Raw):
		msg.AddFault("JSN-4", path(way), v.Offset, quote(path(way))+" is not finite to most readers: "+excerpt.Clip(string(v.Raw)))
	case faults && v.Kind == canon.String && v.Escaped && bytes.Contains(v.Raw, []byte(`\u`)):
		if _, lossy := canon.Unquote(v.Raw); lossy {
			msg.AddFault("JSN-0", path(way), v.Offset, "an escape in "+quote(path(way))+" stands for half a character")
		}
	}
}

// infinite reports a number beyond what 64 bits of floating point hold.
func infinite(raw []byte) bool {
	if len(raw) < 300 && !bytes.ContainsAny(raw, "eE") {
		return false
	}
	_, err := strconv.ParseFloat(string(raw), 64)
	return err != nil
}

// path names a value: payload.context.list[0].
func path(way []canon.Step) string {
	var b strings.Builder
	for i, step := range way {
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
