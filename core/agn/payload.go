package agn

import (
	"strings"

	"github.com/signalbox-dev/signalbox/core/canon"
)

// Payload is the payload of one message. Only the pointer for the message's type is set.
type Payload struct {
	// Raw is the object's text. It aliases the input.
	Raw        []byte
	Dispatch   *Dispatch
	Result     *Result
	Request    *Request
	Verdict    *Verdict
	Escalation *Escalation
}

// ParsePayload reads a payload of the given type without its envelope, as in the spec's examples.
// It returns a *[canon.Fault] of rule E0 if data is not a JSON object, and of rule E3 for an
// unknown type. Paths start in the payload: "branch" instead of "payload.branch".
func ParsePayload(kind string, data []byte) (Payload, canon.Findings, error) {
	if !ValidType(kind) {
		return Payload{}, canon.Findings{}, &canon.Fault{Rule: "E3", Reason: "the type " + quote(kind) + " is unknown"}
	}
	if bad := checkObject(data, "the payload", MaxMessage); bad != nil {
		return Payload{}, canon.Findings{}, bad
	}
	var out canon.Findings
	p := readPayload(kind, rootOf(data, &out))
	return p, out, nil
}

func readPayload(kind string, m *canon.Member) Payload {
	p := Payload{Raw: m.Raw}
	switch kind {
	case TypeDispatch:
		p.Dispatch = new(Dispatch)
		dispatchShape.Read(m, p.Dispatch)
	case TypeResult:
		p.Result = readResult(m)
	case TypeRequest:
		p.Request = new(Request)
		requestShape.Read(m, p.Request)
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
	dispatchShape = canon.Shape[*Dispatch]{What: "the payload", Fields: []canon.Field[*Dispatch]{
		{Name: "description", Rule: "D1", Set: func(d *Dispatch, m *canon.Member) { d.Description = nonBlank(m) }},
		{Name: "repo", Rule: "D2", Set: func(d *Dispatch, m *canon.Member) {
			if d.Repo = nonBlank(m); d.Repo != "" && !absolute(d.Repo) {
				m.Fault("the repository " + quote(d.Repo) + " is not an absolute path")
			}
		}},
		{Name: "branch", Rule: "D3", Set: func(d *Dispatch, m *canon.Member) {
			if d.Branch = nonBlank(m); protected(d.Branch) {
				m.Fault("the branch is " + quote(d.Branch) + ", where no agent may work")
			}
		}},
		{Name: "subtasks", Rule: "D4", Set: func(d *Dispatch, m *canon.Member) { d.Subtasks = subtasks(m) }},
		{Name: "acceptance_criteria", Rule: "D5", Set: func(d *Dispatch, m *canon.Member) {
			d.Criteria = list(m, nonBlank)
			if m.Kind == canon.Array && len(d.Criteria) == 0 {
				m.Fault("there are no acceptance criteria")
			}
		}},
		{Name: "risk_level", Rule: "D6", Set: func(d *Dispatch, m *canon.Member) { d.Risk = m.OneOf("low", "medium", "high") }},
		{Name: "forbidden_actions", Rule: "D7", Optional: true, Set: func(d *Dispatch, m *canon.Member) { d.Forbidden = list(m, (*canon.Member).Text) }},
		{Name: "tech_constraints", Rule: "D8", Optional: true, Set: func(d *Dispatch, m *canon.Member) {
			if m.Is(canon.Mapping) {
				d.Constraints = m.Raw
				reportTwice(m, m.Rule)
			}
		}},
	}}
	subtaskShape = canon.Shape[*subtaskReader]{What: "a subtask", Fields: []canon.Field[*subtaskReader]{
		{Name: "subtask_id", Rule: "D4", Set: func(s *subtaskReader, m *canon.Member) {
			if s.ID = nonBlank(m); s.ID != "" && s.seen[s.ID] {
				m.Fault("two subtasks are called " + quote(s.ID))
			}
			s.seen[s.ID] = true
		}},
		{Name: "description", Rule: "D4", Set: func(s *subtaskReader, m *canon.Member) { s.Description = m.Text() }},
		{Name: "estimated_lines", Rule: "D4", Set: func(s *subtaskReader, m *canon.Member) { s.EstimatedLines = count(m) }},
	}}
)

// subtaskReader is a subtask being read, with the ids of the earlier ones.
type subtaskReader struct {
	Subtask
	seen map[string]bool
}

func subtasks(m *canon.Member) []Subtask {
	list := []Subtask{}
	seen := map[string]bool{}
	m.List(MaxItems, func(e *canon.Member) {
		s := subtaskReader{seen: seen}
		subtaskShape.Read(e, &s)
		list = append(list, s.Subtask)
	})
	if m.Kind == canon.Array && len(list) == 0 {
		m.NoteOf("D4", "there are no subtasks, so that no result can name one")
	}
	return list
}

// absolute reports whether a path is absolute on any system: the message may have been written on
// another system.
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

// protected reports whether rule D3 forbids a branch, by its short or full name.
func protected(branch string) bool {
	branch = strings.TrimPrefix(strings.TrimSpace(branch), "refs/heads/")
	return branch == "main" || branch == "master"
}

// require reports a list that another member requires. An empty list is only noted, since the
// spec requires no more than its presence (rule C16). The rule is that of the list, so that the
// sender can look it up.
func require(m *canon.Member, have bool, n int, rule, name, why string) {
	path := name
	if m.Path() != "" {
		path = m.Path() + "." + name
	}
	switch {
	case !have:
		m.Out.AddFault(rule, path, m.Offset, why+" needs "+quote(path))
	case n == 0:
		m.Out.AddNote(rule, path, m.Offset, why+" has an empty "+quote(path))
	}
}
