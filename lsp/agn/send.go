package agn

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/lsp/disk"
	"github.com/signalbox-dev/signalbox/lsp/disk/tree"
)

// Compose writes a message once, never to be changed (rule E13), and updates the task's
// summary. build makes its bytes from the current directory while no one else can write, so
// two callers that each start a task get two tasks. An error of build is returned.
//
// A message with faults is not written: it is logged with source and all its faults, and the
// error is a *[RejectedError] (rule E0). The same applies to other bytes under an existing id
// (rule E1). Writing the same bytes again adds no second message.
//
// The returned message has notes and aliases the bytes of build. After any other error the
// message may or may not have been written; sending it again is safe.
func (d *Dir) Compose(ctx context.Context, source string, now time.Time, build func(s *Snapshot) ([]byte, error)) (agn.Message, error) {
	w, err := d.write(ctx)
	if err != nil {
		return agn.Message{}, err
	}
	defer w.end()
	s, err := w.look(ctx)
	if err != nil {
		return agn.Message{}, err
	}
	data, err := build(s)
	if err != nil {
		return agn.Message{}, err
	}
	out := outgoing{data: data, source: source, now: now, msg: Parse(data)}
	if len(out.msg.Faults) > 0 {
		return out.msg, w.refuse(&out)
	}
	return w.send(s, &out)
}

// Parse reads a message. If data is not a message, the result has a fault.
func Parse(data []byte) agn.Message {
	msg, err := agn.ParseMessage(data)
	if fault, ok := errors.AsType[*canon.Fault](err); ok {
		msg.Faults = []canon.Fault{*fault}
	}
	return msg
}

// outgoing is a message that is about to be written.
type outgoing struct {
	data   []byte
	source string
	now    time.Time
	msg    agn.Message
	// history is the history that the message is added to.
	history agn.History
}

// historyOf returns a copy of a task's history to append to.
func historyOf(s *Snapshot, taskID string) agn.History {
	t := s.Task(taskID)
	if t == nil {
		return agn.History{}
	}
	return agn.History{Messages: slices.Clip(t.History.Messages), Acks: slices.Clip(t.History.Acks), Resumes: slices.Clip(t.History.Resumes)}
}

// send checks a message without faults of its own, and writes it.
func (w *writing) send(s *Snapshot, out *outgoing) (agn.Message, error) {
	msg := &out.msg
	out.history = historyOf(s, msg.TaskID)
	there, err := w.existing(s, msg)
	if err != nil {
		return *msg, err
	}
	if there != nil && bytes.Equal(there, out.data) {
		file := MessagePath(msg.TaskID, msg.ID)
		if t, at := s.Message(msg.ID); t != nil {
			file = t.Files[at]
		}
		return *msg, w.syncFact(file)
	}
	found := s.Check(msg)
	msg.Notes = append(msg.Notes, found.Notes...)
	if there != nil {
		return *msg, w.conflict(out, found.Faults)
	}
	if msg.Faults = found.Faults; len(msg.Faults) > 0 {
		return *msg, w.refuse(out)
	}
	err = w.whole().Add(MessagePath(msg.TaskID, msg.ID), out.data)
	if errors.Is(err, fs.ErrExist) {
		// A tool that does not use the lock was quicker.
		return *msg, w.conflict(out, nil)
	}
	if err != nil {
		return *msg, fmt.Errorf("ssot: %w", err)
	}
	h := &out.history
	h.Messages = append(h.Messages, *msg)
	msg.Notes = append(msg.Notes, stateNotes(msg, h, out.now.UnixMilli())...)
	msg.Notes = append(msg.Notes, w.updateSummary(msg.TaskID, h)...)
	return *msg, nil
}

// Check checks a message without faults of its own against the task's other messages and, for
// a dispatch, against the repository that it names.
func (s *Snapshot) Check(msg *agn.Message) canon.Findings {
	found := agn.Check(msg, slices.DeleteFunc(slices.Clone(historyOf(s, msg.TaskID).Messages), func(m agn.Message) bool { return m.ID == msg.ID }))
	if p := msg.Payload.Dispatch; p != nil {
		faults, notes := checkRepo(p.Repo)
		found.Faults, found.Notes = append(found.Faults, faults...), append(found.Notes, notes...)
	}
	return found
}

// syncFact makes sure that an existing file is on the disk.
func (w *writing) syncFact(file string) error {
	if err := w.whole().SyncPath(file); err != nil {
		return fmt.Errorf("ssot: %s: %w", file, err)
	}
	return nil
}

// stateNotes returns the notes of the task's state about its newest message. The number of
// notes is limited, so the note of rule X9 may be missing. Then it is added if the task was
// stopped before the message.
func stateNotes(msg *agn.Message, h *agn.History, now int64) (notes []canon.Fault) {
	for _, n := range agn.State(msg.TaskID, *h, now).Notes {
		if n.Field == msg.ID {
			notes = append(notes, canon.Fault{Rule: n.Rule, Reason: n.Reason})
		}
	}
	if slices.ContainsFunc(notes, func(n canon.Fault) bool { return n.Rule == "X9" }) || msg.Type == agn.TypeEscalation {
		return notes
	}
	before := *h
	before.Messages = slices.DeleteFunc(slices.Clone(h.Messages), func(m agn.Message) bool { return agn.Compare(&m, msg) >= 0 })
	before.Resumes = slices.DeleteFunc(slices.Clone(h.Resumes), func(r agn.Resume) bool { return r.Millis > msg.Time.Millis })
	switch s := agn.State(msg.TaskID, before, now); s.Phase {
	case agn.PhaseTerminated, agn.PhaseLocked, agn.PhaseSuspended:
		notes = append(notes, canon.Fault{Rule: "X9", Reason: "a " + msg.Type + " was sent while the task stands still"})
	}
	return notes
}

// existing returns the bytes that have the message's id or its file name, or nil: a message
// that counts, wherever it is, or any file with that name.
func (w *writing) existing(s *Snapshot, msg *agn.Message) ([]byte, error) {
	file := MessagePath(msg.TaskID, msg.ID)
	if t, at := s.Message(msg.ID); t != nil {
		file = t.Files[at]
	}
	data, err := w.readFile(file)
	switch _, other := errors.AsType[*disk.KindError](err); {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case other:
		return []byte{}, nil // a link, for example, which is not a message
	case err != nil:
		return nil, fmt.Errorf("ssot: %s: %w", file, disk.Cause(err))
	}
	return data, nil
}

// readFile reads a file of the directory, through no link.
func (w *writing) readFile(file string) ([]byte, error) { return tree.ReadFile(w.path, file, maxRead) }

// conflict refuses a message because another one has its id.
func (w *writing) conflict(out *outgoing, others []canon.Fault) error {
	out.msg.Faults = append([]canon.Fault{{
		Rule: "E1", Field: "msg_id", Reason: fmt.Sprintf("another message is called %q already", out.msg.ID),
	}}, others...)
	err := w.refuse(out)
	err.Conflict = true
	return err
}

// refuse logs a message with its faults. The log may hold the only copy: the source is just a
// name.
func (w *writing) refuse(out *outgoing) *RejectedError {
	msg := &out.msg
	r := agn.Rejection{
		Millis: out.now.UnixMilli(), Source: out.source, MsgID: msg.ID, TaskID: msg.TaskID,
		Digest: digestText(sha256.Sum256(out.data)), Faults: msg.Faults,
	}
	if len(out.data) <= agn.MaxMessage {
		r.Text = string(out.data)
	}
	_, err := w.reject(r)
	return &RejectedError{Findings: msg.Findings, MsgID: msg.ID, Log: err}
}

// checkRepo checks the path of a dispatch's repository (rule D2). Several machines may share a
// task directory, so a path that does not exist here is only a note. An existing folder that
// is not a git repository is a fault. No file in it is read.
func checkRepo(path string) (faults, notes []canon.Fault) {
	finding := func(reason string) []canon.Fault {
		return []canon.Fault{{Rule: "D2", Field: "payload.repo", Reason: reason}}
	}
	far := finding(fmt.Sprintf("the repository %.200s is not on this machine", path))
	if !filepath.IsAbs(path) || strings.HasPrefix(filepath.ToSlash(filepath.VolumeName(path)), "//") {
		return nil, far // a network path: looking would reveal this machine to another one
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, far
	}
	_, err := os.Stat(filepath.Join(path, ".git"))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return finding(fmt.Sprintf("the repository %.200q has no .git", path)), nil
	case err != nil:
		return finding(fmt.Sprintf("the repository %.200q cannot be looked at: %v", path, disk.Cause(err))), nil
	}
	return nil, nil
}
