package codex

import (
	"cmp"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/session"
)

// items maps the items in item_completed records to their readings.
var items = map[string]reading{
	"CommandExecution": commandEnd, "FileChange": changeEnd, "McpToolCall": mcpEnd, "DynamicToolCall": dynamicEnd,
	"WebSearch": searchEnd, "CollabAgentToolCall": spawned, "SubAgentActivity": activity, "Plan": planned,
	"ImageView": viewed, "EnteredReviewMode": review, "ExitedReviewMode": reviewed,
	// These are repeated in response_item and compacted records.
	"UserMessage": nil, "HookPrompt": nil, "AgentMessage": nil, "Reasoning": nil, "ContextCompaction": nil,
	"ImageGeneration": nil, "Sleep": nil,
}

// callOfEnd returns the call that an end belongs to, and its message. It adds c if the log has no
// such call, since a call by a script of the model is recorded only at its end. It returns nil if
// the call is probably before the lines read.
func callOfEnd(l *session.Log, r *record, e *entry, c atsf.ToolCall) (*atsf.ToolCall, *session.Message) {
	c.ID = cmp.Or(e.CallID, e.ID)
	if was, m := l.FindCall(c.ID); was != nil {
		return was, m
	}
	if c.ID == "" || !l.Whole() && !strings.HasPrefix(c.ID, "exec-") {
		return nil, nil
	}
	c.Duration = -1
	c.Title = cmp.Or(c.Title, c.Name)
	c.HasInput = c.Input != ""
	m := openMessage(l)
	if m == nil || !l.Open() {
		m = agent(l, r.at, c.ID)
	}
	l.Call(m, c)
	return l.FindCall(c.ID)
}

// end sets how a call ended, from a record of its end, which is more reliable than its output.
func end(l *session.Log, r *record, e *entry, c *atsf.ToolCall, failed bool) {
	if e.Status == "inProgress" || e.Status == "in_progress" {
		return
	}
	state := atsf.Completed
	if failed || e.Status == "failed" || e.Status == "declined" || e.Success != nil && !*e.Success {
		state = atsf.Failed
	}
	l.End(c.ID, state)
	if d := e.Duration.millis(); d >= 0 {
		c.Duration = d
	}
	if e.Status == "declined" {
		l.Note(r.at, "a permission was refused: "+c.Title)
	}
}

func commandEnd(l *session.Log, r *record, e *entry) {
	line := argument(e.Command)
	c, _ := callOfEnd(l, r, e, atsf.ToolCall{Name: "exec_command", Kind: kindExecute, Title: session.FirstLine(line), Input: line})
	if c == nil {
		return
	}
	text := e.Stdout + e.Stderr
	if e.All != nil {
		text = *e.All
	}
	if text != "" || !c.HasOutput {
		c.Output, c.HasOutput = text, true
	}
	end(l, r, e, c, e.Exit != nil && *e.Exit != 0)
}

func changeEnd(l *session.Log, r *record, e *entry) {
	c, _ := callOfEnd(l, r, e, atsf.ToolCall{Name: patchTool, Kind: kindEdit})
	if c == nil {
		return
	}
	c.Output, c.HasOutput = e.Stdout+e.Stderr, true
	end(l, r, e, c, false)
	diffs := appliedDiffs(c, e.Changes)
	if len(diffs) == 0 {
		diffs = patchDiffs(c.Input)
	}
	changed(l, c, diffs)
}

// changed sets the files that a call has changed or will change. For a call that has not ended,
// it sets only the first file.
func changed(l *session.Log, c *atsf.ToolCall, diffs []*atsf.Diff) {
	switch {
	case c.State() == atsf.Failed:
		diffs = nil
	case !ended(*c):
		diffs = diffs[:min(len(diffs), 1)]
	}
	l.Changed(c.ID, diffs)
}

func mcpEnd(l *session.Log, r *record, e *entry) {
	made := atsf.ToolCall{Name: mcpPrefix + cmp.Or(e.Server, e.Invoked.Server) + "__" + cmp.Or(e.Tool, e.Invoked.Tool)}
	args := e.Arguments
	if len(args) == 0 {
		args = e.Invoked.Arguments
	}
	arguments(&made, "", args)
	c, m := callOfEnd(l, r, e, made)
	if c == nil {
		return
	}
	var result struct {
		Ok      json.RawMessage `json:"Ok"`
		Err     string          `json:"Err"`
		Content json.RawMessage `json:"content"`
		Failed  bool            `json:"isError"`
		FailedX bool            `json:"is_error"`
	}
	var failure struct {
		Message string `json:"message"`
	}
	decode(e.Result, &result)
	decode(result.Ok, &result)
	decode(e.Error, &failure)
	setOutput(c, m, parts(result.Content))
	reason := cmp.Or(failure.Message, result.Err)
	if reason != "" {
		c.Output = reason
	}
	end(l, r, e, c, reason != "" || result.Failed || result.FailedX)
}

func dynamicEnd(l *session.Log, r *record, e *entry) {
	made := atsf.ToolCall{Name: e.Tool}
	arguments(&made, e.Tool, e.Arguments)
	c, m := callOfEnd(l, r, e, made)
	if c == nil {
		return
	}
	setOutput(c, m, parts(e.Items))
	end(l, r, e, c, false)
}

func searchEnd(l *session.Log, r *record, e *entry) {
	if c, _ := callOfEnd(l, r, e, atsf.ToolCall{Name: "web_search"}); c != nil {
		setSearch(c, e)
		end(l, r, e, c, false)
	}
}

func viewed(l *session.Log, r *record, e *entry) {
	path := strings.TrimPrefix(e.Path, "file://")
	c, _ := callOfEnd(l, r, e, atsf.ToolCall{Name: "view_image", Kind: kindRead, Title: path, Input: path, Locations: []atsf.Location{{Path: path}}})
	if c != nil {
		end(l, r, e, c, false)
	}
}

// spawned records which sessions a call started, in the versions in which each agent has a thread.
func spawned(l *session.Log, r *record, e *entry) {
	c, m := l.FindCall(cmp.Or(e.CallID, e.ID))
	if c == nil {
		return
	}
	for _, id := range append(e.Receivers, e.Started) {
		if c.Name == "spawn_agent" && id != "" {
			m.Start(c.ID, id)
		}
	}
	if e.Type == "CollabAgentToolCall" {
		end(l, r, e, c, false)
	}
}

// activity records which session a call started, or which agent received a message.
func activity(l *session.Log, _ *record, e *entry) {
	id := cmp.Or(e.Event, e.CallID, e.ID)
	if c, m := l.FindCall(id); c != nil && e.Kind == "started" && e.Thread != "" {
		m.Start(id, e.Thread)
	}
	if m := l.Lookup(id); m != nil && m.To != "" && e.AgentPath != "" {
		m.To = e.AgentPath
	}
}

// setOutput sets a tool's output, unless another record has set it.
func setOutput(c *atsf.ToolCall, m *session.Message, list []part) {
	if c.HasOutput {
		return
	}
	texts := make([]string, 0, len(list))
	for i := range list {
		if mime, data := list[i].image(); data != "" {
			m.Image(mime, data)
		} else if list[i].Text != "" {
			texts = append(texts, list[i].Text)
		}
	}
	c.Output, c.HasOutput = strings.Join(texts, "\n"), true
}

// output reads a call's output for the model. The output begins with a head about how the call
// ended.
func output(l *session.Log, r *record, e *entry) {
	id := cmp.Or(e.CallID, e.ID)
	list := parts(e.Output)
	if e.Type == "tool_search_output" {
		list = []part{{Text: strings.Join(toolNames(e.Tools), "\n")}}
	}
	var h head
	if len(list) > 0 {
		h, list[0].Text = splitHead(list[0].Text)
	}
	c, m := l.FindCall(id)
	if c == nil {
		if m := l.Lookup(id); m != nil && m.To != "" && h.failed {
			l.Note(r.at, "the message to "+m.To+" was not delivered: "+session.FirstLine(join(list)))
		}
		return
	}
	if !c.HasOutput && c.Name == "spawn_agent" {
		startSubagent(c, m, join(list))
	}
	setOutput(c, m, list)
	if c.Duration < 0 {
		c.Duration = h.duration
	}
	if !ended(*c) {
		endByOutput(l, c, h.failed || outputFailed(e.Output))
	}
	if l.State == session.Waiting {
		l.SetState(session.Working, "")
	}
}

// endByOutput ends a call whose end is recorded only by its output.
func endByOutput(l *session.Log, c *atsf.ToolCall, failed bool) {
	state := atsf.Completed
	if failed {
		state = atsf.Failed
	}
	l.End(c.ID, state)
	if c.Diff != nil {
		changed(l, c, patchDiffs(c.Input))
	}
}

// outputFailed reports whether an output object shows that the call failed.
func outputFailed(raw json.RawMessage) bool {
	var o struct {
		Success *bool `json:"success"`
	}
	return decode(raw, &o) && o.Success != nil && !*o.Success
}

// startSubagent reads, from a call's output, which subagent the call started.
func startSubagent(c *atsf.ToolCall, m *session.Message, text string) {
	var o struct {
		ID string `json:"agent_id"`
	}
	if decode([]byte(text), &o) && o.ID != "" {
		m.Start(c.ID, o.ID)
	}
}

// toolNames returns the tools that a search found.
func toolNames(raw json.RawMessage) []string {
	var found []struct {
		Name  string `json:"name"`
		Tools []struct {
			Name string `json:"name"`
		} `json:"tools"`
	}
	decode(raw, &found)
	var list []string
	for _, f := range found {
		for _, t := range f.Tools {
			list = append(list, f.Name+"/"+t.Name)
		}
		if len(f.Tools) == 0 {
			list = append(list, f.Name)
		}
	}
	return list
}

// head is what the text before an output contains.
type head struct {
	failed   bool
	duration int64
}

// failures lists the beginnings of outputs that are the program's own explanation of why a
// tool has no output.
var failures = []string{
	"unsupported call: ", "unsupported custom tool call: ", "failed to parse ", "exec_command failed", "write_stdin failed",
	"apply_patch verification failed", "patch rejected", "tool call error: ", "execution error: ", "failed in sandbox: ",
	"command timed out", "aborted", "rejected by user", "exec command rejected by user", "user rejected MCP tool call",
	"user cancelled MCP tool call", "unable to locate image", "unable to read image", "live agent path ", "agent with id ",
	"request_user_input is unavailable", "Script failed", "Script error", "err: ",
}

// maxHead is how many lines a head may have.
const maxHead = 8

// splitHead separates the head from the rest of an output. Before about version 0.5, both were in
// one JSON object.
func splitHead(text string) (head, string) {
	h := head{duration: -1}
	var old struct {
		Output   *string `json:"output"`
		Metadata struct {
			Exit    int64   `json:"exit_code"`
			Seconds float64 `json:"duration_seconds"`
		} `json:"metadata"`
	}
	if strings.HasPrefix(text, `{"output":`) && decode([]byte(text), &old) && old.Output != nil {
		h.failed, h.duration = old.Metadata.Exit != 0, millis(old.Metadata.Seconds)
		return h, *old.Output
	}
	rest, running := text, ""
	for range maxHead {
		line, after, _ := strings.Cut(rest, "\n")
		if line == "Output:" {
			return h, running + after
		}
		if !h.line(line) {
			break
		}
		if strings.Contains(line, " running with ") {
			running = line + "\n"
		}
		rest = after
	}
	if h.duration >= 0 && rest != text {
		text = rest
	}
	for _, f := range failures {
		h.failed = h.failed || strings.HasPrefix(text, f)
	}
	return h, text
}

// line reads a line, and reports whether it belongs to a head.
func (h *head) line(s string) bool {
	switch {
	case strings.HasPrefix(s, "Process exited with code "), strings.HasPrefix(s, "Exit code: "):
		h.failed = s[strings.LastIndexByte(s, ' ')+1:] != "0"
	case strings.HasPrefix(s, "Wall time"):
		number := strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(s, "Wall time"), ":"), "seconds")
		if n, err := strconv.ParseFloat(strings.TrimSpace(number), 64); err == nil {
			h.duration = millis(n)
		}
	case strings.HasPrefix(s, "Script failed"), strings.HasPrefix(s, "Script error"):
		h.failed = true
	case strings.HasPrefix(s, "Chunk ID: "), strings.HasPrefix(s, "Original token count: "), strings.HasPrefix(s, "Total output lines: "),
		strings.HasPrefix(s, "Script completed"), strings.HasPrefix(s, "Script running with "), strings.HasPrefix(s, "Process running with "):
	default:
		return false
	}
	return true
}

// millis converts seconds to milliseconds. It returns -1 for a number that cannot be a duration.
func millis(seconds float64) int64 {
	if !(seconds >= 0 && seconds <= maxSeconds) {
		return -1
	}
	return int64(seconds * 1000)
}
