package source

import (
	"fmt"
	"strings"
	"time"

	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
)

const (
	// textColumns is the width of a task's text: the width of a terminal.
	textColumns = 80
	// textIndent is the column at which the lines below an event begin.
	textIndent = 10
)

// taskText returns a page as text for people, in lines of at most textColumns. The page
// must be sanitized already.
func taskText(p *panel.TaskPage) string {
	w := &columns{}
	t := &p.Task
	w.wrap(0, t.ID+"  "+t.Title)
	w.wrap(2, "  State: "+t.State)
	if len(t.Suspended) > 0 {
		w.wrap(2, "  Suspended: "+strings.Join(t.Suspended, ", "))
	}
	if next := t.Turn(); next != "" {
		w.wrap(2, "  Next: "+next)
	}
	if t.Branch != "" {
		w.wrap(2, "  Work: "+t.Branch+" in "+t.Repo+", risk "+t.Risk)
	}
	if p.Before != "" {
		w.line("")
		w.line("  There are older events.")
	}
	day := ""
	for i := range p.Timeline {
		e := &p.Timeline[i]
		at := time.UnixMilli(e.Time)
		if d := at.Format("2006-01-02 MST"); d != day {
			day = d
			w.line("")
			w.line(day)
		}
		w.event(e, at)
	}
	if len(p.Rejected) > 0 {
		w.line("")
		w.line("Rejected, and counting for nothing:")
		for i := range p.Rejected {
			w.rejected(&p.Rejected[i])
		}
	}
	return w.b.String()
}

func (w *columns) event(e *panel.TaskEvent, at time.Time) {
	who := e.From
	if e.To != "" {
		who += " -> " + e.To
	}
	w.wrap(textIndent, at.Format("15:04:05")+"  "+who+": "+e.Title)
	for _, point := range e.Points {
		w.wrap(textIndent+2, indent("- "+point))
	}
	switch e.Ack.State {
	case panel.AckDone:
		w.wrap(textIndent+2, indent("acknowledged "+clock(e.Ack.Time, at)))
	case panel.AckWaiting:
		w.wrap(textIndent+2, indent("to be acknowledged by "+e.Ack.By+until(e.Ack.Deadline, at)))
	case panel.AckOverdue:
		w.wrap(textIndent+2, indent("NOT ACKNOWLEDGED by "+e.Ack.By+", due "+clock(e.Ack.Deadline, at)))
	}
	for _, warning := range e.Warnings {
		w.wrap(textIndent+2, indent("! "+warning.Rule+": "+warning.Message))
	}
}

func indent(s string) string { return strings.Repeat(" ", textIndent) + s }

// clock returns a time of day in words, with its date if that differs from beside's
// date.
func clock(milli int64, beside time.Time) string {
	at := time.UnixMilli(milli)
	if at.Format("2006-01-02") == beside.Format("2006-01-02") {
		return at.Format("15:04:05")
	}
	return at.Format("2006-01-02 15:04:05")
}

func until(deadline int64, beside time.Time) string {
	if deadline == 0 {
		return ""
	}
	return " until " + clock(deadline, beside)
}

func (w *columns) rejected(r *panel.RejectedItem) {
	w.wrap(4, "  "+r.Source)
	if r.Severity != "" {
		w.wrap(6, "    MALFORMED ESCALATION, "+string(r.Severity)+": "+r.Title)
	}
	for _, f := range r.Faults {
		w.wrap(6, fmt.Sprintf("    %s: %s", f.Rule, f.Reason))
	}
}

// columns writes lines of at most textColumns.
type columns struct{ b strings.Builder }

func (w *columns) line(s string) { w.b.WriteString(s + "\n") }

// wrap writes a line and breaks it if it is too long. The rest is indented.
func (w *columns) wrap(hanging int, s string) {
	for {
		head, rest := breakLine(s)
		w.line(head)
		if rest == "" {
			return
		}
		s = strings.Repeat(" ", hanging) + rest
	}
}

// breakLine returns a line cut to textColumns and the rest. It cuts at a space or,
// without one, anywhere after the indentation.
func breakLine(s string) (head, rest string) {
	used, space, begun := 0, 0, false
	for i, r := range s {
		if r == ' ' && begun {
			space = i
		}
		begun = begun || r != ' '
		used += show.RuneColumns(r)
		if used <= textColumns {
			continue
		}
		if space > 0 {
			return s[:space], strings.TrimLeft(s[space:], " ")
		}
		return s[:i], s[i:]
	}
	return s, ""
}
