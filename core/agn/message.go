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

var envelopeShape = shape{what: "the message", fields: []field{
	{name: "msg_id", rule: "E1"},
	{name: "protocol_version", rule: "E2"},
	{name: "type", rule: "E3"},
	{name: "from", rule: "E4"},
	{name: "to", rule: "E5"},
	{name: "task_id", rule: "E6"},
	{name: "timestamp", rule: "E7"},
	{name: "requires_ack", rule: "E8"},
	{name: "ack_timeout_sec", rule: "E9", optional: true},
	{name: "context_ref", rule: "E10", optional: true},
	{name: "payload", rule: "E11"},
}}

// ParseMessage reads one message. It returns a *[canon.Fault] of rule E0 for what is
// no JSON object in UTF-8 of at most [MaxMessage] bytes. Every other fault is
// listed in the Message, all of them and not only the first; one with a fault is
// invalid (rule E0). Of a message of another protocol version E2 alone is
// listed, since the other rules are this version's.
func ParseMessage(data []byte) (Message, error) {
	if bad := root(data, "the message", MaxMessage); bad != nil {
		return Message{}, bad
	}
	msg := Message{Raw: data}
	var at [11]*member
	_ = readMembers(&msg.Findings, canon.Value{Kind: canon.Mapping, Raw: data}, &envelopeShape, "", func(m *member) {
		for i := range envelopeShape.fields {
			if envelopeShape.fields[i].name == m.name {
				at[i] = m
			}
		}
		msg.member(m)
	})
	if v := at[1]; v != nil && v.v.Kind == canon.String && msg.Version != Version {
		only := canon.Fault{Rule: "E2", Field: v.path, Offset: v.v.Offset, Reason: "the protocol version is " + quote(msg.Version) + ", not " + Version}
		msg.Findings = canon.Findings{Faults: []canon.Fault{only}}
		return msg, nil
	}
	if p := at[10]; p != nil && p.is(canon.Mapping) {
		msg.Payload = readPayload(msg.Type, p)
	}
	msg.together(at[0], at[7], at[8], at[4])
	return msg, nil
}

func (msg *Message) member(m *member) {
	switch m.name {
	case "msg_id":
		msg.ID = m.word()
	case "protocol_version":
		msg.Version = m.text()
	case "type":
		msg.Type = m.oneOf(TypeDispatch, TypeResult, TypeRequest, TypeVerdict, TypeEscalation)
	case "from":
		msg.From = m.oneOf(Admin, Coordinator, Executor, Reviewer, System)
	case "to":
		msg.To = m.oneOf(Admin, Coordinator, Executor, Reviewer)
	case "task_id":
		if msg.TaskID = m.word(); msg.TaskID != "" && !ValidTaskID(msg.TaskID) {
			m.fault("the task id " + quote(msg.TaskID) + " has not the form T-YYYY-NNN")
		}
	case "timestamp":
		msg.Time = m.time()
	case "requires_ack":
		msg.RequiresAck = m.flag()
	case "ack_timeout_sec":
		msg.AckTimeout = m.count()
		if n, ok := m.v.Int64(); ok && (n == 0 || n > MaxAckTimeout) {
			m.fault("a timeout of " + strconv.FormatInt(n, 10) + " s is not between 1 and " + strconv.Itoa(MaxAckTimeout))
			msg.AckTimeout = 0
		}
	case "context_ref":
		msg.ContextRef = m.refs()
	}
}

func (m *member) time() Time {
	text := m.text()
	if m.v.Kind != canon.String {
		return Time{}
	}
	t := ParseTime(text)
	if !t.OK {
		m.fault(quote(m.path) + " is no ISO 8601 time with an offset: " + quote(text))
	}
	return t
}

// together holds the rules over more than one member. Each is looked at only
// where the members themselves are sound, so that one mistake is one fault.
func (msg *Message) together(id, ack, timeout, to *member) {
	if id != nil && msg.ID != "" {
		msg.checkID(id)
	}
	if ack != nil && ack.v.Kind == canon.Bool && !msg.RequiresAck {
		if ValidType(msg.Type) && msg.Type != TypeEscalation {
			ack.fault("a " + msg.Type + " must ask for an ACK")
		} else if timeout != nil {
			msg.AddNote("E9", timeout.path, timeout.v.Offset, "a timeout has no meaning where no ACK is asked for")
		}
	}
	if to != nil && party(msg.From) && party(msg.To) && msg.To != System && ValidType(msg.Type) && !route(msg.Type, msg.From, msg.To) {
		msg.AddFault("R1", to.path, to.v.Offset, "no "+msg.Type+" goes from "+msg.From+" to "+msg.To)
	}
}

func (msg *Message) checkID(m *member) {
	id, ok := ParseID(msg.ID)
	switch {
	case !ok:
		m.fault("the message id " + quote(msg.ID) + " has not the form type-task-milliseconds")
	case !id.Timed() || id.String() != msg.ID:
		m.fault("the message id " + quote(msg.ID) + " does not end in a time in milliseconds, which has 13 digits")
	case ValidType(msg.Type) && id.Type != msg.Type:
		m.fault("the message id names a " + id.Type + ", the message is a " + msg.Type)
	case ValidTaskID(msg.TaskID) && id.TaskID != msg.TaskID:
		m.fault("the message id names the task " + id.TaskID + ", the message is of " + msg.TaskID)
	}
}

func party(s string) bool {
	switch s {
	case Admin, Coordinator, Executor, Reviewer, System:
		return true
	}
	return false
}

// Route gives who sends a type of message to whom (rule R1). from is empty for an
// escalation, which anybody but the admin sends. ok is false for an unknown type.
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

// Timeout gives the seconds within which the message must be acknowledged: its
// own, or its type's default (rule E9). It is 0 where no ACK is asked for, and
// for an escalation that names none.
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
