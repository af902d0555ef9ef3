package agn

import (
	"slices"
	"strconv"
	"strings"

	"github.com/signalbox-dev/signalbox/core/canon"
)

// Check compares a message with the other messages of its task and returns the findings that
// [ParseMessage] cannot make: on references, subtasks, criteria, counts and the required
// build. A message with faults must not be sent or accepted. Notes are about what the spec
// recommends, or requires of several messages together. Check is for a message without faults
// of its own.
//
// history may be in any order and contain the message itself. Messages of other tasks, and
// messages with faults, are only checked for duplicate ids.
func Check(m *Message, history []Message) canon.Findings {
	c := check{m: m, history: history}
	for i := range history {
		h := &history[i]
		if h.ID == m.ID {
			c.checkDuplicate(h)
			continue
		}
		if h.sound() && h.TaskID == m.TaskID {
			c.task = append(c.task, h)
		}
	}
	c.noteMissing("E10", "context_ref", m.ContextRef)
	switch p := &m.Payload; {
	case p.Result != nil:
		c.result(p.Result)
	case p.Request != nil:
		c.request(p.Request)
	case p.Verdict != nil:
		c.verdict(p.Verdict)
	case p.Escalation != nil:
		c.escalation(p.Escalation)
	}
	return c.out
}

// check compares one message with the others of its task.
type check struct {
	m       *Message
	history []Message
	task    []*Message
	byID    map[string]*Message // the messages in task, made at the first find
	out     canon.Findings
}

// checkDuplicate reports a different message with the same id: ids are unique (rule E1), and
// nothing is ever overwritten.
func (c *check) checkDuplicate(h *Message) {
	if string(h.Raw) != string(c.m.Raw) {
		c.fault("E1", "msg_id", "another message is called "+quote(c.m.ID)+" already")
	}
}

func (c *check) fault(rule, field, reason string) {
	c.out.AddFault(rule, field, locate(c.m.Raw, field), reason)
}

func (c *check) note(rule, field, reason string) {
	if len(c.out.Notes) == canon.MaxFindings {
		return // before it is located, which takes the whole message
	}
	c.out.AddNote(rule, field, locate(c.m.Raw, field), reason)
}

// locate returns the offset of the member at the dotted path field, or of the deepest part of
// the path that exists.
func locate(data []byte, field string) int {
	v := canon.Value{Kind: canon.Mapping, Raw: data}
	for name := range strings.SplitSeq(field, ".") {
		at := v
		if v.Kind != canon.Mapping {
			break
		}
		_ = canon.Object(v.Raw, func(key []byte, e canon.Value) error {
			if string(key) == name {
				e.Offset += v.Offset
				at = e
			}
			return nil
		})
		v = at
	}
	return v.Offset
}

// find returns the task's message with that id. A hostile message may hold 4096
// references, so they are looked up in a map.
func (c *check) find(id string) *Message {
	if c.byID == nil {
		c.byID = make(map[string]*Message, len(c.task))
		for _, h := range slices.Backward(c.task) {
			c.byID[h.ID] = h
		}
	}
	return c.byID[id]
}

// noteMissing notes the references to messages of the task that do not exist. Messages of
// other tasks need not be loaded.
func (c *check) noteMissing(rule, field string, refs []string) {
	for _, ref := range refs {
		if len(c.out.Notes) == canon.MaxFindings {
			return
		}
		if id, ok := ParseID(ref); ok && id.TaskID == c.m.TaskID && c.find(ref) == nil {
			c.note(rule, field, "the message "+quote(ref)+" is not there")
		}
	}
}

// before reports whether h comes before the message. Clocks differ between agents, so this is
// only used to choose among several candidates, never to refuse one.
func (c *check) before(h *Message) bool { return Compare(h, c.m) < 0 }

// dispatch returns the latest dispatch for which ok holds, if possible one that
// precedes the message.
func (c *check) dispatch(ok func(d *Dispatch) bool) *Dispatch {
	var best *Message
	for _, h := range c.task {
		if h.Payload.Dispatch == nil || !ok(h.Payload.Dispatch) {
			continue
		}
		if best == nil || c.before(h) && !c.before(best) || c.before(h) == c.before(best) && Compare(h, best) > 0 {
			best = h
		}
	}
	if best == nil {
		return nil
	}
	return best.Payload.Dispatch
}

func (c *check) result(r *Result) {
	d := c.dispatch(func(d *Dispatch) bool {
		return slices.ContainsFunc(d.Subtasks, func(s Subtask) bool { return s.ID == r.SubtaskID })
	})
	if d == nil {
		c.fault("T1", "payload.subtask_id", "no dispatch of the task has a subtask "+quote(r.SubtaskID))
		return
	}
	if want, got := len(d.Criteria), len(r.CriteriaMet); want != got {
		c.fault("T4", "payload.self_assessment.criteria_met", plural(got, "answer")+" to "+plural(want, "criterion"))
	}
}

func (c *check) request(r *Request) {
	if c.ref("Q1", "original_dispatch_ref", r.DispatchRef, TypeDispatch) != nil {
		c.scope(r)
	}
	if res := c.ref("Q2", "task_result_ref", r.ResultRef, TypeResult); res != nil && res.Payload.Result.Status != "complete" {
		c.fault("Q2", "payload.task_result_ref", "the result is "+res.Payload.Result.Status+", and only a complete one is reviewed")
	}
	if n := int64(Rejects(c.m, c.history)); n != r.RejectCount {
		c.fault("Q5", "payload.reject_count", "the task was rejected "+plural(int(n), "time")+", not "+strconv.FormatInt(r.RejectCount, 10))
	}
	if r.RejectCount >= WarnRejects && !strings.Contains(strings.ToLower(r.Notes), "lock is approaching") {
		c.note("Q7", "payload.coordinator_notes", `the notes should say "Lock is approaching"`)
	}
	if r.Status("xcode_cloud") == "failed" {
		c.fault("Q8", "payload.ci_status.xcode_cloud", "the build failed: a new dispatch is due, not a review")
	}
	if r.Status("codex_review") == "failed" {
		c.note("C12", "payload.ci_status.codex_review", "the build failed, which gates nothing but calls for an escalation")
	}
}

// scope notes an incremental review without an earlier verdict (rule Q3).
func (c *check) scope(r *Request) {
	if r.Scope != "incremental" {
		return
	}
	for _, h := range c.task {
		if h.Payload.Verdict != nil && c.before(h) {
			return
		}
	}
	c.note("Q3", "payload.review_scope", "an incremental review has no verdict to start from")
}

// ref returns the message that a request refers to. It must exist (rule Q6) and be of the
// right type (the given rule).
func (c *check) ref(rule, name, id, kind string) *Message {
	h := c.find(id)
	if h == nil {
		c.fault("Q6", "payload."+name, "the message "+quote(id)+" is not there")
		return nil
	}
	if h.Type != kind {
		c.fault(rule, "payload."+name, quote(id)+" is a "+h.Type+", not a "+kind)
		return nil
	}
	return h
}

func (c *check) verdict(v *Verdict) {
	asked := false
	for _, h := range c.task {
		asked = asked || h.Type == TypeRequest
	}
	if !asked {
		c.note("V1", "payload.decision", "nobody asked for a review of the task")
	}
	// The spec's own example answers two of three criteria, and words them differently
	// (rule C10): a different number is noted, and the words are not compared.
	d := c.dispatch(func(*Dispatch) bool { return true })
	if d != nil && len(d.Criteria) != len(v.Criteria) {
		c.note("C10", "payload.criteria_results", plural(len(v.Criteria), "result")+" for "+plural(len(d.Criteria), "criterion"))
	}
	if v.LowConfidence() {
		c.note("V7", "payload.confidence", "the confidence is below 0.8: the admin is to be told before the executor")
	}
}

func (c *check) escalation(e *Escalation) {
	c.noteMissing("X6", "payload.affected_msgs", e.Affected)
	if n := int64(Rejects(c.m, c.history)); n != e.Snapshot.RejectCount {
		// The snapshot is only what the sender believed: no reason to refuse an escalation.
		c.note("X7", "payload.system_state_snapshot.reject_count", "the task was rejected "+plural(int(n), "time")+", not "+strconv.FormatInt(e.Snapshot.RejectCount, 10))
	}
}

// plural returns a number with its noun: "1 answer", "2 answers".
func plural(n int, noun string) string {
	text := strconv.Itoa(n) + " " + noun
	switch {
	case n == 1:
		return text
	case noun == "criterion":
		return strconv.Itoa(n) + " criteria"
	}
	return text + "s"
}
