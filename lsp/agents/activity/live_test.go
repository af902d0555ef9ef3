package activity

import (
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var liveNow = time.UnixMilli(1_795_000_000_000)

// become records a state as a hook does.
func become(t *testing.T, f Folder, id string, state State, p Process) {
	t.Helper()
	err := f.Change(t.Context(), "codex", id, func(s *Session) bool {
		s.Process, s.Held = p, append(s.Held, "k")
		s.Become(state, "", liveNow.UnixMilli())
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestLive follows a folder that is made later, and reports only changes that are shown.
func TestLive(t *testing.T) {
	f := At(t.TempDir())
	changed := make(chan struct{}, 100)
	l := Open(Config{
		Folder: f, Now: func() time.Time { return liveNow }, Logger: slog.New(slog.DiscardHandler),
		Changed: func() { changed <- struct{}{} },
	})
	defer l.Close()
	if err := l.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	steps := []struct {
		name     string
		do       func()
		want     []string
		errs     int
		notified int
	}{
		{"nothing there", func() {}, nil, 0, 0},
		{"one begins", func() { become(t, f, "a", Working, Process{}) }, []string{"a working"}, 0, 1},
		{"is heard of again", func() { become(t, f, "a", Working, Process{}) }, []string{"a working"}, 0, 0},
		{"is told of mail", func() {
			err := f.Change(t.Context(), "codex", "a", func(s *Session) bool { s.Notified = []string{"dev:1"}; return true })
			if err != nil {
				t.Fatal(err)
			}
		}, []string{"a working"}, 0, 1},
		{"waits, and another sits idle", func() {
			become(t, f, "a", Waiting, Process{})
			become(t, f, "b", Idle, Process{PID: os.Getpid()})
		}, []string{"a waiting", "b idle"}, 0, -1},
		{"its process is gone", func() { become(t, f, "b", Idle, Process{PID: os.Getpid(), Start: "never"}) }, []string{"a waiting", "b ended"}, 0, 1},
		{"no session", func() {
			if err := os.WriteFile(filepath.Join(f.Path, "x.json"), []byte("{"), 0o600); err != nil {
				t.Fatal(err)
			}
		}, []string{"a waiting", "b ended"}, 1, 1},
		{"under another name", func() {
			data, err := os.ReadFile(filepath.Join(f.Path, "codex-a.json"))
			if err == nil {
				err = os.WriteFile(filepath.Join(f.Path, "x.json"), data, 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
		}, []string{"a waiting", "b ended"}, 1, 1},
		{"removed", func() {
			if err := os.RemoveAll(f.Path); err != nil {
				t.Fatal(err)
			}
		}, nil, 0, -1},
	}
	for _, step := range steps {
		t.Run(step.name, func(t *testing.T) {
			step.do()
			if err := l.Sync(t.Context()); err != nil {
				t.Fatal(err)
			}
			snap := l.Now()
			var got []string
			for _, s := range snap.Sessions {
				got = append(got, s.ID+" "+string(s.State))
				if s.Held != nil || s.Heard != 0 {
					t.Errorf("%+v", s)
				}
			}
			if diff := cmp.Diff(step.want, got); diff != "" || len(snap.Errs) != step.errs {
				t.Errorf("%v %s", snap.Errs, diff)
			}
			if n := len(changed); step.notified >= 0 && n != step.notified {
				t.Errorf("told %d times", n)
			}
			for len(changed) > 0 {
				<-changed
			}
		})
	}
}

// TestTimePasses ends a session without a change of a file: by a day of silence.
func TestTimePasses(t *testing.T) {
	f := At(t.TempDir())
	become(t, f, "a", Working, Process{})
	now, changed := liveNow, 0
	l := Open(Config{
		Folder: f, Now: func() time.Time { return now }, Logger: slog.New(slog.DiscardHandler), Changed: func() { changed++ },
		Once: true, // each Sync is a look
	})
	defer l.Close()
	look := func(changes, sessions int) {
		t.Helper()
		if err := l.Sync(t.Context()); err != nil || changed != changes || len(l.Now().Sessions) != sessions {
			t.Errorf("%v, %d changes, %+v", err, changed, l.Now())
		}
	}
	for range 3 {
		look(1, 1)
	}
	now = liveNow.Add(Silent + time.Millisecond)
	look(2, 0)
}

// TestChains names the test's own process, then what runs it, each once.
func TestChains(t *testing.T) {
	if _, ok := inspect(os.Getpid()); !ok {
		t.Log("processes are not looked at on this system")
		return
	}
	chains := Chains{}
	got := chains.Of(Process{PID: os.Getpid()}, 16)
	if len(got) < 2 || got[0] != os.Getpid() || got[1] != os.Getppid() {
		t.Errorf("%v of %d, which %d runs", got, os.Getpid(), os.Getppid())
	}
	if short := chains.Of(Process{PID: os.Getpid()}, 1); len(short) != 1 {
		t.Error(short)
	}
	for _, p := range []Process{{}, {PID: -1}, {PID: os.Getpid(), Start: "never"}} {
		if got := chains.Of(p, 16); len(got) != 0 {
			t.Errorf("%+v: %v", p, got)
		}
	}
}

// TestKey is plain text whatever the id is.
func TestKey(t *testing.T) {
	seen := map[string]bool{}
	for _, id := range []string{"0f3c", "../x", "a\nb", "\u202e"} {
		s := Session{Client: "claude", ID: id}
		if key := s.Key(); key == "" || seen[key] || fileName("claude", id) != key+suffix {
			t.Errorf("%q: %q", id, key)
		}
		seen[s.Key()] = true
	}
}
