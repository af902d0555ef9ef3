//go:build agents

package realagents

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/lsp/store/session"
)

// TestAgentsAsking: a program that asks in its terminal whether it may use a tool is a
// session that waits for that.
func TestAgentsAsking(t *testing.T) {
	for _, c := range []struct {
		name string
		args []string
		turn turn
		want string
		// trust is what the program writes once a person has said yes to its first questions.
		trust func(d *desk)
		yes   string
		// dialog is a part of the question that the program shows.
		dialog string
	}{
		{
			"claude",
			[]string{"--permission-mode", "manual", prompt},
			turn{call: "Bash", args: func(string) map[string]any {
				return map[string]any{"command": "touch made", "description": "Make a file"}
			}},
			"permission: touch made", trustClaude, "\r", "Esc to cancel",
		},
		{
			"codex",
			[]string{"-a", "on-request", "-s", "read-only", prompt},
			turn{call: "exec_command", args: func(string) map[string]any {
				return map[string]any{"cmd": "touch made", "sandbox_permissions": "require_escalated", "justification": "to make a file"}
			}},
			"permission: touch made", func(d *desk) {
				d.write("home/.codex/config.toml", d.files()[d.home+"/.codex/config.toml"]+fmt.Sprintf("[projects.%q]\ntrust_level = \"trusted\"\n", d.coder))
			}, "y", "Yes, proceed",
		},
		{
			"gemini",
			[]string{"-m", "gemini-2.5-pro", "-i", prompt},
			turn{call: "run_shell_command", args: func(string) map[string]any {
				return map[string]any{"command": "touch made", "description": "Make a file"}
			}},
			"permission: touch made", func(*desk) {}, "\r", "Allow once",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			at := slices.IndexFunc(clients, func(o client) bool { return o.name == c.name })
			// Gemini CLI has the model say once more that it is done.
			d := connected(t, &clients[at], newModel(t, prompt, []turn{c.turn, {say: "DONE"}, {say: "DONE"}}))
			c.trust(d)
			t.Cleanup(d.endAll)
			p := openTerminal(t, d.command(t.Context(), clients[at].command, c.args...))
			await(t, "the session to wait", func() bool {
				list := d.sessions()
				return len(list) == 1 && list[0].State == session.Waiting
			})
			if s := d.sessions()[0]; s.For != c.want || s.Process.PID == 0 {
				t.Errorf("it waits for %q: %+v", s.For, s)
			}
			await(t, "its dialog", func() bool { return strings.Contains(p.shown(), c.dialog) })
			await(t, "the session to be idle", func() bool {
				if d.sessions()[0].State == session.Waiting {
					p.press(t, c.yes) // a dialog that has just come takes no keys
				}
				return d.sessions()[0].State == session.Idle
			})
		})
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
