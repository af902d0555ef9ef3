package agn

import (
	"cmp"
	"slices"
	"strconv"
)

// State follows a task through its history, in order of time, to the moment now
// in Unix milliseconds. It never fails: what may not happen is noted and changes
// nothing.
//
// Messages of other tasks are noted and left out. A task that was terminated owes
// no ACKs, one that is locked or suspended does.
func State(taskID string, h History, now int64) TaskState {
	return follow(taskID, &h, now).finish()
}

// follow takes a task through its history.
func follow(taskID string, h *History, now int64) *machine {
	m := &machine{state: TaskState{TaskID: taskID}, now: now, byID: map[string]*Message{}, here: map[string]*Message{}, acked: map[string]bool{}, base: PhaseNone}
	for _, e := range m.events(h) {
		m.apply(&e)
	}
	return m
}

// event is one fact. Exactly one pointer is set.
type event struct {
	millis int64
	id     string
	msg    *Message
	ack    *Ack
	resume *Resume
}

// rank puts facts of one millisecond in the order in which they depend on each
// other.
func (e *event) rank() int {
	switch {
	case e.ack != nil:
		return 5
	case e.resume != nil:
		return 6
	}
	return rank(e.msg.Type)
}

func rank(kind string) int {
	return slices.Index([]string{TypeDispatch, TypeResult, TypeRequest, TypeVerdict, TypeEscalation}, kind)
}

// Compare puts messages in the order in which they count: by time, those of one
// millisecond in the order in which they depend on each other (a dispatch, its
// result, the request, the verdict, escalations), then by id. Clocks that count
// seconds write a whole round at one time.
func Compare(a, b *Message) int {
	return cmp.Or(cmp.Compare(a.Time.Millis, b.Time.Millis), cmp.Compare(rank(a.Type), rank(b.Type)), cmp.Compare(a.ID, b.ID))
}

// events sorts what counts, and notes what does not.
func (m *machine) events(h *History) []event {
	list := []event{}
	for i := range h.Messages {
		msg := &h.Messages[i]
		switch before, again := m.byID[msg.ID]; {
		case !msg.sound():
			m.note("E0", msg.ID, "an invalid message counts for nothing")
		case msg.TaskID != m.state.TaskID:
			m.note("E6", msg.ID, "a message of another task counts for nothing")
		case again && string(before.Raw) != string(msg.Raw):
			// The first one stays: nothing is ever overwritten.
			m.note("E1", msg.ID, "two messages are called the same")
		case !again:
			m.byID[msg.ID] = msg
			list = append(list, event{millis: msg.Time.Millis, id: msg.ID, msg: msg})
		}
	}
	for i := range h.Acks {
		list = append(list, event{millis: h.Acks[i].Millis, id: h.Acks[i].MsgID, ack: &h.Acks[i]})
	}
	for i := range h.Resumes {
		list = append(list, event{millis: h.Resumes[i].Millis, id: h.Resumes[i].MsgID, resume: &h.Resumes[i]})
	}
	slices.SortStableFunc(list, func(a, b event) int {
		return cmp.Or(cmp.Compare(a.millis, b.millis), cmp.Compare(a.rank(), b.rank()), cmp.Compare(a.id, b.id))
	})
	return list
}

// machine is a task on its way through its history.
type machine struct {
	state TaskState
	now   int64
	byID  map[string]*Message
	acked map[string]bool
	// seen lists the messages that came so far, and here finds them.
	seen []*Message
	here map[string]*Message
	// base is the phase without what lies over it: locks and escalations.
	base Phase
	// The latest of each that counted; a dispatch begins a new round.
	dispatch, result, request, verdict *Message
	// open lists the unanswered escalations, criticals of them stop everybody.
	open      []*Message
	criticals int
	// lastSign is LastWrite without what the system wrote.
	lastSign int64
}

func (m *machine) note(rule, field, reason string) {
	if len(m.state.Notes) < MaxFindings {
		m.state.Notes = append(m.state.Notes, Fault{Rule: rule, Field: field, Reason: reason})
	}
}

func (m *machine) apply(e *event) {
	if e.millis > m.now+FutureLimit {
		m.note("E7", e.id, "the time lies "+strconv.FormatInt((e.millis-m.now)/1000, 10)+" s in the future")
	}
	if n := len(m.seen); n == 0 && e.msg == nil {
		m.note("E12", e.id, "it answers a message that is not there")
		return
	}
	if e.millis <= m.now+FutureLimit {
		m.state.LastWrite = e.millis // a wrong clock must not stand for a heartbeat
		if e.msg == nil || e.msg.From != System {
			m.lastSign = e.millis
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

// known gives a message that came before, and notes an answer to any other.
func (m *machine) known(id, what string) *Message {
	if msg := m.here[id]; msg != nil {
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
	m.here[msg.ID] = msg
	if msg.Type == TypeEscalation {
		m.escalate(msg)
		return
	}
	if m.base == PhaseTerminated || m.state.Lock != LockNone || m.critical() {
		// It is a fact and needs its ACK, but moves nothing.
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
	m.state.Rejects++
	m.state.Consecutive++
	m.base = PhaseRejected
	if rule := Lock(m.state.Rejects, m.state.Consecutive); rule != LockNone {
		m.state.Lock, m.state.LockedBy = rule, msg.ID
	}
}

func (m *machine) escalate(msg *Message) {
	m.open = append(m.open, msg)
	if msg.Payload.Escalation.Severity == Critical {
		m.criticals++
	}
	if msg.Payload.Escalation.Kind == HallucinationLock && m.state.Lock == LockNone {
		m.state.Lock, m.state.LockedBy = LockDeclared, msg.ID
	}
}

// critical reports whether an escalation is open that stops everybody.
func (m *machine) critical() bool { return m.criticals > 0 }

// answered takes what is answered off the open escalations.
func (m *machine) answered(is func(e *Message) bool) {
	m.open = slices.DeleteFunc(m.open, func(e *Message) bool {
		gone := is(e)
		if gone && e.Payload.Escalation.Severity == Critical {
			m.criticals--
		}
		return gone
	})
}

// resume closes what it answers. A lock opens with any escalation of its kind,
// or with the message that locked.
func (m *machine) resume(r *Resume) {
	msg := m.known(r.MsgID, "a resume")
	if msg == nil {
		return
	}
	open := slices.Contains(m.open, msg)
	locks := m.state.Lock != LockNone && (msg.ID == m.state.LockedBy || msg.Type == TypeEscalation && msg.Payload.Escalation.Kind == HallucinationLock)
	if !open && !locks {
		m.note("X9", r.MsgID, "a resume of what is not open")
		return
	}
	if !slices.Contains([]Action{Approve, Redirect, Split, Terminate}, r.Action) {
		m.note("X9", r.MsgID, "a resume with the unknown action "+quote(string(r.Action)))
		return
	}
	info := msg.Type == TypeEscalation && msg.Payload.Escalation.Severity == Info
	m.answered(func(e *Message) bool { return e == msg })
	if locks {
		m.unlock()
	}
	switch {
	case m.base == PhaseTerminated:
	case r.Action == Terminate:
		m.base = PhaseTerminated
	case !info || locks:
		m.base = PhaseResumed
	}
}

// unlock begins to count rejections in a row anew; those of the task's whole
// life stay, so that the next one locks again where there were three. The lock
// escalations that say the same are answered with it.
func (m *machine) unlock() {
	m.state.Lock, m.state.LockedBy, m.state.Consecutive = LockNone, "", 0
	m.answered(func(e *Message) bool { return e.Payload.Escalation.Kind == HallucinationLock })
}
