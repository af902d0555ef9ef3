package agn

import (
	"bytes"
	"strings"

	"github.com/signalbox-dev/signalbox/core/canon"
)

// Distress reads a broken message that may be an escalation: a call for help with a
// wrong member is still one, and the admin has to see it. ok is false if neither the type,
// nor the id of a message with a payload, nor a payload with an escalation_type suggests one.
//
// It ignores faults and the protocol version, and of text that is not JSON takes what comes
// before the mistake. Only Payload.Escalation is set. The result is for people to see and
// must never change a task's state (rule E0).
func Distress(data []byte) (m Message, ok bool) {
	var r messageReader
	var e escalationReader
	var payload, kind bool
	data = bytes.TrimPrefix(bytes.ToValidUTF8(data, []byte("\uFFFD")), []byte("\uFEFF"))
	// What is wrong is the strict reading's to say.
	_ = canon.Walk(data, func(way []canon.Step, v canon.Value, again bool) error {
		if again || len(way) == 0 || len(way) > 2 || way[len(way)-1].Key == nil {
			return nil
		}
		payload = payload || string(way[0].Key) == "payload"
		part := dialect.Root(v, &canon.Findings{})
		part.Name = string(way[len(way)-1].Key)
		switch {
		case len(way) == 2 && string(way[0].Key) == "payload":
			kind = kind || part.Name == "escalation_type"
			escalationShape.Set(part, &e)
			if part.Name == "description" && v.Kind != canon.String && v.Kind != canon.Null {
				e.Description = string(v.Raw) // a list, say, says something too
			}
		case len(way) == 1 && part.Name == "payload" && v.Kind == canon.String:
			e.Description = part.Text()
		case len(way) == 1:
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

// Gravity returns the severity by which an escalation is shown that may be malformed:
// its own, in whatever case, and [Critical] where it names none that there is.
func (e *Escalation) Gravity() string {
	for _, known := range []string{Warning, Info} {
		if strings.EqualFold(strings.TrimSpace(e.Severity), known) {
			return known
		}
	}
	return Critical
}
