// Package check finds problems in documents that are open in an editor: logs,
// signed mail, task messages and the files of agents' threads. It also offers fixes of
// task messages. kinds.go lists the kinds of documents; each kind has its own file.
package check

import (
	"context"
	"slices"
)

// Document is a text that is open in an editor.
type Document struct {
	// File is the path in the document's URI, with "/" between the names, whatever
	// the URI's scheme is.
	File string
	// Path is the document's path on this machine, or empty.
	Path string
	// Language is the editor's name for the type of the document, such as "json".
	Language string
	Text     string
}

// Diagnostic is a problem of a document.
type Diagnostic struct {
	// Start and End are offsets in bytes.
	Start, End int
	Severity   Severity
	Rule       string
	Message    string // one line, sanitized
	// About is the URL of the page that explains the rule.
	About string
}

// Severity is how serious a [Diagnostic] is.
type Severity int

// The severities, most serious first.
const (
	Error       Severity = iota // a rule is broken
	Warning                     // a rule may be broken, or the user has to be careful
	Information                 // no rule is broken
	Hint                        // no rule is broken, and few people want to know
)

// Checked is what [Check] found in one version of a document. It must not be changed.
type Checked struct {
	Found []Diagnostic
	// Outside reports that the result depends on other files: when they change, the
	// document has to be checked again.
	Outside bool

	lines *lineLog // of a document of lines, for the next version of it
}

// Check checks a document against the rules of its format. It returns nil for a document of
// an unknown kind.
//
// last is the result for an earlier version of the same document, or nil. With it, only the
// changed lines of a log are checked again. The only errors are those of ctx.
func Check(ctx context.Context, doc Document, stores Stores, last *Checked) (*Checked, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	k := kindOf(&doc, stores)
	if k == nil {
		return nil, nil
	}
	return k.check(ctx, &doc, stores, last)
}

// Fix is a change of a document that removes one diagnostic and causes no other.
type Fix struct {
	Title      string // one line, sanitized
	Diagnostic Diagnostic
	// Edits are in order and do not overlap. Two edits that begin at the same place
	// are applied one after the other.
	Edits []Edit
	// Preferred reports that this is the only fix, with the only possible value.
	Preferred bool
}

// Edit replaces the text from Start to End, which are offsets in bytes.
type Edit struct {
	Start, End int
	New        string
}

// Fixes returns the fixes of all diagnostics that are between two offsets or touch them. A
// fix is offered only where the rules or the rest of the document leave one value, and never
// for text that a program writes or somebody signed.
func Fixes(ctx context.Context, doc Document, stores Stores, start, end int) ([]Fix, error) {
	k := kindOf(&doc, stores)
	if k == nil || k.fixes == nil {
		return nil, nil
	}
	list, err := k.fixes(ctx, &doc, stores, start, end)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(list, func(f Fix) bool { return !f.Diagnostic.touches(start, end) }), ctx.Err()
}

// touches reports whether a diagnostic is between two offsets or touches them.
func (d *Diagnostic) touches(start, end int) bool { return start <= d.End && d.Start <= end }
