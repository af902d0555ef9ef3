package agn

import (
	"cmp"
	"slices"
)

// Compare orders messages as they count: by time, then in the order in which they
// depend on each other (dispatch, result, request, verdict, escalation), then by id. A
// clock that counts seconds gives a whole round the same time.
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
	// own is the time that the fact has, and millis the one at which it counts.
	own, millis int64
	// then orders facts with the same time, and rank those with the same then.
	then int64
	rank int
	// id is the message that it is or answers, and by whose ACK or which answer
	// it is.
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
		list = append(list, event{own: a.Millis, rank: rankAck, id: a.MsgID, by: a.By, ack: a})
	}
	for i := range h.Resumes {
		r := &h.Resumes[i]
		list = append(list, event{own: r.Millis, rank: rankResume, id: r.MsgID, by: string(r.Action), resume: r})
	}
	m.place(list[:sent], list[sent:])
	slices.SortStableFunc(list, func(a, b event) int {
		if a.millis != b.millis {
			return cmp.Compare(a.millis, b.millis)
		}
		return cmp.Or(cmp.Compare(a.then, b.then), cmp.Compare(a.rank, b.rank), cmp.Compare(a.id, b.id), cmp.Compare(a.own, b.own), cmp.Compare(a.by, b.by))
	})
	return list
}

// messages lists those that count, as they are found.
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
			list = append(list, event{own: msg.Time.Millis, rank: rank(msg.Type), id: msg.ID, msg: msg})
		}
	}
	return list
}

// future reports whether a time lies further ahead than clocks differ.
func (m *machine) future(millis int64) bool { return millis > m.now+FutureLimit }

// place sets the time at which each fact counts: its own, with two exceptions.
//
// A fact about a message cannot precede it, whatever its writer's clock said. A time in
// the future is not believed: such a fact would be last for ever, and nothing written
// today could move the task. A message from the future counts when it was first
// answered, since it existed by then, or else now. An answer from the future counts at
// its message's time.
func (m *machine) place(messages, answers []event) {
	proof := map[string]int64{} // when a message of the future was there at the latest
	for i := range answers {
		e := &answers[i]
		msg := m.byID[e.id]
		if msg == nil || !m.future(msg.Time.Millis) || m.future(e.own) || e.ack != nil && e.by != msg.To {
			continue
		}
		if at, there := proof[e.id]; !there || e.own < at {
			proof[e.id] = e.own
		}
	}
	moment := func(id string, own int64) int64 {
		if !m.future(own) {
			return own
		}
		if at, there := proof[id]; there {
			return at
		}
		return m.now
	}
	for i := range messages {
		e := &messages[i]
		e.millis, e.then = moment(e.id, e.own), e.own
	}
	for i := range answers {
		e := &answers[i]
		e.millis, e.then = min(e.own, m.now+FutureLimit), e.own
		if msg := m.byID[e.id]; msg != nil {
			at := moment(e.id, msg.Time.Millis)
			if m.future(e.own) {
				e.millis = at
			}
			e.millis, e.then = max(e.millis, at), max(e.own, msg.Time.Millis)
		}
	}
}
