package codex

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/session"
)

var responses = map[string]reading{
	"message": message, "reasoning": reasoning, "agent_message": agentMessage,
	"function_call": call, "custom_tool_call": call, "local_shell_call": call, "tool_search_call": call,
	"web_search_call": webSearch, "image_generation_call": imageCall,
	"function_call_output": output, "custom_tool_call_output": output, "tool_search_output": output,
	"additional_tools": nil, "configuration_update": nil, "ghost_snapshot": nil, "other": nil,
	// The note of the compacted record covers all of these.
	"compaction": nil, "compaction_summary": nil, "context_compaction": nil, "compaction_trigger": nil,
}

// maxBlocks is the maximum number of blocks in one message. Responses have a handful, and looking
// up a call searches all blocks of its message.
const maxBlocks = 64

// openMessage returns the last message if the agent wrote it and it has room for more blocks, or
// nil.
func openMessage(l *session.Log) *session.Message {
	if n := len(l.Messages); n > 0 {
		if m := &l.Messages[n-1]; m.Role == atsf.RoleAgent && m.From == "" && m.To == "" && m.Gap == "" && len(m.Content) < maxBlocks {
			return m
		}
	}
	return nil
}

// agent returns the message of the current response, or adds one. A response consists of the
// model's texts and calls, until its cost in tokens is recorded or one of its calls has ended.
func agent(l *session.Log, at int64, id string) *session.Message {
	if m := openMessage(l); m != nil && m.Tokens == nil && !slices.ContainsFunc(m.Tools, ended) {
		l.Touch(m)
		return m
	}
	if l.Lookup(id) != nil {
		id = ""
	}
	m := l.FindOrAdd(id, atsf.RoleAgent, at)
	m.Model = l.Model
	return m
}

func ended(c atsf.ToolCall) bool {
	s := c.State()
	return s == atsf.Completed || s == atsf.Failed
}

func message(l *session.Log, r *record, e *entry) {
	switch e.Role {
	case "assistant":
		if !r.Metadata.CompactionOutput {
			assistantText(l, r, e)
		}
	case "user":
		userMessage(l, r, e)
	case "developer", "system": // texts for the model from the program and from hooks
	default:
		l.Unknown(r.at, "message of "+e.Role)
	}
}

func assistantText(l *session.Log, r *record, e *entry) {
	for _, p := range parts(e.Content) {
		text := planTags.Replace(p.Text)
		if text == "" {
			continue
		}
		agent(l, r.at, e.ID).Text(text)
		l.SetLast(text)
		l.SetState(session.Working, "")
	}
}

// planTags removes the tags around a plan.
var planTags = strings.NewReplacer("<proposed_plan>\n", "", "<proposed_plan>", "", "</proposed_plan>\n", "", "</proposed_plan>", "")

// planned adds a plan that the agent's last message does not contain.
func planned(l *session.Log, r *record, e *entry) {
	plan := strings.TrimSpace(e.Text)
	m := agent(l, r.at, e.ID)
	if !slices.ContainsFunc(m.Content, func(b atsf.Block) bool { return strings.Contains(b.Text, plan) }) {
		m.Text(plan)
	}
}

func reasoning(l *session.Log, r *record, e *entry) {
	thought := join(parts(e.Content))
	if thought == "" {
		thought = join(parts(e.Summary))
	}
	if thought != "" {
		agent(l, r.at, e.ID).Think(thought)
		l.SetState(session.Working, "")
	}
}

// join returns the texts of the parts, separated by empty lines.
func join(list []part) string {
	texts := make([]string, 0, len(list))
	for i := range list {
		if list[i].Text != "" {
			texts = append(texts, list[i].Text)
		}
	}
	return strings.Join(texts, "\n\n")
}

// wrappers lists the beginnings of texts by the program that it records as the person's, for
// versions that record no kind of text.
var wrappers = []string{
	"# AGENTS.md instructions", "<user_instructions>", "<environment_context>", "<turn_aborted>",
	"<permissions instructions>", "<skills_instructions>", "<skill>", "<collaboration_mode>", "<model_switch>",
	"<personality_spec>", "<apps_instructions>", "<plugins_instructions>", "<recommended_plugins>",
	"<multi_agent_mode>", "<multi_agent_role>", "<tools>", "<hook_context>",
}

// kindPrefixes lists the prefixes of such texts' kinds, in versions that record a kind.
var kindPrefixes = []string{
	"agents_md", "environments", "host_skills", "skills", "permissions", "hooks", "generic", "multi_agent", "model",
	"collaboration_mode", "tools", "apps", "plugins", "personality",
}

// userMessage reads a message in the person's role: a prompt, or a text from the program.
func userMessage(l *session.Log, r *record, e *entry) {
	list := parts(e.Content)
	prompts := list[:0]
	for i, p := range list {
		kind := ""
		if i < len(e.Kinds.Of) {
			kind = e.Kinds.Of[i]
		}
		if strings.HasPrefix(kind, "user.") || !readProgramText(l, r, kind, p.Text) {
			prompts = append(prompts, p)
		}
	}
	var m *session.Message
	for i := range prompts {
		p := &prompts[i]
		mime, data := p.image()
		text := withoutEditorContext(p.Text)
		if data == "" && (strings.TrimSpace(text) == "" || isImageTag(text)) {
			continue
		}
		if m == nil {
			m = l.FindOrAdd(e.ID, atsf.RoleUser, r.at)
		}
		if data != "" {
			m.Image(mime, data)
			continue
		}
		m.Text(text)
		l.Prompted(text)
	}
	if m != nil {
		l.SetState(session.Working, "")
	}
}

// isImageTag reports whether a text is only the opening or closing tag around an image.
func isImageTag(s string) bool {
	s = strings.TrimSpace(s)
	return s == "</image>" || strings.HasPrefix(s, "<image") && strings.IndexByte(s, '>') == len(s)-1
}

// withoutEditorContext returns a prompt without the context that an editor puts before it.
func withoutEditorContext(s string) string {
	if strings.HasPrefix(s, "# ") {
		if _, after, ok := strings.Cut(s, "\n## My request for Codex:\n"); ok {
			return after
		}
	}
	return s
}

// readProgramText reports whether a text was written by the program, and adds it to the log if the
// person should see it.
func readProgramText(l *session.Log, r *record, kind, text string) bool {
	text = strings.TrimSpace(text)
	switch {
	case strings.HasPrefix(text, "<hook_prompt"):
		_, reason, _ := strings.Cut(text, ">")
		l.Note(r.at, "a hook held the agent: "+session.FirstLine(strings.TrimSuffix(reason, "</hook_prompt>")))
		l.SetState(session.Working, "")
	case strings.HasPrefix(text, "<subagent_notification>"):
		subagentNotice(l, r, text)
	case strings.HasPrefix(text, "<user_shell_command>"):
		text = strings.TrimSuffix(strings.TrimPrefix(text, "<user_shell_command>"), "</user_shell_command>")
		l.FindOrAdd("", atsf.RoleUser, r.at).Text(strings.TrimSpace(text))
	case kind != "" && kind != "unknown":
		if prefix, _, _ := strings.Cut(kind, "."); !slices.Contains(kindPrefixes, prefix) {
			l.Unknown(r.at, kind)
		}
	default:
		if strings.HasPrefix(text, "<environment_context>") && l.Folder == "" {
			l.Folder = environment(text)
		}
		return slices.ContainsFunc(wrappers, func(w string) bool { return strings.HasPrefix(text, w) })
	}
	return true
}

// environment returns the session's folder from a text for the model, in a tag or, in the oldest
// form, on a line. The first versions recorded the folder only there.
func environment(text string) string {
	if folder := tagged(text, "<cwd>", "</cwd>"); folder != "" {
		return folder
	}
	return tagged(text, "Current working directory: ", "\n")
}

func tagged(text, open, shut string) string {
	_, text, _ = strings.Cut(text, open)
	text, _, ok := strings.Cut(text, shut)
	if !ok {
		return ""
	}
	return strings.TrimSpace(text)
}

// subagentNotice adds the program's message to the parent about how a subagent ended.
func subagentNotice(l *session.Log, r *record, text string) {
	text = strings.TrimSuffix(strings.TrimPrefix(text, "<subagent_notification>"), "</subagent_notification>")
	var n struct {
		Path   string                     `json:"agent_path"`
		Status map[string]json.RawMessage `json:"status"`
	}
	decode([]byte(text), &n)
	m := l.FindOrAdd("", atsf.RoleUser, r.at)
	m.From, m.To = n.Path, ownName(l)
	for _, raw := range n.Status {
		var result string
		if decode(raw, &result) {
			text = result
		}
	}
	m.Text(strings.TrimSpace(text))
}

// ownName returns the name by which other agents know the session's own agent.
func ownName(l *session.Log) string {
	if l.Name == "" && l.ID != "" && l.Parent == "" {
		return "/root"
	}
	return l.Name
}

// agentMessage reads a message from another agent. For a subagent, the first one is its prompt.
func agentMessage(l *session.Log, r *record, e *entry) {
	var b strings.Builder
	for _, p := range parts(e.Content) {
		b.WriteString(cmp.Or(p.Text, readable(p.Encrypted)))
	}
	text := b.String()
	if _, payload, ok := strings.Cut(text, "\nPayload:\n"); ok && strings.HasPrefix(text, "Message Type: ") {
		text = payload
	}
	m := l.FindOrAdd(e.ID, atsf.RoleUser, r.at)
	m.From, m.To = e.Author, e.Recipient
	m.Text(text)
	if l.Parent != "" && e.Recipient == ownName(l) && l.Prompt == "" {
		l.Prompted(text)
	}
}

// readable returns a text, or a note in its place if the model's server seems to have encrypted it:
// encrypted text is long and contains no spaces.
func readable(s string) string {
	const least = 80
	if len(s) >= least && !strings.ContainsAny(s, " \n") {
		return "(encrypted for the model)"
	}
	return s
}
