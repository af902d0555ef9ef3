package worktree

import (
	"bytes"
	"errors"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// parseGitFile parses a .git file: "gitdir: " and a path.
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

// parseRef parses HEAD or a loose ref: the name of another ref, or a commit.
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

// unknownRef is in HEAD if the refs are in a reftable.
const unknownRef = "refs/heads/.invalid"

// badRef matches what git check-ref-format refuses in a full name, and parts longer than a
// file name can be.
var badRef = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^@?$|\.\.|(?:^|/)(?:\.|/)|[/.]$|@\{|\.lock(?:/|$)|[\x00-\x20\x7f~^:?*[\\]|[^/]{251}`)
})

// validRef reports whether a full ref name is well-formed, so that it can safely be joined to
// a directory.
func validRef(name string) bool {
	return name == unknownRef || strings.HasPrefix(name, "refs/") && !badRef().MatchString(name)
}

// packed calls found if a line of packed-refs is a ref.
func packed(line []byte, found func(ref, commit string)) {
	id, name, ok := strings.Cut(string(bytes.TrimRight(line, "\r\n")), " ")
	if ok && isCommit(id) && validRef(name) {
		found(name, id)
	}
}

// The syntax of a configuration after blanks: [section], [section "sub"] or the older
// [section.sub], and "name = value" up to a comment or the end of the line. A backslash
// continues the line.
var (
	configHeader = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^\[([^] \t\n]+)(?:[ \t]*"((?:[^"\\\n]|\\[^\n])*)")?[ \t]*\]`)
	})
	configLine = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^([A-Za-z0-9-]+)[ \t]*(?:=[ \t]*((?:[^"\\\n#;]|\\\r?\n|\\[ntb"\\]|"(?:[^"\\\n]|\\\r?\n|\\[ntb"\\])*")*)|\r?)(?:[#;][^\n]*)?(?:\n|$)`)
	})
)

// parseConfig parses a git configuration file and calls visit for each variable: section and
// name in lower case, the subsection unchanged. If it cannot continue it returns an error; the
// variables visited before are valid.
func parseConfig(data []byte, visit func(section, sub, name, value string)) error {
	rest := strings.TrimPrefix(string(data), "\ufeff")
	var section, sub string
	for {
		rest = strings.TrimLeft(rest, " \t\r\n\v\f")
		switch {
		case rest == "":
			return nil
		case rest[0] == '#' || rest[0] == ';':
			_, rest, _ = strings.Cut(rest, "\n")
		case rest[0] == '[':
			m := configHeader().FindStringSubmatch(rest)
			if m == nil {
				return errors.New("holds a section header that cannot be read")
			}
			section, sub = strings.ToLower(m[1]), escaped(m[2])
			if sub == "" {
				section, sub, _ = strings.Cut(section, ".")
			}
			rest = rest[len(m[0]):]
		default:
			at := configLine().FindStringSubmatchIndex(rest)
			if at == nil || section == "" {
				return errors.New("holds a line that cannot be read")
			}
			value := "true" // a name alone
			if at[4] >= 0 {
				value = configValue(rest[at[4]:at[5]])
			}
			visit(section, sub, strings.ToLower(rest[at[2]:at[3]]), value)
			rest = rest[at[1]:]
		}
	}
}

// escaped removes the backslashes from the name of a subsection.
func escaped(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' {
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// configValue parses a value: quotes, escapes, and lines continued after a backslash.
func configValue(text string) string {
	var b strings.Builder
	quoted, kept := false, 0 // kept is the length without trailing blanks
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			quoted = !quoted
			kept = b.Len()
		case c == '\\':
			if i++; text[i] == '\r' {
				i++
			}
			if at := strings.IndexByte(`ntb"\`, text[i]); at >= 0 {
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
	return b.String()[:kept]
}

// configBool parses a boolean as git does.
func configBool(value string) bool {
	switch strings.ToLower(value) {
	case "true", "yes", "on":
		return true
	}
	n, err := strconv.Atoi(value)
	return err == nil && n != 0
}
