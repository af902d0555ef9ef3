package agn

import (
	"cmp"
	"math"

	"github.com/signalbox-dev/signalbox/core/canon"
)

// Head holds what a message needs besides its payload. The id, the parties and whether
// an ACK is asked for follow from the type.
type Head struct {
	TaskID string
	// Millis is when the message is made, and the last part of its id. Two
	// messages of one type and task must differ in it: ids are unique.
	Millis int64
	// Number takes the place of Millis in the id if it is not 0. If several programs may
	// write the same message, its id is made from its cause instead of the time, so that only
	// one of them succeeds.
	Number int64
	// AckTimeout overrides the type's default, in seconds; 0 leaves the default.
	AckTimeout int64
	ContextRef []string
}

// ID returns the id that a message of the type will have.
func (h *Head) ID(kind string) string {
	return ID{Type: kind, TaskID: h.TaskID, Millis: cmp.Or(h.Number, h.Millis)}.String()
}

// BuildDispatch writes a task_dispatch. Like every Build function it returns the whole
// message, indented and with a final line end, always the same bytes for the same values.
// Optional members that are nil or empty are left out. It returns a *[canon.Fault] if
// [ParseMessage] would list one.
func BuildDispatch(h Head, d Dispatch) ([]byte, error) {
	w := start(&h, TypeDispatch, Coordinator, Executor)
	w.Text("description", d.Description)
	w.Text("repo", d.Repo)
	w.Text("branch", d.Branch)
	w.Open("subtasks", '[')
	for _, s := range d.Subtasks {
		w.Open("", '{')
		w.Text("subtask_id", s.ID)
		w.Text("description", s.Description)
		w.Number("estimated_lines", s.EstimatedLines)
		w.Close('}')
	}
	w.Close(']')
	w.Texts("acceptance_criteria", d.Criteria)
	w.Text("risk_level", d.Risk)
	w.SomeTexts("forbidden_actions", d.Forbidden)
	if d.Constraints != nil {
		if canon.Valid(d.Constraints) != nil {
			// Checked here: `{}, "x": 1` is not JSON, but would be valid inside the message.
			w.Fail(&canon.Fault{Rule: "D8", Field: "payload.tech_constraints", Reason: "the constraints are no JSON"})
		}
		w.Raw("tech_constraints", d.Constraints)
	}
	return w.finish()
}

// BuildResult writes a task_result. Blockers that are nil are left out.
func BuildResult(h Head, r Result) ([]byte, error) {
	w := start(&h, TypeResult, Executor, Coordinator)
	w.Text("subtask_id", r.SubtaskID)
	w.Text("completion_status", r.Status)
	w.Open("diff_summary", '{')
	w.Texts("files_changed", r.Files)
	w.Number("lines_added", r.LinesAdded)
	w.Number("lines_removed", r.LinesRemoved)
	w.Close('}')
	w.Open("self_assessment", '{')
	w.Open("criteria_met", '[')
	for _, a := range r.CriteriaMet {
		a.Write(&w.Writer, "")
	}
	w.Close(']')
	w.Texts("notes", r.Notes)
	w.Close('}')
	w.Open("work_log", '[')
	for _, l := range r.Log {
		w.Open("", '{')
		w.Text("timestamp", l.Time.Text)
		w.Text("action", l.Action)
		w.Text("file", l.File)
		w.Text("detail", l.Detail)
		w.Close('}')
	}
	w.Close(']')
	w.Optional("commit_hash", r.Commit)
	w.SomeTexts("blockers", r.Blockers)
	return w.finish()
}

// BuildRequest writes a review_request.
func BuildRequest(h Head, r Request) ([]byte, error) {
	w := start(&h, TypeRequest, Coordinator, Reviewer)
	w.Text("original_dispatch_ref", r.DispatchRef)
	w.Text("task_result_ref", r.ResultRef)
	w.Text("review_scope", r.Scope)
	w.Text("diff_url", r.DiffURL)
	w.Number("reject_count", r.RejectCount)
	w.Optional("coordinator_notes", r.Notes)
	if r.CI != nil {
		w.Open("ci_status", '{')
		for _, b := range r.CI {
			w.Text(b.Name, b.Status)
		}
		w.Close('}')
	}
	return w.finish()
}

// BuildVerdict writes a review_verdict. Issues and Fixes that are nil are left
// out.
func BuildVerdict(h Head, v Verdict) ([]byte, error) {
	w := start(&h, TypeVerdict, Reviewer, Coordinator)
	w.Text("decision", v.Decision)
	w.Open("criteria_results", '[')
	for _, c := range v.Criteria {
		w.Open("", '{')
		w.Text("criterion", c.Text)
		c.Passed.Write(&w.Writer, "passed")
		w.Text("evidence", c.Evidence)
		w.Close('}')
	}
	w.Close(']')
	if v.Issues != nil {
		w.Open("issues", '[')
		for _, i := range v.Issues {
			w.Open("", '{')
			w.Text("severity", i.Severity)
			w.Text("file", i.File)
			w.Number("line", i.Line)
			w.Text("description", i.Description)
			w.Text("suggested_fix", i.SuggestedFix)
			w.Close('}')
		}
		w.Close(']')
	}
	if v.Fixes != nil {
		w.Open("direct_fixes", '[')
		for _, f := range v.Fixes {
			w.Open("", '{')
			w.Text("file", f.File)
			w.Text("change_type", f.Change)
			w.Number("diff_lines", f.Lines)
			w.Close('}')
		}
		w.Close(']')
	}
	w.Optional("architecture_notes", v.Architecture)
	w.fraction("confidence", v.Confidence)
	return w.finish()
}

// BuildEscalation writes an escalation from the given party. It asks for no ACK,
// since the admin answers when they can.
func BuildEscalation(h Head, from string, e Escalation) ([]byte, error) {
	w := start(&h, TypeEscalation, from, Admin)
	w.Text("escalation_type", e.Kind)
	w.Text("severity", e.Severity)
	w.Text("triggered_by", e.TriggeredBy)
	w.Text("description", e.Description)
	w.Texts("affected_msgs", e.Affected)
	w.Open("system_state_snapshot", '{')
	w.Text("task_status", e.Snapshot.TaskStatus)
	w.Number("reject_count", e.Snapshot.RejectCount)
	w.Text("last_successful_msg_id", e.Snapshot.LastSuccessful)
	w.Close('}')
	w.SomeTexts("suggested_actions", e.Suggested)
	w.Bool("auto_suspended", e.Suspended)
	return w.finish()
}

// writer writes our JSON: one file per message, read by people and by git.
type writer struct{ canon.Writer }

func newWriter(dst []byte, indent string) *writer {
	return &writer{canon.Writer{Out: dst, Indent: indent, Colon: ": ", NotUTF8: func(_, text string) *canon.Fault {
		return &canon.Fault{Rule: "E0", Reason: quote(text) + " is not valid UTF-8"}
	}}}
}

// start writes the envelope up to the payload's first member.
func start(h *Head, kind, from, to string) *writer {
	w := newWriter(nil, "  ")
	w.Open("", '{')
	w.Text("msg_id", h.ID(kind))
	w.Text("protocol_version", Version)
	w.Text("type", kind)
	w.Text("from", from)
	w.Text("to", to)
	w.Text("task_id", h.TaskID)
	w.time("timestamp", h.Millis)
	w.Bool("requires_ack", kind != TypeEscalation)
	if h.AckTimeout != 0 {
		w.Number("ack_timeout_sec", h.AckTimeout)
	}
	w.SomeTexts("context_ref", h.ContextRef)
	w.Open("payload", '{')
	return w
}

// finish closes the message and checks it by reading it. Ids that the reader only tolerates
// are refused, since this is our own message.
func (w *writer) finish() ([]byte, error) {
	w.Close('}')
	w.Close('}')
	if w.Bad != nil {
		return nil, w.Bad
	}
	w.Out = append(w.Out, '\n')
	msg, err := ParseMessage(w.Out)
	if err != nil {
		return nil, err
	}
	if len(msg.Faults) > 0 {
		return nil, &msg.Faults[0]
	}
	for i := range msg.Notes {
		if msg.Notes[i].Rule == "C9" {
			return nil, &msg.Notes[i]
		}
	}
	return w.Out, nil
}

func (w *writer) fraction(name string, x float64) {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		w.Fail(&canon.Fault{Rule: "V6", Field: "payload." + name, Reason: quote(name) + " is no number"})
	}
	w.Fraction(name, x)
}
