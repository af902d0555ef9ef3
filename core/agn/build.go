package agn

import (
	"cmp"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/signalbox-dev/signalbox/core/canon"
)

// Head holds what a message needs besides its payload. The id, the parties and whether
// an ACK is asked for follow from the type.
type Head struct {
	TaskID string
	// Millis is when the message is made, and the last part of its id. Two
	// messages of one type and task must differ in it: ids are unique.
	Millis int64
	// Number takes the place of Millis in the id if it is not 0: the id of what
	// several may write is made from its cause and not from the moment, so that
	// only one of them succeeds.
	Number int64
	// AckTimeout overrides the type's default, in seconds; 0 leaves the default.
	AckTimeout int64
	ContextRef []string
}

// ID returns the id that a message of the type will have.
func (h *Head) ID(kind string) string {
	return ID{Type: kind, TaskID: h.TaskID, Millis: cmp.Or(h.Number, h.Millis)}.String()
}

// BuildDispatch writes a task_dispatch. Like every Build function it gives the
// whole message, indented and with a final line end, the same bytes for the same
// values; optional members that are nil or empty are left out. It returns a
// *[canon.Fault] for what [ParseMessage] would list one for.
func BuildDispatch(h Head, d Dispatch) ([]byte, error) {
	w := start(&h, TypeDispatch, Coordinator, Executor)
	w.text("description", d.Description)
	w.text("repo", d.Repo)
	w.text("branch", d.Branch)
	w.open("subtasks", '[')
	for _, s := range d.Subtasks {
		w.open("", '{')
		w.text("subtask_id", s.ID)
		w.text("description", s.Description)
		w.number("estimated_lines", s.EstimatedLines)
		w.close('}')
	}
	w.close(']')
	w.texts("acceptance_criteria", d.Criteria)
	w.text("risk_level", d.Risk)
	if d.Forbidden != nil {
		w.texts("forbidden_actions", d.Forbidden)
	}
	if d.Constraints != nil {
		if canon.Valid(d.Constraints) != nil && w.bad == nil {
			// Checked here: two values that only together are JSON would pass later.
			w.bad = &canon.Fault{Rule: "D8", Field: "payload.tech_constraints", Reason: "the constraints are no JSON"}
		}
		w.key("tech_constraints")
		w.dst = append(w.dst, d.Constraints...)
	}
	return w.finish()
}

// BuildResult writes a task_result. Blockers that are nil are left out.
func BuildResult(h Head, r Result) ([]byte, error) {
	w := start(&h, TypeResult, Executor, Coordinator)
	w.text("subtask_id", r.SubtaskID)
	w.text("completion_status", r.Status)
	w.open("diff_summary", '{')
	w.texts("files_changed", r.Files)
	w.number("lines_added", r.LinesAdded)
	w.number("lines_removed", r.LinesRemoved)
	w.close('}')
	w.open("self_assessment", '{')
	w.open("criteria_met", '[')
	for _, a := range r.CriteriaMet {
		w.answer("", a)
	}
	w.close(']')
	w.texts("notes", r.Notes)
	w.close('}')
	w.open("work_log", '[')
	for _, l := range r.Log {
		w.open("", '{')
		w.text("timestamp", l.Time.Text)
		w.text("action", l.Action)
		w.text("file", l.File)
		w.text("detail", l.Detail)
		w.close('}')
	}
	w.close(']')
	w.optional("commit_hash", r.Commit)
	if r.Blockers != nil {
		w.texts("blockers", r.Blockers)
	}
	return w.finish()
}

// BuildRequest writes a review_request.
func BuildRequest(h Head, r Request) ([]byte, error) {
	w := start(&h, TypeRequest, Coordinator, Reviewer)
	w.text("original_dispatch_ref", r.DispatchRef)
	w.text("task_result_ref", r.ResultRef)
	w.text("review_scope", r.Scope)
	w.text("diff_url", r.DiffURL)
	w.number("reject_count", r.RejectCount)
	w.optional("coordinator_notes", r.Notes)
	if r.CI != nil {
		w.open("ci_status", '{')
		for _, b := range r.CI {
			w.text(b.Name, b.Status)
		}
		w.close('}')
	}
	return w.finish()
}

// BuildVerdict writes a review_verdict. Issues and Fixes that are nil are left
// out.
func BuildVerdict(h Head, v Verdict) ([]byte, error) {
	w := start(&h, TypeVerdict, Reviewer, Coordinator)
	w.text("decision", v.Decision)
	w.open("criteria_results", '[')
	for _, c := range v.Criteria {
		w.open("", '{')
		w.text("criterion", c.Text)
		w.answer("passed", c.Passed)
		w.text("evidence", c.Evidence)
		w.close('}')
	}
	w.close(']')
	if v.Issues != nil {
		w.open("issues", '[')
		for _, i := range v.Issues {
			w.open("", '{')
			w.text("severity", i.Severity)
			w.text("file", i.File)
			w.number("line", i.Line)
			w.text("description", i.Description)
			w.text("suggested_fix", i.SuggestedFix)
			w.close('}')
		}
		w.close(']')
	}
	if v.Fixes != nil {
		w.open("direct_fixes", '[')
		for _, f := range v.Fixes {
			w.open("", '{')
			w.text("file", f.File)
			w.text("change_type", f.Change)
			w.number("diff_lines", f.Lines)
			w.close('}')
		}
		w.close(']')
	}
	w.optional("architecture_notes", v.Architecture)
	w.fraction("confidence", v.Confidence)
	return w.finish()
}

// BuildEscalation writes an escalation from the given party. It asks for no ACK,
// since the admin answers when they can.
func BuildEscalation(h Head, from string, e Escalation) ([]byte, error) {
	w := start(&h, TypeEscalation, from, Admin)
	w.text("escalation_type", e.Kind)
	w.text("severity", e.Severity)
	w.text("triggered_by", e.TriggeredBy)
	w.text("description", e.Description)
	w.texts("affected_msgs", e.Affected)
	w.open("system_state_snapshot", '{')
	w.text("task_status", e.Snapshot.TaskStatus)
	w.number("reject_count", e.Snapshot.RejectCount)
	w.text("last_successful_msg_id", e.Snapshot.LastSuccessful)
	w.close('}')
	if e.Suggested != nil {
		w.texts("suggested_actions", e.Suggested)
	}
	w.flag("auto_suspended", e.Suspended)
	return w.finish()
}

// writer writes indented JSON: one file per message, read by people and by git.
type writer struct {
	dst   []byte
	depth int
	// flat writes one line instead.
	flat bool
	bad  *canon.Fault
}

// start writes the envelope up to the payload's first member.
func start(h *Head, kind, from, to string) *writer {
	w := &writer{dst: []byte("{"), depth: 1}
	w.text("msg_id", h.ID(kind))
	w.text("protocol_version", Version)
	w.text("type", kind)
	w.text("from", from)
	w.text("to", to)
	w.text("task_id", h.TaskID)
	w.time("timestamp", h.Millis)
	w.flag("requires_ack", kind != TypeEscalation)
	if h.AckTimeout != 0 {
		w.number("ack_timeout_sec", h.AckTimeout)
	}
	if h.ContextRef != nil {
		w.texts("context_ref", h.ContextRef)
	}
	w.open("payload", '{')
	return w
}

// finish closes the message and checks it by reading it. What the reader only
// tolerates in an id is refused here, since nobody else has written it.
func (w *writer) finish() ([]byte, error) {
	w.close('}')
	w.close('}')
	if w.bad != nil {
		return nil, w.bad
	}
	w.dst = append(w.dst, '\n')
	msg, err := ParseMessage(w.dst)
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
	return w.dst, nil
}

func (w *writer) line() {
	if w.flat {
		return
	}
	w.dst = append(w.dst, '\n')
	for range w.depth {
		w.dst = append(w.dst, "  "...)
	}
}

// key begins a member, or an element where name is empty.
func (w *writer) key(name string) {
	if c := w.dst[len(w.dst)-1]; c != '{' && c != '[' {
		w.dst = append(w.dst, ',')
	}
	w.line()
	if name != "" {
		w.string(name)
		w.dst = append(w.dst, ": "...)
	}
}

func (w *writer) string(s string) {
	if !utf8.ValidString(s) && w.bad == nil {
		w.bad = &canon.Fault{Rule: "E0", Reason: quote(s) + " is not valid UTF-8"}
	}
	w.dst = canon.AppendString(w.dst, s)
}

func (w *writer) open(name string, bracket byte) {
	w.key(name)
	w.dst = append(w.dst, bracket)
	w.depth++
}

func (w *writer) close(bracket byte) {
	w.depth--
	if c := w.dst[len(w.dst)-1]; c != '{' && c != '[' {
		w.line()
	}
	w.dst = append(w.dst, bracket)
}

func (w *writer) text(name, s string) {
	w.key(name)
	w.string(s)
}

func (w *writer) optional(name, s string) {
	if s != "" {
		w.text(name, s)
	}
}

func (w *writer) texts(name string, list []string) {
	w.open(name, '[')
	for _, s := range list {
		w.text("", s)
	}
	w.close(']')
}

func (w *writer) number(name string, n int64) {
	w.key(name)
	w.dst = strconv.AppendInt(w.dst, n, 10)
}

func (w *writer) fraction(name string, x float64) {
	if (math.IsNaN(x) || math.IsInf(x, 0)) && w.bad == nil {
		w.bad = &canon.Fault{Rule: "V6", Field: "payload." + name, Reason: quote(name) + " is no number"}
	}
	w.key(name)
	w.dst = strconv.AppendFloat(w.dst, x, 'f', -1, 64)
}

func (w *writer) flag(name string, yes bool) {
	w.key(name)
	w.dst = strconv.AppendBool(w.dst, yes)
}

func (w *writer) answer(name string, a Answer) {
	w.key(name)
	switch a {
	case Yes:
		w.dst = append(w.dst, "true"...)
	case No:
		w.dst = append(w.dst, "false"...)
	default:
		w.dst = append(w.dst, "null"...)
	}
}
