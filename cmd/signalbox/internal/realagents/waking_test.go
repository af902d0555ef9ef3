//go:build agents

package realagents

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
	"github.com/signalbox-dev/signalbox/lsp/agents/ask"
)

// wakings are the programs that mail wakes, as a person starts them in a terminal.
var wakings = []struct {
	name string
	args []string
	// told is what the model is sent when it wakes.
	told string
	// waits is set if a process of ours waits beside the session.
	waits bool
}{
	{name: "claude", args: []string{prompt}, told: "1 message waits for you (coder).", waits: true},
	{name: "codex", args: []string{"-a", "never", "-s", "read-only", prompt}, told: "You have mail: call check_mail."},
	{name: "opencode", args: []string{"--prompt", prompt}, told: "1 message waits for you (coder).", waits: true},
}

// draft is what a person has typed, and not sent, when mail comes.
const draft = "And then mend the logout page."

// TestAgentsWoken: an agent sits idle in its terminal, mail comes, and it reads it. What the person
// had typed meanwhile is still there, and is sent when the person does so. Nothing is left of what
// waited once the terminal is closed.
func TestAgentsWoken(t *testing.T) {
	for _, w := range wakings {
		t.Run(w.name, func(t *testing.T) {
			m := newModel(t, prompt, []turn{
				{say: "I wait."},
				{when: w.told, never: []string{draft}, call: "check_mail"},
				{sees: []string{"The staging server moved to port 8443."}, never: []string{draft}, say: "DONE"},
				{when: draft, say: "DONE"},
				{when: over},
			})
			m.logOnFailure("the agent")
			d := connected(t, w.name, m)
			p := d.open(w.args...)
			idle := func() bool { return d.is(activity.Idle) && (!w.waits || d.waiter() > 0) }
			await(t, "the session to be idle", func() bool { return p.shows("I wait.") && idle() })
			if w.waits {
				light(t, d.waiter())
			}
			p.press(t, draft)
			await(t, "the draft to be shown", func() bool { return p.shows(draft) })
			out, err := d.command(t.Context(), "signalbox", "--as", "dev", "send", "coder", "The staging server moved to port 8443.").CombinedOutput()
			if err != nil || !strings.Contains(string(out), "coder is idle, and this wakes it") {
				t.Errorf("%v: %s", err, out)
			}
			await(t, "it to read its mail", func() bool { return m.turn() > 2 && idle() })
			p.pressUntil(t, "\r", "the draft to be sent", func() bool { return m.turn() > 3 })
			await(t, "the session to be idle again", idle)
			waiter := d.waiter()
			p.close()
			await(t, "the waiter to end", func() bool { return waiter == 0 || !runs(waiter) })
		})
	}
}

// TestAgentsNotHeldUp: a program that was started for one answer ends with it, and asks nobody
// unless the person said that its hook shall wait.
func TestAgentsNotHeldUp(t *testing.T) {
	call := func(command string) func(string) map[string]any {
		return func(string) map[string]any { return bash(command) }
	}
	m := newModel(t, prompt, []turn{
		{call: "Bash", args: call("touch unasked")},
		{say: "DONE"},
		{call: "Bash", args: call("touch asked")},
		{say: "DONE"},
	})
	m.logOnFailure("the agent")
	d := connected(t, "claude", m)
	d.must("claude", "-p", prompt) // what is held up waits for a day
	if list := d.sessions(); d.made("unasked") || len(list) == 1 && list[0].Waiter.PID != 0 {
		t.Errorf("something waited beside it: %+v", list)
	}
	d.must("signalbox", "setup", "claude", "--answers", "90", "--yes")
	p := d.command(t.Context(), "claude", "-p", prompt)
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	r := d.request(&step{name: "headless", asked: "touch asked"})
	d.decide(&r, ask.Answer{Allow: true})
	if err := p.Wait(); err != nil || !d.made("asked") {
		t.Errorf("the command that was allowed: %v", err)
	}
}

// waiter returns the process that waits beside the one session, or 0.
func (d *fixture) waiter() int {
	if list := d.sessions(); len(list) == 1 && list[0].Waiter.Runs() {
		return list[0].Waiter.PID
	}
	return 0
}

func runs(pid int) bool { return exec.Command("kill", "-0", strconv.Itoa(pid)).Run() == nil }

// light waits until what waits takes little memory, as it does once it has begun.
func light(t *testing.T, pid int) {
	t.Helper()
	proc := "/proc/" + strconv.Itoa(pid) + "/status"
	await(t, "what waits to be small", func() bool {
		status, err := os.ReadFile(proc)
		if errors.Is(err, fs.ErrNotExist) {
			return true // it waits no more
		}
		rss := regexp.MustCompile(`VmRSS:\s+(\d+) kB`).FindSubmatch(status)
		if err == nil && rss == nil {
			return true // it has just ended
		}
		if err != nil {
			t.Fatal(err)
		}
		kb, _ := strconv.Atoi(string(rss[1]))
		return kb <= 15<<10
	})
}

// TestAgentsCodexPlan: a session of Codex that shows a plan has ended its turn. It asks nobody but
// the person at its terminal, and mail wakes it.
func TestAgentsCodexPlan(t *testing.T) {
	m := newModel(t, prompt, []turn{
		{say: "<proposed_plan>\n# Mend it\n1. Do it\n</proposed_plan>"},
		{when: "You have mail: call check_mail.", call: "check_mail"},
		{sees: []string{"The staging server moved to port 8443."}, say: "DONE"},
		{when: over},
	})
	m.logOnFailure("the agent")
	d := connected(t, "codex", m)
	p := d.open("-a", "on-request", "-s", "read-only")
	codexPlans(d, p)
	p.press(t, prompt)
	p.pressUntil(t, "\r", "the plan", func() bool { return p.shows("Implement this plan?") && d.is(activity.Idle) })
	d.shows("idle", "")
	d.must("signalbox", "--as", "dev", "send", "coder", "The staging server moved to port 8443.")
	await(t, "it to read its mail", func() bool { return m.turn() > 2 })
}
