package gemini

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strings"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/fields"
	"github.com/signalbox-dev/signalbox/core/session"
)

// tool describes a tool: its kind, and the most informative argument.
type tool struct{ kind, arg string }

// tools lists the program's own tools. MCP servers' tools are unknown.
var tools = map[string]tool{
	"run_shell_command":   {"execute", "command"},
	"read_file":           {"read", "file_path"},
	"read_many_files":     {"read", ""},
	"list_directory":      {"read", "dir_path"},
	"read_mcp_resource":   {"read", "uri"},
	"list_mcp_resources":  {"read", ""},
	"get_internal_docs":   {"read", "path"},
	"replace":             {"edit", "file_path"},
	"write_file":          {"edit", "file_path"},
	"glob":                {"search", "pattern"},
	"grep_search":         {"search", "pattern"},
	"search_file_content": {"search", "pattern"},
	"google_web_search":   {"search", "query"},
	"web_fetch":           {"fetch", "prompt"},
	"write_todos":         {"think", ""},
	"enter_plan_mode":     {"think", "reason"},
	"exit_plan_mode":      {"think", ""},
	"update_topic":        {"think", "title"},
	"complete_task":       {"think", ""},
	"save_memory":         {"think", "fact"},
	"activate_skill":      {"other", "name"},
	"invoke_agent":        {"other", "prompt"},
}

type toolCall struct {
	ID          string          `json:"id"`
	Name        string          `json:"name"`
	Args        json.RawMessage `json:"args"`
	Result      parts           `json:"result"`
	Status      string          `json:"status"`
	Display     json.RawMessage `json:"resultDisplay"`
	Description string          `json:"description"`
	DisplayName string          `json:"displayName"`
	AgentID     string          `json:"agentId"`
	Timestamp   string          `json:"timestamp"` // of the record: the call had ended by then

	// members are the members of Args. They are nil until arg is called.
	members map[string]json.RawMessage
}

// runningCall returns a running call.
func runningCall(name string, args []byte) atsf.ToolCall {
	c := toolCall{Name: name, Args: args}
	return c.call()
}

// toolCalls returns a message's tool calls. In a history, they are among the message's parts.
func toolCalls(r *record) []*toolCall {
	seen := make(map[string]bool, len(r.ToolCalls))
	calls := make([]*toolCall, 0, len(r.ToolCalls))
	add := func(c *toolCall) {
		if c != nil && c.ID+c.Name != "" && !seen[c.ID] {
			seen[c.ID] = c.ID != ""
			calls = append(calls, c)
		}
	}
	for _, c := range r.ToolCalls {
		add(c)
	}
	for i := range r.Content.list {
		add(r.Content.list[i].Call)
	}
	return calls
}

// cancelled is the status of a call that the person refused or interrupted.
const cancelled = "cancelled"

// state returns ATSF's state for a status. A call is recorded when it has ended; the other statuses
// are from versions that may record it earlier.
func state(status string) string {
	switch status {
	case "success":
		return atsf.Completed.String()
	case "error", cancelled:
		return atsf.Failed.String()
	case "scheduled", "validating", "awaiting_approval":
		return atsf.Pending.String()
	}
	return atsf.Running.String()
}

func (c *toolCall) refused() bool { return c.Status == cancelled }

// completesTask reports whether the call returned a subagent's result.
func (c *toolCall) completesTask() bool { return c.Name == "complete_task" && c.Status == "success" }

func (c *toolCall) call() atsf.ToolCall {
	t := atsf.ToolCall{
		ID: c.ID, Name: c.Name, Title: c.title(), Kind: cmp.Or(tools[c.Name].kind, "other"),
		Status: state(c.Status), Duration: -1, Input: c.input(), HasInput: len(c.Args) > 0,
	}
	t.Output, t.HasOutput = c.output()
	if t.Status == atsf.Completed.String() {
		t.Diff = c.diff()
	}
	if at := c.location(); at.Path != "" {
		t.Locations = []atsf.Location{at}
	}
	return t
}

// title returns the text that tells a person most about the call.
func (c *toolCall) title() string {
	if s := session.FirstLine(c.arg(tools[c.Name].arg)); s != "" {
		return s
	}
	// For a call that was not made, the description is about the tool in general.
	if s := session.FirstLine(c.Description); s != "" && !strings.HasPrefix(s, "{") && c.Status != "error" {
		return s
	}
	return cmp.Or(session.FirstLine(c.DisplayName), session.FirstLine(c.Name))
}

// arg returns an argument, or "" if it is not a text.
func (c *toolCall) arg(name string) string {
	if c.members == nil {
		c.members = make(map[string]json.RawMessage)
		fields.Read(c.Args, &c.members)
	}
	var text string
	fields.Read(c.members[name], &text)
	return text
}

// input returns the most informative argument if it is a command or the only argument, or else all
// arguments as JSON.
func (c *toolCall) input() string {
	t := tools[c.Name]
	if s := c.arg(t.arg); s != "" && (t.kind == "execute" || len(c.members) == 1) {
		return s
	}
	return compact(c.Args)
}

func compact(v json.RawMessage) string {
	var b bytes.Buffer
	if json.Compact(&b, v) != nil {
		return ""
	}
	return b.String()
}

func (c *toolCall) output() (text string, has bool) {
	var texts []string
	for i := range c.Result.list {
		p := &c.Result.list[i]
		s := p.Text
		if p.Response != nil {
			s, _ = p.Response.text()
		}
		if s != "" {
			texts = append(texts, s)
		}
	}
	return strings.Join(texts, "\n"), len(c.Result.list) > 0
}

// display is the change to a file that the program shows the person.
type display struct {
	Path string  `json:"filePath"`
	Name string  `json:"fileName"`
	Old  *string `json:"originalContent"`
	New  *string `json:"newContent"`
	Made bool    `json:"isNewFile"`
}

// diff returns the change to a file, or nil. For versions that recorded no whole texts, it contains
// only the replaced text.
func (c *toolCall) diff() *atsf.Diff {
	var d display
	fields.Read(c.Display, &d)
	if path := cmp.Or(d.Path, c.arg("file_path"), d.Name); d.New != nil && path != "" {
		return &atsf.Diff{Path: path, Old: textOrEmpty(d.Old), New: *d.New, Created: d.Made || d.Old == nil}
	}
	if path := c.arg("file_path"); c.Name == "replace" && path != "" {
		return &atsf.Diff{Path: path, Old: c.arg("old_string"), New: c.arg("new_string")}
	}
	return nil
}

func textOrEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// location returns the file or folder that a call is about.
func (c *toolCall) location() atsf.Location {
	var args struct {
		File     string `json:"file_path"`
		Dir      string `json:"dir_path"`
		Absolute string `json:"absolute_path"` // before 0.20
		Line     int64  `json:"start_line"`
	}
	fields.Read(c.Args, &args)
	return atsf.Location{Path: cmp.Or(args.File, args.Absolute, args.Dir), Line: max(args.Line, 0)}
}
