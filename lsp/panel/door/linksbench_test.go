package door_test

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/door"
	"github.com/signalbox-dev/signalbox/lsp/sources"
	"github.com/signalbox-dev/signalbox/lsp/who/environ"
)

// BenchmarkLinks asks about links in a store of 1,000,000 messages, or in a small one
// where SIGNALBOX_BENCH_STORE names none.
func BenchmarkLinks(b *testing.B) {
	dir := os.Getenv("SIGNALBOX_BENCH_STORE")
	if dir == "" {
		dir = b.TempDir()
		var data []byte
		for i := range 1000 {
			r := rec(int64(1000+i), "agent0", "me", "topic", strings.Repeat("x", i))
			data = r.Append(data)
		}
		if err := os.WriteFile(filepath.Join(dir, samp.LogName("agent0")), data, 0o600); err != nil {
			b.Fatal(err)
		}
	}
	home := b.TempDir()
	p := door.Open(panel.Options{
		Sources: sources.All(),
		Env: environ.Env{Home: home, Work: home, Getenv: func(k string) string {
			return map[string]string{"SIGNALBOX_STATE_DIR": filepath.Join(home, "state"), "AGENT_MESSAGE_DIR": dir}[k]
		}},
		Settings: panel.Settings{Alias: "me"}, Now: time.Now, Log: slog.New(slog.DiscardHandler),
		Changed: func(panel.Change) {}, StatusChanged: func(panel.Status) {},
	})
	b.Cleanup(func() { _ = p.Close() })
	if err := p.Sync(b.Context()); err != nil {
		b.Fatal(err)
	}
	inbox, err := p.Inbox(b.Context(), panel.InboxParams{Limit: 1})
	if err != nil {
		b.Fatal(err)
	}
	page, err := p.Thread(b.Context(), panel.ThreadParams{Ref: inbox.Threads[0].Ref, Limit: 1})
	if err != nil {
		b.Fatal(err)
	}
	id, thread := page.Messages[0].ID, inbox.Threads[0].Name
	text := strings.Repeat("A line of a document that mentions "+id+" and src/main.go, 2026-04-25 and 0123456789abcdef.\n", 10_000)
	for name, run := range map[string]func() error{
		"definition of an id": func() error { _, err := p.Locate(b.Context(), []string{id}); return err },
		"definition of a thread": func() error {
			_, err := p.Locate(b.Context(), []string{thread})
			return err
		},
		"hover": func() error { _, err := p.Resolve(b.Context(), []string{id}); return err },
		"completion of an id": func() error {
			_, err := p.Complete(b.Context(), panel.CompleteParams{Kind: panel.CompleteID, Prefix: id[:4]})
			return err
		},
		"completion of a thread": func() error {
			_, err := p.Complete(b.Context(), panel.CompleteParams{Kind: panel.CompleteThread, Prefix: thread[:12]})
			return err
		},
		"completion of an alias": func() error {
			_, err := p.Complete(b.Context(), panel.CompleteParams{Kind: panel.CompleteRecipient, Prefix: "a"})
			return err
		},
		"references, first page": func() error {
			_, err := p.References(b.Context(), panel.ReferenceParams{Token: id})
			return err
		},
		"workspace symbols":         func() error { _, err := p.Symbols(b.Context(), "topic", 0); return err },
		"links in a text of 900 KB": func() error { _, err := p.Links(b.Context(), text); return err },
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if err := run(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
