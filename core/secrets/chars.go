package secrets

import "strings"

func isLower(c byte) bool { return c >= 'a' && c <= 'z' }
func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }
func isDigit(c byte) bool { return c >= '0' && c <= '9' }
func isLetter(c byte) bool {
	return isLower(toLower(c))
}
func isAlnum(c byte) bool { return isLetter(c) || isDigit(c) }
func isHex(c byte) bool   { return isDigit(c) || toLower(c) >= 'a' && toLower(c) <= 'f' }

// isWord reports whether c is a letter, a digit, _ or -, as most bytes of tokens are.
func isWord(c byte) bool { return isAlnum(c) || c == '_' || c == '-' }

// isJoint reports whether c may join the parts of a token.
func isJoint(c byte) bool { return strings.IndexByte(".+/=~%", c) >= 0 }

// inName reports whether c can be part of the name of a value.
func inName(c byte) bool { return isWord(c) || c == '.' }

func isBlank(c byte) bool { return c == ' ' || c == '\t' }
func isSpace(c byte) bool { return isBlank(c) || c == '\n' || c == '\r' }
func isQuote(c byte) bool { return c == '"' || c == '\'' || c == '`' }

func toLower(c byte) byte {
	if isUpper(c) {
		return c + 'a' - 'A'
	}
	return c
}

// byteAt returns the byte at i, or 0 outside of the text.
func (f *finder) byteAt(i int) byte {
	if i < 0 || i >= len(f.s) {
		return 0
	}
	return f.s[i]
}

// while returns the end of the run of bytes from i for which is holds, and at most i+limit.
func (f *finder) while(i, limit int, is func(byte) bool) int {
	for end := min(len(f.s), i+limit); i < end && is(f.s[i]); {
		i++
	}
	return i
}

// bounded reports whether a word may begin at i: the byte before it is not a letter or digit,
// or it ends an escape, as in \nsk-, %3Dsk- or \u003dsk-.
func (f *finder) bounded(i int) bool {
	switch c := f.byteAt(i - 1); {
	case !isAlnum(c):
		return true
	case f.byteAt(i-2) == '\\':
		return strings.IndexByte("nrtfbv", c) >= 0
	case isHex(c) && isHex(f.byteAt(i-2)):
		return f.byteAt(i-3) == '%' || i >= 6 && f.s[i-6] == '\\' && f.s[i-5] == 'u'
	}
	return false
}

// escaped reports whether an escaped line end or tab is at i, such as the \n of JSON.
func (f *finder) escaped(i int) bool {
	return f.byteAt(i) == '\\' && strings.IndexByte("nrt", f.byteAt(i+1)) >= 0 && i+1 < len(f.s)
}

// lineEnd returns the end of the line around i, at most i+limit. An escaped line end or tab
// ends the line.
func (f *finder) lineEnd(i, limit int) int {
	for end := min(len(f.s), i+limit); i < end; i++ {
		if c := f.s[i]; c == '\n' || c == '\r' || f.escaped(i) {
			break
		}
	}
	return i
}
