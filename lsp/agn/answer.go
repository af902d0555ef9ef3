package agn

import (
	"fmt"
	"slices"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/canon"
)

// AnswerTime returns the time in Unix milliseconds that an ACK or an answer to a
// message gets: now, and the message's where that is a little later, since clocks
// differ and no fact is older than what it is about. A time far ahead is a wrong
// clock's, and nobody takes it over.
func AnswerTime(now int64, m *agn.Message) int64 {
	if m.Time.Millis > now+agn.FutureLimit {
		return now
	}
	return max(now, m.Time.Millis)
}

// CheckAck says why an ACK counts for nothing, or returns nil (rule E12).
func (s *Snapshot) CheckAck(a agn.Ack) *canon.Fault {
	t, at := s.Message(a.MsgID)
	if t == nil {
		return &canon.Fault{Rule: "E12", Field: "msg_id", Reason: "it is about a message that is not there"}
	}
	return foreign(a, &t.History.Messages[at])
}

// foreign says that an ACK is somebody else's than the receiver's.
func foreign(a agn.Ack, m *agn.Message) *canon.Fault {
	if a.By == m.To {
		return nil
	}
	return &canon.Fault{Rule: "E12", Field: "by", Reason: fmt.Sprintf("the message went to the %s, and the ACK is %.80q's", m.To, a.By)}
}

// CheckResume says why an answer of the admin counts for nothing, at the moment
// now in Unix milliseconds, or returns nil (rule X9). The answer may be written
// already, or not.
func (s *Snapshot) CheckResume(r agn.Resume, now int64) *canon.Fault {
	t, at := s.Message(r.MsgID)
	if t == nil {
		return &canon.Fault{Rule: "X9", Field: "msg_id", Reason: "it answers a message that is not there"}
	}
	return closed(t, &t.History.Messages[at], r, now)
}

// CheckAnswer says why an answer to a message that is there cannot be written, or returns
// nil: an *[ExistsError] for a second one, and an *[canon.Fault] of rule X9 for an answer to
// what is not open.
func (s *Snapshot) CheckAnswer(r agn.Resume) error {
	t, at := s.Message(r.MsgID)
	resumes := t.History.Resumes
	if i := slices.IndexFunc(resumes, func(k agn.Resume) bool { return k.MsgID == r.MsgID }); i >= 0 {
		return &ExistsError{Path: ResumePath(r.MsgID), Resume: &resumes[i], Void: reasonOf(s.CheckResume(resumes[i], r.Millis))}
	}
	if fault := closed(t, &t.History.Messages[at], r, r.Millis); fault != nil {
		return wrap("answer "+r.MsgID, fault)
	}
	return nil
}

// closed says why an answer counts for nothing, or returns nil: it changes nothing
// beside what was there by then.
func closed(t *Task, msg *agn.Message, r agn.Resume, now int64) *canon.Fault {
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

// before returns what an answer found: the message, and what is dated no later than
// both, except for itself. Answers that were written in one millisecond are
// ordered by their ids; one that is not written yet comes last.
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
