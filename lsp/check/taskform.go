package check

import (
	"strings"

	"github.com/signalbox-dev/signalbox/core/agn"
)

// taskForm says what a text about an AMP/1.0 task is.
type taskForm uint8

const (
	formNone taskForm = iota
	formMessage
	formAck
	formResume
	formRecord
)

// taskMarks lists the member that each form has, and how its value begins.
var taskMarks = []struct {
	name, begins string
	form         taskForm
}{
	{"protocol_version", "AMP/", formMessage},
	{"format", formatName(agn.AckFormat), formAck},
	{"format", formatName(agn.ResumeFormat), formResume},
	{"format", formatName(agn.TaskFormat), formRecord},
}

// formatName returns a format without its version. Another version is a fault.
func formatName(format string) string { return format[:strings.IndexByte(format, '/')+1] }

// formMarks returns the marks of all forms for [DocumentKind].
func formMarks() (list [][]string) {
	for _, m := range taskMarks {
		list = append(list, []string{`"` + m.name + `"`, `"` + m.begins})
	}
	return list
}

// formOf returns a text's form by the members of its outermost object. The text need not
// be valid JSON: somebody may be typing it. Only as many bytes are read as a message may
// have.
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

// marked reports whether a text holds any of the marks. It is much faster than [formOf].
func marked(text string) bool {
	for _, m := range taskMarks {
		if strings.Contains(text, `"`+m.begins) {
			return true
		}
	}
	return false
}

// markOf returns the form that a member belongs to.
func markOf(name, value string) taskForm {
	for _, m := range taskMarks {
		if name == m.name && strings.HasPrefix(value, `"`+m.begins) {
			return m.form
		}
	}
	return formNone
}
