package client

import (
	"context"

	"github.com/signalbox-dev/signalbox/wasm/abi"
)

// TaskHead is what a new message needs beside its payload. Its id, its parties
// and whether it asks for an ACK follow from its type.
type TaskHead struct {
	TaskID string `json:"taskId"`
	// Millis is when the message is made, and the last part of its id.
	Millis int64 `json:"millis"`
	// Number takes the place of Millis in the id if it is not 0.
	Number int64 `json:"number"`
	// AckTimeout overrides the type's default, in seconds; 0 leaves the default.
	AckTimeout int64    `json:"ackTimeout"`
	ContextRef []string `json:"contextRef,omitzero"`
}

// BuildDispatch makes a task_dispatch. This and the next four give the whole
// message, and make none that [AGN.Message] would find fault with.
func (t AGN) BuildDispatch(ctx context.Context, h TaskHead, d Dispatch) ([]byte, error) {
	return t.bytes(ctx, abi.AGNBuildDispatch, struct {
		TaskHead
		Dispatch Dispatch `json:"dispatch"`
	}{h, d}, nil)
}

// BuildResult makes a task_result.
func (t AGN) BuildResult(ctx context.Context, h TaskHead, r TaskResult) ([]byte, error) {
	type entry struct {
		Time   string `json:"time"`
		Action string `json:"action"`
		File   string `json:"file"`
		Detail string `json:"detail"`
	}
	type result struct {
		TaskResult
		Log []entry `json:"log"`
	}
	p := result{TaskResult: r}
	for _, l := range r.Log {
		p.Log = append(p.Log, entry{l.Time.Text, l.Action, l.File, l.Detail})
	}
	return t.bytes(ctx, abi.AGNBuildResult, struct {
		TaskHead
		Result result `json:"result"`
	}{h, p}, nil)
}

// BuildRequest makes a review_request.
func (t AGN) BuildRequest(ctx context.Context, h TaskHead, r ReviewRequest) ([]byte, error) {
	return t.bytes(ctx, abi.AGNBuildRequest, struct {
		TaskHead
		Request ReviewRequest `json:"request"`
	}{h, r}, nil)
}

// BuildVerdict makes a review_verdict.
func (t AGN) BuildVerdict(ctx context.Context, h TaskHead, v Verdict) ([]byte, error) {
	return t.bytes(ctx, abi.AGNBuildVerdict, struct {
		TaskHead
		Verdict Verdict `json:"verdict"`
	}{h, v}, nil)
}

// BuildEscalation makes an escalation from the given party to the admin.
func (t AGN) BuildEscalation(ctx context.Context, h TaskHead, from string, e Escalation) ([]byte, error) {
	return t.bytes(ctx, abi.AGNBuildEscalation, struct {
		TaskHead
		From       string     `json:"from"`
		Escalation Escalation `json:"escalation"`
	}{h, from, e}, nil)
}

// BuildAck makes an ACK.
func (t AGN) BuildAck(ctx context.Context, a Ack) ([]byte, error) {
	return t.bytes(ctx, abi.AGNBuildAck, a, nil)
}

// BuildResume makes the admin's answer. A redirect needs a text.
func (t AGN) BuildResume(ctx context.Context, r Resume) ([]byte, error) {
	return t.bytes(ctx, abi.AGNBuildResume, r, nil)
}

// BuildRecord makes a task's file.
func (t AGN) BuildRecord(ctx context.Context, r TaskRecord) ([]byte, error) {
	return t.bytes(ctx, abi.AGNBuildRecord, r, nil)
}

// BuildRejection makes a line of the error log, with its line end.
func (t AGN) BuildRejection(ctx context.Context, r Rejection) ([]byte, error) {
	type fault struct {
		Rule   string `json:"rule"`
		Field  string `json:"field"`
		Offset int64  `json:"offset"`
		Reason string `json:"reason"`
	}
	p := struct {
		Rejection
		Faults []fault `json:"faults"`
	}{Rejection: r, Faults: []fault{}}
	for _, f := range r.Faults {
		p.Faults = append(p.Faults, fault{f.Rule, f.Field, f.Offset, f.Reason})
	}
	return t.bytes(ctx, abi.AGNBuildRejection, p, nil)
}
