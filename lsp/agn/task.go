package agn

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/canon"
)

// rebuild sets what is shown of a task.
func (t *taskIndex) rebuild() {
	t.task, t.here, t.problems = nil, nil, nil
	task := &Task{ID: t.id}
	t.count(task)
	for _, r := range t.files[factRefused] {
		t.refuse(r, nil)
	}
	for _, r := range pick(t.files[factAck], inAcks) {
		task.History.Acks = append(task.History.Acks, *r.ack)
	}
	for _, r := range pick(t.files[factResume], inResumes) {
		task.History.Resumes = append(task.History.Resumes, *r.resume)
	}
	slices.SortStableFunc(task.History.Acks, func(a, b agn.Ack) int { return cmp.Compare(a.Millis, b.Millis) })
	slices.SortStableFunc(task.History.Resumes, func(a, b agn.Resume) int { return cmp.Compare(a.Millis, b.Millis) })
	for _, list := range [][]*record{t.files[factAck], t.files[factResume], t.files[factTask]} {
		for _, r := range list {
			if r.problem != nil {
				t.problems = append(t.problems, *r.problem)
			}
		}
	}
	task.Last = task.newest()
	if files := pick(t.files[factTask], inTasks); len(files) > 0 {
		task.Record = files[0].task
		task.Last = cmp.Or(task.Last, task.Record.Updated)
	}
	n := len(task.History.Messages) + len(task.History.Acks) + len(task.History.Resumes)
	for i := range t.here {
		r := &t.here[i].rejected
		if alreadyCounted(task, r.MalformedEscalation) {
			r.MalformedEscalation = nil
		}
		task.refused = append(task.refused, r.Message)
		if n == 0 && task.Record == nil {
			task.Last = max(task.Last, r.Millis)
		}
	}
	if t.id != "" && (n+len(t.here) > 0 || task.Record != nil) {
		t.task = task
	}
}

// pick returns one record for each message or task that the files are about: the file in its
// proper place, otherwise the first by path. list must be ordered by that id and then by path.
func pick(list []*record, folder string) []*record {
	var out []*record
	for len(list) > 0 {
		var same []*record
		same, list = cutSame(list)
		id := same[0].about()
		if same[0].fact == factTask {
			id = same[0].task.TaskID
		}
		out = append(out, chosen(same, folder+"/"+id+".json"))
	}
	return out
}

// cutSame splits off the first records that are about the same message or task.
func cutSame(list []*record) (same, rest []*record) {
	n := 1
	for n < len(list) && list[n].about() == list[0].about() {
		n++
	}
	return list[:n], list[n:]
}

func chosen(same []*record, place string) *record {
	for _, r := range same {
		if r.Path == place {
			return r
		}
	}
	return same[0]
}

// count adds the messages that count. If several files have one id, the one in its proper
// place counts, otherwise the first by path. Files with the same bytes are copies; the others
// are refused (rule E1). No file is moved.
func (t *taskIndex) count(task *Task) {
	list := make([]*record, 0, len(t.files[factMessage]))
	for rest := t.files[factMessage]; len(rest) > 0; {
		var same []*record
		same, rest = cutSame(rest)
		r := chosen(same, MessagePath(same[0].msg.TaskID, same[0].msg.ID))
		list = append(list, r)
		for _, other := range same {
			if other.Digest != r.Digest {
				t.refuse(other, r)
			} else if p, bad := other.misplaced(); bad {
				t.problems = append(t.problems, p)
			}
		}
	}
	slices.SortFunc(list, func(a, b *record) int { return agn.Compare(a.msg, b.msg) })
	if len(list) == 0 {
		return
	}
	task.History.Messages = make([]agn.Message, len(list))
	task.Files = make([]string, len(list))
	for i, r := range list {
		task.History.Messages[i], task.Files[i] = *r.msg, r.Path
	}
}

// refuse adds a file whose message does not count: because of its faults, or because another
// message has its id.
func (t *taskIndex) refuse(r, other *record) {
	x := Rejected{
		Source: r.Path, Here: true, MsgID: r.msg.ID, TaskID: r.msg.TaskID, Faults: r.msg.Faults,
		Millis: r.Mtime / 1e6, Digest: digestText(r.Digest), Message: *r.msg, MalformedEscalation: r.malformed,
	}
	if other != nil {
		x.Conflict = true
		if r.msg.Type == agn.TypeEscalation {
			x.MalformedEscalation = r.msg
		}
		x.Faults = []canon.Fault{{Rule: "E1", Field: "msg_id", Reason: fmt.Sprintf("another message with this id and other content is %q", other.Path)}}
	}
	t.here = append(t.here, refusedFile{x, r})
}

// alreadyCounted reports whether a message that counts has the id and description of a refused
// escalation.
func alreadyCounted(t *Task, malformed *agn.Message) bool {
	return malformed != nil && slices.ContainsFunc(t.History.Messages, func(m agn.Message) bool {
		e := m.Payload.Escalation
		return e != nil && m.ID == malformed.ID && e.Description == malformed.Payload.Escalation.Description
	})
}

// rejected lists the messages that have no effect, newest first: those in the directory, and
// those that only the error log has. A log entry about a file that has been repaired is left
// out.
func (s *state) rejected() (list []*Rejected) {
	here := make(map[key]bool)
	for _, t := range s.index {
		for _, h := range t.here {
			r, k := h.rejected, keyOf(h.rejected.Source, h.rejected.Digest)
			e, logged := s.log.known[k]
			if r.Logged = logged; e != nil {
				r.Millis = e.Millis
			}
			here[k] = true
			list = append(list, &r)
		}
	}
	for _, e := range s.log.entries {
		r := s.dir.File(e.Source)
		if here[keyOf(e.Source, e.Digest)] || r != nil && r.fact == factMessage && !e.sent {
			continue
		}
		refused := &Rejected{
			Source: e.Source, MsgID: e.MsgID, TaskID: e.TaskID, Faults: e.Faults, Conflict: e.conflict(),
			Millis: e.Millis, Digest: e.Digest, Logged: true,
		}
		if e.msg != nil {
			refused.Message = *e.msg
		}
		list = append(list, refused)
	}
	slices.SortFunc(list, func(a, b *Rejected) int {
		return cmp.Or(cmp.Compare(b.Millis, a.Millis), cmp.Compare(a.Source, b.Source), cmp.Compare(a.Digest, b.Digest))
	})
	return list
}
