//go:build agents

package realagents

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/lsp/agents/ask"
	"github.com/signalbox-dev/signalbox/lsp/agents/session"
)

// asking is how a program comes to ask in its terminal whether it may make a file.
type asking struct {
	name string
	args []string
	// tool and input are the call for which it asks.
	tool  string
	input map[string]any
	// trust is what the program writes once a person has said yes to its first questions, and
	// first a part of one that it asks all the same.
	trust func(d *desk)
	first string
	// yes is the key that allows, dialog a part of what it shows.
	yes, dialog string
}

var askings = []asking{
	{
		name: "claude", args: []string{"--permission-mode", "manual", prompt},
		tool: "Bash", input: map[string]any{"command": "touch made", "description": "Make a file"},
		trust: trustClaude, yes: "\r", dialog: "Esc to cancel",
	},
	{
		name: "codex", args: []string{"-a", "on-request", "-s", "read-only", prompt},
		tool: "exec_command", input: map[string]any{"cmd": "touch made", "sandbox_permissions": "require_escalated", "justification": "to make a file"},
		trust: func(d *desk) {
			d.write("home/.codex/config.toml", d.files()[d.home+"/.codex/config.toml"]+fmt.Sprintf("[projects.%q]\ntrust_level = \"trusted\"\n", d.coder))
		},
		yes: "y", dialog: "Yes, proceed",
	},
	{
		name: "gemini", args: []string{"-m", "gemini-2.5-pro", "-i", prompt},
		tool: "run_shell_command", input: map[string]any{"command": "touch made", "description": "Make a file"},
		yes: "\r", dialog: "Allow once",
	},
	{
		name: "copilot", args: []string{"--disable-client-telemetry", "-i", prompt},
		tool: "bash", input: map[string]any{"command": "touch made", "description": "Make a file"},
		first: "trust the files", yes: "\r", dialog: "Do you want to run",
	},
}

// TestAgentsAsking: a program is at work until it asks, then waits for an answer, and goes on
// with it.
func TestAgentsAsking(t *testing.T) {
	for i := range askings {
		t.Run(askings[i].name, func(t *testing.T) {
			d, p := openDialog(t, &askings[i])
			p.pressUntil(t, askings[i].yes, "the session to be idle", func() bool { return d.is(session.Idle) })
			d.shows("idle", "")
			d.asksNothing()
		})
	}
}

// TestAgentsInterrupted: a person who presses Esc in the dialog leaves nothing that waits, though
// no program has a hook for it; and one who closes the terminal leaves no session, though some
// programs go on running.
func TestAgentsInterrupted(t *testing.T) {
	for i := range askings {
		t.Run(askings[i].name, func(t *testing.T) {
			d, p := openDialog(t, &askings[i])
			p.pressUntil(t, "\x1b", "the session to be idle", func() bool { return d.is(session.Idle) })
			d.shows("idle", "")
			d.asksNothing()
			p.close()
			await(t, "the session to end", func() bool { return d.is(session.Ended) })
			d.shows("", "")
			if list := d.must("signalbox", "threads", "list"); !strings.Contains(list, "  ended  ") {
				t.Errorf("threads list shows %s", list)
			}
		})
	}
}

// openDialog starts a program that asks, in a terminal, and waits for its dialog.
func openDialog(t *testing.T, a *asking) (*desk, *terminal) {
	t.Helper()
	at := slices.IndexFunc(clients, func(o client) bool { return o.name == a.name })
	var d *desk
	turns := []turn{
		{call: a.tool, args: func(string) map[string]any { return a.input }, before: func() {
			d.inState(session.Working)
			d.shows("working", "")
		}},
		// Gemini CLI has the model say once more that it is done.
		{say: "DONE"},
		{say: "DONE"},
	}
	d = connected(t, &clients[at], newModel(t, prompt, turns))
	if a.trust != nil {
		a.trust(d)
	}
	t.Cleanup(d.endAll)
	p := openTerminal(t, d.command(t.Context(), clients[at].command, a.args...))
	if a.first != "" {
		await(t, "its first question", func() bool { return strings.Contains(plain(p.shown()), a.first) })
		p.pressUntil(t, "\r", "the session to begin", func() bool { return len(d.sessions()) == 1 })
	}
	// Its own state may say that it waits before its hook says for what.
	await(t, "the session to wait for its command", func() bool {
		return d.is(session.Waiting) && d.sessions()[0].For == "permission: touch made"
	})
	if s := d.sessions()[0]; s.Process.PID == 0 {
		t.Errorf("its process is not known: %+v", s)
	}
	await(t, "its dialog", func() bool { return strings.Contains(plain(p.shown()), a.dialog) })
	d.shows("waiting for permission: touch made", "waits for permission: touch made")
	return d, p
}

// asksNothing waits until no request waits for an answer from elsewhere.
func (d *desk) asksNothing() {
	d.t.Helper()
	await(d.t, "the request to be over", func() bool { list, _ := ask.At(d.state()).List(); return len(list) == 0 })
}

// is reports whether there is one session, in a state.
func (d *desk) is(state session.State) bool {
	list := d.sessions()
	return len(list) == 1 && list[0].State == state
}

// shows holds that all lists show the one session alike: agents and threads in a state, or
// agents not at all, and needs with some words, or nothing.
func (d *desk) shows(state, needs string) {
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

// connected returns a desk on which a client is set up, with a model that it asks.
func connected(t *testing.T, c *client, m *model) *desk {
	t.Helper()
	d := newDesk(t, c)
	d.env = append(d.env, c.env(m.URL)...)
	if c.before != nil {
		c.before(d, m.URL)
	}
	d.must("signalbox", "setup", c.name, "--yes", "--person", "dev")
	return d
}

// trustClaude writes what Claude Code remembers of a first run.
func trustClaude(d *desk) {
	d.t.Helper()
	d.merge("home/.claude.json", fmt.Sprintf(`{"hasCompletedOnboarding":true,"theme":"dark",
"customApiKeyResponses":{"approved":["sk-ant-dummy"],"rejected":[]},
"projects":{%q:{"hasTrustDialogAccepted":true,"hasCompletedProjectOnboarding":true}}}`, d.coder))
}
