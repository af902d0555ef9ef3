package ops

import "github.com/signalbox-dev/signalbox/core/agn"

// Each method of this file writes the members of one value of the core, in the order and
// with the names of the type in wasm/js/src/types.ts; its caller writes the braces.

func (e *encoder) taskMessage(v *agn.Message) {
	e.Text("id", v.ID)
	e.Text("version", v.Version)
	e.Text("type", v.Type)
	e.Text("from", v.From)
	e.Text("to", v.To)
	e.Text("taskId", v.TaskID)
	e.time("time", v.Time)
	e.Bool("requiresAck", v.RequiresAck)
	e.Number("ackTimeout", v.AckTimeout)
	e.Number("timeout", v.Timeout())
	e.Texts("contextRef", v.ContextRef)
	nested(e, "payload", &v.Payload, (*encoder).taskPayload)
	optionally(e, "distress", malformedEscalation(v), (*encoder).escalation)
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
	e.Text("description", v.Description)
	e.Text("repo", v.Repo)
	e.Text("branch", v.Branch)
	every(e, "subtasks", v.Subtasks, (*encoder).subtask)
	e.Texts("criteria", v.Criteria)
	e.Text("risk", v.Risk)
	e.SomeTexts("forbidden", v.Forbidden)
	if v.Constraints != nil {
		e.Raw("constraints", v.Constraints)
	}
}

func (e *encoder) subtask(v *agn.Subtask) {
	e.Text("id", v.ID)
	e.Text("description", v.Description)
	e.Number("estimatedLines", v.EstimatedLines)
}

func (e *encoder) taskResult(v *agn.Result) {
	e.Text("subtaskId", v.SubtaskID)
	e.Text("status", v.Status)
	e.Texts("files", v.Files)
	e.Number("linesAdded", v.LinesAdded)
	e.Number("linesRemoved", v.LinesRemoved)
	e.answers("criteriaMet", v.CriteriaMet)
	e.Texts("notes", v.Notes)
	every(e, "log", v.Log, (*encoder).logEntry)
	e.Optional("commit", v.Commit)
	e.SomeTexts("blockers", v.Blockers)
}

func (e *encoder) logEntry(v *agn.LogEntry) {
	e.time("time", v.Time)
	e.Text("action", v.Action)
	e.Text("file", v.File)
	e.Text("detail", v.Detail)
}

func (e *encoder) reviewRequest(v *agn.Request) {
	e.Text("dispatchRef", v.DispatchRef)
	e.Text("resultRef", v.ResultRef)
	e.Text("scope", v.Scope)
	e.Text("diffUrl", v.DiffURL)
	e.Number("rejectCount", v.RejectCount)
	e.Optional("notes", v.Notes)
	if v.CI != nil {
		every(e, "ci", v.CI, (*encoder).build)
	}
}

func (e *encoder) build(v *agn.Build) {
	e.Text("name", v.Name)
	e.Text("status", v.Status)
}

func (e *encoder) verdict(v *agn.Verdict) {
	e.Text("decision", v.Decision)
	every(e, "criteria", v.Criteria, (*encoder).criterion)
	if v.Issues != nil {
		every(e, "issues", v.Issues, (*encoder).issue)
	}
	if v.Fixes != nil {
		every(e, "fixes", v.Fixes, (*encoder).fix)
	}
	e.Optional("architecture", v.Architecture)
	e.Fraction("confidence", v.Confidence)
}

func (e *encoder) criterion(v *agn.Criterion) {
	e.Text("text", v.Text)
	v.Passed.Write(&e.Writer, "passed")
	e.Text("evidence", v.Evidence)
}

func (e *encoder) issue(v *agn.Issue) {
	e.Text("severity", v.Severity)
	e.Text("file", v.File)
	e.Number("line", v.Line)
	e.Text("description", v.Description)
	e.Text("suggestedFix", v.SuggestedFix)
}

func (e *encoder) fix(v *agn.Fix) {
	e.Text("file", v.File)
	e.Text("change", v.Change)
	e.Number("lines", v.Lines)
}

func (e *encoder) escalation(v *agn.Escalation) {
	e.Text("kind", v.Kind)
	e.Text("severity", v.Severity)
	e.Text("triggeredBy", v.TriggeredBy)
	e.Text("description", v.Description)
	e.Texts("affected", v.Affected)
	nested(e, "snapshot", &v.Snapshot, (*encoder).snapshot)
	e.SomeTexts("suggested", v.Suggested)
	e.Bool("suspended", v.Suspended)
}

func (e *encoder) snapshot(v *agn.Snapshot) {
	e.Text("taskStatus", v.TaskStatus)
	e.Number("rejectCount", v.RejectCount)
	e.Text("lastSuccessful", v.LastSuccessful)
}

func (e *encoder) taskState(v *agn.TaskState) {
	e.Text("taskId", v.TaskID)
	e.Text("phase", string(v.Phase))
	e.Number("rejects", int64(v.Rejects))
	e.Number("consecutive", int64(v.Consecutive))
	e.Bool("lockNear", v.LockNear)
	e.Text("lock", string(v.Lock))
	e.Text("lockedBy", v.LockedBy)
	e.Texts("open", v.Open)
	e.Texts("suspended", v.Suspended)
	every(e, "waits", v.Waits, (*encoder).wait)
	e.Number("lastWrite", v.LastWrite)
	e.Number("age", v.Age)
	e.Bool("silent", v.Silent)
	nested(e, "next", &v.Next, (*encoder).nextAction)
	e.faults("notes", v.Notes)
}

func (e *encoder) wait(v *agn.Wait) {
	e.Text("msgId", v.MsgID)
	e.Text("from", v.From)
	e.Text("to", v.To)
	e.Number("deadline", v.Deadline)
	e.Bool("overdue", v.Overdue)
}

func (e *encoder) nextAction(v *agn.NextAction) {
	e.Text("who", v.Who)
	e.Text("do", string(v.Do))
	e.Text("msgId", v.MsgID)
}

func (e *encoder) alarm(v *agn.Alarm) {
	e.Text("kind", v.Kind)
	e.Text("severity", v.Severity)
	e.Text("msgId", v.MsgID)
	e.Text("who", v.Who)
	e.Number("since", v.Since)
	e.Text("description", v.Description)
	e.Text("lastSuccessful", v.LastSuccessful)
}

func (e *encoder) ack(v *agn.Ack) {
	e.Text("msgId", v.MsgID)
	e.Text("by", v.By)
	e.Number("millis", v.Millis)
}

func (e *encoder) resume(v *agn.Resume) {
	e.Text("msgId", v.MsgID)
	e.Text("action", string(v.Action))
	e.Text("text", v.Text)
	e.Number("millis", v.Millis)
}

func (e *encoder) taskRecord(v *agn.Record) {
	e.Text("taskId", v.TaskID)
	e.Text("title", v.Title)
	e.Text("repo", v.Repo)
	e.Text("branch", v.Branch)
	e.Text("risk", v.Risk)
	e.Text("phase", string(v.Phase))
	e.Number("rejectCount", v.RejectCount)
	e.Number("messages", v.Messages)
	e.Text("lastMsgId", v.LastMsgID)
	e.Number("created", v.Created)
	e.Number("updated", v.Updated)
}

func (e *encoder) rejection(v *agn.Rejection) {
	e.Number("millis", v.Millis)
	e.Text("source", v.Source)
	e.Text("msgId", v.MsgID)
	e.Text("taskId", v.TaskID)
	e.Text("digest", v.Digest)
	e.faults("faults", v.Faults)
	e.Text("text", v.Text)
}
