package task

import (
	"bufio"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/spf13/cobra"
)

func (j *Commands) escalationsCommand() *cobra.Command {
	all := false
	var f cli.Filter
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
			if err := f.Read(j.Options, cmd); err != nil {
				return err
			}
			return j.escalations(cmd.Context(), all, &f)
		}),
	}
	cmd.Flags().BoolVar(&all, "all", false, "answered ones and rejected messages, too")
	f.Register(cmd, "from", "since", "until")
	return j.Page(cmd)
}

func (j *Commands) escalations(ctx context.Context, all bool, f *cli.Filter) error {
	b, err := j.read(ctx)
	if err != nil {
		return err
	}
	q := panel.EscalationParams{Limit: -1}
	if open := true; !all {
		q.Open = &open
	}
	page, err := b.Escalations(q)
	if err != nil {
		return err
	}
	total := narrow(&page, f)
	w := j.Writer()
	if j.JSON {
		if err := cli.WriteJSON(w, &page); err != nil {
			return err
		}
		return w.Flush()
	}
	p := escalationPrinter{w: w, paint: j.Paint(), now: j.Now(), columns: j.Columns()}
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
	f.More(j.Options, w, len(page.Items)+len(page.Overdue), total, "escalation")
	if n := page.Counts.Rejected; n > 0 && !all {
		j.Warn("%s rejected (--all lists them)", cli.Plural(n, "message"))
	}
	return w.Flush()
}

// narrow removes what the flags do not ask for from a page: within the limit, escalations
// come before overdue items. It returns how many match without the limit.
func narrow(page *panel.EscalationPage, f *cli.Filter) (total int) {
	page.Items = slices.DeleteFunc(page.Items, func(e panel.EscalationItem) bool { return !f.Query.From(e.From) || !f.Query.Time(e.Time) })
	page.Overdue = slices.DeleteFunc(page.Overdue, func(o panel.Overdue) bool { return !f.Query.From(o.Who) || !f.Query.Time(o.Since) })
	total = len(page.Items) + len(page.Overdue)
	room := f.Most(total)
	page.Items = page.Items[:min(room, len(page.Items))]
	page.Overdue = page.Overdue[:room-len(page.Items)]
	return total
}

// escalationPrinter writes escalations: a heading for each, and the sender's text indented
// below it.
type escalationPrinter struct {
	w     *bufio.Writer
	paint cli.Paint
	now   time.Time
	begun bool
	// columns is how wide the terminal is, or 0 if there is none.
	columns int
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
	age := cli.Age(p.now.Sub(time.UnixMilli(millis)))
	if p.columns > 0 {
		return age + " ago"
	}
	return cli.Minute(millis) + " (" + age + ")"
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
	cli.WriteWrapped(p.w, e.Text, "    ", p.columns)
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
	p.head(cli.Yellow, "overdue", fmt.Sprintf("%s  %s", cli.Line(o.TaskID), cli.Line(o.Words(func(since int64) string { return cli.Age(p.now.Sub(time.UnixMilli(since))) }))))
	cli.WriteWrapped(p.w, o.Text, "    ", p.columns)
}

func (p *escalationPrinter) rejected(r *panel.RejectedItem) {
	p.head(cli.Red, "rejected", cli.Line(r.Source)+", "+p.when(r.Time))
	p.detail(string(r.Severity)+" escalation", r.Title)
	for _, f := range r.Faults {
		p.w.WriteString("    " + cli.Line(f.Rule) + ": " + cli.Line(f.Reason) + "\n")
	}
}
