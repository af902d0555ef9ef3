package ops

import "github.com/signalbox-dev/signalbox/core/agn"

// Each method of this file writes the members of one value of the core, in the order and
// with the names of the type in wasm/js/src/types.ts; its caller writes the braces.

func (e *encoder) taskMessage(v *agn.Message) {
	e.text("id", v.ID)
	e.text("version", v.Version)
	e.text("type", v.Type)
	e.text("from", v.From)
	e.text("to", v.To)
	e.text("taskId", v.TaskID)
	e.time("time", v.Time)
	e.bool("requiresAck", v.RequiresAck)
	e.number("ackTimeout", v.AckTimeout)
	e.number("timeout", v.Timeout())
	e.texts("contextRef", v.ContextRef)
	nested(e, "payload", &v.Payload, (*encoder).taskPayload)
	optionally(e, "distress", distress(v), (*encoder).escalation)
	e.both(v.Findings)
}

func (e *encoder) taskPayload(v *agn.Payload) {
	optionally(e, "dispatch", v.Dispatch, (*encoder).dispatch)
	optionally(e, "result", v.Result, (*encoder).taskResult)
	optionally(e, "request", v.Request, (*encoder).reviewRequest)
	optionally(e, "verdict", v.Verdict, (*encoder).verdict)
	optionally(e, "escalation", v.Escalation, (*encoder).escalation)
}

func (e *encoder) dispatch(v *agn.Dispatch) {
	e.text("description", v.Description)
	e.text("repo", v.Repo)
	e.text("branch", v.Branch)
	every(e, "subtasks", v.Subtasks, (*encoder).subtask)
	e.texts("criteria", v.Criteria)
	e.text("risk", v.Risk)
	if v.Forbidden != nil {
		e.texts("forbidden", v.Forbidden)
	}
	if v.Constraints != nil {
		e.raw("constraints", v.Constraints)
	}
}

func (e *encoder) subtask(v *agn.Subtask) {
	e.text("id", v.ID)
	e.text("description", v.Description)
	e.number("estimatedLines", v.EstimatedLines)
}

func (e *encoder) taskResult(v *agn.Result) {
	e.text("subtaskId", v.SubtaskID)
	e.text("status", v.Status)
	e.texts("files", v.Files)
	e.number("linesAdded", v.LinesAdded)
	e.number("linesRemoved", v.LinesRemoved)
	e.answers("criteriaMet", v.CriteriaMet)
	e.texts("notes", v.Notes)
	every(e, "log", v.Log, (*encoder).logEntry)
	e.optional("commit", v.Commit)
	if v.Blockers != nil {
		e.texts("blockers", v.Blockers)
	}
}

func (e *encoder) logEntry(v *agn.LogEntry) {
	e.time("time", v.Time)
	e.text("action", v.Action)
	e.text("file", v.File)
	e.text("detail", v.Detail)
}

func (e *encoder) reviewRequest(v *agn.Request) {
	e.text("dispatchRef", v.DispatchRef)
	e.text("resultRef", v.ResultRef)
	e.text("scope", v.Scope)
	e.text("diffUrl", v.DiffURL)
	e.number("rejectCount", v.RejectCount)
	e.optional("notes", v.Notes)
	if v.CI != nil {
		every(e, "ci", v.CI, (*encoder).build)
	}
}

func (e *encoder) build(v *agn.Build) {
	e.text("name", v.Name)
	e.text("status", v.Status)
}

func (e *encoder) verdict(v *agn.Verdict) {
	e.text("decision", v.Decision)
	every(e, "criteria", v.Criteria, (*encoder).criterion)
	if v.Issues != nil {
		every(e, "issues", v.Issues, (*encoder).issue)
	}
	if v.Fixes != nil {
		every(e, "fixes", v.Fixes, (*encoder).fix)
	}
	e.optional("architecture", v.Architecture)
	e.fraction("confidence", v.Confidence)
}

func (e *encoder) criterion(v *agn.Criterion) {
	e.text("text", v.Text)
	e.answer("passed", v.Passed)
	e.text("evidence", v.Evidence)
}

func (e *encoder) issue(v *agn.Issue) {
	e.text("severity", v.Severity)
	e.text("file", v.File)
	e.number("line", v.Line)
	e.text("description", v.Description)
	e.text("suggestedFix", v.SuggestedFix)
}

func (e *encoder) fix(v *agn.Fix) {
	e.text("file", v.File)
	e.text("change", v.Change)
	e.number("lines", v.Lines)
}

func (e *encoder) escalation(v *agn.Escalation) {
	e.text("kind", v.Kind)
	e.text("severity", v.Severity)
	e.text("triggeredBy", v.TriggeredBy)
	e.text("description", v.Description)
	e.texts("affected", v.Affected)
	nested(e, "snapshot", &v.Snapshot, (*encoder).snapshot)
	if v.Suggested != nil {
		e.texts("suggested", v.Suggested)
	}
	e.bool("suspended", v.Suspended)
}

func (e *encoder) snapshot(v *agn.Snapshot) {
	e.text("taskStatus", v.TaskStatus)
	e.number("rejectCount", v.RejectCount)
	e.text("lastSuccessful", v.LastSuccessful)
}

func (e *encoder) taskState(v *agn.TaskState) {
	e.text("taskId", v.TaskID)
	e.text("phase", string(v.Phase))
	e.number("rejects", int64(v.Rejects))
	e.number("consecutive", int64(v.Consecutive))
	e.bool("lockNear", v.LockNear)
	e.text("lock", string(v.Lock))
	e.text("lockedBy", v.LockedBy)
	e.texts("open", v.Open)
	e.texts("suspended", v.Suspended)
	every(e, "waits", v.Waits, (*encoder).wait)
	e.number("lastWrite", v.LastWrite)
	e.number("age", v.Age)
	e.bool("silent", v.Silent)
	nested(e, "next", &v.Next, (*encoder).duty)
	e.faults("notes", v.Notes)
}

func (e *encoder) wait(v *agn.Wait) {
	e.text("msgId", v.MsgID)
	e.text("from", v.From)
	e.text("to", v.To)
	e.number("deadline", v.Deadline)
	e.bool("overdue", v.Overdue)
}

func (e *encoder) duty(v *agn.Duty) {
	e.text("who", v.Who)
	e.text("do", string(v.Do))
	e.text("msgId", v.MsgID)
}

func (e *encoder) alarm(v *agn.Alarm) {
	e.text("kind", v.Kind)
	e.text("severity", v.Severity)
	e.text("msgId", v.MsgID)
	e.text("who", v.Who)
	e.number("since", v.Since)
	e.text("description", v.Description)
	e.text("lastSuccessful", v.LastSuccessful)
}

func (e *encoder) ack(v *agn.Ack) {
	e.text("msgId", v.MsgID)
	e.text("by", v.By)
	e.number("millis", v.Millis)
}

func (e *encoder) resume(v *agn.Resume) {
	e.text("msgId", v.MsgID)
	e.text("action", string(v.Action))
	e.text("text", v.Text)
	e.number("millis", v.Millis)
}

func (e *encoder) taskRecord(v *agn.Record) {
	e.text("taskId", v.TaskID)
	e.text("title", v.Title)
	e.text("repo", v.Repo)
	e.text("branch", v.Branch)
	e.text("risk", v.Risk)
	e.text("phase", string(v.Phase))
	e.number("rejectCount", v.RejectCount)
	e.number("messages", v.Messages)
	e.text("lastMsgId", v.LastMsgID)
	e.number("created", v.Created)
	e.number("updated", v.Updated)
}

func (e *encoder) rejection(v *agn.Rejection) {
	e.number("millis", v.Millis)
	e.text("source", v.Source)
	e.text("msgId", v.MsgID)
	e.text("taskId", v.TaskID)
	e.text("digest", v.Digest)
	e.faults("faults", v.Faults)
	e.text("text", v.Text)
}
