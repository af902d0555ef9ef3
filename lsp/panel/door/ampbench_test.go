package door_test

import (
	"crypto/ed25519"
	"encoding/binary"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/door"
	"github.com/signalbox-dev/signalbox/lsp/sources"
	"github.com/signalbox-dev/signalbox/lsp/who/environ"
)

const (
	mailBoxes = 5
	mailEach  = 4000
)

// largePost makes five mailboxes with 20,000 signed messages of a text, three of four of
// them replies.
func largePost(b *testing.B, text string) (home string) {
	b.Helper()
	home = b.TempDir()
	root := filepath.Join(home, ".agent-messaging", "agents")
	address := func(i int) string { return fmt.Sprintf("agent%d@acme.aimaestro.local", i) }
	keys := make([]ed25519.PrivateKey, mailBoxes)
	put := func(name string, data []byte) {
		file := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(file, data, 0o600); err != nil {
			b.Fatal(err)
		}
	}
	for i := range keys {
		keys[i] = ed25519.NewKeyFromSeed(fmt.Appendf(nil, "%032d", i))
		name := fmt.Sprintf("agent%d", i)
		put(name+"/keys/public.pem", amp.NewKey([32]byte(keys[i].Public().(ed25519.PublicKey))).PEM())
		put(name+"/config.json", fmt.Appendf(nil, `{"agent":{"name":%q,"address":%q}}`, name, address(i)))
	}
	at := now.UnixMilli() - mailBoxes*mailEach*1000
	last := ""
	for n := range mailBoxes * mailEach {
		var random [8]byte
		binary.BigEndian.PutUint64(random[:], uint64(n))
		at += 1000
		from, to := n/4%mailBoxes, (n/4+1)%mailBoxes
		if n%2 == 1 {
			from, to = to, from
		}
		if n%4 == 0 {
			last = ""
		}
		letter, err := amp.Compose(amp.Draft{
			ID: amp.NewID(at, random), IdempotencyKey: amp.NewIdempotencyKey([16]byte{1}), From: address(from), To: address(to),
			Subject: "The timer", Millis: at, InReplyTo: last, ThreadID: last, Type: "request",
			Text: text,
		})
		if err != nil {
			b.Fatal(err)
		}
		data, err := letter.Finish(ed25519.Sign(keys[from], letter.Signed()))
		if err != nil {
			b.Fatal(err)
		}
		last = amp.NewID(at, random)
		put(fmt.Sprintf("agent%d/messages/inbox/agent%d_acme_aimaestro_local/%s.json", to, from, last), data)
	}
	return home
}

func openPost(b *testing.B, home string) *door.Panels {
	b.Helper()
	p := door.Open(panel.Options{
		Sources:  sources.All(),
		Env:      environ.Env{Getenv: func(string) string { return "" }, Home: home, Work: b.TempDir()},
		Settings: panel.Settings{Alias: "agent0"}, Version: "bench", Now: func() time.Time { return now }, Log: slog.New(slog.DiscardHandler),
		Changed: func(panel.Change) {}, StatusChanged: func(panel.Status) {},
	})
	if err := p.Sync(b.Context()); err != nil {
		b.Fatal(err)
	}
	return p
}

// BenchmarkMail asks for pages of 20,000 signed messages: from nothing to the first
// page, a page whose messages are judged for the first time, one that is known, a
// thread, and what a search costs.
func BenchmarkMail(b *testing.B) {
	home := largePost(b, "Reconstruct the breathing engine's timing logic and fix the timer when the background hangs.")
	page := func(b *testing.B, p *door.Panels, q panel.InboxParams) panel.InboxPage {
		b.Helper()
		page, err := p.Inbox(b.Context(), q)
		if err != nil || len(page.Threads) == 0 || page.Threads[0].Amp.State != "verified" {
			b.Fatalf("%d threads, %v", len(page.Threads), err)
		}
		return page
	}
	b.Run("open and first page", func(b *testing.B) {
		for b.Loop() {
			p := openPost(b, home)
			page(b, p, panel.InboxParams{})
			b.StopTimer()
			_ = p.Close()
			b.StartTimer()
		}
	})
	p := openPost(b, home)
	b.Cleanup(func() { _ = p.Close() })
	b.Run("pages not judged yet", func(b *testing.B) {
		cursor := ""
		for b.Loop() {
			cursor = page(b, p, panel.InboxParams{Cursor: cursor}).NextCursor
		}
	})
	first := page(b, p, panel.InboxParams{})
	b.Run("first page again", func(b *testing.B) {
		for b.Loop() {
			page(b, p, panel.InboxParams{})
		}
	})
	b.Run("thread", func(b *testing.B) {
		for b.Loop() {
			if t, err := p.Thread(b.Context(), panel.ThreadParams{Ref: first.Threads[0].Ref}); err != nil || len(t.Messages) != 4 {
				b.Fatal(err)
			}
		}
	})
	b.Run("search that finds nothing", func(b *testing.B) {
		for b.Loop() {
			if got, err := p.Inbox(b.Context(), panel.InboxParams{Filter: panel.InboxFilter{Text: "submarine"}}); err != nil || len(got.Threads) != 0 {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkMailQuestions counts the questions among 20,000 signed messages, as after each
// change, when they were judged before.
func BenchmarkMailQuestions(b *testing.B) {
	p := openPost(b, largePost(b, "Does the timer stop when the background hangs?"))
	b.Cleanup(func() { _ = p.Close() })
	for b.Loop() {
		page, err := p.Inbox(b.Context(), panel.InboxParams{Filter: panel.InboxFilter{Asks: true}})
		if err != nil || len(page.Threads) == 0 {
			b.Fatalf("%d threads, %v", len(page.Threads), err)
		}
	}
}
