package claude

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/core/fields"
	"github.com/signalbox-dev/signalbox/core/session"
)

// kindOf maps the program's own tools to their kinds. All other tools are of the kind other.
var kindOf = map[string]string{
	"Read": "read", "NotebookRead": "read", "ReadMcpResourceTool": "read",
	"Edit": "edit", "MultiEdit": "edit", "Write": "edit", "NotebookEdit": "edit",
	"Glob": "search", "Grep": "search", "LS": "search", "ToolSearch": "search", "LSP": "search",
	"Bash": "execute", "PowerShell": "execute", "BashOutput": "execute", "KillShell": "execute", "KillBash": "execute",
	"WebFetch": "fetch", "WebSearch": "fetch", "web_search": "fetch", "web_fetch": "fetch",
	"Agent": "think", "Task": "think", "TodoWrite": "think", "TodoRead": "think",
	"TaskCreate": "think", "TaskUpdate": "think", "TaskList": "think", "TaskGet": "think",
	"EnterPlanMode": "think", "ExitPlanMode": "think", "AskUserQuestion": other, "Skill": other,
}

const other = "other"

// asksPerson lists the tools that return an answer from the person.
var asksPerson = []string{"AskUserQuestion", "ExitPlanMode"}

const sendMessage = "SendMessage"

// input is the arguments of a tool: the members that are shown, and all members as JSON.
type input struct {
	Command, Pattern, Query, URL, Subject, Description, Skill, Prompt string

	FilePath     string `json:"file_path"`
	NotebookPath string `json:"notebook_path"`
	Path         string
	Offset       int64

	Old       string `json:"old_string"`
	New       string `json:"new_string"`
	NewSource string `json:"new_source"`
	Content   string
	Edits     []struct {
		Old string `json:"old_string"`
		New string `json:"new_string"`
	}
	Questions []struct{ Question string }

	To, Recipient string
	Message       json.RawMessage

	raw []byte // a part of the line
}

func (in *input) ReadFields(c *canon.Cursor) error {
	type plain input
	v, err := c.Value()
	in.raw = v.Raw
	if err == nil {
		err = fields.From(canon.NewCursor(v.Raw), (*plain)(in))
	}
	return err
}

// text returns the readable form of the input. The first that exists is used: the command, the only
// member if it is a text and the tool is the program's own, all members as compact JSON.
func (in *input) text(tool string) string {
	if in.Command != "" {
		return in.Command
	}
	var members map[string]json.RawMessage
	if kindOf[tool] != "" {
		decode(in.raw, &members)
	}
	for _, v := range members {
		if len(members) == 1 && v[0] == '"' {
			var text string
			decode(v, &text)
			return text
		}
	}
	var out bytes.Buffer
	if json.Compact(&out, in.raw) != nil {
		return ""
	}
	return out.String()
}

func (in *input) title() string {
	question := ""
	if len(in.Questions) > 0 {
		question = in.Questions[0].Question
	}
	return session.FirstLine(cmp.Or(in.Command, in.FilePath, in.NotebookPath, in.Pattern, in.Query, in.URL,
		question, in.Subject, in.Description, in.Skill, in.Path, in.Prompt))
}

// diff returns the change to a file that a tool will make, as far as its input shows it, or nil.
func (in *input) diff(tool string) *atsf.Diff {
	d := &atsf.Diff{Path: cmp.Or(in.FilePath, in.NotebookPath), Old: in.Old, New: in.New}
	switch tool {
	case "Edit":
		d.Created = in.Old == ""
	case "MultiEdit":
		var before, after []string
		for _, e := range in.Edits {
			before, after = append(before, e.Old), append(after, e.New)
		}
		d.Old, d.New = strings.Join(before, "\n"), strings.Join(after, "\n")
	case "Write":
		d.New, d.Created = in.Content, true
	case "NotebookEdit":
		d.New = in.NewSource
	default:
		return nil
	}
	return d
}

// toolUse adds a tool call or, for the tool that sends messages, a message to another agent.
func toolUse(l *session.Log, r *record, b *block) {
	if b.Name == sendMessage {
		send(l, r, b)
		return
	}
	c := atsf.ToolCall{
		ID: b.ID, Name: b.Name, Title: cmp.Or(b.Input.title(), b.Name), Kind: cmp.Or(kindOf[b.Name], other),
		Input: b.Input.text(b.Name), HasInput: true, Duration: -1, Diff: b.Input.diff(b.Name),
	}
	if path := cmp.Or(b.Input.FilePath, b.Input.NotebookPath); path != "" {
		c.Locations = []atsf.Location{{Path: path, Line: max(b.Input.Offset, 0)}}
	}
	m := agent(l, r)
	if earlier, holder := l.FindCall(b.ID); earlier != nil && holder.ID != m.ID {
		// A call of another message has this id: it ends, so that the new call can have the id.
		l.End(b.ID, finalState(earlier))
		l.ForgetCall(b.ID)
	}
	l.Call(m, c)
	if slices.Contains(asksPerson, b.Name) {
		l.SetState(session.Waiting, session.Wants(b.Name, b.Input.raw))
	}
}

// finalState returns the state of a call that has no further records.
func finalState(c *atsf.ToolCall) atsf.State {
	if s := c.State(); s == atsf.Completed {
		return s
	}
	return atsf.Failed
}

// abandon ends the calls that the program left without a result when it was stopped.
func abandon(l *session.Log) {
	for i := len(l.Messages) - 1; i >= 0 && l.Open(); i-- {
		for k := range l.Messages[i].Tools {
			l.End(l.Messages[i].Tools[k].ID, finalState(&l.Messages[i].Tools[k]))
		}
	}
}

// result is the program's own record of a tool's result, besides the output for the model. For
// failures and MCP servers' tools, the program writes a text or a list instead, which is ignored.
type result struct {
	Type, Stdout, AgentID, Message string
	Interrupted                    bool
	Success                        *bool
	MsgID                          string `json:"msg_id"`
	Content                        leaves

	FilePath, NotebookPath      string
	OldString, NewString        string
	OldSource                   string `json:"old_source"`
	OriginalFile                string
	StructuredPatch             []hunk
	TotalDurationMs, DurationMs float64
	DurationSeconds             float64
	Routing                     struct{ Sender, Target, Content string }
}

type hunk struct {
	NewStart int64
	Lines    []string
}

func (t *result) ReadFields(c *canon.Cursor) error {
	type plain result
	if c.Kind() == canon.Mapping {
		return fields.From(c, (*plain)(t))
	}
	_, err := c.Value()
	return err
}

// end sets how a tool call ended.
func end(l *session.Log, r *record, b *block) {
	l.SetState(session.Working, "")
	t := &r.ToolUseResult
	if endSend(l, r, b) {
		return
	}
	state := atsf.Completed
	if b.IsError || t.Interrupted {
		state = atsf.Failed
	}
	c, m := l.End(b.ToolUseID, state)
	if c == nil {
		return
	}
	c.Output, c.HasOutput = output(b, t), true
	if ms := cmp.Or(t.TotalDurationMs, t.DurationMs, t.DurationSeconds*1000); ms > 0 {
		c.Duration = int64(min(ms, maxDuration))
	}
	if state == atsf.Failed {
		c.Diff = nil
	} else if c.Diff != nil {
		changed(c, t)
	}
	for i := range b.Content {
		show(m, &b.Content[i])
	}
	if t.AgentID != "" {
		m.Start(c.ID, t.AgentID)
	}
	refused(l, r, b, c.Name)
}

// maxDuration is the longest duration of a tool that is shown, a year in milliseconds.
const maxDuration = 365 * 24 * 3600 * 1000

// output returns a tool's output. The program's own record contains outputs that it moved to a
// file, and a subagent's answer without additions for the model.
func output(b *block, t *result) string {
	s := b.Content.text()
	switch report := t.Content.text(); {
	case t.AgentID != "" && report != "":
		return report
	case strings.HasPrefix(s, "<persisted-output>") && t.Stdout != "":
		return t.Stdout
	}
	if inner, ok := strings.CutPrefix(s, "<tool_use_error>"); ok {
		return strings.TrimSuffix(inner, "</tool_use_error>")
	}
	return s
}

// changed completes a call's diff from the program's record of the change.
func changed(c *atsf.ToolCall, t *result) {
	d := c.Diff
	if t.OldString+t.NewString != "" {
		d.Old, d.New = t.OldString, t.NewString
	}
	d.Old = cmp.Or(d.Old, t.OldSource)
	if c.Name == "Write" && (t.OriginalFile != "" || len(t.StructuredPatch) > 0) {
		d.Created = false
		if d.Old = t.OriginalFile; d.Old == "" {
			d.Old, d.New = sides(t.StructuredPatch)
		}
	}
	if t.Type == "update" {
		d.Created = false
	}
	if len(c.Locations) > 0 && len(t.StructuredPatch) > 0 {
		c.Locations[0].Line = max(t.StructuredPatch[0].NewStart, 0)
	}
}

// sides returns the old and the new lines in the hunks of a patch.
func sides(patch []hunk) (before, after string) {
	var a, b strings.Builder
	for _, h := range patch {
		for _, line := range h.Lines {
			if line == "" || line[0] == '\\' { // no newline at the end of the file
				continue
			}
			if line[0] != '+' {
				a.WriteString(line[1:] + "\n")
			}
			if line[0] != '-' {
				b.WriteString(line[1:] + "\n")
			}
		}
	}
	return a.String(), b.String()
}

// refused adds a note if a tool was not run because it was not permitted. Only newer versions
// record who decided; older versions mention it only to the model.
func refused(l *session.Log, r *record, b *block, tool string) {
	output := b.Content.text()
	byPerson := strings.HasPrefix(output, "The user doesn't want to")
	if !b.IsError || r.PermissionDecision.Decision != "reject" && !byPerson && !strings.Contains(output, "requested permissions to") {
		return
	}
	text := "the permission to use " + tool + " was missing"
	switch {
	case r.PermissionDecision.Source == "hook":
		text = "a hook refused the use of " + tool
	case byPerson || strings.HasPrefix(r.PermissionDecision.Source, "user"):
		text = "the person refused the use of " + tool
	}
	l.Note(r.at, text)
}
