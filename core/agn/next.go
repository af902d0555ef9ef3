package agn

import (
	"cmp"
	"slices"
)

// NextAction is what has to happen next, and who has to do it.
type NextAction struct {
	// Who is a party, or empty where nothing is due.
	Who string
	Do  ActionKind
	// MsgID is the message that it is about, or empty.
	MsgID string
}

// ActionKind is a kind of [NextAction].
type ActionKind string

// The kinds of actions.
const (
	DoNothing  ActionKind = ""
	DoDispatch ActionKind = "dispatch"
	// DoAck is what a receiver does first (rule E12).
	DoAck    ActionKind = "acknowledge"
	DoResult ActionKind = "report a result"
	// DoReview is to ask for a review.
	DoReview  ActionKind = "request a review"
	DoVerdict ActionKind = "give a verdict"
	// DoDecide is to dispatch again or escalate (rule T9).
	DoDecide ActionKind = "dispatch again or escalate"
	// DoReport tells the admin about a verdict of low confidence (rule V7).
	DoReport   ActionKind = "report to the admin"
	DoEscalate ActionKind = "escalate"
	// DoRespond is for the admin: to answer an escalation or open a lock.
	DoRespond ActionKind = "respond"
)

// finish derives the state from the applied history.
func (m *machine) finish() TaskState {
	s := &m.state
	s.LockNear = s.Rejects >= WarnRejects
	warned := false
	m.raised = slices.DeleteFunc(m.raised, func(e *Message) bool { return !m.open[e] })
	for _, e := range m.raised {
		s.Open = append(s.Open, e.ID)
		warned = warned || e.Payload.Escalation.Severity == Warning
	}
	switch {
	case m.base == PhaseTerminated:
		s.Phase = PhaseTerminated
	case s.Lock != LockNone:
		s.Phase = PhaseLocked
	case m.critical():
		s.Phase = PhaseSuspended
	case warned:
		s.Phase = PhaseEscalated
	default:
		s.Phase = m.base
	}
	m.suspend()
	m.waits()
	if s.LastWrite != 0 {
		s.Age = max(0, m.now-s.LastWrite)
	}
	s.Next = m.next()
	// A task that waits for the admin, or is finished, is expected to be silent.
	s.Silent = s.Age >= HeartbeatLimit && s.Next.Who != "" && s.Next.Who != Admin
	return m.state
}

// suspend lists the agents that must stop. A critical escalation or a lock stops every agent
// that took part; a warning stops its sender.
func (m *machine) suspend() {
	all := m.state.Phase == PhaseLocked || m.critical()
	stop := map[string]bool{}
	for _, msg := range m.seen {
		if all {
			stop[msg.From], stop[msg.To] = true, true
		}
	}
	for _, e := range m.raised {
		p := e.Payload.Escalation
		stop[e.From] = stop[e.From] || p.Suspended
		stop[p.TriggeredBy] = stop[p.TriggeredBy] || p.Severity == Critical
	}
	for _, agent := range []string{Coordinator, Executor, Reviewer} {
		if stop[agent] {
			m.state.Suspended = append(m.state.Suspended, agent)
		}
	}
}

// waits lists the missing ACKs. A deadline that is reached is not yet missed.
func (m *machine) waits() {
	if m.base == PhaseTerminated {
		return // nothing is due any more
	}
	for _, msg := range m.seen {
		limit := msg.Timeout()
		if limit == 0 || m.acked[msg.ID] {
			continue
		}
		deadline := msg.Time.Millis + limit*1000
		m.state.Waits = append(m.state.Waits, Wait{MsgID: msg.ID, From: msg.From, To: msg.To, Deadline: deadline, Overdue: m.now > deadline})
	}
	slices.SortStableFunc(m.state.Waits, func(a, b Wait) int { return cmp.Compare(a.Deadline, b.Deadline) })
}

// next finds the one thing that the task waits for.
func (m *machine) next() NextAction {
	switch s := &m.state; s.Phase {
	case PhaseTerminated:
		return NextAction{}
	case PhaseLocked:
		return m.answerLock()
	case PhaseSuspended, PhaseEscalated:
		return NextAction{Who: Admin, Do: DoRespond, MsgID: m.worst().ID}
	case PhaseNone, PhaseResumed:
		return NextAction{Who: Coordinator, Do: DoDispatch}
	case PhaseDispatched, PhaseInWork:
		return m.after(m.dispatch, NextAction{Who: Executor, Do: DoResult})
	case PhaseResult:
		if m.result.Payload.Result.Status == "complete" {
			return m.after(m.result, NextAction{Who: Coordinator, Do: DoReview})
		}
		return m.after(m.result, NextAction{Who: Coordinator, Do: DoDecide})
	case PhaseInReview:
		return m.after(m.request, NextAction{Who: Reviewer, Do: DoVerdict})
	}
	return m.afterVerdict()
}

// after returns next, or the ACK of msg if that is still missing.
func (m *machine) after(msg *Message, next NextAction) NextAction {
	next.MsgID = msg.ID
	if msg.RequiresAck && !m.acked[msg.ID] {
		next.Who, next.Do = msg.To, DoAck
	}
	return next
}

func (m *machine) afterVerdict() NextAction {
	v := m.verdict.Payload.Verdict
	switch {
	case v.LowConfidence() && !m.reported():
		return m.after(m.verdict, NextAction{Who: Coordinator, Do: DoReport})
	case v.Decision == Rejected:
		return m.after(m.verdict, NextAction{Who: Coordinator, Do: DoDispatch})
	}
	if d := m.after(m.verdict, NextAction{}); d.Who != "" {
		return d
	}
	return NextAction{} // one review is for the whole task (rule C15)
}

// reported reports whether the coordinator escalated the verdict.
func (m *machine) reported() bool {
	return slices.ContainsFunc(m.seen, func(e *Message) bool {
		return e.Type == TypeEscalation && e.From == Coordinator && slices.Contains(e.Payload.Escalation.Affected, m.verdict.ID)
	})
}

// answerLock returns the next action of a locked task: the admin answers an escalated lock, the
// coordinator escalates any other. No failure stays silent (rule X10).
func (m *machine) answerLock() NextAction {
	for _, e := range m.raised {
		if e.Payload.Escalation.Kind == HallucinationLock {
			return NextAction{Who: Admin, Do: DoRespond, MsgID: e.ID}
		}
	}
	return NextAction{Who: Coordinator, Do: DoEscalate, MsgID: m.state.LockedBy}
}

// worst returns the oldest of the open escalations of the highest severity.
func (m *machine) worst() *Message {
	for _, severity := range []string{Critical, Warning} {
		for _, e := range m.raised {
			if e.Payload.Escalation.Severity == severity {
				return e
			}
		}
	}
	return m.raised[0]
}
