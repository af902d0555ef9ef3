//go:build agents

package realagents

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/lsp/agents"
	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
	"github.com/signalbox-dev/signalbox/lsp/agents/ask"
)

// asking is how a program comes to ask in its terminal whether it may run a command.
type asking struct {
	name string
	args []string
	// tool and input are the call for which it asks.
	tool  string
	input func(command string) map[string]any
	// yes is the key that allows, dialog a part of what it shows.
	yes, dialog string
	// resume are arguments with which an ended session goes on, beside the usual ones.
	resume []string
	config func(d *fixture)
}

// bash is the use of a tool that runs commands.
func bash(command string) map[string]any {
	return map[string]any{"command": command, "description": "Make a file"}
}

func codexBash(command string) map[string]any {
	return map[string]any{"cmd": command, "sandbox_permissions": "require_escalated", "justification": "to make a file"}
}

var askings = []asking{
	{
		name: "claude", args: []string{"--permission-mode", "manual", prompt},
		tool: "Bash", input: bash, yes: "\r", dialog: "Esc to cancel",
	},
	{
		name: "codex", args: []string{"-a", "on-request", "-s", "read-only", prompt},
		tool: "exec_command", input: codexBash, yes: "y", dialog: "Yes, proceed",
	},
	{
		name: "gemini", args: []string{"-m", "gemini-2.5-pro", "-i", prompt},
		tool: "run_shell_command", input: bash, yes: "\r", dialog: "Allow once", resume: []string{"-m", "gemini-2.5-pro"},
	},
	{
		name: "copilot", args: []string{"--disable-client-telemetry", "-i", prompt},
		tool: "bash", input: bash, yes: "\r", dialog: "Do you want to run", resume: []string{"--disable-client-telemetry"},
	},
	{
		name: "opencode", args: []string{"--prompt", prompt},
		tool: "bash", input: bash, yes: "\r", dialog: "Permission required", config: opencodeAsks,
	},
}

// askingOf returns how a client comes to ask.
func askingOf(name string) *asking {
	return &askings[slices.IndexFunc(askings, func(a asking) bool { return a.name == name })]
}

// continued is the text with which an ended session goes on.
const continued = "Go on without it."

// TestAgentsAsking: a program is at work until it asks, waits for its dialog to be answered and
// goes on. A person who presses Esc in the dialog leaves nothing that waits, though no program
// has a hook for it; one who closes the terminal leaves no session, though some programs go on
// running; and one who goes on with the ended session finds it where it was.
func TestAgentsAsking(t *testing.T) {
	for i := range askings {
		t.Run(askings[i].name, func(t *testing.T) { askings[i].run(t) })
	}
}

func (a *asking) run(t *testing.T) {
	var d *fixture
	call := func(command string) func(string) map[string]any {
		return func(string) map[string]any { return a.input(command) }
	}
	m := newModel(t, prompt, []turn{
		{call: a.tool, args: call("touch made"), before: func() {
			d.inState(activity.Working)
			d.shows("working", "")
		}},
		{call: a.tool, args: call("touch second")},
		{when: continued, say: "DONE"},
		{when: over},
	})
	m.logOnFailure("the agent")
	d = connected(t, a.name, m)
	if a.config != nil {
		a.config(d)
	}
	p := d.open(a.args...)
	d.asks("touch made")
	await(t, "its dialog", func() bool { return p.shows(a.dialog) })
	d.shows("waiting for permission: touch made", "waits for permission: touch made")
	p.pressUntil(t, a.yes, "the command to run", func() bool { return d.made("made") })
	d.asks("touch second")
	p.pressUntil(t, "\x1b", "the session to be idle", func() bool { return d.is(activity.Idle) })
	d.shows("idle", "")
	d.asksNothing()
	p.close()
	await(t, "the session to end", func() bool { return d.is(activity.Ended) })
	d.shows("", "")
	if d.made("second") {
		t.Error("the command ran that was interrupted")
	}
	if id := d.sessions()[0].ID; agents.Resume(a.name, id) != nil {
		d.goesOn(id, m, a.resume)
	}
}

// goesOn has the ended session go on with a text, by its program's own command.
func (d *fixture) goesOn(id string, m *model, more []string) {
	d.t.Helper()
	if list := d.threads(); !slices.Equal(list, []string{"ended"}) {
		d.t.Errorf("threads list shows %q", list)
	}
	words, ok := agents.Prompted(d.client.name, agents.Resume(d.client.name, id), continued)
	if !ok {
		d.t.Errorf("%s takes no prompt", d.client.name)
	}
	d.open(append(words[1:], more...)...)
	await(d.t, "the session to go on", func() bool { return m.saw(continued) && d.is(activity.Idle) })
	if s := d.sessions()[0]; s.ID != id || s.Alias != "coder" {
		d.t.Errorf("it is another session: %+v", s)
	}
	if list := d.threads(); !slices.Equal(list, []string{"idle"}) {
		d.t.Errorf("threads list shows %q", list)
	}
}

// threads returns the states of the threads in the list.
func (d *fixture) threads() (states []string) {
	d.t.Helper()
	for line := range strings.Lines(d.must("signalbox", "threads", "list", "--json")) {
		var thread struct{ State string }
		if err := json.Unmarshal([]byte(line), &thread); err != nil {
			d.t.Errorf("%v: %s", err, line)
		}
		states = append(states, thread.State)
	}
	return states
}

// asks waits until the session waits for the permission to run a command.
func (d *fixture) asks(command string) {
	d.t.Helper()
	// Its own state may say that it waits before its hook says for what.
	await(d.t, "the session to wait for "+command, func() bool {
		return d.is(activity.Waiting) && d.sessions()[0].For == "permission: "+command
	})
	if s := d.sessions()[0]; s.Process.PID == 0 {
		d.t.Errorf("its process is not known: %+v", s)
	}
}

// made reports whether a file is in the repository.
func (d *fixture) made(name string) bool {
	_, err := os.Stat(filepath.Join(d.coder, name))
	return err == nil
}

// asksNothing waits until no request waits for an answer from elsewhere.
func (d *fixture) asksNothing() {
	d.t.Helper()
	await(d.t, "the request to be over", func() bool { list, _ := ask.At(d.state()).List(); return len(list) == 0 })
}

// is reports whether there is one session, in a state.
func (d *fixture) is(state activity.State) bool {
	list := d.sessions()
	return len(list) == 1 && list[0].State == state
}

// shows holds that all lists show the one session alike: agents and threads in a state, or
// agents not at all, and needs with some words, or nothing.
func (d *fixture) shows(state, needs string) {
	d.t.Helper()
	agents, threads := d.must("signalbox", "agents"), d.must("signalbox", "threads", "list")
	if state == "" && !strings.HasPrefix(agents, "no agents") || state != "" && !strings.Contains(agents, " "+state+" ") {
		d.t.Errorf("agents does not show %q: %s", state, agents)
	}
	// Some programs write the transcript once they are under way.
	if !strings.Contains(threads, "  "+state+"  ") && state != "" && strings.Contains(threads, prompt) {
		d.t.Errorf("threads list does not show %q: %s", state, threads)
	}
	if out := d.must("signalbox", "--as", "dev", "needs"); !strings.Contains(out, needs) || needs == "" && !strings.HasPrefix(out, "Nothing") {
		d.t.Errorf("needs does not show %q: %s", needs, out)
	}
}
