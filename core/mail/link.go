package mail

import (
	"net/url"
	"strings"
)

// LinkScheme is the scheme of the addresses that [FormatLink] makes.
const LinkScheme = "signalbox"

// MaxLink is the length in bytes of the longest address that [ParseLink] reads.
const MaxLink = 3*MaxName + 64

// The kinds of a link: what follows the scheme.
const (
	LinkThread  = "thread"
	LinkMessage = "message"
)

// FormatLink gives the address of a thread or message that can be copied and opened
// elsewhere, such as signalbox://thread/release-1.4. kind is [LinkThread] or
// [LinkMessage], token an id or a thread's name as one would type it: what it names
// is looked up wherever the link is opened.
func FormatLink(kind, token string) string {
	escaped := strings.ReplaceAll(url.PathEscape(token), "+", "%2B")
	// PathEscape leaves these as they are, and whoever finds addresses in a text
	// takes them for what stands around one.
	for _, c := range []string{"'", "(", ")", "*", "!", "$", "&", ":", "=", "@", "~"} {
		escaped = strings.ReplaceAll(escaped, c, "%"+hexByte(c[0]))
	}
	if n := len(escaped); n > 0 && (escaped[n-1] == '.' || escaped[n-1] == '_') {
		escaped = escaped[:n-1] + "%" + hexByte(escaped[n-1])
	}
	return LinkScheme + "://" + kind + "/" + escaped
}

func hexByte(c byte) string {
	const digits = "0123456789ABCDEF"
	return string([]byte{digits[c>>4], digits[c&15]})
}

// ParseLink reads what [FormatLink] makes. ok is false for any other text, for one
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
	token, err := url.PathUnescape(escaped)
	return kind, token, err == nil && token != "" && !strings.ContainsRune(token, 0)
}
