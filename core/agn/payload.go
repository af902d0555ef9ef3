package agn

import (
	"strings"

	"github.com/signalbox-dev/signalbox/core/canon"
)

// Payload is the payload of one message. The pointer that belongs to the
// message's type is set, and no other one.
type Payload struct {
	// Raw is the object's text. It aliases the input.
	Raw        []byte
	Dispatch   *Dispatch
	Result     *Result
	Request    *Request
	Verdict    *Verdict
	Escalation *Escalation
}

// ParsePayload reads a payload without its envelope, such as the text's own
// examples are, as one of the given type. It returns a *[Fault] of rule E0 for
// what is no JSON object and of E3 for an unknown type.
func ParsePayload(kind string, data []byte) (Payload, Findings, error) {
	if !ValidType(kind) {
		return Payload{}, Findings{}, &Fault{Rule: "E3", Reason: "the type " + quote(kind) + " is unknown"}
	}
	if bad := root(data, "the payload"); bad != nil {
		return Payload{}, Findings{}, bad
	}
	var out Findings
	p := readPayload(kind, &member{out: &out, rule: "E11", v: canon.Value{Kind: canon.Mapping, Raw: data}})
	return p, out, nil
}

func readPayload(kind string, m *member) Payload {
	p := Payload{Raw: m.v.Raw}
	switch kind {
	case TypeDispatch:
		p.Dispatch = readDispatch(m)
	case TypeResult:
		p.Result = readResult(m)
	case TypeRequest:
		p.Request = readRequest(m)
	case TypeVerdict:
		p.Verdict = readVerdict(m)
	case TypeEscalation:
		p.Escalation = readEscalation(m)
	}
	return p
}

// Dispatch is the payload of a task_dispatch.
type Dispatch struct {
	Description, Repo, Branch string
	Subtasks                  []Subtask
	Criteria                  []string
	// Risk is low, medium or high. The executor must not change it (rule D6).
	Risk      string
	Forbidden []string
	// Constraints is a JSON object, or nil.
	Constraints []byte
}

// Subtask is one step of a dispatch (rule D4).
type Subtask struct {
	ID, Description string
	EstimatedLines  int64
}

var (
	dispatchShape = shape{what: "the payload", fields: []field{
		{name: "description", rule: "D1"},
		{name: "repo", rule: "D2"},
		{name: "branch", rule: "D3"},
		{name: "subtasks", rule: "D4"},
		{name: "acceptance_criteria", rule: "D5"},
		{name: "risk_level", rule: "D6"},
		{name: "forbidden_actions", rule: "D7", optional: true},
		{name: "tech_constraints", rule: "D8", optional: true},
	}}
	subtaskShape = shape{what: "a subtask", fields: []field{
		{name: "subtask_id", rule: "D4"},
		{name: "description", rule: "D4"},
		{name: "estimated_lines", rule: "D4"},
	}}
)

func readDispatch(in *member) *Dispatch {
	d := &Dispatch{}
	in.object(&dispatchShape, func(m *member) {
		switch m.name {
		case "description":
			d.Description = m.word()
		case "repo":
			if d.Repo = m.word(); d.Repo != "" && !absolute(d.Repo) {
				m.fault("the repository " + quote(d.Repo) + " is no absolute path")
			}
		case "branch":
			if d.Branch = m.word(); protected(d.Branch) {
				m.fault("the branch is " + quote(d.Branch) + ", where no agent may work")
			}
		case "subtasks":
			d.Subtasks = m.subtasks()
		case "acceptance_criteria":
			d.Criteria = m.words()
			if m.v.Kind == canon.Array && len(d.Criteria) == 0 {
				m.fault("there are no acceptance criteria")
			}
		case "risk_level":
			d.Risk = m.oneOf("low", "medium", "high")
		case "forbidden_actions":
			d.Forbidden = m.texts()
		case "tech_constraints":
			if m.is(canon.Mapping) {
				d.Constraints = m.v.Raw
			}
		}
	})
	return d
}

func (m *member) subtasks() []Subtask {
	list := []Subtask{}
	seen := map[string]bool{}
	m.each(func(e *member) {
		var s Subtask
		e.object(&subtaskShape, func(m *member) {
			switch m.name {
			case "subtask_id":
				if s.ID = m.word(); s.ID != "" && seen[s.ID] {
					m.fault("two subtasks are called " + quote(s.ID))
				}
				seen[s.ID] = true
			case "description":
				s.Description = m.text()
			case "estimated_lines":
				s.EstimatedLines = m.count()
			}
		})
		list = append(list, s)
	})
	if m.v.Kind == canon.Array && len(list) == 0 {
		m.out.note("D4", m.path, m.v.Offset, "there are no subtasks, so that no result can name one")
	}
	return list
}

// absolute reports whether a path is one on any system: the message may have
// been written on another than this.
func absolute(path string) bool {
	if strings.HasPrefix(path, "/") || strings.HasPrefix(path, `\\`) {
		return true
	}
	if len(path) < 3 || path[1] != ':' || path[2] != '\\' && path[2] != '/' {
		return false
	}
	c := path[0] | 0x20
	return c >= 'a' && c <= 'z'
}

// protected reports whether a branch is one that rule D3 forbids, also by its
// full name.
func protected(branch string) bool {
	branch = strings.TrimPrefix(strings.TrimSpace(branch), "refs/heads/")
	return branch == "main" || branch == "master"
}

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

// needs reports a list that something else makes necessary. An empty one is only
// noted, since the text asks no more than that it is provided (rule C16).
func (m *member) needs(have bool, n int, rule, name, why string) {
	path := name
	if m.path != "" {
		path = m.path + "." + name
	}
	switch {
	case !have:
		m.out.fault(rule, path, m.v.Offset, why+" needs "+quote(path))
	case n == 0:
		m.out.note("C16", path, m.v.Offset, why+" has an empty "+quote(path))
	}
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
