package atsf

import (
	"strconv"
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
	var w lineWriter
	w.open()
	w.text("id", m.ID)
	w.text("role", m.Role)
	w.text("timestamp", FormatTime(m.Time.Millis))
	w.key("content")
	w.dst = append(w.dst, '[')
	for i := range m.Content {
		w.block(&m.Content[i], i)
	}
	w.dst = append(w.dst, ']')
	if len(m.Tools) > 0 {
		w.key("toolCalls")
		w.dst = append(w.dst, '[')
		for i := range m.Tools {
			w.tool(&m.Tools[i], i)
		}
		w.dst = append(w.dst, ']')
	}
	w.optional("stopReason", m.StopReason)
	w.optional("model", m.Model)
	if t := m.Tokens; t != nil {
		w.key("tokens")
		w.open()
		w.number("input", t.Input)
		w.number("output", t.Output)
		w.close()
	}
	w.close()
	return w.line()
}

// line checks what was written by reading it.
func (w *lineWriter) line() ([]byte, error) {
	if w.bad != nil {
		return nil, w.bad
	}
	back, bad := readMessage(w.dst)
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
	return append(w.dst, '\n'), nil
}

// lineWriter writes compact JSON, as real logs have it.
type lineWriter struct {
	dst []byte
	bad *canon.Fault
}

func (w *lineWriter) open()  { w.dst = append(w.dst, '{') }
func (w *lineWriter) close() { w.dst = append(w.dst, '}') }

// comma separates a value from the one before it, if there is one.
func (w *lineWriter) comma() {
	if c := w.dst[len(w.dst)-1]; c != '{' && c != '[' {
		w.dst = append(w.dst, ',')
	}
}

func (w *lineWriter) key(name string) {
	w.comma()
	w.dst = append(canon.AppendString(w.dst, name), ':')
}

func (w *lineWriter) text(name, s string) {
	if !utf8.ValidString(s) && w.bad == nil {
		w.bad = &canon.Fault{Rule: "X1", Field: name, Reason: quote(name) + " is not valid UTF-8"}
	}
	w.key(name)
	w.dst = canon.AppendString(w.dst, s)
}

func (w *lineWriter) optional(name, s string) {
	if s != "" {
		w.text(name, s)
	}
}

func (w *lineWriter) number(name string, n int64) {
	w.key(name)
	w.dst = strconv.AppendInt(w.dst, n, 10)
}

// raw writes a JSON value without white space: a line end within one would end
// the message.
func (w *lineWriter) raw(value []byte, field string) {
	if !utf8.Valid(value) || canon.Valid(value) != nil {
		if w.bad == nil {
			w.bad = &canon.Fault{Rule: "X4", Field: field, Reason: "the raw value of " + quote(field) + " is not JSON"}
		}
		return
	}
	w.dst = style{colon: ":"}.value(w.dst, value, 0)
}

func (w *lineWriter) block(b *Block, i int) {
	w.comma()
	if b.Raw != nil {
		w.raw(b.Raw, indexed("content", i, ""))
		return
	}
	must, may, known := blockMembers(b.Type)
	if !known && w.bad == nil {
		w.bad = &canon.Fault{Rule: "B1", Field: indexed("content", i, ".type"), Reason: "a block of the unknown type " + quote(b.Type) + " cannot be made"}
	}
	w.open()
	w.text("type", b.Type)
	for _, f := range [...]struct {
		bit        uint32
		name, text string
	}{
		// In the order of the text's examples.
		{hasCall, "toolCallId", b.ToolCallID},
		{hasURI, "uri", b.URI},
		{hasName, "name", b.Name},
		{hasAsset, "assetRef", b.AssetRef},
		{hasMime, "mimeType", b.MimeType},
		{hasText, "text", b.Text},
	} {
		if must&f.bit != 0 && (f.text != "" || f.bit == hasText) || may&f.bit != 0 && f.text != "" {
			w.text(f.name, f.text)
		}
	}
	if may&hasSize != 0 && b.Size > 0 {
		w.number("size", b.Size)
	}
	if may&hasAnnotations != 0 && b.Annotations != nil {
		w.key("annotations")
		w.raw(b.Annotations, indexed("content", i, ".annotations"))
	}
	w.close()
}

func (w *lineWriter) tool(c *ToolCall, i int) {
	w.comma()
	if c.Raw != nil {
		w.raw(c.Raw, indexed("toolCalls", i, ""))
		return
	}
	w.open()
	w.text("toolCallId", c.ID)
	w.text("name", c.Name)
	w.optional("title", c.Title)
	w.text("status", c.Status)
	w.optional("kind", c.Kind)
	if c.HasInput {
		w.text("input", c.Input)
	}
	if c.HasOutput {
		w.text("output", c.Output)
	}
	if c.Duration > 0 {
		w.number("duration", c.Duration)
	}
	if d := c.Diff; d != nil {
		w.key("diff")
		w.open()
		w.text("path", d.Path)
		// Readers that follow the text want oldText in every diff (rule Z8).
		w.text("oldText", d.Old)
		w.text("newText", d.New)
		w.close()
	}
	w.locations(c.Locations)
	w.close()
}

func (w *lineWriter) locations(list []Location) {
	if len(list) == 0 {
		return
	}
	w.key("locations")
	w.dst = append(w.dst, '[')
	for _, l := range list {
		w.comma()
		w.open()
		w.text("path", l.Path)
		if l.Line != 0 {
			w.number("line", l.Line)
		}
		w.close()
	}
	w.dst = append(w.dst, ']')
}
