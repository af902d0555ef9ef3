package task

import (
	"bufio"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	agnsource "github.com/signalbox-dev/signalbox/lsp/panel/source/agn"
	"github.com/signalbox-dev/signalbox/lsp/store/ssot"
	"github.com/spf13/cobra"
)

func (j *Commands) escalationsCommand() *cobra.Command {
	all := false
	cmd := &cobra.Command{
		Use: "escalations",
		Example: `  signalbox task escalations
  signalbox task escalations --all`,
		Short: "What waits for the admin, and what is overdue",
		Long: `List the escalations that nobody answered, the critical ones first, with the agents
that wait and what the sender suggests. List also what is overdue and was not
escalated. An escalation that breaks a rule is listed as malformed, with its
file: nobody can answer it until that is mended or removed. --all lists those that
were answered, too, and the messages that were rejected.`,
		Args: cobra.NoArgs,
		RunE: cli.Action(func(cmd *cobra.Command, _ []string) error {
			return j.escalations(cmd.Context(), all)
		}),
	}
	cmd.Flags().BoolVar(&all, "all", false, "answered ones and rejected messages, too")
	return cmd
}

func (j *Commands) escalations(ctx context.Context, all bool) error {
	snap, err := j.scan(ctx)
	if err != nil {
		return err
	}
	q := panel.EscalationParams{Limit: -1}
	if open := true; !all {
		q.Open = &open
	}
	now := j.Now()
	page, err := agnsource.EscalationsOf([]*ssot.Snapshot{snap}, q, now.UnixMilli())
	if err != nil {
		return err
	}
	w := j.Writer()
	if j.JSON {
		if err := cli.WriteJSON(w, &page); err != nil {
			return err
		}
		return w.Flush()
	}
	p := escalationPrinter{w: w, paint: j.Paint(), now: now}
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
		j.Warn("%s rejected (--all lists them)", cli.Plural(n, "message"))
	}
	return w.Flush()
}

// escalationPrinter writes escalations: a heading for each, and the sender's text indented
// below it.
type escalationPrinter struct {
	w     *bufio.Writer
	paint cli.Paint
	now   time.Time
	begun bool
}

func (p *escalationPrinter) head(style, word, text string) {
	if p.begun {
		p.w.WriteByte('\n')
	}
	p.begun = true
	p.w.WriteString(p.paint.In(style, word) + "  " + text + "\n")
}

func (p *escalationPrinter) detail(name, text string) {
	if text != "" {
		p.w.WriteString("  " + p.paint.In(cli.Dim, name+": ") + cli.Line(text) + "\n")
	}
}

func (p *escalationPrinter) when(millis int64) string {
	return cli.Minute(millis) + " (" + cli.Age(p.now.Sub(time.UnixMilli(millis))) + ")"
}

func (p *escalationPrinter) escalation(e *panel.EscalationItem) {
	style, word := cli.Yellow, string(e.Severity)
	switch {
	case !e.Open:
		style, word = cli.Dim, "answered"
	case e.Severity == "critical":
		style = cli.Red
	}
	if e.Malformed {
		word += ", MALFORMED"
	}
	p.head(style, word, fmt.Sprintf("%s  %s, from the %s, %s", cli.Line(e.Task.ID), cli.Line(e.Label), cli.Line(e.From), p.when(e.Time)))
	cli.WriteText(p.w, e.Text, "    ")
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

func (p *escalationPrinter) overdue(o *panel.Overdue) {
	p.head(cli.Yellow, "overdue", fmt.Sprintf("%s  %s, by the %s, since %s", cli.Line(o.TaskID), cli.Line(o.Label), cli.Line(o.Who), p.when(o.Since)))
	cli.WriteText(p.w, o.Text, "    ")
}

func (p *escalationPrinter) rejected(r *panel.RejectedItem) {
	p.head(cli.Red, "rejected", cli.Line(r.Source)+", "+p.when(r.Time))
	p.detail(string(r.Severity)+" escalation", r.Title)
	for _, f := range r.Faults {
		p.w.WriteString("    " + cli.Line(f.Rule) + ": " + cli.Line(f.Reason) + "\n")
	}
}
