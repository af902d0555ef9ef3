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

// Ack writes the receiver's acknowledgement of a message (rules E12 and D9). It cannot be
// taken back. Its time is the one that [AnswerTime] returns.
//
// The error is [ErrNotFound] if the message does not exist, an *[canon.Fault] of rule E12 if
// by is not the receiver or of E1 if msgID is not a message id, and an *[ExistsError] if the
// message already has an ACK.
func (d *Dir) Ack(ctx context.Context, msgID, by string, now time.Time) (ack agn.Ack, err error) {
	err = d.answer(ctx, msgID, func(a *answering) error {
		ack = agn.Ack{MsgID: msgID, By: by, Millis: AnswerTime(now.UnixMilli(), a.msg)}
		if fault := checkReceiver(ack, a.msg); fault != nil {
			return wrap("acknowledge "+msgID, fault)
		}
		acks := a.task.History.Acks
		if i := slices.IndexFunc(acks, func(k agn.Ack) bool { return k.MsgID == msgID && k.By == a.msg.To }); i >= 0 {
			return a.syncExisting(&ExistsError{Path: AckPath(msgID), Ack: &acks[i]})
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

// Resume writes the admin's answer to an open escalation, or to the message that locked a task
// (rule X9). Its time is the one that [AnswerTime] returns for r.Millis.
//
// The error is [ErrNotFound] if the message does not exist, an error of
// [Snapshot.CheckAnswer], or an *[canon.Fault] of rule X9 if [agn.BuildResume] refuses the
// answer.
func (d *Dir) Resume(ctx context.Context, r agn.Resume) error {
	return d.answer(ctx, r.MsgID, func(a *answering) error {
		r.Millis = AnswerTime(r.Millis, a.msg)
		err := a.known.CheckAnswer(r)
		if there, ok := errors.AsType[*ExistsError](err); ok {
			return a.syncExisting(there)
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

// answering holds the lock and the message that is being acknowledged or answered.
type answering struct {
	*writing
	known *Snapshot
	task  *Task
	msg   *agn.Message
}

// answer finds a message under the lock and calls do, which acknowledges or answers it.
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

// syncExisting makes sure that the existing file is on the disk, and returns e.
func (a *answering) syncExisting(e *ExistsError) error {
	if err := a.syncFact(e.Path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return e
}

// add writes an ACK or an answer. h is the task's history including it.
func (a *answering) add(file string, data []byte, h *agn.History) error {
	err := a.whole().Add(file, data)
	if errors.Is(err, fs.ErrExist) {
		return a.existsError(file)
	}
	if err != nil {
		return fmt.Errorf("ssot: %w", err)
	}
	a.updateSummary(a.task.ID, h)
	return nil
}

// existsError describes the file that has the name of an ACK or answer. If it was valid at the
// last look, the caller would have found it, but another writer may have added it since.
func (a *answering) existsError(file string) error {
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
