package agents

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
	"github.com/signalbox-dev/signalbox/lsp/who"
)

const codexID = "0199aa00-1111-7222-8333-944455556666"

// reaching returns a Reaching for which these programs run as Codex in terminals.
func reaching(list []activity.Session, programs ...activity.Program) *Reaching {
	return &Reaching{Sessions: list, Mail: "/mail", Trees: func() []who.Known { return nil }, codex: func() ([]activity.Program, bool) { return programs, programs != nil }}
}

// TestWay has a row for each state of an agent.
func TestWay(t *testing.T) {
	self := activity.Self()
	self.Terminal = ""
	here := func(s *activity.Session) bool { return s.Folder == "/here" }
	codex := activity.Session{Client: "codex", ID: codexID, State: activity.Idle, Folder: "/home/dev/coder", Since: 10}
	before := activity.Session{Client: "codex", ID: "0199aa00-1111-7222-8333-000000000000", State: activity.Idle, Folder: "/home/dev/coder", Since: 5}
	in := activity.Program{Folder: "/home/dev/coder", Args: "codex\x00"}
	for _, c := range []struct {
		name     string
		s        activity.Session
		here     func(*activity.Session) bool
		others   []activity.Session
		programs []activity.Program
		want     Way
	}{
		{name: "at work", s: activity.Session{State: activity.Working}, want: Send},
		{name: "waits for the person", s: activity.Session{State: activity.Waiting, Folder: "/here"}, here: here, want: Send},
		{name: "idle, with a waiter", s: activity.Session{State: activity.Idle, Waiter: self, Folder: "/here"}, here: here, want: Wake},
		{name: "idle, with a waiter, and woken too often", s: activity.Session{State: activity.Idle, Waiter: self, Holds: make([]int64, activity.MaxHolds)}, want: Wait},
		{name: "idle, whose waiter is gone", s: activity.Session{State: activity.Idle, Waiter: activity.Process{PID: os.Getpid(), Start: "never"}}, want: Wait},
		{name: "idle in a terminal of the window", s: activity.Session{State: activity.Idle, Folder: "/here"}, here: here, want: Type},
		{name: "idle in another terminal", s: activity.Session{State: activity.Idle, Folder: "/there"}, here: here, want: Wait},
		{name: "idle, and nobody has a window", s: activity.Session{State: activity.Idle, Folder: "/here"}, want: Wait},
		{name: "ended", s: activity.Session{State: activity.Ended, Waiter: self, Folder: "/here"}, here: here, want: Continue},
		{name: "Codex, shown", s: codex, programs: []activity.Program{in}, want: Wake},
		{name: "Codex, of which nobody knows terminals", s: codex, want: Wait},
		{name: "Codex, whose terminal runs in another folder", s: codex, programs: []activity.Program{{Folder: "/home/dev/reviewer", Args: "codex\x00"}}, want: Wait},
		{name: "Codex, where the system tells no folders", s: codex, programs: []activity.Program{{Args: "codex\x00"}}, want: Wait},
		{name: "Codex, resumed in a terminal", s: before, others: []activity.Session{codex}, programs: []activity.Program{{Folder: "/", Args: "codex\x00resume\x00" + before.ID + "\x00"}}, want: Wake},
		{name: "Codex, whose terminal was started for another session", s: codex, programs: []activity.Program{{Folder: "/home/dev/coder", Args: "codex\x00resume\x00" + before.ID + "\x00"}}, want: Wait},
		{name: "Codex, whose terminal shows a later session", s: before, others: []activity.Session{codex}, programs: []activity.Program{in}, want: Wait},
		{name: "Codex, two sessions in two terminals", s: before, others: []activity.Session{codex}, programs: []activity.Program{in, in}, want: Wake},
		{name: "Codex, under an id that is none", s: activity.Session{Client: "codex", ID: "--help", State: activity.Idle, Folder: "/home/dev/coder"}, programs: []activity.Program{in}, want: Wait},
		{name: "Codex at work", s: activity.Session{Client: "codex", ID: codexID, State: activity.Working, Folder: "/home/dev/coder"}, programs: []activity.Program{in}, want: Send},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.s.Alias = "coder"
			r := reaching(append(c.others, c.s), c.programs...)
			r.Here = c.here
			if got := r.Of(&c.s); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// TestOfRecorded has a row for each kind of session that a program recorded.
func TestOfRecorded(t *testing.T) {
	r := reaching(nil)
	for _, c := range []struct {
		name            string
		s               activity.Session
		hooked, resumes bool
		want            Way
	}{
		{"of which hooks tell", activity.Session{Alias: "coder", State: activity.Working}, true, false, Send},
		{"whose agent has no name", activity.Session{State: activity.Working}, true, false, ""},
		{"that reads other mail", activity.Session{Alias: "coder", Mail: "/other", State: activity.Idle}, true, false, ""},
		{"that read other mail and has ended", activity.Session{Alias: "coder", Mail: "/other", State: activity.Ended}, true, true, Continue},
		{"that has ended, and no command goes on with it", activity.Session{Alias: "coder", State: activity.Ended}, true, false, ""},
		{"without hooks, ended", activity.Session{State: activity.Ended}, false, true, Continue},
		{"without hooks, whose transcript ends in an answer", activity.Session{State: activity.Idle}, false, true, Continue},
		{"without hooks, that nothing goes on with", activity.Session{State: activity.Ended}, false, false, ""},
		{"without hooks, that is known to sit idle", activity.Session{State: activity.Idle}, false, false, SetUp},
		{"without hooks, at work", activity.Session{State: activity.Working}, false, true, SetUp},
		{"without hooks, silent", activity.Session{State: activity.Quiet}, false, true, SetUp},
	} {
		if got := r.OfRecorded(&c.s, c.hooked, c.resumes); got != c.want {
			t.Errorf("one %s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestNamed finds the session that mail to a name reaches.
func TestNamed(t *testing.T) {
	r := reaching([]activity.Session{
		{ID: "1", Alias: "coder", State: activity.Idle},
		{ID: "2", Alias: "coder", State: activity.Working},
		{ID: "3", Alias: "coder", State: activity.Ended},
		{ID: "4", Alias: "shop-fix", Also: "fix", Mail: "/mail", State: activity.Idle},
		{ID: "5", Alias: "gone", State: activity.Ended, Client: "claude", Folder: "/gone"},
		{ID: "6", Alias: "a b", State: activity.Idle},
	})
	for _, c := range []struct {
		alias, mail, id string
		way             Way
	}{
		{"coder", "/mail", "2", Send},
		{"shop-fix", "/mail", "4", Wait},
		{"fix", "/mail", "4", Wait},
		{"fix", "/other", "", ""},
		{"gone", "/mail", "5", Continue},
		{"nobody", "/mail", "", ""},
		{"", "/mail", "", ""},
	} {
		r.Mail = c.mail
		s, way := r.Named(c.alias)
		if id := ""; s != nil {
			id = s.ID
			if id != c.id || way != c.way {
				t.Errorf("%s: %s %s", c.alias, id, way)
			}
		} else if c.id != "" {
			t.Errorf("%s: nobody", c.alias)
		}
	}
	r.Trees = func() []who.Known {
		return []who.Known{{Name: "reviewer", Tree: "/reviewer"}, {Name: "coder", Tree: "/coder"}}
	}
	var got []string
	for _, p := range r.Parties() {
		got = append(got, p.Alias+": "+p.About())
	}
	want := []string{"coder: working", "reviewer: no agent at work", "shop-fix: idle, until somebody goes on there"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for alias, want := range map[string]string{
		"coder": "at its next step", "fix": "reads this when somebody goes on", "gone": "has ended", "reviewer": "the next one reads this as reviewer", "dev": "",
	} {
		p := r.Party(alias)
		if outcome := p.Outcome(); !strings.Contains(outcome, want) || want == "" && outcome != "" {
			t.Errorf("%s: %q", alias, outcome)
		}
	}
}

// TestWake queues our own words, not too often, and only for Codex.
func TestWake(t *testing.T) {
	f := activity.At(t.TempDir())
	const now = 1_795_000_000_000
	heard := int64(now)
	change := func(state activity.State, waiter activity.Process) activity.Session {
		t.Helper()
		if err := f.Change(t.Context(), "codex", codexID, func(s *activity.Session) bool {
			s.Alias, s.Folder, s.Waiter, s.Holds = "coder", "/coder", waiter, nil
			heard++
			s.Become(state, "", heard)
			return true
		}); err != nil {
			t.Fatal(err)
		}
		s, err := f.Read("codex", codexID)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	r := reaching(nil, activity.Program{Folder: "/coder", Args: "codex\x00"})
	r.Now = now
	var ran [][]string
	fails := error(nil)
	woken := func(s activity.Session) Way {
		t.Helper()
		return r.Wake(t.Context(), f, Party{"coder", r.Of(&s), &s, "/coder"}, func(_ context.Context, argv ...string) error {
			ran = append(ran, argv)
			return fails
		})
	}
	idle := change(activity.Idle, activity.Process{})
	if way := woken(idle); way != Wake || !slices.Equal(ran[0], []string{"codex", "queue", "--thread", codexID, "--message", Nudge}) {
		t.Error(way, ran)
	}
	fails = errors.New("no daemon")
	if way := woken(idle); way != Wait || len(ran) != 2 {
		t.Error("it was not queued:", way, ran)
	}
	for range activity.MaxHolds {
		woken(idle)
	}
	if len(ran) != activity.MaxHolds {
		t.Errorf("queued %d times in an hour", len(ran))
	}
	// It went on meanwhile, or has a waiter of its own.
	ran, fails = nil, nil
	change(activity.Working, activity.Process{})
	if way := woken(idle); way != Wait || len(ran) != 0 {
		t.Error(way, ran)
	}
	if way := woken(change(activity.Idle, activity.Self())); way != Wake || len(ran) != 0 {
		t.Error(way, ran)
	}
	// No event reports that a turn was interrupted.
	interrupted := change(activity.Working, activity.Process{})
	interrupted.State = activity.Idle
	if way := woken(interrupted); way != Wake || len(ran) != 1 {
		t.Error(way, ran)
	}
}

// TestPrompted makes command lines in which the prompt is one word that cannot be an option or a
// command.
func TestPrompted(t *testing.T) {
	for _, c := range []struct {
		client, prompt string
		resumed        bool
		want           []string
	}{
		{"claude", "go on, please", true, []string{"claude", "--resume", codexID, "go on, please"}},
		{"codex", "go on\n`rm -rf ~`", true, []string{"codex", "resume", codexID, "go on\n`rm -rf ~`"}},
		{"gemini", "go on, please", true, []string{"gemini", "--resume", codexID, "-i", "go on, please"}},
		{"copilot", "go on, please", true, []string{"copilot", "--resume", codexID, "-i", "go on, please"}},
		{"claude", "--dangerously-skip-permissions", false, []string{"claude", " --dangerously-skip-permissions"}},
		{"claude", "update", false, []string{"claude", " update"}},
		{"opencode", "go on, please", false, nil},
	} {
		argv := []string{c.client}
		if c.resumed {
			argv = Resume(c.client, codexID)
		}
		got, ok := Prompted(c.client, argv, c.prompt)
		if ok != (c.want != nil) || ok && !slices.Equal(got, c.want) {
			t.Errorf("%s %q: %q", c.client, c.prompt, got)
		}
	}
	for _, id := range []string{"", "--help", "s1", codexID + ";rm", codexID + " x"} {
		if words := Resume("claude", id); words != nil {
			t.Errorf("%q: %q", id, words)
		}
	}
}
