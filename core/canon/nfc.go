package canon

import (
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// joiner is U+034F, which golang.org/x/text inserts into long runs of combining
// marks (Unicode's Stream-Safe Text Format) and Python does not.
const joiner = "\u034f"

// NFC returns s in Unicode Normalization Form C exactly as Python's
// unicodedata.normalize does: a run of more than 30 combining marks is ordered and
// composed like any other, and nothing is inserted. s must be valid UTF-8: x/text
// normalises other text only in part.
func NFC(s string) string {
	if latin(s) || norm.NFC.IsNormalString(s) && !longRun(s) {
		return s
	}
	out := norm.NFC.String(s)
	if strings.Count(out, joiner) == strings.Count(s, joiner) && !longRun(s) {
		return out
	}
	var b strings.Builder
	for len(s) > 0 {
		n := segment(s)
		if part := s[:n]; longRun(part) {
			b.WriteString(compose(part))
		} else {
			b.WriteString(norm.NFC.String(part))
		}
		s = s[n:]
	}
	return b.String()
}

// latin reports whether all characters of s are below U+0300. Such a text is in NFC
// already. All other characters begin with a byte from 0xCC on.
func latin(s string) bool {
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case c < utf8.RuneSelf:
			i += ASCII(view(s[i:]))
		case c < 0xcc:
			i++
		default:
			return false
		}
	}
	return true
}

// NextBoundary returns the first position at or after from before which s can be
// cut so that both parts normalise on their own, or len(s).
func NextBoundary(s string, from int) int {
	for from < len(s) {
		if utf8.RuneStart(s[from]) && norm.NFC.PropertiesString(s[from:]).BoundaryBefore() {
			return from
		}
		from++
	}
	return len(s)
}

// segment returns the length of the first part of s that normalises on its own.
func segment(s string) int {
	_, n := utf8.DecodeRuneInString(s)
	return NextBoundary(s, n)
}

// safeRun is the longest run of characters without a boundary in which x/text surely
// inserts nothing: its limit is 30 marks, and one character decomposes to at most four.
const safeRun = 7

// longRun reports whether s may hold a run that x/text would break up.
func longRun(s string) bool {
	run := 0
	for i, r := range s {
		if r < 0x300 || norm.NFC.PropertiesString(s[i:]).BoundaryBefore() {
			run = 0
			continue
		}
		if run++; run > safeRun {
			return true
		}
	}
	return false
}

// compose normalises one segment by the algorithm of the Unicode Standard
// (§3.11): decompose, order by combining class, compose. Decompositions and
// pairs come from x/text, which is exact for texts this short.
func compose(s string) string {
	var in []char
	for _, r := range s {
		for _, d := range norm.NFD.String(string(r)) {
			in = append(in, char{d, norm.NFD.PropertiesString(string(d)).CCC()})
		}
	}
	order(in)
	out := in[:0:0]
	starter, last := -1, uint8(0)
	for _, c := range in {
		if starter >= 0 && (last < c.class || last == 0 && len(out) == starter+1) {
			if r, ok := composite(out[starter].r, c.r); ok {
				out[starter].r = r
				continue
			}
		}
		if c.class == 0 {
			starter = len(out)
		}
		last = c.class
		out = append(out, c)
	}
	var b strings.Builder
	for _, c := range out {
		b.WriteRune(c.r)
	}
	return b.String()
}

type char struct {
	r     rune
	class uint8
}

// order sorts runs of characters with a combining class, stably.
func order(in []char) {
	for start := 0; start < len(in); start++ {
		end := start
		for end < len(in) && in[end].class != 0 {
			end++
		}
		slices.SortStableFunc(in[start:end], func(a, b char) int { return int(a.class) - int(b.class) })
		start = end
	}
}

// composite returns the character that a and b compose to.
func composite(a, b rune) (rune, bool) {
	s := norm.NFC.String(string([]rune{a, b}))
	r, n := utf8.DecodeRuneInString(s)
	return r, n == len(s)
}
