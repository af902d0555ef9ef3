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

var payloadShape = shape{what: "the payload", fields: []field{
	{name: "type", rule: "PAY-1", required: true},
	{name: "message", rule: "PAY-3", required: true},
	// null in these was noted as rule JSN-1.
	{name: "context", rule: "PAY-4"},
	{name: "attachments", rule: "PAY-6"},
}}

func readPayload(in *member) Payload {
	p := Payload{Raw: in.v.Raw, offset: in.v.Offset}
	in.object(&payloadShape, func(m *member) {
		switch m.name {
		case "type":
			if p.Type = m.word(); p.Type != "" && !ValidType(p.Type) {
				if strings.Contains(p.Type, ":") {
					m.rule = "PAY-2"
				}
				m.fault("the type is " + anyOf(p.Type, Types()) + " or namespace:name")
			}
		case "message":
			p.Text, p.textValue = m.text(), m.v
			if n := shortest(p.Text); n > MaxText {
				m.fault("the message is " + strconv.Itoa(n) + " bytes long, and " + strconv.Itoa(MaxText) + " is the limit")
			}
		case "context":
			if m.is(canon.Mapping) {
				p.Context = m.v.Raw
				m.context()
			}
		case "attachments":
			p.Attachments = m.attachments()
		}
	})
	return p
}

// context measures the context as it is hashed: a client that stores it with an
// indent has not made it longer.
func (m *member) context() {
	if len(m.v.Raw) <= MaxContext {
		return
	}
	n := len(m.v.Raw)
	if sorted, err := canon.AppendSorted(nil, m.v.Raw, nil); err == nil {
		n = len(sorted)
	}
	if n > MaxContext {
		m.fault("the context is " + strconv.Itoa(n) + " bytes long, and " + strconv.Itoa(MaxContext) + " is the limit")
	}
}

// textAt is where the message's string begins in the payload's text.
func (p *Payload) textAt() int { return p.textValue.Offset - p.offset }
