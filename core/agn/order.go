package agn

import (
	"cmp"
	"slices"
)

// Compare orders messages by time, then in the order in which they depend on each other
// (dispatch, result, request, verdict, escalation), then by id. If a clock counts only seconds, a
// whole round may have the same time.
func Compare(a, b *Message) int {
	return cmp.Or(cmp.Compare(a.Time.Millis, b.Time.Millis), cmp.Compare(rank(a.Type), rank(b.Type)), cmp.Compare(a.ID, b.ID))
}

// rank orders the facts of one millisecond: messages by type, then ACKs, then
// answers.
func rank(kind string) int {
	return slices.Index([]string{TypeDispatch, TypeResult, TypeRequest, TypeVerdict, TypeEscalation}, kind)
}

const (
	rankAck    = 5
	rankResume = 6
)

// event is one fact. Exactly one pointer is set.
type event struct {
	// writtenAt is the time in the fact, and millis the time at which it counts.
	writtenAt, millis int64
	// tieBreak orders facts with the same millis, and rank those with the same tieBreak.
	tieBreak int64
	rank     int
	// id is the message, or the one that is answered. by is the sender of an ACK or the action of
	// an answer.
	id, by string
	msg    *Message
	ack    *Ack
	resume *Resume
}

// events returns the facts that count, in order, and notes the others.
func (m *machine) events(h *History) []event {
	list := m.messages(h)
	sent := len(list)
	for i := range h.Acks {
		a := &h.Acks[i]
		list = append(list, event{writtenAt: a.Millis, rank: rankAck, id: a.MsgID, by: a.By, ack: a})
	}
	for i := range h.Resumes {
		r := &h.Resumes[i]
		list = append(list, event{writtenAt: r.Millis, rank: rankResume, id: r.MsgID, by: string(r.Action), resume: r})
	}
	m.setTimes(list[:sent], list[sent:])
	slices.SortStableFunc(list, func(a, b event) int {
		if a.millis != b.millis {
			return cmp.Compare(a.millis, b.millis)
		}
		return cmp.Or(cmp.Compare(a.tieBreak, b.tieBreak), cmp.Compare(a.rank, b.rank), cmp.Compare(a.id, b.id), cmp.Compare(a.writtenAt, b.writtenAt), cmp.Compare(a.by, b.by))
	})
	return list
}

// messages lists the messages that count, in the order of the history.
func (m *machine) messages(h *History) []event {
	list := make([]event, 0, len(h.Messages)+len(h.Acks)+len(h.Resumes))
	for i := range h.Messages {
		msg := &h.Messages[i]
		switch before, again := m.byID[msg.ID]; {
		case !msg.sound():
			m.note("E0", msg.ID, "an invalid message counts for nothing")
		case msg.TaskID != m.state.TaskID:
			m.note("E6", msg.ID, "a message of another task counts for nothing")
		case again && string(before.Raw) != string(msg.Raw):
			// The first one stays: nothing is ever overwritten.
			m.note("E1", msg.ID, "two messages are called the same")
		case !again:
			m.byID[msg.ID] = msg
			list = append(list, event{writtenAt: msg.Time.Millis, rank: rank(msg.Type), id: msg.ID, msg: msg})
		}
	}
	return list
}

// future reports whether a time is further ahead than clocks may differ.
func (m *machine) future(millis int64) bool { return millis > m.now+FutureLimit }

// setTimes sets the time at which each fact counts: the time it was written, except in two
// cases.
//
// A fact about a message cannot precede that message, whatever its writer's clock showed. A time
// in the future is not believed: such a fact would be last for ever, and nothing written today
// could move the task. A message from the future counts when it was first answered, since it
// existed by then. If it was not answered, it counts now. An answer from the future counts at its
// message's time.
func (m *machine) setTimes(messages, answers []event) {
	existedBy := map[string]int64{} // when a message from the future was first answered
	for i := range answers {
		e := &answers[i]
		msg := m.byID[e.id]
		if msg == nil || !m.future(msg.Time.Millis) || m.future(e.writtenAt) || e.ack != nil && e.by != msg.To {
			continue
		}
		if at, there := existedBy[e.id]; !there || e.writtenAt < at {
			existedBy[e.id] = e.writtenAt
		}
	}
	timeOf := func(id string, written int64) int64 {
		if !m.future(written) {
			return written
		}
		if at, there := existedBy[id]; there {
			return at
		}
		return m.now
	}
	for i := range messages {
		e := &messages[i]
		e.millis, e.tieBreak = timeOf(e.id, e.writtenAt), e.writtenAt
	}
	for i := range answers {
		e := &answers[i]
		e.millis, e.tieBreak = min(e.writtenAt, m.now+FutureLimit), e.writtenAt
		if msg := m.byID[e.id]; msg != nil {
			at := timeOf(e.id, msg.Time.Millis)
			if m.future(e.writtenAt) {
				e.millis = at
			}
			e.millis, e.tieBreak = max(e.millis, at), max(e.writtenAt, msg.Time.Millis)
		}
	}
}
