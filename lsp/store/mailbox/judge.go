package mailbox

import (
	"github.com/signalbox-dev/signalbox/core/amp"
)

// Judge is [Snapshot.Trust] for the text of a message as somebody has it before
// them, which need not be what is on disk. key is the [Message.Key] that the text
// is of, or empty for one that lies in no mailbox of this root: whose mail it is
// and whether it is a replay is not looked at then. Nothing is read from disk
// but the message of which it may be a replay.
func (s *Snapshot) Judge(key string, msg *amp.Message, pins *Pins, now int64) amp.Trust {
	known := amp.Known{Now: now}
	known.Keys, known.Pin = s.keysOf(msg.From, pins)
	m := s.file(key)
	if m == nil {
		return amp.Judge(msg, known)
	}
	known.Self = m.Mailbox.Addresses
	first, again := s.original(m)
	if again && m.SignatureID == msg.SignatureID() {
		known.Earlier = map[string]amp.Earlier{msg.SignatureID(): first}
	}
	t := amp.Judge(msg, known)
	if m.SignatureID == msg.SignatureID() {
		s.returned(m, &t)
	}
	return t
}

// file gives the message of a key, or nil.
func (s *Snapshot) file(key string) *Message {
	t, at := s.Message(key)
	if t == nil {
		return nil
	}
	for _, m := range t.Messages[at].Files() {
		if m.Key == key {
			return m
		}
	}
	return nil
}
