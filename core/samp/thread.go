package samp

import (
	"strings"
	"unicode/utf8"
	"unsafe"

	"github.com/signalbox-dev/signalbox/core/canon"
)

const maxSlug = 40

// DeriveThread returns a new message's thread and its stored body (§4). A body that begins with
// "[thread:name]" sets its thread and loses the prefix (rule T1). For any other body the thread
// is "date-from-slug" (rule T2). date is YYYY-MM-DD, local in [V1] and UTC in [V1Compact]. Do not
// call DeriveThread for a reply: it inherits its thread (rule T3).
//
// V1Compact drops control characters from the name, and derives a name if nothing is
// left; V1 takes the name unchanged.
func DeriveThread(body, from, date string, p Profile) (thread, stored string) {
	if name, rest, ok := cutOverride(body); ok {
		if p == V1Compact {
			name = dropControls(name)
		}
		name = strings.TrimFunc(name, isSpace)
		if name != "" || p == V1 {
			return name, rest
		}
		body = rest
	}
	return date + "-" + from + "-" + slug(FirstLine(body)), body
}

// cutOverride matches ^\s*\[thread:([^\]]+)\]\s* with Python's definition of white space.
func cutOverride(body string) (name, rest string, ok bool) {
	s, ok := strings.CutPrefix(strings.TrimLeftFunc(body, isSpace), "[thread:")
	if !ok {
		return "", "", false
	}
	name, rest, ok = strings.Cut(s, "]")
	if !ok || name == "" {
		return "", "", false
	}
	return name, strings.TrimLeftFunc(rest, isSpace), true
}

// dropControls removes control characters. It works on bytes, so that a name that is not UTF-8
// stays invalid and [Build] can refuse it.
func dropControls(s string) string {
	out := make([]byte, 0, len(s))
	for i := range len(s) {
		if s[i] >= 0x20 && s[i] != 0x7f {
			out = append(out, s[i])
		}
	}
	return string(out)
}

// isSpace reports whether r is white space by Python's str.isspace and \s, which also include
// U+001C to U+001F, unlike Go's unicode.IsSpace.
func isSpace(r rune) bool {
	switch {
	case r == ' ', '\t' <= r && r <= '\r', 0x1c <= r && r <= 0x1f, r == 0x85, r == 0xa0:
		return true
	case r < 0x1680:
		return false
	}
	return r == 0x1680 || 0x2000 <= r && r <= 0x200a || r == 0x2028 || r == 0x2029 ||
		r == 0x202f || r == 0x205f || r == 0x3000
}

// FirstLine returns the first line of a body, for thread names and lists. As in Python's
// str.splitlines, it ends at \n, \v, \f, \r, U+001C to U+001E, U+0085, U+2028 or U+2029. It is as
// untrusted as the body.
func FirstLine(s string) string {
	text := unsafe.Slice(unsafe.StringData(s), len(s))
	for i := 0; i < len(s); i++ {
		if i += canon.Printable(text[i:]); i == len(s) {
			break
		}
		switch c := s[i]; {
		case c >= utf8.RuneSelf:
			r, n := utf8.DecodeRuneInString(s[i:])
			if r == 0x85 || r == 0x2028 || r == 0x2029 {
				return s[:i]
			}
			i += n - 1
		case '\n' <= c && c <= '\r' || 0x1c <= c && c <= 0x1e:
			return s[:i]
		}
	}
	return s
}

// slug lower-cases as Python does, turns runs outside a-z0-9 into one dash and keeps 40
// characters. Only two characters beyond ASCII have an ASCII letter in their lower case: U+0130
// (i and a combining dot) and U+212A (k).
func slug(line string) string {
	out := make([]byte, 0, maxSlug+1)
	gap := false
	for _, r := range line {
		var c byte
		dot := false
		switch {
		case 'a' <= r && r <= 'z', '0' <= r && r <= '9':
			c = byte(r)
		case 'A' <= r && r <= 'Z':
			c = byte(r) + 'a' - 'A'
		case r == 0x130:
			c, dot = 'i', true
		case r == 0x212a:
			c = 'k'
		default:
			gap = true
			continue
		}
		if gap && len(out) > 0 {
			out = append(out, '-')
		}
		out = append(out, c)
		gap = dot
		if len(out) >= maxSlug {
			return string(out[:maxSlug])
		}
	}
	if len(out) == 0 {
		return "msg"
	}
	return string(out)
}
