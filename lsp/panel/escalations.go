package panel

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/render"
	"github.com/signalbox-dev/signalbox/core/render/markup"
	"github.com/signalbox-dev/signalbox/lsp/store/ssot"
)

const (
	// listedMost bounds the lists that come whole with a page.
	listedMost = 100
	// describedBytes is how much of one escalation's description a list has.
	describedBytes = 16 << 10
	// rejectedBytes bounds a list of rejected messages: each has many faults.
	rejectedBytes = 1 << 20
)

// Escalations gives one page of escalations, with all that is overdue and what
// was rejected.
func (p *Panels) Escalations(_ context.Context, q EscalationParams) (EscalationPage, error) {
	list := p.ssotsNow()
	page, err := EscalationsOf(list, q, p.now())
	page.Revision = p.revised()
	return page, err
}

// escalationRow is one escalation in the order of the panel.
type escalationRow struct {
	taskRow
	at   int // in the task's History.Messages
	open bool
	// malformed is one that is refused, or nil. There may be no task then.
	malformed *ssot.Rejected
}

func (r *escalationRow) message() *agn.Message { return &r.task.History.Messages[r.at] }

// place is where the escalation stands in the list: what is smaller comes
// first. Answered ones come behind, the newest first.
func (r *escalationRow) place() cursor {
	if x := r.malformed; x != nil {
		severity := x.Distress.Payload.Escalation.Gravity()
		return cursor{Head: Head{At: At{TS: int64(severityRank(severity)), MS: malformedTime(x)}, Name: x.Source, Store: r.in.ID}}
	}
	m := r.message()
	c := cursor{Head: Head{At: At{TS: 3, MS: -m.Time.Millis}, Name: m.ID, Store: r.in.ID}}
	if r.open {
		c.At = At{TS: int64(severityRank(m.Payload.Escalation.Severity)), MS: m.Time.Millis}
	}
	return c
}

func comparePlaces(a, b *cursor) int {
	return cmp.Or(cmp.Compare(a.TS, b.TS), cmp.Compare(a.MS, b.MS), strings.Compare(a.Name, b.Name), strings.Compare(a.Store, b.Store))
}

func severityRank(severity string) int {
	return max(0, slices.Index([]string{agn.Critical, agn.Warning, agn.Info}, severity))
}

// EscalationsOf gives one page of the escalations in all directories at the
// moment now, in Unix milliseconds. A q.Limit below 0 gives all of them. The
// error is of kind Malformed, for a cursor or severity that is none.
func EscalationsOf(list []*ssot.Snapshot, q EscalationParams, now int64) (EscalationPage, error) {
	page := EscalationPage{Items: []EscalationItem{}, Overdue: []Overdue{}, Rejected: []RejectedItem{}, Warnings: ssotProblems(list)}
	if q.Severity != "" && !slices.Contains([]EscalationSeverity{SeverityCritical, SeverityWarning, SeverityInfo}, q.Severity) {
		return page, &Error{Kind: Malformed, Message: "severity is none of critical, warning, info"}
	}
	var after *cursor
	if q.Cursor != "" {
		c, err := parseCursor(q.Cursor)
		if err != nil {
			return page, err
		}
		after = &c
	}
	var rows []escalationRow
	var late []lateRow
	for _, r := range taskRows(list) {
		rows = r.escalations(rows, &q, now, &page.Counts)
		for _, a := range r.task.Alarms(now) {
			page.Counts.Overdue++
			if q.holds(&r) {
				late = append(late, lateRow{r, a})
			}
		}
	}
	slices.SortFunc(late, func(a, b lateRow) int {
		return cmp.Or(cmp.Compare(b.Since, a.Since), strings.Compare(a.task.ID, b.task.ID), strings.Compare(a.MsgID, b.MsgID))
	})
	for _, r := range late[:min(len(late), listedMost)] {
		page.Overdue = append(page.Overdue, r.item())
	}
	for _, s := range list {
		rows = malformedRows(rows, s, &q, &page.Counts)
		page.Counts.Rejected += len(s.Rejected)
		page.Rejected = append(page.Rejected, rejectedItems(s, s.Rejected, listedMost-len(page.Rejected))...)
	}
	slices.SortFunc(rows, func(a, b escalationRow) int {
		x, y := a.place(), b.place()
		return comparePlaces(&x, &y)
	})
	room := pageBytes // a page fits a frame, whatever strangers wrote
	for i := range rows {
		here := rows[i].place()
		if after != nil && comparePlaces(&here, after) <= 0 {
			continue
		}
		if full := q.Limit >= 0 && len(page.Items) == PageSize(q.Limit) || room <= 0; full {
			last := rows[i-1].place()
			page.NextCursor = last.sent()
			break
		}
		item := rows[i].item(now)
		room -= item.size()
		page.Items = append(page.Items, item)
	}
	return page, nil
}

// openOf gives the escalations of a task that nobody answered.
func openOf(t *ssot.Task, now int64) map[string]bool {
	open := make(map[string]bool)
	for _, id := range t.State(now).Open {
		open[id] = true
	}
	return open
}

// holds reports whether a task's are asked for.
func (q *EscalationParams) holds(r *taskRow) bool {
	return q.Task == nil || *q.Task == taskRef(r.in, r.task.ID)
}

// escalations counts a task's escalations and adds those that are asked for.
func (r taskRow) escalations(rows []escalationRow, q *EscalationParams, now int64, counts *EscalationCounts) []escalationRow {
	open, asked := openOf(r.task, now), q.holds(&r)
	for i := range r.task.History.Messages {
		m := &r.task.History.Messages[i]
		if m.Type != agn.TypeEscalation {
			continue
		}
		row := escalationRow{taskRow: r, at: i, open: open[m.ID]}
		counts.add(m.Payload.Escalation.Severity, row.open)
		if asked && (q.Severity == "" || string(q.Severity) == m.Payload.Escalation.Severity) && (q.Open == nil || *q.Open == row.open) {
			rows = append(rows, row)
		}
	}
	return rows
}

// add counts an escalation.
func (c *EscalationCounts) add(severity string, open bool) {
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

// described is what an escalation says by itself.
func described(e *agn.Escalation) EscalationItem {
	description, _ := clip(e.Description, describedBytes)
	i := EscalationItem{
		Kind: safe(e.Kind), Label: escalationLabel(e.Kind), Severity: EscalationSeverity(e.Gravity()), TriggeredBy: safe(e.TriggeredBy),
		HTML: markup.HTML(description, markup.Options{TopHeading: 3, MaxBytes: 4 * describedBytes}), Text: render.Text(description),
		Suspended: []string{}, Affected: []TaskMessage{}, Suggested: []Suggestion{}, Warnings: []Warning{},
		Snapshot: TaskSnapshot{Status: safe(e.Snapshot.TaskStatus), RejectCount: clampCount(e.Snapshot.RejectCount)},
	}
	i.Title, _ = render.Line(e.Description, titleChars)
	return i
}

// mentions adds what an escalation refers to and suggests.
func (i *EscalationItem) mentions(s *ssot.Snapshot, e *agn.Escalation) {
	for _, id := range e.Affected[:min(len(e.Affected), listedMost)] {
		i.Affected = append(i.Affected, taskMention(s, id))
	}
	if e.Snapshot.LastSuccessful != "" {
		last := taskMention(s, e.Snapshot.LastSuccessful)
		i.Snapshot.LastSuccessful = &last
	}
	for _, text := range e.Suggested[:min(len(e.Suggested), listedMost)] {
		i.Suggested = append(i.Suggested, Suggestion{Text: safe(text), Action: suggestedAction(text)})
	}
}

// item describes the escalation.
func (r *escalationRow) item(now int64) EscalationItem {
	if r.malformed != nil {
		return r.malformedItem(now)
	}
	m := r.message()
	i := described(m.Payload.Escalation)
	i.Ref, i.ID, i.Task = taskMessageRef(r.in, r.task.ID, m.ID), safe(m.ID), taskItem(r.in, r.task, now)
	i.From, i.Time, i.Open, i.Suspended = m.From, clampTime(m.Time.Millis), r.open, r.suspended(now)
	for _, a := range r.task.History.Acks {
		if a.MsgID == m.ID && a.By == m.To && i.Acked == 0 {
			i.Acked = clampTime(a.Millis)
		}
	}
	i.Late = slices.ContainsFunc(r.task.State(now).Waits, func(w agn.Wait) bool { return w.MsgID == m.ID && w.Overdue })
	if !r.open {
		i.Answer = r.answer(m)
	}
	i.mentions(r.in, m.Payload.Escalation)
	// What it is held against is told of in the timeline.
	for n := range m.Notes {
		i.Warnings = append(i.Warnings, Warning{Rule: m.Notes[n].Rule, Message: safe(m.Notes[n].Reason)})
	}
	i.Warnings = Some(i.Warnings, Warning{Rule: "E0", Message: "and more: run signalbox task check --notes"})
	return i
}

// size is about how much of a frame the item takes.
func (i *EscalationItem) size() int {
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

// suspended are the agents that this escalation holds up: everybody in the task
// if it is critical, else its sender if that is an agent.
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

// answer is the admin's to this escalation or, since a lock opens as a whole,
// the first to the task that came after it.
func (r *escalationRow) answer(m *agn.Message) *Answer {
	var found *agn.Resume
	for i := range r.task.History.Resumes {
		a := &r.task.History.Resumes[i]
		if a.MsgID == m.ID {
			found = a // whatever its clock said: it came after what it answers
			break
		}
		if found == nil && a.Millis >= m.Time.Millis {
			found = a
		}
	}
	if found == nil {
		return nil
	}
	answer, _ := clip(found.Text, describedBytes)
	return &Answer{Action: found.Action, Text: render.Text(answer), Time: clampTime(found.Millis)}
}

// lateRow is what nobody escalated yet.
type lateRow struct {
	taskRow
	agn.Alarm
}

func (r *lateRow) item() Overdue {
	o := Overdue{
		Ref: taskRef(r.in, r.task.ID), Task: taskRef(r.in, r.task.ID), TaskID: safe(r.task.ID), Kind: r.Kind,
		Label: escalationLabel(r.Kind), Who: r.Who, Since: clampTime(r.Since), Text: safe(r.Description),
	}
	if t, _ := r.in.Message(r.MsgID); t != nil {
		o.Ref = taskMessageRef(r.in, t.ID, r.MsgID)
	}
	return o
}

// rejectedItems describes refused messages, at most some of them.
func rejectedItems(s *ssot.Snapshot, list []*ssot.Rejected, most int) []RejectedItem {
	items := []RejectedItem{}
	for room := rejectedBytes; len(items) < min(len(list), most) && room > 0; {
		item := rejectedItem(s, list[len(items)])
		for _, f := range item.Faults {
			room -= 64 + len(f.Rule) + len(f.Field) + len(f.Reason)
		}
		items = append(items, item)
	}
	return items
}

func rejectedItem(s *ssot.Snapshot, r *ssot.Rejected) RejectedItem {
	i := RejectedItem{
		Source: safe(r.Source), Store: s.ID, ID: safe(r.MsgID), TaskID: safe(r.TaskID), Time: clampTime(r.Millis), Logged: r.Logged,
		Faults: []TaskFault{},
	}
	if r.Here {
		i.Path = filepath.Join(s.Path, filepath.FromSlash(r.Source))
	}
	if r.Distress != nil {
		e := r.Distress.Payload.Escalation
		i.Severity = EscalationSeverity(e.Gravity())
		i.Title, _ = render.Line(e.Description, titleChars)
	}
	for _, f := range r.Faults {
		i.Faults = append(i.Faults, TaskFault{Rule: safe(f.Rule), Field: safe(f.Field), Reason: safe(f.Reason)})
	}
	return i
}
