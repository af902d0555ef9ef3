package agn

import "github.com/signalbox-dev/signalbox/core/canon"

// Answer is a bool that may be unknown (rule C3).
type Answer int8

// The answers.
const (
	Unknown Answer = iota
	Yes
	No
)

// Write writes the answer as true, false, or null for unknown. If the name is empty, it writes a
// list element.
func (a Answer) Write(w *canon.Writer, name string) {
	if a == Unknown {
		w.Raw(name, nil)
		return
	}
	w.Bool(name, a == Yes)
}

// Result is the payload of a task_result.
type Result struct {
	SubtaskID string
	// Status is complete, partial or failed.
	Status                   string
	Files                    []string
	LinesAdded, LinesRemoved int64
	// CriteriaMet holds the executor's own judgement, one for each criterion.
	CriteriaMet []Answer
	Notes       []string
	Log         []LogEntry
	Commit      string
	// Blockers is nil where the payload has none.
	Blockers []string
}

// LogEntry is one step of a result's work log (rule T5).
type LogEntry struct {
	Time                 Time
	Action, File, Detail string
}

// resultReader is a result being read. blocked is set if the payload has a list of blockers.
type resultReader struct {
	Result
	blocked bool
}

var (
	resultShape = canon.Shape[*resultReader]{What: "the payload", Fields: []canon.Field[*resultReader]{
		{Name: "subtask_id", Rule: "T1", Set: func(r *resultReader, m *canon.Member) { r.SubtaskID = nonBlank(m) }},
		{Name: "completion_status", Rule: "T2", Set: func(r *resultReader, m *canon.Member) {
			r.Status = m.OneOf("complete", "partial", "failed")
		}},
		{Name: "diff_summary", Rule: "T3", Set: func(r *resultReader, m *canon.Member) { diffShape.Read(m, &r.Result) }},
		{Name: "self_assessment", Rule: "T4", Set: func(r *resultReader, m *canon.Member) { assessmentShape.Read(m, &r.Result) }},
		{Name: "work_log", Rule: "T5", Set: func(r *resultReader, m *canon.Member) { canon.List(m, MaxItems, &logShape, &r.Log) }},
		{Name: "commit_hash", Rule: "T6", Optional: true, Set: func(r *resultReader, m *canon.Member) { r.Commit = nonBlank(m) }},
		{Name: "blockers", Rule: "T7", Optional: true, Set: func(r *resultReader, m *canon.Member) { r.Blockers, r.blocked = list(m, nonBlank), true }},
	}}
	diffShape = canon.Shape[*Result]{What: "the diff summary", Fields: []canon.Field[*Result]{
		{Name: "files_changed", Rule: "T3", Set: func(r *Result, m *canon.Member) { r.Files = list(m, (*canon.Member).Text) }},
		{Name: "lines_added", Rule: "T3", Set: func(r *Result, m *canon.Member) { r.LinesAdded = count(m) }},
		{Name: "lines_removed", Rule: "T3", Set: func(r *Result, m *canon.Member) { r.LinesRemoved = count(m) }},
	}}
	assessmentShape = canon.Shape[*Result]{What: "the self-assessment", Fields: []canon.Field[*Result]{
		{Name: "criteria_met", Rule: "T4", Set: func(r *Result, m *canon.Member) {
			r.CriteriaMet = []Answer{}
			m.List(MaxItems, func(e *canon.Member) { r.CriteriaMet = append(r.CriteriaMet, answer(e)) })
		}},
		{Name: "notes", Rule: "T4", Set: func(r *Result, m *canon.Member) { r.Notes = list(m, (*canon.Member).Text) }},
	}}
	logShape = canon.Shape[*LogEntry]{What: "an entry of the work log", Fields: []canon.Field[*LogEntry]{
		{Name: "timestamp", Rule: "T5", Set: func(l *LogEntry, m *canon.Member) { l.Time = readTime(m) }},
		{Name: "action", Rule: "T5", Set: func(l *LogEntry, m *canon.Member) { l.Action = m.Text() }},
		{Name: "file", Rule: "T5", Set: func(l *LogEntry, m *canon.Member) { l.File = m.Text() }},
		{Name: "detail", Rule: "T5", Set: func(l *LogEntry, m *canon.Member) { l.Detail = m.Text() }},
	}}
)

func readResult(in *canon.Member) *Result {
	var r resultReader
	resultShape.Read(in, &r)
	if r.Status == "partial" || r.Status == "failed" {
		require(in, r.blocked, len(r.Blockers), "T7", "blockers", "a "+r.Status+" result")
	}
	return &r.Result
}
