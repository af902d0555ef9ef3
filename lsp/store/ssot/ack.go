package ssot

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/lsp/disk"
)

// Ack acknowledges a message for the one it went to (rules E12 and D9). Nobody
// can take it back.
//
// The error is [ErrNotFound] for a message that is not there, an *[canon.Fault] of
// rule E12 for somebody else's ACK and of E1 for what is not a message id, and an
// *[ExistsError] for a second one. The ACK gets the time that [AnswerTime] gives.
func (d *Dir) Ack(ctx context.Context, msgID, by string, now time.Time) (ack agn.Ack, err error) {
	err = d.answer(ctx, msgID, func(a *answering) error {
		if fault := foreign(agn.Ack{MsgID: msgID, By: by}, a.msg); fault != nil {
			return wrap("acknowledge "+msgID, fault)
		}
		acks := a.task.History.Acks
		if i := slices.IndexFunc(acks, func(k agn.Ack) bool { return k.MsgID == msgID && k.By == a.msg.To }); i >= 0 {
			return a.there(&ExistsError{Path: AckPath(msgID), Ack: &acks[i]})
		}
		made := agn.Ack{MsgID: msgID, By: by, Millis: AnswerTime(now.UnixMilli(), a.msg)}
		data, err := agn.BuildAck(made)
		if err != nil {
			return wrap("acknowledge "+msgID, err)
		}
		h := historyOf(a.known, a.task.ID)
		h.Acks = append(h.Acks, made)
		if err := a.add(AckPath(msgID), "ACK", data, &h); err != nil {
			return err
		}
		ack = made
		return nil
	})
	return ack, err
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
func (a *answering) add(file, what string, data []byte, h *agn.History) error {
	err := a.whole().Add(file, data)
	if errors.Is(err, fs.ErrExist) {
		return a.exists(file, what)
	}
	if err != nil {
		return fmt.Errorf("ssot: %w", err)
	}
	a.bring(a.task.ID, h)
	return nil
}

// exists says what has the name of an ACK or answer, which counts for nothing:
// else it would have been found. Since it was looked for, another writer may have
// put it there.
func (w *writing) exists(file, what string) error {
	e := &ExistsError{Path: file}
	data, err := w.readFile(file)
	if err != nil {
		e.Void = "it cannot be read: " + disk.Cause(err).Error()
		return e
	}
	ack, noAck := agn.ParseAck(data)
	resume, noResume := agn.ParseResume(data)
	fault := (*canon.Fault)(nil)
	known, err := w.look(context.Background())
	switch {
	case noAck == nil:
		if e.Ack = &ack; err == nil {
			fault = known.CheckAck(ack)
		}
	case noResume == nil:
		if e.Resume = &resume; err == nil {
			fault = known.CheckResume(resume, resume.Millis)
		}
	}
	switch id := strings.TrimSuffix(path.Base(file), ext); {
	case what == "ACK" && noAck != nil || what == "answer" && noResume != nil:
		e.Ack, e.Resume, e.Void = nil, nil, "it holds no "+what
	case e.Ack != nil && ack.MsgID != id, e.Resume != nil && resume.MsgID != id:
		e.Void = "it is about another message"
	default:
		e.Void = reasonOf(fault)
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
