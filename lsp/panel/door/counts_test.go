package door_test

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/door"
	"github.com/signalbox-dev/signalbox/lsp/sources"
	"github.com/signalbox-dev/signalbox/lsp/who/environ"
)

// growing is a source that holds more unread mail each time it is counted.
type growing struct {
	panel.Source
	counted atomic.Int64
}

func (*growing) Format() panel.Format { return panel.Format{Protocol: "growing"} }

func (*growing) Configure(panel.Setup) {}

func (*growing) Close() {}

func (g *growing) View(context.Context, *panel.Shelf) panel.View {
	return growingView{counted: &g.counted}
}

type growingView struct {
	panel.View
	counted *atomic.Int64
}

func (v growingView) Counts() panel.Counts { return panel.Counts{Unread: int(v.counted.Add(1))} }

// TestChangesInOrder holds that no change comes after a newer one, however many sources
// announce at once: a client shows the counts that came last.
func TestChangesInOrder(t *testing.T) {
	var host panel.Host
	var mu sync.Mutex
	var last panel.Change
	p := door.Open(panel.Options{
		Sources: []panel.NewSource{func(h panel.Host) panel.Source {
			host = h
			return &growing{}
		}},
		Env: environ.Env{Getenv: func(string) string { return "" }, Home: t.TempDir()}, Now: time.Now, Log: slog.New(slog.DiscardHandler),
		StatusChanged: func(panel.Status) {},
		Changed: func(c panel.Change) {
			mu.Lock()
			defer mu.Unlock()
			if c.Revision <= last.Revision || c.Unread <= last.Unread {
				t.Errorf("change %d with %d unread comes after change %d with %d", c.Revision, c.Unread, last.Revision, last.Unread)
			}
			last = c
		},
	})
	defer p.Close()
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 200 {
				host.Changed(panel.SourceChange{Kinds: []string{"messages"}})
			}
		})
	}
	all.Wait()
}

// TestFirstInbox holds that the first list after a start is not empty where there is mail: it
// waits for it, at most a second, and what was not found by then is shown later.
func TestFirstInbox(t *testing.T) {
	home := t.TempDir()
	mail := filepath.Join(home, "mail")
	if err := os.Mkdir(mail, 0o700); err != nil {
		t.Fatal(err)
	}
	r := rec(1000, "alice", "me", "t", "Hello?")
	if err := os.WriteFile(filepath.Join(mail, "log-alice.jsonl"), r.Append(nil), 0o600); err != nil {
		t.Fatal(err)
	}
	env := map[string]string{"AGENT_MESSAGE_DIR": mail, "XDG_STATE_HOME": filepath.Join(home, "state")}
	for range 30 {
		p := door.Open(panel.Options{
			Sources: sources.All(), Env: environ.Env{Getenv: func(k string) string { return env[k] }, Home: home, Work: home},
			Settings: panel.Settings{Alias: "me"}, Now: time.Now, Log: slog.New(slog.DiscardHandler),
			Changed: func(panel.Change) {}, StatusChanged: func(panel.Status) {},
		})
		asked := time.Now()
		page, err := p.Inbox(t.Context(), panel.InboxParams{})
		if took := time.Since(asked); err == nil && took >= time.Second {
			t.Logf("a busy machine: %d threads after %v", len(page.Threads), took)
			if err = p.Sync(t.Context()); err == nil {
				page, err = p.Inbox(t.Context(), panel.InboxParams{})
			}
		}
		if err != nil || len(page.Threads) != 1 || page.Unread != 1 {
			t.Errorf("%d threads, %d unread: %v", len(page.Threads), page.Unread, err)
		}
		_ = p.Close()
	}
}
