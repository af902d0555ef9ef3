package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/printed"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/core/render"
)

// position returns the line and the column of an offset, both from 1. Columns count
// characters, as editors do.
func position(data []byte, offset int) (row, column int) {
	before := data[:min(max(offset, 0), len(data))]
	start := bytes.LastIndexByte(before, '\n') + 1
	return bytes.Count(before, []byte("\n")) + 1, utf8.RuneCount(before[start:]) + 1
}

// WriteJSON writes a value of the panels as one line of JSON. Most of its texts are already
// sanitized.
func WriteJSON(w *bufio.Writer, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	w.Write(ShownJSON(data))
	return w.WriteByte('\n')
}

// ShownJSON returns a JSON text with the characters escaped that a terminal would act on or hide.
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

// Marshal returns a value as JSON on one line, without HTML escapes. A value that JSON
// cannot represent becomes null.
func Marshal(value any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(value) != nil {
		return "null"
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// Print writes a value of the package printed as one line of JSON. It escapes characters
// that a terminal would act on or hide, and writes a text of any length in constant memory.
func Print(w *bufio.Writer, v any) error {
	p := printer{w: w}
	if err := p.members(reflect.ValueOf(v)); err != nil {
		return err
	}
	return w.WriteByte('\n')
}

type printer struct {
	w   *bufio.Writer
	buf []byte
}

func (p *printer) members(v reflect.Value) error {
	begun := false
	var add func(v reflect.Value) error
	add = func(v reflect.Value) error {
		for i := range v.NumField() {
			field := v.Type().Field(i)
			if field.Anonymous {
				if err := add(v.Field(i)); err != nil {
					return err
				}
				continue
			}
			name, option, _ := strings.Cut(field.Tag.Get("json"), ",")
			if name == "-" || option == "omitempty" && isEmpty(v.Field(i)) {
				continue
			}
			if begun {
				p.w.WriteByte(',')
			} else {
				p.w.WriteByte('{')
			}
			begun = true
			p.w.WriteString(`"` + name + `":`)
			if err := p.value(v.Field(i)); err != nil {
				return err
			}
		}
		return nil
	}
	if err := add(v); err != nil {
		return err
	}
	if !begun {
		p.w.WriteByte('{')
	}
	return p.w.WriteByte('}')
}

func isEmpty(v reflect.Value) bool {
	if v.Kind() == reflect.Slice {
		return v.Len() == 0
	}
	return v.IsZero()
}

func (p *printer) value(v reflect.Value) error {
	if raw, ok := v.Interface().(json.RawMessage); ok {
		p.raw(raw)
		return nil
	}
	switch v.Kind() {
	case reflect.String:
		p.quote(v.String())
		return nil
	case reflect.Int, reflect.Int64:
		p.buf = strconv.AppendInt(p.buf[:0], v.Int(), 10)
		_, err := p.w.Write(p.buf)
		return err
	case reflect.Struct:
		return p.members(v)
	case reflect.Slice:
		p.w.WriteByte('[')
		for i := range v.Len() {
			if i > 0 {
				p.w.WriteByte(',')
			}
			if err := p.value(v.Index(i)); err != nil {
				return err
			}
		}
		return p.w.WriteByte(']')
	}
	data, err := json.Marshal(v.Interface())
	p.w.Write(ShownJSON(data))
	return err
}

func (p *printer) raw(data []byte) {
	if bytes.ContainsRune(data, '\n') {
		var b bytes.Buffer
		if err := json.Compact(&b, data); err != nil {
			b.Reset()
			b.WriteString("null")
		}
		data = b.Bytes()
	}
	p.w.Write(ShownJSON(data))
}

func (p *printer) quote(s string) {
	p.w.WriteByte('"')
	for part := range pieces(s) {
		if render.Text(part) == part || isPlainEscaped(part) {
			p.buf = canon.Escape(p.buf[:0], part)
		} else {
			p.buf = canon.EscapeASCII(p.buf[:0], strings.ToValidUTF8(part, "\ufffd"))
		}
		p.w.Write(p.buf)
	}
	p.w.WriteByte('"')
}

// isPlainEscaped reports whether the only unsafe characters of a text are control
// characters, which JSON always escapes.
func isPlainEscaped(s string) bool {
	for _, r := range s {
		if r >= 0x7f {
			return false
		}
	}
	return true
}

// Faults returns faults or notes as they are printed, with their positions in data unless
// data is nil.
func Faults(list []canon.Fault, data []byte) []printed.Fault {
	out := make([]printed.Fault, len(list))
	for i := range list {
		f := &list[i]
		out[i] = printed.Fault{Rule: f.Rule, Field: f.Field, Reason: f.Reason}
		if data != nil {
			out[i].Offset = &f.Offset
			out[i].Line, out[i].Column = position(data, f.Offset)
		}
	}
	return out
}
