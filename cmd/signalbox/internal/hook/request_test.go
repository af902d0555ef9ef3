package hook

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
	"github.com/signalbox-dev/signalbox/lsp/agents/ask"
)

// waiting starts a hook that waits, and returns its request and what it prints once it ends.
func (m *machine) waiting(event, more string) (r ask.Request, ended func() string) {
	m.t.Helper()
	m.setAnswers("on")
	return m.waitsIn(func() string { return m.event(claude, event, more) })
}

// waitsIn is [machine.waiting] of anything that runs a hook.
func (m *machine) waitsIn(run func() string) (r ask.Request, ended func() string) {
	m.t.Helper()
	came := make(chan struct{}, 100)
	l := ask.Open(m.requests(), slog.New(slog.DiscardHandler), func() { came <- struct{}{} })
	m.t.Cleanup(l.Close)
	printed := make(chan string, 1)
	go func() { printed <- run() }()
	for range came {
		if list := l.Now().List; len(list) > 0 {
			return list[0], func() string { return <-printed }
		}
	}
	return r, nil
}

func (m *machine) requests() ask.Folder { return ask.At(m.path("state")) }

func (m *machine) answer(r *ask.Request, a ask.Answer) {
	m.t.Helper()
	a.ID, a.Hash, a.By, a.Where = r.ID, r.Hash, "dev", "terminal"
	if err := m.requests().Answer(m.t.Context(), a); err != nil {
		m.t.Error(err)
	}
}

const (
	touchMade = `,"tool_name":"Bash","tool_input":{"command":"touch made","description":"Make a file"},"permission_suggestions":[` +
		`{"type":"addDirectories","directories":["/w"],"destination":"session"},{"type":"setMode","mode":"bypassPermissions","destination":"session"},` +
		`{"type":"addRules","rules":[{"toolName":"Bash","ruleContent":"touch:*"}],"behavior":"allow","destination":"localSettings"}]`
	licence = `,"tool_name":"AskUserQuestion","tool_input":{"questions":[{"question":"Which licence?","header":"Licence","options":` +
		`[{"label":"MIT","description":"short"},{"label":"Apache-2.0","description":"long"}],"multiSelect":false},` +
		`{"question":"Where?","options":[{"label":"here"},{"label":"there"}],"multiSelect":true}]}`
	plan = `,"tool_name":"ExitPlanMode","tool_input":{"plan":"# Plan\n1. Do it\n","planFilePath":"/p.md"}`
)

// TestAnswers has Claude Code's hook wait for an answer, and holds what it then says.
func TestAnswers(t *testing.T) {
	for _, c := range []struct {
		name, event string
		kind        ask.Kind
		answer      ask.Answer
		want        string
	}{
		{"yes", touchMade, ask.Permission, ask.Answer{Allow: true}, `{"behavior":"allow"}`},
		{"no", touchMade, ask.Permission, ask.Answer{Reason: "use make"}, `{"behavior":"deny","message":"use make"}`},
		{"no without a reason", touchMade, ask.Permission, ask.Answer{}, `{"behavior":"deny","message":"The person said no."}`},
		{
			"from now on", touchMade, ask.Permission,
			ask.Answer{Allow: true, Rules: []int{1}},
			`{"behavior":"allow","updatedPermissions":[{"type":"addRules","rules":[{"toolName":"Bash","ruleContent":"touch:*"}],"behavior":"allow","destination":"localSettings"}]}`,
		},
		{"form", licence, ask.Question, ask.Answer{Allow: true, Answers: [][]string{{"BSD, says dev"}, {"here", "there"}}}, `"answers":{"Where?":"here, there","Which licence?":"BSD, says dev"}`},
		{"no to a form", licence, ask.Question, ask.Answer{Reason: "ask later"}, `{"behavior":"deny","message":"ask later"}`},
		{"plan", plan, ask.Plan, ask.Answer{Allow: true}, `{"behavior":"allow","updatedInput":{}}`},
		{
			"plan with edits", plan, ask.Plan,
			ask.Answer{Allow: true, Mode: "acceptEdits"},
			`{"behavior":"allow","updatedInput":{},"updatedPermissions":[{"type":"setMode","mode":"acceptEdits","destination":"session"}]}`,
		},
		{"go on planning", plan, ask.Plan, ask.Answer{Reason: "and the tests?"}, `{"behavior":"deny","message":"and the tests?"}`},
		{"plan without a file", `,"tool_name":"ExitPlanMode","tool_input":{}`, ask.Plan, ask.Answer{Allow: true}, `{"behavior":"allow","updatedInput":{}}`},
		{"subagent", `,"agent_id":"a1"` + touchMade, ask.Permission, ask.Answer{Allow: true}, `{"behavior":"allow"}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := newMachine(t)
			m.event(claude, "SessionStart", "")
			r, ended := m.waiting("PermissionRequest", c.event)
			if r.Kind != c.kind || r.Alias != "coder" || r.Folder != m.path("coder") {
				t.Errorf("%+v", r)
			}
			m.answer(&r, c.answer)
			out := ended()
			if s, err := activity.At(m.path("state")).Read("claude", "s1"); err != nil || s.State == activity.Waiting {
				t.Errorf("it waits although it was answered: %+v, %v", s, err)
			}
			var said struct {
				Specific struct {
					Event    string          `json:"hookEventName"`
					Decision json.RawMessage `json:"decision"`
				} `json:"hookSpecificOutput"`
			}
			if err := json.Unmarshal([]byte(out), &said); err != nil || said.Specific.Event != "PermissionRequest" || !strings.Contains(string(said.Specific.Decision), c.want) {
				t.Errorf("%s, want %s (%v)", out, c.want, err)
			}
			if m.log() != "" {
				t.Error(m.log())
			}
		})
	}
}

// TestGoesOn: a session whose request was decided here waits no longer, also if its program tells
// nothing of a tool that was denied.
func TestGoesOn(t *testing.T) {
	m := newMachine(t)
	m.event(claude, "SessionStart", "")
	r, ended := m.waiting("PermissionRequest", touchMade)
	if s := m.session(claude); s.State != activity.Waiting {
		t.Errorf("%s", s.State)
	}
	m.answer(&r, ask.Answer{Reason: "use make"})
	ended()
	if s := m.session(claude); s.State != activity.Working || m.log() != "" {
		t.Errorf("%s for %q, %s", s.State, s.For, m.log())
	}
}

// TestAsksWhat offers no rule that would allow everything, and keeps the whole input.
func TestAsksWhat(t *testing.T) {
	m := newMachine(t)
	m.event(claude, "SessionStart", "")
	r, ended := m.waiting("PermissionRequest", touchMade)
	if len(r.Rules) != 2 || r.Rules[0].Text != "allow /w for this session" || r.Rules[1].Text != "allow Bash(touch:*) in this project, for you" {
		t.Errorf("%+v", r.Rules)
	}
	if want := `{"command":"touch made","description":"Make a file"}`; string(r.Input) != want || r.Sum != ask.Sum([]byte(want)) {
		t.Errorf("%s", r.Input)
	}
	m.event(claude, "SessionEnd", "")
	ended()
	double := strings.ReplaceAll(licence, "Where?", "Which licence?")
	if r, ended = m.waiting("PermissionRequest", double); r.Kind != ask.Permission || !r.DenyOnly {
		t.Errorf("two questions of one text: %+v", r)
	}
	m.event(claude, "Stop", "")
	ended()
	// An input that nobody could read whole is no request for a yes.
	long := fmt.Sprintf(`,"tool_name":"Write","tool_input":{"content":%q}`, strings.Repeat("x", 50<<20))
	if r, ended = m.waiting("PermissionRequest", long); r.Long < 50<<20 || r.Input != nil {
		t.Errorf("%d bytes", r.Long)
	}
	m.answer(&r, ask.Answer{Reason: "in parts"})
	if out := ended(); !strings.Contains(out, "in parts") {
		t.Error(out)
	}
}

// TestAsksNoMore says nothing once the person has answered at the program's own dialog.
func TestAsksNoMore(t *testing.T) {
	other := strings.ReplaceAll(touchMade, "touch made", "touch other")
	for _, c := range []struct{ name, asks, event, more string }{
		{"used", touchMade, "PostToolUse", touchMade},
		{"answered", licence, "PostToolUse", strings.Replace(licence, `"multiSelect":true}]`, `"multiSelect":true}],"answers":{"Which licence?":"MIT"}`, 1)},
		{"planned", plan, "PostToolUse", `,"tool_name":"ExitPlanMode","tool_input":{}`},
		{"new turn", touchMade, "UserPromptSubmit", ""},
		{"turn over", touchMade, "Stop", ""},
		{"idle", touchMade, "Notification", `,"notification_type":"idle_prompt","message":"waiting"`},
		{"session over", touchMade, "SessionEnd", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := newMachine(t)
			m.event(claude, "SessionStart", "")
			r, ended := m.waiting("PermissionRequest", c.asks)
			m.event(claude, "PostToolUse", other)                     // beside it
			m.event(claude, "PostToolUse", `,"agent_id":"a1"`+c.asks) // of a subagent
			if list, _ := m.requests().List(); len(list) != 1 {
				t.Fatalf("%+v", list)
			}
			m.event(claude, c.event, c.more)
			if out := ended(); out != "" {
				t.Errorf("it says %s", out)
			}
			if list, errs := m.requests().List(); len(list)+len(errs) > 0 {
				t.Errorf("%s is left: %+v, %v", r.ID, list, errs)
			}
		})
	}
}

// TestAsksNot leaves the program's own dialog alone where the person wants that, where nothing
// can be written, and where another hook waits.
func TestAsksNot(t *testing.T) {
	t.Run("off", func(t *testing.T) {
		m := newMachine(t)
		if out := m.event(claude, "PermissionRequest", touchMade); out != "" || m.log() != "" {
			t.Error(out, m.log())
		}
	})
	t.Run("headless", func(t *testing.T) {
		m := newMachine(t)
		m.setAnswers("")
		m.env["CLAUDE_CODE_ENTRYPOINT"] = "sdk-cli"
		if out := m.event(claude, "PermissionRequest", touchMade); out != "" || m.log() != "" {
			t.Error(out, m.log())
		}
	})
	t.Run("no room", func(t *testing.T) {
		m := newMachine(t)
		m.event(claude, "SessionStart", "")
		if err := os.WriteFile(m.path("state/requests"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		m.setAnswers("on")
		if out := m.event(claude, "PermissionRequest", touchMade); out != "" || !strings.Contains(m.log(), "requests") {
			t.Error(out, m.log())
		}
	})
	t.Run("a second hook", func(t *testing.T) {
		m := newMachine(t)
		m.event(claude, "SessionStart", "")
		r, ended := m.waiting("PermissionRequest", touchMade)
		if out := m.event(claude, "PermissionRequest", touchMade); out != "" || m.log() != "" {
			t.Error(out, m.log())
		}
		m.answer(&r, ask.Answer{Allow: true})
		if out := ended(); !strings.Contains(out, "allow") {
			t.Error(out)
		}
	})
	t.Run("a notice", func(t *testing.T) {
		m := newMachine(t)
		m.setAnswers("on")
		if out := m.event(claude, "Notification", `,"notification_type":"permission_prompt","message":"Claude needs your permission"`); out != "" {
			t.Error(out)
		}
		if bytes.Contains([]byte(m.log()), []byte("ask")) {
			t.Error(m.log())
		}
	})
}
