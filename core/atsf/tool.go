package atsf

import (
	"github.com/signalbox-dev/signalbox/core/canon"
)

// ToolCall is one use of a tool (Tool Call Object, rules TC1 and TC2).
type ToolCall struct {
	// Raw is the call as it was read; it is what is written again. It aliases
	// the input, and is nil in a call that is being made.
	Raw []byte
	// Offset is where Raw starts in the line, in bytes.
	Offset          int
	ID, Name, Title string
	// Status is what the line says; [ToolCall.State] reads it.
	Status string
	// Kind is the sort of tool, such as "read" or "execute", which real tools
	// write beside the name.
	Kind string
	// Input and Output are text. Where a writer put another JSON value, which
	// is listed as a fault, they hold that value's own text.
	Input, Output string
	// HasInput and HasOutput tell an empty text from none.
	HasInput, HasOutput bool
	// Duration is in milliseconds, -1 where the line has none.
	Duration int64
	// Diff is nil where the call changed no file.
	Diff *Diff
	// Locations are the places the call was about, as real tools list them.
	Locations []Location
}

// Diff is a change to one file.
type Diff struct {
	Path, Old, New string
	// Created tells that the file had no text before: oldText is absent or
	// null (rule Z8). Some writers put an empty text instead.
	Created bool
}

// Location is a place in a file. Line is 0 where the line of the log has none.
type Location struct {
	Path string
	Line int64
}

// State is what has become of a tool call.
type State uint8

// The states of TC1. Running is also written in_progress.
const (
	StateUnknown State = iota
	Pending
	Running
	Completed
	Failed
)

// String gives the state as new lines spell it.
func (s State) String() string {
	return [...]string{"unknown", "pending", "running", "completed", "failed"}[s]
}

// State reads the status.
func (c *ToolCall) State() State {
	if c.Status == "in_progress" {
		return Running
	}
	for s := Pending; s <= Failed; s++ {
		if c.Status == s.String() {
			return s
		}
	}
	return StateUnknown
}

var (
	toolShape = shape{
		what: "the tool call", rule: "TC1", optional: "TC2", required: 3,
		names: []string{"toolCallId", "name", "status", "title", "kind", "input", "output", "duration", "diff", "locations"},
	}
	diffShape     = shape{what: "diff", rule: "TC2", optional: "TC2", required: 2, names: []string{"path", "newText", "oldText"}}
	locationShape = shape{what: "the location", rule: "TC2", optional: "TC2", required: 1, names: []string{"path", "line"}}
)

func (msg *Message) tool(v canon.Value, i int) ToolCall {
	c := ToolCall{Raw: v.Raw, Offset: v.Offset, Duration: -1}
	prefix := indexed("toolCalls", i, ".")
	readObject(&msg.Findings, v, &toolShape, prefix, func(m *member) {
		switch m.at {
		case 0:
			c.ID = m.text()
		case 1:
			c.Name = m.text()
		case 2:
			c.Status = m.text()
			c.checkStatus(m)
		case 3:
			c.Title = m.text()
		case 4:
			c.Kind = m.text()
		case 5:
			c.Input, c.HasInput = m.loose(), true
		case 6:
			c.Output, c.HasOutput = m.loose(), true
		case 7:
			c.Duration = m.duration()
		case 8:
			if m.is(canon.Mapping) {
				c.Diff = msg.diff(m.v, prefix+"diff.")
			}
		case 9:
			c.Locations = nil
			m.elements(MaxItems, func(j int, e canon.Value) {
				c.Locations = append(c.Locations, msg.location(e, prefix+indexed("locations", j, ".")))
			})
		}
	})
	return c
}

func (c *ToolCall) checkStatus(m *member) {
	switch {
	case m.v.Kind != canon.String:
	case c.State() == StateUnknown:
		m.fault("status " + quote(c.Status) + " is none of pending, running, completed and failed")
	case c.Status == "in_progress":
		m.out.AddNote("TC1", m.path(), m.v.Offset, `status "in_progress" reads as "running"`)
	}
}

// loose reads a text, or the text of any other value.
func (m *member) loose() string {
	if m.is(canon.String) {
		return m.text()
	}
	return string(m.v.Raw)
}

// duration reads milliseconds, of which real clocks write fractions.
func (m *member) duration() int64 {
	if !m.is(canon.Number) {
		return -1
	}
	n, ok := millis(m.v)
	if !ok {
		m.fault(quote(m.path()) + " is no duration: " + clip(string(m.v.Raw)))
		return -1
	}
	return n
}

func (msg *Message) diff(v canon.Value, prefix string) *Diff {
	d := &Diff{Created: true}
	readObject(&msg.Findings, v, &diffShape, prefix, func(m *member) {
		switch m.at {
		case 0:
			d.Path = m.text()
		case 1:
			d.New = m.text()
		case 2:
			d.Old, d.Created = m.text(), false
		}
	})
	return d
}

func (msg *Message) location(v canon.Value, prefix string) (l Location) {
	readObject(&msg.Findings, v, &locationShape, prefix, func(m *member) {
		if m.at == 0 {
			l.Path = m.text()
		} else {
			l.Line = m.count()
		}
	})
	return l
}
