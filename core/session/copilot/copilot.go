// Package copilot reads the events that Copilot CLI records of its sessions. Start at [Format].
//
// One file contains a session and its subagents. A subagent's events have its id, and
// [session.Log.Agent] selects the agent to read. Events that belong together are joined by the ids
// of tool calls, assets and model calls.
package copilot

import (
	"cmp"
	"encoding/json"
	"strings"

	"github.com/signalbox-dev/signalbox/core/fields"
	"github.com/signalbox-dev/signalbox/core/session"
)

// Format returns the description of Copilot CLI's transcripts.
func Format() *session.Format {
	return &session.Format{
		Client: "copilot", Title: "Copilot CLI", Read: read, Outputs: []string{`"tool.execution_complete"`},
		Resume: func(id string) []string { return []string{"copilot", "--resume", id} },
		Place: session.Place{
			Homes: []string{".copilot", "$XDG_STATE_HOME/.copilot", "$XDG_CONFIG_HOME/.copilot"}, Env: "COPILOT_HOME",
			Below: []string{"session-state", "history-session-state"}, Depth: 1,
			Holds:      accepts,
			Odd:        namedLikeSession,
			Name:       func(path string) string { return session.File(session.Parts(path)[0]) },
			Beside:     func(path string) []string { return []string{session.File(session.Parts(path)[0]) + "/workspace.yaml"} },
			ReadBeside: func(f *session.Facts, _ string, data []byte) { workspace(f, string(data)) },
		},
	}
}

func accepts(path string, folder bool) bool {
	names := session.Parts(path)
	if folder {
		return len(names) == 1
	}
	// The first versions that wrote events had no separate folder for each session.
	return len(names) == 2 && names[1] == "events.jsonl" || len(names) == 1 && session.UUID(path) && strings.HasSuffix(path, session.Plain)
}

// namedLikeSession also accepts session_<id>_<time>.json, the form of versions without events.
func namedLikeSession(path string) bool {
	names := session.Parts(path)
	return len(names) == 1 && (strings.HasPrefix(path, "session_") || session.UUID(path)) && !strings.Contains(path, ".tmp") ||
		len(names) == 2 && strings.HasPrefix(names[1], "events.jsonl") && !strings.Contains(names[1], ".tmp")
}

type event struct {
	Type      string          `json:"type"`
	Data      json.RawMessage `json:"data"`
	ID        string          `json:"id"`
	Timestamp string          `json:"timestamp"`
	Agent     string          `json:"agentId"`
	at        int64
}

// into reads the members that have the expected kind into v.
func (e *event) into(v any) { fields.Read(e.Data, v) }

// memory is the state that later events need.
type memory struct {
	agents map[string]bool
	assets map[string]binary
	begun  map[string]int64    // when tool calls began, by their ids
	edits  map[string]fileEdit // the changes that the person was asked to allow, by the calls' ids
	asked  map[string]string   // the actions that need permission, by the requests' ids
	// hookReason is a hook's text to an agent that was about to stop.
	hookReason string
	lastUsage  usage
}

func memoryOf(l *session.Log) *memory {
	m, ok := l.Own.(*memory)
	if !ok {
		m = &memory{
			agents: make(map[string]bool), assets: make(map[string]binary), begun: make(map[string]int64),
			edits: make(map[string]fileEdit), asked: make(map[string]string),
		}
		l.Own = m
	}
	return m
}

type reading func(l *session.Log, e *event)

// events maps the known kinds of events to their readings. A kind with a nil reading is not part
// of the conversation.
var events = map[string]reading{
	"session.start": begin, "session.resume": resume, "session.context_changed": moved,
	"session.model_change": model, "session.title_changed": title, "session.binary_asset": asset,
	"session.shutdown": shutdown, "session.idle": idle, "session.usage_record": storeUsage, "assistant.usage": storeUsage,
	"session.error": failed, "session.info": notice, "session.warning": notice, "system.notification": notice,
	"session.compaction_complete": compacted,
	"session.truncation":          note("older messages were left out of what the model is shown"),
	"session.snapshot_rewind":     note("the session was taken back to an earlier state"),
	"session.context_cleared":     note("the context was cleared"),
	"session.handoff":             note("the session was handed over"),
	"user.message":                user, "assistant.message": agent, "assistant.reasoning": reasoning, "assistant.turn_start": turn,
	"tool.user_requested": userCommand, "tool.execution_start": start, "tool.execution_complete": end,
	"abort": abort, "hook.end": hook,
	"permission.requested": ask, "permission.completed": decide,
	"user_input.requested": question, "elicitation.requested": question, "exit_plan_mode.requested": plan,
	"user_input.completed": answered, "elicitation.completed": answered, "exit_plan_mode.completed": answered,
	"subagent.started": subagentStarted, "subagent.completed": subagentDone, "subagent.failed": subagentFailed,

	"assistant.turn_end": nil, "assistant.intent": nil, "assistant.idle": nil,
	"session.mode_changed": nil, "session.plan_changed": nil, "session.todos_changed": nil, "session.task_complete": nil,
	"session.usage_info": nil, "session.usage_checkpoint": nil, "session.compaction_start": nil,
	"session.workspace_file_changed": nil, "session.tools_updated": nil, "session.permissions_changed": nil,
	"session.skills_loaded": nil, "session.custom_agents_updated": nil, "session.mcp_servers_loaded": nil,
	"session.mcp_server_status_changed": nil, "session.extensions_loaded": nil, "session.background_tasks_changed": nil,
	"session.remote_steerable_changed": nil, "session.session_limits_changed": nil, "session.mode_notice_delivered": nil,
	"session.schedule_created": nil, "session.schedule_cancelled": nil, "session.schedule_rearmed": nil,
	"session.autopilot_objective_changed": nil, "session.custom_notification": nil, "session.ui_ephemeral_query": nil,
	"session.auto_mode_resolved": nil, "session.managed_settings_resolved": nil, "session.managed_settings_enforced": nil,
	"hook.start": nil, "hook.progress": nil, "system.message": nil, "pending_messages.modified": nil,
	"subagent.configured": nil, "subagent.selected": nil, "subagent.deselected": nil,
	"tool.execution_partial_result": nil, "tool.execution_progress": nil, "tool.search_activated": nil, "tool_search.activated": nil,
	"skill.invoked": nil, "skill.context_delivered": nil, "skill.context_delivered_ref": nil,
}

// ignoredPrefixes lists the prefixes of kinds that are ignored.
var ignoredPrefixes = []string{
	"model.", "model_call.", "mcp.", "mcp_app.", "sampling.", "external_tool.", "command.", "commands.", "capabilities.",
	"auto_mode_switch.", "session_limits_exhausted.", "factory.", "session.factory_", "session.canvas", "session.fusion_",
	"assistant.fusion_", "assistant.message_", "assistant.streaming_", "assistant.reasoning_", "assistant.tool_call_",
	"assistant.server_tool_", "session.extensions.",
}

func read(l *session.Log, line []byte) {
	var e event
	if !l.Record(line, &e) {
		return
	}
	e.at = session.Millis(e.Timestamp)
	e.Agent = cmp.Or(e.Agent, parentCall(&e))
	f, known := events[e.Type]
	switch {
	case e.Agent == l.Agent:
		l.RecordTime(e.at)
	case !shared[e.Type]:
		return
	}
	switch {
	case f != nil:
		f(l, &e)
	case !known && !hasPrefix(e.Type, ignoredPrefixes):
		l.Unknown(e.at, e.Type)
	}
}

// shared lists the kinds of events that are read for every agent in the file.
var shared = map[string]bool{
	"session.start": true, "session.resume": true, "session.context_changed": true, "session.binary_asset": true,
	"session.shutdown": true, "permission.requested": true, "permission.completed": true,
	"subagent.started": true, "subagent.completed": true, "subagent.failed": true,
}

func hasPrefix(s string, prefixes []string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}

// parentCall returns the id of the call that started the event's subagent. Older versions identify
// a subagent only by this id.
func parentCall(e *event) string {
	if e.Agent != "" {
		return ""
	}
	var d struct {
		Parent string `json:"parentToolCallId"`
		Call   string `json:"toolCallId"`
	}
	e.into(&d)
	if strings.HasPrefix(e.Type, "subagent.") {
		return d.Call
	}
	return d.Parent
}

func note(text string) reading {
	return func(l *session.Log, e *event) { l.Note(e.at, text) }
}

// workspace reads facts from the top-level lines of workspace.yaml.
func workspace(f *session.Facts, text string) {
	for line := range strings.Lines(text) {
		key, value, ok := strings.Cut(strings.TrimRight(line, "\r\n"), ": ")
		if !ok {
			continue
		}
		switch value = scalar(strings.TrimSpace(value)); key {
		case "id":
			f.ID = value
		case "cwd":
			f.Folder = value
		case "branch":
			f.Branch = value
		case "name":
			f.Title = session.FirstLine(value)
		}
	}
}

// scalar returns the text of a YAML value on one line, or "" for a value that continues on the next
// lines.
func scalar(s string) string {
	var text string
	switch {
	case s == "" || s == "null" || s == "~" || s[0] == '|' || s[0] == '>':
		return ""
	case len(s) > 1 && s[0] == '\'' && s[len(s)-1] == '\'':
		return strings.ReplaceAll(s[1:len(s)-1], "''", "'")
	case s[0] == '"' && json.Unmarshal([]byte(s), &text) == nil:
		return text
	}
	return s
}
