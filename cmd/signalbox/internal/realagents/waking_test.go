//go:build agents

package realagents

import (
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/lsp/agents/session"
)

// wakings are the programs that mail wakes, as a person starts them in a terminal.
var wakings = []struct {
	name  string
	args  []string
	trust func(d *desk)
	// told is what the model is sent when it wakes.
	told string
	// waits is set if a process of ours waits beside the session.
	waits bool
}{
	{name: "claude", args: []string{prompt}, trust: trustClaude, told: "1 message waits for you (coder).", waits: true},
	{name: "codex", args: []string{"-a", "never", "-s", "read-only", prompt}, trust: askings[1].trust, told: "You have mail: call check_mail."},
	{name: "opencode", args: []string{"--prompt", prompt}, told: "1 message waits for you (coder).", waits: true},
}

// TestAgentsWoken: an agent sits idle in its terminal, mail comes, and it reads it. Nothing is
// left of what waited once the terminal is closed.
func TestAgentsWoken(t *testing.T) {
	for _, w := range wakings {
		t.Run(w.name, func(t *testing.T) {
			at := slices.IndexFunc(clients, func(o client) bool { return o.name == w.name })
			read := make(chan struct{})
			m := newModel(t, prompt, []turn{
				{say: "I wait."},
				{when: w.told, call: "check_mail"},
				{sees: []string{"The staging server moved to port 8443."}, before: func() { close(read) }, say: "DONE"},
				{when: over},
			})
			m.logOnFailure("the agent")
			d := connected(t, &clients[at], m)
			if w.trust != nil {
				w.trust(d)
			}
			t.Cleanup(d.endAll)
			p := openTerminal(t, d.command(t.Context(), clients[at].command, w.args...))
			await(t, "the session to be idle", func() bool {
				return d.is(session.Idle) && strings.Contains(plain(p.shown()), "I wait.") && (!w.waits || d.waiter() > 0)
			})
			if w.waits {
				light(t, d.waiter())
			}
			out, err := d.command(t.Context(), "signalbox", "--as", "dev", "send", "coder", "The staging server moved to port 8443.").CombinedOutput()
			if err != nil || !strings.Contains(string(out), "coder is idle, and this wakes it") {
				t.Errorf("%v: %s", err, out)
			}
			select {
			case <-read:
			case <-time.After(runLimit):
				t.Fatalf("it was not woken: %d of %d turns", len(m.asked), len(m.turns))
			}
			await(t, "the session to be idle again", func() bool { return d.is(session.Idle) && (!w.waits || d.waiter() > 0) })
			waiter := d.waiter()
			p.close()
			await(t, "the waiter to end", func() bool { return waiter == 0 || !runs(waiter) })
		})
	}
}

// TestAgentsNotHeldUp: a program that was started for one answer ends with it.
func TestAgentsNotHeldUp(t *testing.T) {
	d := connected(t, &clients[0], newModel(t, prompt, []turn{{say: "DONE"}}))
	start := time.Now()
	d.must("claude", "-p", prompt)
	if took := time.Since(start); took > 30*time.Second {
		t.Errorf("it took %v", took)
	}
	if list := d.sessions(); len(list) == 1 && list[0].Waiter.PID != 0 {
		t.Errorf("something waited beside it: %+v", list[0].Waiter)
	}
}

// waiter returns the process that waits beside the one session, or 0.
func (d *desk) waiter() int {
	if list := d.sessions(); len(list) == 1 && list[0].Waiter.Runs() {
		return list[0].Waiter.PID
	}
	return 0
}

func runs(pid int) bool { return exec.Command("kill", "-0", strconv.Itoa(pid)).Run() == nil }

// light holds that what waits takes little memory and next to no processor time.
func light(t *testing.T, pid int) {
	t.Helper()
	proc := "/proc/" + strconv.Itoa(pid)
	status, err := os.ReadFile(proc + "/status")
	if err != nil {
		t.Fatal(err)
	}
	rss := regexp.MustCompile(`VmRSS:\s+(\d+) kB`).FindSubmatch(status)
	if rss == nil {
		t.Fatalf("%s", status)
	}
	t.Logf("the waiter has %s kB", rss[1])
	if kb, _ := strconv.Atoi(string(rss[1])); kb > 15<<10 {
		t.Errorf("the waiter takes %d kB", kb)
	}
}
