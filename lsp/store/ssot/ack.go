package ssot

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"github.com/signalbox-dev/signalbox/core/agn"
)

// Ack acknowledges a message for the one it went to (rules E12 and D9). Nobody
// can take it back.
//
// The error is [ErrNotFound] for a message that is not there, an *[agn.Fault] of
// rule E12 for somebody else's ACK and of E1 for what is no message id, and an
// *[ExistsError] for a second one. An ACK is never older than its message,
// whatever the clock says: no reader would count it.
func (d *Dir) Ack(ctx context.Context, msgID, by string, now time.Time) (agn.Ack, error) {
	if _, ok := agn.ParseID(msgID); !ok {
		return agn.Ack{}, notID(msgID)
	}
	w, err := d.write(ctx)
	if err != nil {
		return agn.Ack{}, err
	}
	defer w.end()
	s, err := w.look(ctx)
	if err != nil {
		return agn.Ack{}, err
	}
	t, at := s.Message(msgID)
	if t == nil {
		return agn.Ack{}, fmt.Errorf("ssot: the message %s: %w", msgID, ErrNotFound)
	}
	msg := &t.History.Messages[at]
	if by != msg.To {
		return agn.Ack{}, wrap("acknowledge "+msgID, &agn.Fault{Rule: "E12", Field: "by", Reason: fmt.Sprintf("the message went to the %s, and the ACK is %.80q's", msg.To, by)})
	}
	if i := slices.IndexFunc(t.History.Acks, func(a agn.Ack) bool { return a.MsgID == msgID && a.By == msg.To }); i >= 0 {
		return agn.Ack{}, &ExistsError{Path: AckPath(msgID), Ack: &t.History.Acks[i]}
	}
	ack := agn.Ack{MsgID: msgID, By: by, Millis: max(now.UnixMilli(), msg.Time.Millis)}
	data, err := agn.BuildAck(ack)
	if err != nil {
		return agn.Ack{}, wrap("acknowledge "+msgID, err)
	}
	if err := w.add(AckPath(msgID), data); errors.Is(err, fs.ErrExist) {
		return agn.Ack{}, w.exists(AckPath(msgID))
	} else if err != nil {
		return agn.Ack{}, fmt.Errorf("ssot: %w", err)
	}
	h := historyOf(s, t.ID)
	h.Acks = append(h.Acks, ack)
	w.bring(t.ID, &h)
	return ack, nil
}

// exists says what has the name of an ACK or answer.
func (w *writing) exists(file string) error {
	e := &ExistsError{Path: file}
	data, err := w.readFile(file)
	if err != nil {
		return e
	}
	if ack, err := agn.ParseAck(data); err == nil {
		e.Ack = &ack
	} else if resume, err := agn.ParseResume(data); err == nil {
		e.Resume = &resume
	}
	return e
}

func notID(msgID string) error {
	return fmt.Errorf("ssot: %w", &agn.Fault{Rule: "E1", Field: "msg_id", Reason: fmt.Sprintf("%.200q has not the form of a message id", msgID)})
}

func wrap(action string, err error) error { return fmt.Errorf("ssot: %s: %w", action, err) }
