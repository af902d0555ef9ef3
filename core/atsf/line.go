package atsf

import (
	"unicode/utf8"

	"github.com/signalbox-dev/signalbox/core/canon"
)

// BuildMessage returns the line of a message with its \n (Message Object). Blocks and
// tool calls with Raw are written as in Raw, without white space between their tokens;
// others are written from their fields. Raw, Blocks, ToolCalls and Findings of the
// message itself are ignored.
//
// It returns a *[canon.Fault] for a message in which [ParseMessage] would list one: an
// empty id or an unknown role (M2), an invalid time or text that is not UTF-8 (X1), a
// block that lacks what its type needs (B1), an invalid asset name (L4), a tool call
// that breaks TC1 or TC2.
func BuildMessage(m Message) ([]byte, error) {
	if !m.Time.OK || !writableTime(m.Time) {
		return nil, &canon.Fault{Rule: "X1", Field: "timestamp", Reason: "the time cannot be written"}
	}
	w := newWriter("", ":")
	w.Text("id", m.ID)
	w.Text("role", m.Role)
	w.Text("timestamp", FormatTime(m.Time.Millis))
	w.Open("content", '[')
	for i := range m.Content {
		w.block(&m.Content[i], i)
	}
	w.Close(']')
	if len(m.Tools) > 0 {
		w.Open("toolCalls", '[')
		for i := range m.Tools {
			w.tool(&m.Tools[i], i)
		}
		w.Close(']')
	}
	w.Optional("stopReason", m.StopReason)
	w.Optional("model", m.Model)
	if t := m.Tokens; t != nil {
		w.Open("tokens", '{')
		w.Number("input", t.Input)
		w.Number("output", t.Output)
		w.Close('}')
	}
	w.Close('}')
	return w.line()
}

// line checks what was written by reading it.
func (w *writer) line() ([]byte, error) {
	if w.Bad != nil {
		return nil, w.Bad
	}
	back, bad := readMessage(w.Out)
	if bad != nil {
		return nil, bad
	}
	if len(back.Faults) > 0 {
		return nil, &back.Faults[0]
	}
	for i := range back.Content {
		b := &back.Content[i]
		if b.Known && b.AssetRef != "" {
			if _, err := ParseAssetName(b.AssetRef); err != nil {
				return nil, err
			}
		}
	}
	return append(w.Out, '\n'), nil
}

// writer writes messages on one line, as real logs have them, and new files with a line
// for each member.
type writer struct{ canon.Writer }

func newWriter(indent, colon string) *writer {
	w := &writer{canon.Writer{Indent: indent, Colon: colon, NotUTF8: func(name, _ string) *canon.Fault {
		return &canon.Fault{Rule: "X1", Field: name, Reason: quote(name) + " is not valid UTF-8"}
	}}}
	w.Open("", '{')
	return w
}

// raw writes a JSON value without white space: a line end within one would end
// the message.
func (w *writer) raw(name string, value []byte, field string) {
	if !utf8.Valid(value) || canon.Valid(value) != nil {
		w.Fail(&canon.Fault{Rule: "X4", Field: field, Reason: "the raw value of " + quote(field) + " is not JSON"})
		return
	}
	w.Key(name)
	w.Out = style{colon: ":"}.value(w.Out, value, 0)
}

func (w *writer) block(b *Block, i int) {
	if b.Raw != nil {
		w.raw("", b.Raw, indexed("content", i, ""))
		return
	}
	must, may, known := blockMembers(b.Type)
	if !known {
		w.Fail(&canon.Fault{Rule: "B1", Field: indexed("content", i, ".type"), Reason: "a block of the unknown type " + quote(b.Type) + " cannot be made"})
	}
	w.Open("", '{')
	w.Text("type", b.Type)
	for _, f := range [...]struct {
		bit        uint32
		name, text string
	}{
		// In the order of the spec's examples.
		{hasCall, "toolCallId", b.ToolCallID},
		{hasURI, "uri", b.URI},
		{hasName, "name", b.Name},
		{hasAsset, "assetRef", b.AssetRef},
		{hasMime, "mimeType", b.MimeType},
		{hasText, "text", b.Text},
	} {
		if must&f.bit != 0 && (f.text != "" || f.bit == hasText) || may&f.bit != 0 && f.text != "" {
			w.Text(f.name, f.text)
		}
	}
	if may&hasData != 0 && b.AssetRef == "" && b.Inline != nil {
		w.raw("data", b.Inline, indexed("content", i, ".data"))
	}
	if may&hasSize != 0 && b.Size > 0 {
		w.Number("size", b.Size)
	}
	if may&hasAnnotations != 0 && b.Annotations != nil {
		w.raw("annotations", b.Annotations, indexed("content", i, ".annotations"))
	}
	w.Close('}')
}

func (w *writer) tool(c *ToolCall, i int) {
	if c.Raw != nil {
		w.raw("", c.Raw, indexed("toolCalls", i, ""))
		return
	}
	w.Open("", '{')
	w.Text("toolCallId", c.ID)
	w.Text("name", c.Name)
	w.Optional("title", c.Title)
	w.Text("status", c.Status)
	w.Optional("kind", c.Kind)
	if c.HasInput {
		w.Text("input", c.Input)
	}
	if c.HasOutput {
		w.Text("output", c.Output)
	}
	if c.Duration > 0 {
		w.Number("duration", c.Duration)
	}
	if d := c.Diff; d != nil {
		w.Open("diff", '{')
		w.Text("path", d.Path)
		// Readers that follow the text want oldText in every diff (rule Z8).
		w.Text("oldText", d.Old)
		w.Text("newText", d.New)
		w.Close('}')
	}
	w.locations(c.Locations)
	w.Close('}')
}

func (w *writer) locations(list []Location) {
	if len(list) == 0 {
		return
	}
	w.Open("locations", '[')
	for _, l := range list {
		w.Open("", '{')
		w.Text("path", l.Path)
		if l.Line != 0 {
			w.Number("line", l.Line)
		}
		w.Close('}')
	}
	w.Close(']')
}
