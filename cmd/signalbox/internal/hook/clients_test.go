package hook

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
	"github.com/signalbox-dev/signalbox/lsp/agents/ask"
)

// TestClients reads what each client asks, as it was seen in a run, and says what it is told.
func TestClients(t *testing.T) {
	const (
		codexBash    = `{"session_id":"s","hook_event_name":"PermissionRequest","turn_id":"u","tool_name":"Bash","tool_input":{"command":"touch made","description":"to make a file"}}`
		copilotBash  = `{"hookName":"permissionRequest","sessionId":"s","timestamp":1,"cwd":"/w","toolName":"bash","toolInput":{"command":"touch made"},"permissionSuggestions":[]}`
		opencodeBash = `{"sessionId":"s","cwd":"/w","tool_name":"bash","tool_input":{"command":"touch made","patterns":["touch made"]},"always":["touch *"]}`
		opencodeForm = `{"sessionId":"s","tool_name":"question","tool_input":{"questions":[{"question":"Which?","header":"L","multiple":true,"options":[{"label":"MIT","description":"short"}]},{"question":"Why?","custom":false,"options":[{"label":"so"}]}]}}`
	)
	bash := []byte(`{"command":"touch made"}`)
	always := []ask.Rule{{Text: "allow bash touch * until opencode ends", Raw: []byte(`["touch *"]`)}}
	form := []ask.Asked{{Header: "L", Text: "Which?", Multiple: true, Options: []ask.Option{{Label: "MIT", Description: "short"}}}, {Text: "Why?", Closed: true, Options: []ask.Option{{Label: "so"}}}}
	for _, c := range []struct {
		name        string
		client      client
		event, text string
		want        ask.Request
		answer      ask.Answer
		out         string
	}{
		{"yes", codex, "", codexBash, ask.Request{Tool: "Bash", Input: []byte(`{"command":"touch made","description":"to make a file"}`)}, ask.Answer{Allow: true}, `{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}`},
		{"no", codex, "", codexBash, ask.Request{Tool: "Bash", Input: []byte(`{"command":"touch made","description":"to make a file"}`)}, ask.Answer{Reason: "later"}, `{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"later"}}}`},
		{"yes", copilot, "permissionRequest", copilotBash, ask.Request{Tool: "bash", Input: bash}, ask.Answer{Allow: true}, `{"behavior":"allow"}`},
		{"no", copilot, "permissionRequest", copilotBash, ask.Request{Tool: "bash", Input: bash}, ask.Answer{Reason: "later"}, `{"behavior":"deny","message":"later"}`},
		{"no without a reason", copilot, "permissionRequest", copilotBash, ask.Request{Tool: "bash", Input: bash}, ask.Answer{}, `{"behavior":"deny","message":"The person said no."}`},
		{"yes", opencode, "ask", opencodeBash, ask.Request{Tool: "bash", Input: []byte(`{"command":"touch made","patterns":["touch made"]}`), Rules: always}, ask.Answer{Allow: true}, `{"reply":"once"}`},
		{"from now on", opencode, "ask", opencodeBash, ask.Request{Tool: "bash", Input: []byte(`{"command":"touch made","patterns":["touch made"]}`), Rules: always}, ask.Answer{Allow: true, Rules: []int{0}}, `{"reply":"always"}`},
		{"no", opencode, "ask", opencodeBash, ask.Request{Tool: "bash", Input: []byte(`{"command":"touch made","patterns":["touch made"]}`), Rules: always}, ask.Answer{Reason: "later"}, `{"reply":"reject","message":"later"}`},
		{"form", opencode, "ask", opencodeForm, ask.Request{Kind: ask.Question, Tool: "question", Questions: form}, ask.Answer{Allow: true, Answers: [][]string{{"MIT", "mine"}, {"so"}}}, `{"answers":[["MIT","mine"],["so"]]}`},
		{"no to a form", opencode, "ask", opencodeForm, ask.Request{Kind: ask.Question, Tool: "question", Questions: form}, ask.Answer{Reason: "ask later"}, `{"answers":[["ask later"],["ask later"]]}`},
	} {
		t.Run(string(c.client)+"/"+c.name, func(t *testing.T) {
			e, err := readEvent(c.client, c.event, strings.NewReader(c.text))
			if err != nil || e.kind != asking {
				t.Fatalf("%v, %v", e.kind, err)
			}
			r, ok := askers[c.client].request(&e, e.wire)
			if c.want.Kind == "" {
				c.want.Kind = ask.Permission
			}
			if r.Kind == ask.Question {
				r.Input = nil
			}
			if diff := gocmp.Diff(c.want, r); !ok || diff != "" {
				t.Errorf("%v (-want +got):\n%s", ok, diff)
			}
			if out, err := json.Marshal(askers[c.client].decision(&r, &c.answer)); err != nil || string(out) != c.out {
				t.Errorf("%s, want %s (%v)", out, c.out, err)
			}
		})
	}
}

// TestGeminiAsks: Gemini CLI's hook comes before every tool, also where nothing is asked.
func TestGeminiAsks(t *testing.T) {
	for _, c := range []struct {
		terminal, arguments string
		want                bool
	}{
		{"34816", "node\x00/bin/gemini\x00", true},
		{"34816", "node\x00/bin/gemini\x00-i\x00Mend it.\x00", true},
		{"", "node\x00/bin/gemini\x00-p\x00Mend it.\x00", false},
		{"34816", "node\x00/bin/gemini\x00-y\x00", false},
		{"34816", "node\x00/bin/gemini\x00--yolo\x00", false},
		{"34816", "node\x00/bin/gemini\x00--approval-mode\x00auto_edit\x00", false},
		{"34816", "node\x00/bin/gemini\x00--approval-mode=yolo\x00", false},
	} {
		if got := geminiMayAsk(c.terminal, c.arguments); got != c.want {
			t.Errorf("%q %q: %v", c.terminal, c.arguments, got)
		}
	}
	r, a := ask.Request{}, ask.Answer{Reason: "later"}
	if out, _ := json.Marshal(geminiDecision(&r, &a)); string(out) != `{"decision":"deny","reason":"later"}` {
		t.Errorf("%s", out)
	}
}

// TestHidden: a hook that hides the program's own dialog waits only where the person said so, and
// one that would also wait where nothing is asked only where they said for how long.
func TestHidden(t *testing.T) {
	m := newMachine(t)
	if err := os.WriteFile(m.path("config/config.json"), []byte(`{}`), 0o600); err != nil {
		t.Fatal(err)
	}
	const bash = `,"toolName":"bash","toolInput":{"command":"touch made"}`
	m.event(copilot, "sessionStart", "")
	if out := m.event(copilot, "permissionRequest", bash); out != "" || m.log() != "" {
		t.Errorf("%s, %s", out, m.log())
	}
	m.setAnswers("on")
	if out := m.event(gemini, "BeforeTool", `,"tool_name":"run_shell_command","tool_input":{"command":"touch made"}`); out != "" || m.log() != "" {
		t.Errorf("%s, %s", out, m.log())
	}
	r, ended := m.waitsIn(func() string { return m.event(copilot, "permissionRequest", bash) })
	m.answer(&r, ask.Answer{Allow: true})
	if out := ended(); out != `{"behavior":"allow"}`+"\n" {
		t.Error(out)
	}
}

// TestEarlierPlugin: the plugin that an earlier version wrote for opencode does not go on before
// the hook ends, so that the hook does not wait.
func TestEarlierPlugin(t *testing.T) {
	m := newMachine(t)
	m.setAnswers("on")
	if out := m.event(opencode, "permission", `,"tool_name":"bash","tool_input":{"command":"touch made"}`); out != "" || m.log() != "" {
		t.Errorf("%s, %s", out, m.log())
	}
}

// TestCodexTools: a person who has Codex tell of all tools that begin starts nothing by that.
func TestCodexTools(t *testing.T) {
	for tool, want := range map[string]kind{"request_user_input": questioning, "Bash": other} {
		e, err := readEvent(codex, "", strings.NewReader(`{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"`+tool+`","tool_input":{"questions":[]}}`))
		if err != nil || e.kind != want {
			t.Errorf("%s: %v, %v", tool, e.kind, err)
		}
	}
}

// TestGeminiQuestion: Gemini CLI tells that its own question waits by a kind and a title. What it
// asks stands in the call.
func TestGeminiQuestion(t *testing.T) {
	for _, c := range []struct{ tool, input, details, want string }{
		{"ask_user", `{"questions":[{"question":"Which licence?","options":[{"label":"MIT"},{"label":"Apache-2.0"}]}]}`, `{"type":"ask_user","title":"Ask User"}`, "an answer: Which licence? (MIT / Apache-2.0)"},
		{"exit_plan_mode", `{"plan":"# Mend it"}`, `{"type":"exit_plan_mode","title":"Plan"}`, "approval of its plan: Mend it"},
		{"run_shell_command", `{"command":"cd x; touch made"}`, `{"type":"exec","title":"Confirm","command":"touch made"}`, "permission: touch made"},
	} {
		m := newMachine(t)
		m.event(gemini, "BeforeTool", `,"tool_name":"`+c.tool+`","tool_input":`+c.input)
		m.event(gemini, "Notification", `,"notification_type":"ToolPermission","message":"Tool requires confirmation","details":`+c.details)
		if s := m.session(gemini); s.State != activity.Waiting || s.For != c.want || m.log() != "" {
			t.Errorf("%s: %s for %q, %s", c.tool, s.State, s.For, m.log())
		}
	}
}

// TestAbilities: the page for users has the table of what can be answered in which program, with
// the versions that make test-agents runs.
func TestAbilities(t *testing.T) {
	page, err := os.ReadFile("../../../../docs/agents.md")
	if err != nil {
		t.Fatal(err)
	}
	pinned, err := os.ReadFile("../../../../testdata/agents/package.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range Abilities() {
		if row := a.row(); !strings.Contains(string(page), row) {
			t.Errorf("docs/agents.md lacks\n%s", row)
		}
		for _, found := range regexp.MustCompile(a.Title+` (\d+\.\d+\.\d+)`).FindAllSubmatch(page, -1) {
			if string(found[1]) != a.Seen {
				t.Errorf("docs/agents.md speaks of %s, and %s is tested", found[0], a.Seen)
			}
		}
		if !regexp.MustCompile(`"@?[a-z/-]*` + a.Client + `[a-z0-9-]*": "` + regexp.QuoteMeta(a.Seen) + `"`).Match(pinned) {
			t.Errorf("testdata/agents does not run %s %s", a.Title, a.Seen)
		}
	}
}

// row is the row of the table.
func (a *Ability) row() string {
	cells := []string{a.Title + " " + a.Seen, a.Permission, a.Question, a.Plan, a.Dialog, a.Wakes}
	for i := range cells {
		if cells[i] == "" {
			cells[i] = "no"
		}
	}
	return "| " + strings.Join(cells, " | ") + " |"
}
