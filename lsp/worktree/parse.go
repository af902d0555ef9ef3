package worktree

import (
	"bytes"
	"errors"
	"strconv"
	"strings"
)

// parseGitFile reads a .git file: "gitdir: " and a path.
func parseGitFile(data []byte) (string, error) {
	path, ok := bytes.CutPrefix(data, []byte("gitdir: "))
	if !ok {
		return "", errors.New(`does not begin with "gitdir: "`)
	}
	path = bytes.TrimRight(path, "\r\n")
	if len(path) == 0 {
		return "", errors.New("names no directory")
	}
	return string(path), nil
}

// parseRef reads HEAD or a loose ref: the name of another ref, or a commit.
func parseRef(data []byte) (ref, commit string, err error) {
	text := string(bytes.TrimRight(data, " \t\r\n"))
	if name, ok := strings.CutPrefix(text, "ref:"); ok {
		name = strings.TrimLeft(name, " \t")
		if !validRef(name) {
			return "", "", errors.New("names a ref that is none")
		}
		return name, "", nil
	}
	if i := strings.IndexAny(text, " \t\r\n"); i >= 0 {
		text = text[:i]
	}
	if !isCommit(text) {
		return "", "", errors.New("is neither a ref nor a commit")
	}
	return "", text, nil
}

// isCommit reports whether a text is a SHA-1 or SHA-256 object id.
func isCommit(s string) bool {
	if len(s) != 40 && len(s) != 64 {
		return false
	}
	for i := range len(s) {
		if c := s[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

// unknownRef stands in HEAD where the refs are in a reftable.
const unknownRef = "refs/heads/.invalid"

// validRef reports whether a full name of a ref is well-formed by the rules of
// git check-ref-format, so that it is safe to join to a directory.
func validRef(name string) bool {
	return name == unknownRef || strings.HasPrefix(name, "refs/") && refFault(name) == ""
}

// refFault says why a name cannot name a ref, and returns "" if it can.
func refFault(name string) string {
	for i := range len(name) {
		switch c := name[i]; {
		case c < 0x20 || c == 0x7f:
			return "holds a control character"
		case strings.IndexByte(" ~^:?*[\\", c) >= 0:
			return "holds " + strconv.Quote(string(rune(c)))
		}
	}
	switch {
	case name == "":
		return "is empty"
	case name == "@":
		return `is "@"`
	case strings.Contains(name, ".."):
		return `holds ".."`
	case strings.Contains(name, "@{"):
		return `holds "@{"`
	case strings.HasSuffix(name, "."):
		return "ends in a dot"
	}
	for part := range strings.SplitSeq(name, "/") {
		switch {
		case part == "":
			return "has an empty part between slashes"
		case strings.HasPrefix(part, "."):
			return "has a part that begins with a dot"
		case strings.HasSuffix(part, ".lock"):
			return `has a part that ends in ".lock"`
		case len(part) > 250:
			return "has a part that is too long"
		}
	}
	return ""
}

// packed finds refs in packed-refs: it calls found for each line of a ref.
func packed(line []byte, found func(ref, commit string)) {
	id, name, ok := strings.Cut(string(bytes.TrimRight(line, "\r\n")), " ")
	if ok && isCommit(id) && validRef(name) {
		found(name, id)
	}
}

// parseConfig reads a git configuration file and calls visit for each variable:
// section and name in lower case, the subsection as it stands. It returns an
// error where it cannot go on; what was visited before stands.
func parseConfig(data []byte, visit func(section, sub, name, value string)) error {
	s := configScanner{rest: strings.TrimPrefix(string(data), "\ufeff")}
	var section, sub string
	for {
		s.blank()
		switch {
		case s.rest == "":
			return nil
		case s.rest[0] == '#' || s.rest[0] == ';':
			s.line()
		case s.rest[0] == '[':
			var ok bool
			if section, sub, ok = s.header(); !ok {
				return errors.New("holds a section header that cannot be read")
			}
		default:
			name, value, ok := s.variable()
			if !ok || section == "" {
				return errors.New("holds a line that cannot be read")
			}
			visit(section, sub, name, value)
		}
	}
}

type configScanner struct{ rest string }

func (s *configScanner) blank() { s.rest = strings.TrimLeft(s.rest, " \t\r\n\v\f") }

// line skips to the next line.
func (s *configScanner) line() {
	_, s.rest, _ = strings.Cut(s.rest, "\n")
}

// header reads [section], [section "sub"] or the older [section.sub].
func (s *configScanner) header() (section, sub string, ok bool) {
	text := s.rest[1:]
	end := strings.IndexAny(text, " \t]\n")
	if end <= 0 {
		return "", "", false
	}
	section = strings.ToLower(text[:end])
	text = strings.TrimLeft(text[end:], " \t")
	if strings.HasPrefix(text, `"`) {
		var b strings.Builder
		i := 1
		for ; i < len(text) && text[i] != '"' && text[i] != '\n'; i++ {
			if text[i] == '\\' && i+1 < len(text) {
				i++
			}
			b.WriteByte(text[i])
		}
		if i >= len(text) || text[i] != '"' {
			return "", "", false
		}
		sub, text = b.String(), text[i+1:]
	} else if i := strings.IndexByte(section, '.'); i >= 0 {
		section, sub = section[:i], section[i+1:]
	}
	if !strings.HasPrefix(text, "]") {
		return "", "", false
	}
	s.rest = text[1:]
	return section, sub, true
}

// variable reads "name = value"; a name alone means true.
func (s *configScanner) variable() (name, value string, ok bool) {
	end := 0
	for end < len(s.rest) && isNameByte(s.rest[end]) {
		end++
	}
	if end == 0 {
		return "", "", false
	}
	name = strings.ToLower(s.rest[:end])
	s.rest = strings.TrimLeft(s.rest[end:], " \t")
	if !strings.HasPrefix(s.rest, "=") {
		ok = s.rest == "" || strings.IndexByte("\r\n#;", s.rest[0]) >= 0
		s.line()
		return name, "true", ok
	}
	s.rest = s.rest[1:]
	value, ok = s.value()
	return name, value, ok
}

// value reads up to the end of the line: quotes, escapes, a comment, and lines
// that go on after a backslash.
func (s *configScanner) value() (string, bool) {
	var b strings.Builder
	text := strings.TrimLeft(s.rest, " \t")
	quoted := false
	kept := 0 // what stands before trailing blanks
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\n':
			s.rest = text[i+1:]
			return b.String()[:kept], !quoted
		case c == '"':
			quoted = !quoted
			kept = b.Len()
		case !quoted && (c == '#' || c == ';'):
			s.rest = text[i:]
			s.line()
			return b.String()[:kept], true
		case c == '\\':
			i++
			if i < len(text) && text[i] == '\r' && i+1 < len(text) && text[i+1] == '\n' {
				i++
			}
			if i >= len(text) {
				return "", false
			}
			at := strings.IndexByte(`ntb"\`, text[i])
			if at < 0 && text[i] != '\n' {
				return "", false
			}
			if at >= 0 {
				b.WriteByte("\n\t\b\"\\"[at])
				kept = b.Len()
			}
		default:
			b.WriteByte(c)
			if quoted || c != ' ' && c != '\t' && c != '\r' {
				kept = b.Len()
			}
		}
	}
	s.rest = ""
	return b.String()[:kept], !quoted
}

func isNameByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-'
}

// configBool reads a boolean as git does.
func configBool(value string) bool {
	switch strings.ToLower(value) {
	case "true", "yes", "on":
		return true
	}
	n, err := strconv.Atoi(value)
	return err == nil && n != 0
}
