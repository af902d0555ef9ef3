package task

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/signalbox-dev/signalbox/core/agn"
)

// fill adds members to a payload that the user left out and that follow from the task's history.
func (v *taskView) fill(kind, from, repo string, payload []byte) []byte {
	add := func(path string, value any) {
		// If another value is in the way, the payload breaks a rule, which is reported.
		if more, err := put(payload, parsePath(path), mustJSON(value), false); err == nil {
			payload = more
		}
	}
	var given struct {
		Subtask  string            `json:"subtask_id"`
		Severity string            `json:"severity"`
		Subtasks []json.RawMessage `json:"subtasks"`
		Results  []json.RawMessage `json:"criteria_results"`
	}
	_ = json.Unmarshal(payload, &given) // a wrong form is refused by the rules
	switch kind {
	case agn.TypeDispatch:
		if repo != "" {
			add("repo", repo)
		}
		for i := range given.Subtasks {
			add(fmt.Sprintf("subtasks[%d].subtask_id", i), fmt.Sprintf("%s-S%d", v.id, i+1))
		}
	case agn.TypeResult:
		if d := v.dispatch(""); d != nil && len(d.Subtasks) == 1 {
			add("subtask_id", d.Subtasks[0].ID)
		}
		add("diff_summary.files_changed", []string{})
		add("diff_summary.lines_added", 0)
		add("diff_summary.lines_removed", 0)
		// A criterion that nobody verified is unknown (rule T8).
		add("self_assessment.criteria_met", v.unverified(given.Subtask))
		add("self_assessment.notes", []string{})
		add("work_log", []string{})
	case agn.TypeRequest:
		if m := v.newest(agn.TypeDispatch, nil); m != nil {
			add("original_dispatch_ref", m.ID)
		}
		if m := v.newest(agn.TypeResult, nil); m != nil {
			add("task_result_ref", m.ID)
		}
		add("review_scope", "full")
		add("reject_count", v.rejects(kind))
	case agn.TypeVerdict:
		if d := v.dispatch(""); d != nil && len(d.Criteria) == len(given.Results) {
			for i, criterion := range d.Criteria {
				add(fmt.Sprintf("criteria_results[%d].criterion", i), criterion)
			}
		}
		for i := range given.Results {
			add(fmt.Sprintf("criteria_results[%d].evidence", i), "")
		}
	case agn.TypeEscalation:
		add("triggered_by", from)
		add("affected_msgs", append([]string{}, v.context(kind)...))
		add("system_state_snapshot.task_status", string(agn.State(v.id, v.History, v.now).Phase))
		add("system_state_snapshot.reject_count", v.rejects(kind))
		add("system_state_snapshot.last_successful_msg_id", v.lastAcknowledged())
		// After an info the sender goes on (rules X5 and C8).
		add("auto_suspended", given.Severity != agn.Info)
	}
	return payload
}

// unverified returns the answer "unknown" for each criterion of a subtask's dispatch.
func (v *taskView) unverified(subtask string) []*bool {
	d := v.dispatch(subtask)
	if d == nil {
		return []*bool{}
	}
	return make([]*bool, len(d.Criteria))
}

// lastAcknowledged returns the id of the newest acknowledged message that is not an
// escalation, as the watchdog names it.
func (v *taskView) lastAcknowledged() string {
	for i := range slices.Backward(v.Messages) {
		m := &v.Messages[i]
		acked := func(a agn.Ack) bool { return a.MsgID == m.ID && a.By == m.To }
		if m.Type != agn.TypeEscalation && slices.ContainsFunc(v.Acks, acked) {
			return m.ID
		}
	}
	return ""
}
