package box

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/who"
	"github.com/signalbox-dev/signalbox/lsp/who/environ"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func boxOf(home, alias string) *Box {
	env := map[string]string{"SIGNALBOX_STATE_DIR": filepath.Join(home, "state"), "SIGNALBOX_CONFIG_DIR": filepath.Join(home, "config")}
	return &Box{
		Env:    environ.Env{Getenv: func(k string) string { return env[k] }, Home: home, Work: home},
		Who:    func() who.Who { return who.Who{Choice: environ.Choice{Value: alias, Origin: "a test"}} },
		Place:  func() who.Place { return who.Place{Choice: environ.Choice{Value: filepath.Join(home, "mail")}} },
		Person: func() string { return "" },
		Now:    time.Now,
	}
}

func lineOf(tb testing.TB, ts int64, from, to, body string) string {
	tb.Helper()
	r, err := samp.Build(from, to, "t", body, ts, samp.V1)
	if err != nil {
		tb.Fatal(err)
	}
	return string(r.Append(nil))
}

func write(tb testing.TB, home, stem, text string) {
	tb.Helper()
	f, err := os.OpenFile(filepath.Join(home, "mail", samp.LogName(stem)), os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err == nil {
		_, err = f.WriteString(text)
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		tb.Fatal(err)
	}
}

// TestArrivals returns new messages that are accepted, and no earlier ones.
func TestArrivals(t *testing.T) {
	home := t.TempDir()
	coder := boxOf(home, "coder")
	dev := boxOf(home, "dev")
	for name, steps := range map[string]func(){
		"a log that grows": func() { write(t, home, "dev", lineOf(t, 20, "dev", "coder", "new")) },
		"a new log":        func() { write(t, home, "alice", lineOf(t, 20, "alice", "coder", "new")) },
		"a line that is finished": func() {
			write(t, home, "bob", strings.TrimPrefix(lineOf(t, 21, "bob", "coder", "new"), `{"id"`))
		},
	} {
		t.Run(name, func(t *testing.T) {
			if err := os.RemoveAll(filepath.Join(home, "mail")); err != nil {
				t.Fatal(err)
			}
			if err := os.Mkdir(filepath.Join(home, "mail"), 0o700); err != nil {
				t.Fatal(err)
			}
			write(t, home, "dev", lineOf(t, 10, "dev", "coder", "old")+lineOf(t, 50, "dev", "coder", "of the future"))
			write(t, home, "bob", lineOf(t, 10, "bob", "coder", "old")+`{"id"`)
			a, err := coder.Arrivals(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			defer a.Close()
			steps()
			write(t, home, "dev", lineOf(t, 11, "dev", "coder", "not accepted")+lineOf(t, 30, "dev", "planner", "to another"))
			m, list, err := a.Wait(t.Context(), func(f *samp.Found) bool { return f.TS >= 20 })
			if err != nil || m == nil {
				t.Fatal(m, err)
			}
			defer m.Close()
			for f, err := range m.Texts(t.Context(), list) {
				if err != nil || f.Body != "new" || len(list) != 1 {
					t.Errorf("%d came, %q, %v", len(list), f.Body, err)
				}
			}
		})
	}
	t.Run("nothing", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if m, _, err := dev.Wait(ctx, func(*samp.Found) bool { return true }); m != nil || err != nil {
			t.Error(m, err)
		}
	})
	t.Run("a directory that is made later", func(t *testing.T) {
		if err := os.RemoveAll(filepath.Join(home, "mail")); err != nil {
			t.Fatal(err)
		}
		a, err := coder.Arrivals(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer a.Close()
		if err := os.Mkdir(filepath.Join(home, "mail"), 0o700); err != nil {
			t.Fatal(err)
		}
		write(t, home, "dev", lineOf(t, 20, "dev", "coder", "new"))
		m, list, err := a.Wait(t.Context(), func(*samp.Found) bool { return true })
		if err != nil || len(list) != 1 {
			t.Fatal(list, err)
		}
		m.Close()
	})
}

// BenchmarkArrivals has 50 agents wait beside logs of 50 MB, while one message is written.
// Each reads only that message.
func BenchmarkArrivals(b *testing.B) {
	const agents = 50
	home := b.TempDir()
	if err := os.Mkdir(filepath.Join(home, "mail"), 0o700); err != nil {
		b.Fatal(err)
	}
	for i := range agents {
		name := fmt.Sprintf("agent%d", i)
		write(b, home, name, strings.Repeat(lineOf(b, 10, name, "agent0", strings.Repeat("x", 800)), 1000))
	}
	all := make([]*Arrivals, agents)
	for i := range all {
		var err error
		if all[i], err = boxOf(home, fmt.Sprintf("agent%d", i)).Arrivals(b.Context()); err != nil {
			b.Fatal(err)
		}
		defer all[i].Close()
	}
	came := 0
	for n := 0; b.Loop(); n++ {
		write(b, home, "agent1", lineOf(b, int64(20+n), "agent1", "agent2", "new"))
		for _, a := range all {
			m, err := a.tail.Poll(b.Context())
			if err != nil {
				b.Fatal(err)
			}
			if err := a.note(&m, func(*samp.Found) bool { return true }); err != nil {
				came++
			}
		}
		if came != n+1 {
			b.Fatalf("%d messages came to somebody, of %d", came, n+1)
		}
	}
}
