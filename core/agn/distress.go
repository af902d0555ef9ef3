package agn

import (
	"bytes"
	"strings"

	"github.com/signalbox-dev/signalbox/core/canon"
)

// Distress reads whatever may be an escalation: a cry for help with a wrong member
// is still one, and its admin has to see it. ok is false for what shows by nothing
// that it is one: neither by its type, nor by the id of what has a payload, nor by a
// payload with an escalation_type.
//
// It reads with the readers of [ParseMessage] and passes over what they object to.
// Of text that is no JSON it takes what stands before the mistake, and the version
// of the protocol does not matter. The message has no Findings and no Raw, and
// Payload.Escalation alone is set: also where what it reads counts for nothing, as
// everything does that breaks a rule (rule E0). It is for telling people, never for
// a task's state.
func Distress(data []byte) (m Message, ok bool) {
	e := &Escalation{}
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
			e.member(part)
			if part.Name == "description" && v.Kind != canon.String && v.Kind != canon.Null {
				e.Description = string(v.Raw) // a list, say, says something too
			}
		case len(way) == 1 && part.Name == "payload" && v.Kind == canon.String:
			e.Description = part.Text()
		case len(way) == 1:
			m.member(part)
		}
		return nil
	})
	ok = kind || strings.EqualFold(strings.TrimSpace(m.Type), TypeEscalation) || payload && strings.HasPrefix(m.ID, TypeEscalation+"-")
	if !ok {
		return Message{}, false
	}
	m.Type, m.Payload.Escalation = TypeEscalation, e
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
