package ops

import (
	"slices"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/canon"
)

func agnMessage(dst, a, b []byte) ([]byte, error) {
	if err := read(a); err != nil {
		return nil, err
	}
	m, err := agn.ParseMessage(b)
	if err != nil {
		return nil, malformed(err)
	}
	e := encoder{buf: dst}
	e.open('{')
	e.taskMessage(&m)
	e.close('}')
	return e.buf, nil
}

// distress returns what a message with faults says as an escalation, or nil if it
// cannot be one.
func distress(m *agn.Message) *agn.Escalation {
	if len(m.Faults) == 0 {
		return nil
	}
	d, ok := agn.Distress(m.Raw)
	if !ok {
		return nil
	}
	e := d.Payload.Escalation
	e.Severity = e.Gravity()
	return e
}

func agnPayload(dst, a, b []byte) ([]byte, error) {
	var kind string
	if err := read(a, needed(text("type", &kind))); err != nil {
		return nil, err
	}
	if !agn.ValidType(kind) {
		return nil, wrong("type", "one of the five types of messages")
	}
	p, found, err := agn.ParsePayload(kind, b)
	if err != nil {
		return nil, malformed(err)
	}
	e := encoder{buf: dst}
	e.open('{')
	e.key("payload")
	e.open('{')
	e.taskPayload(&p)
	e.close('}')
	e.faults("faults", found.Faults)
	e.faults("notes", found.Notes)
	e.close('}')
	return e.buf, nil
}

func agnCheck(dst, a, b []byte) ([]byte, error) {
	var length int64
	var before []int64
	if err := read(a, needed(integer("messageLength", &length, nil)), needed(lengths("history", &before))); err != nil {
		return nil, err
	}
	parts, err := pieces(b, []int64{length}, before)
	if err != nil {
		return nil, err
	}
	m, err := agn.ParseMessage(parts[0][0])
	if err != nil {
		return nil, malformed(err)
	}
	if len(m.Faults) > 0 {
		return nil, malformed(&m.Faults[0])
	}
	var t task
	found := agn.Check(&m, parsed(&t, parts[1], known))
	e := encoder{buf: dst}
	e.open('{')
	e.faults("faults", found.Faults)
	e.faults("notes", found.Notes)
	e.number("unread", t.unread)
	e.close('}')
	return e.buf, nil
}

func agnState(dst, a, b []byte) ([]byte, error) {
	t, err := readTask(a, b, nil)
	if err != nil {
		return nil, err
	}
	e := encoder{buf: dst}
	e.open('{')
	s := agn.State(t.id, t.history, t.now)
	e.taskState(&s)
	e.number("unread", t.unread)
	e.close('}')
	return e.buf, nil
}

func agnAlarms(dst, a, b []byte) ([]byte, error) {
	var refused []int64
	t, err := readTask(a, b, &refused)
	if err != nil {
		return nil, err
	}
	state := agn.State(t.id, t.history, t.now)
	e := encoder{buf: dst}
	e.open('{')
	e.key("alarms")
	e.open('[')
	for _, alarm := range agn.Alarms(t.id, t.history, t.refused, t.now) {
		escalation := alarm.Escalation(state)
		e.item()
		e.open('{')
		e.alarm(&alarm)
		e.key("escalation")
		e.open('{')
		e.escalation(&escalation)
		e.close('}')
		e.close('}')
	}
	e.close(']')
	e.number("unread", t.unread)
	e.close('}')
	return e.buf, nil
}

// task holds what is known about a task: the texts of its messages, ACKs and answers.
type task struct {
	id      string
	now     int64
	history agn.History
	refused []agn.Message
	// unread counts the texts that are not JSON objects, or not records.
	unread int64
}

// readTask reads the parameters of an op over a task's history. refused is nil
// for an op that does not take any.
func readTask(a, b []byte, refused *[]int64) (task, error) {
	var t task
	var sent, acks, resumes, none []int64
	want := []param{
		needed(text("taskId", &t.id)), needed(integer("now", &t.now, nil)),
		needed(lengths("messages", &sent)), lengths("acks", &acks), lengths("resumes", &resumes),
	}
	if refused == nil {
		refused = &none
	} else {
		want = append(want, lengths("refused", refused))
	}
	if err := read(a, want...); err != nil {
		return t, err
	}
	if !agn.ValidTaskID(t.id) {
		return t, wrong("taskId", "the id of a task")
	}
	parts, err := pieces(b, sent, acks, resumes, *refused)
	if err != nil {
		return t, err
	}
	t.history = agn.History{
		Messages: parsed(&t, parts[0], known),
		Acks:     parsed(&t, parts[1], agn.ParseAck),
		Resumes:  parsed(&t, parts[2], agn.ParseResume),
	}
	t.refused = parsed(&t, parts[3], known)
	return t, nil
}

// parsed reads texts, and counts those that cannot be read.
func parsed[T any](t *task, texts [][]byte, parse func(data []byte) (T, error)) []T {
	list := make([]T, 0, len(texts))
	for _, p := range texts {
		if v, err := parse(p); err == nil {
			list = append(list, v)
		} else {
			t.unread++
		}
	}
	return list
}

// known reads a message of a history. Of an invalid one only the
// envelope counts, and whether its branch is at fault (rule D3): two bytes can have
// two kilobytes of faults, and a history many such messages.
func known(data []byte) (agn.Message, error) {
	m, err := agn.ParseMessage(data)
	if err == nil && len(m.Faults) > 0 {
		at := max(0, slices.IndexFunc(m.Faults, func(f canon.Fault) bool { return f.Rule == "D3" }))
		m.Findings = canon.Findings{Faults: []canon.Fault{m.Faults[at]}}
		m.Payload, m.ContextRef = agn.Payload{}, nil
	}
	return m, err
}

// pieces cuts the second argument into texts of the given lengths, one after the
// other. Together they must be all of it.
func pieces(b []byte, of ...[]int64) ([][][]byte, error) {
	all := make([][][]byte, len(of))
	for i, list := range of {
		all[i] = make([][]byte, len(list))
		for j, n := range list {
			if n < 0 || n > int64(len(b)) {
				return nil, badArgument("a length lies outside the second argument")
			}
			all[i][j], b = b[:n:n], b[n:]
		}
	}
	if len(b) > 0 {
		return nil, badArgument("the second argument is longer than the lengths say")
	}
	return all, nil
}

// lengths reads an array of lengths in bytes.
func lengths(name string, into *[]int64) param {
	return param{name: name, read: func(v canon.Value) error {
		if v.Kind != canon.Array {
			return wrong(name, "an array")
		}
		return canon.Elements(v.Raw, func(v canon.Value) error {
			n, ok := v.Int64()
			if !ok {
				return wrong(name, "an array of integers")
			}
			*into = append(*into, n)
			return nil
		})
	}}
}

func agnID(dst, a, b []byte) ([]byte, error) {
	if err := read(a); err != nil {
		return nil, err
	}
	id, ok := agn.ParseID(string(b))
	e := encoder{buf: dst}
	e.open('{')
	e.bool("valid", ok)
	e.text("type", id.Type)
	e.text("taskId", id.TaskID)
	e.number("millis", id.Millis)
	e.close('}')
	return e.buf, nil
}

func agnValidTaskID(dst, a, b []byte) ([]byte, error) {
	if err := read(a); err != nil {
		return nil, err
	}
	e := encoder{buf: dst}
	e.open('{')
	e.bool("valid", agn.ValidTaskID(string(b)))
	e.close('}')
	return e.buf, nil
}
