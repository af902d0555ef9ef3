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
// started", never "completed" (rules E12 and D9). The text defines no form for it, so
// this form is ours (rule C4).
type Ack struct {
	// MsgID names the message, and By who received it.
	MsgID, By string
	// Millis is when it was written. One that is older than its message counts as
	// of the message's time: a fact about a message cannot precede it.
	Millis int64
}

// Resume is the admin's answer to an escalation, or to a lock that nobody escalated
// yet. The text defines no form for it, so this form is ours (rule C6).
type Resume struct {
	// MsgID names the escalation, or the verdict that locked the task.
	MsgID  string
	Action Action
	Text   string
	// Millis is when it was written. One that is older than what it answers
	// counts as of that message's time, as an ACK does.
	Millis int64
}

// Action is what the admin decided.
type Action string

// The actions. All but Terminate let the task go on: Approve as planned, in the
// phase that a warning lay over, the others with another dispatch.
const (
	Approve   Action = "approve"
	Redirect  Action = "redirect"
	Split     Action = "split"
	Terminate Action = "terminate"
)

// Phase is how far a task has come.
type Phase string

// The phases. Locked comes before Suspended and Suspended before Escalated where
// more than one holds; Terminated is final.
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
	// Deadline is in Unix milliseconds. At it the ACK is still in time.
	Deadline int64
	Overdue  bool
}

// HeartbeatLimit is the silence after which a task is reported, in milliseconds
// (rule X11).
const HeartbeatLimit = 30 * 60 * 1000

// FutureLimit is how far ahead of now a time may lie, in milliseconds, since
// clocks of two machines differ. One beyond it is noted and not believed (rule
// E7).
const FutureLimit = 2 * 60 * 1000

// TaskState is the state of a task at one moment.
type TaskState struct {
	TaskID string
	Phase  Phase
	// Rejects counts the task's rejections, as [Rejects] does, and Consecutive
	// those that moved the task since the last approval, or since a lock was
	// opened.
	Rejects, Consecutive int
	// LockNear is set if the reject count has come to [WarnRejects] (rule Q7).
	LockNear bool
	// Lock is the rule that locked the task, or empty, and LockedBy the message.
	Lock     LockRule
	LockedBy string
	// Open lists the unanswered escalations of every severity, oldest first. A
	// terminated task has none.
	Open []string
	// Suspended lists the agents that must not do anything new, sorted.
	Suspended []string
	// Waits lists the missing ACKs by deadline.
	Waits []Wait
	// LastWrite is when the newest fact was written, and Age how long ago, both
	// in milliseconds. Both are 0 where nothing was written.
	LastWrite, Age int64
	// Silent is set if Age has come to [HeartbeatLimit] while the task is not
	// finished and does not wait for the admin.
	Silent bool
	Next   Duty
	// Notes say what was out of order. They quote the input.
	Notes []canon.Fault
}

// Opens reports whether an answer of the admin to a message of the task counts:
// it is an open escalation, or the task is locked and it is what locked, or any
// escalation of a lock.
func (s *TaskState) Opens(m *Message) bool {
	if slices.Contains(s.Open, m.ID) {
		return true
	}
	e := m.Payload.Escalation
	return s.Lock != LockNone && (m.ID == s.LockedBy || e != nil && e.Kind == HallucinationLock)
}
