package panel

import (
	"strings"
	"unicode/utf8"
)

// Document is a text that is open in an editor.
type Document struct {
	// File is the path in its address, with "/" between the names, whatever the
	// address begins with.
	File string
	// Path is where it lies on this machine, or empty.
	Path string
	// Language is what the editor takes it for, such as "json".
	Language string
	Text     string
}

// Diagnostic is something that is wrong with a document.
type Diagnostic struct {
	// Start and End are offsets in bytes.
	Start, End int
	Severity   Severity
	Rule       string
	Message    string // one line, sanitized
	// About is the address of the page that explains the rule.
	About string
}

// ruleAt is where a page of docs explains a rule, below a heading of its own.
func ruleAt(page, rule string) string { return pages + page + "#" + strings.ToLower(rule) }

// Severity says how much a [Diagnostic] weighs.
type Severity int

// The severities, the gravest first: a broken rule, a guess that one is or
// something to be careful about, what breaks none, and what only few want to know.
const (
	Broken Severity = iota
	Guess
	Remark
	Hint
)

// pages is where the pages of docs are read.
const pages = "https://github.com/signalbox-dev/signalbox/blob/main/docs/"

// valueLength gives the length of the JSON value or word that a text begins
// with; of an object or array that of its bracket, since a whole file that is
// underlined shows nothing.
func valueLength(s string) int {
	switch {
	case s == "":
		return 0
	case s[0] == '{', s[0] == '[':
		return 1
	case s[0] == '"':
		for i := 1; i < len(s) && s[i] != '\n'; i++ {
			switch s[i] {
			case '\\':
				i++
			case '"':
				return i + 1
			}
		}
	}
	if n := strings.IndexAny(s, ",]}: \t\r\n"); n > 0 {
		return n
	}
	_, n := utf8.DecodeRuneInString(s)
	return n
}
