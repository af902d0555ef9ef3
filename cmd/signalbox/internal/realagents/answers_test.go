//go:build agents

package realagents

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/lsp/agents/ask"
	"github.com/signalbox-dev/signalbox/lsp/agents/session"
)

// answered is something that a program asks in its terminal, and that is answered elsewhere.
type answered struct {
	name, client string
	// args start it otherwise than to ask for a tool.
	args []string
	// setting is what the person has said of answers.
	setting string
	// config is written below the desk before the program starts.
	config func(d *desk)
	tool   string
	input  map[string]any
	// asked is a part of the request, as it is shown.
	asked string
	// dialog is what the terminal shows until then, "" where the dialog is hidden.
	dialog string
	answer ask.Answer
	// sees is what the model is sent then, and made whether the command ran.
	sees string
	made bool
}

const (
	touch = "touch made"
	no    = "use a temp dir"
)

var (
	codexTouch    = map[string]any{"cmd": touch, "sandbox_permissions": "require_escalated", "justification": "to make a file"}
	codexPatch    = map[string]any{"cmd": "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: made\n+hi\n*** End Patch\nEOF\n"}
	codexQuestion = map[string]any{"questions": []any{map[string]any{
		"id": "lic", "header": "Licence", "question": "Which licence?",
		"options": []any{map[string]any{"label": "MIT", "description": "short"}, map[string]any{"label": "Apache-2.0", "description": "long"}},
	}}}
	madeBy = map[string]any{"command": touch, "description": "Make a file"}
)

func opencodeAsks(d *desk) {
	d.merge("coder/opencode.json", `{"permission":{"bash":"ask"}}`)
}

func codexQuestions(d *desk) {
	d.write("home/.codex/config.toml", strings.Replace(d.files()[d.home+"/.codex/config.toml"], "plugins = false", "plugins = false\ndefault_mode_request_user_input = true", 1))
}

func claudeQuestion(multiple bool) map[string]any {
	return map[string]any{"questions": []any{map[string]any{
		"header": "Licence", "question": "Which licence?", "multiSelect": multiple,
		"options": []any{map[string]any{"label": "MIT", "description": "short"}, map[string]any{"label": "Apache-2.0", "description": "long"}},
	}}}
}

var claudePlans = []string{"--permission-mode", "plan", prompt}

func opencodeQuestion(multiple bool) map[string]any {
	q := map[string]any{
		"header": "Licence", "question": "Which licence?",
		"options": []any{map[string]any{"label": "MIT", "description": "short"}, map[string]any{"label": "Apache-2.0", "description": "long"}},
	}
	if multiple {
		q["multiple"] = true
	}
	return map[string]any{"questions": []any{q}}
}

var answers = []answered{
	{name: "allow", client: "claude", tool: "Bash", input: madeBy, asked: touch, dialog: "Esc to cancel", answer: ask.Answer{Allow: true}, made: true},
	{name: "deny", client: "claude", tool: "Bash", input: madeBy, asked: touch, dialog: "Esc to cancel", answer: ask.Answer{Reason: no}, sees: no},
	{name: "rule", client: "claude", tool: "Bash", input: madeBy, asked: touch, dialog: "Esc to cancel", answer: ask.Answer{Allow: true, Rules: []int{0}}, made: true},
	{name: "option", client: "claude", tool: "AskUserQuestion", input: claudeQuestion(false), asked: "Which licence?", dialog: "Enter to select", answer: ask.Answer{Allow: true, Answers: [][]string{{"Apache-2.0"}}}, sees: "Apache-2.0"},
	{name: "several", client: "claude", tool: "AskUserQuestion", input: claudeQuestion(true), asked: "Which licence?", dialog: "Enter to select", answer: ask.Answer{Allow: true, Answers: [][]string{{"MIT", "Apache-2.0"}}}, sees: "MIT, Apache-2.0"},
	{name: "text", client: "claude", tool: "AskUserQuestion", input: claudeQuestion(false), asked: "Which licence?", dialog: "Enter to select", answer: ask.Answer{Allow: true, Answers: [][]string{{"the one of the parent project"}}}, sees: "the one of the parent project"},
	{name: "plan", client: "claude", args: claudePlans, tool: "ExitPlanMode", input: map[string]any{}, answer: ask.Answer{Allow: true}},
	{name: "plan-edits", client: "claude", args: claudePlans, tool: "ExitPlanMode", input: map[string]any{}, answer: ask.Answer{Allow: true, Mode: "acceptEdits"}},
	{name: "plan-denied", client: "claude", args: claudePlans, tool: "ExitPlanMode", input: map[string]any{}, answer: ask.Answer{Reason: no}, sees: no},
	{name: "allow", client: "codex", tool: "exec_command", input: codexTouch, asked: touch, dialog: "Yes, proceed", answer: ask.Answer{Allow: true}, made: true},
	{name: "deny", client: "codex", tool: "exec_command", input: codexTouch, asked: touch, dialog: "Yes, proceed", answer: ask.Answer{Reason: no}, sees: no},
	{name: "rule", client: "codex", tool: "exec_command", input: codexTouch, asked: touch, dialog: "Yes, proceed", answer: ask.Answer{Allow: true, Rules: []int{0}}, made: true},
	{name: "patch", client: "codex", tool: "exec_command", input: codexPatch, asked: "*** Add File: made", dialog: "make the following edits", answer: ask.Answer{Allow: true}, made: true},
	{name: "patch-denied", client: "codex", tool: "exec_command", input: codexPatch, asked: "*** Add File: made", dialog: "make the following edits", answer: ask.Answer{Reason: no}, sees: no},
	{name: "option", client: "codex", config: codexQuestions, tool: "request_user_input", input: codexQuestion, asked: "Which licence?", dialog: "enter to submit answer", answer: ask.Answer{Allow: true, Answers: [][]string{{"Apache-2.0"}}}, sees: "Apache-2.0"},
	{name: "text", client: "codex", config: codexQuestions, tool: "request_user_input", input: codexQuestion, asked: "Which licence?", dialog: "enter to submit answer", answer: ask.Answer{Allow: true, Answers: [][]string{{"the one of the parent project"}}}, sees: "the one of the parent project"},
	{name: "allow", client: "copilot", setting: "60", tool: "bash", input: madeBy, asked: touch, answer: ask.Answer{Allow: true}, made: true},
	{name: "deny", client: "copilot", setting: "60", tool: "bash", input: madeBy, asked: touch, answer: ask.Answer{Reason: no}, sees: no},
	{name: "deny", client: "gemini", setting: "60", tool: "run_shell_command", input: madeBy, asked: touch, answer: ask.Answer{Reason: no}, sees: no},
	{name: "allow", client: "opencode", config: opencodeAsks, tool: "bash", input: madeBy, asked: touch, dialog: "Permission required", answer: ask.Answer{Allow: true}, made: true},
	{name: "always", client: "opencode", config: opencodeAsks, tool: "bash", input: madeBy, asked: touch, dialog: "Permission required", answer: ask.Answer{Allow: true, Rules: []int{0}}, made: true},
	{name: "deny", client: "opencode", config: opencodeAsks, tool: "bash", input: madeBy, asked: touch, dialog: "Permission required", answer: ask.Answer{Reason: no}, sees: no},
	{name: "option", client: "opencode", tool: "question", input: opencodeQuestion(false), asked: "Which licence?", dialog: "esc dismiss", answer: ask.Answer{Allow: true, Answers: [][]string{{"Apache-2.0"}}}, sees: "Apache-2.0"},
	{name: "several", client: "opencode", tool: "question", input: opencodeQuestion(true), asked: "Which licence?", dialog: "esc dismiss", answer: ask.Answer{Allow: true, Answers: [][]string{{"MIT", "Apache-2.0"}}}, sees: "MIT"},
	{name: "text", client: "opencode", tool: "question", input: opencodeQuestion(false), asked: "Which licence?", dialog: "esc dismiss", answer: ask.Answer{Allow: true, Answers: [][]string{{"the one of the parent project"}}}, sees: "the one of the parent project"},
}

// TestAgentsAnswered: what a program asks is answered outside of its terminal; its dialog, if it
// shows one meanwhile, closes, and the model is sent the answer.
func TestAgentsAnswered(t *testing.T) {
	for i := range answers {
		a := &answers[i]
		t.Run(a.client+"-"+a.name, func(t *testing.T) { a.run(t) })
	}
}

func (a *answered) run(t *testing.T) {
	d, p, m := a.start(t)
	r := d.request()
	if !strings.Contains(string(r.Input), a.asked) || r.Client != a.client || r.Alias != "coder" {
		t.Errorf("the request is not what was asked: %+v: %s", r, r.Input)
	}
	if a.dialog != "" {
		await(t, "its dialog", func() bool { return strings.Contains(p.sees(), a.dialog) })
	}
	began := time.Now()
	d.decide(&r, a.answer)
	await(t, "the model to be sent the answer", func() bool { return m.sent(a.sees) })
	t.Logf("it took %s", time.Since(began).Round(time.Millisecond))
	if a.dialog != "" {
		await(t, "its dialog to close", func() bool { return !strings.Contains(p.sees(), a.dialog) })
	}
	await(t, "its end", func() bool { return d.is(session.Idle) })
	if _, err := os.Stat(filepath.Join(d.coder, "made")); (err == nil) != a.made {
		t.Errorf("that the command ran: %v", err)
	}
	await(t, "the request to be over", func() bool { list, _ := ask.At(d.state()).List(); return len(list) == 0 })
	if log := d.files()[filepath.Join(d.state(), "hook.log")]; log != "" {
		t.Errorf("the hooks say %s", log)
	}
}

// elsewhere is something that a program asks, and that is over before it is answered from here.
type elsewhere struct {
	name   string
	of     *answered
	keys   string
	dialog string
	// ends ends it without a key.
	ends func(d *desk, p *terminal)
	made bool
}

func row(client, name string) *answered {
	return &answers[slices.IndexFunc(answers, func(a answered) bool { return a.client == client && a.name == name })]
}

// within returns a row with another setting.
func (a answered) within(setting string) *answered {
	a.setting = setting
	return &a
}

// TestAgentsElsewhere: what was answered in the program's own dialog, interrupted, or left is gone
// everywhere else, and takes no answer.
func TestAgentsElsewhere(t *testing.T) {
	kill := func(_ *desk, p *terminal) { _ = p.cmd.Process.Kill() }
	for _, e := range []elsewhere{
		{name: "codex-yes", of: row("codex", "allow"), dialog: "Yes, proceed", keys: "y", made: true},
		{name: "codex-esc", of: row("codex", "allow"), dialog: "Yes, proceed", keys: "\x1b"},
		{name: "codex-question", of: row("codex", "option"), dialog: "Which licence?", keys: "\r"},
		{name: "codex-closed", of: row("codex", "allow"), dialog: "Yes, proceed", ends: func(_ *desk, p *terminal) { p.close() }},
		{name: "codex-killed", of: row("codex", "allow"), dialog: "Yes, proceed", ends: func(d *desk, _ *terminal) { d.endAll() }},
		{name: "copilot-esc", of: row("copilot", "allow"), keys: "\x1b"},
		{name: "copilot-killed", of: row("copilot", "allow"), ends: kill},
		{name: "copilot-late", of: row("copilot", "allow").within("3"), dialog: "Do you want to run", keys: "\r", made: true},
		{name: "gemini-late", of: row("gemini", "deny").within("3"), dialog: "Allow once", keys: "\r", made: true},
		{name: "opencode-yes", of: row("opencode", "allow"), dialog: "Permission required", keys: "\r", made: true},
		{name: "opencode-esc", of: row("opencode", "allow"), dialog: "Permission required", keys: "\x1b"},
		{name: "opencode-killed", of: row("opencode", "allow"), dialog: "Permission required", ends: kill},
	} {
		t.Run(e.name, func(t *testing.T) {
			d, p, _ := e.of.start(t)
			r := d.request()
			if e.dialog != "" {
				await(t, "its dialog", func() bool { return strings.Contains(plain(p.shown()), e.dialog) })
			}
			gone := func() bool {
				list, _ := ask.At(d.state()).List()
				_, err := os.Stat(filepath.Join(d.coder, "made"))
				return len(list) == 0 && (err == nil) == e.made
			}
			if e.ends != nil {
				e.ends(d, p)
				await(t, "the request to be over", gone)
			} else {
				p.pressUntil(t, e.keys, "the request to be over", gone)
			}
			late := ask.Answer{ID: r.ID, Hash: r.Hash, Allow: !r.DenyOnly, By: "dev", Where: "a test"}
			if r.Kind == ask.Question {
				late.Answers = e.of.answer.Answers
			}
			if err := ask.At(d.state()).Answer(t.Context(), late); !errors.Is(err, ask.ErrOver) {
				t.Errorf("a late answer: %v", err)
			}
		})
	}
}

// start starts the program in a terminal, where it asks.
func (a *answered) start(t *testing.T) (*desk, *terminal, *model) {
	t.Helper()
	at := slices.IndexFunc(clients, func(o client) bool { return o.name == a.client })
	// Some have the model say once more that it is done.
	m := newModel(t, prompt, []turn{{call: a.tool, args: func(string) map[string]any { return a.input }}, {say: "DONE"}, {say: "DONE"}})
	d := connected(t, &clients[at], m)
	if a.setting != "" {
		d.must("signalbox", "setup", a.client, "--answers", a.setting, "--yes")
	}
	if a.config != nil {
		a.config(d)
	}
	s := slices.IndexFunc(askings, func(o asking) bool { return o.name == a.client })
	args := []string{"--prompt", prompt}
	var how asking
	if s >= 0 {
		how = askings[s]
		args = how.args
	}
	if a.args != nil {
		args = a.args
	}
	if how.trust != nil {
		how.trust(d)
	}
	t.Cleanup(d.endAll)
	p := openTerminal(t, d.command(t.Context(), clients[at].command, args...))
	if how.first != "" {
		await(t, "its first question", func() bool { return strings.Contains(plain(p.shown()), how.first) })
		p.pressUntil(t, "\r", "the session to begin", func() bool { return len(d.sessions()) == 1 })
	}
	return d, p, m
}

// sent reports whether the model was asked again, and sent a text.
func (m *model) sent(text string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.asked) > 1 && slices.ContainsFunc(m.asked[1:], func(asked string) bool { return strings.Contains(asked, text) })
}

func (d *desk) state() string { return filepath.Join(d.home, ".local", "state", "signalbox") }

// request waits for the one request.
func (d *desk) request() (r ask.Request) {
	d.t.Helper()
	await(d.t, "its request", func() bool {
		list, errs := ask.At(d.state()).List()
		if len(errs) > 0 {
			d.t.Error(errs)
		}
		if len(list) > 0 {
			r = list[0]
		}
		return len(list) > 0
	})
	return r
}

// decide answers a request as the person.
func (d *desk) decide(r *ask.Request, a ask.Answer) {
	d.t.Helper()
	a.ID, a.Hash, a.By, a.Where, a.At = r.ID, r.Hash, "dev", "a test", time.Now().UnixMilli()
	if err := ask.At(d.state()).Answer(d.t.Context(), a); err != nil {
		d.t.Fatal(err)
	}
}
