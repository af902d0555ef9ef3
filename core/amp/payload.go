package amp

import (
	"slices"
	"strconv"
	"strings"

	"github.com/signalbox-dev/signalbox/core/canon"
)

// Payload is what a message says. All of it is signed.
type Payload struct {
	// Raw is the object's text. It aliases the input, and is nil where the message
	// has no payload.
	Raw  []byte
	Type string
	// Text is the message itself, as it is stored. A wrapper that a receiver's
	// client put around it is part of it; [Unwrap] looks through one.
	Text string
	// Context is the raw object, or nil. It is never interpreted.
	Context []byte
	// Attachments are at most [MaxAttachments].
	Attachments []Attachment

	offset    int
	textValue canon.Value
}

// Types lists the types of messages that the text names (rule PAY-1).
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
		if p.Type = word(m); p.Type != "" && !ValidType(p.Type) {
			if strings.Contains(p.Type, ":") {
				m.Rule = "PAY-2"
			}
			m.Fault("the type is " + anyOf(p.Type, Types()) + " or namespace:name")
		}
	}},
	{Name: "message", Rule: "PAY-3", Set: func(p *Payload, m *canon.Member) {
		p.Text, p.textValue = m.Text(), m.Value
		if n := shortest(p.Text); n > MaxText {
			m.Fault("the message is " + strconv.Itoa(n) + " bytes long, and " + strconv.Itoa(MaxText) + " is the limit")
		}
	}},
	// null in these was noted as rule JSN-1.
	{Name: "context", Rule: "PAY-4", Optional: true, Set: func(p *Payload, m *canon.Member) {
		if m.Is(canon.Mapping) {
			p.Context = m.Raw
			context(m)
		}
	}},
	{Name: "attachments", Rule: "PAY-6", Optional: true, Set: func(p *Payload, m *canon.Member) { p.Attachments = attachments(m) }},
}}

// context measures the context as it is hashed: a client that stores it with an
// indent has not made it longer.
func context(m *canon.Member) {
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

// textAt is where the message's string begins in the payload's text.
func (p *Payload) textAt() int { return p.textValue.Offset - p.offset }
