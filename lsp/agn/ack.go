package agn

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/lsp/disk"
	"github.com/signalbox-dev/signalbox/lsp/disk/tree"
)

// Ack acknowledges a message for the one it went to (rules E12 and D9). Nobody
// can take it back.
//
// The error is [ErrNotFound] for a message that is not there, an *[canon.Fault] of
// rule E12 for somebody else's ACK and of E1 for what is not a message id, and an
// *[ExistsError] for a second one. The ACK gets the time that [AnswerTime] gives.
func (d *Dir) Ack(ctx context.Context, msgID, by string, now time.Time) (ack agn.Ack, err error) {
	err = d.answer(ctx, msgID, func(a *answering) error {
		ack = agn.Ack{MsgID: msgID, By: by, Millis: AnswerTime(now.UnixMilli(), a.msg)}
		if fault := foreign(ack, a.msg); fault != nil {
			return wrap("acknowledge "+msgID, fault)
		}
		acks := a.task.History.Acks
		if i := slices.IndexFunc(acks, func(k agn.Ack) bool { return k.MsgID == msgID && k.By == a.msg.To }); i >= 0 {
			return a.there(&ExistsError{Path: AckPath(msgID), Ack: &acks[i]})
		}
		data, err := agn.BuildAck(ack)
		if err != nil {
			return wrap("acknowledge "+msgID, err)
		}
		h := historyOf(a.known, a.task.ID)
		h.Acks = append(h.Acks, ack)
		return a.add(AckPath(msgID), data, &h)
	})
	return ack, err
}

// Resume writes the admin's answer to an escalation that is open, or to what
// locked a task (rule X9). The answer gets the time that [AnswerTime] gives for
// its own.
//
// The error is [ErrNotFound] for a message that is not there, one of
// [Snapshot.CheckAnswer], and an *[canon.Fault] of rule X9 for an answer that
// [agn.BuildResume] refuses.
func (d *Dir) Resume(ctx context.Context, r agn.Resume) error {
	return d.answer(ctx, r.MsgID, func(a *answering) error {
		r.Millis = AnswerTime(r.Millis, a.msg)
		err := a.known.CheckAnswer(r)
		if there, ok := errors.AsType[*ExistsError](err); ok {
			return a.there(there)
		}
		data, bad := agn.BuildResume(r)
		if bad != nil {
			return wrap("answer "+r.MsgID, bad)
		}
		if err != nil {
			return err
		}
		h := historyOf(a.known, a.task.ID)
		h.Resumes = append(h.Resumes, r)
		return a.add(ResumePath(r.MsgID), data, &h)
	})
}

// answering is a message that is acknowledged or answered, under the lock.
type answering struct {
	*writing
	known *Snapshot
	task  *Task
	msg   *agn.Message
}

// answer finds a message under the lock, and has do acknowledge or answer it.
func (d *Dir) answer(ctx context.Context, msgID string, do func(a *answering) error) error {
	if _, ok := agn.ParseID(msgID); !ok {
		return fmt.Errorf("ssot: %w", &canon.Fault{Rule: "E1", Field: "msg_id", Reason: fmt.Sprintf("%.200q does not have the form of a message id", msgID)})
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
	t, at := s.Message(msgID)
	if t == nil {
		return fmt.Errorf("ssot: the message %s: %w", msgID, ErrNotFound)
	}
	return do(&answering{w, s, t, &t.History.Messages[at]})
}

// there makes the fact last that is there already, and returns that it is.
func (a *answering) there(e *ExistsError) error {
	if err := a.last(e.Path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return e
}

// add writes an ACK or an answer, with which the task's history is h.
func (a *answering) add(file string, data []byte, h *agn.History) error {
	err := a.whole().Add(file, data)
	if errors.Is(err, fs.ErrExist) {
		return a.exists(file)
	}
	if err != nil {
		return fmt.Errorf("ssot: %w", err)
	}
	a.bring(a.task.ID, h)
	return nil
}

// exists says what has the name of an ACK or answer. What counted would have been found,
// but another writer may have put it there since.
func (a *answering) exists(file string) error {
	e := &ExistsError{Path: file}
	data, err := a.readFile(file)
	if err != nil {
		e.Void = "it cannot be read: " + disk.Cause(err).Error()
		return e
	}
	r := record{Head: tree.Head{Path: file}}
	r.parse(data)
	e.Ack, e.Resume = r.ack, r.resume
	switch {
	case r.problem != nil:
		e.Void = r.problem.Reason
	case r.ack != nil:
		e.Void = reasonOf(a.known.CheckAck(*r.ack))
	case r.resume != nil:
		e.Void = reasonOf(a.known.CheckResume(*r.resume, r.resume.Millis))
	default:
		e.Void = "it holds no ACK and no answer"
	}
	return e
}

func reasonOf(f *canon.Fault) string {
	if f == nil {
		return ""
	}
	return f.Reason
}

func wrap(action string, err error) error { return fmt.Errorf("ssot: %s: %w", action, err) }
