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
// locked a task (rule X9). The answer gets the time that [AnswerTime] gives for
// its own.
//
// The error is [ErrNotFound] for a message that is not there, an *[ExistsError]
// for a second answer, and an *[canon.Fault] of rule X9 for an answer to what is
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
		there := &t.History.Resumes[i]
		if err := w.last(ResumePath(r.MsgID)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return &ExistsError{Path: ResumePath(r.MsgID), Resume: there, Void: reasonOf(s.CheckResume(*there, r.Millis))}
	}
	msg := &t.History.Messages[at]
	r.Millis = AnswerTime(r.Millis, msg)
	data, err := agn.BuildResume(r)
	if err != nil {
		return wrap("answer "+r.MsgID, err)
	}
	h := historyOf(s, t.ID)
	if fault := closed(t, msg, r, r.Millis); fault != nil {
		return wrap("answer "+r.MsgID, fault)
	}
	if err := w.whole().Add(ResumePath(r.MsgID), data); errors.Is(err, fs.ErrExist) {
		return w.exists(ResumePath(r.MsgID), "answer")
	} else if err != nil {
		return fmt.Errorf("ssot: %w", err)
	}
	h.Resumes = append(h.Resumes, r)
	w.bring(t.ID, &h)
	return nil
}
