package ops

import (
	"slices"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/canon"
)

func agnMessage(c *call) error { return parsed(c, agn.ParseMessage, (*encoder).taskMessage) }

// malformedEscalation returns the content of a message with faults as an escalation, or
// nil if it cannot be one.
func malformedEscalation(m *agn.Message) *agn.Escalation {
	if len(m.Faults) == 0 {
		return nil
	}
	d, ok := agn.MalformedEscalation(m.Raw)
	if !ok {
		return nil
	}
	e := d.Payload.Escalation
	e.Severity = e.ShownSeverity()
	return e
}

func agnPayload(c *call) error {
	var kind string
	if err := c.read(needed(text("type", &kind))); err != nil {
		return err
	}
	if !agn.ValidType(kind) {
		return wrong("type", "one of the five types of messages")
	}
	p, found, err := agn.ParsePayload(kind, c.b)
	if err != nil {
		return malformed(err)
	}
	nested(&c.encoder, "payload", &p, (*encoder).taskPayload)
	c.both(found)
	return nil
}

func agnCheck(c *call) error {
	var length int64
	var before []int64
	if err := c.read(needed(integer("messageLength", &length, nil)), needed(lengths("history", &before))); err != nil {
		return err
	}
	parts, err := pieces(c.b, []int64{length}, before)
	if err != nil {
		return err
	}
	m, err := agn.ParseMessage(parts[0][0])
	if err != nil {
		return malformed(err)
	}
	if len(m.Faults) > 0 {
		return malformed(&m.Faults[0])
	}
	var t task
	found := agn.Check(&m, readable(&t, parts[1], known))
	c.both(found)
	c.Number("unread", t.unread)
	return nil
}

func agnState(c *call) error {
	t, err := readTask(c.a, c.b, nil)
	if err != nil {
		return err
	}
	s := agn.State(t.id, t.history, t.now)
	c.taskState(&s)
	c.Number("unread", t.unread)
	return nil
}

func agnAlarms(c *call) error {
	var refused []int64
	t, err := readTask(c.a, c.b, &refused)
	if err != nil {
		return err
	}
	state, alarms := agn.Alarms(t.id, t.history, t.refused, t.now)
	every(&c.encoder, "alarms", alarms, func(e *encoder, a *agn.Alarm) {
		e.alarm(a)
		escalation := a.Escalation(state)
		nested(e, "escalation", &escalation, (*encoder).escalation)
	})
	c.Number("unread", t.unread)
	return nil
}

// task holds the history of a task: its messages, ACKs and answers.
type task struct {
	id      string
	now     int64
	history agn.History
	refused []agn.Message
	// unread counts the texts that are not JSON objects, or not records.
	unread int64
}

// readTask reads the arguments of an op over a task's history. refused is nil for an op
// without that parameter.
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
		Messages: readable(&t, parts[0], known),
		Acks:     readable(&t, parts[1], agn.ParseAck),
		Resumes:  readable(&t, parts[2], agn.ParseResume),
	}
	t.refused = readable(&t, parts[3], known)
	return t, nil
}

// readable parses texts, and counts those that cannot be read.
func readable[T any](t *task, texts [][]byte, parse func(data []byte) (T, error)) []T {
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

// known reads a message of a history. An invalid one keeps only its envelope and one
// fault, of its branch (rule D3) if there is one: two bytes can have two kilobytes of
// faults, and a history many such messages.
func known(data []byte) (agn.Message, error) {
	m, err := agn.ParseMessage(data)
	if err == nil && len(m.Faults) > 0 {
		at := max(0, slices.IndexFunc(m.Faults, func(f canon.Fault) bool { return f.Rule == "D3" }))
		m.Findings = canon.Findings{Faults: []canon.Fault{m.Faults[at]}}
		m.Payload, m.ContextRef = agn.Payload{}, nil
	}
	return m, err
}

// pieces cuts the second argument into texts of the given lengths, which must add up to all of it.
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
	return array(name, into, func(v canon.Value, to *int64) error {
		n, ok := v.Int64()
		if !ok {
			return wrong(name, "an array of integers")
		}
		*to = n
		return nil
	})
}

func agnID(c *call) error {
	id, ok := agn.ParseID(string(c.b))
	c.Bool("valid", ok)
	c.Text("type", id.Type)
	c.Text("taskId", id.TaskID)
	c.Number("millis", id.Millis)
	return nil
}

func agnValidTaskID(c *call) error {
	c.Bool("valid", agn.ValidTaskID(string(c.b)))
	return nil
}
