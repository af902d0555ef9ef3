package enginetest

import (
	"context"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/wasm/client"
)

const (
	noon       = 1772107200000
	dispatchID = "task_dispatch-T-2026-007-1772107200000"
	resultID   = "task_result-T-2026-007-1772107200000"
	alertID    = "escalation-T-2026-007-1772107200005"
)

func taskHead() client.TaskHead { return client.TaskHead{TaskID: "T-2026-007", Millis: noon} }

// testAGNTypedCalls runs every typed call over the module and natively.
func (suite *Suite) testAGNTypedCalls(t *testing.T) {
	suite.typed(t, func(t *testing.T, caller client.Caller) {
		c := typedTasks{typed{T: t}, client.NewAGN(caller)}
		c.messages()
		c.history()
		c.records()
	})
}

type typedTasks struct {
	typed
	agn client.AGN
}

// again reads what was built and compares its payload.
func (c typedTasks) again(what string, text []byte, err error, want client.TaskPayload) {
	c.Helper()
	m, rerr := c.agn.Message(context.Background(), text)
	c.equal(what, []any{m.Payload, len(m.Faults)}, cmpErr(err, rerr), []any{want, 0})
}

func (c typedTasks) messages() {
	ctx := context.Background()
	yes, no := true, false
	dispatch := client.Dispatch{
		Description: "<d> & \u2028", Repo: "/r", Branch: "b", Subtasks: []client.Subtask{{ID: "S1", Description: "s", EstimatedLines: 3}},
		Criteria: []string{"c"}, Risk: "low", Forbidden: []string{}, Constraints: client.Value(`{"<":[1.0,null]}`),
	}
	text, err := c.agn.BuildDispatch(ctx, taskHead(), dispatch)
	c.again("dispatch", text, err, client.TaskPayload{Dispatch: &dispatch})
	m, err := c.agn.Message(ctx, text)
	m.Payload = client.TaskPayload{}
	c.equal("message", m, err, client.TaskMessage{
		ID: dispatchID, Version: "AMP/1.0", Type: "task_dispatch", From: "coordinator", To: "executor", TaskID: "T-2026-007",
		Time: client.Time{Text: "2026-02-26T12:00:00.000+00:00", Millis: noon, OK: true}, RequiresAck: true, Timeout: 300,
		ContextRef: []string{}, Findings: client.Findings{Faults: []client.Fault{}, Notes: []client.Fault{}},
	})
	result := client.TaskResult{
		SubtaskID: "S1", Status: "partial", Files: []string{"f"}, LinesAdded: 1, LinesRemoved: 2, CriteriaMet: []*bool{&yes, &no, nil}, Notes: []string{},
		Log:    []client.LogEntry{{Time: client.Time{Text: "2026-02-26T12:00:00Z", Millis: noon, OK: true}, Action: "a", File: "f", Detail: "x"}},
		Commit: "0f", Blockers: []string{"b"},
	}
	text, err = c.agn.BuildResult(ctx, taskHead(), result)
	c.again("result", text, err, client.TaskPayload{Result: &result})
	request := client.ReviewRequest{DispatchRef: dispatchID, ResultRef: resultID, Scope: "full", DiffURL: "u", RejectCount: 1, Notes: "n", CI: []client.CIBuild{{Name: "xcode_cloud", Status: "passed"}}}
	text, err = c.agn.BuildRequest(ctx, taskHead(), request)
	c.again("request", text, err, client.TaskPayload{Request: &request})
	verdict := client.Verdict{Decision: "rejected", Criteria: []client.Criterion{{Text: "c", Evidence: "e"}}, Issues: []client.Issue{{Severity: "major", File: "f", Line: 3, Description: "d", SuggestedFix: "s"}}, Confidence: 0.75}
	text, err = c.agn.BuildVerdict(ctx, taskHead(), verdict)
	c.again("verdict", text, err, client.TaskPayload{Verdict: &verdict})
	alert := client.Escalation{Kind: "unknown", Severity: "critical", TriggeredBy: "executor", Description: "d", Affected: []string{dispatchID}, Snapshot: client.Snapshot{TaskStatus: "s", RejectCount: 1, LastSuccessful: resultID}, Suggested: []string{"x"}, Suspended: true}
	head := taskHead()
	head.Number, head.ContextRef = 1772107200005, []string{dispatchID}
	text, err = c.agn.BuildEscalation(ctx, head, "system", alert)
	c.again("escalation", text, err, client.TaskPayload{Escalation: &alert})
	m, err = c.agn.Message(ctx, text)
	c.equal("escalation's id", []any{m.ID, m.ContextRef}, err, []any{alertID, []string{dispatchID}})
	p, err := c.agn.Payload(ctx, "task_dispatch", []byte(`{"description":"d","repo":"/r","branch":"main","subtasks":[],"acceptance_criteria":["c"],"risk_level":"low"}`))
	c.equal("payload", []any{p.Payload.Dispatch.Branch, p.Faults[0].Rule, p.Notes[0].Rule}, err, []any{"main", "D3", "D4"})
}

func (c typedTasks) history() {
	ctx := context.Background()
	dispatch, err := c.agn.BuildDispatch(ctx, taskHead(), client.Dispatch{Description: "d", Repo: "/r", Branch: "b", Subtasks: []client.Subtask{{ID: "S1"}}, Criteria: []string{"c"}, Risk: "low"})
	if err != nil {
		c.Fatal(err)
	}
	result, err := c.agn.BuildResult(ctx, taskHead(), client.TaskResult{SubtaskID: "S2", Status: "complete"})
	if err != nil {
		c.Fatal(err)
	}
	found, err := c.agn.Check(ctx, result, [][]byte{[]byte("x"), dispatch})
	c.equal("check", []any{found.Faults[0].Rule, len(found.Notes), found.Unread}, err, []any{"T1", 0, int64(1)})
	h := client.TaskHistory{Messages: [][]byte{dispatch}}
	s, err := c.agn.State(ctx, "T-2026-007", h, noon+300_001)
	c.equal("state", s, err, client.TaskState{
		TaskID: "T-2026-007", Phase: "dispatched", Open: []string{}, Suspended: []string{}, LastWrite: noon, Age: 300_001, Notes: []client.Fault{},
		Waits: []client.Wait{{MsgID: dispatchID, From: "coordinator", To: "executor", Deadline: noon + 300_000, Overdue: true}},
		Next:  client.Duty{Who: "executor", Do: "acknowledge", MsgID: dispatchID},
	})
	bad := []byte(strings.Replace(string(dispatch), `"b"`, `"main"`, 1))
	told, err := c.agn.Alarms(ctx, "T-2026-007", h, noon+300_001, [][]byte{bad})
	alarms := told.Alarms
	c.equal("alarms", []any{len(alarms), alarms[0].Kind, alarms[1].Kind, alarms[1].Since, alarms[1].Escalation.Affected}, err, []any{2, "branch_violation", "ack_timeout", int64(noon + 300_001), []string{dispatchID}})
	ack, err := c.agn.BuildAck(ctx, client.Ack{MsgID: dispatchID, By: "executor", Millis: noon + 1})
	if err != nil {
		c.Fatal(err)
	}
	alert, err := c.agn.BuildEscalation(ctx, taskHead(), "executor", client.Escalation{Kind: "unknown", Severity: "critical", TriggeredBy: "executor", Description: "d", Snapshot: client.Snapshot{TaskStatus: "s"}, Suspended: true})
	if err != nil {
		c.Fatal(err)
	}
	m, err := c.agn.Message(ctx, alert)
	if err != nil {
		c.Fatal(err)
	}
	resume, err := c.agn.BuildResume(ctx, client.Resume{MsgID: m.ID, Action: "approve", Millis: noon + 2})
	if err != nil {
		c.Fatal(err)
	}
	h = client.TaskHistory{Messages: [][]byte{dispatch, alert}, Acks: [][]byte{ack, []byte("{}")}}
	s, err = c.agn.State(ctx, "T-2026-007", h, noon+3)
	c.equal("suspended", []any{s.Phase, s.Suspended, len(s.Waits), s.Unread}, err, []any{client.PhaseSuspended, []string{"coordinator", "executor"}, 0, int64(1)})
	h.Resumes = [][]byte{resume}
	s, err = c.agn.State(ctx, "T-2026-007", h, noon+3)
	c.equal("resumed", s.Phase, err, client.PhaseResumed)
}

func (c typedTasks) records() {
	ctx := context.Background()
	id, err := c.agn.ID(ctx, dispatchID)
	c.equal("id", id, err, client.MessageID{Valid: true, Type: "task_dispatch", TaskID: "T-2026-007", Millis: noon})
	valid, err := c.agn.ValidTaskID(ctx, "T-2026-007/..")
	c.equal("task id", valid, err, false)

	ack := client.Ack{MsgID: dispatchID, By: "executor", Millis: noon}
	text, err := c.agn.BuildAck(ctx, ack)
	gotAck, perr := c.agn.Ack(ctx, text)
	c.equal("ACK", gotAck, cmpErr(err, perr), ack)
	resume := client.Resume{MsgID: alertID, Action: "redirect", Text: "<x>", Millis: noon}
	text, err = c.agn.BuildResume(ctx, resume)
	gotResume, perr := c.agn.Resume(ctx, text)
	c.equal("resume", gotResume, cmpErr(err, perr), resume)
	record := client.TaskRecord{TaskID: "T-2026-007", Title: "t", Repo: "/r", Branch: "b", Risk: "low", Phase: "in work", RejectCount: 1, Messages: 2, LastMsgID: dispatchID, Created: noon, Updated: noon + 1}
	text, err = c.agn.BuildRecord(ctx, record)
	gotRecord, perr := c.agn.Record(ctx, text)
	c.equal("record", gotRecord, cmpErr(err, perr), record)
	rejection := client.Rejection{Millis: noon, Source: "s", MsgID: "m", TaskID: "t", Digest: "00", Faults: []client.Fault{{Rule: "D3", Field: "payload.branch", Offset: 4, Reason: "r"}}, Text: "x"}
	text, err = c.agn.BuildRejection(ctx, rejection)
	gotRejection, perr := c.agn.Rejection(ctx, text)
	c.equal("rejection", gotRejection, cmpErr(err, perr), rejection)
}
