package check

import (
	"strings"
	"unicode/utf8"

	"github.com/signalbox-dev/signalbox/core/canon"
)

// valueLength returns how much of the JSON value at the start of a text is underlined: all
// of it, but only the bracket of an object or array, which may be as long as the file.
func valueLength(s string) int {
	switch {
	case s == "":
		return 0
	case s[0] == '{', s[0] == '[':
		return 1
	case s[0] == '"':
		for i := 1; i < len(s) && s[i] != '\n'; i++ {
			switch s[i] {
			case '\\':
				i++
			case '"':
				return i + 1
			}
		}
	}
	if n := strings.IndexAny(s, ",]}: \t\r\n"); n > 0 {
		return n
	}
	_, n := utf8.DecodeRuneInString(s)
	return n
}

// firstLine returns the length of the first line, and 80 bytes at most.
func firstLine(text string) int {
	const most = 80
	end := strings.IndexByte(text, '\n')
	if end < 0 {
		end = len(text)
	}
	for end > most || end > 0 && end < len(text) && !utf8.RuneStart(text[end]) {
		end = min(end-1, most)
	}
	return len(strings.TrimRight(text[:end], "\r"))
}

// lineSpan returns where a fault in a line is underlined: the value at the offset, or the
// whole line if there is none.
func lineSpan(line string, offset int) (start, end int) {
	whole := len(strings.TrimRight(line, "\r\n"))
	if offset < 0 || offset >= whole || offset == 0 && line[0] != '{' {
		return 0, whole
	}
	end = min(offset+valueLength(line[offset:]), whole)
	return offset, max(end, offset+1)
}

// nameSpan returns the span of the name of the member whose value begins at an offset. If
// there is no name before it, it returns the span of the value.
func nameSpan(line string, offset int) (start, end int) {
	if from, to, ok := keyBefore(line, min(offset, len(line))); ok {
		return from, to
	}
	return lineSpan(line, offset)
}

// memberSpan returns the span of a member's value in an object: the last value if the name
// occurs twice, and the brace of the object if the name does not occur.
func memberSpan(object, name string) (start, end int) {
	start, end = lineSpan(object, 0)
	_ = canon.Object([]byte(object), func(key []byte, v canon.Value) error {
		if string(key) == name {
			start, end = v.Offset, v.Offset+valueLength(object[v.Offset:])
		}
		return nil
	})
	return start, end
}

// faultSpan returns where a fault in a JSON text is underlined: the value, the name of the
// object that lacks a member, or with named the name of the member.
func faultSpan(text string, f *canon.Fault, named bool) (start, end int) {
	start = max(0, min(f.Offset, len(text)))
	if start == len(text) {
		// The text ends too early: underline its last character.
		end = len(strings.TrimRight(text, " \t\r\n"))
		return max(0, end-1), end
	}
	for (f.Offset == 0 || f.Field != "") && start < len(text)-1 && strings.IndexByte(" \t\r\n", text[start]) >= 0 {
		start++
	}
	end = start + max(1, valueLength(text[start:]))
	object := text[start] == '{'
	// An offset may be the start of the object that holds the member.
	if object && !named {
		if v, ok := valueAt(text, f.Field); ok && start < v.Offset {
			return v.Offset, v.Offset + valueLength(text[v.Offset:])
		}
	}
	from, to, ok := keyBefore(text, start)
	name := f.Field[strings.LastIndexByte(f.Field, '.')+1:]
	if ok && f.Field != "" && (named || object && text[from:to] != `"`+name+`"`) {
		return from, to
	}
	return start, end
}

// keyBefore returns the span of the name of the member whose value begins at an offset.
func keyBefore(text string, offset int) (from, to int, ok bool) {
	const space = " \t\r\n"
	colon := strings.TrimRight(text[:offset], space)
	name, ok := strings.CutSuffix(colon, ":")
	if !ok {
		return 0, 0, false
	}
	name = strings.TrimRight(name, space)
	for from = len(name) - 2; from >= 0; from-- {
		if name[from] != '"' {
			continue
		}
		slashes := len(name[:from]) - len(strings.TrimRight(name[:from], `\`))
		if slashes%2 == 0 {
			return from, len(name), true
		}
	}
	return 0, 0, false
}

// anyName calls found for each member name of a text that begins with a JSON object,
// until found returns true, and reports whether it did. depth is 1 for the members of
// the outermost object, and value is the text from the member's value on. The text may
// be broken: somebody may be typing it.
func anyName(text string, found func(depth int, name, value string) bool) bool {
	const space = " \t\r\n"
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		case '"':
			end := i + quoted(text[i:])
			value, ok := strings.CutPrefix(strings.TrimLeft(text[end:], space), ":")
			if ok && found(depth, strings.Trim(text[i:end], `"`), strings.TrimLeft(value, space)) {
				return true
			}
			i = end - 1
		}
	}
	return false
}

// quoted returns the length of the string at the start of a text, including its quotes.
// A string that is not closed ends with its line, so that the rest can still be read.
func quoted(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		case '\n':
			return i
		}
	}
	return len(s)
}
