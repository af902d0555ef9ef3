package main

import (
	"bufio"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/store/ssot"
	"github.com/spf13/cobra"
)

func (j *jobs) escalationsCommand() *cobra.Command {
	all := false
	cmd := &cobra.Command{
		Use:   "escalations",
		Short: "What waits for the admin, and what is overdue",
		Long: `List the escalations that nobody answered, the critical ones first, with the agents
that stand still and what the sender suggests; and what is overdue, though nobody
escalated it. An escalation that breaks a rule is listed as malformed, with its
file: nobody can answer it until that is mended or removed. --all lists those that
were answered, too, and the messages that were rejected.`,
		Args: cobra.NoArgs,
		RunE: action(func(cmd *cobra.Command, _ []string) error {
			if err := emptyFlags(cmd, "ssot"); err != nil {
				return err
			}
			return j.escalations(cmd.Context(), all)
		}),
	}
	cmd.Flags().BoolVar(&all, "all", false, "answered ones and rejected messages, too")
	return cmd
}

func (j *jobs) escalations(ctx context.Context, all bool) error {
	snap, err := j.scan(ctx)
	if err != nil {
		return err
	}
	q := panel.EscalationParams{Limit: -1}
	if open := true; !all {
		q.Open = &open
	}
	now := j.now()
	page, err := panel.EscalationsOf([]*ssot.Snapshot{snap}, q, now.UnixMilli())
	if err != nil {
		return err
	}
	w := j.writer()
	if j.json {
		if err := writeJSON(w, &page); err != nil {
			return err
		}
		return w.Flush()
	}
	p := alarmPrinter{w: w, paint: j.paint(), now: now}
	for i := range page.Items {
		p.escalation(&page.Items[i])
	}
	for i := range page.Overdue {
		p.overdue(&page.Overdue[i])
	}
	if all {
		for i := range page.Rejected {
			p.rejected(&page.Rejected[i])
		}
	}
	if !p.begun {
		w.WriteString("nothing waits for the admin\n")
	}
	if n := page.Counts.Rejected; n > 0 && !all {
		j.warn("%s rejected (--all lists them)", plural(n, "message"))
	}
	return w.Flush()
}

// alarmPrinter writes what the admin has to see: a line of its own for each, and
// what strangers wrote indented below it.
type alarmPrinter struct {
	w     *bufio.Writer
	paint paint
	now   time.Time
	begun bool
}

func (p *alarmPrinter) head(style, word, text string) {
	if p.begun {
		p.w.WriteByte('\n')
	}
	p.begun = true
	p.w.WriteString(p.paint.in(style, word) + "  " + text + "\n")
}

func (p *alarmPrinter) detail(name, text string) {
	if text != "" {
		p.w.WriteString("  " + p.paint.in(dim, name+": ") + line(text) + "\n")
	}
}

func (p *alarmPrinter) when(millis int64) string {
	at := time.UnixMilli(millis)
	return at.Format("2006-01-02 15:04") + " (" + age(p.now.Sub(at)) + ")"
}

func (p *alarmPrinter) escalation(e *panel.EscalationItem) {
	style, word := yellow, string(e.Severity)
	switch {
	case !e.Open:
		style, word = dim, "answered"
	case e.Severity == "critical":
		style = red
	}
	if e.Malformed {
		word += ", MALFORMED"
	}
	p.head(style, word, fmt.Sprintf("%s  %s, from the %s, %s", line(e.Task.ID), line(e.Label), line(e.From), p.when(e.Time)))
	writeText(p.w, e.Text, "    ")
	p.detail("id", e.ID)
	p.detail("suspended", strings.Join(e.Suspended, ", "))
	for i, s := range e.Suggested {
		p.detail(fmt.Sprintf("suggested %d", i+1), s.Text+" ["+string(s.Action)+"]")
	}
	switch {
	case e.Malformed:
		p.detail("file", e.Path)
		for _, w := range e.Warnings {
			p.detail(w.Rule, w.Message)
		}
	case e.Answer != nil:
		p.detail("answer", string(e.Answer.Action)+" "+e.Answer.Text+", "+p.when(e.Answer.Time))
	default:
		p.detail("answer it", "signalbox task resume "+e.ID+" --action …")
	}
}

func (p *alarmPrinter) overdue(o *panel.Overdue) {
	p.head(yellow, "overdue", fmt.Sprintf("%s  %s, by the %s, since %s", line(o.TaskID), line(o.Label), line(o.Who), p.when(o.Since)))
	writeText(p.w, o.Text, "    ")
}

func (p *alarmPrinter) rejected(r *panel.RejectedItem) {
	p.head(red, "rejected", line(r.Source)+", "+p.when(r.Time))
	p.detail(string(r.Severity)+" escalation", r.Title)
	for _, f := range r.Faults {
		p.w.WriteString("    " + line(f.Rule) + ": " + line(f.Reason) + "\n")
	}
}
