package panel

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/lsp/store"
	"github.com/signalbox-dev/signalbox/lsp/store/ssot"
)

// RespondPreview says what answering an escalation would write, and what that
// would change.
func (p *Panels) RespondPreview(_ context.Context, q Response) (RespondPreview, error) {
	row, msg, err := p.answerable(q.Ref)
	if err != nil {
		return RespondPreview{}, err
	}
	now := p.now()
	resume := resumeOf(&q, msg, now)
	out := RespondPreview{Path: filepath.Join(row.in.Path, filepath.FromSlash(ssot.ResumePath(msg.ID))), Warnings: []DraftWarning{}}
	object := func(rule, field, message string) {
		out.Warnings = append(out.Warnings, DraftWarning{Severity: "error", Rule: rule, Field: field, Message: message})
	}
	record, err := agn.BuildResume(resume)
	if fault, bad := errors.AsType[*canon.Fault](err); bad {
		object(fault.Rule, fieldOf(fault), safe(fault.Reason))
	}
	out.Record = string(record)
	if p.readOnly() {
		object("", "", readOnlyWords)
	}
	if !row.in.Writable {
		object("", "", "the SSOT "+safe(row.in.Path)+" cannot be written to")
	}
	if len(out.Warnings) > 0 {
		return out, nil
	}
	switch {
	case slices.ContainsFunc(row.task.History.Resumes, func(r agn.Resume) bool { return r.MsgID == msg.ID }):
		object("X9", "", "it was answered already; an answer is not replaced")
	case !opens(row.task, msg, resume.Millis):
		object("X9", "", "it is not open any more")
	}
	out.CanRespond = len(out.Warnings) == 0
	out.Effect = EffectOf(row.task, resume)
	return out, nil
}

func opens(t *ssot.Task, msg *agn.Message, at int64) bool {
	state := t.State(at)
	return state.Opens(msg)
}

// fieldOf names the field of a response that a fault is about.
func fieldOf(f *canon.Fault) string {
	if f.Field == "text" {
		return "body"
	}
	return f.Field
}

const readOnlyWords = "read-only: the workspace is not trusted, so nothing is written"

// EffectOf says what an answer of the admin to a message of the task would change.
func EffectOf(t *ssot.Task, r agn.Resume) string {
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
		words += "; " + strings.Join(after.Suspended, ", ") + " still wait, for " + count(len(after.Open), "open escalation", "open escalations")
	}
	if after.Next.Who != "" {
		words += "; next " + after.Next.Who + " has to " + string(after.Next.Do)
	}
	return words
}

// resumeOf makes the record of a response. Without an action it is a redirect.
func resumeOf(q *Response, msg *agn.Message, now int64) agn.Resume {
	action := agn.Action(q.Action)
	if action == "" {
		action = agn.Redirect
	}
	return agn.Resume{MsgID: msg.ID, Action: action, Text: strings.TrimSpace(q.Body), Millis: ssot.AnswerTime(now, msg)}
}

// answerable gives the message that a response is to.
func (p *Panels) answerable(r Ref) (taskRow, *agn.Message, error) {
	row, at, err := p.findTask(r)
	if err != nil {
		return row, nil, err
	}
	if at < 0 {
		return row, nil, &Error{Kind: Malformed, Message: "a task itself is neither answered nor acknowledged: name one of its messages", Detail: "X9"}
	}
	return row, &row.task.History.Messages[at], nil
}

// Respond writes the admin's answer to an escalation, once: the same answer
// again is no second one.
func (p *Panels) Respond(ctx context.Context, q RespondParams) (Responded, error) {
	row, msg, err := p.answerable(q.Ref)
	if err != nil {
		return Responded{}, err
	}
	return p.write(ctx, row, q.Ref, ssot.ResumePath(msg.ID), q.ClientToken, "respond", func(d *ssot.Dir, now time.Time) error {
		resume := resumeOf(&q.Response, msg, now.UnixMilli())
		err := d.Resume(ctx, resume)
		if there, ok := errors.AsType[*ssot.ExistsError](err); ok && there.Void == "" && there.Resume != nil && there.Resume.Action == resume.Action && there.Resume.Text == resume.Text {
			return nil
		}
		return err
	})
}

// Ack acknowledges what went to the admin. Nobody can take it back.
func (p *Panels) Ack(ctx context.Context, q AckParams) (Responded, error) {
	row, msg, err := p.answerable(q.Ref)
	if err != nil {
		return Responded{}, err
	}
	if msg.To != agn.Admin {
		return Responded{}, &Error{
			Kind: NotOwner, Detail: "E12",
			Message: fmt.Sprintf("the message went to the %s, whose ACK it needs: signalbox task ack %s --as %s", msg.To, safe(msg.ID), msg.To),
		}
	}
	return p.write(ctx, row, q.Ref, ssot.AckPath(msg.ID), q.ClientToken, "acknowledge", func(d *ssot.Dir, now time.Time) error {
		_, err := d.Ack(ctx, msg.ID, agn.Admin, now)
		if there, ok := errors.AsType[*ssot.ExistsError](err); ok && there.Void == "" && there.Ack != nil && there.Ack.By == agn.Admin {
			return nil
		}
		return err
	})
}

// write writes one fact and waits until it is shown.
func (p *Panels) write(ctx context.Context, row taskRow, ref Ref, path, token, what string, do func(*ssot.Dir, time.Time) error) (Responded, error) {
	if p.readOnly() {
		return Responded{}, &Error{Kind: Untrusted, Message: readOnlyWords}
	}
	if token == "" || len(token) > store.MaxToken {
		return Responded{}, &Error{Kind: Malformed, Message: fmt.Sprintf("clientToken has to be 1 to %d bytes long", store.MaxToken)}
	}
	d, err := ssot.Open(row.in.Path)
	if err == nil {
		err = do(d, p.opt.Now())
		if bad := d.Close(); bad != nil {
			p.opt.Log.Warn("closing the SSOT", "error", bad) // the fact is written all the same
		}
	}
	if err != nil {
		return Responded{}, taskFailure(err, what)
	}
	out := Responded{Ref: ref, Path: filepath.Join(row.in.Path, filepath.FromSlash(path))}
	// What was written is written: a late cancel only means an older state.
	if live := p.ssotLive(row.in.ID); live != nil && live.Sync(ctx) == nil {
		if s := live.Snapshot(); s.Task(row.task.ID) != nil {
			row = taskRow{s, s.Task(row.task.ID)}
		}
	}
	out.Task = taskItem(row.in, row.task, p.now())
	return out, nil
}

// taskFailure turns an error of the SSOT into one a client can tell apart.
func taskFailure(err error, what string) error {
	kind, rule := StoreUnavailable, ""
	if fault, ok := errors.AsType[*canon.Fault](err); ok {
		kind, rule = Malformed, fault.Rule
	}
	if _, ok := errors.AsType[*ssot.ExistsError](err); ok {
		kind, rule = Malformed, "E13"
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return &Error{Kind: kind, Message: what + ": " + safe(err.Error()), Detail: rule, Retryable: kind == StoreUnavailable, Err: err}
}
