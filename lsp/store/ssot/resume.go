package ssot

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/signalbox-dev/signalbox/core/agn"
)

// Resume writes the admin's answer to an escalation that is open, or to what
// locked a task (rule X9). The answer is never older than that message, whatever
// the clock says: no reader would count it.
//
// The error is [ErrNotFound] for a message that is not there, an *[ExistsError]
// for a second answer, and an *[agn.Fault] of rule X9 for an answer to what is
// not open, and for one that [agn.BuildResume] refuses.
func (d *Dir) Resume(ctx context.Context, r agn.Resume) error {
	if _, ok := agn.ParseID(r.MsgID); !ok {
		return notID(r.MsgID)
	}
	w, err := d.write(ctx)
	if err != nil {
		return err
	}
	defer w.end()
	s, err := w.look(ctx)
	if err != nil {
		return err
	}
	t, at := s.Message(r.MsgID)
	if t == nil {
		return fmt.Errorf("ssot: the message %s: %w", r.MsgID, ErrNotFound)
	}
	if i := slices.IndexFunc(t.History.Resumes, func(a agn.Resume) bool { return a.MsgID == r.MsgID }); i >= 0 {
		return &ExistsError{Path: ResumePath(r.MsgID), Resume: &t.History.Resumes[i]}
	}
	msg := &t.History.Messages[at]
	r.Millis = max(r.Millis, msg.Time.Millis)
	data, err := agn.BuildResume(r)
	if err != nil {
		return wrap("answer "+r.MsgID, err)
	}
	h := historyOf(s, t.ID)
	if fault := closed(t, msg, r); fault != nil {
		return wrap("answer "+r.MsgID, fault)
	}
	if err := w.add(ResumePath(r.MsgID), data); errors.Is(err, fs.ErrExist) {
		return w.exists(ResumePath(r.MsgID))
	} else if err != nil {
		return fmt.Errorf("ssot: %w", err)
	}
	h.Resumes = append(h.Resumes, r)
	w.bring(t.ID, &h)
	return nil
}

// closed says why an answer would count for nothing, or nil. What is dated later
// than the answer does not count, whoever's clock is wrong.
func closed(t *Task, msg *agn.Message, r agn.Resume) *agn.Fault {
	late := func(millis int64) bool { return millis > r.Millis }
	before := agn.History{
		Messages: slices.DeleteFunc(slices.Clone(t.History.Messages), func(m agn.Message) bool { return late(m.Time.Millis) }),
		Acks:     slices.DeleteFunc(slices.Clone(t.History.Acks), func(a agn.Ack) bool { return late(a.Millis) }),
		Resumes:  slices.DeleteFunc(slices.Clone(t.History.Resumes), func(a agn.Resume) bool { return late(a.Millis) }),
	}
	state := agn.State(t.ID, before, r.Millis)
	if state.Opens(msg) {
		return nil
	}
	reason := "it is no escalation and does not lock the task"
	if msg.Type == agn.TypeEscalation {
		reason = "it is not open any more"
	}
	switch {
	case state.Lock != agn.LockNone:
		reason += "; the task is locked by " + state.LockedBy
	case len(state.Open) > 0:
		reason += "; open is " + state.Open[0]
	}
	return &agn.Fault{Rule: "X9", Field: "msg_id", Reason: reason}
}
