//go:build agents

package realagents

import (
	"regexp"
	"strings"

	"github.com/signalbox-dev/signalbox/lsp/agents/ask"
)

const (
	no  = "use a temp dir"
	own = "the one of the parent project"
	// licence is what a session waits for that asks the question of the same name.
	licence = "an answer: Which licence? (MIT / Apache-2.0)"
	esc     = "\x1b"
)

// options are what programs offer beside a question.
var options = []any{map[string]any{"label": "MIT", "description": "short"}, map[string]any{"label": "Apache-2.0", "description": "long"}}

// licences is a question in the words of several programs, with some members of one.
func licences(more map[string]any) map[string]any {
	q := map[string]any{"header": "Licence", "question": "Which licence?", "options": options}
	for name, value := range more {
		q[name] = value
	}
	return map[string]any{"questions": []any{q}}
}

func claudeForm(several bool) map[string]any { return licences(map[string]any{"multiSelect": several}) }

var codexForm = licences(map[string]any{"id": "lic"})

func codexPatch(name string) map[string]any {
	return map[string]any{"cmd": "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: " + name + "\n+hi\n*** End Patch\nEOF\n"}
}

func chosen(list ...string) ask.Answer { return ask.Answer{Allow: true, Answers: [][]string{list}} }

var (
	yes    = ask.Answer{Allow: true}
	denied = ask.Answer{Reason: no}
	always = ask.Answer{Allow: true, Rules: []int{0}}
	// edits takes both rules that Claude Code suggests: its folder, and all edits there.
	edits = ask.Answer{Allow: true, Rules: []int{0, 1}}
)

func kill(_ *fixture, p *terminal) { _ = p.cmd.Process.Kill() }

// commandStep is the step in which a client asks whether it may run a command.
func commandStep(client, name string, s step) step {
	a := askingOf(client)
	s.name, s.tool, s.input, s.asked = name, a.tool, a.input("touch "+name), "touch "+name
	s.waits = "permission: touch " + name
	return s
}

func claudeStep(name string, s step) step {
	s.dialog = "Esc to cancel"
	return commandStep("claude", name, s)
}

func claudeAsks(name string, several bool, s step) step {
	s.name, s.tool, s.input, s.asked, s.dialog, s.waits = name, "AskUserQuestion", claudeForm(several), "Which licence?", "Enter to select", licence
	return s
}

func claudePlans(name string, s step) step {
	s.name, s.tool, s.input, s.asked, s.waits = name, "ExitPlanMode", map[string]any{}, "Mend it", "approval of its plan: Mend it"
	return s
}

// unasked is the same command once more, which is allowed by now.
func unasked(s step) step {
	return step{name: s.name, tool: s.tool, input: s.input, ran: true}
}

func codexStep(name string, s step) step {
	s.dialog = "Yes, proceed"
	return commandStep("codex", name, s)
}

func codexPatches(name string, s step) step {
	s.name, s.tool, s.input, s.asked, s.dialog = name, "exec_command", codexPatch(name), "*** Add File: "+name, "make the following edits"
	return s
}

func codexAsks(name string, s step) step {
	s.name, s.tool, s.input, s.asked, s.dialog, s.waits = name, "request_user_input", codexForm, "Which licence?", "enter to submit answer", licence
	return s
}

// copilotForm is a question as Copilot CLI has its model ask.
var copilotForm = map[string]any{"message": "Which licence?", "requestedSchema": map[string]any{
	"type": "object", "required": []string{"licence"}, "properties": map[string]any{"licence": map[string]any{"type": "string", "title": "Licence", "enum": []string{"MIT", "Apache-2.0"}}},
}}

func opencodeStep(name string, s step) step {
	s.dialog = "Permission required"
	return commandStep("opencode", name, s)
}

func opencodeQuestion(name string, several bool, s step) step {
	s.name, s.tool, s.input, s.asked, s.dialog, s.waits = name, "question", licences(map[string]any{"multiple": several}), "Which licence?", "esc dismiss", licence
	return s
}

func opencodeAsks(d *fixture) { d.merge("coder/opencode.json", `{"permission":{"bash":"ask"}}`) }

// codexQuestions has Codex ask outside of its plan mode.
func codexQuestions(d *fixture) {
	d.write("home/.codex/config.toml", strings.Replace(d.files()[d.home+"/.codex/config.toml"], "plugins = false", "plugins = false\ndefault_mode_request_user_input = true", 1))
}

// codexPlans has Codex go to its plan mode.
func codexPlans(d *fixture, p *terminal) {
	await(d.t, "its prompt", func() bool { return p.shows("OpenAI Codex") })
	p.press(d.t, "/plan")
	p.pressUntil(d.t, "\r", "its plan mode", func() bool { return p.shows("Plan mode (") })
}

// hookTimeout is how long Claude Code lets the hook wait.
var hookTimeout = regexp.MustCompile(`("PermissionRequest"[\s\S]*?"timeout":\s*)\d+`)

// claudeSoon has it end the hook soon.
func claudeSoon(d *fixture) {
	const name = "/.claude/settings.json"
	d.write("home"+name, hookTimeout.ReplaceAllString(d.files()[d.home+name], "${1}5"))
}

var planMode = []string{"--permission-mode", "plan", prompt}

var conversations = []conversation{
	{client: "claude", steps: []step{
		claudeStep("allow", step{answer: yes, ran: true}),
		claudeStep("deny", step{answer: denied, sees: no}),
		claudeStep("here", step{keys: "\r", ran: true}),
		claudeAsks("option", false, step{answer: chosen("Apache-2.0"), sees: "Apache-2.0"}),
		claudeAsks("several", true, step{answer: chosen("MIT", "Apache-2.0"), sees: "MIT, Apache-2.0"}),
		claudeAsks("text", false, step{answer: chosen(own), sees: own}),
		claudeAsks("form", false, step{keys: "\r", sees: "MIT"}),
		claudeStep("rule", step{answer: edits, ran: true}),
		unasked(claudeStep("rule", step{})),
		claudeAsks("esc", false, step{keys: esc}),
	}},
	{name: "claude-plan", client: "claude", args: planMode, steps: []step{
		{name: "write", tool: "Write", inputOf: planned("# Mend it\n1. Do it\n2. Test it\n")},
		claudePlans("denied", step{answer: denied, sees: no}),
		claudePlans("approved", step{answer: yes}),
		claudeStep("killed", step{ends: kill}),
	}},
	{name: "claude-edits", client: "claude", args: planMode, steps: []step{
		{name: "write", tool: "Write", inputOf: planned("# Mend it\n1. Do it\n2. Test it\n")},
		claudePlans("edits", step{answer: ask.Answer{Allow: true, Mode: "acceptEdits"}}),
		unasked(claudeStep("made", step{})),
	}},
	{name: "claude-late", client: "claude", config: claudeSoon, steps: []step{
		claudeStep("late", step{lapses: true, keys: "\r", ran: true}),
	}},
	{client: "codex", config: codexQuestions, steps: []step{
		codexStep("allow", step{answer: yes, ran: true}),
		codexStep("deny", step{answer: denied, sees: no}),
		codexStep("here", step{keys: "y", ran: true}),
		codexPatches("patch", step{answer: yes, ran: true}),
		codexPatches("patched", step{answer: denied, sees: no}),
		codexAsks("option", step{answer: chosen("Apache-2.0"), sees: "Apache-2.0"}),
		codexAsks("text", step{answer: chosen(own), sees: own}),
		codexAsks("form", step{keys: "\r", sees: "MIT"}),
		codexStep("rule", step{answer: always, ran: true}),
		unasked(codexStep("rule", step{})),
		codexStep("killed", step{ends: func(d *fixture, _ *terminal) { d.endAll() }}),
	}},
	{name: "codex-plan", client: "codex", args: []string{"-a", "on-request", "-s", "read-only"}, begin: codexPlans, steps: []step{
		codexAsks("option", step{answer: chosen("Apache-2.0"), sees: "Apache-2.0"}),
		codexAsks("closed", step{ends: func(_ *fixture, p *terminal) { p.close() }}),
	}},
	{client: "copilot", steps: []step{
		commandStep("copilot", "allow", step{setting: "90", answer: yes, ran: true}),
		commandStep("copilot", "deny", step{answer: denied, sees: no}),
		{name: "form", tool: "ask_user", input: copilotForm, waits: licence, keys: "\r", sees: "MIT"},
		commandStep("copilot", "late", step{setting: "3", lapses: true, dialog: "Do you want to run", keys: "\r", ran: true}),
		commandStep("copilot", "esc", step{setting: "90", keys: esc + " " + esc}),
	}},
	{name: "copilot-killed", client: "copilot", steps: []step{
		commandStep("copilot", "killed", step{setting: "90", ends: kill}),
	}},
	{client: "gemini", steps: []step{
		commandStep("gemini", "deny", step{setting: "90", answer: denied, sees: no}),
		{name: "form", tool: "ask_user", input: licences(map[string]any{"type": "choice", "multiSelect": false}), waits: licence, keys: "\r", sees: "MIT"},
		commandStep("gemini", "late", step{setting: "3", lapses: true, dialog: "Allow once", keys: "\r", ran: true}),
		commandStep("gemini", "killed", step{setting: "90", ends: kill}),
	}},
	{client: "opencode", config: opencodeAsks, steps: []step{
		opencodeStep("allow", step{answer: yes, ran: true}),
		opencodeStep("deny", step{answer: denied, sees: no}),
		opencodeStep("here", step{keys: "\r", ran: true}),
		opencodeQuestion("option", false, step{answer: chosen("Apache-2.0"), sees: "Apache-2.0"}),
		opencodeQuestion("several", true, step{answer: chosen("MIT", "Apache-2.0"), sees: "Apache-2.0"}),
		opencodeQuestion("text", false, step{answer: chosen(own), sees: own}),
		opencodeQuestion("form", false, step{keys: "\r", sees: "MIT"}),
		opencodeStep("rule", step{answer: always, ran: true}),
		unasked(opencodeStep("rule", step{})),
		opencodeQuestion("killed", false, step{ends: kill}),
	}},
}
