package panel

import (
	"cmp"
	"context"
	"slices"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/render"
	"github.com/signalbox-dev/signalbox/lsp/store/ssot"
)

// taskRow is a task of one of several directories.
type taskRow struct {
	in   *ssot.Snapshot
	task *ssot.Task
}

// taskRows gives the tasks of all directories, the newest first.
func taskRows(list []*ssot.Snapshot) []taskRow {
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

func (r *taskRow) head() Head {
	return Head{At: AtMillis(r.task.Last), Name: r.task.ID, Store: r.in.ID}
}

// TasksOf describes the tasks of all directories at the moment now, in Unix
// milliseconds, the newest first.
func TasksOf(list []*ssot.Snapshot, now int64) []TaskItem {
	items := []TaskItem{}
	for _, r := range taskRows(list) {
		items = append(items, taskItem(r.in, r.task, now))
	}
	return items
}

// Tasks gives one page of tasks, the newest first.
func (p *Panels) Tasks(_ context.Context, q TasksParams) (TasksPage, error) {
	page := TasksPage{Tasks: []TaskItem{}, Revision: p.revised()}
	list := p.ssotsNow()
	page.Warnings = ssotProblems(list)
	rows := taskRows(list)
	start := 0
	if q.Cursor != "" {
		after, err := parseCursor(q.Cursor)
		if err != nil {
			return page, err
		}
		start = len(rows)
		if i := slices.IndexFunc(rows, func(r taskRow) bool { h := r.head(); return h.Newest(&after.Head) > 0 }); i >= 0 {
			start = i
		}
	}
	end := min(len(rows), start+PageSize(q.Limit))
	for _, r := range rows[start:end] {
		page.Tasks = append(page.Tasks, taskItem(r.in, r.task, p.now()))
	}
	if end < len(rows) && end > start {
		page.NextCursor = cursor{Head: rows[end-1].head()}.sent()
	}
	return page, nil
}

// taskItem describes a task.
func taskItem(s *ssot.Snapshot, t *ssot.Task, now int64) TaskItem {
	state := t.State(now)
	i := TaskItem{
		Ref: taskRef(s, t.ID), ID: safe(t.ID), Title: taskTitle(t), Phase: string(state.Phase), State: stateWords(&state),
		Rejects: state.Rejects, RejectLimit: agn.MaxRejects, LockNear: state.LockNear, Lock: string(state.Lock),
		Suspended: append([]string{}, state.Suspended...), NextWho: state.Next.Who, NextDo: string(state.Next.Do),
		Open: len(state.Open), Silent: state.Silent, Messages: len(t.History.Messages), LastTime: clampTime(t.Last),
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
		i.Repo, i.Branch, i.Risk = safe(d.Repo), safe(d.Branch), safe(d.Risk)
	}
	return i
}

// taskTitle is what the task was called last, or its id.
func taskTitle(t *ssot.Task) string {
	text := ""
	if d := lastDispatch(t); d != nil {
		text = ssot.Title(d.Description)
	} else if t.Record != nil {
		text = t.Record.Title
	}
	title, _ := render.Line(text, titleChars)
	return cmp.Or(title, safe(t.ID))
}

// lastDispatch gives the newest dispatch, which says where the work is done.
func lastDispatch(t *ssot.Task) *agn.Dispatch {
	for i := len(t.History.Messages) - 1; i >= 0; i-- {
		if d := t.History.Messages[i].Payload.Dispatch; d != nil {
			return d
		}
	}
	return nil
}

func taskRef(s *ssot.Snapshot, id string) Ref { return mail.ThreadRef(mail.AGN, s.ID, id) }

func taskMessageRef(s *ssot.Snapshot, task, id string) Ref {
	return mail.MessageRef(mail.AGN, s.ID, task, id)
}

// taskMention describes a message that another one names.
func taskMention(s *ssot.Snapshot, id string) TaskMessage {
	m := TaskMessage{ID: safe(id), Label: "not in the SSOT"}
	if t, at := s.Message(id); t != nil {
		ref := taskMessageRef(s, t.ID, id)
		m.Ref, m.Label = &ref, safe(messageWords(&t.History.Messages[at]))
	}
	return m
}

// findTask gives the task of a ref and, if it names a message, where in the
// task's history that is, else -1.
func (p *Panels) findTask(r Ref) (taskRow, int, error) {
	missing := &Error{Kind: NotFound, Message: "there is no such task or message any more"}
	if r.Protocol != mail.AGN {
		return taskRow{}, -1, p.unserved(r)
	}
	for _, s := range p.ssotsNow() {
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
			return taskRow{}, -1, &Error{Kind: Malformed, Message: malformedWords(x), Detail: "E0"}
		}
		if _, id, ok := r.Message(); ok {
			if t, at := s.Message(id); t != nil {
				return taskRow{s, t}, at, nil
			}
		}
	}
	return taskRow{}, -1, missing
}
