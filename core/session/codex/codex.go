// Package codex reads the rollouts of Codex, one file for each session, as written by versions up
// to 0.169. Start at [Format].
//
// The conversation is in the response_item records, which every version writes. Most of it is
// repeated in event_msg records. From the event_msg records we read the ends of tool calls, which
// are more detailed than the outputs for the model.
package codex

import (
	"cmp"
	"encoding/json"
	"strings"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/fields"
	"github.com/signalbox-dev/signalbox/core/session"
)

// depth counts the folders above a rollout: year, month and day. Archived rollouts and rollouts of
// the first versions are not in such folders.
const (
	depth   = 3
	rollout = "rollout-"
)

// Format returns the description of Codex's transcripts.
func Format() *session.Format {
	return &session.Format{
		Client: "codex", Title: "Codex", Read: read, CallInput: callInput,
		Outputs: []string{`"function_call_output"`, `"custom_tool_call_output"`, `"exec_command_end"`, `"CommandExecution"`},
		Resume:  func(id string) []string { return []string{"codex", "resume", id} },
		Place: session.Place{
			Homes: []string{".codex"}, Env: "CODEX_HOME", Below: []string{"sessions", "archived_sessions"}, Depth: depth,
			Holds: accepts, Odd: hasRolloutName, Name: name,
		},
	}
}

// name returns the session's id, which ends the file's name.
func name(path string) string {
	file := session.File(path)
	return file[max(0, len(file)-len("00000000-0000-0000-0000-000000000000")):]
}

func accepts(path string, folder bool) bool {
	names := session.Parts(path)
	if folder {
		return len(names) <= depth && strings.Trim(names[len(names)-1], "0123456789") == ""
	}
	return hasRolloutName(path) && (strings.HasSuffix(path, session.Plain) || strings.HasSuffix(path, session.Packed))
}

func hasRolloutName(path string) bool {
	names := session.Parts(path)
	return len(names) <= depth+1 && strings.HasPrefix(names[len(names)-1], rollout) && !strings.Contains(path, ".tmp")
}

// record is one line. The first versions wrote the payload's members in its place.
type record struct {
	Timestamp string          `json:"timestamp"`
	Type      string          `json:"type"`
	Payload   json.RawMessage `json:"payload"`
	Metadata  struct {
		// CompactionOutput marks the model's summary for itself after a compaction.
		CompactionOutput bool `json:"compaction_output"`
	} `json:"metadata"`
	at int64
}

// decode reads the members that have the expected kind.
func decode(data []byte, v any) bool { return fields.Read(data, v) }

// reading adds the content of one kind of record, event or item to the log. A kind with a nil
// reading is known but adds nothing.
type reading func(l *session.Log, r *record, e *entry)

var records = map[string]reading{
	"session_meta": meta, "turn_context": settings, "response_item": response, "event_msg": event,
	"compacted": compacted, "token_usage_record": usage,
	"world_state": nil, "inter_agent_communication_metadata": nil,
}

func read(l *session.Log, line []byte) {
	var r record
	if !l.Record(line, &r) {
		return
	}
	r.at = session.Millis(r.Timestamp)
	l.RecordTime(r.at)
	if len(r.Payload) == 0 {
		readOld(l, &r, line)
		return
	}
	var e entry
	if records[r.Type] != nil {
		decode(r.Payload, &e)
	}
	apply(l, &r, records, r.Type, &e)
}

// readOld reads a line of the first versions: an item of the conversation without an envelope, or
// the facts about the session.
func readOld(l *session.Log, r *record, line []byte) {
	var bare struct {
		entry
		RecordType   string  `json:"record_type"`
		Instructions *string `json:"instructions"`
	}
	decode(line, &bare)
	r.Payload = line
	switch {
	case r.Type == "" && bare.RecordType == "state":
	case r.Type == "" && bare.ID != "" && r.Timestamp != "":
		meta(l, r, &bare.entry)
	default:
		apply(l, r, responses, r.Type, &bare.entry)
	}
}

func apply(l *session.Log, r *record, table map[string]reading, kind string, e *entry) {
	f, known := table[kind]
	switch {
	case !known:
		l.Unknown(r.at, kind)
	case f != nil:
		f(l, r, e)
	}
}

func response(l *session.Log, r *record, e *entry) { apply(l, r, responses, e.Type, e) }
func event(l *session.Log, r *record, e *entry)    { apply(l, r, events, e.Type, e) }

func itemCompleted(l *session.Log, r *record, e *entry) {
	var item entry
	decode(e.Item, &item)
	apply(l, r, items, item.Type, &item)
}

// meta reads the facts in the first session_meta record. A session that was forked from another
// also contains a copy of the other's record, which is ignored.
func meta(l *session.Log, r *record, e *entry) {
	var m struct {
		Version  string `json:"cli_version"`
		Parent   string `json:"parent_thread_id"`
		Forked   string `json:"forked_from_id"`
		Path     string `json:"agent_path"`
		Nickname string `json:"agent_nickname"`
		Git      struct {
			Branch string `json:"branch"`
		} `json:"git"`
		Source json.RawMessage `json:"source"`
	}
	decode(r.Payload, &m)
	if l.ID != "" && l.ID != e.ID {
		return
	}
	l.ID = e.ID
	l.Version = cmp.Or(m.Version, l.Version)
	setFolder(l, r.at, e.Folder)
	l.Branch = m.Git.Branch
	var source struct {
		Sub json.RawMessage `json:"subagent"`
	}
	var sub struct {
		Spawn struct {
			Parent   string `json:"parent_thread_id"`
			Path     string `json:"agent_path"`
			Nickname string `json:"agent_nickname"`
		} `json:"thread_spawn"`
		Other string `json:"other"`
	}
	var kind string
	decode(m.Source, &source)
	decode(source.Sub, &sub)
	decode(source.Sub, &kind)
	l.Parent = cmp.Or(m.Parent, sub.Spawn.Parent)
	l.Name = cmp.Or(m.Path, sub.Spawn.Path, m.Nickname, sub.Spawn.Nickname, sub.Other, kind)
	if m.Forked != "" && l.Parent == "" {
		l.Note(r.at, "goes on from the session "+m.Forked)
	}
}

// setFolder sets the folder where the session works. Codex records the branch only for the first
// folder, so it is unknown in another one.
func setFolder(l *session.Log, at int64, folder string) {
	if folder == "" || folder == l.Folder {
		return
	}
	if l.Folder != "" {
		l.Branch = ""
		l.Note(at, "goes on in "+folder)
	}
	l.Folder = folder
}

func settings(l *session.Log, r *record, e *entry) {
	setFolder(l, r.at, e.Folder)
	l.Model = cmp.Or(e.Model, l.Model)
}

func compacted(l *session.Log, r *record, _ *entry) {
	l.Note(r.at, "the conversation so far was compacted")
}

// usage records the cost of the last response.
func usage(l *session.Log, _ *record, e *entry) {
	u := e.Usage
	if e.Type == "token_count" {
		u = e.Info.Last
	}
	if n := len(l.Messages); u != nil && n > 0 {
		if m := &l.Messages[n-1]; m.Role == atsf.RoleAgent && m.Tokens == nil {
			m.Tokens = &atsf.Tokens{Input: u.Input, Output: u.Output}
		}
	}
}
