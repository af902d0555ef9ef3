package atsf

import (
	"github.com/signalbox-dev/signalbox/core/canon"
)

// ToolCall is one use of a tool (Tool Call Object, rules TC1 and TC2).
type ToolCall struct {
	// Raw is the call as it was read, and is written again. It aliases the input. It is nil in
	// a new call.
	Raw []byte
	// Offset is where Raw starts in the line, in bytes.
	Offset          int
	ID, Name, Title string
	// Status is what the line says; [ToolCall.State] reads it.
	Status string
	// Kind is the sort of tool, such as "read" or "execute", which real tools write in
	// addition to the name.
	Kind string
	// Input and Output are text. If a writer put another JSON value, which is listed as a
	// fault, they hold that value's raw text.
	Input, Output string
	// HasInput and HasOutput distinguish an empty text from a missing one.
	HasInput, HasOutput bool
	// Duration is in milliseconds, -1 if the line has none.
	Duration int64
	// Diff is nil if the call changed no file.
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

// Location is a place in a file. Line is 0 if it is not given.
type Location struct {
	Path string
	Line int64
}

// State is the state of a tool call.
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

// State returns the state that Status names.
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
	toolShape = canon.Shape[*ToolCall]{What: "the tool call", Rule: "TC1", Fields: []canon.Field[*ToolCall]{
		{Name: "toolCallId", Rule: "TC1", Set: func(c *ToolCall, m *canon.Member) { c.ID = m.Text() }},
		{Name: "name", Rule: "TC1", Set: func(c *ToolCall, m *canon.Member) { c.Name = m.Text() }},
		{Name: "status", Rule: "TC1", Set: func(c *ToolCall, m *canon.Member) {
			c.Status = m.Text()
			c.checkStatus(m)
		}},
		{Name: "title", Rule: "TC2", Optional: true, Set: func(c *ToolCall, m *canon.Member) { c.Title = m.Text() }},
		{Name: "kind", Rule: "TC2", Optional: true, Set: func(c *ToolCall, m *canon.Member) { c.Kind = m.Text() }},
		{Name: "input", Rule: "TC2", Optional: true, Set: func(c *ToolCall, m *canon.Member) { c.Input, c.HasInput = textOrRaw(m), true }},
		{Name: "output", Rule: "TC2", Optional: true, Set: func(c *ToolCall, m *canon.Member) { c.Output, c.HasOutput = textOrRaw(m), true }},
		{Name: "duration", Rule: "TC2", Optional: true, Set: func(c *ToolCall, m *canon.Member) { c.Duration = duration(m) }},
		{Name: "diff", Rule: "TC2", Optional: true, Set: func(c *ToolCall, m *canon.Member) {
			if m.Is(canon.Mapping) {
				c.Diff = &Diff{Created: true}
				diffShape.Read(m, c.Diff)
			}
		}},
		{Name: "locations", Rule: "TC2", Optional: true, Set: func(c *ToolCall, m *canon.Member) {
			c.Locations = nil
			canon.List(m, MaxItems, &locationShape, &c.Locations)
		}},
	}}
	diffShape = canon.Shape[*Diff]{What: "diff", Fields: []canon.Field[*Diff]{
		{Name: "path", Rule: "TC2", Set: func(d *Diff, m *canon.Member) { d.Path = m.Text() }},
		{Name: "newText", Rule: "TC2", Set: func(d *Diff, m *canon.Member) { d.New = m.Text() }},
		{Name: "oldText", Rule: "TC2", Optional: true, Set: func(d *Diff, m *canon.Member) { d.Old, d.Created = m.Text(), false }},
	}}
	locationShape = canon.Shape[*Location]{What: "the location", Rule: "TC2", Fields: []canon.Field[*Location]{
		{Name: "path", Rule: "TC2", Set: func(l *Location, m *canon.Member) { l.Path = m.Text() }},
		{Name: "line", Rule: "TC2", Optional: true, Set: func(l *Location, m *canon.Member) { l.Line = count(m) }},
	}}
)

func readTool(in *canon.Member) ToolCall {
	c := ToolCall{Raw: in.Raw, Offset: in.Offset, Duration: -1}
	toolShape.Read(in, &c)
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

// textOrRaw returns the text of a string, or the raw text of any other value.
func textOrRaw(m *canon.Member) string {
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
		m.Fault(m.Quoted() + " is not a duration: " + clip(string(m.Raw)))
		return -1
	}
	return n
}
