package markdown

import (
	"strings"
	"unicode"
)

const (
	maxLabel  = 999 // bytes of a label; CommonMark 6.3 says characters
	maxParens = 32  // that may be open in a destination, so that it is read in linear time
)

// linkText is the content of a definition or of the end of a link, as written.
type linkText struct{ label, dest, title string }

// definition reads a link definition (CommonMark 4.7) at the start of s, which is the
// start of a line. size is 0 if there is none.
func definition(s string) (d linkText, size int) {
	end := label(s)
	if end == 0 || end == len(s) || s[end] != ':' {
		return d, 0
	}
	d.label = s[1 : end-1]
	start := end + 1 + space(s[end+1:])
	size = destination(s[start:])
	if size == 0 {
		return d, 0
	}
	d.dest = withoutBrackets(s[start : start+size])
	end = start + size
	gap := space(s[end:])
	if size := title(s[end+gap:]); gap > 0 && size > 0 {
		if rest, ok := lineEnd(s[end+gap+size:]); ok {
			d.title = s[end+gap+1 : end+gap+size-1]
			return d, end + gap + size + rest
		}
	}
	// The next line may be text, although it begins like a title.
	rest, ok := lineEnd(s[end:])
	if !ok {
		return d, 0
	}
	return d, end + rest
}

// lineEnd returns the length of the rest of a line, if the rest is blank.
func lineEnd(s string) (int, bool) {
	n := 0
	for n < len(s) && (s[n] == ' ' || s[n] == '\t') {
		n++
	}
	if n == len(s) {
		return n, true
	}
	return n + 1, s[n] == '\n'
}

// linkTail reads "(destination title)" (CommonMark 6.3) at the start of s. size is 0
// if there is none.
func linkTail(s string) (d linkText, size int) {
	if s == "" || s[0] != '(' {
		return d, 0
	}
	i := 1 + space(s[1:])
	if n := destination(s[i:]); n > 0 {
		d.dest = withoutBrackets(s[i : i+n])
		i += n
		if gap := space(s[i:]); gap > 0 {
			i += gap
			if n := title(s[i:]); n > 0 {
				d.title = s[i+1 : i+n-1]
				i += n
				i += space(s[i:])
			}
		}
	}
	if i == len(s) || s[i] != ')' {
		return linkText{}, 0
	}
	return d, i + 1
}

// space returns the length of the white space at the start of s. It contains no empty
// lines, since a paragraph contains none.
//
//go:noinline
func space(s string) int {
	n := 0
	for n < len(s) && (s[n] == ' ' || s[n] == '\t' || s[n] == '\n') {
		n++
	}
	return n
}

// label returns the length of the link label at the start of s, with its brackets,
// or 0.
func label(s string) int {
	if s == "" || s[0] != '[' {
		return 0
	}
	for i := 1; i < len(s) && i <= maxLabel+1; i++ {
		switch s[i] {
		case '\\':
			if i+1 < len(s) && isPunct(s[i+1]) {
				i++
			}
		case '[':
			return 0
		case ']':
			if space(s[1:i]) == i-1 {
				return 0
			}
			return i + 1
		}
	}
	return 0
}

// destination returns the length of the link destination at the start of s, with
// its angle brackets, or 0.
func destination(s string) int {
	if s != "" && s[0] == '<' {
		for i := 1; i < len(s); i++ {
			switch s[i] {
			case '\\':
				i++
			case '>':
				return i + 1
			case '<', '\n':
				return 0
			}
		}
		return 0
	}
	open := 0
	i := 0
	for ; i < len(s) && s[i] > ' ' && s[i] != 0x7f; i++ {
		switch s[i] {
		case '\\':
			if i+1 < len(s) && isPunct(s[i+1]) {
				i++
			}
		case '(':
			if open++; open > maxParens {
				return 0
			}
		case ')':
			if open == 0 {
				return i
			}
			open--
		}
	}
	if open > 0 {
		return 0
	}
	return i
}

// withoutBrackets removes the angle brackets around a destination.
func withoutBrackets(s string) string {
	if strings.HasPrefix(s, "<") {
		return s[1 : len(s)-1]
	}
	return s
}

// title returns the length of the link title at the start of s, with its quotes,
// or 0.
func title(s string) int {
	if s == "" {
		return 0
	}
	end := s[0]
	switch end {
	case '"', '\'':
	case '(':
		end = ')'
	default:
		return 0
	}
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\':
			i++
		case c == end:
			return i + 1
		case c == '(' && end == ')':
			return 0
		}
	}
	return 0
}

// normalize returns the form in which labels are compared (CommonMark 6.3), with case
// folded and each run of white space replaced by a space.
func normalize(label string) string {
	folded := strings.Map(func(r rune) rune {
		return unicode.ToLower(unicode.ToUpper(r))
	}, strings.Join(strings.Fields(label), " "))
	return strings.ReplaceAll(strings.ReplaceAll(folded, "ß", "ss"), "ẞ", "ss")
}
