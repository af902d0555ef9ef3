package agn

import (
	"strconv"

	"github.com/signalbox-dev/signalbox/core/canon"
)

// Message is one envelope with its payload. Members that are missing or of the
// wrong kind are zero and listed in Faults.
type Message struct {
	// Raw is the whole text. It aliases the input.
	Raw                                 []byte
	ID, Version, Type, From, To, TaskID string
	Time                                Time
	RequiresAck                         bool
	// AckTimeout is the message's own deadline in seconds, or 0 if it has none;
	// [Message.Timeout] adds the default.
	AckTimeout int64
	// ContextRef holds ids of earlier messages.
	ContextRef []string
	Payload    Payload
	canon.Findings
}

// messageReader is an envelope being read, with the members that are checked again once all are
// read.
type messageReader struct {
	Message
	id, version, to, ack, timeout, payload *canon.Member
}

var envelopeShape = canon.Shape[*messageReader]{What: "the message", Fields: []canon.Field[*messageReader]{
	{Name: "msg_id", Rule: "E1", Set: func(r *messageReader, m *canon.Member) { r.ID, r.id = nonBlank(m), m.Kept() }},
	{Name: "protocol_version", Rule: "E2", Set: func(r *messageReader, m *canon.Member) { r.Version, r.version = m.Text(), m.Kept() }},
	{Name: "type", Rule: "E3", Set: func(r *messageReader, m *canon.Member) {
		r.Type = m.OneOf(TypeDispatch, TypeResult, TypeRequest, TypeVerdict, TypeEscalation)
	}},
	{Name: "from", Rule: "E4", Set: func(r *messageReader, m *canon.Member) {
		r.From = m.OneOf(Admin, Coordinator, Executor, Reviewer, System)
	}},
	{Name: "to", Rule: "E5", Set: func(r *messageReader, m *canon.Member) {
		r.To, r.to = m.OneOf(Admin, Coordinator, Executor, Reviewer), m.Kept()
	}},
	{Name: "task_id", Rule: "E6", Set: func(r *messageReader, m *canon.Member) { r.TaskID = taskID(m) }},
	{Name: "timestamp", Rule: "E7", Set: func(r *messageReader, m *canon.Member) { r.Time = readTime(m) }},
	{Name: "requires_ack", Rule: "E8", Set: func(r *messageReader, m *canon.Member) { r.RequiresAck, r.ack = m.Flag(), m.Kept() }},
	{Name: "ack_timeout_sec", Rule: "E9", Optional: true, Set: func(r *messageReader, m *canon.Member) {
		r.AckTimeout, r.timeout = count(m), m.Kept()
		if n, ok := m.Int64(); ok && (n == 0 || n > MaxAckTimeout) {
			m.Fault("a timeout of " + strconv.FormatInt(n, 10) + " s is not between 1 and " + strconv.Itoa(MaxAckTimeout))
			r.AckTimeout = 0
		}
	}},
	{Name: "context_ref", Rule: "E10", Optional: true, Set: func(r *messageReader, m *canon.Member) { r.ContextRef = list(m, ref) }},
	{Name: "payload", Rule: "E11", Set: func(r *messageReader, m *canon.Member) { r.payload = m.Kept() }},
}}

// ParseMessage reads one message. It returns a *[canon.Fault] of rule E0 unless data is a JSON
// object in UTF-8 of at most [MaxMessage] bytes. All other faults are listed in the Message, and
// a message with faults is invalid (rule E0). A message of another protocol version has only the
// fault E2, since the other rules are for this version.
func ParseMessage(data []byte) (Message, error) {
	if bad := checkObject(data, "the message", MaxMessage); bad != nil {
		return Message{}, bad
	}
	r := messageReader{Message: Message{Raw: data}}
	envelopeShape.Read(rootOf(data, &r.Findings), &r)
	if v := r.version; v != nil && v.Kind == canon.String && r.Version != Version {
		only := canon.Fault{Rule: "E2", Field: v.Path(), Offset: v.Offset, Reason: "the protocol version is " + quote(r.Version) + ", not " + Version}
		r.Findings = canon.Findings{Faults: []canon.Fault{only}}
		return r.Message, nil
	}
	if p := r.payload; p != nil && p.Is(canon.Mapping) {
		r.Payload = readPayload(r.Type, p)
	}
	r.crossCheck()
	return r.Message, nil
}

// taskID reads the id of a task.
func taskID(m *canon.Member) string {
	s := nonBlank(m)
	if s != "" && !ValidTaskID(s) {
		m.Fault("the task id " + quote(s) + " does not have the form T-YYYY-NNN")
	}
	return s
}

func readTime(m *canon.Member) Time {
	text := m.Text()
	if m.Kind != canon.String {
		return Time{}
	}
	t := ParseTime(text)
	if !t.OK {
		m.Fault(m.Quoted() + " is not an ISO 8601 time with an offset: " + quote(text))
	}
	return t
}

// crossCheck checks the rules that involve several members. It checks a rule only if its members
// are sound, so that one mistake is one fault.
func (r *messageReader) crossCheck() {
	if r.id != nil && r.ID != "" {
		r.checkID(r.id)
	}
	if r.ack != nil && r.ack.Kind == canon.Bool && !r.RequiresAck {
		if ValidType(r.Type) && r.Type != TypeEscalation {
			r.ack.Fault("a " + r.Type + " must ask for an ACK")
		} else if r.timeout != nil {
			r.timeout.Note("a timeout has no meaning where no ACK is asked for")
		}
	}
	if r.to != nil && party(r.From) && party(r.To) && r.To != System && ValidType(r.Type) && !route(r.Type, r.From, r.To) {
		r.to.FaultOf("R1", "no "+r.Type+" goes from "+r.From+" to "+r.To)
	}
}

func (msg *Message) checkID(m *canon.Member) {
	id, ok := ParseID(msg.ID)
	switch {
	case !ok:
		m.Fault("the message id " + quote(msg.ID) + " does not have the form type-task-milliseconds")
	case !id.Timed() || id.String() != msg.ID:
		m.Fault("the message id " + quote(msg.ID) + " does not end in a time in milliseconds, which has 13 digits")
	case ValidType(msg.Type) && id.Type != msg.Type:
		m.Fault("the message id names a " + id.Type + ", the message is a " + msg.Type)
	case ValidTaskID(msg.TaskID) && id.TaskID != msg.TaskID:
		m.Fault("the message id names the task " + id.TaskID + ", the message is of " + msg.TaskID)
	}
}

func party(s string) bool {
	switch s {
	case Admin, Coordinator, Executor, Reviewer, System:
		return true
	}
	return false
}

// Route returns the sender and receiver of a type of message (rule R1). from is empty for an
// escalation, which everybody except the admin may send. ok is false for an unknown type.
func Route(kind string) (from, to string, ok bool) {
	switch kind {
	case TypeDispatch:
		return Coordinator, Executor, true
	case TypeResult:
		return Executor, Coordinator, true
	case TypeRequest:
		return Coordinator, Reviewer, true
	case TypeVerdict:
		return Reviewer, Coordinator, true
	case TypeEscalation:
		return "", Admin, true
	}
	return "", "", false
}

// route reports whether a message of a type goes from one party to another.
func route(kind, from, to string) bool {
	wantFrom, wantTo, ok := Route(kind)
	return ok && to == wantTo && (from == wantFrom || wantFrom == "" && from != Admin)
}

// Timeout returns the seconds within which the message must be acknowledged: its own,
// or its type's default (rule E9). It is 0 if no ACK is asked for, and for an
// escalation that names no timeout.
func (msg *Message) Timeout() int64 {
	if !msg.RequiresAck {
		return 0
	}
	if msg.AckTimeout > 0 {
		return msg.AckTimeout
	}
	switch msg.Type {
	case TypeDispatch:
		return 300
	case TypeResult:
		return 120
	case TypeRequest:
		return 600
	case TypeVerdict:
		return 60
	}
	return 0
}

// sound reports whether the message breaks no rule and has its type's payload. Every parsed
// message without faults is sound.
func (msg *Message) sound() bool {
	p := &msg.Payload
	return len(msg.Faults) == 0 && (msg.Type == TypeDispatch && p.Dispatch != nil ||
		msg.Type == TypeResult && p.Result != nil ||
		msg.Type == TypeRequest && p.Request != nil ||
		msg.Type == TypeVerdict && p.Verdict != nil ||
		msg.Type == TypeEscalation && p.Escalation != nil)
}

// rejection reports whether the message is a verdict that rejects.
func (msg *Message) rejection() bool {
	v := msg.Payload.Verdict
	return v != nil && v.Decision == Rejected
}
