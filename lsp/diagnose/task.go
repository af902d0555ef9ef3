package diagnose

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/canon"
)

// taskKind is a message of AMP/1.0, or one of our own records about a task.
var taskKind = kind{
	open: []DocumentKind{{Pattern: "**/*.json", MaxBytes: agn.MaxMessage, Marks: formMarks()}},
	known: func(doc *Document, _ Stores) bool {
		return jsonFile(doc) && formOf(strings.TrimPrefix(doc.Text, byteOrderMark)) != formNone
	},
	check: checkTask,
	fixes: taskFixes,
}

// checkTask holds a task message against every rule, also beside the other messages of
// its task.
func checkTask(_ context.Context, doc *Document, stores Stores, _ *Checked) (*Checked, error) {
	t, known := readTask(doc, othersOf(doc, stores))
	if !known {
		return nil, nil
	}
	c := &Checked{Outside: true}
	for i := range t.found {
		c.Found = append(c.Found, t.diagnostic(&t.found[i]))
	}
	return c, nil
}

// lookup returns the other messages of m's task, or nil if the task is unknown.
type lookup func(m *agn.Message) []agn.Message

// othersOf looks in stores for the other messages of a document's task.
func othersOf(doc *Document, stores Stores) lookup {
	return func(m *agn.Message) []agn.Message { return stores.TaskMessages(doc.Path, m) }
}

// openTask is a document that is a message of AMP/1.0, or one of our records.
type openTask struct {
	doc    *Document
	others lookup
	// json is the text behind a byte order mark, and base the mark's length.
	json string
	base int
	// msg is the message, zero where the text is none. broken tells that it is
	// no JSON, so that nothing in it has a place.
	msg    agn.Message
	broken bool
	found  []taskFault
}

// taskFault is a fault or a note. Its Offset counts from the document's start.
type taskFault struct {
	canon.Fault
	severity Severity
}

const byteOrderMark = "\ufeff"

// readTask reads a document. known is false for one that is neither a message
// nor a record. One that was, and is broken while somebody types, still is.
func readTask(doc *Document, others lookup) (t *openTask, known bool) {
	t = &openTask{doc: doc, others: others, json: strings.TrimPrefix(doc.Text, byteOrderMark)}
	t.base = len(doc.Text) - len(t.json)
	form := formOf(t.json)
	if form == formNone {
		return nil, false
	}
	if t.base > 0 {
		t.found = append(t.found, taskFault{Fault: canon.Fault{Rule: "E0", Reason: "the text begins with a byte order mark"}})
	}
	if form == formMessage {
		return t, t.message()
	}
	return t, t.record(form)
}

func (t *openTask) message() (known bool) {
	m, err := agn.ParseMessage([]byte(t.json))
	if err != nil {
		t.fail(err)
		return true
	}
	if !strings.HasPrefix(m.Version, "AMP/") {
		return false // such a member stands somewhere, and is not the one that counts
	}
	t.msg = m
	t.add(m.Findings)
	if len(m.Faults) == 0 {
		t.add(t.beside())
	}
	return true
}

// beside is [agn.Check]. Of a task that nothing is known of only those rules are
// left that speak about the message alone.
func (t *openTask) beside() canon.Findings {
	history := t.history()
	others := history
	isThis := func(m agn.Message) bool { return sameMessage(&m, &t.msg) }
	if slices.ContainsFunc(history, isThis) { // a task may be long, and this runs while somebody types
		others = slices.DeleteFunc(slices.Clone(history), isThis)
	}
	found := agn.Check(&t.msg, others)
	if history == nil {
		found.Faults, found.Notes = alone(found.Faults), alone(found.Notes)
	}
	return found
}

// history gives the other messages of the task.
func (t *openTask) history() []agn.Message {
	return t.others(&t.msg)
}

// alone keeps the findings of [agn.Check] that hold whatever was before.
func alone(list []canon.Fault) (kept []canon.Fault) {
	for _, f := range list {
		switch f.Rule {
		case "Q7", "Q8", "V7", "C12":
			kept = append(kept, f)
		}
	}
	return kept
}

// sameMessage reports whether a message is one of the same id that says the same.
// What a store keeps has no texts to compare.
func sameMessage(a, b *agn.Message) bool {
	if a.ID != b.ID {
		return false
	}
	bare := func(m agn.Message) agn.Message {
		m.Raw, m.Payload.Raw, m.Findings = nil, nil, canon.Findings{}
		return m
	}
	return reflect.DeepEqual(bare(*a), bare(*b))
}

// record reads what is ours. It has one fault at most.
func (t *openTask) record(form taskForm) (known bool) {
	var err error
	switch data := []byte(t.json); form {
	case formAck:
		_, err = agn.ParseAck(data)
	case formResume:
		_, err = agn.ParseResume(data)
	default:
		_, err = agn.ParseRecord(data)
	}
	if err != nil {
		t.fail(err)
	}
	return true
}

// fail lists the fault that an error of core/agn is.
func (t *openTask) fail(err error) {
	f, ok := errors.AsType[*canon.Fault](err)
	if !ok {
		return // they are all faults
	}
	t.broken = f.Field == ""
	at := *f
	if at.Offset == agn.MaxMessage {
		at.Offset = 0 // of a text that is too long its start is looked at
	}
	t.add(canon.Findings{Faults: []canon.Fault{at}})
}

func (t *openTask) add(found canon.Findings) {
	for severity, list := range [][]canon.Fault{Error: found.Faults, Information: found.Notes} {
		for _, f := range list {
			f.Offset += t.base
			t.found = append(t.found, taskFault{f, Severity(severity)})
		}
	}
}

// diagnostic gives a fault its place: the value, the name of the object that
// something is missing from, or the name that nobody knows.
func (t *openTask) diagnostic(f *taskFault) Diagnostic {
	text := t.doc.Text
	start := max(0, min(f.Offset, len(text)))
	if !t.broken {
		for start < len(text) && strings.IndexByte(" \t\r\n", text[start]) >= 0 {
			start++ // the whole message begins with the space before it
		}
	}
	d := Diagnostic{Start: start, End: start + valueLength(text[start:]), Severity: f.severity, Rule: f.Rule, Message: safe(f.Reason), About: taskPage(f)}
	if start < t.base {
		d.End = t.base
	}
	if t.broken || start == len(text) || text[start] != '{' && f.Rule != "C17" {
		return d
	}
	// What is missing has its place in the object, what is unknown in its name.
	from, to, ok := keyBefore(text, start)
	if ok && (f.Rule == "C17" || text[from:to] != `"`+lastName(f.Field)+`"`) {
		d.Start, d.End = from, to
	}
	return d
}

// taskPage is where the rule of a fault is explained.
func taskPage(f *taskFault) string {
	switch {
	case f.Rule[0] == 'C':
		return pages + "agn.md#contradictions-and-gaps"
	case f.Rule == "Q6", f.Rule == "Q7", f.Rule == "Q8", f.Rule == "V7":
		return pages + "agn.md#a-message-beside-the-others-of-its-task"
	}
	return pages + "agn.md#what-is-refused-and-what-is-noted"
}
