package agn

import (
	"fmt"
	"slices"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/canon"
)

// AnswerTime returns the time of an ACK or an answer to a message, in Unix milliseconds: now,
// or the message's time if that is a little later. Clocks differ, and an answer is never older
// than its message. A message time beyond [agn.FutureLimit] comes from a wrong clock and is
// ignored.
func AnswerTime(now int64, m *agn.Message) int64 {
	if m.Time.Millis > now+agn.FutureLimit {
		return now
	}
	return max(now, m.Time.Millis)
}

// CheckAck returns the reason why an ACK has no effect, or nil (rule E12).
func (s *Snapshot) CheckAck(a agn.Ack) *canon.Fault {
	t, at := s.Message(a.MsgID)
	if t == nil {
		return &canon.Fault{Rule: "E12", Field: "msg_id", Reason: "it is about a message that is not there"}
	}
	return checkReceiver(a, &t.History.Messages[at])
}

// checkReceiver returns a fault if an ACK is not from the message's receiver.
func checkReceiver(a agn.Ack, m *agn.Message) *canon.Fault {
	if a.By == m.To {
		return nil
	}
	return &canon.Fault{Rule: "E12", Field: "by", Reason: fmt.Sprintf("the message went to the %s, and the ACK is %.80q's", m.To, a.By)}
}

// CheckResume returns the reason why an answer of the admin has no effect, or nil (rule X9).
// now is in Unix milliseconds. The answer need not be written yet.
func (s *Snapshot) CheckResume(r agn.Resume, now int64) *canon.Fault {
	t, at := s.Message(r.MsgID)
	if t == nil {
		return &canon.Fault{Rule: "X9", Field: "msg_id", Reason: "it answers a message that is not there"}
	}
	return checkEffect(t, &t.History.Messages[at], r, now)
}

// CheckAnswer returns the reason why an answer to an existing message cannot be written, or
// nil: an *[ExistsError] if there is an answer already, an *[canon.Fault] of rule X9 if the
// message is not open.
func (s *Snapshot) CheckAnswer(r agn.Resume) error {
	t, at := s.Message(r.MsgID)
	resumes := t.History.Resumes
	if i := slices.IndexFunc(resumes, func(k agn.Resume) bool { return k.MsgID == r.MsgID }); i >= 0 {
		return &ExistsError{Path: ResumePath(r.MsgID), Resume: &resumes[i], Void: reasonOf(s.CheckResume(resumes[i], r.Millis))}
	}
	if fault := checkEffect(t, &t.History.Messages[at], r, r.Millis); fault != nil {
		return wrap("answer "+r.MsgID, fault)
	}
	return nil
}

// checkEffect returns the reason why an answer has no effect, or nil. An answer has an effect
// if it changes the task's state at that time.
func checkEffect(t *Task, msg *agn.Message, r agn.Resume, now int64) *canon.Fault {
	h := before(&t.History, msg, r, now)
	without := agn.State(t.ID, h, now)
	h.Resumes = append(h.Resumes, r)
	with := agn.State(t.ID, h, now)
	if !slices.Equal(with.Open, without.Open) || with.Lock != without.Lock || with.LockedBy != without.LockedBy || with.Phase != without.Phase {
		return nil
	}
	reason := "it is no escalation and does not lock the task"
	if msg.Type == agn.TypeEscalation {
		reason = "it is not open any more"
	}
	switch {
	case without.Lock != agn.LockNone:
		reason += "; the task is locked by " + without.LockedBy
	case len(without.Open) > 0:
		reason += "; open is " + without.Open[0]
	}
	return &canon.Fault{Rule: "X9", Field: "msg_id", Reason: reason}
}

// before returns the history that an answer is applied to: the message, and everything dated
// no later than the message and the answer, except the answer itself. Answers of the same
// millisecond are ordered by their ids; an answer that is not written yet comes last.
func before(h *agn.History, msg *agn.Message, r agn.Resume, now int64) agn.History {
	written := slices.Contains(h.Resumes, r)
	at := max(r.Millis, AnswerTime(min(now, r.Millis), msg))
	return agn.History{
		Messages: slices.DeleteFunc(slices.Clone(h.Messages), func(m agn.Message) bool { return m.Time.Millis > at && m.ID != msg.ID }),
		Acks:     slices.DeleteFunc(slices.Clone(h.Acks), func(a agn.Ack) bool { return a.Millis > at }),
		Resumes: slices.DeleteFunc(slices.Clone(h.Resumes), func(a agn.Resume) bool {
			return a.MsgID == r.MsgID || a.Millis > at || written && a.Millis == at && a.MsgID > r.MsgID
		}),
	}
}
