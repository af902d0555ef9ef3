package amp

import (
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/signalbox-dev/signalbox/core/canon"
)

// The priorities (rule ENV-5).
const (
	Urgent = "urgent"
	High   = "high"
	Normal = "normal"
	Low    = "low"
)

// Priorities lists the priorities, the most pressing first.
func Priorities() []string { return []string{Urgent, High, Normal, Low} }

// Message is one message as it is stored. Members that are missing or of the wrong
// kind are zero and listed in Faults. Only what [Signed] names is signed: ID, Time,
// Expires, ThreadID and IdempotencyKey are anybody's word (rule SIG-9).
type Message struct {
	// Raw is the whole text. It aliases the input.
	Raw               []byte
	Version, ID       string
	From, To, Subject string
	// Priority is [Normal] where the message has none.
	Priority      string
	Time, Expires Time
	// Signature is base64, and empty where the message is not signed.
	Signature string
	// InReplyTo is empty where the message is no reply. It is signed, ThreadID is
	// not: [Threads] goes by the first alone (rule SIG-8).
	InReplyTo, ThreadID string
	IdempotencyKey      string
	Payload             Payload
	Local               Local
	Security            Security
	canon.Findings

	// unsound is why the signed members cannot be put together, or nil.
	unsound *canon.Fault
	// atTop tells that the security block at the top was read.
	atTop bool
}

var envelopeShape = shape{what: "the envelope", null: "JSN-2", fields: []field{
	{name: "version", rule: "ENV-1", required: true},
	{name: "id", rule: "ENV-2", required: true},
	{name: "from", rule: "ENV-3", required: true},
	{name: "to", rule: "ENV-3", required: true},
	{name: "subject", rule: "ENV-4", required: true},
	{name: "priority", rule: "ENV-5"},
	{name: "timestamp", rule: "ENV-6", required: true},
	{name: "expires_at", rule: "ENV-7"},
	{name: "signature", rule: "ENV-9"},
	{name: "in_reply_to", rule: "ENV-10"},
	{name: "thread_id", rule: "ENV-11", required: true},
	{name: "idempotency_key", rule: "ENV-12"},
}}

var rootShape = shape{what: "the message", fields: []field{
	{name: "envelope", rule: "ENV-1", required: true},
	{name: "payload", rule: "PAY-7", required: true},
	{name: "metadata", rule: "STO-3"},
	{name: "local", rule: "STO-2"},
	{name: "security", rule: "STO-4"},
}}

// ParseMessage reads one message, as it was sent or as it is stored. It returns a
// *[canon.Fault] for what is longer than [MaxStored] bytes, or than [MaxMessage] without
// what the receiver added (PAY-8), and for what is no JSON object in UTF-8, at most
// 64 levels deep (JSN-0, or JSN-4 for a number that is none). Every other fault is
// listed in the Message, all of them and not only the first. Of a message of
// another version ENV-1 alone is listed, since the other rules are this version's.
func ParseMessage(data []byte) (Message, error) {
	if len(data) > MaxStored {
		return Message{}, tooLong(len(data))
	}
	msg := Message{Raw: data, Priority: Normal, Security: Security{RiskScore: -1}}
	if bad := msg.scan(); bad != nil {
		return Message{}, bad
	}
	root := member{out: &msg.Findings, v: canon.Value{Kind: canon.Mapping, Raw: data}}
	sent := len(data)
	var envelope, payload *member
	root.object(&rootShape, func(m *member) {
		switch m.name {
		case "envelope":
			envelope = m
		case "payload":
			payload = m
		default:
			sent -= len(m.v.Raw)
			msg.readStored(m)
		}
	})
	msg.Local.Status = first(msg.Local.Status, Unread)
	if sent > MaxMessage {
		return Message{}, tooLong(sent)
	}
	if envelope != nil {
		envelope.object(&envelopeShape, msg.member)
	}
	if msg.Version != "" && msg.Version != Version {
		at := slices.IndexFunc(msg.Faults, func(f canon.Fault) bool { return f.Rule == "ENV-1" })
		msg.Findings = canon.Findings{Faults: msg.Faults[at : at+1]}
		msg.unsound = &msg.Faults[0]
		return msg, nil
	}
	if payload != nil && payload.is(canon.Mapping) {
		msg.Payload = readPayload(payload)
	}
	msg.together(envelope)
	msg.soundness()
	return msg, nil
}

func tooLong(n int) *canon.Fault {
	return &canon.Fault{Rule: "PAY-8", Offset: MaxMessage, Reason: "the message is " + strconv.Itoa(n) + " bytes long, and " + strconv.Itoa(MaxMessage) + " is the limit"}
}

func (msg *Message) member(m *member) {
	switch m.name {
	case "version":
		if msg.Version = m.word(); msg.Version != "" && msg.Version != Version {
			// Before all others, so that it is in the list however many there are.
			f := canon.Fault{Rule: m.rule, Field: m.path, Offset: m.v.Offset, Reason: "the version is " + quote(msg.Version) + ", not " + Version}
			msg.Faults = slices.Insert(msg.Faults, 0, f)
		}
	case "id":
		msg.ID = m.id()
	case "from":
		msg.From = m.address()
	case "to":
		msg.To = m.address()
	case "subject":
		msg.Subject = m.text()
		if n := utf8.RuneCountInString(msg.Subject); n > MaxSubject {
			m.fault("the subject has " + strconv.Itoa(n) + " characters, and " + strconv.Itoa(MaxSubject) + " is the limit")
		}
	case "priority":
		if msg.Priority = m.text(); m.v.Kind == canon.String && !slices.Contains(Priorities(), msg.Priority) {
			m.fault("the priority is " + anyOf(msg.Priority, Priorities()))
		}
	case "timestamp":
		msg.Time = m.time()
	case "expires_at":
		msg.Expires = m.time()
	case "signature":
		msg.Signature = m.text()
		if _, bad := decodeSignature(msg.Signature); msg.Signature != "" && bad != nil {
			m.fault(bad.Reason)
		}
	case "in_reply_to":
		if m.v.Kind == canon.String && string(m.v.Raw) == `""` {
			m.note("an empty in_reply_to is taken as none")
			return
		}
		msg.InReplyTo = m.id()
	case "thread_id":
		msg.ThreadID = m.id()
	case "idempotency_key":
		if msg.IdempotencyKey = m.word(); msg.IdempotencyKey != "" && !ValidIdempotencyKey(msg.IdempotencyKey) {
			m.out.AddNote("IDK-1", m.path, m.v.Offset, "the idempotency key is not idk_ and a UUID of version 4: "+quote(msg.IdempotencyKey))
		}
	}
}

func (m *member) address() string {
	s := m.word()
	if s == "" {
		return ""
	}
	if _, ok := ParseAddress(s); !ok {
		m.fault(quote(s) + " is no full address such as agent@tenant.provider")
	} else if upper(s) {
		m.note("the address " + quote(s) + " has capitals, which existing senders write small")
	}
	return s
}

// together holds what concerns more than one member.
func (msg *Message) together(envelope *member) {
	if envelope == nil || envelope.v.Kind != canon.Mapping {
		return
	}
	at := envelope.v.Offset
	if msg.Signature == "" && !msg.has("ENV-9") {
		msg.AddFault("ENV-9", "envelope.signature", at, "the message is not signed")
	}
	if msg.InReplyTo == "" && msg.ID != "" && msg.ThreadID != "" && msg.ID != msg.ThreadID && !msg.has("ENV-10") {
		msg.AddNote("ENV-11", "envelope.thread_id", at, "the thread begins with another message, and this one is no reply")
	}
	if msg.InReplyTo != "" && msg.InReplyTo == msg.ID {
		msg.AddNote("ENV-10", "envelope.in_reply_to", at, "the message replies to itself")
	}
	if msg.Time.OK && msg.Expires.OK && msg.Expires.Millis < msg.Time.Millis {
		msg.AddNote("ENV-7", "envelope.expires_at", at, "the message expired before it was written")
	}
}

func (msg *Message) has(rule string) bool {
	return slices.ContainsFunc(msg.Faults, func(f canon.Fault) bool { return f.Rule == rule })
}

// soundness finds what makes the signed text ambiguous. Its fields are joined with
// "|", which a subject may hold: with sound addresses before it and a known
// priority, a sound id and a digest after it, there is one way to take it apart.
func (msg *Message) soundness() {
	for i := range msg.Faults {
		switch f := &msg.Faults[i]; f.Rule {
		case "ENV-3", "ENV-5", "ENV-10", "JSN-0", "JSN-3", "JSN-4", "PAY-7":
			msg.unsound = f
			return
		case "ENV-1", "ENV-4":
			if msg.Version != Version || f.Field == "envelope.subject" && msg.Subject == "" {
				msg.unsound = f
				return
			}
		}
	}
	if len(msg.Faults) >= canon.MaxFindings {
		msg.unsound = &canon.Fault{Rule: "SIG-2", Reason: "the message has too many faults"}
	}
}

// Expired reports whether the message says of itself that it is stale at the moment
// now, in Unix milliseconds (rule ENV-7). At the moment itself it is not.
func (msg *Message) Expired(now int64) bool { return msg.Expires.OK && now > msg.Expires.Millis }
