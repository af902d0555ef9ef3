package markdown

import "strings"

// tabStop is the width of a tab in front of blocks (CommonMark 2.2).
const tabStop = 4

// cursor is a position in a line. A tab counts as the columns that it fills, and the
// cursor may be inside a tab.
type cursor struct {
	s   string // the line, without its newline
	pos int
	col int
	cut bool // the cursor is inside the tab at pos
}

// indent returns the width in columns of the white space at the cursor, and its end.
//
//go:noinline
func (c *cursor) indent() (columns, end int) {
	col, i := c.col, c.pos
	for i < len(c.s) && (c.s[i] == ' ' || c.s[i] == '\t') {
		col++
		if c.s[i] == '\t' {
			col += (tabStop - col%tabStop) % tabStop
		}
		i++
	}
	return col - c.col, i
}

// skip moves past n columns, or to the end of the line.
func (c *cursor) skip(n int) {
	for n > 0 && c.pos < len(c.s) {
		width := 1
		if c.s[c.pos] == '\t' {
			width = tabStop - c.col%tabStop
		}
		if width > n {
			c.col += n
			c.cut = true
			return
		}
		c.pos++
		c.col += width
		c.cut = false
		n -= width
	}
}

// skipTo moves to pos.
func (c *cursor) skipTo(pos int) {
	for c.pos < pos {
		c.skip(1)
	}
}

// rest returns the rest of the line. The rest of a tab becomes spaces.
func (c *cursor) rest() string {
	if !c.cut {
		return c.s[c.pos:]
	}
	return strings.Repeat(" ", tabStop-c.col%tabStop) + c.s[c.pos+1:]
}

//go:noinline
func isBlank(s string) bool {
	return strings.Trim(s, " \t") == ""
}

//go:noinline
func trimBlank(s string) string {
	return strings.Trim(s, " \t")
}

// isGap reports whether s is empty or begins with a space or tab, as the text after a
// marker must.
//
//go:noinline
func isGap(s string) bool {
	return s == "" || s[0] == ' ' || s[0] == '\t'
}

// runLength returns the length of the run of c at the start of s.
//
//go:noinline
func runLength(s string, c byte) int {
	n := 0
	for n < len(s) && s[n] == c {
		n++
	}
	return n
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

//go:noinline
func isAlnum(c byte) bool { return isDigit(c) || isLetter(c) }

// isPunct reports whether a backslash escapes c (CommonMark 2.4).
//
//go:noinline
func isPunct(c byte) bool {
	return c > ' ' && c < 0x7f && !isAlnum(c)
}
