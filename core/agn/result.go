package agn

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
	resultShape = shape{what: "the payload", fields: []field{
		{name: "subtask_id", rule: "T1"},
		{name: "completion_status", rule: "T2"},
		{name: "diff_summary", rule: "T3"},
		{name: "self_assessment", rule: "T4"},
		{name: "work_log", rule: "T5"},
		{name: "commit_hash", rule: "T6", optional: true},
		{name: "blockers", rule: "T7", optional: true},
	}}
	diffShape = shape{what: "the diff summary", fields: []field{
		{name: "files_changed", rule: "T3"},
		{name: "lines_added", rule: "T3"},
		{name: "lines_removed", rule: "T3"},
	}}
	assessmentShape = shape{what: "the self-assessment", fields: []field{
		{name: "criteria_met", rule: "T4"},
		{name: "notes", rule: "T4"},
	}}
	logShape = shape{what: "an entry of the work log", fields: []field{
		{name: "timestamp", rule: "T5"},
		{name: "action", rule: "T5"},
		{name: "file", rule: "T5"},
		{name: "detail", rule: "T5"},
	}}
)

func readResult(in *member) *Result {
	r := &Result{}
	blockers := false
	in.object(&resultShape, func(m *member) {
		switch m.name {
		case "subtask_id":
			r.SubtaskID = m.word()
		case "completion_status":
			r.Status = m.oneOf("complete", "partial", "failed")
		case "diff_summary":
			m.object(&diffShape, r.diff)
		case "self_assessment":
			m.object(&assessmentShape, r.assessment)
		case "work_log":
			m.each(func(e *member) {
				var l LogEntry
				e.object(&logShape, l.member)
				r.Log = append(r.Log, l)
			})
		case "commit_hash":
			r.Commit = m.word()
		case "blockers":
			blockers = true
			r.Blockers = m.words()
		}
	})
	if r.Status == "partial" || r.Status == "failed" {
		in.needs(blockers, len(r.Blockers), "T7", "blockers", "a "+r.Status+" result")
	}
	return r
}

func (r *Result) diff(m *member) {
	switch m.name {
	case "files_changed":
		r.Files = m.texts()
	case "lines_added":
		r.LinesAdded = m.count()
	case "lines_removed":
		r.LinesRemoved = m.count()
	}
}

func (r *Result) assessment(m *member) {
	switch m.name {
	case "criteria_met":
		r.CriteriaMet = []Answer{}
		m.each(func(e *member) { r.CriteriaMet = append(r.CriteriaMet, e.answer()) })
	case "notes":
		r.Notes = m.texts()
	}
}

func (l *LogEntry) member(m *member) {
	switch m.name {
	case "timestamp":
		l.Time = m.time()
	case "action":
		l.Action = m.text()
	case "file":
		l.File = m.text()
	case "detail":
		l.Detail = m.text()
	}
}
