package check

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

// checkTask checks a task message against every rule, including rules about the other
// messages of its task.
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

// openTask is an open document of [taskKind].
type openTask struct {
	doc    *Document
	others lookup
	json   string      // the text without a byte order mark
	base   int         // the length of the byte order mark
	msg    agn.Message // zero if the text isn't a message
	broken bool        // the text is not valid JSON, so that no member has a place
	found  []taskFault
}

// taskFault is a fault or a note. Its Offset counts from the start of the document.
type taskFault struct {
	canon.Fault
	severity Severity
}

const byteOrderMark = "\ufeff"

// readTask reads and checks a document. known is false if it is neither a message nor a
// record. A text that is not valid JSON is known too: somebody may be typing it.
func readTask(doc *Document, others lookup) (t *openTask, known bool) {
	t = &openTask{doc: doc, others: others, json: strings.TrimPrefix(doc.Text, byteOrderMark)}
	t.base = len(doc.Text) - len(t.json)
	form := formOf(t.json)
	if form == formNone {
		return nil, false
	}
	if t.base > 0 {
		t.found = append(t.found, taskFault{Fault: canon.Fault{Rule: "E0", Reason: "the text begins with a byte order mark; remove it"}})
	}
	if form == formMessage {
		return t, t.message()
	}
	return t, t.record(form)
}

// message reads and checks a message.
func (t *openTask) message() (known bool) {
	m, err := agn.ParseMessage([]byte(t.json))
	if err != nil {
		t.fail(err)
		return true
	}
	if !strings.HasPrefix(m.Version, "AMP/") {
		return false // the name occurs twice, and the other value counts
	}
	t.msg = m
	t.add(m.Findings)
	if len(m.Faults) == 0 {
		t.add(t.checkInTask())
	}
	return true
}

// checkInTask checks the message together with the other messages of its task. If the task is
// unknown, it checks only rules about the message alone.
func (t *openTask) checkInTask() canon.Findings {
	history := t.others(&t.msg)
	others := history
	isThis := func(m agn.Message) bool { return sameMessage(&m, &t.msg) }
	if slices.ContainsFunc(history, isThis) { // a task may be long, and this runs while somebody types
		others = slices.DeleteFunc(slices.Clone(history), isThis)
	}
	found := agn.Check(&t.msg, others)
	if history == nil {
		found.Faults, found.Notes = withoutTask(found.Faults), withoutTask(found.Notes)
	}
	return found
}

// withoutTask returns the faults of rules that concern only one message.
func withoutTask(list []canon.Fault) (kept []canon.Fault) {
	for _, f := range list {
		switch f.Rule {
		case "Q7", "Q8", "V7", "C12":
			kept = append(kept, f)
		}
	}
	return kept
}

// sameMessage reports whether two messages have the same id and content. Their texts are
// not compared, because a store does not keep them.
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

// record reads one of our own records. It has one fault at most.
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

// fail adds the fault in an error of core/agn.
func (t *openTask) fail(err error) {
	f, ok := errors.AsType[*canon.Fault](err)
	if !ok {
		return // does not happen
	}
	t.broken = f.Field == ""
	at := *f
	if at.Offset == agn.MaxMessage {
		at.Offset = 0 // the text is too long: underline its start
	}
	t.add(canon.Findings{Faults: []canon.Fault{at}})
}

// add adds faults and notes, whose offsets count from the start of the JSON text.
func (t *openTask) add(found canon.Findings) {
	for severity, list := range [][]canon.Fault{Error: found.Faults, Information: found.Notes} {
		for _, f := range list {
			f.Offset += t.base
			t.found = append(t.found, taskFault{f, Severity(severity)})
		}
	}
}

// diagnostic returns the diagnostic of a fault.
func (t *openTask) diagnostic(f *taskFault) Diagnostic {
	d := Diagnostic{End: t.base, Severity: f.severity, Rule: f.Rule, Message: safe(f.Reason), About: taskPage(f)}
	if f.Offset >= t.base {
		at := f.Fault
		at.Offset -= t.base
		d.Start, d.End = faultSpan(t.json, &at, f.Rule == "C17")
		d.Start, d.End = d.Start+t.base, d.End+t.base
	}
	return d
}

// taskPage returns the URL that explains the rule of a fault.
func taskPage(f *taskFault) string {
	switch {
	case f.Rule[0] == 'C':
		return pages + "agn.md#contradictions-and-gaps"
	case f.Rule == "Q6", f.Rule == "Q7", f.Rule == "Q8", f.Rule == "V7":
		return pages + "agn.md#a-message-beside-the-others-of-its-task"
	}
	return pages + "agn.md#what-is-refused-and-what-is-noted"
}
