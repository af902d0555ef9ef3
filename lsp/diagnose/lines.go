package diagnose

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

// readLines checks the lines of a text. Lines before the first change since last and after
// the last change keep their results.
func readLines(ctx context.Context, text string, rules lineRules, last *lineLog) (*lineLog, error) {
	l := &lineLog{text: text}
	limit := len(text)
	if limit > maxLogText {
		limit = strings.LastIndexByte(text[:maxLogText], '\n') + 1
		l.why = fmt.Sprintf("it is %d bytes long, and only the first %d are checked here", len(text), maxLogText)
	}
	at, found := 0, 0
	var kept []logLine // unchanged lines at the end of the last version
	shift := 0
	if last != nil {
		same := samePrefix(last.text, text)
		tail := sameSuffix(last.text[same:], text[same:])
		shift = len(text) - len(last.text)
		l.outside = last.outside
		l.lines = make([]logLine, 0, len(last.lines)+16)
		for i := range last.lines {
			if e := last.lines[i].end; e > same || e > limit || last.text[e-1] != '\n' {
				break
			}
			l.lines = append(l.lines, last.lines[i])
			at, found = last.lines[i].end, found+len(last.lines[i].found)
		}
		from := len(last.text) - tail
		for i := len(l.lines); i < len(last.lines); i++ {
			// A line is unchanged if the line end before it is unchanged too.
			if s := last.lines[i].start; s > from {
				kept = last.lines[i:]
				break
			}
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
		for len(kept) > 0 && kept[0].start+shift < at {
			kept = kept[1:]
		}
		var line logLine
		if len(kept) > 0 && kept[0].start+shift == at && kept[0].end+shift <= limit {
			line = kept[0]
			line.start, line.end = at, line.end+shift
		} else {
			end := limit
			if i := strings.IndexByte(text[at:limit], '\n'); i >= 0 {
				end = at + i + 1
			}
			line = logLine{start: at, end: end}
			var outside bool
			line.found, line.turn, outside = rules(text[at:end])
			l.outside = l.outside || outside
		}
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

// sameSuffix returns the length of the longest common suffix.
func sameSuffix(a, b string) int {
	const block = 4096
	n, at := min(len(a), len(b)), 0
	for at+block <= n && a[len(a)-at-block:len(a)-at] == b[len(b)-at-block:len(b)-at] {
		at += block
	}
	for at < n && a[len(a)-1-at] == b[len(b)-1-at] {
		at++
	}
	return at
}
