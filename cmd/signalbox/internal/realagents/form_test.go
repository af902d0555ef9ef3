//go:build agents

package realagents

import (
	"strings"
	"testing"
	"time"
)

// formed is how a person answers a form in a program's terminal.
type formed struct {
	name string
	args []string
	// answer are the keys that give the answer 8443.
	answer []string
}

var forms = []formed{
	{name: "claude", args: []string{"--permission-mode", "manual", prompt}, answer: []string{"8443", "\r", "\r"}},
	{name: "codex", args: []string{prompt}, answer: []string{"8443", "\r"}},
	{name: "copilot", args: []string{"--allow-tool", "signalbox", "--disable-client-telemetry", "-i", prompt}, answer: []string{"8443", "\r"}},
}

// TestAgentsForm asks the person in the program's own terminal, too: the first question is
// answered there, and is answered for Signalbox; the second one by mail, which closes the form.
func TestAgentsForm(t *testing.T) {
	for i := range forms {
		t.Run(forms[i].name, func(t *testing.T) {
			f := &forms[i]
			var d *fixture
			question := func(text string) func(string) map[string]any {
				return func(string) map[string]any { return map[string]any{"question": text, "wait_seconds": 60} }
			}
			turns := []turn{
				{call: "ask", say: "I ask.", args: question("Which port shall the page get?")},
				{sees: []string{"8443", "(answered in "}, call: "ask", say: "I ask again.", args: question("Which licence shall the page get?")},
				{sees: []string{"Apache-2.0"}, say: "DONE"},
			}
			if f.name == "claude" {
				turns[0].instead = func() call {
					return call{tool: tool{name: "Read"}, args: map[string]any{"file_path": d.coder + "/none"}}
				}
			}
			m := newModel(t, prompt, turns)
			d = connected(t, f.name, m)
			p := d.open(f.args...)
			asks := func(text string) func() bool {
				return func() bool { return strings.Contains(d.must("signalbox", "--as", "dev", "needs"), text) }
			}
			await(t, "the question", asks("Which port"))
			await(t, "its form", func() bool { return p.shows("Answer") })
			var pressed time.Time
			await(t, "the second question", func() bool {
				if asks("Which licence")() {
					return true
				}
				if time.Since(pressed) > pressAgain { // a form that has just come may take no keys
					p.press(t, f.answer...)
					pressed = time.Now()
				}
				return false
			})
			if asks("Which port")() {
				t.Error("the first one still waits")
			}
			d.must("signalbox", "--as", "dev", "reply", "Apache-2.0")
			select {
			case <-m.done:
			case <-time.After(runLimit):
				t.Error("the model did not go on")
			}
		})
	}
}
