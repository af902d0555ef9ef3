package atsf

import (
	"github.com/signalbox-dev/signalbox/core/canon"
)

// ToolCall is one use of a tool (Tool Call Object, rules TC1 and TC2).
type ToolCall struct {
	// Raw is the call as it was read, and is what a writer writes again. It aliases the
	// input. It is nil in a new call.
	Raw []byte
	// Offset is where Raw starts in the line, in bytes.
	Offset          int
	ID, Name, Title string
	// Status is what the line says; [ToolCall.State] reads it.
	Status string
	// Kind is the sort of tool, such as "read" or "execute", which real tools write in
	// addition to the name.
	Kind string
	// Input and Output are text. Where a writer put another JSON value, which
	// is listed as a fault, they hold that value's own text.
	Input, Output string
	// HasInput and HasOutput distinguish an empty text from a missing one.
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
	// Created is set if the file had no text before: oldText is absent or
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

// String returns the state as new lines spell it.
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
	toolShape = canon.Shape{What: "the tool call", Fields: []canon.Field{
		{Name: "toolCallId", Rule: "TC1"},
		{Name: "name", Rule: "TC1"},
		{Name: "status", Rule: "TC1"},
		{Name: "title", Rule: "TC2", Optional: true},
		{Name: "kind", Rule: "TC2", Optional: true},
		{Name: "input", Rule: "TC2", Optional: true},
		{Name: "output", Rule: "TC2", Optional: true},
		{Name: "duration", Rule: "TC2", Optional: true},
		{Name: "diff", Rule: "TC2", Optional: true},
		{Name: "locations", Rule: "TC2", Optional: true},
	}}
	diffShape = canon.Shape{What: "diff", Fields: []canon.Field{
		{Name: "path", Rule: "TC2"},
		{Name: "newText", Rule: "TC2"},
		{Name: "oldText", Rule: "TC2", Optional: true},
	}}
	locationShape = canon.Shape{What: "the location", Fields: []canon.Field{
		{Name: "path", Rule: "TC2"},
		{Name: "line", Rule: "TC2", Optional: true},
	}}
)

func readTool(in *canon.Member) ToolCall {
	c := ToolCall{Raw: in.Raw, Offset: in.Offset, Duration: -1}
	object(in, &toolShape, func(m *canon.Member) {
		switch m.Name {
		case "toolCallId":
			c.ID = m.Text()
		case "name":
			c.Name = m.Text()
		case "status":
			c.Status = m.Text()
			c.checkStatus(m)
		case "title":
			c.Title = m.Text()
		case "kind":
			c.Kind = m.Text()
		case "input":
			c.Input, c.HasInput = loose(m), true
		case "output":
			c.Output, c.HasOutput = loose(m), true
		case "duration":
			c.Duration = duration(m)
		case "diff":
			if m.Is(canon.Mapping) {
				c.Diff = readDiff(m)
			}
		case "locations":
			c.Locations = nil
			m.List(MaxItems, func(e *canon.Member) {
				c.Locations = append(c.Locations, readLocation(e))
			})
		}
	})
	return c
}

func (c *ToolCall) checkStatus(m *canon.Member) {
	switch {
	case m.Kind != canon.String:
	case c.State() == StateUnknown:
		m.Fault("status " + quote(c.Status) + " is none of pending, running, completed and failed")
	case c.Status == "in_progress":
		m.NoteOf("TC1", `status "in_progress" reads as "running"`)
	}
}

// loose reads a text, or the text of any other value.
func loose(m *canon.Member) string {
	if m.Is(canon.String) {
		return m.Text()
	}
	return string(m.Raw)
}

// duration reads milliseconds. Real writers write fractions of them.
func duration(m *canon.Member) int64 {
	if !m.Is(canon.Number) {
		return -1
	}
	n, ok := millis(m.Value)
	if !ok {
		m.Fault(m.Quoted() + " is no duration: " + clip(string(m.Raw)))
		return -1
	}
	return n
}

func readDiff(in *canon.Member) *Diff {
	d := &Diff{Created: true}
	object(in, &diffShape, func(m *canon.Member) {
		switch m.Name {
		case "path":
			d.Path = m.Text()
		case "newText":
			d.New = m.Text()
		case "oldText":
			d.Old, d.Created = m.Text(), false
		}
	})
	return d
}

func readLocation(in *canon.Member) (l Location) {
	object(in, &locationShape, func(m *canon.Member) {
		if m.Name == "path" {
			l.Path = m.Text()
		} else {
			l.Line = count(m)
		}
	})
	return l
}
