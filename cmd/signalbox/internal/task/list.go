package task

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/printed"
	"github.com/signalbox-dev/signalbox/core/agn"
	agnsource "github.com/signalbox-dev/signalbox/lsp/agn/source"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/spf13/cobra"
)

func (j *Commands) listCommand() *cobra.Command {
	var f cli.Filter
	cmd := &cobra.Command{
		Use: "list",
		Example: `  signalbox task list
  signalbox task list --json`,
		Short: "All tasks, the newest first: the state of each and whose turn it is",
		Args:  cobra.NoArgs,
		RunE: cli.Action(func(cmd *cobra.Command, _ []string) error {
			if err := f.Read(j.Options, cmd); err != nil {
				return err
			}
			return j.list(cmd.Context(), &f)
		}),
	}
	f.Register(cmd, "since", "until")
	return j.Page(cmd)
}

func (j *Commands) list(ctx context.Context, f *cli.Filter) error {
	b, err := j.read(ctx)
	if err != nil {
		return err
	}
	j.warnProblems(b)
	w := j.Writer()
	items := slices.DeleteFunc(b.Tasks(), func(t panel.TaskItem) bool { return !f.Query.Time(t.LastTime) })
	total := len(items)
	items = items[:f.Most(total)]
	table := j.Table(w, taskColumns()...)
	for i := range items {
		t := &items[i]
		if j.JSON {
			if err := cli.Print(w, printed.Task{TaskItem: *t, Time: t.LastTime}); err != nil {
				return err
			}
			continue
		}
		next := "-"
		switch t.NextWho {
		case "":
		case agn.Admin:
			next = t.Turn()
		default:
			next = t.NextWho + ": " + t.NextDo
		}
		late := cli.Cell{Text: cli.Number(t.Overdue)}
		if t.Overdue > 0 {
			late.Style = cli.Red
		}
		table.Row(
			cli.Cell{Text: cli.Line(t.ID), Style: cli.Yellow}, cli.Cell{Text: cli.Line(t.State)}, cli.Cell{Text: cli.Line(next)},
			cli.Cell{Text: cli.Number(t.Open)}, late, cli.Cell{Text: j.When(t.LastTime)}, cli.Cell{Text: cli.Line(t.Title)},
		)
	}
	switch {
	case j.JSON:
	case len(items) == 0:
		w.WriteString("no tasks\n")
	default:
		table.Write()
	}
	f.More(j.Options, w, len(items), total, "task")
	if err := w.Flush(); err != nil {
		return err
	}
	return j.foreign(ctx, b)
}

// shownForeign is how many files without task messages are listed.
const shownForeign = 10

// foreign warns about the files in a directory without tasks that are not task messages.
func (j *Commands) foreign(ctx context.Context, b *agnsource.Box) error {
	list, err := b.Foreign(ctx)
	if err != nil || len(list) == 0 {
		return err
	}
	hold := "hold no messages"
	if len(list) == 1 {
		hold = "holds no message"
	}
	more := ""
	if n := len(list) - shownForeign; n > 0 {
		more = fmt.Sprintf(" and %d more", n)
	}
	j.Warn("%s in %q %s of AMP/1.0 that can be read: %s%s; \"signalbox task check FILE\" says what is wrong with one",
		cli.Plural(len(list), "file"), b.Path(), hold, strings.Join(list[:min(len(list), shownForeign)], ", "), more)
	return nil
}

func taskColumns() []cli.Column {
	return []cli.Column{
		{Title: "TASK"}, {Title: "STATE", Least: 15}, {Title: "NEXT", Least: 9}, {Title: "OPEN"}, {Title: "LATE"}, {Title: "UPDATED"}, {Title: "TITLE", Least: 16},
	}
}

// warnProblems warns about files of a task directory that could not be read, and about
// rejected messages.
func (j *Commands) warnProblems(b *agnsource.Box) {
	for _, p := range b.Problems() {
		j.Warn("%s", cli.ProblemText(p.Path, p.Reason, "", p.Rule))
	}
	all, malformed := b.Rejected()
	if malformed > 0 {
		j.Warn("%s malformed (\"signalbox task escalations\" says what is wrong)", cli.Plural(malformed, "escalation"))
	}
	if all > 0 {
		j.Warn("%s rejected and left out (\"signalbox task escalations --all\" lists them)", cli.Plural(all, "message"))
	}
}

func (j *Commands) showCommand() *cobra.Command {
	limit, before := 0, ""
	cmd := &cobra.Command{
		Use: "show T-…",
		Example: `  signalbox task show T-2026-044
  signalbox task show T-2026-044 --limit 20`,
		Short: "A task's timeline: who sent what to whom, what was acknowledged, what was decided",
		Long: `Show a task from its beginning: who sent what to whom and when, whether it was
acknowledged, what was decided and answered, and whose turn it is. Lines have at
most 80 columns. A message's id means its task.`,
		Args: cli.Args(1, 1),
		RunE: cli.Action(func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("limit") && limit <= 0 {
				return cli.Usage(fmt.Errorf("--limit is %d, and must be above 0", limit))
			}
			return j.show(cmd.Context(), args[0], limit, before)
		}),
		ValidArgsFunction: cli.Completing(1, j.offerTasks),
	}
	cmd.Flags().StringVar(&before, "before", "", "show what came before this `cursor`, which the page after it prints")
	cmd.Flags().IntVar(&limit, "limit", 0, "only the newest `n` events, at most 200")
	return cmd
}

func (j *Commands) show(ctx context.Context, ref string, limit int, before string) error {
	b, err := j.read(ctx)
	if err != nil {
		return err
	}
	id, err := findTask(b, ref)
	if err != nil {
		return err
	}
	page, err := b.Task(id, panel.TaskParams{Limit: cmp.Or(limit, -1), Before: before})
	if err != nil {
		return err
	}
	w := j.Writer()
	if j.JSON {
		err = cli.Print(w, printed.TaskPage{
			Task: printed.Task{TaskItem: page.Task, Time: page.Task.LastTime}, Timeline: page.Timeline, Before: page.Before,
			Text: page.Text, Rejected: page.Rejected, Warnings: page.Warnings, Revision: page.Revision,
		})
	} else {
		_, err = w.WriteString(page.Text)
	}
	if err := cmp.Or(err, w.Flush()); err != nil {
		return err
	}
	if page.Before != "" && !j.JSON {
		j.Warn("older events: signalbox task show %s --before %s", id, page.Before)
	}
	return nil
}

// findTask returns the id of the task with an id, with an id that begins so, or with a
// message of that id. It is an error if there are several.
func findTask(b *agnsource.Box, ref string) (string, error) {
	all := b.Messages()
	if i := slices.IndexFunc(all, func(m *agn.Message) bool { return m.ID == ref }); i >= 0 {
		return all[i].TaskID, nil
	}
	hits := cli.ByID(b.TaskIDs(), ref, func(id string) string { return id })
	switch len(hits) {
	case 0:
		return "", fmt.Errorf("task: no task %q in %q", ref, b.Path())
	case 1:
		return hits[0], nil
	}
	return "", fmt.Errorf("task: %q names %d tasks, such as %s and %s: give more of the id", ref, len(hits), hits[0], hits[1])
}
