package panel

import (
	"strings"
	"unicode/utf8"

	"github.com/signalbox-dev/signalbox/core/agn"
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

// Severity says how much a [Diagnostic] weighs.
type Severity int

// The severities, the gravest first: a broken rule, a guess that one is, and
// what breaks none.
const (
	Broken Severity = iota
	Guess
	Remark
)

// Others gives the messages of m's task that other files hold than the one at
// path, which is m's own: in any order, without [agn.Message.Raw] if need be, and
// shared. It gives nil where nothing is known of the task, which differs from a
// task that is only beginning.
type Others func(path string, m *agn.Message) []agn.Message

// pages is where the pages of docs are read.
const pages = "https://github.com/signalbox-dev/signalbox/blob/main/docs/"

// Diagnose holds a document against the rules of its format. known tells that it
// is one that the panels know: an agent's config.json or thread.json, by its
// path, and by what it says a task message of AMP/1.0 or one of our records
// about it. A message is held against the others of its task too.
func Diagnose(doc Document, others Others) (found []Diagnostic, known bool) {
	if agentFile(doc.File) {
		return diagnoseAgent(doc.File, doc.Text), true
	}
	t, known := readTask(&doc, others)
	if !known {
		return nil, false
	}
	for i := range t.found {
		found = append(found, t.diagnostic(&t.found[i]))
	}
	return found, true
}

// Diagnose is [Diagnose] with the tasks of the open directories.
func (p *Panels) Diagnose(doc Document) ([]Diagnostic, bool) { return Diagnose(doc, p.taskOthers) }

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
