package agn

import (
	"slices"

	"github.com/signalbox-dev/signalbox/core/canon"
)

// History holds everything known about one task, in any order. Messages that break a
// rule or belong to another task are ignored and noted (rule E0).
type History struct {
	Messages []Message
	Acks     []Ack
	Resumes  []Resume
}

// Ack is a receiver's confirmation that a message arrived: for a dispatch "received and
// started", never "completed" (rules E12 and D9). The spec defines no form for it, so this
// form is our own (rule C4).
type Ack struct {
	// MsgID identifies the message, and By is its receiver.
	MsgID, By string
	// Millis is when it was written. If that is before the message, the message's time counts: a
	// fact about a message cannot precede it.
	Millis int64
}

// Resume is the admin's answer to an escalation, or to a lock that nobody escalated yet. The
// spec defines no form for it, so this form is our own (rule C6).
type Resume struct {
	// MsgID identifies the escalation, or the verdict that locked the task.
	MsgID  string
	Action Action
	Text   string
	// Millis is when it was written. If that is before the message it answers, the message's
	// time counts, as for an ACK.
	Millis int64
}

// Action is what the admin decided.
type Action string

// The actions. All except Terminate let the task go on: Approve as planned, in the phase
// before the warning, the others with another dispatch.
const (
	Approve   Action = "approve"
	Redirect  Action = "redirect"
	Split     Action = "split"
	Terminate Action = "terminate"
)

// Phase is how far a task has come.
type Phase string

// The phases. If several apply, Locked comes before Suspended, and Suspended before Escalated.
// Terminated is final.
const (
	PhaseNone       Phase = "none" // no dispatch yet
	PhaseDispatched Phase = "dispatched"
	PhaseInWork     Phase = "in work" // the dispatch is acknowledged (rule D9)
	PhaseResult     Phase = "result"
	PhaseInReview   Phase = "in review"
	PhaseApproved   Phase = "approved"
	PhaseRejected   Phase = "rejected" // TaskState.Rejects times
	PhaseLocked     Phase = "locked"
	PhaseSuspended  Phase = "suspended" // an open critical escalation (rule X9)
	PhaseEscalated  Phase = "escalated" // an open warning
	PhaseResumed    Phase = "resumed"
	PhaseTerminated Phase = "terminated"
)

// Wait is a message that asks for an ACK and has none.
type Wait struct {
	MsgID string
	// From waits for To.
	From, To string
	// Deadline is the last moment for the ACK, in Unix milliseconds.
	Deadline int64
	Overdue  bool
}

// HeartbeatLimit is the silence after which a task is reported, in milliseconds
// (rule X11).
const HeartbeatLimit = 30 * 60 * 1000

// FutureLimit is how far ahead of now a time may be, in milliseconds, since clocks of two
// machines differ. A later time is noted and not believed (rule E7).
const FutureLimit = 2 * 60 * 1000

// TaskState is the state of a task at one moment.
type TaskState struct {
	TaskID string
	Phase  Phase
	// Rejects counts the task's rejections, as [Rejects] does. Consecutive counts those that
	// moved the task since the last approval or the last opened lock.
	Rejects, Consecutive int
	// LockNear is set if the reject count has reached [WarnRejects] (rule Q7).
	LockNear bool
	// Lock is the rule that locked the task, or empty. LockedBy is the id of the message.
	Lock     LockRule
	LockedBy string
	// Open lists the unanswered escalations of every severity, oldest first. A
	// terminated task has none.
	Open []string
	// Suspended lists the agents that must not do anything new, sorted.
	Suspended []string
	// Waits lists the missing ACKs by deadline.
	Waits []Wait
	// LastWrite is when the newest fact was written, in Unix milliseconds. Age is how long ago
	// that was, in milliseconds. Both are 0 if nothing was written.
	LastWrite, Age int64
	// Silent is set if Age has reached [HeartbeatLimit] while the task is not finished and does
	// not wait for the admin.
	Silent bool
	Next   NextAction
	// Notes list what was out of order. They quote the input.
	Notes []canon.Fault
}

// CanAnswer reports whether an answer by the admin to a message of the task counts: the message
// is an open escalation, or the task is locked and the message locked it or escalates a lock.
func (s *TaskState) CanAnswer(m *Message) bool {
	if slices.Contains(s.Open, m.ID) {
		return true
	}
	e := m.Payload.Escalation
	return s.Lock != LockNone && (m.ID == s.LockedBy || e != nil && e.Kind == HallucinationLock)
}
