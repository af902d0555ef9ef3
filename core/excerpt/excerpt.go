// Package excerpt cuts a stranger's text short, so that the reason of a fault can
// contain it: the text must not make an error long, or control the terminal that
// shows it. Start with [Quote].
package excerpt

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Most is the maximum number of bytes of a text that are shown.
const Most = 80

// Quote returns the beginning of a text in double quotes and in ASCII, with an
// ellipsis after it if there was more.
func Quote(s string) string {
	short := s[:cut(s, Most)]
	if len(short) < len(s) {
		return strconv.QuoteToASCII(short) + "…"
	}
	return strconv.QuoteToASCII(s)
}

// Clip returns the beginning of a text unchanged, with an ellipsis if there was more. It
// is for a text that is harmless, such as a JSON number, or is quoted later.
func Clip(s string) string {
	return ClipTo(s, Most)
}

// ClipTo returns the first most bytes of a text, or a few less, and an ellipsis if there
// was more.
func ClipTo(s string, most int) string {
	if n := cut(s, most); n < len(s) {
		return s[:n] + "…"
	}
	return s
}

// Head returns the first most bytes of a text, or a few less so that no character is
// cut, in memory of its own.
func Head(s string, most int) string { return strings.Clone(s[:cut(s, most)]) }

// cut returns how many bytes of a text are shown.
func cut(s string, most int) int {
	if len(s) <= most {
		return len(s)
	}
	n := most
	for n > 0 && !utf8.RuneStart(s[n]) {
		n-- // half a character is not UTF-8
	}
	return n
}
