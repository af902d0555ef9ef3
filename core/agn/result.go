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

var (
	resultShape = canon.Shape{What: "the payload", Fields: []canon.Field{
		{Name: "subtask_id", Rule: "T1"},
		{Name: "completion_status", Rule: "T2"},
		{Name: "diff_summary", Rule: "T3"},
		{Name: "self_assessment", Rule: "T4"},
		{Name: "work_log", Rule: "T5"},
		{Name: "commit_hash", Rule: "T6", Optional: true},
		{Name: "blockers", Rule: "T7", Optional: true},
	}}
	diffShape = canon.Shape{What: "the diff summary", Fields: []canon.Field{
		{Name: "files_changed", Rule: "T3"},
		{Name: "lines_added", Rule: "T3"},
		{Name: "lines_removed", Rule: "T3"},
	}}
	assessmentShape = canon.Shape{What: "the self-assessment", Fields: []canon.Field{
		{Name: "criteria_met", Rule: "T4"},
		{Name: "notes", Rule: "T4"},
	}}
	logShape = canon.Shape{What: "an entry of the work log", Fields: []canon.Field{
		{Name: "timestamp", Rule: "T5"},
		{Name: "action", Rule: "T5"},
		{Name: "file", Rule: "T5"},
		{Name: "detail", Rule: "T5"},
	}}
)

func readResult(in *canon.Member) *Result {
	r := &Result{}
	blockers := false
	in.Object(&resultShape, func(m *canon.Member) {
		switch m.Name {
		case "subtask_id":
			r.SubtaskID = word(m)
		case "completion_status":
			r.Status = m.OneOf("complete", "partial", "failed")
		case "diff_summary":
			m.Object(&diffShape, r.diff)
		case "self_assessment":
			m.Object(&assessmentShape, r.assessment)
		case "work_log":
			m.List(MaxItems, func(e *canon.Member) {
				var l LogEntry
				e.Object(&logShape, l.member)
				r.Log = append(r.Log, l)
			})
		case "commit_hash":
			r.Commit = word(m)
		case "blockers":
			blockers = true
			r.Blockers = words(m)
		}
	})
	if r.Status == "partial" || r.Status == "failed" {
		needs(in, blockers, len(r.Blockers), "T7", "blockers", "a "+r.Status+" result")
	}
	return r
}

func (r *Result) diff(m *canon.Member) {
	switch m.Name {
	case "files_changed":
		r.Files = texts(m)
	case "lines_added":
		r.LinesAdded = count(m)
	case "lines_removed":
		r.LinesRemoved = count(m)
	}
}

func (r *Result) assessment(m *canon.Member) {
	switch m.Name {
	case "criteria_met":
		r.CriteriaMet = []Answer{}
		m.List(MaxItems, func(e *canon.Member) { r.CriteriaMet = append(r.CriteriaMet, answer(e)) })
	case "notes":
		r.Notes = texts(m)
	}
}

func (l *LogEntry) member(m *canon.Member) {
	switch m.Name {
	case "timestamp":
		l.Time = readTime(m)
	case "action":
		l.Action = m.Text()
	case "file":
		l.File = m.Text()
	case "detail":
		l.Detail = m.Text()
	}
}
