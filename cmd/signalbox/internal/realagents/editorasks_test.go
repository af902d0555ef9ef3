//go:build agents

package realagents

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
	"github.com/signalbox-dev/signalbox/lsp/agents/ask"
)

// editorStep is one thing that the model does in the story of the editor.
type editorStep struct {
	tool string
	args func(text string) map[string]any
	// dialog is what the terminal shows until the person has answered in the editor, "" for what
	// the program does without asking.
	dialog string
	// sees is what the model is sent then.
	sees string
}

// The texts of the story, which the editor's side has as well.
const (
	touch      = "touch made"
	push       = "git push --force origin main"
	noPush     = "Not to main: push a branch, and ask for a review."
	noPlan     = "Write a test before the change."
	firstPlan  = "# Plan\n\n1. Mend the login page.\n"
	secondPlan = "# Plan\n\n1. Write a test of the login page.\n2. Mend the login page.\n"
)

// planFile is where Claude Code says that a plan goes.
var planFile = regexp.MustCompile(`/[^\s"'\\` + "`" + `]*/\.claude/plans/[\w.-]+\.md`)

func given(args map[string]any) func(string) map[string]any {
	return func(string) map[string]any { return args }
}

func planned(plan string) func(string) map[string]any {
	return func(text string) map[string]any {
		return map[string]any{"file_path": planFile.FindString(text), "content": plan}
	}
}

// editorAgent is a program in the story of the editor.
type editorAgent struct {
	prompt string
	args   []string
	steps  []editorStep
}

var editorAgents = map[string]editorAgent{
	"claude": {prompt, []string{"--permission-mode", "plan"}, []editorStep{
		{tool: "Write", args: planned(firstPlan)},
		{tool: "ExitPlanMode", args: given(map[string]any{}), dialog: "Would you like to proceed?", sees: noPlan},
		{tool: "Write", args: planned(secondPlan)},
		{tool: "ExitPlanMode", args: given(map[string]any{}), dialog: "Would you like to proceed?", sees: "approved your plan"},
		{tool: "Bash", args: given(bash(touch)), dialog: "Esc to cancel"},
		{tool: "Bash", args: given(map[string]any{"command": push, "description": "Push the change"}), dialog: "Esc to cancel", sees: noPush},
		{tool: "AskUserQuestion", args: given(claudeForm(false)), dialog: "Enter to select", sees: "Apache-2.0"},
	}},
	"codex": {"Round the totals.", []string{"-a", "on-request", "-s", "read-only"}, []editorStep{
		{tool: "exec_command", args: given(codexBash(touch)), dialog: "Yes, proceed"},
		{tool: "exec_command", args: given(map[string]any{"cmd": push, "sandbox_permissions": "require_escalated", "justification": "to push the change"}), dialog: "Yes, proceed", sees: noPush},
		{tool: "request_user_input", args: given(codexForm), dialog: "enter to submit answer", sees: "Apache-2.0"},
	}},
}

// TestEditorsAsking is the agent's side of the story in which a person answers in the real VS
// Code whatever an agent asks, and never sees its terminal: a command is allowed, one is denied
// with a reason, a question is answered, and Claude Code's plan is sent back once. A file is told
// what happens when, a line each: the time, a word and the number of the step.
func TestEditorsAsking(t *testing.T) {
	name := need(t, "SIGNALBOX_STORY_CLIENT")
	agent, known := editorAgents[name]
	if !known {
		t.Fatalf("there is no client %q", name)
	}
	d := editorsFixture(t, &clients[slices.IndexFunc(clients, func(c client) bool { return c.name == name })])
	s := &editorStory{fixture: d, steps: agent.steps, told: need(t, "SIGNALBOX_STORY_STEPS")}
	m := newModel(t, agent.prompt, s.turns())
	m.logOnFailure(name)
	d.env = append(d.env, d.client.env(m.URL)...)
	if d.client.before != nil {
		d.client.before(d, m.URL)
	}
	d.must("signalbox", "setup", name, "--yes", "--person", "bob")
	openings[name].trust(d)
	if name == "codex" {
		codexQuestions(d)
	}
	t.Cleanup(d.endAll)
	s.terminal = openTerminal(t, d.command(t.Context(), d.client.command, append(agent.args, agent.prompt)...))
	s.tell("begins", 0)
	for i := range s.steps {
		if s.steps[i].dialog != "" {
			s.watch(i)
		}
	}
	select {
	case <-m.done:
	case <-time.After(runLimit):
		t.Fatalf("it stopped after %d of %d turns", len(m.asked), len(m.turns))
	}
	s.checkEnd()
	s.tell("ends", len(s.steps))
}

// editorStory is an agent's side of that story.
type editorStory struct {
	*fixture
	steps    []editorStep
	terminal *terminal
	// closed has for each step a channel that is closed once its dialog is.
	closed []chan struct{}
	told   string
}

// turns has the model take one step after the other. It is answered only when the dialog of the
// step before was seen to be closed.
func (s *editorStory) turns() (turns []turn) {
	for i := range s.steps {
		s.closed = append(s.closed, make(chan struct{}))
		if s.steps[i].dialog == "" {
			close(s.closed[i])
		}
		t := turn{call: s.steps[i].tool, args: s.steps[i].args, say: fmt.Sprintf("Step %d.", i)}
		s.after(i, &t)
		turns = append(turns, t)
	}
	last := turn{say: "DONE"}
	s.after(len(s.steps), &last)
	return append(turns, last)
}

// after has a turn hold what came of the step before it.
func (s *editorStory) after(i int, t *turn) {
	if i == 0 {
		return
	}
	if sees := s.steps[i-1].sees; sees != "" {
		t.sees = []string{sees}
	}
	t.before = func() {
		s.tell("goes-on", i-1)
		select {
		case <-s.closed[i-1]:
		case <-s.t.Context().Done():
		}
	}
}

// watch waits until the person has answered what a step asks. The dialog is open before, and
// closed after it.
func (s *editorStory) watch(i int) {
	var r ask.Request
	await(s.t, "a request of "+s.client.name, func() bool {
		list, _ := ask.At(s.state()).List()
		at := slices.IndexFunc(list, func(r ask.Request) bool { return r.Client == s.client.name })
		if at >= 0 {
			r = list[at]
		}
		return at >= 0
	})
	if r.Worktree != s.coder {
		s.t.Errorf("it asks in %q: %+v", r.Worktree, r)
	}
	open := func() bool { return strings.Contains(s.terminal.sees(), s.steps[i].dialog) }
	await(s.t, "its dialog", open)
	s.t.Logf("step %d: its terminal shows %s", i, s.terminal.sees())
	s.tell("asks", i)
	file := filepath.Join(s.state(), "requests", r.ID+".json")
	for end := time.Now().Add(runLimit); ; time.Sleep(2 * time.Millisecond) {
		if _, err := os.Stat(file); err != nil {
			break
		}
		if time.Now().After(end) {
			s.t.Fatalf("nobody answered step %d", i)
		}
	}
	s.tell("answered", i)
	await(s.t, "its dialog to close", func() bool { return !open() })
	s.tell("closes", i)
	close(s.closed[i])
}

// tell writes for the editor's side what has happened.
func (s *editorStory) tell(what string, step int) {
	f, err := os.OpenFile(s.told, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = fmt.Fprintf(f, "%d %s %d\n", time.Now().UnixMilli(), what, step)
		f.Close()
	}
	if err != nil {
		s.t.Error(err)
	}
}

// checkEnd holds that what was allowed has run, and nothing else, that each answer is in the log,
// and that nothing waits any more.
func (s *editorStory) checkEnd() {
	idle := func() bool {
		return slices.ContainsFunc(s.sessions(), func(o activity.Session) bool {
			return o.Client == s.client.name && o.State == activity.Idle
		})
	}
	await(s.t, "the session to be idle", idle)
	if _, err := os.Stat(filepath.Join(s.coder, "made")); err != nil {
		s.t.Error("what was allowed did not run:", err)
	}
	log := s.must("signalbox", "agents", "log", "--json")
	for _, want := range []string{touch, push, noPush, "Apache-2.0"} {
		if !strings.Contains(log, want) {
			s.t.Errorf("agents log does not have %q: %s", want, log)
		}
	}
	if list, _ := ask.At(s.state()).List(); slices.ContainsFunc(list, func(r ask.Request) bool { return r.Client == s.client.name }) {
		s.t.Errorf("something waits still: %+v", list)
	}
	if log := s.files()[filepath.Join(s.state(), "hook.log")]; log != "" {
		s.t.Errorf("the hooks say %s", log)
	}
}
