package source

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/canon"
	agnstore "github.com/signalbox-dev/signalbox/lsp/agn"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
)

// RespondPreview returns what an answer to an escalation would write and change. It
// writes nothing. CanRespond is set if there are no warnings.
func (v *view) RespondPreview(q panel.Response) (panel.RespondPreview, error) {
	row, msg, err := v.answerable(q.Ref)
	if err != nil {
		return panel.RespondPreview{}, err
	}
	answer, err := v.box(row).Answer(msg, q.Action, q.Body)
	out := panel.RespondPreview{Path: answer.Path, Record: string(answer.Record), Effect: answer.Effect, Warnings: []panel.DraftWarning{}}
	object := func(rule, field, message string) {
		out.Warnings = append(out.Warnings, panel.DraftWarning{Severity: "error", Rule: rule, Field: field, Message: message})
	}
	if fault, bad := errors.AsType[*canon.Fault](err); bad {
		object(fault.Rule, fieldOf(fault), show.Line(fault.Reason))
	}
	if v.readOnly {
		object("", "", v.readOnlyWords())
	}
	if !row.in.Writable {
		object("", "", "the task directory "+show.Line(row.in.Path)+" cannot be written to")
	}
	if len(out.Warnings) > 0 {
		out.Effect = ""
	} else if err := answer.Check(); err != nil {
		words := "it was answered already; an answer is not replaced"
		if fault, closed := errors.AsType[*canon.Fault](err); closed {
			words = show.Line(fault.Reason)
		}
		object("X9", "", words)
	}
	out.CanRespond = len(out.Warnings) == 0
	return out, nil
}

func opens(t *agnstore.Task, msg *agn.Message, at int64) bool {
	state := t.State(at)
	return state.CanAnswer(msg)
}

// fieldOf returns the field of a response that a fault is about.
func fieldOf(f *canon.Fault) string {
	if f.Field == "text" {
		return "body"
	}
	return f.Field
}

func (v *view) readOnlyWords() string {
	return v.source.host.Options.ReadOnlyWords() + ", so nothing is written"
}

// effectOf returns in words how the admin's answer to a message would change the task.
func effectOf(t *agnstore.Task, r agn.Resume) string {
	before := t.State(r.Millis)
	with := t.History
	with.Resumes = append(slices.Clip(with.Resumes), r)
	after := agn.State(t.ID, with, r.Millis)
	words := t.ID + " is then " + stateWords(&after)
	var free []string
	for _, agent := range before.Suspended {
		if !slices.Contains(after.Suspended, agent) {
			free = append(free, agent)
		}
	}
	switch {
	case after.Phase == agn.PhaseTerminated:
		return words + ", for good: nobody may go on with it"
	case len(free) > 0:
		words += "; " + strings.Join(free, ", ") + " may go on"
	}
	if len(after.Suspended) > 0 {
		words += "; " + strings.Join(after.Suspended, ", ") + " still wait, for " + show.Count(len(after.Open), "open escalation", "open escalations")
	}
	if after.Next.Who != "" {
		words += "; next " + after.Next.Who + " has to " + string(after.Next.Do)
	}
	return words
}

// answerable returns the task and message that a ref names. A ref of a task is an error
// of kind Malformed (X9).
func (v *view) answerable(r panel.Ref) (taskRow, *agn.Message, error) {
	row, at, err := v.find(r)
	if err != nil {
		return row, nil, err
	}
	if at < 0 {
		return row, nil, &panel.Error{Kind: panel.Malformed, Message: "a task itself is neither answered nor acknowledged: name one of its messages", Detail: "X9"}
	}
	return row, &row.task.History.Messages[at], nil
}

// Respond writes the admin's answer to an escalation. The same answer again succeeds
// and writes nothing.
func (v *view) Respond(ctx context.Context, q panel.RespondParams) (panel.Responded, error) {
	row, msg, err := v.answerable(q.Ref)
	if err != nil {
		return panel.Responded{}, err
	}
	return v.write(ctx, row, q.Ref, agnstore.ResumePath(msg.ID), q.ClientToken, "respond", func() error {
		answer, err := v.box(row).Answer(msg, q.Action, q.Body)
		if err == nil {
			err = answer.Write(ctx)
		}
		if there, ok := errors.AsType[*agnstore.ExistsError](err); ok && there.Void == "" && there.Resume != nil && there.Resume.Action == answer.Action && there.Resume.Text == answer.Text {
			return nil
		}
		return err
	})
}

// Ack writes the admin's acknowledgement of a message to the admin. It cannot be taken
// back. A message to another role is an error of kind NotOwner (E12). A second
// acknowledgement by the admin succeeds and writes nothing.
func (v *view) Ack(ctx context.Context, q panel.AckParams) (panel.Responded, error) {
	row, msg, err := v.answerable(q.Ref)
	if err != nil {
		return panel.Responded{}, err
	}
	if msg.To != agn.Admin {
		return panel.Responded{}, &panel.Error{
			Kind: panel.NotOwner, Detail: "E12",
			Message: fmt.Sprintf("the message went to the %s, whose ACK it needs: signalbox task ack %s --role %s", msg.To, show.Line(msg.ID), msg.To),
		}
	}
	return v.write(ctx, row, q.Ref, agnstore.AckPath(msg.ID), q.ClientToken, "acknowledge", func() error {
		_, _, err := v.box(row).Ack(ctx, msg, agn.Admin)
		if there, ok := errors.AsType[*agnstore.ExistsError](err); ok && there.Void == "" && there.Ack != nil && there.Ack.By == agn.Admin {
			return nil
		}
		return err
	})
}

// box returns a task's directory at this moment, to write to.
func (v *view) box(row taskRow) *Box { return &Box{row.in, v.source.host.Options.Now()} }

// write calls do, which writes one answer or acknowledgement, and waits until views show it.
func (v *view) write(ctx context.Context, row taskRow, ref panel.Ref, path, token, what string, do func() error) (panel.Responded, error) {
	if v.readOnly {
		return panel.Responded{}, &panel.Error{Kind: panel.Untrusted, Message: v.readOnlyWords()}
	}
	if err := panel.CheckClientToken(token); err != nil {
		return panel.Responded{}, err
	}
	if err := do(); err != nil {
		return panel.Responded{}, taskFailure(err, what)
	}
	out := panel.Responded{Ref: ref, Path: filepath.Join(row.in.Path, filepath.FromSlash(path))}
	// The file is written. If the request is cancelled now, the result has the older
	// state.
	if live := v.liveOf(row.in); live.Sync(ctx) == nil {
		if s := live.Snapshot(); s.Task(row.task.ID) != nil {
			row = taskRow{s, s.Task(row.task.ID)}
		}
	}
	out.Task = taskItem(row.in, row.task, v.source.host.Options.Now().UnixMilli())
	return out, nil
}

// taskFailure returns an error of a task directory as an [*panel.Error] with a kind
// (E13 for what exists already). It returns context errors as they are.
func taskFailure(err error, what string) error {
	kind, rule := panel.StoreUnavailable, ""
	if fault, ok := errors.AsType[*canon.Fault](err); ok {
		kind, rule = panel.Malformed, fault.Rule
	}
	if _, ok := errors.AsType[*agnstore.ExistsError](err); ok {
		kind, rule = panel.Malformed, "E13"
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return &panel.Error{Kind: kind, Message: what + ": " + show.Line(err.Error()), Detail: rule, Retryable: kind == panel.StoreUnavailable, Err: err}
}
