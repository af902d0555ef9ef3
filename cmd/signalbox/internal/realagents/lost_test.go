//go:build agents

package realagents

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
)

// TestAgentsLost: a session of Claude Code's writes to another one by its own tool, which says
// success. The other one is killed before it reads that, and the thread of the first says so.
func TestAgentsLost(t *testing.T) {
	const second = "Ask the other one."
	begun, read := make(chan struct{}), make(chan struct{})
	one := newModel(t, prompt, []turn{{say: "I mend it.", before: func() {
		close(begun)
		<-read
	}}, {when: over}})
	two := newModel(t, second, []turn{
		{call: "SendMessage", say: "I ask.", args: func(string) map[string]any {
			return map[string]any{"to": "one", "summary": "a port", "message": "Which port is it?"}
		}},
		{say: "I wait."},
		{when: over},
	})
	two.logOnFailure("the second agent")
	d := connected(t, "claude", one)
	other := d.beside("reviewer", two)
	p := d.open("--name", "one", "--permission-mode", "manual", prompt)
	await(t, "the first agent to be at work", func() bool { return isClosed(begun) && d.is(activity.Working) })
	other.open("--name", "two", "--permission-mode", "acceptEdits", "--allowedTools", "SendMessage", "--", second)
	await(t, "the second agent to write to it", func() bool { return two.turn() > 1 })
	await(t, "the message to be in its queue", func() bool {
		for name, text := range d.files() {
			if strings.Contains(name, "-coder/") && strings.HasSuffix(name, ".jsonl") && strings.Contains(text, "Which port is it?") {
				return true
			}
		}
		return false
	})
	kill(d, p)
	close(read)
	sender := func(s activity.Session) bool { return s.Worktree == other.coder }
	await(t, "both to be over", func() bool { return d.ended() == 1 && slices.ContainsFunc(d.sessions(), sender) })
	list := d.sessions()
	id := list[slices.IndexFunc(list, sender)].ID
	await(t, "its thread to say so", func() bool {
		return strings.Contains(d.must("signalbox", "threads", "show", id), "it was not delivered: one ended before it read this")
	})
}

// ended counts the sessions that have.
func (d *fixture) ended() (n int) {
	for _, s := range d.sessions() {
		if s.State == activity.Ended {
			n++
		}
	}
	return n
}

// beside is a fixture in a second work tree of the repository, with a model of its own.
func (d *fixture) beside(name string, m *model) *fixture {
	d.t.Helper()
	o := *d
	o.coder = filepath.Join(d.dir, name)
	d.must("git", "worktree", "add", "-q", o.coder)
	o.env = append(slices.Clone(d.env), d.client.env(m.URL)...) // of two the second counts
	d.merge("home/.claude.json", fmt.Sprintf(`{"projects":{%q:{"hasTrustDialogAccepted":true,"hasCompletedProjectOnboarding":true},
%q:{"hasTrustDialogAccepted":true,"hasCompletedProjectOnboarding":true}}}`, d.coder, o.coder))
	return &o
}
