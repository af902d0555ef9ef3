package codex

import (
	"cmp"
	"encoding/json"
	"strconv"

	"github.com/signalbox-dev/signalbox/core/session"
)

var events = map[string]reading{
	"task_started": turnBegan, "turn_started": turnBegan, "task_complete": complete, "turn_complete": complete,
	"turn_aborted": aborted, "error": errorEvent, "stream_error": errorEvent, "shutdown_complete": shutDown,
	"item_completed": itemCompleted, "token_count": usage, "thread_settings_applied": settingsApplied,
	"thread_name_updated": titled, "thread_rolled_back": rolledBack,
	"entered_review_mode": review, "exited_review_mode": reviewed,
	"exec_approval_request": approvalRequest, "apply_patch_approval_request": approvalRequest,
	"request_permissions": approvalRequest, "elicitation_request": approvalRequest,
	// The ends of calls in the versions without items.
	"exec_command_end": commandEnd, "patch_apply_end": changeEnd, "mcp_tool_call_end": mcpEnd, "web_search_end": searchEnd,
	"view_image_tool_call": viewed, "dynamic_tool_call_response": dynamicEnd,
	"collab_agent_spawn_end": spawned, "sub_agent_activity": activity,
	// These are repeated in other records.
	"user_message": nil, "agent_message": nil, "agent_reasoning": nil, "agent_reasoning_raw_content": nil,
	"agent_reasoning_section_break": nil, "context_compacted": nil, "image_generation_end": nil, "raw_response_item": nil,
	"item_started": nil, "exec_command_begin": nil, "patch_apply_begin": nil, "mcp_tool_call_begin": nil, "web_search_begin": nil,
	"collab_agent_interaction_end": nil, "collab_waiting_end": nil, "collab_close_end": nil, "collab_resume_end": nil,
	"request_user_input": nil, "dynamic_tool_call_request": nil, "plan_update": nil, "turn_diff": nil,
	// These are not part of the conversation.
	"session_configured": nil, "mcp_startup_update": nil, "mcp_startup_complete": nil, "thread_goal_updated": nil,
	"hook_started": nil, "hook_completed": nil, "warning": nil, "guardian_warning": nil, "guardian_assessment": nil,
	"deprecation_notice": nil, "background_event": nil, "model_reroute": nil, "model_verification": nil,
	"terminal_interaction": nil, "environment_connected": nil, "environment_disconnected": nil, "thread_queue_changed": nil,
}

// turnBegan begins a turn. A process of "codex exec" runs only one turn, so a second turn means
// that the session was resumed.
func turnBegan(l *session.Log, r *record, e *entry) {
	if e.Turn.Trigger == "exec" && l.State == session.Idle {
		l.Note(r.at, "the session was resumed")
	}
	l.SetState(session.Working, "")
}

func complete(l *session.Log, r *record, e *entry) {
	l.SetState(session.Idle, "")
	l.SetLast(e.Last)
	if reason := reason(e.Error); reason != "" {
		l.Note(r.at, "the turn ended with an error: "+reason)
	}
}

// reason returns the first line of an error's message. Some messages are the JSON of a server's
// answer.
func reason(raw json.RawMessage) string {
	var e struct {
		Message string `json:"message"`
	}
	var inner struct {
		Error struct {
			Message string `json:"message"`
		} `json:"error"`
	}
	decode(raw, &e)
	decode([]byte(e.Message), &inner)
	return session.FirstLine(cmp.Or(inner.Error.Message, e.Message))
}

func errorEvent(l *session.Log, r *record, _ *entry) {
	l.Note(r.at, "an error: "+cmp.Or(reason(r.Payload), "without a word"))
}

var aborts = map[string]string{
	"interrupted": "the turn was interrupted", "replaced": "the turn was ended for another prompt",
	"review_ended": "the review was ended", "budget_limited": "the turn was ended at the limit of its budget",
}

func aborted(l *session.Log, r *record, e *entry) {
	l.Interrupt(r.at)
	l.Note(r.at, cmp.Or(aborts[e.Reason], "the turn was ended: "+cmp.Or(session.FirstLine(e.Reason), "without a word")))
}

func shutDown(l *session.Log, _ *record, _ *entry) { l.SetState(session.Ended, "") }

func settingsApplied(l *session.Log, r *record, e *entry) {
	var s entry
	decode(e.Settings, &s)
	settings(l, r, &s)
}

func titled(l *session.Log, _ *record, e *entry) { l.SetTitle(0, e.Title) }

func rolledBack(l *session.Log, r *record, _ *entry) {
	var e struct {
		Turns int64 `json:"num_turns"`
	}
	decode(r.Payload, &e)
	l.Note(r.at, "the person took back turns: "+strconv.FormatInt(e.Turns, 10))
}

func review(l *session.Log, r *record, _ *entry)   { l.Note(r.at, "a review begins") }
func reviewed(l *session.Log, r *record, _ *entry) { l.Note(r.at, "the review is over") }

// approvalRequest records that the session waits for a permission.
func approvalRequest(l *session.Log, r *record, e *entry) {
	what := cmp.Or(session.FirstLine(cmp.Or(argument(e.Command), e.Reason, e.Message)), "going on")
	l.SetState(session.Waiting, "permission: "+what)
	l.Note(r.at, "asks for a permission: "+what)
}
