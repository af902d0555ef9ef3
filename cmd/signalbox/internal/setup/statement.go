package setup

import (
	"slices"
	"strings"
)

// statement is a piece of TOML: the header of a table, a key with its value, which may
// take several lines, or a blank line or comment.
type statement struct {
	// text includes the line end.
	text   string
	header bool
	// path is the name of the table, or of the key in its table. It is nil for a table in
	// a list, a blank line and a comment.
	path []string
}

// hook returns the hook whose state table in Codex's configuration a header begins.
func (s statement) hook() (string, bool) {
	if !s.header || len(s.path) != 3 || s.path[0] != "hooks" || s.path[1] != "state" {
		return "", false
	}
	return s.path[2], true
}

// statements splits valid TOML into statements.
func statements(text []byte) (list []statement) {
	begin, depth := 0, 0
	t := string(text)
	for i := 0; i < len(t); i++ {
		switch t[i] {
		case '#':
			for i+1 < len(t) && t[i+1] != '\n' {
				i++
			}
		case '"', '\'':
			i = stringEnd(t, i)
		case '[', '{':
			depth++
		case ']', '}':
			depth--
		case '\n':
			if depth <= 0 {
				list = append(list, newStatement(t[begin:i+1]))
				begin, depth = i+1, 0
			}
		}
	}
	if begin < len(t) {
		list = append(list, newStatement(t[begin:]))
	}
	return list
}

// stringEnd returns the offset of the last byte of the string that begins at i.
func stringEnd(t string, i int) int {
	quote := t[i : i+1]
	if long := strings.Repeat(quote, 3); strings.HasPrefix(t[i:], long) {
		quote = long
	}
	for at := i + len(quote); at < len(t); at++ {
		switch {
		case t[at] == '\\' && quote[0] == '"':
			at++
		case strings.HasPrefix(t[at:], quote):
			at += len(quote) - 1
			for len(quote) == 3 && at+1 < len(t) && t[at+1] == quote[0] {
				at++ // a multi-line string may end in two quotes of its own
			}
			return at
		}
	}
	return len(t) - 1
}

func newStatement(text string) statement {
	s := statement{text: text}
	line := strings.TrimSpace(text)
	s.header = strings.HasPrefix(line, "[")
	if line == "" || line[0] == '#' || strings.HasPrefix(line, "[[") {
		return s
	}
	if !s.header {
		line = keyOf(line) + "= 0"
	}
	at, err := decode([]byte(line))
	for err == nil && len(at) == 1 {
		var next map[string]any
		for name, v := range at {
			s.path = append(s.path, name)
			next, _ = v.(map[string]any)
		}
		at = next
	}
	return s
}

// keyOf returns the text before the equals sign.
func keyOf(line string) string {
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '"', '\'':
			i = stringEnd(line, i)
		case '=':
			return line[:i]
		}
	}
	return line
}

// closed reports whether a table, or one that contains it, is an inline table: TOML
// allows no addition to those, though not every reader enforces that.
func closed(list []statement, path ...string) bool {
	var table []string
	for _, s := range list {
		if s.header {
			table = s.path
			continue
		}
		_, value, _ := strings.Cut(s.text[min(len(s.text), len(keyOf(s.text))):], "=")
		name := slices.Concat(table, s.path)
		if len(s.path) > 0 && len(name) <= len(path) && slices.Equal(name, path[:len(name)]) && strings.HasPrefix(strings.TrimSpace(value), "{") {
			return true
		}
	}
	return false
}

func join(list []statement) string {
	var b strings.Builder
	for _, s := range list {
		b.WriteString(s.text)
	}
	return b.String()
}

// cut removes the tables for which table holds, with the empty line before each. Comments
// in them stay.
func cut(list []statement, table func(header statement) bool) (out []statement) {
	ours := false
	for _, s := range list {
		if s.header {
			if ours = table(s); ours {
				out = trimBlank(out)
			}
		}
		if !ours || !s.header && s.path == nil {
			out = append(out, s)
		}
	}
	return out
}

// trimBlank removes an empty line at the end, unless it is the only line.
func trimBlank(list []statement) []statement {
	if n := len(list); n > 1 && strings.TrimSpace(list[n-1].text) == "" {
		return list[:n-1]
	}
	return list
}
