package agent

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
	sampsource "github.com/signalbox-dev/signalbox/lsp/samp/source"
	"github.com/signalbox-dev/signalbox/lsp/who/environ"
	"github.com/spf13/cobra"
)

// NeedsCommand returns "signalbox needs".
func NeedsCommand(o *cli.Options) *cobra.Command {
	limit, unanswered := 0, false
	cmd := &cobra.Command{
		Use:         "needs",
		Annotations: cli.Uses("dir", "as", "json", "color"),
		Example: `  signalbox needs
  signalbox needs --unanswered`,
		Short: "What waits for you: questions, mail, agents, escalations",
		Long: `List what waits for you, in the sections of the editor's Needs You:

  Blocked     agents that wait for permission or with a plan, escalations,
              agents that failed or ended while they waited, overdue tasks
  Questions   questions by mail and in agents' forms, and urgent mail
  Unanswered  mail that needs a reply and asks nothing, idle agents with
              unread mail: counted, and listed with --unanswered

Blocked and Questions begin with what has waited longest, Unanswered with the newest.
Urgent rows are marked with "!". A thread needs your reply while its last word is to
you: two weeks long, or however long if it asks you something. Thanks, "done" and
"FYI" need none. A row keeps its number, by which "signalbox answer" finds what an
agent's program asks for. You are the person that "signalbox setup" wrote down, and an
agent's command is the agent's; --as or SIGNALBOX_AS sets another name.`,
		Args: cobra.NoArgs,
		RunE: o.Working("reading mail and threads", func(cmd *cobra.Command, _ []string) error {
			b := &commands{o}
			return b.needs(cmd.Context(), limit, unanswered)
		}),
	}
	cmd.Flags().BoolVar(&unanswered, "unanswered", false, "also mail that asks nothing and idle agents with unread mail")
	cmd.Flags().IntVar(&limit, "limit", panel.MaxNeeds, "at most `n` of each, up to 500")
	return o.Page(cmd)
}

func (b *commands) needs(ctx context.Context, limit int, unanswered bool) error {
	if limit < 1 || limit > panel.MaxNeeds {
		return cli.Usage(fmt.Errorf("--limit is %d, and must be 1 to %d", limit, panel.MaxNeeds))
	}
	page, err := b.needsOf(ctx, panel.Options{}, limit)
	if err != nil {
		return err
	}
	if me := b.Who(); me.Also != "" {
		second, err := b.needsOf(ctx, panel.Options{
			Named:   environ.Choice{Value: me.Also, Origin: "the name of this folder"},
			Sources: []panel.NewSource{sampsource.New},
		}, panel.MaxNeeds)
		if err != nil {
			return err
		}
		page.AddMail(second, limit)
	}
	for _, w := range page.Warnings {
		b.Warn("%s", w.Message)
	}
	rows := page.Items
	if unanswered {
		rows = slices.Concat(page.Items, page.Unanswered)
	}
	given := b.numbered(ctx, rows, len(rows) == page.Total+page.UnansweredTotal)
	w := b.Writer()
	if b.JSON {
		for i := range rows {
			if err := cli.WriteJSON(w, NeedItem{given[i], rows[i]}); err != nil {
				return err
			}
		}
		return w.Flush()
	}
	if page.Total == 0 {
		w.WriteString("Nothing needs you.\n")
	}
	needSections(b.Options, w, &page, rows, given)
	switch more := page.UnansweredTotal - len(page.Unanswered); {
	case unanswered && more > 0:
		fmt.Fprintf(w, "and %d more\n", more)
	case !unanswered && page.UnansweredTotal > 0:
		fmt.Fprintf(w, "%d unanswered (--unanswered lists them)\n", page.UnansweredTotal)
	}
	return w.Flush()
}

// needSections writes the rows of a page below the headings of their sections, and how many
// rows of Blocked and Questions are left out.
func needSections(o *cli.Options, w *bufio.Writer, page *panel.NeedsPage, rows []panel.NeedItem, given []int) {
	heads := map[panel.NeedSection]string{
		panel.SectionBlocked: fmt.Sprintf("Blocked (%d)", page.Blocked), panel.SectionQuestions: fmt.Sprintf("Questions (%d)", page.Questions),
		panel.SectionUnanswered: fmt.Sprintf("Unanswered (%d)", page.UnansweredTotal),
	}
	table := needTable(o, w, rows, given)
	for i := range rows {
		if i == 0 || rows[i].Section != rows[i-1].Section {
			table.Line(cli.Cell{Text: heads[rows[i].Section], Style: cli.Bold})
		}
		needRowTo(o, table, &rows[i], given[i:i+1])
		if r := rows[i].Request; r != nil {
			for _, k := range r.Risks {
				table.Line(cli.Cell{Text: "   "}, cli.Cell{Text: cli.WholeLine(riskText(&k)), Style: riskStyle(k.Level)})
			}
		}
		if more := page.Total - len(page.Items); i == len(page.Items)-1 && more > 0 {
			table.Line(cli.Cell{Text: fmt.Sprintf("and %d more", more)})
		}
	}
	table.Write()
}

func (b *commands) needsOf(ctx context.Context, from panel.Options, limit int) (panel.NeedsPage, error) {
	from.Settings.ReadOnly = true
	p, err := b.Panels(ctx, from)
	if err != nil {
		return panel.NeedsPage{}, err
	}
	defer p.Close()
	if err := p.CountUnread(ctx); err != nil {
		return panel.NeedsPage{}, err
	}
	return p.Needs(ctx, panel.NeedsParams{Limit: limit})
}

// NeedItem is a row as JSON has it.
type NeedItem struct {
	// Number is what "signalbox answer" calls it by, 0 if there is none.
	Number int `json:"number"`
	panel.NeedItem
}

// numbered returns the numbers of rows, all 0 if they cannot be saved.
func (b *commands) numbered(ctx context.Context, items []panel.NeedItem, all bool) []int {
	rows := make([]string, len(items))
	for i := range items {
		rows[i] = needRow(&items[i])
	}
	given, err := (&numbers{}).give(ctx, b.Options, rows, all)
	if err != nil {
		b.Warn("the rows have no numbers: %v", err)
		return make([]int, len(items))
	}
	return given
}

// riskText returns the text of a risk, with its line if it has one.
func riskText(k *panel.Risk) string {
	if k.Line == 0 {
		return k.Text
	}
	return fmt.Sprintf("Line %d: %s", k.Line, k.Text)
}

// riskStyle returns the style of a risk.
func riskStyle(l panel.RiskLevel) string {
	if l == panel.RiskRed {
		return cli.Red
	}
	return cli.Yellow
}

const waitsFor = "waits for "

// NeedRows writes the rows of what waits for the user, without numbers.
func NeedRows(o *cli.Options, w *bufio.Writer, items []panel.NeedItem) {
	table := needTable(o, w, items, nil)
	for i := range items {
		needRowTo(o, table, &items[i], nil)
	}
	table.Write()
}

// needTable returns a table for rows, with a column for their numbers if they have any.
func needTable(o *cli.Options, w *bufio.Writer, items []panel.NeedItem, given []int) *cli.Table {
	least := 20
	for i := range items { // a request that can be allowed by its number is not cut
		if given != nil && items[i].Request != nil {
			least = max(least, len(waitsFor)+min(maxRow, show.Columns(items[i].Agent.For))+1) // for the mark of a cut
		}
	}
	columns := []cli.Column{{}, {}, {}, cli.Name(""), {Least: least}}
	if given != nil {
		columns = append([]cli.Column{{}}, columns...)
	}
	return o.Table(w, columns...)
}

// needRowTo adds a row, with its number if it has one.
func needRowTo(o *cli.Options, table *cli.Table, it *panel.NeedItem, given []int) {
	mark, style := " ", ""
	if it.Urgent {
		mark, style = "!", cli.Red
	}
	who, what := needWords(o, it)
	cells := []cli.Cell{
		{Text: mark, Style: style},
		{Text: o.When(it.Time)},
		{Text: string(it.Kind), Style: cli.Dim},
		{Text: cli.Line(who), Style: cli.Bold},
		{Text: cli.WholeLine(what)},
	}
	if given != nil {
		cells = append([]cli.Cell{{Text: strconv.Itoa(given[0]), Style: cli.Dim}}, cells...)
	}
	table.Row(cells...)
}

// threadName returns the name by which commands find a thread: for signed mail the subject.
func threadName(t *panel.ThreadItem) string {
	if t.Amp != nil {
		return t.Title
	}
	return cmp.Or(t.Name, t.Title)
}

func needWords(o *cli.Options, it *panel.NeedItem) (who, what string) {
	switch {
	case it.Question != nil:
		q := it.Question
		what = q.Text
		if len(q.Options) > 0 {
			what += " (" + strings.Join(q.Options, " / ") + ")"
		}
		return q.From, what + " [" + threadName(&q.Thread) + "]"
	case it.Reply != nil:
		t := it.Reply
		if t.Returned {
			return t.LastFrom, "back from snooze [" + threadName(t) + "]"
		}
		return t.LastFrom, t.Preview + " [" + threadName(t) + "]"
	case it.Thread != nil:
		t := it.Thread
		what = waitsFor + cmp.Or(t.Agent.For, "you")
		if t.Agent.State == panel.AgentFailed {
			what = "has failed: " + t.Agent.For
			if t.Agent.Times > 1 {
				what += ", " + strconv.Itoa(t.Agent.Times) + " times"
			}
		}
		return t.LastFrom, what + " [" + t.Title + "]"
	case it.Agent != nil:
		a := it.Agent
		what = cli.Plural(a.Unread, "unread message") + ", idle"
		switch a.State {
		case panel.AgentWaiting:
			what = waitsFor + cmp.Or(a.For, "you")
		case panel.AgentEnded:
			what = "ended while it waited for " + a.For
		}
		if at := cmp.Or(a.Worktree, a.Folder); at != "" {
			what += ", in " + at
		}
		return cmp.Or(a.Alias, a.Client), what
	case it.Escalation != nil:
		e := it.Escalation
		what = string(e.Severity) + ": " + e.Title + " [" + e.Task.ID + "]"
		switch last := len(e.Suspended) - 1; {
		case last == 0:
			what += ", " + e.Suspended[0] + " is stopped until you answer"
		case last > 0:
			what += ", " + strings.Join(e.Suspended[:last], ", ") + " and " + e.Suspended[last] + " are stopped until you answer"
		}
		return e.From, what
	case it.Overdue != nil:
		v := it.Overdue
		what = v.Words(func(since int64) string { return cli.Age(o.Now().Sub(time.UnixMilli(since))) })
		what = strings.TrimPrefix(what, v.Who+" ") + " [" + v.TaskID + "]"
		if v.More > 0 {
			what += " and " + strconv.Itoa(v.More) + " more"
		}
		return v.Who, what
	}
	return "", ""
}
