package markdown

import "strings"

// tabStop is the width of a tab in front of blocks (CommonMark 2.2).
const tabStop = 4

// cursor is a place in a line. Tabs count as the columns that they fill, and a
// container may take a part of one.
type cursor struct {
	s   string // the line, without its newline
	pos int
	col int
	cut bool // a part of the tab at pos is taken
}

// indent returns the width of the white space at the cursor, and where it ends.
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

// skip takes n columns, or what is left of the line.
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

// skipTo takes what is before pos.
func (c *cursor) skipTo(pos int) {
	for c.pos < pos {
		c.skip(1)
	}
}

// rest returns what is left of the line.
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

// isGap reports whether s begins with what has to follow a marker.
//
//go:noinline
func isGap(s string) bool {
	return s == "" || s[0] == ' ' || s[0] == '\t'
}

// runLength returns how many c are at the start of s.
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
