package check

import (
	"fmt"
	"strings"

	"github.com/signalbox-dev/signalbox/core/render"
)

// pages is the URL of the project's docs.
const pages = "https://github.com/signalbox-dev/signalbox/blob/main/docs/"

// page is a page of the docs that explains each rule under a heading of its own.
type page string

const (
	sampPage page = "samp.md"
	atsfPage page = "atsf.md"
	ampPage  page = "amp.md"
)

// finding returns a diagnostic. The message may hold a stranger's text.
func (p page) finding(start, end int, severity Severity, rule, message string) Diagnostic {
	return Diagnostic{
		Start: start, End: end, Severity: severity, Rule: rule, Message: safe(message),
		About: pages + string(p) + "#" + strings.ToLower(rule),
	}
}

// safe turns a stranger's text into one line that is safe to show.
func safe(s string) string {
	line, _ := render.Line(s, 500)
	return line
}

// collector collects the diagnostics of a document, up to [MaxDiagnostics] errors and
// warnings and as many others.
type collector struct {
	text   string
	list   []Diagnostic
	severe int // errors and warnings so far
	minor  int // other diagnostics so far
}

// add adds a diagnostic if there is room for it.
func (g *collector) add(d Diagnostic) {
	n := &g.severe
	if d.Severity >= Information {
		n = &g.minor
	}
	if *n++; *n <= MaxDiagnostics {
		g.list = append(g.list, d)
	}
}

// lines adds the diagnostics of all lines.
func (g *collector) lines(l *lineLog) {
	for i := range l.lines {
		for _, d := range l.lines[i].found {
			d.Start, d.End = d.Start+l.lines[i].start, d.End+l.lines[i].start
			g.add(d)
		}
	}
}

// done returns the list. If it is not complete, a warning on the first line says so and
// names the command that reports everything. why says why checking stopped, or is empty.
func (g *collector) done(why, command string) []Diagnostic {
	var reasons []string
	if over := max(0, g.severe-MaxDiagnostics) + max(0, g.minor-MaxDiagnostics); over > 0 {
		reasons = append(reasons, fmt.Sprintf("problems that are not shown here: %d", over))
	}
	if why != "" {
		reasons = append(reasons, why)
	}
	if len(reasons) == 0 {
		return g.list
	}
	return append([]Diagnostic{{
		End: firstLine(g.text), Severity: Warning, Rule: "limit", About: pages + "diagnostics.md#large-files",
		Message: fmt.Sprintf("run %q to check the whole file: %s", command, strings.Join(reasons, "; ")),
	}}, g.list...)
}
