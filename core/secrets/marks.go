package secrets

import (
	"iter"
	"slices"
	"strings"
	"unicode/utf8"
)

// shift pairs a position in the text without marks with the same one in the text with marks.
// It holds up to the next shift.
type shift struct{ plain, marked int }

// markStarts are the bytes that a mark can begin with: control characters, the backslash of an
// escaped mark, and the first bytes of invisible characters and of variants of ASCII ones.
var markStarts = [256]bool{
	0x00: true, 0x01: true, 0x02: true, 0x03: true, 0x04: true, 0x05: true, 0x06: true, 0x07: true, 0x08: true, 0x0b: true,
	0x0c: true, 0x0e: true, 0x0f: true, 0x10: true, 0x11: true, 0x12: true, 0x13: true, 0x14: true, 0x15: true, 0x16: true,
	0x17: true, 0x18: true, 0x19: true, 0x1a: true, 0x1b: true, 0x1c: true, 0x1d: true, 0x1e: true, 0x1f: true, 0x5c: true,
	0x7f: true, 0xc2: true, 0xc5: true, 0xcd: true, 0xd8: true, 0xe1: true, 0xe2: true, 0xe3: true, 0xef: true, 0xf0: true,
	0xf3: true,
}

// markEscapes are the bytes that can follow the backslash of an escaped mark.
var markEscapes = [256]bool{'\\': true, 'x': true, '0': true, 'e': true, 'u': true, 'X': true, 'U': true}

// firstMark returns the position of the first mark, or -1.
func firstMark(s string) int {
	for i := range len(s) {
		if markStarts[s[i]] && isMark(s[i:]) {
			return i
		}
	}
	return -1
}

// isMark reports whether a text begins with a mark.
func isMark(s string) bool {
	n, _ := mark(s)
	return n > 0
}

// strip returns a text without its marks, the first at from. Variants of ASCII characters become
// the ASCII ones.
func strip(s string, from int) string {
	var b strings.Builder
	b.Grow(len(s))
	start := 0
	for at, m := range marks(s, from) {
		b.WriteString(s[start:at])
		if m.ascii != 0 {
			b.WriteByte(m.ascii)
		}
		start = at + m.n
	}
	b.WriteString(s[start:])
	return b.String()
}

// shifts returns the shifts of a text, one for each mark.
func shifts(s string, from int) (list []shift) {
	plain, start := 0, 0
	for at, m := range marks(s, from) {
		if plain += at - start; m.ascii != 0 {
			plain++
		}
		start = at + m.n
		list = append(list, shift{plain, start})
	}
	return list
}

// marked is a mark: a part of a text that a terminal or a page shows as nothing, or a variant
// of an ASCII character. It has its length in bytes and that character, if any.
type marked struct {
	n     int
	ascii byte
}

// marks yields the marks of a text from a position on, with their positions.
func marks(s string, from int) iter.Seq2[int, marked] {
	return func(yield func(int, marked) bool) {
		for i := from; i < len(s); {
			if !markStarts[s[i]] {
				i++
				continue
			}
			n, ascii := mark(s[i:])
			if n > 0 && !yield(i, marked{n, ascii}) {
				return
			}
			i += max(n, 1)
		}
	}
}

// unstripped returns the span of the text with marks for a span of the text without them.
func unstripped(s string, list []shift, at span) span {
	place := func(p int, after bool) int {
		n, found := slices.BinarySearchFunc(list, p, func(s shift, p int) int { return s.plain - p })
		for ; after && found && n < len(list) && list[n].plain == p; n++ {
			// all the marks at this position
		}
		if n == 0 {
			return p
		}
		return list[n-1].marked + p - list[n-1].plain
	}
	at = span{place(at.from, true), place(at.to, false)}
	for at.to < len(s) && !utf8.RuneStart(s[at.to]) {
		at.to++ // it ended in a variant of an ASCII character
	}
	return at
}

// mark returns the length of the mark that a text begins with, or 0, and the ASCII character
// that it is a variant of, if any.
func mark(s string) (n int, ascii byte) {
	switch c := s[0]; {
	case c == 0x1b:
		return sequence(s, 1), 0
	case c == '\\':
		if len(s) < 2 || !markEscapes[s[1]] {
			return 0, 0
		}
		return escapedMark(s), 0
	case c == 0xe3 && len(s) > 1 && s[1] != 0x85, c == 0xe2 && len(s) > 1 && s[1] > 0x84:
		return 0, 0 // most of Japanese, and the bullets of lists
	case c < ' ' || c == 0x7f:
		return 1, 0
	}
	r, n := utf8.DecodeRuneInString(s)
	switch {
	case r == 0x9b:
		return n + control(s[n:]), 0
	case invisible(r):
		return n, 0
	case r == 'ſ':
		return n, 's'
	case r == '\u212a':
		return n, 'K'
	case r >= '！' && r <= '～':
		return n, byte(r - '！' + '!')
	}
	return 0, 0
}

// maxCommand is the length of the longest terminal command that is skipped, such as one with
// an address.
const maxCommand = 4096

// sequence returns the length of the terminal command that s begins with, whose escape takes n
// bytes.
func sequence(s string, n int) int {
	switch {
	case len(s) == n:
		return n
	case s[n] == '[':
		return n + 1 + control(s[n+1:])
	case s[n] == ']' || s[n] == 'P' || s[n] == '_' || s[n] == '^':
		text := s[n:min(len(s), n+maxCommand)]
		if end := strings.IndexAny(text, "\a\x1b\n"); end >= 0 && text[end] != '\n' {
			if strings.HasPrefix(text[end:], "\x1b\\") {
				end++
			}
			return n + end + 1
		}
	case strings.IndexByte("()*+#%", s[n]) >= 0:
		return min(len(s), n+2)
	}
	return n
}

// control returns the length of the rest of a control sequence, or 0.
func control(s string) int {
	for i := range min(len(s), 64) {
		if c := s[i]; c >= 0x40 && c <= 0x7e {
			return i + 1
		} else if c < 0x20 || c > 0x7e {
			break
		}
	}
	return 0
}

// escapedMark returns the length of a mark that code or JSON writes with a backslash, or 0.
func escapedMark(s string) int {
	n := 1
	for n < len(s) && n < 8 && s[n] == '\\' {
		n++
	}
	var end int
	rest := s[n:]
	switch {
	case foldPrefix(rest, "x1b"), strings.HasPrefix(rest, "033"):
		end = n + 3
	case strings.HasPrefix(rest, "e["):
		end = n + 1
	case foldPrefix(rest, "u001b"):
		end = n + 5
	case len(rest) >= 5 && rest[0] == 'u':
		r := rune(0)
		for _, c := range []byte(rest[1:5]) {
			if !isHex(c) {
				return 0
			}
			r = r<<4 | rune(hexDigit(c))
		}
		if invisible(r) || r < ' ' && r != '\t' && r != '\n' && r != '\r' {
			return n + 5
		}
		return 0
	default:
		return 0
	}
	if all := sequence(s, end); all > end {
		return all
	}
	return 0
}

func hexDigit(c byte) byte {
	if isDigit(c) {
		return c - '0'
	}
	return toLower(c) - 'a' + 10
}

// invisible reports whether a character shows as nothing, or only changes the text around it.
func invisible(r rune) bool {
	switch {
	case r < 0xad:
		return r >= 0x80 && r < 0xa0
	case r == 0xad, r == 0x34f, r == 0x61c, r == 0x115f, r == 0x1160, r == 0x17b4, r == 0x17b5, r == 0x3164, r == 0xfeff, r == 0xffa0:
		return true
	case r >= 0x180b && r <= 0x180f, r >= 0x200b && r <= 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x2060 && r <= 0x206f,
		r >= 0xfe00 && r <= 0xfe0f, r >= 0xfff9 && r <= 0xfffb, r >= 0x1d173 && r <= 0x1d17a, r >= 0xe0000 && r <= 0xe0fff:
		return true
	}
	return false
}
