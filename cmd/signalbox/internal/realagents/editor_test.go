//go:build agents

package realagents

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
)

// asked is the text of the question that the agent asks, which the editor looks for.
const asked = "Which licence does the page get?"

// TestEditorsAgent is the agent's side of the story that extension/e2e/story.test.mjs
// tells in the real VS Code, which starts it. A person has written to the agent in the
// editor. The agent is told of it, reads it, answers, asks with options, and goes on with
// what the person chooses there. It prints what its model was sent.
func TestEditorsAgent(t *testing.T) {
	name := need(t, "SIGNALBOX_STORY_CLIENT")
	for i := range clients {
		if clients[i].name == name {
			editorsAgent(t, &clients[i])
			return
		}
	}
	t.Fatalf("there is no client %q", name)
}

// TestEditorsIdleAgent is the agent's side of a story: Claude Code's own interface runs in a
// terminal of the editor, by a script that this test writes, and sits idle. A second file says
// so. Mail comes, which wakes it, and it reads its mail.
func TestEditorsIdleAgent(t *testing.T) {
	d := editorsFixture(t, &clients[0])
	began, read := make(chan struct{}), make(chan struct{})
	m := newModel(t, prompt, []turn{
		{before: func() { close(began) }, say: "I wait."},
		{when: "1 message waits for you (project).", call: "check_mail"},
		{sees: []string{"The staging server moved to port 8443."}, before: func() { close(read) }, say: "DONE"},
		{when: over},
	})
	m.logOnFailure("the agent")
	d.env = append(d.env, d.client.env(m.URL)...)
	d.must("signalbox", "setup", "claude", "--yes", "--person", "bob")
	trustClaude(d)
	t.Cleanup(d.endAll)
	script := need(t, "SIGNALBOX_STORY_SCRIPT")
	var b strings.Builder
	b.WriteString("cd " + quoted(d.coder) + " && exec")
	if os.Getenv(alone) != "" {
		// Into the network that the model is in.
		fmt.Fprintf(&b, " nsenter --net=/proc/%d/ns/net", os.Getpid())
	}
	b.WriteString(" env -i TERM=xterm-256color")
	for _, v := range d.env {
		b.WriteString(" " + quoted(v))
	}
	b.WriteString(" " + quoted(d.command(t.Context(), "claude").Path) + " -- " + quoted(prompt) + "\n")
	if err := os.WriteFile(script, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	await(t, "the session to be idle", func() bool {
		list := d.sessions()
		return isClosed(began) && len(list) == 1 && list[0].State == activity.Idle && list[0].Wakeable()
	})
	if err := os.WriteFile(script+".idle", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	select {
	case <-read:
	case <-time.After(runLimit):
		t.Fatalf("it stopped after %d of %d turns", len(m.asked), len(m.turns))
	}
}

// quoted returns a text as one word of a shell.
func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// editorsFixture is a fixture in the home and in the folder of the editor.
func editorsFixture(t *testing.T, c *client) *fixture {
	t.Helper()
	dir, err := os.MkdirTemp("", "sbx")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	home := need(t, "SIGNALBOX_STORY_HOME")
	if err := os.Symlink(home, filepath.Join(dir, "home")); err != nil {
		t.Fatal(err)
	}
	return fixtureAt(t, c, dir, home, need(t, "SIGNALBOX_STORY_FOLDER"))
}

func editorsAgent(t *testing.T, c *client) {
	d := editorsFixture(t, c)
	m := newModel(t, prompt, []turn{
		{
			sees:  []string{"You are `project`", "`bob` is the person"},
			never: []string{"8443"},
			before: func() {
				await(t, "mail from the editor", func() bool {
					_, err := os.Stat(filepath.Join(d.home, "dev/.message/log-bob.jsonl"))
					return err == nil
				})
			},
			call: "who", say: "I look who is there.",
		},
		{
			// Nobody typed anything: the hook of the tool says it.
			sees: []string{"1 message waits for you (project)."},
			call: "check_mail", say: "I look at my mail.",
		},
		{
			sees: []string{"1 new message for project.", "The staging server moved to port 8443."},
			call: "reply", say: "I answer.",
			args: func(text string) map[string]any {
				return map[string]any{"message": lastFrom("bob", text), "text": "Thanks, I use 8443."}
			},
		},
		{
			sees: []string{"Sent to bob in thread"},
			call: "ask", say: "I ask.",
			args: func(string) map[string]any {
				return map[string]any{"question": asked, "options": []string{"MIT", "Apache-2.0"}, "wait_seconds": 50}
			},
		},
		{sees: []string{"bob chose: MIT"}, say: "DONE"},
	})
	d.env = append(d.env, c.env(m.URL)...)
	if c.before != nil {
		c.before(d, m.URL)
	}
	d.must("signalbox", slices.Concat([]string{"setup", c.name}, c.also, []string{"--yes", "--person", "bob"})...)
	c.session(d, nil, prompt)
	select {
	case <-m.done:
	case <-time.After(runLimit):
		t.Fatalf("it stopped after %d of %d turns", len(m.asked), len(m.turns))
	}
	for i, text := range m.asked {
		before := ""
		if i > 0 {
			before = m.asked[i-1]
		}
		t.Logf("what request %d adds:\n%s", i+1, added(text, before))
	}
}

// added returns the lines of a conversation that the request before had not: of the first
// request, which holds pages of the client's own, those that name the agent alone.
func added(text, before string) string {
	known := make(map[string]bool)
	for line := range strings.Lines(before) {
		known[line] = true
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		if !known[line] && (before != "" || strings.Contains(line, "`project`")) {
			b.WriteString(line)
		}
	}
	return b.String()
}

// over is in no request: what comes after all turns is answered with "ok".
const over = "\x00"

func isClosed(c chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
