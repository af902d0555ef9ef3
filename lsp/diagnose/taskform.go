package diagnose

import (
	"strings"

	"github.com/signalbox-dev/signalbox/core/agn"
)

// taskForm is what a text of AMP/1.0 tasks is.
type taskForm uint8

const (
	formNone taskForm = iota
	formMessage
	formAck
	formResume
	formRecord
)

// taskMarks are the members that tell a form, with how their values begin.
var taskMarks = []struct {
	name, begins string
	form         taskForm
}{
	{"protocol_version", "AMP/", formMessage},
	{"format", formatName(agn.AckFormat), formAck},
	{"format", formatName(agn.ResumeFormat), formResume},
	{"format", formatName(agn.TaskFormat), formRecord},
}

// formatName cuts the version off: a later one is named as a fault.
func formatName(format string) string { return format[:strings.IndexByte(format, '/')+1] }

// formMarks lists what a text of each form holds, as [DocumentKind.Marks] does.
func formMarks() (list [][]string) {
	for _, m := range taskMarks {
		list = append(list, []string{`"` + m.name + `"`, `"` + m.begins})
	}
	return list
}

// formOf tells a text's form by its bytes, so that one that is no JSON at the
// moment is known too: the outermost object has the member. Only as much is
// looked at as a message may be long.
func formOf(text string) taskForm {
	text = text[:min(len(text), agn.MaxMessage)]
	if !strings.HasPrefix(strings.TrimLeft(text, " \t\r\n"), "{") || !marked(text) {
		return formNone
	}
	form := formNone
	anyName(text, func(depth int, name, value string) bool {
		if depth == 1 {
			form = markOf(name, value)
		}
		return form != formNone
	})
	return form
}

// marked reports whether a text holds any of the marks, which is found faster
// than where it does.
func marked(text string) bool {
	for _, m := range taskMarks {
		if strings.Contains(text, `"`+m.begins) {
			return true
		}
	}
	return false
}

// markOf tells the form by a member's name and what its value begins with.
func markOf(name, value string) taskForm {
	for _, m := range taskMarks {
		if name == m.name && strings.HasPrefix(value, `"`+m.begins) {
			return m.form
		}
	}
	return formNone
}
