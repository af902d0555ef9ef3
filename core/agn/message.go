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
	// AckTimeout is the message's own deadline in seconds, or 0 where it has
	// none; [Message.Timeout] knows the default.
	AckTimeout int64
	// ContextRef names earlier messages.
	ContextRef []string
	Payload    Payload
	canon.Findings
}

var envelopeShape = canon.Shape{What: "the message", Fields: []canon.Field{
	{Name: "msg_id", Rule: "E1"},
	{Name: "protocol_version", Rule: "E2"},
	{Name: "type", Rule: "E3"},
	{Name: "from", Rule: "E4"},
	{Name: "to", Rule: "E5"},
	{Name: "task_id", Rule: "E6"},
	{Name: "timestamp", Rule: "E7"},
	{Name: "requires_ack", Rule: "E8"},
	{Name: "ack_timeout_sec", Rule: "E9", Optional: true},
	{Name: "context_ref", Rule: "E10", Optional: true},
	{Name: "payload", Rule: "E11"},
}}

// ParseMessage reads one message. It returns a *[canon.Fault] of rule E0 for anything
// but a JSON object in UTF-8 of at most [MaxMessage] bytes. All other faults are listed
// in the Message, and a message with faults is invalid (rule E0). A message of another
// protocol version has only the fault E2, since the other rules are this version's.
func ParseMessage(data []byte) (Message, error) {
	if bad := checkObject(data, "the message", MaxMessage); bad != nil {
		return Message{}, bad
	}
	msg := Message{Raw: data}
	at := map[string]*canon.Member{}
	rootOf(data, &msg.Findings).Object(&envelopeShape, func(m *canon.Member) {
		kept := *m
		at[m.Name] = &kept
		msg.member(m)
	})
	if v := at["protocol_version"]; v != nil && v.Kind == canon.String && msg.Version != Version {
		only := canon.Fault{Rule: "E2", Field: v.Path(), Offset: v.Offset, Reason: "the protocol version is " + quote(msg.Version) + ", not " + Version}
		msg.Findings = canon.Findings{Faults: []canon.Fault{only}}
		return msg, nil
	}
	if p := at["payload"]; p != nil && p.Is(canon.Mapping) {
		msg.Payload = readPayload(msg.Type, p)
	}
	msg.together(at["msg_id"], at["requires_ack"], at["ack_timeout_sec"], at["to"])
	return msg, nil
}

func (msg *Message) member(m *canon.Member) {
	switch m.Name {
	case "msg_id":
		msg.ID = word(m)
	case "protocol_version":
		msg.Version = m.Text()
	case "type":
		msg.Type = m.OneOf(TypeDispatch, TypeResult, TypeRequest, TypeVerdict, TypeEscalation)
	case "from":
		msg.From = m.OneOf(Admin, Coordinator, Executor, Reviewer, System)
	case "to":
		msg.To = m.OneOf(Admin, Coordinator, Executor, Reviewer)
	case "task_id":
		if msg.TaskID = word(m); msg.TaskID != "" && !ValidTaskID(msg.TaskID) {
			m.Fault("the task id " + quote(msg.TaskID) + " has not the form T-YYYY-NNN")
		}
	case "timestamp":
		msg.Time = readTime(m)
	case "requires_ack":
		msg.RequiresAck = m.Flag()
	case "ack_timeout_sec":
		msg.AckTimeout = count(m)
		if n, ok := m.Int64(); ok && (n == 0 || n > MaxAckTimeout) {
			m.Fault("a timeout of " + strconv.FormatInt(n, 10) + " s is not between 1 and " + strconv.Itoa(MaxAckTimeout))
			msg.AckTimeout = 0
		}
	case "context_ref":
		msg.ContextRef = refs(m)
	}
}

func readTime(m *canon.Member) Time {
	text := m.Text()
	if m.Kind != canon.String {
		return Time{}
	}
	t := ParseTime(text)
	if !t.OK {
		m.Fault(m.Quoted() + " is no ISO 8601 time with an offset: " + quote(text))
	}
	return t
}

// together holds the rules over more than one member. Each is looked at only
// where the members themselves are sound, so that one mistake is one fault.
func (msg *Message) together(id, ack, timeout, to *canon.Member) {
	if id != nil && msg.ID != "" {
		msg.checkID(id)
	}
	if ack != nil && ack.Kind == canon.Bool && !msg.RequiresAck {
		if ValidType(msg.Type) && msg.Type != TypeEscalation {
			ack.Fault("a " + msg.Type + " must ask for an ACK")
		} else if timeout != nil {
			timeout.Note("a timeout has no meaning where no ACK is asked for")
		}
	}
	if to != nil && party(msg.From) && party(msg.To) && msg.To != System && ValidType(msg.Type) && !route(msg.Type, msg.From, msg.To) {
		to.FaultOf("R1", "no "+msg.Type+" goes from "+msg.From+" to "+msg.To)
	}
}

func (msg *Message) checkID(m *canon.Member) {
	id, ok := ParseID(msg.ID)
	switch {
	case !ok:
		m.Fault("the message id " + quote(msg.ID) + " has not the form type-task-milliseconds")
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

// Route returns who sends a type of message to whom (rule R1). from is empty for an
// escalation, which everybody except the admin may send. ok is false for an unknown
// type.
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

// sound reports whether the message breaks no rule and has its type's payload,
// as every one has that was parsed so.
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
