package ops

import (
	"errors"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/canon"
)

// asFault returns the fault in an error, or nil.
func asFault(err error) *canon.Fault {
	f, _ := errors.AsType[*canon.Fault](err)
	return f
}

// fault writes a fault, or null for nil.
func (e *encoder) fault(name string, f *canon.Fault) { nested(e, name, f, (*encoder).oneFault) }

func (e *encoder) faults(name string, list []canon.Fault) { every(e, name, list, (*encoder).oneFault) }

func (e *encoder) oneFault(f *canon.Fault) {
	e.Text("rule", f.Rule)
	e.Text("field", f.Field)
	e.Number("offset", int64(f.Offset))
	e.Text("reason", f.Reason)
}

// both writes the faults and the notes.
func (e *encoder) both(f canon.Findings) {
	e.faults("faults", f.Faults)
	e.faults("notes", f.Notes)
}

// time writes a time of an AMP/1.0 or amp/0.1 message, which have the same members.
func (e *encoder) time(name string, t agn.Time) { nested(e, name, &t, (*encoder).oneTime) }

func (e *encoder) oneTime(t *agn.Time) {
	e.Text("text", t.Text)
	e.Number("millis", t.Millis)
	e.Bool("ok", t.OK)
}

func (e *encoder) threadTime(name string, t atsf.Time) {
	nested(e, name, &t, func(e *encoder, t *atsf.Time) {
		e.oneTime(&agn.Time{Text: t.Text, Millis: t.Millis, OK: t.OK})
		e.Bool("utc", t.UTC)
	})
}

// maybe writes a bool, or null for nil.
func (e *encoder) maybe(name string, b *bool) {
	if b == nil {
		e.Raw(name, nil)
		return
	}
	e.Bool(name, *b)
}

func (e *encoder) answers(name string, list []agn.Answer) {
	e.Open(name, '[')
	for _, a := range list {
		a.Write(&e.Writer, "")
	}
	e.Close(']')
}

// stateName returns the name of a tool call's state, or "" if its status is unknown.
func stateName(c *atsf.ToolCall) string {
	if s := c.State(); s != atsf.StateUnknown {
		return s.String()
	}
	return ""
}
