package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/store/ssot"
	"github.com/spf13/cobra"
)

func (j *jobs) listCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "All tasks, the newest first: where each stands and whose turn it is",
		Args:  cobra.NoArgs,
		RunE: action(func(cmd *cobra.Command, _ []string) error {
			if err := emptyFlags(cmd, "ssot"); err != nil {
				return err
			}
			return j.list(cmd.Context())
		}),
	}
}

func (j *jobs) list(ctx context.Context) error {
	snap, err := j.scan(ctx)
	if err != nil {
		return err
	}
	j.trouble(snap)
	now := j.now()
	w := j.writer()
	items := panel.TasksOf([]*ssot.Snapshot{snap}, now.UnixMilli())
	rows := [][]string{{"TASK", "STATE", "NEXT", "OPEN", "LATE", "AGE", "TITLE"}}
	for i := range items {
		t := &items[i]
		if j.json {
			if err := writeJSON(w, t); err != nil {
				return err
			}
			continue
		}
		next := "-"
		if t.NextWho != "" {
			next = t.NextWho + ": " + t.NextDo
		}
		rows = append(rows, []string{
			line(t.ID), line(t.State), line(next), number(t.Open), number(t.Overdue),
			age(now.Sub(time.UnixMilli(t.LastTime))), line(t.Title),
		})
	}
	switch {
	case j.json:
	case len(items) == 0:
		w.WriteString("no tasks\n")
	default:
		table(w, j.paint(), rows)
	}
	return w.Flush()
}

// trouble says what could not be used of an SSOT.
func (j *jobs) trouble(snap *ssot.Snapshot) {
	for _, p := range snap.Problems {
		text := p.Reason
		if p.Path != "" {
			text = p.Path + " " + text
		}
		if p.Rule != "" {
			text += " (" + p.Rule + ")"
		}
		j.warn("%s", text)
	}
	cries := 0
	for _, r := range snap.Rejected {
		if r.Distress != nil {
			cries++
		}
	}
	if cries > 0 {
		j.warn("%s malformed: \"signalbox task escalations\" shows what is wrong, and with what", plural(cries, "escalation"))
	}
	if n := len(snap.Rejected); n > 0 {
		j.warn("%s rejected, and counting for nothing (\"signalbox task escalations --all\" lists them)", plural(n, "message"))
	}
}

// number shows a count, and nothing for none.
func number(n int) string {
	if n == 0 {
		return "-"
	}
	return fmt.Sprint(n)
}

// age words a time that has passed in its largest unit.
func age(d time.Duration) string {
	switch {
	case d < 0:
		return "ahead"
	case d < time.Minute:
		return fmt.Sprintf("%ds", d/time.Second)
	case d < time.Hour:
		return fmt.Sprintf("%dm", d/time.Minute)
	case d < 48*time.Hour:
		return fmt.Sprintf("%dh", d/time.Hour)
	}
	return fmt.Sprintf("%dd", d/(24*time.Hour))
}

// table writes rows in columns, the first of them bold. The last column may hold
// anything and is not padded.
func table(w *bufio.Writer, paint paint, rows [][]string) {
	var widths []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for at, row := range rows {
		var b strings.Builder
		for i, cell := range row {
			b.WriteString(cell)
			if i < len(row)-1 {
				b.WriteString(strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)+2))
			}
		}
		text := strings.TrimRight(b.String(), " ")
		if at == 0 {
			text = paint.in(bold, text)
		}
		w.WriteString(text + "\n")
	}
}

// writeJSON writes a value of the panels on a line of its own. Its texts are
// sanitized already, but for the few that say otherwise.
func writeJSON(w *bufio.Writer, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	w.Write(shownJSON(data))
	return w.WriteByte('\n')
}

func (j *jobs) showCommand() *cobra.Command {
	limit, before := 0, ""
	cmd := &cobra.Command{
		Use:   "show T-…",
		Short: "A task's timeline: who sent what to whom, what was acknowledged, what was decided",
		Long: `Show a task from its beginning: who sent what to whom and when, whether it was
acknowledged, what was decided and answered, and whose turn it is. Lines have at
most 80 columns. A message's id means its task.`,
		Args: oneArg("show T-…"),
		RunE: action(func(cmd *cobra.Command, args []string) error {
			if err := emptyFlags(cmd, "ssot", "before"); err != nil {
				return err
			}
			if cmd.Flags().Changed("limit") && limit <= 0 {
				return usage(fmt.Errorf("--limit is %d, and must be above 0", limit))
			}
			return j.show(cmd.Context(), args[0], limit, before)
		}),
		ValidArgsFunction: j.completeTasks,
	}
	cmd.Flags().StringVar(&before, "before", "", "show what came before this `mark`, which the page after it gives")
	cmd.Flags().IntVar(&limit, "limit", 0, "show the newest `number` of events alone (at most 200)")
	return cmd
}

func (j *jobs) show(ctx context.Context, ref string, limit int, before string) error {
	snap, err := j.scan(ctx)
	if err != nil {
		return err
	}
	t, err := findTask(snap, ref)
	if err != nil {
		return err
	}
	page, err := panel.TaskPageOf(snap, t, panel.TaskParams{Limit: cmp.Or(limit, -1), Before: before}, j.now().UnixMilli())
	if err != nil {
		return err
	}
	w := j.writer()
	if j.json {
		err = writeJSON(w, &page)
	} else {
		_, err = w.WriteString(page.Text)
	}
	if err := cmp.Or(err, w.Flush()); err != nil {
		return err
	}
	if page.Before != "" && !j.json {
		j.warn("older events: signalbox task show %s --before %s", t.ID, page.Before)
	}
	return nil
}

// findTask gives the one task that goes by an id, by the beginning of it, or by
// the id of one of its messages.
func findTask(snap *ssot.Snapshot, ref string) (*ssot.Task, error) {
	if t := snap.Task(ref); t != nil {
		return t, nil
	}
	if t, _ := snap.Message(ref); t != nil {
		return t, nil
	}
	var hits []*ssot.Task
	for _, t := range snap.Tasks {
		if strings.HasPrefix(t.ID, ref) {
			hits = append(hits, t)
		}
	}
	switch len(hits) {
	case 0:
		return nil, fmt.Errorf("task: no task %q in %q", ref, snap.Path)
	case 1:
		return hits[0], nil
	}
	return nil, fmt.Errorf("task: %q names %d tasks, such as %s and %s: give more of the id", ref, len(hits), hits[0].ID, hits[1].ID)
}
