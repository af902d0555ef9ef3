package door_test

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/door"
	"github.com/signalbox-dev/signalbox/lsp/sources"
	"github.com/signalbox-dev/signalbox/lsp/who/environ"
)

// BenchmarkNeeds is what the server spends on a list of 500 questions among 20,000 threads, and
// on the status, which counts them.
func BenchmarkNeeds(b *testing.B) {
	home := b.TempDir()
	mail := filepath.Join(home, "mail")
	if err := os.Mkdir(mail, 0o700); err != nil {
		b.Fatal(err)
	}
	at := time.Now().Unix() - 40_000
	var log []byte
	for i := range int64(20_000) {
		text := "Fixed the build."
		if i%40 == 0 {
			text = "Which licence?\n\n- [ ] MIT\n- [ ] BSD"
		}
		r := rec(at+i, "alice", "me", fmt.Sprint("topic-", i), text)
		log = r.Append(log)
	}
	if err := os.WriteFile(filepath.Join(mail, "log-alice.jsonl"), log, 0o600); err != nil {
		b.Fatal(err)
	}
	env := map[string]string{"SIGNALBOX_STATE_DIR": filepath.Join(home, "state"), "AGENT_MESSAGE_DIR": mail}
	p := door.Open(panel.Options{
		Sources: sources.All(), Env: environ.Env{Home: home, Work: home, Getenv: func(k string) string { return env[k] }},
		Settings: panel.Settings{Alias: "me"}, Now: time.Now, Log: slog.New(slog.DiscardHandler),
		Changed: func(panel.Change) {}, StatusChanged: func(panel.Status) {},
	})
	b.Cleanup(func() { p.Close() })
	if err := p.Sync(b.Context()); err != nil {
		b.Fatal(err)
	}
	b.Run("list", func(b *testing.B) {
		for b.Loop() {
			if page, err := p.Needs(b.Context(), panel.NeedsParams{Limit: 500}); err != nil || len(page.Items) < 200 {
				b.Fatalf("%d rows, %v", len(page.Items), err)
			}
		}
	})
	b.Run("status", func(b *testing.B) {
		for b.Loop() {
			if _, err := p.Status(b.Context()); err != nil {
				b.Fatal(err)
			}
		}
	})
}
