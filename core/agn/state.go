package agn

import (
	"slices"
	"strconv"

	"github.com/signalbox-dev/signalbox/core/canon"
)

// State returns the state of a task at the moment now, in Unix milliseconds, by following its
// history in order of time. It never fails: what must not happen is noted and changes
// nothing.
//
// Messages of other tasks are noted and left out. A terminated task waits for no ACKs; a locked
// or suspended one does.
func State(taskID string, h History, now int64) TaskState {
	return follow(taskID, &h, now).finish()
}

// follow takes a task through its history.
func follow(taskID string, h *History, now int64) *machine {
	m := &machine{state: TaskState{TaskID: taskID}, now: now, byID: map[string]*Message{}, acked: map[string]bool{}, open: map[*Message]bool{}, base: PhaseNone}
	for _, e := range m.events(h) {
		m.apply(&e)
	}
	return m
}

// machine is a task being followed through its history.
type machine struct {
	state TaskState
	now   int64
	byID  map[string]*Message
	acked map[string]bool
	// seen lists the messages so far.
	seen []*Message
	// base is the phase as it would be without locks and escalations.
	base Phase
	// The latest that counted of each type. A dispatch begins a new round.
	dispatch, result, request, verdict *Message
	// raised lists the escalations before the task was terminated, open the unanswered ones,
	// lockers the unanswered ones that declare a lock. criticals counts the open critical
	// ones, which stop everybody.
	raised, lockers []*Message
	open            map[*Message]bool
	criticals       int
	// lastSign is LastWrite without the system's own messages.
	lastSign int64
}

func (m *machine) note(rule, field, reason string) {
	if len(m.state.Notes) < canon.MaxFindings {
		m.state.Notes = append(m.state.Notes, canon.Fault{Rule: rule, Field: field, Reason: reason})
	}
}

func (m *machine) apply(e *event) {
	future := m.future(e.writtenAt)
	if future {
		m.note("E7", e.id, "the time lies "+strconv.FormatInt((e.writtenAt-m.now)/1000, 10)+" s in the future")
	}
	if len(m.seen) == 0 && e.msg == nil {
		m.note("E12", e.id, "it answers a message that is not there")
		return
	}
	if !future { // a wrong clock is no heartbeat
		m.state.LastWrite = max(m.state.LastWrite, e.writtenAt)
		if e.msg == nil || e.msg.From != System {
			m.lastSign = max(m.lastSign, e.writtenAt)
		}
	}
	switch {
	case e.ack != nil:
		m.ack(e.ack)
	case e.resume != nil:
		m.resume(e.resume)
	default:
		m.message(e.msg)
	}
}

// known returns the message that is answered, or nil with a note if no such message
// came before.
func (m *machine) known(id, what string) *Message {
	if msg := m.byID[id]; msg != nil {
		return msg
	}
	m.note("E12", id, what+" answers a message that is not there")
	return nil
}

func (m *machine) ack(a *Ack) {
	msg := m.known(a.MsgID, "an ACK")
	if msg == nil {
		return
	}
	if msg.To != a.By {
		m.note("E12", a.MsgID, "the ACK is "+quote(a.By)+"'s, and the message went to "+msg.To)
		return
	}
	m.acked[a.MsgID] = true
	if msg == m.dispatch && m.base == PhaseDispatched {
		m.base = PhaseInWork
	}
}

func (m *machine) message(msg *Message) {
	m.seen = append(m.seen, msg)
	if msg.rejection() {
		m.state.Rejects++ // even if it does not move the task: see [Rejects]
	}
	switch {
	case msg.Type == TypeEscalation && m.base == PhaseTerminated:
		m.note("X9", msg.ID, "an escalation of a task that was terminated")
		return
	case msg.Type == TypeEscalation:
		m.escalate(msg)
		return
	case m.base == PhaseTerminated || m.state.Lock != LockNone || m.critical():
		// The message counts and needs its ACK, but does not move the task.
		m.note("X9", msg.ID, "a "+msg.Type+" was sent while the task stands still")
		return
	}
	switch msg.Type {
	case TypeDispatch:
		m.dispatch, m.result, m.request, m.verdict = msg, nil, nil, nil
		m.base = PhaseDispatched
	case TypeResult:
		m.gotResult(msg)
	case TypeRequest:
		m.gotRequest(msg)
	case TypeVerdict:
		m.gotVerdict(msg)
	}
}

func (m *machine) gotResult(msg *Message) {
	if m.dispatch == nil {
		m.note("T1", msg.ID, "a result of a task that was not dispatched")
		return
	}
	if m.base == PhaseInReview {
		m.note("T10", msg.ID, "a result while its predecessor is in review")
	}
	m.result, m.request, m.verdict = msg, nil, nil
	m.base = PhaseResult
}

func (m *machine) gotRequest(msg *Message) {
	if m.result == nil || m.result.Payload.Result.Status != "complete" {
		m.note("Q2", msg.ID, "a review was asked for without a complete result")
		return
	}
	m.request, m.verdict = msg, nil
	m.base = PhaseInReview
}

func (m *machine) gotVerdict(msg *Message) {
	if m.request == nil {
		m.note("V1", msg.ID, "a verdict that nobody asked for")
		return
	}
	if m.verdict != nil {
		m.note("V1", msg.ID, "a second verdict on one request; the later one counts")
	}
	m.verdict = msg
	if msg.Payload.Verdict.Decision != Rejected {
		m.state.Consecutive = 0
		m.base = PhaseApproved
		return
	}
	m.state.Consecutive++
	m.base = PhaseRejected
	if rule := Lock(m.state.Rejects, m.state.Consecutive); rule != LockNone {
		m.state.Lock, m.state.LockedBy = rule, msg.ID
	}
}

func (m *machine) escalate(msg *Message) {
	m.raised = append(m.raised, msg)
	m.open[msg] = true
	if msg.Payload.Escalation.Severity == Critical {
		m.criticals++
	}
	if msg.Payload.Escalation.Kind != HallucinationLock {
		return
	}
	m.lockers = append(m.lockers, msg)
	if m.state.Lock == LockNone {
		m.state.Lock, m.state.LockedBy = LockDeclared, msg.ID
	}
}

// critical reports whether a critical escalation is open. It stops everybody.
func (m *machine) critical() bool { return m.criticals > 0 }

// answered removes an escalation from the open ones.
func (m *machine) answered(e *Message) {
	if m.open[e] && e.Payload.Escalation.Severity == Critical {
		m.criticals--
	}
	delete(m.open, e)
}

// resume applies the admin's answer. An answer to any escalation of a lock, or to the message
// that locked the task, opens the lock.
func (m *machine) resume(r *Resume) {
	msg := m.known(r.MsgID, "a resume")
	if msg == nil {
		return
	}
	locks := m.state.Lock != LockNone && (msg.ID == m.state.LockedBy || msg.Type == TypeEscalation && msg.Payload.Escalation.Kind == HallucinationLock)
	if !m.open[msg] && !locks {
		m.note("X9", r.MsgID, "a resume of what is not open")
		return
	}
	if !slices.Contains(Actions(), r.Action) {
		m.note("X9", r.MsgID, "a resume with the unknown action "+quote(string(r.Action)))
		return
	}
	m.answered(msg)
	if locks {
		m.unlock()
	}
	switch {
	case r.Action == Terminate:
		m.terminate()
	case locks || !m.keepsPhase(msg, r.Action):
		m.base = PhaseResumed
	}
}

// keepsPhase reports whether the task stays in its base phase after an answer to an escalation.
// To approve is to go on as planned. A task whose agents were stopped cannot do that, unless it
// was approved already.
func (m *machine) keepsPhase(e *Message, answer Action) bool {
	switch e.Payload.Escalation.Severity {
	case Info:
		return true
	case Critical:
		return answer == Approve && m.base == PhaseApproved
	}
	return answer == Approve
}

// unlock restarts the count of consecutive rejections. The count over the task's whole life
// stays, so that after three rejections the next one locks again. All escalations that declare a
// lock are answered too.
func (m *machine) unlock() {
	m.state.Lock, m.state.LockedBy, m.state.Consecutive = LockNone, "", 0
	for _, e := range m.lockers {
		m.answered(e)
	}
	m.lockers = nil
}

// terminate ends the task for good, and closes everything that waits for the admin.
func (m *machine) terminate() {
	m.base = PhaseTerminated
	if m.state.Lock != LockNone {
		m.unlock()
	}
	clear(m.open)
	m.criticals = 0
}
