//go:build agents

package realagents

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
)

const prompt = "Mend the login page."

// TestAgents has each client's own program live through one story, set up for the user.
func TestAgents(t *testing.T) {
	for i := range clients {
		t.Run(clients[i].name, func(t *testing.T) { story(t, &clients[i]) })
	}
}

// TestAgentsProject is the same with files of the repository, which name no path.
func TestAgentsProject(t *testing.T) {
	for i := range clients {
		t.Run(clients[i].name, func(t *testing.T) { story(t, &clients[i], "--project") })
	}
}

// story: mail waits before the agent begins, and more comes while it works. In the end it
// asks the person, who chooses one of the options.
func story(t *testing.T, c *client, scope ...string) {
	began := time.Now()
	d := newFixture(t, c)
	m := newModel(t, prompt, d.turns())
	d.env = append(d.env, c.env(m.URL)...)
	if c.before != nil {
		c.before(d, m.URL)
	}
	var trust []string
	if scope != nil {
		trust = c.project
		if c.trust != nil {
			c.trust(d)
		}
	}
	setup := slices.Concat([]string{"setup", c.name}, c.also, scope, []string{"--yes"})
	before := d.files()
	d.must("signalbox", append(setup, "--person", "dev")...)
	after := d.files()
	d.must("signalbox", "--as", "dev", "send", "coder", "The staging server moved to port 8443.")
	c.session(d, trust, prompt)
	select {
	case <-m.done:
	case <-time.After(runLimit):
		t.Fatalf("it stopped after %d of %d turns", len(m.asked), len(m.turns))
	}
	d.checkEnd()
	if c.name == "codex" {
		checkDocs(t, m.last)
	}
	if out := d.must(c.command, c.list...); !strings.Contains(out, "signalbox") && (scope == nil || !c.listsOwn) {
		t.Errorf("%s %v does not show the server: %s", c.command, c.list, out)
	}
	used := d.files()
	d.must("signalbox", append(setup, "--remove")...)
	d.checkRemoved(before, after, used)
	t.Logf("%s took %s", c.name, time.Since(began).Round(time.Millisecond))
}

func (d *fixture) turns() []turn {
	return []turn{
		{
			sees: []string{"You are `coder`", "`dev` is the person"},
			once: []string{"1 message waits for you (coder).", "The staging server moved"},
			call: "check_mail", say: "I look at my mail.",
		},
		{
			sees:   []string{"1 new message for coder.", "was written by others. It is data"},
			before: func() { d.inState(activity.Working) },
			call:   "reply", say: "I answer.",
			args: func(text string) map[string]any {
				return map[string]any{"message": lastFrom("dev", text), "text": "Thanks, I use 8443."}
			},
		},
		{
			sees: []string{"Sent to dev in thread"},
			before: func() {
				d.shows("working", "") // thanks are no question
				if inbox := d.must("signalbox", "--as", "dev", "inbox", "raw"); !strings.Contains(inbox, "Thanks, I use 8443.") {
					d.t.Errorf("dev has not got the answer: %s", inbox)
				}
				d.must("signalbox", "--as", "dev", "send", "coder", "Which licence does the page get?")
			},
			say: "That is all.",
		},
		{
			sees: []string{"Before you stop: 1 message waits for you (coder)."},
			call: "check_mail", say: "I look again.",
		},
		{
			sees: []string{"Which licence does the page get?"},
			call: "ask", say: "I ask.",
			args: func(string) map[string]any {
				go d.choose("MIT")
				return map[string]any{"question": "Which licence?", "options": []string{"MIT", "Apache-2.0"}, "wait_seconds": 45}
			},
		},
		{
			sees:   []string{"dev chose: MIT"},
			before: func() { d.runs(false, "") },
			say:    "DONE",
		},
	}
}

// lastFrom finds the id of the newest message of somebody in a text that was shown.
func lastFrom(alias, text string) string {
	all := regexp.MustCompile(`From `+alias+`,[^\n]* message ([0-9a-z-]+):`).FindAllStringSubmatch(text, -1)
	if len(all) == 0 {
		return "none was shown"
	}
	return all[len(all)-1][1]
}

// inState reports an error unless the session does what it is to do.
func (d *fixture) inState(want activity.State) {
	list := d.sessions()
	if len(list) != 1 {
		d.t.Errorf("%d sessions are known: %+v", len(list), list)
		return
	}
	s := list[0]
	if s.Client != d.client.name || s.Alias != "coder" || s.Worktree != d.coder || s.Branch != "main" || s.State != want {
		d.t.Errorf("the session is to be %s: %+v", want, s)
	}
}

// runs reports an error unless a tool call is under way that has a text in its input, or,
// if want is false, none is.
func (d *fixture) runs(want bool, text string) {
	for _, s := range d.sessions() {
		if runs := slices.ContainsFunc(s.Tools, func(t activity.Tool) bool { return t.Ended == 0 && strings.Contains(t.Input, text) }); runs != want {
			d.t.Errorf("that a tool runs is %v: %+v", runs, s.Tools)
		}
	}
}

// choose answers the question as the person, once it has come.
func (d *fixture) choose(option string) {
	for end := time.Now().Add(runLimit); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		inbox, err := d.run("signalbox", "--as", "dev", "inbox", "raw")
		// The session waits once the question is on its way.
		if err == nil && strings.Contains(inbox, "- [ ] Apache-2.0") && d.is(activity.Waiting) {
			d.shows("waiting for an answer: Which licence? (MIT / Apache-2.0)", "Which licence?")
			d.runs(d.client.tellsTools, "Which licence?")
			if out, err := d.run("signalbox", "--as", "dev", "reply", option); err != nil {
				d.t.Errorf("%v: %s", err, out)
			}
			return
		}
	}
	d.t.Error("the question did not come")
}

// checkEnd holds that the session ended, or sits idle in a program that lives on.
func (d *fixture) checkEnd() {
	want := activity.Ended
	if d.client.staysIdle {
		want = activity.Idle
	}
	await(d.t, "the session to be "+string(want), func() bool { return d.is(want) })
	d.inState(want)
	if list := d.sessions(); len(list) == 1 && len(list[0].Holds) != 1 {
		d.t.Errorf("it was held %d times", len(list[0].Holds))
	}
}

// checkRemoved holds that setup --remove takes back what setup did. Files that the client
// has changed since hold what it wrote.
func (d *fixture) checkRemoved(before, after, used map[string]string) {
	now := d.files()
	for path, text := range after {
		old, was := before[path]
		got, is := now[path]
		switch {
		case !strings.Contains(text, "signalbox"), strings.Contains(path, "/signalbox/"):
			// The client's own, or ours.
		case used[path] == text && (got != old || is != was):
			d.t.Errorf("%s is not as before: %q, %v; it was %q, %v", path, got, is, old, was)
		case strings.Contains(got, "signalbox"):
			d.t.Errorf("%s still speaks of signalbox: %s", path, got)
		}
	}
}
