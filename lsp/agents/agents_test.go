package agents

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
	"github.com/signalbox-dev/signalbox/lsp/agents/ask"
)

// eventTime is when hooks reported the state with which the cases begin.
var eventTime = time.Date(2026, 11, 26, 21, 6, 14, 250e6, time.UTC).UnixMilli()

// vague stands for a waiting session for which no hook reported what it waits for.
const vague activity.State = "vague"

// TestJudge combines the events of hooks with the ends of transcripts, as the programs write them
// when the person presses Esc in a dialog, and while they ask.
func TestJudge(t *testing.T) {
	const command = "waiting for permission: touch made"
	for _, c := range []struct {
		name, client, transcript string
		state                    activity.State
		since, now               int64 // after eventTime
		want                     string
	}{
		{"Claude Code asks", "claude", "claude-dialog", activity.Waiting, 0, 5_000, command},
		{"Claude Code is interrupted", "claude", "claude-esc", activity.Waiting, 0, 5_000, "idle"},
		{"Codex asks", "codex", "codex-dialog", activity.Waiting, 0, 5_000, command},
		{"Codex is interrupted", "codex", "codex-esc", activity.Waiting, 0, 5_000, "idle"},
		{"Codex is interrupted in a turn", "codex", "codex-esc", activity.Working, -1_000, 5_000, "idle"},
		{"Codex goes on after an interruption", "codex", "codex-esc", activity.Working, 4_000, 5_000, "working"},
		{"Codex asks in a form", "codex", "codex-question", activity.Working, 0, 5_000, "waiting for an answer: Which licence? (MIT / Apache-2.0)"},
		{"Codex has just ended a turn, whose hook runs", "codex", "codex-done", activity.Working, 0, 5_000, "working"},
		{"Codex has ended a turn, whose hook did not run", "codex", "codex-done", activity.Working, 0, 60_000, "idle"},
		{"Gemini asks, and its text says no more", "gemini", "gemini-dialog", activity.Waiting, 0, 5_000, command},
		{"Gemini is in a turn, and its text says no more", "gemini", "gemini-dialog", activity.Working, 0, 60_000, "working"},
		{"Gemini is interrupted", "gemini", "gemini-esc", activity.Waiting, 0, 5_000, "idle"},
		{"Copilot is in its first turn", "copilot", "copilot-turn", activity.Working, -600, 5_000, "working"},
		{"Copilot asks, which no hook tells", "copilot", "copilot-dialog", activity.Working, -600, 5_000, command},
		{"Copilot asks in a form right after a no", "copilot", "copilot-form", activity.Waiting, 0, 5_000, "waiting for an answer: Which licence? (MIT / Apache-2.0)"},
		{"Copilot is interrupted", "copilot", "copilot-esc", activity.Working, -600, 5_000, "idle"},
		{"Copilot is interrupted, which it records first", "copilot", "copilot-esc-late", activity.Working, -600, 5_000, "idle"},
		{"an idle one stays what its hook told", "copilot", "copilot-dialog", activity.Idle, 0, 5_000, "idle"},
		{"a turn begins without a hook", "copilot", "copilot-dialog", activity.Idle, -5_000, 5_000, command},
		{"another call ended while Claude Code asks", "claude", "claude-beside", activity.Waiting, 0, 10_000, command},
		{"Claude Code asks, and its notice alone came", "claude", "claude-dialog", vague, 0, 5_000, command},
		{"Codex goes on after a turn that was killed, and rests", "codex", "codex-resumed", activity.Idle, 1_000, 5_000, "idle"},
		{"Codex ended a turn, and its hook ran", "codex", "codex-done", activity.Idle, 900, 60_000, "idle"},
		{"no transcript", "codex", "none", activity.Waiting, 0, 5_000, command},
		{"a program whose transcripts are not read", "opencode", "codex-esc", activity.Waiting, 0, 5_000, command},
	} {
		t.Run(c.name, func(t *testing.T) {
			file, err := filepath.Abs(filepath.Join("testdata", c.transcript+".jsonl"))
			if err != nil {
				t.Fatal(err)
			}
			at := eventTime + c.since
			s := activity.Session{Client: c.client, ID: "s1", Transcript: file, State: c.state, Since: at, Heard: at}
			switch c.state {
			case activity.Waiting:
				s.For = "permission: touch made"
			case vague:
				s.State = activity.Waiting
			}
			j := &judge{terminals: func(string) ([]activity.Program, bool) { return nil, false }}
			for range 2 { // from what is kept, too
				now := []activity.Session{s}
				if j.judge(now, eventTime+c.now); now[0].Doing() != c.want {
					t.Errorf("%s, want %s", now[0].Doing(), c.want)
				}
			}
		})
	}
}

// TestClaudeOwn uses Claude Code's own record, if its process runs.
func TestClaudeOwn(t *testing.T) {
	home, pid := t.TempDir(), os.Getpid()
	dialog := activity.Session{
		Client: "claude", ID: "s1", Transcript: filepath.Join(home, "projects", "p", "s1.jsonl"),
		State: activity.Waiting, For: "permission: touch made", Since: eventTime, Heard: eventTime, Process: activity.Process{PID: pid},
	}
	idle := dialog
	idle.State, idle.For = activity.Idle, ""
	beside := dialog // another call's end was told
	beside.State, beside.For, beside.Since, beside.Heard = activity.Working, "", eventTime+1_000, eventTime+1_000
	if err := os.Mkdir(filepath.Join(home, "sessions"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, file string
		is         activity.Session
		want       string
	}{
		{"it asks, too", `{"pid":PID,"sessionId":"s1","status":"waiting","waitingFor":"permission prompt","statusUpdatedAt":AT+14}`, dialog, "waiting for permission: touch made"},
		{"interrupted", `{"pid":PID,"sessionId":"s1","status":"idle","statusUpdatedAt":AT+900}`, dialog, "idle"},
		{"answered in the terminal", `{"pid":PID,"sessionId":"s1","status":"busy","statusUpdatedAt":AT+900}`, dialog, "working"},
		{"it asks what no hook told", `{"pid":PID,"sessionId":"s1","status":"waiting","waitingFor":"permission prompt","statusUpdatedAt":AT+900}`, idle, "waiting for permission"},
		{"another call ended, and it still asks", `{"pid":PID,"sessionId":"s1","status":"waiting","waitingFor":"permission prompt","statusUpdatedAt":AT+14}`, beside, "waiting for permission"},
		{"older than the hook", `{"pid":PID,"sessionId":"s1","status":"busy","statusUpdatedAt":AT-10}`, dialog, "waiting for permission: touch made"},
		{"of another session", `{"pid":PID,"sessionId":"s2","status":"idle","statusUpdatedAt":AT+900}`, dialog, "waiting for permission: touch made"},
		{"of another process", `{"pid":1,"sessionId":"s1","status":"idle","statusUpdatedAt":AT+900}`, dialog, "waiting for permission: touch made"},
		{"in a later version's words", `{"pid":PID,"sessionId":"s1","status":"dreaming","statusUpdatedAt":AT+900}`, dialog, "waiting for permission: touch made"},
		{"no JSON", `{`, dialog, "waiting for permission: touch made"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := strings.ReplaceAll(c.file, "PID", fmt.Sprint(pid))
			for _, d := range []int64{14, 900, -10} {
				text = strings.ReplaceAll(text, fmt.Sprintf("AT%+d", d), fmt.Sprint(eventTime+d))
			}
			if err := os.WriteFile(filepath.Join(home, "sessions", fmt.Sprint(pid)+".json"), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			j := &judge{terminals: activity.Programs}
			now := []activity.Session{c.is}
			if j.judge(now, eventTime+5_000); now[0].Doing() != c.want {
				t.Errorf("%s, want %s", now[0].Doing(), c.want)
			}
		})
	}
}

// TestShows finds the terminal of Codex in which a session may go on.
func TestShows(t *testing.T) {
	s := activity.Session{ID: "01a2", Folder: "/home/dev/coder/web", Worktree: "/home/dev/coder"}
	for _, c := range []struct {
		name string
		p    activity.Program
		want bool
	}{
		{"in its folder", activity.Program{Folder: "/home/dev/coder/web"}, true},
		{"in its work tree", activity.Program{Folder: "/home/dev/coder"}, true},
		{"in another work tree", activity.Program{Folder: "/home/dev/reviewer"}, false},
		{"given the folder", activity.Program{Folder: "/home/dev", Args: "codex\x00-C\x00/home/dev/coder/web\x00"}, true},
		{"given a folder that begins like it", activity.Program{Folder: "/home/dev", Args: "codex\x00-C\x00/home/dev/coder/website\x00"}, false},
		{"resumed", activity.Program{Folder: "/home/dev", Args: "codex\x00resume\x0001a2\x00"}, true},
		{"where the system does not tell", activity.Program{}, true},
	} {
		if got := shows(&c.p, &s); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// TestClosedCodex: Codex runs turns in a process that outlives its terminals, and says nothing
// once a terminal is closed.
func TestClosedCodex(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestDaemon$", "app-server", "--listen", "unix://")
	cmd.Env = append(os.Environ(), "AS_DAEMON=1")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = in.Close(); _ = cmd.Wait() }()
	if _, err := out.Read(make([]byte, 1)); err != nil { // its arguments can be read only once it runs
		t.Fatal(err)
	}
	for _, c := range []struct {
		name      string
		state     activity.State
		terminals []activity.Program
		ok        bool
		want      activity.State
	}{
		{"its terminal runs", activity.Idle, []activity.Program{{Folder: "/home/dev/coder"}}, true, activity.Idle},
		{"its terminal was closed", activity.Idle, nil, true, activity.Ended},
		{"closed in its dialog", activity.Waiting, []activity.Program{{Folder: "/home/dev/reviewer"}}, true, activity.Ended},
		{"closed in its turn, which goes on", activity.Working, nil, true, activity.Working},
		{"where the system does not tell", activity.Idle, nil, false, activity.Idle},
	} {
		list := []activity.Session{{
			Client: "codex", ID: "s1", Folder: "/home/dev/coder", State: c.state, For: "permission: touch made", Since: eventTime, Heard: eventTime,
			Process: activity.Process{PID: cmd.Process.Pid},
		}}
		j := &judge{terminals: func(string) ([]activity.Program, bool) { return c.terminals, c.ok }}
		if j.judge(list, eventTime+5_000); list[0].State != c.want {
			t.Errorf("%s: %s", c.name, list[0].Doing())
		}
	}
}

// TestDaemon is the process of [TestClosedCodex].
func TestDaemon(t *testing.T) {
	if os.Getenv("AS_DAEMON") != "" {
		_, _ = os.Stdout.WriteString("runs")
		_, _ = io.Copy(io.Discard, os.Stdin)
	}
}

// TestRequest: a session waits while its hook waits for the person's decision, whatever other
// hooks reported, and no longer.
func TestRequest(t *testing.T) {
	dir := t.TempDir()
	f := At(dir)
	doing := func() string {
		t.Helper()
		list, errs := f.List(eventTime)
		if len(list) != 1 || len(errs) > 0 {
			t.Fatal(list, errs)
		}
		return list[0].Doing()
	}
	become := func(state activity.State, waitsFor string) {
		t.Helper()
		if err := f.Change(t.Context(), "claude", "s1", func(s *activity.Session) bool { s.Become(state, waitsFor, eventTime); return true }); err != nil {
			t.Fatal(err)
		}
	}
	asks := func(agent string) *ask.Waiting {
		t.Helper()
		w, err := ask.At(dir).Put(t.Context(), ask.Request{
			Client: "claude", Session: "s1", Agent: agent, Kind: ask.Permission, Tool: "Bash", Input: json.RawMessage(`{"command":"touch made"}`), Since: eventTime, Until: eventTime + 60_000,
		})
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	become(activity.Working, "")
	asks("a1")
	if got := doing(); got != "waiting for permission: touch made" {
		t.Error(got)
	}
	become(activity.Waiting, "permission: touch made")
	w := asks("a2")
	if err := ask.At(dir).Answer(t.Context(), ask.Answer{ID: w.ID, Hash: w.Hash, Allow: true}); err != nil {
		t.Fatal(err)
	}
	if got := doing(); got != "waiting for permission: touch made" {
		t.Errorf("one of two was answered: %s", got)
	}
	if err := ask.At(dir).Over(t.Context(), "claude", "s1", func(*ask.Request) bool { return true }); err != nil {
		t.Fatal(err)
	}
	if got := doing(); got != "working" {
		t.Errorf("both are over: %s", got)
	}
	w.Done(t.Context())
	if got := doing(); got != "waiting for permission: touch made" {
		t.Errorf("nobody wrote down that it goes on: %s", got)
	}
}

// TestAsk: while a tool of ours waits for the person's answer, the session waits for it; not
// once that process is gone.
func TestAsk(t *testing.T) {
	dir := t.TempDir()
	f := At(dir)
	state := func() activity.Session {
		t.Helper()
		list, errs := f.List(eventTime)
		if len(list) != 1 || len(errs) > 0 {
			t.Fatal(list, errs)
		}
		return list[0]
	}
	change := func(change func(s *activity.Session)) {
		t.Helper()
		if err := f.Change(t.Context(), "gemini", "s1", func(s *activity.Session) bool { change(s); return true }); err != nil {
			t.Fatal(err)
		}
	}
	change(func(s *activity.Session) { s.Alias = "coder"; s.Become(activity.Working, "", eventTime) })
	f.Asking(t.Context(), "nobody", "", "an answer: What?", eventTime)()
	answered := f.Asking(t.Context(), "coder", "", "an answer: Which licence? (MIT / Apache-2.0)", eventTime)
	if s := state(); s.Doing() != "waiting for an answer: Which licence? (MIT / Apache-2.0)" || s.Ask.Text == "" {
		t.Error(s.Doing())
	}
	again := f.Asking(t.Context(), "coder", "", "an answer: Which port?", eventTime)
	answered()
	if s := state(); s.Doing() != "waiting for an answer: Which port?" {
		t.Error(s.Doing())
	}
	change(func(s *activity.Session) { s.Become(activity.Waiting, "permission: touch made", eventTime+1_000) })
	if s := state(); s.Doing() != "waiting for permission: touch made" || s.Ask.Text != "" {
		t.Error(s.Doing()) // a subagent asks: nobody sees that in the mail
	}
	change(func(s *activity.Session) { s.Become(activity.Working, "", eventTime) })
	again()
	if s := state(); s.Doing() != "working" || s.Ask.Text != "" {
		t.Error(s.Doing())
	}
	change(func(s *activity.Session) {
		s.Ask = activity.Ask{Text: "an answer: Gone?", Process: activity.Process{PID: os.Getpid(), Start: "never"}}
	})
	if s := state(); s.Doing() != "working" || s.Ask.Text != "" {
		t.Error(s.Doing())
	}
}
