package source

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/signalbox-dev/signalbox/core/agn"
	agnstore "github.com/signalbox-dev/signalbox/lsp/agn"
)

type (
	// RejectedError is the reason why a message was refused, and whether that was logged.
	RejectedError = agnstore.RejectedError
	// WatchdogConfig sets what a watchdog watches and whom it notifies.
	WatchdogConfig = agnstore.WatchdogConfig
)

// ErrorsName is the log of refused messages in the directory.
const ErrorsName = agnstore.ErrorsName

// Ack acknowledges a message as a role. It cannot be taken back. Ack returns the ACK and its
// file.
func (b *Box) Ack(ctx context.Context, m *agn.Message, role string) (ack agn.Ack, path string, err error) {
	d, err := agnstore.Open(b.in.Path)
	if err != nil {
		return ack, "", err
	}
	defer d.Close()
	ack, err = d.Ack(ctx, m.ID, role, b.now)
	return ack, b.at(agnstore.AckPath(m.ID)), err
}

// Answer is the admin's answer to a message, not yet written.
type Answer struct {
	agn.Resume
	// Record is what is written to the file Path, and Effect what it changes.
	Record       []byte
	Path, Effect string

	box *Box
}

// Answer makes the admin's answer to a message. An empty action means redirect. If the answer
// breaks a rule, Answer returns it with the fault.
func (b *Box) Answer(m *agn.Message, action agn.Action, text string) (a *Answer, err error) {
	a = &Answer{Path: b.at(agnstore.ResumePath(m.ID)), box: b}
	a.Resume = agn.Resume{
		MsgID: m.ID, Action: cmp.Or(action, agn.Redirect), Text: strings.TrimSpace(text), Millis: agnstore.AnswerTime(b.now.UnixMilli(), m),
	}
	a.Record, err = agn.BuildResume(a.Resume)
	a.Effect = effectOf(b.in.Task(m.TaskID), a.Resume)
	return a, err
}

// Check returns the reason why the answer cannot be written, or nil.
func (a *Answer) Check() error { return a.box.in.CheckAnswer(a.Resume) }

// Write writes the answer. It cannot be taken back.
func (a *Answer) Write(ctx context.Context) error {
	d, err := agnstore.Open(a.box.in.Path)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Resume(ctx, a.Resume)
}

// Check returns a message with the faults and notes it would have if it were sent now, and the
// path it would be written to.
func (b *Box) Check(data []byte) (m agn.Message, path string) {
	m = agnstore.Parse(data)
	if len(m.Faults) == 0 {
		found := b.in.Check(&m)
		m.Faults, m.Notes = found.Faults, append(slices.Clip(m.Notes), found.Notes...)
	}
	if len(m.Faults) == 0 {
		m.Faults = b.Taken(&m)
	}
	return m, b.at(agnstore.MessagePath(m.TaskID, m.ID))
}

// Sent is a message that was written to the file Path.
type Sent struct {
	agn.Message
	Path string
}

// Send writes a message that compose makes from the current directory while no one else can
// write. A missing directory is created. data is the message as it would be now. If the
// message breaks a rule, the error is a [*RejectedError], even if nothing can be written; the
// message's bytes are in Raw. source is where the message came from, for the error log.
func (b *Box) Send(ctx context.Context, data []byte, source string, now func() time.Time, compose func(*Box) ([]byte, error)) (sent Sent, err error) {
	m := agnstore.Parse(data)
	sent.Raw = data
	defer func() {
		if _, refused := errors.AsType[*RejectedError](err); err != nil && !refused && len(m.Faults) > 0 {
			err = &RejectedError{Findings: m.Findings, MsgID: m.ID, Log: err}
		}
	}()
	to := agnstore.Create
	if b.in.Exists {
		to = agnstore.Open
	}
	d, err := to(b.in.Path)
	if err != nil {
		return sent, err
	}
	defer d.Close()
	written, err := d.Compose(ctx, source, now(), func(in *agnstore.Snapshot) ([]byte, error) { return compose(&Box{in, now()}) })
	if written.Raw != nil {
		sent = Sent{written, b.at(agnstore.MessagePath(written.TaskID, written.ID))}
	}
	return sent, err
}

// Watch escalates what no one has reported in a directory. It runs until ctx ends, or makes a
// single pass if once is set.
func Watch(ctx context.Context, cfg WatchdogConfig, once bool) error {
	dog := agnstore.NewWatchdog(cfg)
	if once {
		_, err := dog.Pass(ctx)
		return err
	}
	dog.Run(ctx)
	return nil
}
