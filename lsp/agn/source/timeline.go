package source

import (
	"cmp"
	"path/filepath"
	"slices"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/canon"
	agnstore "github.com/signalbox-dev/signalbox/lsp/agn"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
)

// Task returns one page of a task's timeline.
func (v *view) Task(q panel.TaskParams) (panel.TaskPage, error) {
	if s, x := v.malformed(q.Ref); x != nil {
		return malformedPage(s, x, q, v.now)
	}
	row, _, err := v.find(q.Ref)
	if err != nil {
		return panel.TaskPage{}, err
	}
	return taskPageOf(row.in, row.task, q, v.now)
}

// step is a message or an answer in a task's timeline.
type step struct {
	millis int64
	msg    int // in History.Messages, or -1
	resume int // in History.Resumes, or -1
}

// steps returns a task's messages and answers, oldest first.
func steps(t *agnstore.Task) []step {
	h := &t.History
	list := make([]step, 0, len(h.Messages)+len(h.Resumes))
	sent := make(map[string]int64, len(h.Resumes))
	for i := range h.Resumes {
		sent[h.Resumes[i].MsgID] = 0
	}
	for i := range h.Messages {
		m := &h.Messages[i]
		list = append(list, step{m.Time.Millis, i, -1})
		if _, answered := sent[m.ID]; answered {
			sent[m.ID] = m.Time.Millis
		}
	}
	for i := range h.Resumes {
		// An answer is never older than its message, whatever its clock said.
		r := &h.Resumes[i]
		list = append(list, step{max(r.Millis, sent[r.MsgID]), -1, i})
	}
	slices.SortStableFunc(list, func(a, b step) int { return cmp.Compare(a.millis, b.millis) })
	return list
}

// head returns a step's place in the timeline. It names the step, so that new steps do
// not shift pages.
func (s *step) head(t *agnstore.Task) panel.Head {
	h := panel.Head{At: panel.AtMillis(s.millis)}
	if s.msg >= 0 {
		h.Name = t.History.Messages[s.msg].ID
	} else {
		h.Name, h.Store = t.History.Resumes[s.resume].MsgID, string(panel.EventResume)
	}
	return h
}

// taskPageOf returns a task at the moment now, in Unix milliseconds, with one page of
// its timeline: the newest, or the one before q.Before. A q.Limit below 0 asks for all
// of it. taskPageOf does not use q.Ref.
func taskPageOf(s *agnstore.Snapshot, t *agnstore.Task, q panel.TaskParams, now int64) (panel.TaskPage, error) {
	page := panel.TaskPage{Task: taskItem(s, t, now), Timeline: []panel.TaskEvent{}, Rejected: []panel.RejectedItem{}, Warnings: []panel.Warning{}}
	list := steps(t)
	end := len(list)
	if q.Before != "" {
		before, err := panel.ParseHead(q.Before)
		if err != nil {
			return page, err
		}
		// The step may be gone. The steps older than it are still found by time.
		end = slices.IndexFunc(list, func(st step) bool { return st.head(t) == before })
		if end < 0 {
			end, _ = slices.BinarySearchFunc(list, before.At, func(st step, a panel.At) int {
				own := panel.AtMillis(st.millis)
				return cmp.Or(cmp.Compare(own.TS, a.TS), cmp.Compare(own.MS, a.MS))
			})
		}
	}
	start, room := end, show.PageBytes
	limit := q.Limit
	if limit >= 0 {
		limit = panel.PageSize(limit)
	}
	for maker := newEvents(s, t, now); start > 0 && (limit < 0 || end-start < limit) && room > 0; start-- {
		e := maker.event(&list[start-1])
		room -= len(e.HTML) + len(e.Text) + 1024
		page.Timeline = append(page.Timeline, e)
	}
	slices.Reverse(page.Timeline)
	if start > 0 {
		before := list[start].head(t)
		page.Before = before.Cursor()
	}
	state := t.State(now)
	for i := range state.Notes {
		n := &state.Notes[i]
		page.Warnings = append(page.Warnings, panel.Warning{Rule: n.Rule, Message: show.Line(n.Field + ": " + n.Reason)})
	}
	page.Warnings = panel.Some(page.Warnings, panel.Warning{Rule: "E0", Message: "and more: run signalbox task check"})
	page.Rejected = rejectedItems(s, s.Refused(t.ID), listedMost)
	page.Text = taskText(&page)
	return page, nil
}

// events makes the events of one task.
type events struct {
	in    *agnstore.Snapshot
	task  *agnstore.Task
	acks  map[string]agn.Ack
	waits map[string]agn.Wait
}

func newEvents(s *agnstore.Snapshot, t *agnstore.Task, now int64) *events {
	e := &events{in: s, task: t, acks: map[string]agn.Ack{}, waits: map[string]agn.Wait{}}
	for _, a := range t.History.Acks {
		if _, twice := e.acks[a.MsgID]; !twice {
			e.acks[a.MsgID] = a
		}
	}
	for _, w := range t.State(now).Waits {
		e.waits[w.MsgID] = w
	}
	return e
}

func (e *events) event(st *step) panel.TaskEvent {
	if st.msg < 0 {
		return e.answer(&e.task.History.Resumes[st.resume])
	}
	m := &e.task.History.Messages[st.msg]
	words := messageWords(m)
	if m.Payload.Verdict != nil && m.Payload.Verdict.Decision == agn.Rejected {
		words += ", " + show.Count(agn.Rejects(m, e.task.History.Messages)+1, "rejection", "rejections") + " so far"
	}
	shown := payloadBody(&m.Payload)
	ev := panel.TaskEvent{
		Kind: panel.EventMessage, Ref: taskMessageRef(e.in, e.task.ID, m.ID), ID: show.Line(m.ID), Type: m.Type, From: m.From, To: m.To,
		Time: show.Time(m.Time.Millis), Title: show.Line(words), Points: points(messagePoints(m)), Tone: tone(m), Ack: e.ack(m),
		HTML: shown.html.String(), Text: shown.text.String(), Path: filepath.Join(e.in.Path, filepath.FromSlash(e.task.Files[st.msg])),
		Warnings: []panel.Warning{},
	}
	check := agn.Check(m, e.task.History.Messages)
	for _, found := range [][]canon.Fault{check.Faults, check.Notes, m.Notes} {
		for i := range found {
			ev.Warnings = append(ev.Warnings, panel.Warning{Rule: found[i].Rule, Message: show.Line(found[i].Reason)})
		}
	}
	ev.Warnings = panel.Some(ev.Warnings, panel.Warning{Rule: "E0", Message: "and more: run signalbox task check --notes"})
	return ev
}

func (e *events) ack(m *agn.Message) panel.AckMark {
	if a, ok := e.acks[m.ID]; ok && a.By == m.To {
		return panel.AckMark{State: panel.AckDone, By: a.By, Time: show.Time(a.Millis)}
	}
	w, ok := e.waits[m.ID]
	switch {
	case !ok:
		return panel.AckMark{State: panel.AckNone}
	case w.Overdue:
		return panel.AckMark{State: panel.AckOverdue, By: w.To, Deadline: show.Time(w.Deadline)}
	}
	return panel.AckMark{State: panel.AckWaiting, By: w.To, Deadline: show.Time(w.Deadline)}
}

func (e *events) answer(r *agn.Resume) panel.TaskEvent {
	b := &body{room: eventBytes}
	b.prose("Answer", r.Text)
	b.fact("To", r.MsgID)
	ev := panel.TaskEvent{
		Kind: panel.EventResume, Ref: taskMessageRef(e.in, e.task.ID, r.MsgID), ID: show.Line(r.MsgID), From: agn.Admin, Time: show.Time(r.Millis),
		Title: "answer: " + string(r.Action), Points: points([]string{r.Text}[:min(1, len(r.Text))]), Tone: "good", Ack: panel.AckMark{State: panel.AckNone},
		HTML: b.html.String(), Text: b.text.String(), Path: filepath.Join(e.in.Path, filepath.FromSlash(agnstore.ResumePath(r.MsgID))),
		Warnings: []panel.Warning{},
	}
	if r.Action == agn.Terminate {
		ev.Tone = "bad"
	}
	return ev
}
