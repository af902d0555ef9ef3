package agn

import (
	"bytes"
	"strings"

	"github.com/signalbox-dev/signalbox/core/canon"
)

// MalformedEscalation reads a broken message that may be an escalation: the admin must see a
// call for help even if one of its members is wrong. ok is true if the type, the id of a
// message with a payload, or an escalation_type in the payload suggests an escalation.
//
// It ignores faults and the protocol version. If data is not JSON, it reads the part before the
// mistake. Only the envelope and Payload.Escalation are set. The result is for people to see and
// must never change a task's state (rule E0).
func MalformedEscalation(data []byte) (m Message, ok bool) {
	var r messageReader
	var e escalationReader
	var payload, kind bool
	data = bytes.TrimPrefix(bytes.ToValidUTF8(data, []byte("\uFFFD")), []byte("\uFEFF"))
	// The error is ignored: the strict reader reports it.
	_ = canon.Walk(data, func(steps []canon.Step, v canon.Value, again bool) error {
		if again || len(steps) == 0 || len(steps) > 2 || steps[len(steps)-1].Key == nil {
			return nil
		}
		payload = payload || string(steps[0].Key) == "payload"
		part := dialect.Root(v, &canon.Findings{})
		part.Name = string(steps[len(steps)-1].Key)
		switch {
		case len(steps) == 2 && string(steps[0].Key) == "payload":
			kind = kind || part.Name == "escalation_type"
			escalationShape.Set(part, &e)
			if part.Name == "description" && v.Kind != canon.String && v.Kind != canon.Null {
				e.Description = string(v.Raw) // a list, for example, is shown as it is
			}
		case len(steps) == 1 && part.Name == "payload" && v.Kind == canon.String:
			e.Description = part.Text()
		case len(steps) == 1:
			envelopeShape.Set(part, &r)
		}
		return nil
	})
	m = r.Message
	ok = kind || strings.EqualFold(strings.TrimSpace(m.Type), TypeEscalation) || payload && strings.HasPrefix(m.ID, TypeEscalation+"-")
	if !ok {
		return Message{}, false
	}
	m.Type, m.Payload.Escalation = TypeEscalation, &e.Escalation
	return m, true
}

// ShownSeverity returns the severity under which a possibly malformed escalation is shown: its
// own, in upper or lower case, or [Critical] if it has no known one.
func (e *Escalation) ShownSeverity() string {
	for _, known := range []string{Warning, Info} {
		if strings.EqualFold(strings.TrimSpace(e.Severity), known) {
			return known
		}
	}
	return Critical
}
