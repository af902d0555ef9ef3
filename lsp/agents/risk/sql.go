package risk

import (
	"iter"
	"slices"
	"strings"
	"unicode"
)

// sqlClients lists the programs that send SQL to a database.
var sqlClients = []string{
	"psql", "mysql", "mariadb", "sqlite3", "sqlite", "duckdb", "sqlcmd", "usql", "pgcli", "mycli", "litecli", "cockroach", "clickhouse-client",
	"clickhouse", "snowsql", "bq", "d1",
}

// droppable lists the words after DROP for objects that contain data.
var droppable = []string{"table", "database", "schema"}

// database judges the SQL that a client gets in its arguments, its input or through a pipe.
func (j *judge) database(words []word, c *command, before []command) {
	if nameOf(&words[0]) == "dropdb" {
		j.add(Risk{Red, Drops, "Drops a database.", words[0].line})
		return
	}
	// A client may run in a container.
	at := slices.IndexFunc(words, func(w word) bool { return slices.Contains(sqlClients, nameOf(&w)) })
	if at < 0 || at > 0 && !slices.Contains([]string{"docker", "podman", "kubectl", "docker-compose", "heroku", "fly", "npx", "wrangler", "oc", "compose"}, nameOf(&words[0])) {
		return
	}
	for _, w := range words[at+1:] {
		j.sql(w)
	}
	for _, d := range c.docs {
		j.sql(d)
	}
	if c.fed && len(before) > 0 {
		from := &before[len(before)-1]
		if w := withoutKeywords(from.words); len(w) > 0 && slices.Contains([]string{"echo", "printf", "cat", "<<<"}, nameOf(&w[0])) {
			for _, w := range append(slices.Clone(w[1:]), from.docs...) {
				j.sql(w)
			}
		}
	}
}

// sql judges SQL.
func (j *judge) sql(w word) {
	text := w.text[:min(len(w.text), maxInput)]
	plain := blankComments(text)
	line, counted := w.line, 0
	for at, word := range sqlWords(plain) {
		if word != "drop" && word != "truncate" {
			continue
		}
		next, blank := firstWord(plain[at+len(word):])
		what := ""
		switch {
		case word == "drop" && slices.Contains(droppable, next):
			what = "Drops a " + next
		case word == "truncate" && blank && next != "": // not the function truncate(...)
			what = "Truncates a table"
		default:
			continue
		}
		line, counted = line+strings.Count(plain[counted:at], "\n"), at
		j.add(Risk{Red, Drops, what + ".", line})
	}
}

// sqlWords returns the offsets and words of a text. The words are in lower case.
func sqlWords(text string) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		from := -1
		for i, r := range text + " " {
			in := unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || r == '$'
			switch {
			case in && from < 0:
				from = i
			case !in && from >= 0:
				if i-from <= maxWord && !yield(from, strings.ToLower(text[from:i])) {
					return
				}
				from = -1
			}
		}
	}
}

// maxWord is greater than the length in bytes of every word that is searched for.
const maxWord = 20

// firstWord returns the first word of a text in lower case, and reports whether white space
// precedes it. A word may begin with a quote.
func firstWord(text string) (word string, blank bool) {
	rest := strings.TrimLeft(text, " \t\r\n")
	end := strings.IndexFunc(rest, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_\"`[", r)
	})
	if end < 0 {
		end = len(rest)
	}
	return strings.ToLower(rest[:min(end, maxWord)]), len(rest) < len(text)
}

// blankComments returns SQL with its comments and string literals replaced by spaces.
func blankComments(sql string) string {
	b := []byte(sql)
	blank := func(from, to int) {
		for i := from; i < to && i < len(b); i++ {
			if b[i] != '\n' {
				b[i] = ' '
			}
		}
	}
	for i := 0; i < len(b); i++ {
		var end int
		rest := sql[i:]
		switch {
		case strings.HasPrefix(rest, "--"):
			end = strings.IndexByte(rest, '\n')
		case strings.HasPrefix(rest, "/*"):
			if end = strings.Index(rest, "*/"); end >= 0 {
				end += 2
			}
		case rest[0] == '\'':
			if end = strings.IndexByte(rest[1:], '\''); end >= 0 {
				end += 2
			}
		default:
			continue
		}
		if end < 0 {
			end = len(rest)
		}
		blank(i, i+end)
		i += end - 1
	}
	return string(b)
}
