package show

import (
	"strings"
	"unicode"

	"golang.org/x/text/width"
)

// RuneColumns returns how many columns of a terminal a character takes.
func RuneColumns(r rune) int {
	if r < 0x300 {
		return 1
	}
	if unicode.In(r, unicode.Mn, unicode.Me) {
		return 0
	}
	if k := width.LookupRune(r).Kind(); k == width.EastAsianWide || k == width.EastAsianFullwidth {
		return 2
	}
	return 1
}

// Columns returns how many columns of a terminal a line takes.
func Columns(s string) (n int) {
	for _, r := range s {
		n += RuneColumns(r)
	}
	return n
}

// Cut returns a line cut to at most most columns. A line that is cut ends in "…".
func Cut(s string, most int) string {
	used, fits := 0, 0
	for i, r := range s {
		used += RuneColumns(r)
		if used > most {
			return strings.TrimRight(s[:fits], " ") + "…"
		}
		if used < most {
			fits = i + len(string(r))
		}
	}
	return s
}
