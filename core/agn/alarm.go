package agn

import (
	"cmp"
	"slices"

	"github.com/signalbox-dev/signalbox/core/canon"
)

// Alarm is something that nobody has reported to the admin yet (rules X10 and X11).
// [Alarm.Escalation] makes the message that reports it.
type Alarm struct {
	// Kind is one of [AckTimeout], [HeartbeatTimeout], [HallucinationLock] and
	// [BranchViolation], Severity [Warning] or [Critical].
	Kind, Severity string
	// MsgID is the message that it is about. It is empty for a silence that no
	// message explains, and for a refused dispatch whose id cannot be referred to.
	MsgID string
	// Who is the party that failed to act.
	Who string
	// Since is when it became true, in Unix milliseconds. It depends on the history
	// only, so every reader finds the same.
	Since int64
	// Description is one sentence for the admin. It may quote a refused dispatch.
	Description string
	// LastSuccessful is the newest message that reached its receiver, or empty.
	LastSuccessful string
}

// Alarms returns the state of a task at the moment now, as [State] does, and lists what a
// watchdog has to report about it, ordered by Since:
//
//   - an overdue ACK (E12), except the admin's own: ack_timeout, a warning;
//   - a task that is silent (X11): heartbeat_timeout, a warning;
//   - a lock that nobody escalated (X10): hallucination_lock, critical;
//   - a dispatch that was refused for its branch (D3): branch_violation, critical.
//
// Alarms leaves out what an escalation of the same kind already reports, answered or not. That
// escalation must name the message or, for a silence, be at least as new as the newest fact not
// written by the system: a task that stays silent after the admin's answer is reported again. A
// terminated task has no alarms. Messages of other tasks are ignored, including in refused.
func Alarms(taskID string, h History, refused []Message, now int64) (TaskState, []Alarm) {
	m := follow(taskID, &h, now)
	s := m.finish()
	if s.Phase == PhaseTerminated {
		return s, nil
	}
	a := alarms{m: m, s: &s, named: map[string]bool{}, last: m.lastSuccessful()}
	for _, e := range m.seen {
		if p := e.Payload.Escalation; p != nil {
			for _, id := range p.Affected {
				a.named[p.Kind+" "+id] = true
			}
		}
	}
	a.acks()
	a.silence()
	a.lock()
	for i := range refused {
		a.branch(&refused[i])
	}
	slices.SortStableFunc(a.list, func(x, y Alarm) int { // half the size of SortFunc in the module
		return cmp.Or(cmp.Compare(x.Since, y.Since), cmp.Compare(x.Kind, y.Kind), cmp.Compare(x.MsgID, y.MsgID), cmp.Compare(x.Description, y.Description))
	})
	// The same dispatch may be in a file and in the error log.
	seen := map[string]bool{}
	return s, slices.DeleteFunc(a.list, func(x Alarm) bool {
		key := x.Kind + " " + cmp.Or(x.MsgID, x.Description)
		again := seen[key]
		seen[key] = true
		return again
	})
}

// alarms collects what must be reported about one task.
type alarms struct {
	m    *machine
	s    *TaskState
	list []Alarm
	// named has a key "kind id" for each message that an escalation of that kind names.
	named map[string]bool
	last  string // the newest message that reached its receiver
}

// add lists an alarm about a message unless an escalation of the kind names it.
func (a *alarms) add(x Alarm) {
	if !a.named[x.Kind+" "+x.MsgID] {
		a.append(x)
	}
}

// addUnless lists an alarm, unless an escalation of its kind already reports it.
func (a *alarms) addUnless(x Alarm, reports func(e *Message) bool) {
	for _, e := range a.m.seen {
		if p := e.Payload.Escalation; p != nil && p.Kind == x.Kind && reports(e) {
			return
		}
	}
	a.append(x)
}

func (a *alarms) append(x Alarm) {
	x.LastSuccessful = a.last
	x.Description = a.s.TaskID + ": " + x.Description
	a.list = append(a.list, x)
}

func (a *alarms) acks() {
	for _, w := range a.s.Waits {
		if !w.Overdue || w.To == Admin {
			continue
		}
		a.add(Alarm{
			Kind: AckTimeout, Severity: Warning, MsgID: w.MsgID, Who: w.To, Since: w.Deadline + 1,
			Description: "the " + w.To + " did not acknowledge " + w.MsgID + " by " + FormatTime(w.Deadline) + ".",
		})
	}
}

func (a *alarms) silence() {
	if !a.s.Silent {
		return
	}
	a.addUnless(Alarm{
		Kind: HeartbeatTimeout, Severity: Warning, MsgID: a.s.Next.MsgID, Who: a.s.Next.Who, Since: a.s.LastWrite + HeartbeatLimit,
		Description: "nothing was written since " + FormatTime(a.s.LastWrite) + "; the " + a.s.Next.Who + " has to " + string(a.s.Next.Do) + ".",
	}, func(e *Message) bool {
		return a.m.lastSign <= e.Time.Millis && e.Time.Millis <= a.m.now+FutureLimit
	})
}

func (a *alarms) lock() {
	if a.s.Next.Do != DoEscalate {
		return // no lock, or the admin knows
	}
	by := a.m.byID[a.s.LockedBy]
	a.add(Alarm{
		Kind: HallucinationLock, Severity: Critical, MsgID: by.ID, Who: a.s.Next.Who, Since: by.Time.Millis,
		Description: "locked by " + by.ID + " (" + string(a.s.Lock) + ", " + plural(a.s.Rejects, "rejection") + " in all), and nobody escalated it.",
	})
}

// branch reports a refused dispatch. If its id cannot be referred to, the description
// identifies it.
func (a *alarms) branch(r *Message) {
	at := slices.IndexFunc(r.Faults, func(f canon.Fault) bool { return f.Rule == "D3" })
	if at < 0 || r.Type != TypeDispatch || r.TaskID != a.s.TaskID {
		return
	}
	x := Alarm{Kind: BranchViolation, Severity: Critical, Who: Coordinator, Since: r.Time.Millis}
	x.Description = "the dispatch " + quote(r.ID) + " was refused: " + r.Faults[at].Reason + "."
	if _, ok := ParseID(r.ID); ok {
		x.MsgID = r.ID
		a.add(x)
		return
	}
	a.addUnless(x, func(e *Message) bool {
		return e.Payload.Escalation.Description == a.s.TaskID+": "+x.Description
	})
}

// LastSuccessful returns the id of the task's newest message, except escalations, that its
// receiver acknowledged at the moment now, or "".
func LastSuccessful(taskID string, h History, now int64) string {
	return follow(taskID, &h, now).lastSuccessful()
}

func (m *machine) lastSuccessful() string {
	for _, msg := range slices.Backward(m.seen) {
		if msg.Type != TypeEscalation && m.acked[msg.ID] {
			return msg.ID
		}
	}
	return ""
}

// Escalation returns the payload of the escalation that reports the alarm. s is
// the task's state in which it was found.
func (a *Alarm) Escalation(s TaskState) Escalation {
	e := Escalation{
		Kind: a.Kind, Severity: a.Severity, TriggeredBy: a.Who, Description: a.Description,
		Affected: []string{}, Suggested: a.suggested(), Suspended: true, // rules X5 and C8
		Snapshot: Snapshot{TaskStatus: string(s.Phase), RejectCount: int64(s.Rejects), LastSuccessful: a.LastSuccessful},
	}
	if a.MsgID != "" {
		e.Affected = append(e.Affected, a.MsgID)
	}
	return e
}

// suggested returns advice to the admin (rule X8).
func (a *Alarm) suggested() []string {
	switch a.Kind {
	case AckTimeout:
		return []string{
			"See whether the " + a.Who + " runs, and dispatch again",
			"Split the task into smaller subtasks",
			"Terminate the task",
		}
	case HeartbeatTimeout:
		return []string{
			"See whether the " + a.Who + " runs, and let the task go on",
			"Redirect the task with new instructions",
			"Terminate the task",
		}
	case HallucinationLock:
		return []string{
			"Review the diff and redirect with guidance on the code",
			"Split the task into smaller subtasks",
			"Terminate the task and roll its branch back",
		}
	}
	return []string{
		"Redirect to a dispatch on a feature branch",
		"Terminate the task",
	}
}
