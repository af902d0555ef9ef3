package diagnose

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

// gathered are the findings of a document as they are given: those of lines at
// their places, no more than are of use, and what was left out in words on the
// first line.
type gathered struct {
	text  string
	list  []Diagnostic
	grave int // findings that break a rule, or may
	light int
}

func (g *gathered) add(d Diagnostic) {
	n := &g.grave
	if d.Severity >= Information {
		n = &g.light
	}
	if *n++; *n <= MaxDiagnostics {
		g.list = append(g.list, d)
	}
}

func (g *gathered) lines(l *lineLog) {
	for i := range l.lines {
		for _, d := range l.lines[i].found {
			d.Start, d.End = d.Start+l.lines[i].start, d.End+l.lines[i].start
			g.add(d)
		}
	}
}

// done gives the list. about is the page for what is said of the document itself.
func (g *gathered) done(l *lineLog, about string) []Diagnostic {
	var words []string
	if over := max(0, g.grave-MaxDiagnostics) + max(0, g.light-MaxDiagnostics); over > 0 {
		words = append(words, fmt.Sprintf("there are %d more findings than are shown here", over))
	}
	if l.why != "" {
		words = append(words, l.why+": the rest is not checked here, the command line does")
	}
	if len(words) == 0 {
		return g.list
	}
	return append([]Diagnostic{{
		End: firstLine(g.text), Severity: Warning, Rule: "limit", Message: strings.Join(words, "; "), About: about,
	}}, g.list...)
}
