package mail

import (
	"strings"

	"github.com/signalbox-dev/signalbox/core/names"
)

// LinkScheme is the scheme of the addresses that [FormatLink] makes.
const LinkScheme = "signalbox"

// MaxLink is the length in bytes of the longest address that [ParseLink] reads.
const MaxLink = 3*MaxName + 64

// The kinds of a link, written after the scheme.
const (
	LinkThread  = "thread"
	LinkMessage = "message"
)

// FormatLink returns the address of a thread or message that can be copied and opened
// elsewhere, such as signalbox://thread/release-1.4. kind is [LinkThread] or
// [LinkMessage]. token is an id or a thread's name as a person would type it, and is
// looked up where the link is opened.
func FormatLink(kind, token string) string {
	b := make([]byte, 0, len(LinkScheme)+len("://")+len(kind)+1+len(token)+8)
	b = append(b, LinkScheme...)
	b = append(b, "://"...)
	b = append(b, kind...)
	b = append(b, '/')
	for i := range len(token) {
		// A dot or underscore at the end would be taken for the end of the sentence.
		last := i == len(token)-1
		switch c := token[i]; {
		case names.Alphanumeric(c) || c == '-' || !last && (c == '.' || c == '_'):
			b = append(b, c)
		default:
			const digits = "0123456789ABCDEF"
			b = append(b, '%', digits[c>>4], digits[c&15])
		}
	}
	return string(b)
}

// ParseLink reads a link by [FormatLink]. ok is false for any other text, for one
// that is longer than [MaxLink], and for one without a token.
func ParseLink(s string) (kind, token string, ok bool) {
	if len(s) > MaxLink || len(s) < len(LinkScheme) || !strings.EqualFold(s[:len(LinkScheme)], LinkScheme) {
		return "", "", false
	}
	rest, ok := strings.CutPrefix(s[len(LinkScheme):], "://")
	if !ok {
		return "", "", false
	}
	kind, escaped, ok := strings.Cut(rest, "/")
	if !ok || kind != LinkThread && kind != LinkMessage || strings.ContainsAny(escaped, "/?#") {
		return "", "", false
	}
	token, ok = unescape(escaped)
	return kind, token, ok && token != "" && !strings.ContainsRune(token, 0)
}

// unescape undoes percent-encoding. A plus sign stays unchanged.
func unescape(s string) (string, bool) {
	if strings.IndexByte(s, '%') < 0 {
		return s, true
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == '%' {
			if i+2 >= len(s) || !names.Hexadecimal(s[i+1]) || !names.Hexadecimal(s[i+2]) {
				return "", false
			}
			c = nibble(s[i+1])<<4 | nibble(s[i+2])
			i += 2
		}
		b = append(b, c)
	}
	return string(b), true
}

// nibble returns the value of a hexadecimal digit.
func nibble(c byte) byte {
	if names.Digit(c) {
		return c - '0'
	}
	return c | 0x20 - 'a' + 10
}
