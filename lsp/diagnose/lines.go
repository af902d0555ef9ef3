package diagnose

import (
	"context"
	"fmt"
	"strings"
)

// Bounds of what is looked at in a document of lines, and of what is said about
// it. A text that is hostile, or of another kind, costs no more than these.
const (
	// maxLogText is the length in bytes, maxLogLines the number of lines, beyond
	// which nothing is checked.
	maxLogText  = 12 << 20
	maxLogLines = 250_000
	// maxLogFound is the number of findings after which no further line is checked.
	maxLogFound = 20_000
	// MaxDiagnostics is how many findings of one document are given, and again so
	// many remarks: what breaks a rule is not crowded out by what breaks none.
	MaxDiagnostics = 500
)

// logLine is one line of a document, as it was checked.
type logLine struct {
	start, end int // with the line end
	// found lies at offsets from the line's start.
	found []Diagnostic
	// turn is what a message of a thread is compared by, nil for other lines.
	turn *turnLine
}

// lineLog is a document of lines. The next version of it begins from it.
type lineLog struct {
	text  string
	lines []logLine
	// cut is where checking stopped early, or the text's length, and why says why.
	cut     int
	why     string
	outside bool
}

// lineRules are the rules of a line. raw ends with \n, or is the unfinished last
// line. outside tells that the finding depends on other files.
type lineRules func(raw string) (found []Diagnostic, turn *turnLine, outside bool)

// readLines checks the lines of a text: of a later version only those that are
// others. What comes before the first change and after the last one is the same
// line still.
func readLines(ctx context.Context, text string, rules lineRules, last *lineLog) (*lineLog, error) {
	l := &lineLog{text: text}
	limit := len(text)
	if limit > maxLogText {
		limit = strings.LastIndexByte(text[:maxLogText], '\n') + 1
		l.why = fmt.Sprintf("the file is %d bytes long, and %d are looked at", len(text), maxLogText)
	}
	at, found := 0, 0
	var kept []logLine // of the last version, from the end
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
			// A line begins where it did if what ends the one before is in the tail too.
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
			l.why = fmt.Sprintf("there are too many lines or findings after line %d", len(l.lines))
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
	l.cut = at
	if at == len(text) {
		l.why = ""
	}
	return l, nil
}

// samePrefix gives the length of what two texts begin with.
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

// sameSuffix gives the length of what two texts end with.
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
