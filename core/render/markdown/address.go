package markdown

import "strings"

// autoLink reads an address in angle brackets (CommonMark 6.5), or "<" as text.
func (p *inlineParser) autoLink() {
	s := p.s[p.pos+1:]
	for i := range len(s) {
		switch c := s[i]; {
		case c == '>' && (isURI(s[:i]) || isMail(s[:i])):
			p.leaf(AutoLink, s[:i], i+2)
			return
		case c <= ' ' || c == '<' || c == '>' || c == 0x7f:
			p.putUnchanged(1)
			return
		}
	}
	p.putUnchanged(1)
}

// isURI reports whether s begins with a scheme.
func isURI(s string) bool {
	end := strings.IndexByte(s[:min(len(s), 33)], ':')
	if end < 2 || !isLetter(s[0]) {
		return false
	}
	for i := range end {
		if c := s[i]; !isAlnum(c) && c != '+' && c != '.' && c != '-' {
			return false
		}
	}
	return true
}

// isMail reports whether s is a mail address, as HTML 5 defines it.
func isMail(s string) bool {
	name, domain, ok := strings.Cut(s, "@")
	if !ok || name == "" {
		return false
	}
	for i := range len(name) {
		if !isAlnum(name[i]) && strings.IndexByte(".!#$%&'*+/=?^_`{|}~-", name[i]) < 0 {
			return false
		}
	}
	for label := range strings.SplitSeq(domain, ".") {
		if label == "" || len(label) > 63 || label[0] == '-' || label[len(label)-1] == '-' {
			return false
		}
		for i := range len(label) {
			if !isAlnum(label[i]) && label[i] != '-' {
				return false
			}
		}
	}
	return true
}

const (
	maxHost   = 256 // bytes that are searched for the last dot of a host
	hostBytes = "-@:%._+~#="
	pathBytes = "-@:%_+.~#$!?&/=();,'\">^{}[]`"
)

// atAddress reports whether a bare address may begin at i: after one of the characters
// in GitHub's rules, and not in the text of a link.
func (p *inlineParser) atAddress(i int) bool {
	if c := p.s[i]; c != 'h' && c != 'w' || len(p.brackets) > 0 || i == p.escaped {
		return false
	}
	if i > 0 && strings.IndexByte(" \t\n*_~(", p.s[i-1]) < 0 {
		return false
	}
	return strings.HasPrefix(p.s[i:], "https://") || strings.HasPrefix(p.s[i:], "www.")
}

// bareAddress reads an address without brackets, and reports whether there is one. It
// also reads addresses with "www.", so that markers in them are not read as emphasis.
func (p *inlineParser) bareAddress() bool {
	if !p.atAddress(p.pos) {
		return false
	}
	s := p.s[p.pos:]
	start := len("www.")
	if s[0] == 'h' {
		start = len("https://")
	}
	end := hostEnd(s, start)
	if end == 0 {
		return false
	}
	if end < len(s) && (s[end] == '/' || s[end] == '?' || s[end] == '#') {
		end++
		for end < len(s) && (isAlnum(s[end]) || strings.IndexByte(pathBytes, s[end]) >= 0) {
			end++
		}
	}
	end = trimAddress(s[:end])
	p.leaf(AutoLink, s[:end], end)
	return true
}

// hostEnd returns the end of the host and port that begin at start, or 0. The host ends
// after the small letters that follow its last dot. A dot without a small letter after it
// is not part of the host, since it may end a sentence.
func hostEnd(s string, start int) int {
	dot := 0
	for i := start; i < len(s) && i <= start+maxHost; i++ {
		if i > start && s[i] == '.' && i+1 < len(s) && s[i+1] >= 'a' && s[i+1] <= 'z' {
			dot = i
		}
		if !isAlnum(s[i]) && strings.IndexByte(hostBytes, s[i]) < 0 {
			break
		}
	}
	if dot == 0 {
		return 0
	}
	end := dot + 1
	for end < len(s) && s[end] >= 'a' && s[end] <= 'z' {
		end++
	}
	port := end + 1
	for port < len(s) && isDigit(s[port]) {
		port++
	}
	if s[0] == 'h' && end < len(s) && s[end] == ':' && port > end+1 {
		end = port
	}
	return end
}

// trimAddress returns the length of an address without characters at its end that more
// likely belong to the sentence around it: punctuation, a closing bracket that was
// opened before the address, a character reference.
func trimAddress(s string) int {
	open, closed := strings.Count(s, "("), strings.Count(s, ")")
	for {
		trimmed := strings.TrimRight(s, "?!.,:*_~")
		switch {
		case strings.HasSuffix(trimmed, ")") && closed > open:
			closed--
			trimmed = trimmed[:len(trimmed)-1]
		case strings.HasSuffix(trimmed, ";"):
			name := len(trimmed) - 1
			for name > 0 && isAlnum(trimmed[name-1]) {
				name--
			}
			if name < len(trimmed)-1 && name > 0 && trimmed[name-1] == '&' {
				trimmed = trimmed[:name-1]
			}
		}
		if len(trimmed) == len(s) {
			return len(s)
		}
		s = trimmed
	}
}
