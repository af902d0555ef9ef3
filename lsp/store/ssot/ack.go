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
	"github.com/signalbox-dev/signalbox/lsp/store/disk"
)

// Ack acknowledges a message for the one it went to (rules E12 and D9). Nobody
// can take it back.
//
// The error is [ErrNotFound] for a message that is not there, an *[canon.Fault] of
// rule E12 for somebody else's ACK and of E1 for what is not a message id, and an
// *[ExistsError] for a second one. The ACK gets the time that [AnswerTime] gives.
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
	if fault := foreign(agn.Ack{MsgID: msgID, By: by}, msg); fault != nil {
		return agn.Ack{}, wrap("acknowledge "+msgID, fault)
	}
	if i := slices.IndexFunc(t.History.Acks, func(a agn.Ack) bool { return a.MsgID == msgID && a.By == msg.To }); i >= 0 {
		if err := w.last(AckPath(msgID)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return agn.Ack{}, err
		}
		return agn.Ack{}, &ExistsError{Path: AckPath(msgID), Ack: &t.History.Acks[i]}
	}
	ack := agn.Ack{MsgID: msgID, By: by, Millis: AnswerTime(now.UnixMilli(), msg)}
	data, err := agn.BuildAck(ack)
	if err != nil {
		return agn.Ack{}, wrap("acknowledge "+msgID, err)
	}
	if err := w.whole().Add(AckPath(msgID), data); errors.Is(err, fs.ErrExist) {
		return agn.Ack{}, w.exists(AckPath(msgID), "ACK")
	} else if err != nil {
		return agn.Ack{}, fmt.Errorf("ssot: %w", err)
	}
	h := historyOf(s, t.ID)
	h.Acks = append(h.Acks, ack)
	w.bring(t.ID, &h)
	return ack, nil
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

func notID(msgID string) error {
	return fmt.Errorf("ssot: %w", &canon.Fault{Rule: "E1", Field: "msg_id", Reason: fmt.Sprintf("%.200q does not have the form of a message id", msgID)})
}

func wrap(action string, err error) error { return fmt.Errorf("ssot: %s: %w", action, err) }
