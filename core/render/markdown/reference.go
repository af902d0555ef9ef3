package markdown

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// longestReference is more than the length in bytes of any reference.
const longestReference = 20

// unescape resolves backslash escapes (CommonMark 2.4) and character references
// (2.5), each once, in one pass: "\&amp;" is "&amp;", not "&".
func unescape(s string) string {
	if !strings.ContainsAny(s, "\\&") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		if s[i] == '\\' && i+1 < len(s) && isPunct(s[i+1]) {
			b.WriteByte(s[i+1])
			i += 2
			continue
		}
		if s[i] == '&' {
			if value, size := reference(s[i:]); size > 0 {
				b.WriteString(value)
				i += size
				continue
			}
		}
		b.WriteByte(s[i])
		i++
	}
	return b.String()
}

// reference reads the character reference at the start of s. size is 0 if there is no
// known one.
func reference(s string) (value string, size int) {
	end := strings.IndexByte(s[:min(len(s), longestReference)], ';')
	if end < 2 {
		return "", 0
	}
	name := s[1:end]
	if name[0] != '#' {
		value = namedReference(name)
		if value == "" {
			return "", 0
		}
		return value, end + 1
	}
	digits, base, maxDigits := name[1:], 10, 7
	if len(digits) > 0 && digits[0]|0x20 == 'x' {
		digits, base, maxDigits = digits[1:], 16, 6
	}
	n, err := strconv.ParseUint(digits, base, 32)
	if err != nil || len(digits) > maxDigits || digits[0] == '+' {
		return "", 0
	}
	if n == 0 || n > utf8.MaxRune || n >= 0xd800 && n < 0xe000 {
		return "\ufffd", end + 1
	}
	return string(rune(n)), end + 1
}

// namedReference returns the character with the name, or "".
func namedReference(name string) string {
	for i := range len(name) {
		if !isAlnum(name[i]) {
			return ""
		}
	}
	// Binary search: s always begins and ends with a space.
	for s := names; len(s) > 1; {
		half := strings.LastIndexByte(s[:(len(s)+1)/2], ' ')
		entry := s[half+1:]
		key, rest, _ := strings.Cut(entry, "=")
		switch {
		case name < key:
			s = s[:half+1]
		case name > key:
			s = rest[valueLen(rest):]
		default:
			return rest[:valueLen(rest)]
		}
	}
	return ""
}

// valueLen returns the length of the character at the start of rest.
func valueLen(rest string) int {
	_, size := utf8.DecodeRuneInString(rest)
	return size
}
