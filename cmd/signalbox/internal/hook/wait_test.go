package hook

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
	"github.com/signalbox-dev/signalbox/lsp/who/environ"
)

// waiter is a hook that waits beside the session s1, as its program runs it.
type waiter struct {
	*hook
	out, err bytes.Buffer
	ended    chan error
}

// wait starts one for a program whose sessions sit at their prompts, or not.
func (m *machine) wait(ctx context.Context, c client, sits bool) *waiter {
	w := &waiter{ended: make(chan error, 1)}
	now := m.now
	w.hook = &hook{
		Options: &cli.Options{Dir: m.path("mail"), Program: &cli.Program{
			Env: environ.Env{Getenv: func(k string) string { return m.env[k] }, Home: m.home, Work: m.home},
			Now: func() time.Time { return now }, Stdout: &w.out, Stderr: &w.err,
		}},
		value: func() string { return "abcdefghijklmnop" }, every: time.Millisecond,
		sits: func(*activity.Session) bool { return sits },
	}
	in := fmt.Sprintf(`{"session_id":"s1","cwd":%q,"hook_event_name":"Stop"}`, m.path("coder"))
	go func() { w.ended <- w.run(ctx, strings.NewReader(in), []string{string(c), "wait"}) }()
	return w
}

// session returns what is recorded of s1.
func (m *machine) session(c client) activity.Session {
	m.t.Helper()
	s, err := activity.At(m.path("state")).Read(string(c), "s1")
	if err != nil {
		m.t.Fatal(err)
	}
	return s
}

// until waits until something is so.
func (m *machine) until(is func() bool) {
	m.t.Helper()
	for !is() {
		if m.t.Context().Err() != nil {
			m.t.Fatal("it never is")
		}
		runtime.Gosched()
	}
}

// idle has a session begin and stop, with a waiter beside it.
func (m *machine) idle(ctx context.Context, c client) *waiter {
	m.t.Helper()
	start, prompt, stop := "SessionStart", "UserPromptSubmit", "Stop"
	if c == opencode {
		start, prompt, stop = "start", "prompt", "stop"
	}
	// It is kept from stopping once if mail waits.
	for _, name := range []string{start, prompt, stop, stop} {
		m.event(c, name, "")
	}
	w := m.wait(ctx, c, true)
	m.until(func() bool { s := m.session(c); return s.Wakeable() })
	return w
}

// TestWake wakes an idle session when mail comes, once for each message, in the form that its
// program takes.
func TestWake(t *testing.T) {
	for _, c := range []client{claude, opencode} {
		t.Run(string(c), func(t *testing.T) {
			m := newMachine(t)
			m.write("planner", "read before it began")
			w := m.idle(t.Context(), c)
			m.write("planner", "the build is red")
			if err := <-w.ended; err != nil || !w.woke {
				t.Fatal(err, w.woke)
			}
			text := w.err.String()
			if c == opencode {
				how := ""
				if how, text = said(t, w.out.String()); how != "hold" {
					t.Error(how)
				}
			} else if w.out.Len() > 0 {
				t.Errorf("on stdout: %s", &w.out)
			}
			if !strings.HasPrefix(text, "1 message waits for you (coder).") || !strings.Contains(text, "the build is red") || strings.Contains(text, "before it began") {
				t.Errorf("%q", text)
			}
			if s := m.session(c); s.State != activity.Working || s.Wakeable() && s.Waiter != activity.Self() {
				t.Errorf("%+v", s)
			}
			stop := map[client]string{claude: "Stop", opencode: "stop"}[c]
			if out := m.event(c, stop, ""); out != "" {
				t.Errorf("held for what woke it: %s", out)
			}
		})
	}
}

// TestWaits: there is one waiter a session, beside a session that sits at a prompt, and as
// long as it does.
func TestWaits(t *testing.T) {
	t.Run("one", func(t *testing.T) {
		m := newMachine(t)
		ctx, cancel := context.WithCancel(t.Context())
		first := m.idle(ctx, claude)
		second := m.wait(t.Context(), claude, true)
		if err := <-second.ended; err != nil || second.woke {
			t.Error(err)
		}
		cancel()
		if err := <-first.ended; err != nil || first.woke {
			t.Error(err)
		}
		third := m.wait(t.Context(), claude, true) // the lock went with the first
		m.write("planner", "the build is red")
		if err := <-third.ended; err != nil || !third.woke {
			t.Error(err)
		}
	})
	t.Run("for one answer", func(t *testing.T) {
		m := newMachine(t)
		m.event(claude, "SessionStart", "")
		w := m.wait(t.Context(), claude, false)
		if err := <-w.ended; err != nil || w.woke {
			t.Error(err)
		}
	})
	t.Run("ended", func(t *testing.T) {
		m := newMachine(t)
		w := m.idle(t.Context(), claude)
		m.event(claude, "SessionEnd", "")
		if err := <-w.ended; err != nil || w.woke {
			t.Error(err)
		}
	})
	t.Run("killed", func(t *testing.T) {
		m := newMachine(t)
		w := m.idle(t.Context(), claude)
		err := activity.At(m.path("state")).Change(t.Context(), "claude", "s1", func(s *activity.Session) bool {
			s.Process = activity.Self()
			s.Process.Start = "never"
			return true
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := <-w.ended; err != nil || w.woke {
			t.Error(err)
		}
	})
	t.Run("at work", func(t *testing.T) {
		m := newMachine(t)
		w := m.idle(t.Context(), claude)
		m.event(claude, "UserPromptSubmit", "")
		m.write("planner", "the build is red")
		if out := m.event(claude, "PostToolUse", ""); !strings.Contains(out, "the build is red") {
			t.Errorf("the hook says %q", out)
		}
		m.event(claude, "Stop", "") // kept from stopping
		m.event(claude, "Stop", "")
		m.write("planner", "and green again")
		if err := <-w.ended; err != nil || !w.woke || strings.Contains(w.err.String(), "is red") || !strings.Contains(w.err.String(), "green again") {
			t.Errorf("%v %v %s", err, w.woke, &w.err)
		}
	})
	t.Run("interrupted", func(t *testing.T) {
		m := newMachine(t)
		w := m.idle(t.Context(), claude)
		transcript := m.path("s1.jsonl")
		m.event(claude, "UserPromptSubmit", fmt.Sprintf(`,"transcript_path":%q`, transcript))
		// Esc, which no hook tells of.
		at := m.now.Add(500 * time.Millisecond).UTC().Format(time.RFC3339Nano)
		line := fmt.Sprintf(`{"type":"user","message":{"role":"user","content":[{"type":"text","text":"[Request interrupted by user]"}]},"uuid":"u2","timestamp":%q,"sessionId":"s1"}`, at)
		if err := os.WriteFile(transcript, []byte(line+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		m.write("planner", "the build is red")
		if err := <-w.ended; err != nil || !w.woke || !strings.Contains(w.err.String(), "is red") {
			t.Errorf("%v %v %s", err, w.woke, &w.err)
		}
	})
	t.Run("too often", func(t *testing.T) {
		m := newMachine(t)
		ctx, cancel := context.WithCancel(t.Context())
		w := m.idle(ctx, claude)
		err := activity.At(m.path("state")).Change(t.Context(), "claude", "s1", func(s *activity.Session) bool {
			for range activity.MaxHolds {
				s.Holds = append(s.Holds, m.now.UnixMilli())
			}
			return true
		})
		if err != nil {
			t.Fatal(err)
		}
		m.write("planner", "the build is red")
		seen := m.session(claude)
		cancel()
		if err := <-w.ended; err != nil || w.woke || seen.State != activity.Idle {
			t.Error(err, w.woke)
		}
	})
}

// TestWaitExit: Claude Code wakes by the exit code alone.
func TestWaitExit(t *testing.T) {
	m := newMachine(t)
	if err := m.run(io.Discard, strings.NewReader(`{"session_id":"s1","hook_event_name":"Stop"}`), "claude", "wait"); err != nil {
		t.Errorf("a session that nobody knows: %v", err)
	}
	if log := m.log(); log != "" {
		t.Error(log)
	}
}
