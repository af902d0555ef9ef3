package codex

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strings"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/session"
)

// The kinds of tools, in ATSF's words.
const (
	kindRead    = "read"
	kindEdit    = "edit"
	kindDelete  = "delete"
	kindSearch  = "search"
	kindExecute = "execute"
	kindThink   = "think"
	kindFetch   = "fetch"
	kindOther   = "other"
)

// tool is one of the program's own tools: its kind, and the argument to show first.
type tool struct{ kind, first string }

var tools = map[string]tool{
	"exec_command": {kindExecute, "cmd"}, "shell": {kindExecute, "command"}, "shell_command": {kindExecute, "command"},
	"container.exec": {kindExecute, "command"}, "local_shell": {kindExecute, "command"},
	"exec": {kindExecute, ""}, "write_stdin": {kindExecute, "chars"},
	"apply_patch": {kindEdit, ""}, "update_plan": {kindThink, "explanation"},
	"view_image": {kindRead, "path"}, "read_file": {kindRead, "file_path"}, "list_dir": {kindRead, "dir_path"},
	"grep_files": {kindSearch, "pattern"}, "tool_search": {kindSearch, "query"}, "web_search": {kindSearch, "query"},
	"spawn_agent": {kindOther, "message"}, askPerson: {kindOther, "questions"}, imageTool: {kindOther, "prompt"},
}

const (
	askPerson = "request_user_input"
	patchTool = "apply_patch"
	imageTool = "image_generation"
)

// titleArguments lists the arguments that become the title of other tools' calls.
var titleArguments = []string{"command", "cmd", "path", "file_path", "query", "url", "pattern", "title", "description", "message", "prompt", "question"}

// mcpPrefix begins the names of MCP servers' tools, whose arguments are unknown.
const mcpPrefix = "mcp__"

// sends maps each tool that sends a message to another agent to the argument that contains the
// receiver. These tools have a namespace that team accepts.
var sends = map[string]string{"send_message": "target", "followup_task": "target", "send_input": "id"}

// team reports whether a namespace contains tools for messages between agents.
func team(namespace string) bool {
	return namespace == "collaboration" || strings.HasPrefix(namespace, "multi_agent")
}

// call reads a tool call by the model.
func call(l *session.Log, r *record, e *entry) {
	id := cmp.Or(e.CallID, e.ID)
	if receiver, ok := sends[e.Name]; ok && team(e.Namespace) {
		send(l, r, e, receiver)
		return
	}
	c := newToolCall(e)
	c.ID = id
	if was, _ := l.FindCall(id); was != nil {
		if !was.HasInput || was.Input == c.Input {
			was.Name, was.Kind, was.Title, was.Input, was.HasInput = c.Name, c.Kind, c.Title, c.Input, true
			return
		}
		l.ForgetCall(id)
	}
	l.Call(agent(l, r.at, cmp.Or(e.ID, id)), c)
	l.SetState(session.Working, "")
	if e.Name == askPerson {
		args, text := []byte(e.Arguments), ""
		if decode(e.Arguments, &text) {
			args = []byte(text)
		}
		l.SetState(session.Waiting, session.Wants(e.Name, args))
	}
	noteEscalation(l, r, e)
}

// newToolCall returns the tool call in a record.
func newToolCall(e *entry) atsf.ToolCall {
	name := map[string]string{"local_shell_call": "local_shell", "tool_search_call": "tool_search"}[e.Type]
	name = cmp.Or(e.Name, name, "unknown")
	c := atsf.ToolCall{Name: name, Kind: kindOther, Duration: -1}
	if strings.HasPrefix(e.Namespace, mcpPrefix) {
		c.Name = e.Namespace + "__" + name
	}
	args := e.Arguments
	var text string
	if decode(args, &text) {
		args = json.RawMessage(text)
	}
	if len(e.Action.Command) > 0 {
		args = append(append([]byte(`{"command":`), e.Action.Command...), '}')
	}
	if e.Type == "custom_tool_call" {
		c.Input, c.HasInput = e.Input, true
		c.Kind = cmp.Or(tools[name].kind, kindOther)
		c.Title = session.FirstLine(e.Input)
	} else {
		arguments(&c, name, args)
	}
	if name == patchTool {
		describePatch(&c)
	}
	c.Title = cmp.Or(c.Title, c.Name)
	return c
}

// arguments sets a call's input, kind, title and locations from its arguments, a JSON object. Any
// other text becomes the input unchanged.
func arguments(c *atsf.ToolCall, name string, args json.RawMessage) {
	var all map[string]json.RawMessage
	c.HasInput = true
	if !decode(args, &all) {
		c.Input = string(args)
		return
	}
	t, own := tools[name]
	c.Kind = cmp.Or(t.kind, kindOther)
	first := argument(all[t.first])
	var compact bytes.Buffer
	switch {
	case own && first != "" && name != "write_stdin" && (t.kind == kindExecute || len(all) == 1):
		c.Input = first
	case name == patchTool && len(all) == 1:
		c.Input = argument(all["input"])
	case json.Compact(&compact, args) == nil:
		c.Input = compact.String()
	}
	for i := 0; !own && first == "" && !strings.HasPrefix(c.Name, mcpPrefix) && i < len(titleArguments); i++ {
		first = argument(all[titleArguments[i]])
	}
	c.Title = session.FirstLine(first)
	if c.Kind == kindRead && first != "" {
		c.Locations = []atsf.Location{{Path: first}}
	}
}

// argument returns an argument as text: a text, the words of a command, or the first question in a
// list of questions to the person.
func argument(raw json.RawMessage) string {
	var text string
	var words []string
	var questions []struct {
		Question string `json:"question"`
	}
	switch {
	case decode(raw, &text):
	case decode(raw, &words):
		return command(words)
	case decode(raw, &questions) && len(questions) > 0:
		return questions[0].Question
	}
	return text
}

// command returns the command that a shell runs.
func command(words []string) string {
	if len(words) == 3 && strings.HasPrefix(words[1], "-") && strings.HasSuffix(words[1], "c") {
		return words[2]
	}
	return strings.Join(words, " ")
}

// noteEscalation adds a note if a call asks for more permissions than the session has.
func noteEscalation(l *session.Log, r *record, e *entry) {
	var text string
	var args struct {
		Permissions string `json:"sandbox_permissions"`
		Escalated   bool   `json:"with_escalated_permissions"`
		Why         string `json:"justification"`
	}
	if decode(e.Arguments, &text) && strings.Contains(text, "escalated") && decode([]byte(text), &args) &&
		(args.Escalated || args.Permissions == "require_escalated") {
		l.Note(r.at, strings.TrimSuffix("asks to run outside of the sandbox: "+session.FirstLine(args.Why), ": "))
	}
}

// send adds a message to another agent, which the model sends as a tool call.
func send(l *session.Log, r *record, e *entry, receiver string) {
	var text string
	var args map[string]json.RawMessage
	decode(e.Arguments, &text)
	decode([]byte(text), &args)
	m := l.FindOrAdd(cmp.Or(e.CallID, e.ID), atsf.RoleAgent, r.at)
	m.From, m.To = ownName(l), argument(args[receiver])
	m.Text(readable(argument(args["message"])))
	l.SetState(session.Working, "")
}

// webSearch reads a search by the model's server.
func webSearch(l *session.Log, r *record, e *entry) {
	c := atsf.ToolCall{ID: cmp.Or(e.ID, e.CallID), Name: "web_search", Duration: -1, Status: atsf.Completed.String()}
	if e.Status == "in_progress" {
		c.Status = ""
	}
	setSearch(&c, e)
	if was, _ := l.FindCall(c.ID); was != nil && c.ID != "" {
		setSearch(was, e)
		return
	}
	l.Call(agent(l, r.at, c.ID), c)
}

func setSearch(c *atsf.ToolCall, e *entry) {
	c.Kind = kindSearch
	if e.Action.URL != "" {
		c.Kind = kindFetch
	}
	c.Title = cmp.Or(session.FirstLine(cmp.Or(e.Query, e.Action.Query, e.Action.Pattern, e.Action.URL)), c.Title, c.Name)
	c.Input, c.HasInput = cmp.Or(e.Query, e.Action.Query, e.Action.URL, e.Action.Pattern, c.Input), true
}

// imageCall reads an image that the model's server generated.
func imageCall(l *session.Log, r *record, e *entry) {
	var prompt struct {
		Text string `json:"revised_prompt"`
	}
	var data string
	decode(r.Payload, &prompt)
	decode(e.Result, &data)
	m := agent(l, r.at, e.ID)
	l.Call(m, atsf.ToolCall{
		ID: e.ID, Name: imageTool, Kind: kindOther, Title: cmp.Or(session.FirstLine(prompt.Text), imageTool),
		Input: prompt.Text, HasInput: true, Status: atsf.Completed.String(), Duration: -1,
	})
	if mime, data := checkedBase64("image/png", data); data != "" {
		m.Image(mime, data)
	}
}
