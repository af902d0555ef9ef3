package agn

import (
	"strconv"
	"strings"

	"github.com/signalbox-dev/signalbox/core/canon"
)

// dialect sets how this format reads members. A repeated member is a fault, since two readers
// may disagree on which one counts. An escape for half a character is a fault too. An unknown
// member is a note (rule C17), or a fault of rule E0 if it, or a member in it, is repeated.
var dialect = canon.Dialect{
	HalfCharacter: func(m *canon.Member) {
		m.Fault("an escape in " + m.Quoted() + " stands for half a character")
	},
	Unknown: func(m *canon.Member, what string, again bool) {
		if again {
			m.FaultOf("E0", what+" has "+m.Quoted()+" twice")
			return
		}
		m.NoteOf("C17", what+" has an unknown member "+m.Quoted())
		reportTwice(m, "E0")
	},
}

// nonBlank reads a string that must not be empty or blank.
func nonBlank(m *canon.Member) string {
	s := m.Text()
	if m.Kind == canon.String && strings.TrimSpace(s) == "" {
		m.Fault(m.Quoted() + " is empty")
	}
	return s
}

// answer reads a bool, or null for an unknown answer (rule C3).
func answer(m *canon.Member) Answer {
	switch {
	case m.Kind == canon.Null:
		return Unknown
	case m.Flag():
		return Yes
	}
	return No
}

// count reads an integer that is not negative, and returns 0 for anything else.
func count(m *canon.Member) int64 {
	if !m.Is(canon.Number) {
		return 0
	}
	n, ok := m.Int64()
	switch {
	case !ok:
		m.Fault(m.Quoted() + " is not an integer of 64 bits: " + quote(string(m.Raw)))
	case n < 0:
		m.Fault(m.Quoted() + " is negative")
		n = 0
	}
	return n
}

// list reads a list of strings, each as read does.
func list(m *canon.Member, read func(e *canon.Member) string) []string {
	all := []string{}
	m.List(MaxItems, func(e *canon.Member) { all = append(all, read(e)) })
	return all
}

// ref reads the id of another message. The spec's own examples shorten some ids, so an id of
// another form is only noted (rule C9).
func ref(m *canon.Member) string {
	s := nonBlank(m)
	if _, ok := ParseID(s); !ok && strings.TrimSpace(s) != "" {
		m.NoteOf("C9", quote(s)+" does not have the form of a message id")
	}
	return s
}

// reportTwice adds a fault for every repeated member, at any depth, in a value that is not
// otherwise checked.
func reportTwice(m *canon.Member, rule string) {
	if m.Kind != canon.Mapping && m.Kind != canon.Array {
		return
	}
	// The value was checked as part of the message: there is no error to come.
	_ = canon.Walk(m.Raw, func(steps []canon.Step, v canon.Value, again bool) error {
		if !again || len(m.Out.Faults) == canon.MaxFindings {
			return nil
		}
		at := m.Path()
		for i, step := range steps {
			if step.Key == nil {
				at += "[" + strconv.Itoa(step.Index) + "]"
				continue
			}
			if i == len(steps)-1 {
				m.Out.AddFault(rule, at+"."+string(step.Key), m.Offset+v.Offset, quote(at)+" has "+quote(string(step.Key))+" twice")
				return nil
			}
			at += "." + string(step.Key)
		}
		return nil
	})
}

// checkObject returns a fault of rule E0 if data is not one JSON object in UTF-8 of at
// most limit bytes.
func checkObject(data []byte, what string, limit int) *canon.Fault {
	if len(data) > limit {
		return &canon.Fault{Rule: "E0", Offset: limit, Reason: what + " is longer than " + strconv.Itoa(limit) + " bytes"}
	}
	return canon.CheckObject(data, what, "E0", "E0")
}

// rootOf returns a checked text as a member.
func rootOf(data []byte, out *canon.Findings) *canon.Member {
	return dialect.Root(canon.Value{Kind: canon.Mapping, Raw: data}, out)
}
