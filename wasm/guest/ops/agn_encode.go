package ops

import (
	"strconv"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/atsf"
)

func (e *encoder) taskFaults(name string, list []agn.Fault) {
	e.key(name)
	e.open('[')
	for i := range list {
		e.item()
		e.fault((*atsf.Fault)(&list[i])) // the two have the same fields
	}
	e.close(']')
}

func (e *encoder) taskFindings(f agn.Findings) {
	e.taskFaults("faults", f.Faults)
	e.taskFaults("notes", f.Notes)
}

// envelope writes the members of a message but its payload and findings.
func (e *encoder) envelope(m *agn.Message) {
	e.text("id", m.ID)
	e.text("version", m.Version)
	e.text("type", m.Type)
	e.text("from", m.From)
	e.text("to", m.To)
	e.text("taskId", m.TaskID)
	e.taskTime("time", m.Time)
	e.bool("requiresAck", m.RequiresAck)
	e.number("ackTimeout", m.AckTimeout)
	e.number("timeout", m.Timeout())
	e.texts("contextRef", m.ContextRef)
}

func (e *encoder) taskTime(name string, t agn.Time) {
	e.key(name)
	e.open('{')
	e.text("text", t.Text)
	e.number("millis", t.Millis)
	e.bool("ok", t.OK)
	e.close('}')
}

// payload writes the one that is there, under its name.
func (e *encoder) payload(p *agn.Payload) {
	e.key("payload")
	e.open('{')
	switch {
	case p.Dispatch != nil:
		e.dispatch(p.Dispatch)
	case p.Result != nil:
		e.result(p.Result)
	case p.Request != nil:
		e.request(p.Request)
	case p.Verdict != nil:
		e.verdict(p.Verdict)
	case p.Escalation != nil:
		e.key("escalation")
		e.escalation(p.Escalation)
	}
	e.close('}')
}

// distress writes what a message with faults says as an escalation, if it may be one.
func (e *encoder) distress(m *agn.Message, text []byte) {
	if len(m.Faults) == 0 {
		return
	}
	if d, ok := agn.Distress(text); ok {
		s := d.Payload.Escalation
		s.Severity = s.Gravity()
		e.key("distress")
		e.escalation(s)
	}
}

func (e *encoder) dispatch(d *agn.Dispatch) {
	e.key("dispatch")
	e.open('{')
	e.text("description", d.Description)
	e.text("repo", d.Repo)
	e.text("branch", d.Branch)
	e.key("subtasks")
	e.open('[')
	for i := range d.Subtasks {
		s := &d.Subtasks[i]
		e.item()
		e.open('{')
		e.text("id", s.ID)
		e.text("description", s.Description)
		e.number("estimatedLines", s.EstimatedLines)
		e.close('}')
	}
	e.close(']')
	e.texts("criteria", d.Criteria)
	e.text("risk", d.Risk)
	if d.Forbidden != nil {
		e.texts("forbidden", d.Forbidden)
	}
	if d.Constraints != nil {
		e.raw("constraints", d.Constraints)
	}
	e.close('}')
}

func (e *encoder) result(r *agn.Result) {
	e.key("result")
	e.open('{')
	e.text("subtaskId", r.SubtaskID)
	e.text("status", r.Status)
	e.texts("files", r.Files)
	e.number("linesAdded", r.LinesAdded)
	e.number("linesRemoved", r.LinesRemoved)
	e.key("criteriaMet")
	e.open('[')
	for _, a := range r.CriteriaMet {
		e.item()
		e.answer(a)
	}
	e.close(']')
	e.texts("notes", r.Notes)
	e.key("log")
	e.open('[')
	for i := range r.Log {
		l := &r.Log[i]
		e.item()
		e.open('{')
		e.taskTime("time", l.Time)
		e.text("action", l.Action)
		e.text("file", l.File)
		e.text("detail", l.Detail)
		e.close('}')
	}
	e.close(']')
	e.optional("commit", r.Commit)
	if r.Blockers != nil {
		e.texts("blockers", r.Blockers)
	}
	e.close('}')
}

// answer writes a bool after its key or item, null for what is not known.
func (e *encoder) answer(a agn.Answer) {
	switch a {
	case agn.Yes, agn.No:
		e.buf = strconv.AppendBool(e.buf, a == agn.Yes)
	default:
		e.buf = append(e.buf, "null"...)
	}
}

func (e *encoder) request(r *agn.Request) {
	e.key("request")
	e.open('{')
	e.text("dispatchRef", r.DispatchRef)
	e.text("resultRef", r.ResultRef)
	e.text("scope", r.Scope)
	e.text("diffUrl", r.DiffURL)
	e.number("rejectCount", r.RejectCount)
	e.optional("notes", r.Notes)
	if r.CI != nil {
		e.key("ci")
		e.open('[')
		for _, b := range r.CI {
			e.item()
			e.open('{')
			e.text("name", b.Name)
			e.text("status", b.Status)
			e.close('}')
		}
		e.close(']')
	}
	e.close('}')
}

func (e *encoder) verdict(v *agn.Verdict) {
	e.key("verdict")
	e.open('{')
	e.text("decision", v.Decision)
	e.key("criteria")
	e.open('[')
	for i := range v.Criteria {
		c := &v.Criteria[i]
		e.item()
		e.open('{')
		e.text("text", c.Text)
		e.key("passed")
		e.answer(c.Passed)
		e.text("evidence", c.Evidence)
		e.close('}')
	}
	e.close(']')
	if v.Issues != nil {
		e.issues(v.Issues)
	}
	if v.Fixes != nil {
		e.key("fixes")
		e.open('[')
		for _, f := range v.Fixes {
			e.item()
			e.open('{')
			e.text("file", f.File)
			e.text("change", f.Change)
			e.number("lines", f.Lines)
			e.close('}')
		}
		e.close(']')
	}
	e.optional("architecture", v.Architecture)
	e.key("confidence")
	e.buf = strconv.AppendFloat(e.buf, v.Confidence, 'f', -1, 64)
	e.close('}')
}

func (e *encoder) issues(list []agn.Issue) {
	e.key("issues")
	e.open('[')
	for i := range list {
		s := &list[i]
		e.item()
		e.open('{')
		e.text("severity", s.Severity)
		e.text("file", s.File)
		e.number("line", s.Line)
		e.text("description", s.Description)
		e.text("suggestedFix", s.SuggestedFix)
		e.close('}')
	}
	e.close(']')
}

// escalation writes one after its key.
func (e *encoder) escalation(s *agn.Escalation) {
	e.open('{')
	e.text("kind", s.Kind)
	e.text("severity", s.Severity)
	e.text("triggeredBy", s.TriggeredBy)
	e.text("description", s.Description)
	e.texts("affected", s.Affected)
	e.key("snapshot")
	e.open('{')
	e.text("taskStatus", s.Snapshot.TaskStatus)
	e.number("rejectCount", s.Snapshot.RejectCount)
	e.text("lastSuccessful", s.Snapshot.LastSuccessful)
	e.close('}')
	if s.Suggested != nil {
		e.texts("suggested", s.Suggested)
	}
	e.bool("suspended", s.Suspended)
	e.close('}')
}

// state writes the members of a task's state.
func (e *encoder) state(s *agn.TaskState) {
	e.text("taskId", s.TaskID)
	e.text("phase", string(s.Phase))
	e.number("rejects", int64(s.Rejects))
	e.number("consecutive", int64(s.Consecutive))
	e.bool("lockNear", s.LockNear)
	e.text("lock", string(s.Lock))
	e.text("lockedBy", s.LockedBy)
	e.texts("open", s.Open)
	e.texts("suspended", s.Suspended)
	e.key("waits")
	e.open('[')
	for i := range s.Waits {
		w := &s.Waits[i]
		e.item()
		e.open('{')
		e.text("msgId", w.MsgID)
		e.text("from", w.From)
		e.text("to", w.To)
		e.number("deadline", w.Deadline)
		e.bool("overdue", w.Overdue)
		e.close('}')
	}
	e.close(']')
	e.number("lastWrite", s.LastWrite)
	e.number("age", s.Age)
	e.bool("silent", s.Silent)
	e.key("next")
	e.open('{')
	e.text("who", s.Next.Who)
	e.text("do", string(s.Next.Do))
	e.text("msgId", s.Next.MsgID)
	e.close('}')
	e.taskFaults("notes", s.Notes)
}

// alarm writes what has to be reported, and the escalation that does it.
func (e *encoder) alarm(a *agn.Alarm, state agn.TaskState) {
	e.open('{')
	e.text("kind", a.Kind)
	e.text("severity", a.Severity)
	e.text("msgId", a.MsgID)
	e.text("who", a.Who)
	e.number("since", a.Since)
	e.text("description", a.Description)
	e.text("lastSuccessful", a.LastSuccessful)
	e.key("escalation")
	escalation := a.Escalation(state)
	e.escalation(&escalation)
	e.close('}')
}
