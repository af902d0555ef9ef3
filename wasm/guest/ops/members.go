package ops

import (
	"errors"
	"strconv"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/canon"
)

// asFault returns the broken rule that an error names, or nil.
func asFault(err error) *canon.Fault {
	f, _ := errors.AsType[*canon.Fault](err)
	return f
}

// fault writes a fault, null for none.
func (e *encoder) fault(name string, f *canon.Fault) {
	if f == nil {
		e.null(name)
		return
	}
	e.key(name)
	e.oneFault(f)
}

func (e *encoder) oneFault(f *canon.Fault) {
	e.open('{')
	e.text("rule", f.Rule)
	e.text("field", f.Field)
	e.number("offset", int64(f.Offset))
	e.text("reason", f.Reason)
	e.close('}')
}

func (e *encoder) faults(name string, list []canon.Fault) {
	e.key(name)
	e.open('[')
	for i := range list {
		e.item()
		e.oneFault(&list[i])
	}
	e.close(']')
}

// time writes a time of a message; the two formats have the same members.
func (e *encoder) time(name string, t agn.Time) {
	e.key(name)
	e.open('{')
	e.text("text", t.Text)
	e.number("millis", t.Millis)
	e.bool("ok", t.OK)
	e.close('}')
}

func (e *encoder) threadTime(name string, t atsf.Time) {
	e.key(name)
	e.open('{')
	e.text("text", t.Text)
	e.number("millis", t.Millis)
	e.bool("ok", t.OK)
	e.bool("utc", t.UTC)
	e.close('}')
}

// maybe writes a bool, null for one that is not there.
func (e *encoder) maybe(name string, b *bool) {
	if b == nil {
		e.null(name)
		return
	}
	e.bool(name, *b)
}

// answer writes a bool, or null for unknown.
func (e *encoder) answer(name string, a agn.Answer) {
	e.key(name)
	e.oneAnswer(a)
}

func (e *encoder) answers(name string, list []agn.Answer) {
	e.key(name)
	e.open('[')
	for _, a := range list {
		e.item()
		e.oneAnswer(a)
	}
	e.close(']')
}

func (e *encoder) oneAnswer(a agn.Answer) {
	switch a {
	case agn.Yes, agn.No:
		e.buf = strconv.AppendBool(e.buf, a == agn.Yes)
	default:
		e.buf = append(e.buf, "null"...)
	}
}

func (e *encoder) fraction(name string, value float64) {
	e.key(name)
	e.buf = strconv.AppendFloat(e.buf, value, 'f', -1, 64)
}

// stateName returns what a tool call's status means, or nothing.
func stateName(c *atsf.ToolCall) string {
	if s := c.State(); s != atsf.StateUnknown {
		return s.String()
	}
	return ""
}
