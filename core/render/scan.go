package render

import (
	"unicode"
	"unicode/utf8"
)

// invalid is the result of decode for a byte that does not begin a character.
const invalid rune = -1

const (
	zwnj = '\u200c'
	zwj  = '\u200d'
	vs15 = '\ufe0e'
	vs16 = '\ufe0f'
)

// firstUnsafe returns the index of the first byte at or after i that may not be
// shown unchanged, or len(s).
//
// Bodies are mostly ASCII, so eight bytes are tested at once: the three
// expressions flag bytes above 0x7F, below 0x20, and equal to 0x7F. The bytes of
// a flagged word are then read one by one, so a false alarm (a borrow between
// bytes) only costs time.
func firstUnsafe(s string, i int) int {
	const ones, high = 0x0101010101010101, 0x8080808080808080
	for i < len(s) {
		for i+8 <= len(s) {
			w := uint64(s[i]) | uint64(s[i+1])<<8 | uint64(s[i+2])<<16 | uint64(s[i+3])<<24 |
				uint64(s[i+4])<<32 | uint64(s[i+5])<<40 | uint64(s[i+6])<<48 | uint64(s[i+7])<<56
			del := w ^ 0x7f*ones
			if (w|(w-0x20*ones)|(del-ones))&high != 0 {
				break
			}
			i += 8
		}
		for end := min(i+8, len(s)); i < end; {
			c := s[i]
			if c < utf8.RuneSelf {
				if c < ' ' && c != '\n' && c != '\t' || c == 0x7f {
					return i
				}
				i++
				continue
			}
			r, size := decode(s, i)
			if hidden(s, i, r, size) {
				return i
			}
			i += size
		}
	}
	return i
}

// decode reads the character at s[i]. It reads the three bytes of a surrogate, which occur if a
// JSON escape like \ud800 was decoded to bytes, as one character. For any other invalid byte it
// returns (invalid, 1).
func decode(s string, i int) (rune, int) {
	if c := s[i]; c < utf8.RuneSelf {
		return rune(c), 1
	}
	r, size := utf8.DecodeRuneInString(s[i:])
	if r != utf8.RuneError || size > 1 {
		return r, size
	}
	if i+2 < len(s) && s[i] == 0xED && s[i+1]&0xE0 == 0xA0 && s[i+2]&0xC0 == 0x80 {
		return 0xD000 | rune(s[i+1]&0x3F)<<6 | rune(s[i+2]&0x3F), 3
	}
	return invalid, 1
}

// hidden reports whether the character r of size bytes at s[i] must be shown as
// its number.
func hidden(s string, i int, r rune, size int) bool {
	switch {
	case r < ' ':
		return r != '\n' && r != '\t'
	case r < 0x7f:
		return false
	case r < 0xa0 || r == 0xad:
		return true
	case r < 0x34f || r > 0x3164 && r < 0xd800: // Latin, Greek; CJK and Hangul
		return false
	case r == zwj:
		return !joinsEmoji(s, i, size)
	case r == zwnj:
		return !joinsArabic(s, i, size)
	case r == vs15 || r == vs16:
		return !selectsEmoji(s, i, size)
	}
	return invisible(r)
}

// invisible reports whether r always shows as nothing, as blank, or as a change to its
// surroundings.
func invisible(r rune) bool {
	switch {
	case r >= 0xd800 && r <= 0xdfff, r&0xfffe == 0xfffe, r >= 0xfdd0 && r <= 0xfdef:
		return true // surrogates and noncharacters
	case r == '\u2028' || r == '\u2029':
		return true
	case r == '\u2800' || r == 0x13441 || r == 0x13442 || r == 0x1d159:
		return true // blank signs: Braille, hieroglyphs, a note's head
	case r >= 0xe0000 && r <= 0xe0fff:
		return true // the whole range is default-ignorable, assigned or not
	case r >= 0x600 && r <= 0x605, r == 0x6dd, r == 0x70f, r == 0x890, r == 0x891, r == 0x8e2,
		r == 0x110bd, r == 0x110cd, r >= 0x13430 && r <= 0x1343f:
		return false // in Cf, but visible
	}
	return unicode.Is(unicode.Cf, r) ||
		unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) ||
		unicode.Is(unicode.Variation_Selector, r)
}

// joinsEmoji reports whether the joiner at s[i] is between two emoji.
func joinsEmoji(s string, i, size int) bool {
	before, n := utf8.DecodeLastRuneInString(s[:i])
	if before == vs16 {
		before, _ = utf8.DecodeLastRuneInString(s[:i-n])
	}
	after, _ := utf8.DecodeRuneInString(s[i+size:])
	return isEmoji(before) && isEmoji(after)
}

// joinsArabic reports whether the non-joiner at s[i] is between two letters of the
// Arabic script.
func joinsArabic(s string, i, size int) bool {
	before, _ := utf8.DecodeLastRuneInString(s[:i])
	after, _ := utf8.DecodeRuneInString(s[i+size:])
	return isArabic(before) && isArabic(after)
}

// selectsEmoji reports whether the variation selector at s[i] follows an emoji,
// or a digit whose keycap U+20E3 comes next.
func selectsEmoji(s string, i, size int) bool {
	before, _ := utf8.DecodeLastRuneInString(s[:i])
	if isEmoji(before) {
		return true
	}
	after, _ := utf8.DecodeRuneInString(s[i+size:])
	return after == '\u20e3' && (before >= '0' && before <= '9' || before == '#' || before == '*')
}

func isArabic(r rune) bool {
	return unicode.Is(unicode.Arabic, r) && unicode.IsLetter(r)
}

// isEmoji reports whether r is in a block with Extended_Pictographic characters of
// Unicode's emoji data. The standard library has no table of the single characters.
// For other characters of a block, the only effect is that one joiner stays between
// two visible symbols.
func isEmoji(r rune) bool {
	switch {
	case r < 0x2190:
		return r == 0xa9 || r == 0xae || r == 0x203c || r == 0x2049 || r == 0x2122 || r == 0x2139
	case r <= 0x21ff, r >= 0x2300 && r <= 0x23ff, r >= 0x25a0 && r <= 0x27bf:
		return true
	case r == 0x24c2 || r == 0x2934 || r == 0x2935 || r >= 0x2b05 && r <= 0x2b55:
		return true
	case r == 0x3030 || r == 0x303d || r == 0x3297 || r == 0x3299:
		return true
	}
	return r >= 0x1f000 && r <= 0x1faff
}

// isSpace reports whether r separates words by a visible gap.
func isSpace(r rune) bool {
	return r == ' ' || r == '\n' || r == '\t' || r >= 0xa0 && unicode.Is(unicode.Zs, r)
}
