package source

import (
	"fmt"
	stdhtml "html"
	"strings"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/render"
	"github.com/signalbox-dev/signalbox/core/render/markup"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
)

// eventBytes is how many bytes of one message's payload are shown.
const eventBytes = 64 << 10

// body writes a payload as HTML and as text. The labels are ours. Everything else was written
// by someone else and is sanitized here.
type body struct {
	html, text strings.Builder
	room       int
	cut        bool
}

func (b *body) take(s string) string {
	if b.cut {
		return ""
	}
	s, b.cut = show.Clip(s, b.room)
	b.room -= len(s)
	return s
}

func (b *body) heading(label string) {
	b.html.WriteString("<h4>" + label + "</h4>\n")
	if b.text.Len() > 0 {
		b.text.WriteString("\n")
	}
	b.text.WriteString(label + ":\n")
}

// prose writes a text of several lines, taken as Markdown.
func (b *body) prose(label, s string) {
	if strings.TrimSpace(s) == "" || b.cut {
		return
	}
	s = b.take(s)
	b.heading(label)
	b.html.WriteString(markup.HTML(s, markup.Options{TopHeading: 5, MaxBytes: eventBytes}))
	b.text.WriteString(strings.TrimRight(render.Text(s), "\n") + "\n")
}

// list writes a line for each text, and nothing for an empty list.
func (b *body) list(label string, items []string) {
	if len(items) == 0 || b.cut {
		return
	}
	b.heading(label)
	b.html.WriteString("<ul>\n")
	for i, s := range items {
		if b.cut {
			rest := show.Count(len(items)-i, "more", "more")
			b.html.WriteString("<li><em>" + rest + "</em></li>\n")
			b.text.WriteString("- (" + rest + ")\n")
			break
		}
		line, _ := render.Line(b.take(s), 0)
		b.html.WriteString("<li>" + stdhtml.EscapeString(line) + "</li>\n")
		b.text.WriteString("- " + line + "\n")
	}
	b.html.WriteString("</ul>\n")
}

// fact writes a label with a value of one line.
func (b *body) fact(label, value string) {
	if value == "" || b.cut {
		return
	}
	line, _ := render.Line(b.take(value), 0)
	b.html.WriteString("<p><strong>" + label + ":</strong> " + stdhtml.EscapeString(line) + "</p>\n")
	b.text.WriteString(label + ": " + line + "\n")
}

// payloadBody returns a payload written out, cut to eventBytes.
func payloadBody(p *agn.Payload) *body {
	b := &body{room: eventBytes}
	switch {
	case p.Dispatch != nil:
		b.dispatch(p.Dispatch)
	case p.Result != nil:
		b.result(p.Result)
	case p.Request != nil:
		b.request(p.Request)
	case p.Verdict != nil:
		b.verdict(p.Verdict)
	case p.Escalation != nil:
		b.escalation(p.Escalation)
	}
	if b.cut {
		const note = "Shortened: open the file for the rest."
		b.html.WriteString("<p><em>" + note + "</em></p>\n")
		b.text.WriteString(note + "\n")
	}
	return b
}

func (b *body) dispatch(d *agn.Dispatch) {
	b.prose("Description", d.Description)
	b.fact("Repository", d.Repo)
	b.fact("Branch", d.Branch)
	b.fact("Risk", d.Risk)
	var steps []string
	for _, s := range d.Subtasks {
		steps = append(steps, fmt.Sprintf("%s: %s (about %s)", s.ID, s.Description, show.Count(int(min(s.EstimatedLines, 1<<31)), "line", "lines")))
	}
	b.list("Subtasks", steps)
	b.list("Acceptance criteria", d.Criteria)
	b.list("Forbidden", d.Forbidden)
	b.fact("Constraints", string(d.Constraints))
}

func (b *body) result(r *agn.Result) {
	b.fact("Subtask", r.SubtaskID)
	b.fact("Status", r.Status)
	b.list("Blockers", r.Blockers)
	b.fact("Commit", r.Commit)
	b.list("Files changed", r.Files)
	var met []string
	for i, a := range r.CriteriaMet {
		met = append(met, fmt.Sprintf("criterion %d: %s", i+1, answerWords(a, "met", "not met")))
	}
	b.list("Own assessment", met)
	b.list("Notes", r.Notes)
	var log []string
	for _, l := range r.Log {
		log = append(log, strings.Join([]string{l.Time.Text, l.Action, l.File, l.Detail}, "  "))
	}
	b.list("Work log", log)
}

func answerWords(a agn.Answer, yes, no string) string {
	switch a {
	case agn.Yes:
		return yes
	case agn.No:
		return no
	}
	return "not verified"
}

func (b *body) request(r *agn.Request) {
	b.fact("Scope", r.Scope)
	b.fact("Diff", r.DiffURL)
	b.fact("Rejected so far", fmt.Sprint(r.RejectCount))
	b.prose("Coordinator's notes", r.Notes)
	var ci []string
	for _, c := range r.CI {
		ci = append(ci, c.Name+": "+c.Status)
	}
	b.list("CI", ci)
	b.fact("Dispatch", r.DispatchRef)
	b.fact("Result", r.ResultRef)
}

func (b *body) verdict(v *agn.Verdict) {
	b.fact("Decision", strings.ReplaceAll(v.Decision, "_", " "))
	b.fact("Confidence", fmt.Sprintf("%g", v.Confidence))
	var issues, criteria, fixes []string
	for i := range v.Issues {
		is := &v.Issues[i]
		line := is.Severity + "  " + issuePlace(is) + "  " + is.Description
		if is.SuggestedFix != "" {
			line += "  Fix: " + is.SuggestedFix
		}
		issues = append(issues, line)
	}
	b.list("Issues", issues)
	for _, c := range v.Criteria {
		criteria = append(criteria, answerWords(c.Passed, "passed", "failed")+": "+c.Text+"  ("+c.Evidence+")")
	}
	b.list("Criteria", criteria)
	for _, f := range v.Fixes {
		fixes = append(fixes, fmt.Sprintf("%s: %s, %s", f.File, f.Change, show.Count(int(min(f.Lines, 1<<31)), "line", "lines")))
	}
	b.list("Fixed by the reviewer", fixes)
	b.prose("Architecture notes", v.Architecture)
}

// issuePlace returns the file and line of an issue.
func issuePlace(i *agn.Issue) string {
	if i.Line > 0 {
		return fmt.Sprintf("%s:%d", i.File, i.Line)
	}
	return i.File
}

func (b *body) escalation(e *agn.Escalation) {
	b.prose("Description", e.Description)
	b.fact("Severity", e.Severity)
	b.fact("Triggered by", e.TriggeredBy)
	b.fact("Task as it was", fmt.Sprintf("%s, rejected %s", e.Snapshot.TaskStatus, show.Count(int(min(e.Snapshot.RejectCount, 1<<31)), "time", "times")))
	b.fact("Last success", e.Snapshot.LastSuccessful)
	b.list("Messages concerned", e.Affected)
	b.list("Suggested", e.Suggested)
}
