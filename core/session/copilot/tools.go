package copilot

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strings"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/fields"
	"github.com/signalbox-dev/signalbox/core/session"
)

// tool describes a tool: its kind, the most informative argument, and whether it waits for the
// person.
type tool struct {
	kind, arg  string
	asksPerson bool
}

// tools lists the program's own tools. MCP servers' tools are unknown.
var tools = map[string]tool{
	"bash": {kind: "execute", arg: "command"}, "powershell": {kind: "execute", arg: "command"}, "shell": {kind: "execute", arg: "command"},
	"read_bash": {kind: "read"}, "read_powershell": {kind: "read"}, "list_bash": {kind: "read"}, "list_powershell": {kind: "read"},
	"write_bash": {kind: "execute", arg: "input"}, "write_powershell": {kind: "execute", arg: "input"},
	"stop_bash": {kind: "other"}, "stop_powershell": {kind: "other"},
	"view": {kind: "read", arg: "path"}, "edit": {kind: "edit", arg: "path"}, "create": {kind: "edit", arg: "path"},
	"str_replace_editor": {kind: "edit", arg: "path"}, "apply_patch": {kind: "edit"},
	"grep": {kind: "search", arg: "pattern"}, "rg": {kind: "search", arg: "pattern"}, "glob": {kind: "search", arg: "pattern"},
	"web_search": {kind: "search", arg: "query"}, "web_fetch": {kind: "fetch", arg: "url"},
	"task": {kind: "other", arg: "description"}, "skill": {kind: "other", arg: "skill"},
	"ask_user": {kind: "other", arg: "question", asksPerson: true}, "exit_plan_mode": {kind: "think", arg: "summary", asksPerson: true},
	"report_intent": {kind: "think", arg: "intent"}, "update_todo": {kind: "think"}, "task_complete": {kind: "think", arg: "summary"},
	"store_memory": {kind: "think", arg: "fact"}, "sql": {kind: "other", arg: "description"},
}

// request is a tool call in the record of the model's request or of the call's start.
type request struct {
	ID      string          `json:"toolCallId"`
	Name    string          `json:"name"`
	Tool    string          `json:"toolName"`
	Args    json.RawMessage `json:"arguments"`
	Intent  string          `json:"intentionSummary"`
	Title   string          `json:"toolTitle"`
	Server  string          `json:"mcpServerName"`
	members map[string]json.RawMessage
}

func (r *request) name() string { return cmp.Or(r.Name, r.Tool) }

func (r *request) call() atsf.ToolCall {
	c := atsf.ToolCall{
		ID: r.ID, Name: r.name(), Title: r.title(), Kind: cmp.Or(tools[r.name()].kind, "other"), Status: atsf.Pending.String(), Duration: -1,
		Input: r.input(), HasInput: len(r.Args) > 0,
	}
	if path := r.arg("path"); path != "" {
		c.Locations = []atsf.Location{{Path: path, Line: r.line()}}
	}
	return c
}

// title returns the text that tells a person most about the call.
func (r *request) title() string {
	for _, s := range []string{r.arg(tools[r.name()].arg), r.Intent, r.Title, r.name()} {
		if s = session.FirstLine(s); s != "" {
			return s
		}
	}
	return ""
}

// input returns the most informative argument if it is a command or the only argument, or else all
// arguments as JSON.
func (r *request) input() string {
	t := tools[r.name()]
	if s := r.arg(t.arg); s != "" && (t.kind == "execute" || len(r.members) == 1) {
		return s
	}
	return compact(r.Args)
}

// arg returns an argument, or "" if it is not a text.
func (r *request) arg(name string) string {
	if r.members == nil {
		r.members = make(map[string]json.RawMessage)
		fields.Read(r.Args, &r.members)
	}
	var text string
	fields.Read(r.members[name], &text)
	return text
}

// line returns the number of the first line that is viewed, or 0.
func (r *request) line() int64 {
	var lines []int64
	if !fields.Read(r.members["view_range"], &lines) || len(lines) == 0 {
		return 0
	}
	return max(lines[0], 0)
}

func compact(v json.RawMessage) string {
	var text string
	if fields.Read(v, &text) {
		return text // some tools take a text
	}
	var b bytes.Buffer
	if json.Compact(&b, v) != nil {
		return ""
	}
	return b.String()
}

// ending is how a tool call ended.
type ending struct {
	ID      string `json:"toolCallId"`
	Success bool   `json:"success"`
	Result  struct {
		Content string   `json:"content"`
		Detail  string   `json:"detailedContent"`
		Images  []binary `json:"binaryResultsForLlm"`
	} `json:"result"`
	Error struct {
		Message string `json:"message"`
	} `json:"error"`
	Edits []struct {
		Path string `json:"path"`
		Kind string `json:"kind"`
	} `json:"fileEdits"`
}

// output returns a tool's output, without hooks' additions for the model and without the line that
// ends the output of a successful command.
func (d *ending) output(tool string) string {
	s := cmp.Or(d.Result.Content, d.Result.Detail, d.Error.Message)
	if i := strings.LastIndex(s, "\n\nTool \""+tool+"\" "); i >= 0 && strings.Contains(s[i:], " Additional guidance from ") {
		s = s[:i]
	}
	if i := strings.LastIndex(s, "<shellId: "); i >= 0 && strings.HasSuffix(s, " completed with exit code 0>") {
		s = s[:i]
	}
	return s
}

// locate adds the files that the call changed.
func (d *ending) locate(c *atsf.ToolCall) {
	for _, e := range d.Edits {
		if e.Path != "" && (len(c.Locations) == 0 || c.Locations[0].Path != e.Path) {
			c.Locations = append(c.Locations, atsf.Location{Path: e.Path})
		}
	}
}

// diffs returns the changes that a call made: to the first file, and to the other files that the
// program lists.
func (d *ending) diffs(at []atsf.Location) (list []*atsf.Diff) {
	for i, part := range files(d.Result.Detail) {
		path, created := "", false
		for k, e := range d.Edits {
			if i == 0 && k == 0 || i > 0 && strings.HasSuffix(part.name, " b/"+strings.TrimPrefix(e.Path, "/")) {
				path, created = e.Path, e.Kind == "create"
				break
			}
		}
		if i == 0 && path == "" && len(at) > 0 {
			path = at[0].Path
		}
		if path != "" && part.old != part.now {
			list = append(list, &atsf.Diff{Path: path, Old: part.old, New: part.now, Created: created || part.created})
		}
	}
	return list
}

// part is a unified diff of one file: its first line, which may contain the file's name, and the
// old and new lines in its hunks. The heads of all hunks but the first are in both texts.
type part struct {
	name, old, now string
	created        bool
}

// files returns the parts of a unified diff, at most [session.MaxFiles].
func files(diff string) (list []part) {
	for diff != "" && len(list) < session.MaxFiles {
		end := len(diff)
		if i := strings.Index(diff[1:], "\ndiff --git "); i >= 0 {
			end = i + 2
		}
		name, _, _ := strings.Cut(strings.TrimLeft(diff[:end], "\n"), "\n")
		p := part{name: name}
		p.old, p.now, p.created = sides(diff[:end])
		list, diff = append(list, p), diff[end:]
	}
	return list
}

// sides returns the old and the new lines in the hunks of one file, and whether the file is new.
func sides(diff string) (old, now string, created bool) {
	var was, is strings.Builder
	hunks := 0
	for line := range strings.Lines(diff) {
		switch {
		case strings.HasPrefix(line, "@@ "):
			// The head of each later hunk separates it from the one before, in both texts.
			if hunks++; hunks > 1 {
				was.WriteString(line)
				is.WriteString(line)
			}
		case hunks == 0:
			created = created || strings.TrimSpace(line) == "--- a/dev/null" || strings.TrimSpace(line) == "--- /dev/null"
		case line[0] == '-':
			was.WriteString(line[1:])
		case line[0] == '+':
			is.WriteString(line[1:])
		case line[0] == ' ':
			was.WriteString(line[1:])
			is.WriteString(line[1:])
		}
	}
	return was.String(), is.String(), created
}

// fileEdit is a change that the person was asked to allow, with the file's whole texts.
type fileEdit struct {
	Before *fileText `json:"before"`
	After  *fileText `json:"after"`
}

type fileText struct {
	Path    string `json:"path"`
	Content string `json:"content"`
}

// diff returns the change, or nil if it deletes a file or has no content.
func (f fileEdit) diff() *atsf.Diff {
	if f.After == nil || f.After.Path == "" {
		return nil
	}
	d := &atsf.Diff{Path: f.After.Path, New: f.After.Content, Created: f.Before == nil}
	if f.Before != nil {
		d.Old = f.Before.Content
	}
	return d
}
