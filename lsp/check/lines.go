package check

import (
	"context"
	"fmt"
	"strings"
)

// Limits for documents of lines, so that a hostile text costs little.
const (
	// maxLogText and maxLogLines are how many bytes and lines are checked.
	maxLogText  = 12 << 20
	maxLogLines = 250_000
	// maxLogFound is the number of diagnostics after which no further line is checked.
	maxLogFound = 20_000
	// MaxDiagnostics is the largest number of errors and warnings of one document. As
	// many other diagnostics may come with them.
	MaxDiagnostics = 500
)

// logLine is one checked line of a document.
type logLine struct {
	start, end int // includes the line end
	// Offsets in found count from the start of the line.
	found []Diagnostic
	// turn is set for a message of a thread.
	turn *turnLine
}

// lineLog is a checked document of lines. Checking the next version starts from it.
type lineLog struct {
	text    string
	lines   []logLine
	why     string // why checking stopped early, or empty
	outside bool   // the result depends on other files
}

// lineRules checks one line. raw ends with \n unless it is the unfinished last line.
// outside reports that the result depends on other files.
type lineRules func(raw string) (found []Diagnostic, turn *turnLine, outside bool)

// readLines checks the lines of a text. Lines before the first change since last keep their
// results.
func readLines(ctx context.Context, text string, rules lineRules, last *lineLog) (*lineLog, error) {
	l := &lineLog{text: text}
	limit := len(text)
	if limit > maxLogText {
		limit = strings.LastIndexByte(text[:maxLogText], '\n') + 1
		l.why = fmt.Sprintf("it is %d bytes long, and only the first %d are checked here", len(text), maxLogText)
	}
	at, found := 0, 0
	if last != nil {
		same := min(samePrefix(last.text, text), limit)
		l.outside = last.outside
		for _, line := range last.lines {
			if line.end > same || text[line.end-1] != '\n' {
				break
			}
			l.lines = append(l.lines, line)
			at, found = line.end, found+len(line.found)
		}
	}
	for at < limit {
		if len(l.lines)%1024 == 0 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
		}
		if len(l.lines) >= maxLogLines || found >= maxLogFound {
			l.why = fmt.Sprintf("checking stopped after line %d: there are too many lines or problems", len(l.lines))
			break
		}
		line := logLine{start: at, end: limit}
		if i := strings.IndexByte(text[at:limit], '\n'); i >= 0 {
			line.end = at + i + 1
		}
		var outside bool
		line.found, line.turn, outside = rules(text[at:line.end])
		l.outside = l.outside || outside
		l.lines = append(l.lines, line)
		at, found = line.end, found+len(line.found)
	}
	if at == len(text) {
		l.why = ""
	}
	return l, nil
}

// samePrefix returns the length of the longest common prefix.
func samePrefix(a, b string) int {
	const block = 4096
	n, at := min(len(a), len(b)), 0
	for at+block <= n && a[at:at+block] == b[at:at+block] {
		at += block
	}
	for at < n && a[at] == b[at] {
		at++
	}
	return at
}
