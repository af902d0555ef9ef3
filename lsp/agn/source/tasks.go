package source

import (
	"cmp"
	"slices"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/mail"
	agnstore "github.com/signalbox-dev/signalbox/lsp/agn"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
)

// taskRow is a task with the directory that holds it.
type taskRow struct {
	in   *agnstore.Snapshot
	task *agnstore.Task
}

// taskRows returns the tasks of all directories, newest first.
func taskRows(list []*agnstore.Snapshot) []taskRow {
	var rows []taskRow
	for _, s := range list {
		for _, t := range s.Tasks {
			rows = append(rows, taskRow{s, t})
		}
	}
	if len(list) > 1 {
		slices.SortStableFunc(rows, func(a, b taskRow) int {
			x, y := a.head(), b.head()
			return x.Newest(&y)
		})
	}
	return rows
}

// head returns the task's place in a list.
func (r *taskRow) head() panel.Head {
	return panel.Head{At: panel.AtMillis(r.task.Last), Name: r.task.ID, Store: r.in.ID, Of: r}
}

// Tasks returns one page of tasks, newest first.
func (v *view) Tasks(q panel.TasksParams) (panel.TasksPage, error) {
	page := panel.TasksPage{Tasks: []panel.TaskItem{}, Warnings: problems(v.shown)}
	query := panel.HeadQuery{Order: panel.SortNewest, Limit: panel.PageSize(q.Limit)}
	if q.Cursor != "" {
		after, err := panel.ParseHead(q.Cursor)
		if err != nil {
			return page, err
		}
		query.After = &after
	}
	rows := taskRows(v.shown)
	list := panel.HeadList{Len: len(rows), Head: func(number int) panel.Head { return rows[number].head() }}
	heads, more := list.Page(&query, func(*panel.Head) (wanted, waits bool) { return true, false })
	for _, h := range heads {
		r := h.Of.(*taskRow)
		page.Tasks = append(page.Tasks, taskItem(r.in, r.task, v.now))
	}
	if more {
		page.NextCursor = heads[len(heads)-1].Cursor()
	}
	return page, nil
}

// stoppedAfter is the silence in milliseconds after which the agent that has the task may have
// stopped.
const stoppedAfter = 2 * 60 * 60 * 1000

// taskItem returns a task as a list shows it.
func taskItem(s *agnstore.Snapshot, t *agnstore.Task, now int64) panel.TaskItem {
	state := t.State(now)
	i := panel.TaskItem{
		Ref: taskRef(s, t.ID), ID: show.Line(t.ID), Title: taskTitle(t), Phase: string(state.Phase), State: stateWords(&state),
		Rejects: state.Rejects, RejectLimit: agn.MaxRejects, LockNear: state.LockNear, Lock: string(state.Lock),
		Suspended: append([]string{}, state.Suspended...), NextWho: state.Next.Who, NextDo: string(state.Next.Do),
		Open: len(state.Open), Silent: state.Silent && state.Age < stoppedAfter, Stopped: state.Silent && state.Age >= stoppedAfter, Messages: len(t.History.Messages), LastTime: show.Time(t.Last),
	}
	for _, w := range state.Waits {
		if w.Overdue {
			i.Overdue++
		}
	}
	if state.Silent {
		i.Overdue++
	}
	if d := lastDispatch(t); d != nil {
		i.Repo, i.Branch, i.Risk = show.Line(d.Repo), show.Line(d.Branch), show.Line(d.Risk)
	}
	return i
}

// taskTitle returns the title from the task's newest dispatch, or the task's id.
func taskTitle(t *agnstore.Task) string {
	text := ""
	if d := lastDispatch(t); d != nil {
		text = agnstore.Title(d.Description)
	} else if t.Record != nil {
		text = t.Record.Title
	}
	return cmp.Or(show.Plain(text), show.Line(t.ID))
}

// lastDispatch returns the task's newest dispatch, which names the repository and
// branch, or nil.
func lastDispatch(t *agnstore.Task) *agn.Dispatch {
	for i := len(t.History.Messages) - 1; i >= 0; i-- {
		if d := t.History.Messages[i].Payload.Dispatch; d != nil {
			return d
		}
	}
	return nil
}

func taskRef(s *agnstore.Snapshot, id string) panel.Ref { return mail.ThreadRef(mail.AGN, s.ID, id) }

func taskMessageRef(s *agnstore.Snapshot, task, id string) panel.Ref {
	return mail.MessageRef(mail.AGN, s.ID, task, id)
}

// taskMention returns a message that another one names, with a ref if it is in the
// directory.
func taskMention(s *agnstore.Snapshot, id string) panel.TaskMessage {
	m := panel.TaskMessage{ID: show.Line(id), Label: "not in the task directory"}
	if t, at := s.Message(id); t != nil {
		ref := taskMessageRef(s, t.ID, id)
		m.Ref, m.Label = &ref, show.Line(messageWords(&t.History.Messages[at]))
	}
	return m
}

// find returns the task of a ref and the index of the message that it names in the
// task's history, or -1 if it names the task.
func (v *view) find(r panel.Ref) (taskRow, int, error) {
	missing := &panel.Error{Kind: panel.NotFound, Message: "there is no such task or message any more"}
	for _, s := range v.shown {
		if s.ID != r.Store {
			continue
		}
		if id, ok := r.Thread(); ok {
			if t := s.Task(id); t != nil {
				return taskRow{s, t}, -1, nil
			}
			return taskRow{}, -1, missing
		}
		if x := malformedAt(s, r); x != nil {
			return taskRow{}, -1, &panel.Error{Kind: panel.Malformed, Message: malformedWords(x), Detail: "E0"}
		}
		if _, id, ok := r.Message(); ok {
			if t, at := s.Message(id); t != nil {
				return taskRow{s, t}, at, nil
			}
		}
	}
	return taskRow{}, -1, missing
}
