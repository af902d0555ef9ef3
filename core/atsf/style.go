package atsf

import (
	"bytes"
	"slices"

	"github.com/signalbox-dev/signalbox/core/canon"
)

// style is how a file uses white space.
type style struct {
	// line is "\n" or "\r\n" if each member has a line of its own, and empty if all are
	// on one line.
	line string
	// indent is the indentation of one level.
	indent string
	// comma is what follows a comma if line is empty; colon is a colon with the white
	// space around it.
	comma, colon string
}

// newFileStyle returns the style of new files, which JSON.stringify(x, null, 2) writes.
func newFileStyle() style { return style{line: "\n", indent: "  ", colon: ": "} }

// styleOf returns a file's style by its first two members.
func styleOf(raw []byte) style {
	st := newFileStyle()
	brace := slices.Index(raw, '{')
	gap, n := brace+1, 0
	_ = canon.Object(raw, func(_ []byte, v canon.Value) error {
		quoted := gap + bytes.IndexByte(raw[gap:], '"')
		space := raw[gap:quoted]
		if n++; n == 1 {
			st = firstStyle(space, raw[:v.Offset])
		} else if n == 2 && st.line == "" {
			_, after, _ := bytes.Cut(space, []byte(","))
			st.comma = string(after)
		}
		gap = v.Offset + len(v.Raw)
		return nil
	})
	return st
}

// firstStyle returns the style by the white space before the first member and around its colon.
func firstStyle(space, before []byte) style {
	var st style
	key := bytes.TrimRight(before, " \t\r\n:")
	st.colon = string(before[len(key):]) // a key ends in a quote
	if len(st.colon) > 1 {
		st.comma = " "
	}
	end := bytes.LastIndexByte(space, '\n')
	if end < 0 {
		return st
	}
	st.line, st.indent = "\n", string(space[end+1:])
	if end > 0 && space[end-1] == '\r' {
		st.line = "\r\n"
	}
	return st
}

// value appends a JSON value in this style. level is the level of its line: 0 for the file's
// own object, 1 for its members. Strings and numbers are copied unchanged.
func (st style) value(dst, raw []byte, level int) []byte {
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; c {
		case ' ', '\t', '\r', '\n':
		case '"':
			end := i + stringEnd(raw[i:])
			dst = append(dst, raw[i:end]...)
			i = end - 1
		case '{', '[':
			dst = append(dst, c)
			if next := i + 1 + spaces(raw[i+1:]); raw[next] == '}' || raw[next] == ']' {
				dst = append(dst, raw[next])
				i = next
				continue
			}
			level++
			dst = st.begin(dst, level)
		case '}', ']':
			level--
			dst = append(st.begin(dst, level), c)
		case ',':
			dst = append(dst, c)
			if st.line == "" {
				dst = append(dst, st.comma...)
			}
			dst = st.begin(dst, level)
		case ':':
			dst = append(dst, st.colon...)
		default:
			dst = append(dst, c)
		}
	}
	return dst
}

// begin starts a line that is indented by the level.
func (st style) begin(dst []byte, level int) []byte {
	if st.line == "" {
		return dst
	}
	dst = append(dst, st.line...)
	for range level {
		dst = append(dst, st.indent...)
	}
	return dst
}

// pair appends a key and its value on a line of that level. If path has more than one
// name, the value is wrapped in objects.
func (st style) pair(dst []byte, path []string, value []byte, level int) []byte {
	dst = append(canon.AppendString(dst, path[0]), st.colon...)
	if len(path) == 1 {
		return st.value(dst, value, level)
	}
	return st.nest(dst, path[1:], value, level)
}

// nest appends an object that holds the pair, on a line of that level.
func (st style) nest(dst []byte, path []string, value []byte, level int) []byte {
	dst = st.pair(st.begin(append(dst, '{'), level+1), path, value, level+1)
	return append(st.begin(dst, level), '}')
}

// stringEnd returns the length of the string that s starts with.
func stringEnd(s []byte) int {
	i := 1
	for {
		i += canon.Plain(s[i:])
		if s[i] == '"' {
			return i + 1
		}
		i += 2 // a backslash and what it escapes
	}
}

func spaces(s []byte) int {
	return len(s) - len(bytes.TrimLeft(s, " \t\r\n"))
}
