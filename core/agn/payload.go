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
// examples are, as one of the given type. It returns a *[canon.Fault] of rule E0 for
// what is no JSON object and of E3 for an unknown type. Fields are named from the
// payload on: "branch", where a whole message has "payload.branch".
func ParsePayload(kind string, data []byte) (Payload, canon.Findings, error) {
	if !ValidType(kind) {
		return Payload{}, canon.Findings{}, &canon.Fault{Rule: "E3", Reason: "the type " + quote(kind) + " is unknown"}
	}
	if bad := root(data, "the payload", MaxMessage); bad != nil {
		return Payload{}, canon.Findings{}, bad
	}
	var out canon.Findings
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
				reportTwice(m.out, m.rule, m.path, m.v)
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
		m.out.AddNote("D4", m.path, m.v.Offset, "there are no subtasks, so that no result can name one")
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

// needs reports a list that something else makes necessary. An empty one is only
// noted, since the text asks no more than that it is provided (rule C16). The note
// has the rule of the list, which is what its sender has to look up.
func (m *member) needs(have bool, n int, rule, name, why string) {
	path := name
	if m.path != "" {
		path = m.path + "." + name
	}
	switch {
	case !have:
		m.out.AddFault(rule, path, m.v.Offset, why+" needs "+quote(path))
	case n == 0:
		m.out.AddNote(rule, path, m.v.Offset, why+" has an empty "+quote(path))
	}
}
