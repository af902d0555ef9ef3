// Package claude reads the transcripts of Claude Code, as written by version 2.1 and some earlier
// versions: one file for each session and for each of its subagents. Start at [Format]; [Meta]
// reads the file beside a subagent's transcript.
//
// A record contains one block of the model's output. Texts that the program adds for the model,
// such as reminders, are in separate records or in tags.
package claude

import (
	"cmp"
	"strings"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/fields"
	"github.com/signalbox-dev/signalbox/core/session"
)

const (
	extension = ".jsonl"
	agentFile = "agent-"
	// toolResults is the folder of a session's long outputs.
	toolResults   = "tool-results"
	metaExtension = ".meta.json"
	// depth is how many levels of folders we search for subagents' transcripts. Most are in
	// <project>/<session>/subagents, and a workflow's are two folders deeper.
	depth = 8
)

// Format returns the description of Claude Code's transcripts.
func Format() *session.Format {
	return &session.Format{
		Client: "claude", Title: "Claude Code", Read: read, DuplicateID: duplicateID, Trace: trace, Outputs: []string{`"tool_result"`},
		Resume: func(id string) []string { return []string{"claude", "--resume", id} },
		Place: session.Place{
			Homes: []string{".claude", ".config/claude", "$XDG_CONFIG_HOME/claude"}, Env: "CLAUDE_CONFIG_DIR",
			Below: []string{"projects"}, Depth: depth,
			Holds:      accepts,
			Odd:        namedLikeSession,
			Name:       func(path string) string { return strings.TrimPrefix(session.File(path), agentFile) },
			Beside:     metaFiles,
			ReadBeside: func(f *session.Facts, _ string, data []byte) { Meta(data, f) },
		},
	}
}

// accepts reports whether a path is <project>/<session>.jsonl, or a subagent's file at any depth
// below a session's folder: each way to start subagents has its own folders. The journal of a
// workflow's run is neither.
func accepts(path string, folder bool) bool {
	names := session.Parts(path)
	n := len(names)
	if folder {
		return n <= depth && (n < 3 || names[2] != toolResults)
	}
	return strings.HasSuffix(path, extension) && (n == 2 || n > 2 && hasSessionName(names[n-1]))
}

// hasSessionName reports whether a file is named after a session or a subagent.
func hasSessionName(file string) bool {
	return strings.HasPrefix(file, agentFile) || session.UUID(file)
}

func namedLikeSession(path string) bool {
	names := session.Parts(path)
	file := names[len(names)-1]
	return len(names) >= 2 && hasSessionName(file) && !strings.HasSuffix(file, metaExtension) && !strings.Contains(file, ".tmp")
}

func metaFiles(path string) []string {
	if !strings.HasPrefix(session.File(path), agentFile) {
		return nil
	}
	return []string{strings.TrimSuffix(path, extension) + metaExtension}
}

// Meta adds the facts in the file beside a subagent's transcript.
func Meta(data []byte, f *session.Facts) {
	var m struct {
		Name, AgentType, Description, Model string
		Finished                            bool
	}
	decode(data, &m)
	f.Name = cmp.Or(m.Name, m.AgentType, f.Name)
	f.Title = cmp.Or(session.FirstLine(m.Description), f.Title)
	f.Model = cmp.Or(f.Model, m.Model)
	if m.Finished {
		f.State, f.For = session.Ended, ""
	}
}

// decode reads the members that have the expected kind.
func decode(data []byte, v any) { fields.Read(data, v) }

// record is one line.
type record struct {
	Type, Subtype, UUID, Timestamp      string
	SessionID, AgentID                  string
	CWD, GitBranch, Version             string
	IsMeta, IsSidechain                 bool
	IsCompactSummary, IsAPIErrorMessage bool
	RequestRef                          string
	Message                             message
	Attachment                          attachment
	ToolUseResult                       result
	SourceToolAssistantUUID             string
	PermissionDecision                  struct{ Decision, Source string }
	Summary, CustomTitle, AITitle       string
	AgentName                           string
	RelocatedCWD, ContinuedInSessionID  string
	Content                             leaves // of system records
	HookErrors                          []string
	CompactMetadata                     struct{ Trigger string }
	RetryAttempt, MaxRetries            int64
	OriginalModel, FallbackModel        string

	at int64
}

// kind adds the content of one kind of record to a log.
type kind func(l *session.Log, r *record)

// kinds maps each kind of record that is shown to its function. The program repeats the last title
// at the end of a file.
var kinds = map[string]kind{
	"user":         user,
	"assistant":    assistant,
	"system":       system,
	"attachment":   attached,
	"summary":      func(l *session.Log, r *record) { l.SetTitle(0, r.Summary) },
	"ai-title":     func(l *session.Log, r *record) { l.SetTitle(1, r.AITitle) },
	"custom-title": func(l *session.Log, r *record) { l.SetTitle(2, r.CustomTitle) },
	"agent-name":   func(l *session.Log, r *record) { l.Alias = cmp.Or(session.FirstLine(r.AgentName), l.Alias) },
	"relocated":    func(l *session.Log, r *record) { l.Folder = cmp.Or(r.RelocatedCWD, l.Folder) },
	"continued-in": func(l *session.Log, r *record) {
		l.Note(r.at, "the conversation goes on in the session "+session.FirstLine(r.ContinuedInSessionID))
		l.SetState(session.Ended, "")
	},
	"ended-by-model": func(l *session.Log, _ *record) { l.SetState(session.Ended, "") },
	// The program writes its cost when it exits.
	"cost-state": func(l *session.Log, _ *record) { l.SetState(session.Ended, "") },
}

// ignoredKinds lists the kinds of records that are not part of the conversation: requests to the
// model, the program's saved state, and the contents of its screen.
const ignoredKinds words = `agent-color agent-setting api-request api-request-blob
	api-request-resumed api-request-shape artifact-autoreact-ledger artifact-comment-monitor
	atis-latch attribution-snapshot bridge-session content-replacement data-flow-incomplete
	data-flow-records derived-from dev-mods file-history-delta file-history-snapshot
	fork-context-ref frame-link history-suppression host-row hybrid-organization
	isolation-latch last-prompt memory-mode mode observer-ref permission-mode pr-link
	progress queue-operation repl-mode resume-head-vouch session-owner tag tools-used
	worktree-state`

// words is a list of names separated by spaces. Unlike a map, it takes no time when a process
// starts.
type words string

func (w words) has(name string) bool {
	for one := range strings.FieldsSeq(string(w)) {
		if one == name {
			return true
		}
	}
	return false
}

func read(l *session.Log, line []byte) {
	var r record
	if !l.Record(line, &r) {
		return
	}
	r.at = session.Millis(r.Timestamp)
	l.RecordTime(r.at)
	if isRepeat(l, r.UUID) {
		return
	}
	facts(l, &r)
	switch apply := kinds[r.Type]; {
	case apply == nil:
		if !ignoredKinds.has(r.Type) {
			l.Unknown(r.at, r.Type)
		}
	case r.IsSidechain && r.AgentID == "":
		// Version 1 and early releases of version 2 wrote subagents into the session's own file.
		l.Note(r.at, "a subagent worked, whose messages are not shown")
	default:
		apply(l, &r)
	}
}

// facts reads the facts about the session that any record may contain.
func facts(l *session.Log, r *record) {
	if r.UUID != "" && l.State == session.Ended && l.Parent == "" {
		resumed(l, r)
	}
	switch {
	case r.AgentID != "":
		l.ID, l.Parent = r.AgentID, r.SessionID
		l.Name = cmp.Or(l.Name, teammate(r.AgentID))
	case r.SessionID != "":
		l.ID = r.SessionID
	}
	l.Folder = cmp.Or(r.CWD, l.Folder)
	l.Version = cmp.Or(r.Version, l.Version)
	switch r.GitBranch {
	case "":
	case "HEAD": // no branch is checked out
		l.Branch = ""
	default:
		l.Branch = r.GitBranch
	}
}

// teammate returns the name in an agent's id, as in aNAME-0123456789abcdef.
func teammate(id string) string {
	name, ok := strings.CutPrefix(id, "a")
	if i := strings.LastIndexByte(name, '-'); ok && i > 0 {
		return name[:i]
	}
	return ""
}

const resumedNote = "the session was resumed"

func resumed(l *session.Log, r *record) {
	text := resumedNote
	if r.CWD != "" && l.Folder != "" && r.CWD != l.Folder {
		text += " in " + session.FirstLine(r.CWD)
	}
	l.Note(r.at, text)
	l.SetState(session.Idle, "")
}

// message is a message from or to the model.
type message struct {
	ID, Model  string
	StopReason string `json:"stop_reason"`
	Content    content
	Usage      struct {
		Input   int64 `json:"input_tokens"`
		Created int64 `json:"cache_creation_input_tokens"`
		Cached  int64 `json:"cache_read_input_tokens"`
		Output  int64 `json:"output_tokens"`
	}
}

// synthetic is recorded as the model of messages that the program wrote in the model's place.
const synthetic = "<synthetic>"

func assistant(l *session.Log, r *record) {
	switch {
	case r.IsAPIErrorMessage:
		l.Note(r.at, "the API answered with an error: "+session.FirstLine(r.Message.Content.text()))
		l.SetState(session.Idle, "")
		return
	case r.Message.Model == synthetic:
		return
	}
	l.Model = cmp.Or(r.Message.Model, l.Model)
	for i := range r.Message.Content {
		addBlock(l, r, &r.Message.Content[i])
	}
}

// addBlock adds one block of the model's output, and sets the session's state after it.
func addBlock(l *session.Log, r *record, b *block) {
	l.SetState(session.Working, "")
	switch b.Type {
	case "text":
		agent(l, r).Text(b.Text)
		l.SetLast(b.Text)
		// The first versions recorded no stop reason.
		if s := r.Message.StopReason; s != "tool_use" && s != "pause_turn" {
			l.SetState(session.Idle, "")
		}
	case "thinking":
		if b.Thinking != "" {
			agent(l, r).Think(b.Thinking)
		}
	case "redacted_thinking":
	case "tool_use", "server_tool_use", "mcp_tool_use":
		toolUse(l, r, b)
	case "tool_result", "web_search_tool_result", "web_fetch_tool_result", "mcp_tool_result":
		end(l, r, b)
	default:
		l.Unknown(r.at, b.Type)
	}
}

// agent returns the message that the record is part of: the model's whole answer to one request.
func agent(l *session.Log, r *record) *session.Message {
	m := l.FindOrAdd(cmp.Or(r.RequestRef, r.Message.ID, r.UUID), atsf.RoleAgent, r.at)
	m.Model = cmp.Or(r.Message.Model, m.Model)
	m.StopReason = cmp.Or(r.Message.StopReason, m.StopReason)
	if u := r.Message.Usage; u.Input+u.Output > 0 {
		m.Tokens = &atsf.Tokens{Input: u.Input + u.Created + u.Cached, Output: u.Output}
	}
	return m
}
