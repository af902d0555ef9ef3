package ops

import (
	"errors"
	"strconv"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/samp"
)

// fault has the fields that the faults of all formats have.
type fault struct {
	Rule, Field string
	Offset      int
	Reason      string
}

// asFault returns an error of any format as a fault, or nil.
func asFault(err error) *fault {
	if f, ok := errors.AsType[*samp.Fault](err); ok {
		return (*fault)(f)
	}
	if f, ok := errors.AsType[*atsf.Fault](err); ok {
		return (*fault)(f)
	}
	if f, ok := errors.AsType[*agn.Fault](err); ok {
		return (*fault)(f)
	}
	if f, ok := errors.AsType[*amp.Fault](err); ok {
		return (*fault)(f)
	}
	return nil
}

// fault writes a fault, null for none.
func (e *encoder) fault(name string, f *fault) {
	if f == nil {
		e.null(name)
		return
	}
	e.key(name)
	e.oneFault(f)
}

func (e *encoder) oneFault(f *fault) {
	e.open('{')
	e.text("rule", f.Rule)
	e.text("field", f.Field)
	e.number("offset", int64(f.Offset))
	e.text("reason", f.Reason)
	e.close('}')
}

// faults writes a list of any format's faults.
func faults[F ~struct {
	Rule, Field string
	Offset      int
	Reason      string
}](e *encoder, name string, list []F,
) {
	e.key(name)
	e.open('[')
	for i := range list {
		e.item()
		f := fault(list[i])
		e.oneFault(&f)
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

// answer writes a bool, null for what is not known.
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
