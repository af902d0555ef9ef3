package canon

import (
	"unicode/utf16"
	"unicode/utf8"
	"unsafe"
)

// Unquote decodes a JSON string that was read by this package, quotes
// included. lossy reports that a lone surrogate escape became U+FFFD.
func Unquote(raw []byte) (s string, lossy bool) {
	out, lossy := unquote(make([]byte, 0, len(raw)), raw[1:len(raw)-1])
	return unsafe.String(unsafe.SliceData(out), len(out)), lossy
}

// AppendUnquoted appends the text that [Unquote] returns.
func AppendUnquoted(dst, raw []byte) (out []byte, lossy bool) {
	return unquote(dst, raw[1:len(raw)-1])
}

// UnquoteInPlace is [Unquote] into the string's own bytes, which it overwrites: an
// escape is never shorter than its character. It is for lines so long that a second
// copy would matter.
func UnquoteInPlace(raw []byte) (text []byte, lossy bool) {
	in := raw[1 : len(raw)-1]
	return unquote(in[:0], in)
}

func unquote(out, in []byte) (text []byte, lossy bool) {
	for len(in) > 0 {
		if in[0] != '\\' {
			n := untilEscape(in)
			out = append(out, in[:n]...)
			in = in[n:]
			continue
		}
		if in[1] != 'u' {
			out = append(out, unescaped(in[1]))
			in = in[2:]
			continue
		}
		r, _ := hex4(in[2:])
		in = in[6:]
		if utf16.IsSurrogate(r) {
			r, in = pair(r, in)
			lossy = lossy || r == utf8.RuneError
		}
		out = utf8.AppendRune(out, r)
	}
	return out, lossy
}

// pair joins a surrogate with the low half that follows it, if one does.
func pair(high rune, in []byte) (rune, []byte) {
	if len(in) >= 6 && in[0] == '\\' && in[1] == 'u' {
		low, _ := hex4(in[2:])
		if r := utf16.DecodeRune(high, low); r != utf8.RuneError {
			return r, in[6:]
		}
	}
	return utf8.RuneError, in
}

func unescaped(c byte) byte {
	switch c {
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	}
	return c
}

// AppendString appends s as Python's json.dumps(s, ensure_ascii=False) writes
// it (SAMP §3, rule I2): the two-character escapes for quote, backslash and
// \n \r \t \b \f, \u00xx in lower case for the other characters below U+0020,
// everything else raw, including U+007F, U+2028 and < > &. Go's own encoder
// differs on several of these.
func AppendString(dst []byte, s string) []byte {
	return append(Escape(append(dst, '"'), s), '"')
}

// Escape is [AppendString] without the quotes, for a text in pieces.
func Escape(dst []byte, s string) []byte {
	for {
		n := Plain(view(s))
		dst = append(dst, s[:n]...)
		if n == len(s) {
			return dst
		}
		dst = appendEscape(dst, s[n])
		s = s[n+1:]
	}
}

// EscapeASCII appends s as Python's json.dumps(s) writes it by default, without the
// quotes: every character outside U+0020 to U+007E as \uXXXX in lower case, those beyond
// U+FFFF as a surrogate pair.
func EscapeASCII(dst []byte, s string) []byte {
	for _, r := range s {
		switch {
		case r == '"' || r == '\\' || r < 0x20:
			dst = appendEscape(dst, byte(r))
		case r < 0x7f:
			dst = append(dst, byte(r))
		case r <= 0xffff:
			dst = appendUnit(dst, r)
		default:
			high, low := utf16.EncodeRune(r)
			dst = appendUnit(appendUnit(dst, high), low)
		}
	}
	return dst
}

func appendEscape(dst []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\n':
		return append(dst, '\\', 'n')
	case '\r':
		return append(dst, '\\', 'r')
	case '\t':
		return append(dst, '\\', 't')
	case '\b':
		return append(dst, '\\', 'b')
	case '\f':
		return append(dst, '\\', 'f')
	}
	return appendUnit(dst, rune(c))
}

func appendUnit(dst []byte, u rune) []byte {
	const digits = "0123456789abcdef"
	return append(dst, '\\', 'u', digits[u>>12&15], digits[u>>8&15], digits[u>>4&15], digits[u&15])
}
