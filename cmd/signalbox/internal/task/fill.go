package task

import (
	"cmp"
	"encoding/json"
	"fmt"

	"github.com/signalbox-dev/signalbox/core/agn"
)

// fill adds to a payload what the task's history tells and the user left out.
func (v *taskView) fill(kind, from, repo string, payload []byte) []byte {
	add := func(path string, value any) {
		// Where something else stands in the way, the rules say so.
		if more, err := put(payload, parsePath(path), mustJSON(value), false); err == nil {
			payload = more
		}
	}
	var given struct {
		Severity string            `json:"severity"`
		Subtasks []json.RawMessage `json:"subtasks"`
		Results  []json.RawMessage `json:"criteria_results"`
	}
	_ = json.Unmarshal(payload, &given) // what has another form is for the rules to refuse
	dispatch := v.newest(agn.TypeDispatch)
	d := cmp.Or(dispatch.Payload.Dispatch, &agn.Dispatch{})
	switch kind {
	case agn.TypeDispatch:
		if repo != "" {
			add("repo", repo)
		}
		for i := range given.Subtasks {
			add(fmt.Sprintf("subtasks[%d].subtask_id", i), fmt.Sprintf("%s-S%d", v.id, i+1))
		}
	case agn.TypeResult:
		if len(d.Subtasks) == 1 {
			add("subtask_id", d.Subtasks[0].ID)
		}
		add("diff_summary.files_changed", []string{})
		add("diff_summary.lines_added", 0)
		add("diff_summary.lines_removed", 0)
		// A criterion that nobody verified is unknown (rule T8).
		add("self_assessment.criteria_met", make([]*bool, len(d.Criteria)))
		add("self_assessment.notes", []string{})
		add("work_log", []string{})
	case agn.TypeRequest:
		if dispatch.ID != "" {
			add("original_dispatch_ref", dispatch.ID)
		}
		if m := v.newest(agn.TypeResult); m.ID != "" {
			add("task_result_ref", m.ID)
		}
		add("review_scope", "full")
		add("reject_count", v.rejects(kind))
	case agn.TypeVerdict:
		if len(d.Criteria) == len(given.Results) {
			for i, criterion := range d.Criteria {
				add(fmt.Sprintf("criteria_results[%d].criterion", i), criterion)
			}
		}
		for i := range given.Results {
			add(fmt.Sprintf("criteria_results[%d].evidence", i), "")
		}
	case agn.TypeEscalation:
		add("triggered_by", from)
		add("affected_msgs", append([]string{}, v.last()...))
		add("system_state_snapshot.task_status", string(agn.State(v.id, v.History, v.now).Phase))
		add("system_state_snapshot.reject_count", v.rejects(kind))
		add("system_state_snapshot.last_successful_msg_id", agn.LastSuccessful(v.id, v.History, v.now))
		// After an info the sender goes on (rules X5 and C8).
		add("auto_suspended", given.Severity != agn.Info)
	}
	return payload
}
