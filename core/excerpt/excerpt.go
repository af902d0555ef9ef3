// Package excerpt cuts a stranger's text short, so that the reason of a fault can
// hold it: what a file says must not make an error longer than the file, or act
// on the terminal that shows it. Start with [Quote].
package excerpt

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Most is how many bytes of a text are shown.
const Most = 80

// Quote returns the beginning of a text in double quotes and in ASCII, with an
// ellipsis after it where there was more.
func Quote(s string) string {
	short := s[:cut(s, Most)]
	if len(short) < len(s) {
		return strconv.QuoteToASCII(short) + "…"
	}
	return strconv.QuoteToASCII(s)
}

// Clip returns the beginning of a text as it is, for one that is harmless itself,
// such as a JSON number, or is quoted later.
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

// cut is how much of a text is shown, in bytes.
func cut(s string, most int) int {
	if len(s) <= most {
		return len(s)
	}
	n := most
	for n > 0 && !utf8.RuneStart(s[n]) {
		n-- // half a character would be no UTF-8
	}
	return n
}
