package ssot

import (
	"context"
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
	return d.answer(ctx, r.MsgID, func(a *answering) error {
		resumes := a.task.History.Resumes
		if i := slices.IndexFunc(resumes, func(k agn.Resume) bool { return k.MsgID == r.MsgID }); i >= 0 {
			void := reasonOf(a.known.CheckResume(resumes[i], r.Millis))
			return a.there(&ExistsError{Path: ResumePath(r.MsgID), Resume: &resumes[i], Void: void})
		}
		r.Millis = AnswerTime(r.Millis, a.msg)
		data, err := agn.BuildResume(r)
		if err != nil {
			return wrap("answer "+r.MsgID, err)
		}
		if fault := closed(a.task, a.msg, r, r.Millis); fault != nil {
			return wrap("answer "+r.MsgID, fault)
		}
		h := historyOf(a.known, a.task.ID)
		h.Resumes = append(h.Resumes, r)
		return a.add(ResumePath(r.MsgID), "answer", data, &h)
	})
}
