//go:build agents

package realagents

import "testing"

// decides is a command by which an agent tries to answer what agents' programs ask: as it is run,
// and on a terminal of its own without the variables of its program. Codex's shell has another PATH.
const decides = `PATH="$HOME/../bin:$PATH"; signalbox answer; env -i HOME="$HOME" PATH="$PATH" script -qec "signalbox answer 1 --allow" /dev/null`

// TestAgentsDecideNothing: an agent that may run any command without asking answers nothing by
// `signalbox answer`.
func TestAgentsDecideNothing(t *testing.T) {
	command := map[string]any{"command": decides, "description": "Answer"}
	for _, c := range []struct {
		client string
		args   []string // with which it asks nobody
		tool   string
		input  map[string]any
	}{
		{"claude", []string{"--allowedTools", "Bash"}, "Bash", command},
		{"codex", []string{"-s", "danger-full-access"}, "exec_command", map[string]any{"cmd": decides}},
		{"gemini", []string{"--yolo"}, "run_shell_command", command},
		{"copilot", []string{"--allow-all-tools"}, "bash", command},
		{"opencode", nil, "bash", command},
	} {
		t.Run(c.client, func(t *testing.T) {
			m := newModel(t, prompt, []turn{{call: c.tool, args: func(string) map[string]any { return c.input }}, {say: "DONE"}, {say: "DONE"}})
			d := connected(t, c.client, m)
			t.Cleanup(d.endAll)
			d.client.session(d, c.args, prompt)
			for _, why := range []string{" is set", "it runs below " + c.client} {
				if !m.sent(1, "only the person decides what an agent may do, and an agent calls: ") || !m.sent(1, why) {
					t.Errorf("the model is not told %q: %q", why, m.asked)
				}
			}
		})
	}
}
