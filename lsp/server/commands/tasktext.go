package commands

import (
	"fmt"
	"strings"

	"github.com/signalbox-dev/signalbox/core/render/markup"
	"github.com/signalbox-dev/signalbox/lsp/panel"
)

func escalationsText(_ panel.EscalationParams, p panel.EscalationPage) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Escalations: %d critical, %d warning, %d info open; %d answered\n\n", p.Counts.Critical, p.Counts.Warning, p.Counts.Info, p.Counts.Answered)
	for _, e := range p.Items {
		state := "open"
		if e.Answer != nil {
			state = "answered: " + string(e.Answer.Action)
		}
		if e.Malformed {
			state = "malformed: " + markup.Code(e.Path)
		}
		fmt.Fprintf(&b, "- **%s** %s, %s, %s, %s, %s\n  %s\n", markup.Escape(string(e.Severity)), markup.Escape(e.Label), markup.Code(e.Task.ID),
			messageLink(e.ID, markup.Code(e.ID)), panel.When(e.Time), state, markup.Escape(e.Title))
		if e.Malformed {
			for _, w := range e.Warnings {
				b.WriteString("  - " + markup.Escape(w.Rule+": "+w.Message) + "\n")
			}
		}
		if len(e.Suspended) > 0 {
			b.WriteString("  Suspended: " + markup.Escape(strings.Join(e.Suspended, ", ")) + "\n")
		}
		for _, s := range e.Suggested {
			b.WriteString("  - suggested (" + string(s.Action) + "): " + markup.Escape(s.Text) + "\n")
		}
	}
	switch {
	case len(p.Items) == 0:
		b.WriteString("None.\n")
	case p.NextCursor != "":
		b.WriteString("\nThere are more.\n")
	}
	if len(p.Overdue) > 0 {
		fmt.Fprintf(&b, "\n## Overdue: %d\n\n", p.Counts.Overdue)
		for _, o := range p.Overdue {
			fmt.Fprintf(&b, "- %s: %s\n", markup.Escape(o.Words(func(since int64) string { return "since " + panel.When(since) })), markup.Escape(o.Text))
		}
	}
	rejected(&b, p.Rejected, p.Counts.Rejected)
	warn(&b, p.Warnings)
	return b.String()
}

func rejected(b *strings.Builder, list []panel.RejectedItem, n int) {
	if n == 0 {
		return
	}
	fmt.Fprintf(b, "\n## Rejected: %d\n\n", n)
	for _, r := range list {
		b.WriteString("- " + markup.Code(r.Source) + "\n")
		for _, f := range r.Faults {
			b.WriteString("  - " + markup.Escape(f.Rule+": "+f.Reason) + "\n")
		}
	}
}

func tasksText(_ panel.TasksParams, p panel.TasksPage) string {
	var b strings.Builder
	b.WriteString("# Tasks\n\n")
	for _, t := range p.Tasks {
		fmt.Fprintf(&b, "- %s %s: %s", linked(markup.Code(t.ID), threadLink(t.Ref)), markup.Escape(t.Title), markup.Escape(t.State))
		if next := t.Turn(); next != "" {
			b.WriteString("; " + markup.Escape(next))
		}
		if t.Overdue > 0 {
			fmt.Fprintf(&b, "; %d overdue", t.Overdue)
		}
		b.WriteString("\n")
	}
	switch {
	case len(p.Tasks) == 0:
		b.WriteString("None.\n")
	case p.NextCursor != "":
		b.WriteString("\nThere are more.\n")
	}
	warn(&b, p.Warnings)
	return b.String()
}

// taskText returns the timeline of a task as a block of plain text.
func taskText(p panel.TaskPage) string {
	var b strings.Builder
	b.WriteString("# " + linked(markup.Escape(p.Task.ID+" "+p.Task.Title), threadLink(p.Task.Ref)) + "\n\n")
	b.WriteString(markup.Block(p.Text))
	warn(&b, p.Warnings)
	return b.String()
}

func issuesText(p panel.IssuesPage) string {
	var b strings.Builder
	b.WriteString("# Issues of reviews\n\n")
	for _, i := range p.Issues {
		fmt.Fprintf(&b, "- **%s** %s, %s\n  %s\n", markup.Escape(i.Severity), markup.Code(fmt.Sprintf("%s:%d", i.Path, i.Line)), markup.Code(i.TaskID), markup.Escape(i.Text))
	}
	if len(p.Issues) == 0 {
		b.WriteString("None in the repositories that are open.\n")
	}
	warn(&b, p.Warnings)
	return b.String()
}

func respondPreviewText(p panel.RespondPreview) string {
	var b strings.Builder
	if p.CanRespond {
		b.WriteString("This would be written to " + markup.Code(p.Path) + ":\n\n" + markup.Block(p.Record) + "\n" + markup.Escape(p.Effect) + ".\n")
		return b.String()
	}
	b.WriteString("Nothing can be written:\n\n")
	for _, w := range p.Warnings {
		b.WriteString("- " + markup.Escape(w.Message) + "\n")
	}
	return b.String()
}

func respondedText(what string, r panel.Responded) string {
	return what + ": " + markup.Code(r.Path) + ". " + markup.Escape(r.Task.ID) + " is " + markup.Escape(r.Task.State) + ".\n"
}
