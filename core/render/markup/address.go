package markup

import (
	"strconv"
	"strings"

	"github.com/signalbox-dev/signalbox/core/names"
	"github.com/signalbox-dev/signalbox/core/render"
)

const (
	maxAddress = 2048 // bytes of a link's address
	maxShown   = 512  // code points of an address that is not a link
)

// link is the target of a link or an image in the input.
type link struct {
	address string // safe to show
	https   bool   // address may be a link
}

// target returns the target for a destination in the input.
func target(dest string) link {
	if address, ok := httpsAddress(dest); ok {
		return link{address: address, https: true}
	}
	shown, _ := render.Line(dest, maxShown)
	return link{address: shown}
}

// httpsAddress returns dest in a form that may be both shown and followed. It
// accepts less than RFC 3986 allows: an address that a browser could read in
// another way than a person (with a user name that looks like a host, a backslash,
// or letters of another script in the host) is not a link.
func httpsAddress(dest string) (string, bool) {
	const scheme = "https://"
	if len(dest) > maxAddress || len(dest) <= len(scheme) || !strings.EqualFold(dest[:len(scheme)], scheme) {
		return "", false
	}
	rest := dest[len(scheme):]
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	if !plainHost(rest[:end]) {
		return "", false
	}
	return scheme + strings.ToLower(rest[:end]) + escapePath(rest[end:]), true
}

// plainHost reports whether s is name or name:port, with a name of ASCII letters,
// digits, dots and hyphens.
func plainHost(s string) bool {
	host, port, hasPort := strings.Cut(s, ":")
	if hasPort {
		if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 || port[0] == '+' {
			return false
		}
	}
	if host == "" || len(host) > 253 || strings.HasPrefix(host, ".") || strings.Contains(host, "..") {
		return false
	}
	for i := range len(host) {
		if c := host[i]; c != '.' && c != '-' && !names.Alphanumeric(c) {
			return false
		}
	}
	return true
}

// escapePath percent-encodes characters that could end a link or begin another
// construct in Markdown or HTML, and all characters that are not visible ASCII.
func escapePath(s string) string {
	const digits = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		bad := c <= ' ' || c >= 0x7f || strings.IndexByte("\"'<>[]\\^`{|}", c) >= 0 ||
			c == '$' && i+1 < len(s) && s[i+1] == '('
		if !bad {
			b.WriteByte(c)
			continue
		}
		b.WriteByte('%')
		b.WriteByte(digits[c>>4])
		b.WriteByte(digits[c&15])
	}
	return b.String()
}

// sameAddress reports whether a label adds nothing to the address after it.
func sameAddress(label, address string) bool {
	label = strings.TrimSpace(label)
	return label == "" || label == address || label+"/" == address
}
