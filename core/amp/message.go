package amp

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
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

// Priorities lists the priorities, most urgent first.
func Priorities() []string { return []string{Urgent, High, Normal, Low} }

// Message is one stored message. Members that are missing or of the wrong kind are zero and
// listed in Faults. Only the parameters of [Signed] are signed: anybody may have changed ID,
// Time, Expires, ThreadID and IdempotencyKey (rule SIG-9).
type Message struct {
	Raw               []byte // the whole text. It aliases the input.
	Version, ID       string
	From, To, Subject string
	Priority          string // [Normal] if the message has none
	Time, Expires     Time
	Signature         string // base64, or empty if the message is not signed
	// InReplyTo is empty if the message is not a reply. It is signed and ThreadID is
	// not, so [Threads] uses only InReplyTo (rule SIG-8).
	InReplyTo, ThreadID string
	IdempotencyKey      string
	Payload             Payload
	Local               Local
	Security            Security
	canon.Findings

	ambiguous *canon.Fault // why the signed text is ambiguous, or nil
}

type messageReader struct {
	Message
	envelope, payload *canon.Member
	added             int      // counts the bytes that the receiver added
	top               Security // the security block at the top, which takes precedence over the one in local
}

var rootShape = canon.Shape[*messageReader]{What: "the message", Fields: []canon.Field[*messageReader]{
	{Name: "envelope", Rule: "ENV-1", Set: func(r *messageReader, m *canon.Member) { r.envelope = m.Kept() }},
	{Name: "payload", Rule: "PAY-7", Set: func(r *messageReader, m *canon.Member) { r.payload = m.Kept() }},
	{Name: "metadata", Rule: "STO-3", Optional: true, Set: (*messageReader).readAdded},
	{Name: "local", Rule: "STO-2", Optional: true, Set: (*messageReader).readAdded},
	{Name: "security", Rule: "STO-4", Optional: true, Set: (*messageReader).readAdded},
}}

var envelopeShape = canon.Shape[*Message]{What: "the envelope", Null: "JSN-2", Fields: []canon.Field[*Message]{
	{Name: "version", Rule: "ENV-1", Set: func(msg *Message, m *canon.Member) {
		if msg.Version = nonEmpty(m); msg.Version != "" && msg.Version != Version {
			// First, so that it is in the list however many faults there are.
			f := canon.Fault{Rule: m.Rule, Field: m.Path(), Offset: m.Offset, Reason: "the version is " + quote(msg.Version) + ", not " + Version}
			msg.Faults = slices.Insert(msg.Faults, 0, f)
		}
	}},
	{Name: "id", Rule: "ENV-2", Set: func(msg *Message, m *canon.Member) { msg.ID = messageID(m) }},
	{Name: "from", Rule: "ENV-3", Set: func(msg *Message, m *canon.Member) { msg.From = address(m) }},
	{Name: "to", Rule: "ENV-3", Set: func(msg *Message, m *canon.Member) { msg.To = address(m) }},
	{Name: "subject", Rule: "ENV-4", Set: func(msg *Message, m *canon.Member) {
		msg.Subject = m.Text()
		if n := utf8.RuneCountInString(msg.Subject); n > MaxSubject {
			m.Fault("the subject has " + strconv.Itoa(n) + " characters, and " + strconv.Itoa(MaxSubject) + " is the limit")
		}
	}},
	{Name: "priority", Rule: "ENV-5", Optional: true, Set: func(msg *Message, m *canon.Member) {
		if msg.Priority = m.Text(); m.Kind == canon.String && !slices.Contains(Priorities(), msg.Priority) {
			m.Fault("the priority is " + anyOf(msg.Priority, Priorities()))
		}
	}},
	{Name: "timestamp", Rule: "ENV-6", Set: func(msg *Message, m *canon.Member) { msg.Time = readTime(m) }},
	{Name: "expires_at", Rule: "ENV-7", Optional: true, Set: func(msg *Message, m *canon.Member) { msg.Expires = readTime(m) }},
	{Name: "signature", Rule: "ENV-9", Optional: true, Set: func(msg *Message, m *canon.Member) {
		msg.Signature = m.Text()
		if _, bad := decodeSignature(msg.Signature); msg.Signature != "" && bad != nil {
			m.Fault(bad.Reason)
		}
	}},
	{Name: "in_reply_to", Rule: "ENV-10", Optional: true, Set: func(msg *Message, m *canon.Member) {
		if m.Kind == canon.String && string(m.Raw) == `""` {
			m.Note("an empty in_reply_to is taken as none")
			return
		}
		msg.InReplyTo = messageID(m)
	}},
	{Name: "thread_id", Rule: "ENV-11", Set: func(msg *Message, m *canon.Member) { msg.ThreadID = messageID(m) }},
	{Name: "idempotency_key", Rule: "ENV-12", Optional: true, Set: func(msg *Message, m *canon.Member) {
		if msg.IdempotencyKey = nonEmpty(m); msg.IdempotencyKey != "" && !ValidIdempotencyKey(msg.IdempotencyKey) {
			m.NoteOf("IDK-1", "the idempotency key is not idk_ and a UUID of version 4: "+quote(msg.IdempotencyKey))
		}
	}},
}}

// ParseMessage reads one message, as sent or as stored. It returns a *[canon.Fault] if it is too
// long (PAY-8) or not a JSON object in UTF-8 of at most 64 levels (JSN-0, JSN-4). All other
// faults are listed in the Message. A message of another version has only the fault ENV-1, since
// the other rules are for this version.
func ParseMessage(data []byte) (Message, error) {
	if len(data) > MaxStored {
		return Message{}, tooLong(len(data))
	}
	r := messageReader{Message: Message{Raw: data, Priority: Normal, Security: Security{RiskScore: -1}}, top: Security{RiskScore: -1}}
	if bad := r.scan(); bad != nil {
		return Message{}, bad
	}
	rootShape.Read(dialect.Root(canon.Value{Kind: canon.Mapping, Raw: data}, &r.Findings), &r)
	r.Local.Status, r.Security = cmp.Or(r.Local.Status, Unread), r.top.or(r.Security)
	if sent := len(data) - r.added; sent > MaxMessage {
		return Message{}, tooLong(sent)
	}
	if r.envelope != nil {
		envelopeShape.Read(r.envelope, &r.Message)
	}
	if r.Version != "" && r.Version != Version {
		at := slices.IndexFunc(r.Faults, func(f canon.Fault) bool { return f.Rule == "ENV-1" })
		r.Findings = canon.Findings{Faults: r.Faults[at : at+1]}
		r.ambiguous = &r.Faults[0]
		return r.Message, nil
	}
	if r.payload != nil && r.payload.Is(canon.Mapping) {
		r.Payload = Payload{Raw: r.payload.Raw, offset: r.payload.Offset}
		payloadShape.Read(r.payload, &r.Payload)
	}
	r.crossCheck()
	r.findAmbiguity()
	return r.Message, nil
}

func tooLong(n int) *canon.Fault {
	return &canon.Fault{Rule: "PAY-8", Offset: MaxMessage, Reason: "the message is " + strconv.Itoa(n) + " bytes long, and " + strconv.Itoa(MaxMessage) + " is the limit"}
}

func address(m *canon.Member) string {
	s := nonEmpty(m)
	if s == "" {
		return ""
	}
	if _, ok := ParseAddress(s); !ok {
		m.Fault(quote(s) + " is not a full address such as agent@tenant.provider")
	} else if upper(s) {
		m.Note("the address " + quote(s) + " has capitals, which existing senders write small")
	}
	return s
}

func (msg *messageReader) crossCheck() {
	if msg.envelope == nil || msg.envelope.Kind != canon.Mapping {
		return
	}
	at := msg.envelope.Offset
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

// findAmbiguity finds a fault that makes the signed text ambiguous. Its fields are joined with
// "|", which may also occur in a subject. With valid addresses before the subject, and a known
// priority, a valid id and a digest after it, there is only one way to split the text.
func (msg *Message) findAmbiguity() {
	for i := range msg.Faults {
		switch f := &msg.Faults[i]; f.Rule {
		case "ENV-3", "ENV-5", "ENV-10", "JSN-0", "JSN-3", "JSN-4", "PAY-7":
			msg.ambiguous = f
			return
		case "ENV-1", "ENV-4":
			if msg.Version != Version || f.Field == "envelope.subject" && msg.Subject == "" {
				msg.ambiguous = f
				return
			}
		}
	}
	if len(msg.Faults) >= canon.MaxFindings {
		msg.ambiguous = &canon.Fault{Rule: "SIG-2", Reason: "the message has too many faults"}
	}
}

// Expired reports whether the message's expiry is before now, in Unix milliseconds (rule
// ENV-7).
func (msg *Message) Expired(now int64) bool { return msg.Expires.OK && now > msg.Expires.Millis }

// Payload is the content of a message. All of it is signed.
type Payload struct {
	// Raw is the object's text. It aliases the input, and is nil if the message has no
	// payload.
	Raw  []byte
	Type string
	// Text is the message itself, as stored. It includes any wrapper that the receiver's client
	// put around it; see [Unwrap].
	Text        string
	Context     []byte       // the raw object, or nil. It is never interpreted.
	Attachments []Attachment // at most [MaxAttachments]

	offset    int
	textValue canon.Value
}

// Types lists the types of messages in the spec (rule PAY-1).
func Types() []string {
	return []string{"request", "response", "notification", "alert", "task", "status", "handoff", "ack", "update", "system"}
}

// ValidType reports whether s is one of [Types] or a custom one of the form
// namespace:name (rule PAY-2), each of 1 to 63 letters, digits, "-", "_" and ".".
func ValidType(s string) bool {
	if slices.Contains(Types(), s) {
		return true
	}
	space, name, found := strings.Cut(s, ":")
	return found && label(space, "-_.") && label(name, "-_.")
}

var payloadShape = canon.Shape[*Payload]{What: "the payload", Fields: []canon.Field[*Payload]{
	{Name: "type", Rule: "PAY-1", Set: func(p *Payload, m *canon.Member) {
		if p.Type = nonEmpty(m); p.Type != "" && !ValidType(p.Type) {
			if strings.Contains(p.Type, ":") {
				m.Rule = "PAY-2"
			}
			m.Fault("the type is " + anyOf(p.Type, Types()) + " or namespace:name")
		}
	}},
	{Name: "message", Rule: "PAY-3", Set: func(p *Payload, m *canon.Member) {
		p.Text, p.textValue = m.Text(), m.Value
		if n := minTextLen(p.Text); n > MaxText {
			m.Fault("the message is " + strconv.Itoa(n) + " bytes long, and " + strconv.Itoa(MaxText) + " is the limit")
		}
	}},
	// null in these was noted as rule JSN-1.
	{Name: "context", Rule: "PAY-4", Optional: true, Set: func(p *Payload, m *canon.Member) {
		if m.Is(canon.Mapping) {
			p.Context = m.Raw
			checkContext(m)
		}
	}},
	{Name: "attachments", Rule: "PAY-6", Optional: true, Set: func(p *Payload, m *canon.Member) { p.Attachments = attachments(m) }},
}}

// checkContext checks the length of the context as it is hashed: an indent that a client added in
// storing it does not count.
func checkContext(m *canon.Member) {
	if len(m.Raw) <= MaxContext {
		return
	}
	n := len(m.Raw)
	if sorted, err := canon.AppendSorted(nil, m.Raw, nil); err == nil {
		n = len(sorted)
	}
	if n > MaxContext {
		m.Fault("the context is " + strconv.Itoa(n) + " bytes long, and " + strconv.Itoa(MaxContext) + " is the limit")
	}
}

// textAt returns the offset of the message's string in the payload.
func (p *Payload) textAt() int { return p.textValue.Offset - p.offset }
