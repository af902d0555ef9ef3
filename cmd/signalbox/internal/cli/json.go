package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/core/render"
)

// position returns the line and the column of an offset, both from 1. Columns count
// characters, as editors do.
func position(data []byte, offset int) (row, column int64) {
	before := data[:min(max(offset, 0), len(data))]
	start := bytes.LastIndexByte(before, '\n') + 1
	return int64(bytes.Count(before, []byte("\n")) + 1), int64(utf8.RuneCount(before[start:]) + 1)
}

// WriteJSON writes a value of the panels on a line of its own. Most of its texts are
// sanitized already.
func WriteJSON(w *bufio.Writer, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	w.Write(ShownJSON(data))
	return w.WriteByte('\n')
}

// ShownJSON returns a JSON text in which the characters that a terminal would act on,
// or not show, are escaped.
func ShownJSON(raw []byte) []byte {
	s := strings.Trim(string(raw), " \t\r")
	if render.Text(s) == s {
		return []byte(s)
	}
	var b []byte
	for _, r := range s {
		switch c := string(r); {
		case r == '\t' || r == '\r':
			b = append(b, ' ')
		case render.Text(c) == c:
			b = append(b, c...)
		case r > 0xffff:
			r -= 0x10000
			b = fmt.Appendf(b, `\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
		default:
			b = fmt.Appendf(b, `\u%04x`, r)
		}
	}
	return b
}

// Object writes one JSON object on a line of its own.
type Object struct {
	W     *bufio.Writer
	begun bool
	buf   []byte
}

// NewObject returns an object that writes to w.
func NewObject(w *bufio.Writer) *Object { return &Object{W: w} }

// Name begins a member. The caller writes its value.
func (o *Object) Name(name string) {
	if o.begun {
		o.W.WriteByte(',')
	} else {
		o.W.WriteByte('{')
	}
	o.begun = true
	o.W.WriteByte('"')
	o.W.WriteString(name)
	o.W.WriteString(`":`)
}

// Text writes a string. Characters that a terminal would act on, or not show, are
// escaped.
func (o *Object) Text(name, s string) *Object {
	o.Name(name)
	o.quote(s)
	return o
}

func (o *Object) quote(s string) {
	o.W.WriteByte('"')
	for part := range pieces(s) {
		if render.Text(part) == part || isPlainEscaped(part) {
			o.buf = canon.Escape(o.buf[:0], part)
		} else {
			o.buf = canon.EscapeASCII(o.buf[:0], strings.ToValidUTF8(part, "\ufffd"))
		}
		o.W.Write(o.buf)
	}
	o.W.WriteByte('"')
}

// isPlainEscaped reports whether the only unsafe characters of a text are controls,
// which JSON always escapes.
func isPlainEscaped(s string) bool {
	for _, r := range s {
		if r >= 0x7f {
			return false
		}
	}
	return true
}

// Number writes a number.
func (o *Object) Number(name string, n int64) *Object {
	o.Name(name)
	o.buf = strconv.AppendInt(o.buf[:0], n, 10)
	o.W.Write(o.buf)
	return o
}

// Bool writes true or false.
func (o *Object) Bool(name string, v bool) *Object {
	o.Name(name)
	o.W.WriteString(strconv.FormatBool(v))
	return o
}

// Raw writes a JSON text on one line, safe to show.
func (o *Object) Raw(name string, data []byte) *Object {
	o.Name(name)
	var b bytes.Buffer
	if err := json.Compact(&b, data); err != nil {
		b.Reset()
		b.WriteString("null")
	}
	o.W.Write(ShownJSON(b.Bytes()))
	return o
}

// List writes a list of strings.
func (o *Object) List(name string, values []string) *Object {
	o.Name(name)
	o.W.WriteByte('[')
	for i, v := range values {
		if i > 0 {
			o.W.WriteByte(',')
		}
		o.quote(v)
	}
	o.W.WriteByte(']')
	return o
}

// Objects writes a list of n objects.
func (o *Object) Objects(name string, n int, write func(i int, item *Object)) *Object {
	o.Name(name)
	o.W.WriteByte('[')
	for i := range n {
		if i > 0 {
			o.W.WriteByte(',')
		}
		item := NewObject(o.W)
		write(i, item)
		o.W.WriteByte('}')
	}
	o.W.WriteByte(']')
	return o
}

// Faults writes a list of faults or notes, with their places in data unless data is
// nil.
func (o *Object) Faults(name string, list []canon.Fault, data []byte) *Object {
	return o.Objects(name, len(list), func(i int, item *Object) {
		f := &list[i]
		item.Text("rule", f.Rule).Text("field", f.Field).Text("reason", f.Reason)
		if data != nil {
			row, column := position(data, f.Offset)
			item.Number("offset", int64(f.Offset)).Number("line", row).Number("column", column)
		}
	})
}

// End closes the object and its line. The same value can then write another object.
func (o *Object) End() {
	o.W.WriteString("}\n")
	o.begun = false
}
