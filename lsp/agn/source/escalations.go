package source

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/render"
	"github.com/signalbox-dev/signalbox/core/render/markup"
	agnstore "github.com/signalbox-dev/signalbox/lsp/agn"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
)

const (
	// listedMost is the largest number of items in the lists that every page repeats.
	listedMost = 100
	// describedBytes is the largest length of an escalation's description in a list.
	describedBytes = 16 << 10
	// rejectedBytes is the largest size of a list of rejected messages: each may have
	// many faults.
	rejectedBytes = 1 << 20
)

// Escalations returns one page of escalations, with everything overdue and the rejected
// messages.
func (v *view) Escalations(q panel.EscalationParams) (panel.EscalationPage, error) {
	return escalationsOf(v.shown, q, v.now)
}

// escalationRow is one escalation in the panel's list.
type escalationRow struct {
	taskRow
	at   int // in the task's History.Messages
	open bool
	// malformed is set for a refused escalation. It may have no task.
	malformed *agnstore.Rejected
}

func (r *escalationRow) message() *agn.Message { return &r.task.History.Messages[r.at] }

// place returns the escalation's place in the list, for comparePlaces. Open ones come first,
// by severity and then oldest first. Answered ones come last, newest first.
func (r *escalationRow) place() panel.Head {
	if x := r.malformed; x != nil {
		severity := x.MalformedEscalation.Payload.Escalation.ShownSeverity()
		return panel.Head{At: panel.At{TS: int64(severityRank(severity)), MS: malformedTime(x)}, Name: x.Source, Store: r.in.ID}
	}
	m := r.message()
	h := panel.Head{At: panel.At{TS: 3, MS: -m.Time.Millis}, Name: m.ID, Store: r.in.ID}
	if r.open {
		h.At = panel.At{TS: int64(severityRank(m.Payload.Escalation.Severity)), MS: m.Time.Millis}
	}
	return h
}

// comparePlaces returns a negative number if the escalation at a comes before the one
// at b.
func comparePlaces(a, b *panel.Head) int {
	return cmp.Or(cmp.Compare(a.TS, b.TS), cmp.Compare(a.MS, b.MS), strings.Compare(a.Name, b.Name), strings.Compare(a.Store, b.Store))
}

// compareWaiting orders open escalations for [panel.EscalationParams.Waiting].
func compareWaiting(a, b *panel.Head) int {
	return cmp.Or(cmp.Compare(a.MS, b.MS), strings.Compare(a.Name, b.Name), strings.Compare(a.Store, b.Store))
}

func severityRank(severity string) int {
	return max(0, slices.Index([]string{agn.Critical, agn.Warning, agn.Info}, severity))
}

// escalationsOf returns one page of the escalations in all directories at the moment
// now, in Unix milliseconds. A q.Limit below 0 returns all of them. A bad cursor or
// severity is an error of kind Malformed.
func escalationsOf(list []*agnstore.Snapshot, q panel.EscalationParams, now int64) (panel.EscalationPage, error) {
	page := panel.EscalationPage{Items: []panel.EscalationItem{}, Overdue: []panel.Overdue{}, Rejected: []panel.RejectedItem{}, Warnings: problems(list)}
	if q.Severity != "" && !slices.Contains([]panel.EscalationSeverity{panel.SeverityCritical, panel.SeverityWarning, panel.SeverityInfo}, q.Severity) {
		return page, &panel.Error{Kind: panel.Malformed, Message: "severity is none of critical, warning, info"}
	}
	var after *panel.Head
	if q.Cursor != "" {
		h, err := panel.ParseHead(q.Cursor)
		if err != nil {
			return page, err
		}
		after = &h
	}
	var rows []escalationRow
	var late []lateRow
	for _, r := range taskRows(list) {
		rows = r.escalations(rows, &q, now, &page.Counts)
		for _, a := range r.task.Alarms(now) {
			page.Counts.Overdue++
			if asksFor(&q, &r) {
				late = append(late, lateRow{taskRow: r, Alarm: a})
			}
		}
	}
	slices.SortStableFunc(late, func(a, b lateRow) int {
		return cmp.Or(cmp.Compare(b.Since, a.Since), strings.Compare(a.task.ID, b.task.ID), strings.Compare(a.MsgID, b.MsgID))
	})
	compare, most, listed := comparePlaces, panel.PageSize(q.Limit), listedMost
	if q.Waiting {
		compare, most, listed = compareWaiting, q.Limit, q.Limit
		late = oncePerTask(late)
	}
	for _, r := range late[:min(len(late), listed)] {
		page.Overdue = append(page.Overdue, r.item())
	}
	for _, s := range list {
		rows = malformedRows(rows, s, &q, &page.Counts)
		page.Counts.Rejected += len(s.Rejected)
		page.Rejected = append(page.Rejected, rejectedItems(s, s.Rejected, listedMost-len(page.Rejected))...)
	}
	slices.SortStableFunc(rows, func(a, b escalationRow) int {
		x, y := a.place(), b.place()
		return compare(&x, &y)
	})
	room := show.PageBytes // a page fits a frame, whatever strangers wrote
	for i := range rows {
		here := rows[i].place()
		if after != nil && comparePlaces(&here, after) <= 0 {
			continue
		}
		if full := q.Limit >= 0 && len(page.Items) == most || room <= 0; full {
			if last := rows[i-1].place(); !q.Waiting {
				page.NextCursor = last.Cursor()
			}
			break
		}
		item := rows[i].item(now)
		room -= size(&item)
		page.Items = append(page.Items, item)
	}
	return page, nil
}

// openOf returns the ids of a task's open escalations, as a set.
func openOf(t *agnstore.Task, now int64) map[string]bool {
	open := make(map[string]bool)
	for _, id := range t.State(now).Open {
		open[id] = true
	}
	return open
}

// asksFor reports whether a request wants the escalations of a task.
func asksFor(q *panel.EscalationParams, r *taskRow) bool {
	return q.Task == nil || *q.Task == taskRef(r.in, r.task.ID)
}

// escalations returns rows with the task's escalations that the request asks for added,
// and counts them.
func (r taskRow) escalations(rows []escalationRow, q *panel.EscalationParams, now int64, counts *panel.EscalationCounts) []escalationRow {
	open, asked := openOf(r.task, now), asksFor(q, &r)
	for i := range r.task.History.Messages {
		m := &r.task.History.Messages[i]
		if m.Type != agn.TypeEscalation {
			continue
		}
		row := escalationRow{taskRow: r, at: i, open: open[m.ID]}
		tally(counts, m.Payload.Escalation.Severity, row.open)
		if asked && (q.Severity == "" || string(q.Severity) == m.Payload.Escalation.Severity) && (q.Open == nil || *q.Open == row.open) {
			rows = append(rows, row)
		}
	}
	return rows
}

// tally adds an escalation to the counts.
func tally(c *panel.EscalationCounts, severity string, open bool) {
	switch {
	case !open:
		c.Answered++
	case severity == agn.Critical:
		c.Critical++
	case severity == agn.Warning:
		c.Warning++
	default:
		c.Info++
	}
}

// described returns an item with what the escalation's own payload says.
func described(e *agn.Escalation) panel.EscalationItem {
	description, _ := show.Clip(e.Description, describedBytes)
	i := panel.EscalationItem{
		Kind: show.Line(e.Kind), Label: escalationLabel(e.Kind), Severity: panel.EscalationSeverity(e.ShownSeverity()), TriggeredBy: show.Line(e.TriggeredBy),
		HTML: markup.HTML(description, markup.Options{TopHeading: 3, MaxBytes: 4 * describedBytes}), Text: render.Text(description),
		Suspended: []string{}, Affected: []panel.TaskMessage{}, Suggested: []panel.Suggestion{}, Warnings: []panel.Warning{},
		Snapshot: panel.TaskSnapshot{Status: show.Line(e.Snapshot.TaskStatus), RejectCount: show.Number(e.Snapshot.RejectCount)},
	}
	i.Title = show.Plain(e.Description)
	return i
}

// addMentions adds what an escalation refers to and suggests.
func addMentions(i *panel.EscalationItem, s *agnstore.Snapshot, e *agn.Escalation) {
	for _, id := range e.Affected[:min(len(e.Affected), listedMost)] {
		i.Affected = append(i.Affected, taskMention(s, id))
	}
	if e.Snapshot.LastSuccessful != "" {
		last := taskMention(s, e.Snapshot.LastSuccessful)
		i.Snapshot.LastSuccessful = &last
	}
	for _, text := range e.Suggested[:min(len(e.Suggested), listedMost)] {
		i.Suggested = append(i.Suggested, panel.Suggestion{Text: show.Line(text), Action: suggestedAction(text)})
	}
}

// item returns the escalation as the list shows it.
func (r *escalationRow) item(now int64) panel.EscalationItem {
	if r.malformed != nil {
		return r.malformedItem(now)
	}
	m := r.message()
	i := described(m.Payload.Escalation)
	i.Ref, i.ID, i.Task = taskMessageRef(r.in, r.task.ID, m.ID), show.Line(m.ID), taskItem(r.in, r.task, now)
	i.From, i.Time, i.Open, i.Suspended = m.From, show.Time(m.Time.Millis), r.open, r.suspended(now)
	i.Acked = ackedAt(r.task, m)
	i.Late = slices.ContainsFunc(r.task.State(now).Waits, func(w agn.Wait) bool { return w.MsgID == m.ID && w.Overdue })
	if !r.open {
		i.Answer = r.answer(m)
	}
	addMentions(&i, r.in, m.Payload.Escalation)
	// The timeline shows what agn.Check finds.
	for n := range m.Notes {
		i.Warnings = append(i.Warnings, panel.Warning{Rule: m.Notes[n].Rule, Message: show.Line(m.Notes[n].Reason)})
	}
	i.Warnings = panel.Some(i.Warnings, panel.Warning{Rule: "E0", Message: "and more: run signalbox task check --notes"})
	return i
}

// ackedAt returns when the receiver of a message acknowledged it, in Unix milliseconds,
// or 0.
func ackedAt(t *agnstore.Task, m *agn.Message) int64 {
	for _, a := range t.History.Acks {
		if a.MsgID == m.ID && a.By == m.To {
			return show.Time(a.Millis)
		}
	}
	return 0
}

// size returns an estimate of the bytes of a frame that an item takes.
func size(i *panel.EscalationItem) int {
	n := 4096 + len(i.HTML) + len(i.Text)
	for _, a := range i.Affected {
		n += 256 + len(a.ID) + len(a.Label)
	}
	for _, s := range i.Suggested {
		n += 64 + len(s.Text)
	}
	for _, w := range i.Warnings {
		n += 32 + len(w.Message)
	}
	if i.Answer != nil {
		n += len(i.Answer.Text)
	}
	return n
}

// suspended returns the agents that this escalation holds up: everyone in the task if it is
// critical, otherwise its sender if the sender is an agent.
func (r *escalationRow) suspended(now int64) []string {
	m := r.message()
	e := m.Payload.Escalation
	switch {
	case !r.open:
	case e.Severity == agn.Critical || e.Kind == agn.HallucinationLock:
		return append([]string{}, r.task.State(now).Suspended...)
	case e.Suspended && m.From != agn.System:
		return []string{m.From}
	}
	return []string{}
}

// answer returns the admin's answer to this escalation. A lock opens as a whole, so
// without one it returns the first answer to the task that came after it.
func (r *escalationRow) answer(m *agn.Message) *panel.Answer {
	var found *agn.Resume
	for i := range r.task.History.Resumes {
		a := &r.task.History.Resumes[i]
		if a.MsgID == m.ID {
			found = a // an answer comes after its message, whatever its clock said
			break
		}
		if found == nil && a.Millis >= m.Time.Millis {
			found = a
		}
	}
	if found == nil {
		return nil
	}
	answer, _ := show.Clip(found.Text, describedBytes)
	return &panel.Answer{Action: found.Action, Text: render.Text(answer), Time: show.Time(found.Millis)}
}

// lateRow is an overdue ACK or a silence that nobody has escalated.
type lateRow struct {
	taskRow
	agn.Alarm
	more int // of the same task
}

// oncePerTask returns the oldest row of each task with the number of its other rows, longest
// wait first. A silence is left out if an ACK is missing, because the ACK is more specific.
func oncePerTask(late []lateRow) (list []lateRow) {
	at := make(map[*agnstore.Task]int)
	for _, r := range slices.Backward(late) {
		i, known := at[r.task]
		if !known {
			at[r.task] = len(list)
			list = append(list, r)
			continue
		}
		r.more = list[i].more + 1
		if list[i].Kind != agn.HeartbeatTimeout {
			list[i].more = r.more
		} else {
			list[i] = r
		}
	}
	slices.SortStableFunc(list, func(a, b lateRow) int { return cmp.Compare(a.Since, b.Since) })
	return list
}

func (r *lateRow) item() panel.Overdue {
	o := panel.Overdue{
		Ref: taskRef(r.in, r.task.ID), Task: taskRef(r.in, r.task.ID), TaskID: show.Line(r.task.ID), Kind: r.Kind,
		Label: escalationLabel(r.Kind), Who: r.Who, Since: show.Time(r.Since), Text: show.Line(r.Description), More: r.more,
		Title: taskTitle(r.task),
	}
	if r.Kind == agn.HeartbeatTimeout {
		o.Since = show.Time(r.Since - agn.HeartbeatLimit)
	}
	if t, _ := r.in.Message(r.MsgID); t != nil {
		o.Ref = taskMessageRef(r.in, t.ID, r.MsgID)
	}
	return o
}

// rejectedItems returns refused messages as a list shows them, no more than most and
// about rejectedBytes of them.
func rejectedItems(s *agnstore.Snapshot, list []*agnstore.Rejected, most int) []panel.RejectedItem {
	items := []panel.RejectedItem{}
	for room := rejectedBytes; len(items) < min(len(list), most) && room > 0; {
		item := rejectedItem(s, list[len(items)])
		for _, f := range item.Faults {
			room -= 64 + len(f.Rule) + len(f.Field) + len(f.Reason)
		}
		items = append(items, item)
	}
	return items
}

func rejectedItem(s *agnstore.Snapshot, r *agnstore.Rejected) panel.RejectedItem {
	i := panel.RejectedItem{
		Source: show.Line(r.Source), Store: s.ID, ID: show.Line(r.MsgID), TaskID: show.Line(r.TaskID), Time: show.Time(r.Millis), Logged: r.Logged,
		Faults: []panel.TaskFault{},
	}
	if r.Here {
		i.Path = filepath.Join(s.Path, filepath.FromSlash(r.Source))
	}
	if r.MalformedEscalation != nil {
		e := r.MalformedEscalation.Payload.Escalation
		i.Severity = panel.EscalationSeverity(e.ShownSeverity())
		i.Title = show.Plain(e.Description)
	}
	for _, f := range r.Faults {
		i.Faults = append(i.Faults, panel.TaskFault{Rule: show.Line(f.Rule), Field: show.Line(f.Field), Reason: show.Line(f.Reason)})
	}
	return i
}
