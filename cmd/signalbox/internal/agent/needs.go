package agent

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
	"github.com/signalbox-dev/signalbox/lsp/panel/source/samp"
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
		Long: `List what waits for you: questions that nobody answered, threads that need your
reply, agents that wait for permission or sit idle with unread mail, open escalations
and overdue tasks. A thread needs your reply while its last word is to you: two weeks
long, or however long if it asks you something. Thanks, "done" and "FYI" need none.
Where the words do not say whether you are asked for anything, the thread is only
counted, and --unanswered lists it. Urgent rows come first and are marked with "!",
then the newest. A row keeps its number, by which "signalbox answer" finds what an
agent's program asks for. You are the person that "signalbox setup" wrote down, and an
agent's command is the agent's; --as or SIGNALBOX_AS sets another name.`,
		Args: cobra.NoArgs,
		RunE: o.Working("reading mail and threads", func(cmd *cobra.Command, _ []string) error {
			b := &commands{o}
			return b.needs(cmd.Context(), limit, unanswered)
		}),
	}
	cmd.Flags().BoolVar(&unanswered, "unanswered", false, "also threads that perhaps need no reply")
	cmd.Flags().IntVar(&limit, "limit", panel.MaxPage, "at most `n`, up to 200")
	return o.Page(cmd)
}

func (b *commands) needs(ctx context.Context, limit int, unanswered bool) error {
	if limit < 1 || limit > panel.MaxPage {
		return cli.Usage(fmt.Errorf("--limit is %d, and must be 1 to %d", limit, panel.MaxPage))
	}
	page, err := b.needsOf(ctx, panel.Options{}, limit)
	if err != nil {
		return err
	}
	if me := b.Who(); me.Also != "" {
		second, err := b.needsOf(ctx, panel.Options{
			Named:   environ.Choice{Value: me.Also, Origin: "the name of this folder"},
			Sources: []panel.NewSource{samp.New},
		}, panel.MaxPage)
		if err != nil {
			return err
		}
		page.AddMail(second, limit)
	}
	for _, w := range page.Warnings {
		b.Warn("%s", w.Message)
	}
	var perhaps []panel.NeedItem
	for i := range page.Unanswered {
		if t := &page.Unanswered[i]; unanswered {
			perhaps = append(perhaps, panel.NeedItem{Kind: panel.NeedReply, Time: t.LastTime, Reply: t})
		}
	}
	rows := append(page.Items[:len(page.Items):len(page.Items)], perhaps...)
	given := b.numbered(ctx, rows, unanswered && page.Total == len(page.Items))
	w := b.Writer()
	if b.JSON {
		for i := range rows {
			if err := cli.WriteJSON(w, NeedItem{given[i], rows[i]}); err != nil {
				return err
			}
		}
		return w.Flush()
	}
	if len(page.Items) == 0 {
		w.WriteString("Nothing needs you.\n")
	}
	NeedRows(b.Options, w, page.Items, given)
	if more := page.Total - len(page.Items); more > 0 {
		fmt.Fprintf(w, "and %d more\n", more)
	}
	if more := page.Unsure - len(perhaps); more > 0 {
		fmt.Fprintf(w, "and %d unanswered (--unanswered lists them)\n", more)
	}
	NeedRows(b.Options, w, perhaps, given[len(page.Items):])
	return w.Flush()
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

// numbered returns the numbers of rows, all 0 where they cannot be written down.
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

const waitsFor = "waits for "

// NeedRows writes what waits for the user, in columns, with their numbers if they have any.
func NeedRows(o *cli.Options, w *bufio.Writer, items []panel.NeedItem, given []int) {
	least := 20
	for i := range items { // what is allowed by its number is not cut
		if given != nil && items[i].Request != nil {
			least = max(least, len(waitsFor)+min(maxRow, show.Columns(items[i].Agent.For))+1) // for the mark of a cut
		}
	}
	columns := []cli.Column{{}, {}, {}, cli.Name(""), {Least: least}}
	if given != nil {
		columns = append([]cli.Column{{}}, columns...)
	}
	table := o.Table(w, columns...)
	for i := range items {
		it := &items[i]
		mark, style := " ", ""
		if it.Urgent {
			mark, style = "!", cli.Red
		}
		who, what := needWords(it)
		cells := []cli.Cell{
			{Text: mark, Style: style},
			{Text: o.When(it.Time)},
			{Text: string(it.Kind), Style: cli.Dim},
			{Text: cli.Line(who), Style: cli.Bold},
			{Text: cli.WholeLine(what)},
		}
		if given != nil {
			cells = append([]cli.Cell{{Text: strconv.Itoa(given[i]), Style: cli.Dim}}, cells...)
		}
		table.Row(cells...)
	}
	table.Write()
}

// threadName returns what commands find a thread by. Signed mail is known by its subject.
func threadName(t *panel.ThreadItem) string {
	if t.Amp != nil {
		return t.Title
	}
	return cmp.Or(t.Name, t.Title)
}

func needWords(it *panel.NeedItem) (who, what string) {
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
		}
		return t.LastFrom, what + " [" + t.Title + "]"
	case it.Agent != nil:
		a := it.Agent
		what = cli.Plural(a.Unread, "unread message") + ", idle"
		if a.State == panel.AgentWaiting {
			what = waitsFor + cmp.Or(a.For, "you")
		}
		if at := cmp.Or(a.Worktree, a.Folder); at != "" {
			what += ", in " + at
		}
		return cmp.Or(a.Alias, a.Client), what
	case it.Escalation != nil:
		e := it.Escalation
		return e.From, string(e.Severity) + ": " + e.Title + " [" + e.Task.ID + "]"
	case it.Overdue != nil:
		v := it.Overdue
		what = v.Label
		if v.More > 0 {
			what += " and " + strconv.Itoa(v.More) + " more"
		}
		return v.Who, what + ": " + v.Title + " [" + v.TaskID + "]"
	}
	return "", ""
}
