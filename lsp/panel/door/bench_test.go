package door_test

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/door"
	"github.com/signalbox-dev/signalbox/lsp/sources"
	"github.com/signalbox-dev/signalbox/lsp/who/environ"
)

// benchThreads makes a repository with linked worktrees and threads in each.
func benchThreads(b *testing.B, worktrees, each int) (home, main string) {
	b.Helper()
	c := &checkout{tb: b, home: b.TempDir()}
	c.main = filepath.Join(c.home, "shop")
	if err := os.Mkdir(c.main, 0o700); err != nil {
		b.Fatal(err)
	}
	c.git("init", "-q", "-b", "main")
	c.git("commit", "-q", "--allow-empty", "-m", "begin")
	folders := []string{c.main}
	for i := 1; i < worktrees; i++ {
		folder := filepath.Join(c.home, fmt.Sprintf("tree%d", i))
		c.git("worktree", "add", "-q", "-b", fmt.Sprintf("task/%d", i), folder)
		folders = append(folders, folder)
	}
	at := time.Date(2026, 2, 20, 9, 0, 0, 0, time.UTC).UnixMilli()
	line, err := atsf.BuildMessage(atsf.Message{ID: "1", Role: atsf.RoleUser, Time: atsf.At(at), Content: []atsf.Block{{Type: atsf.TypeText, Text: strings.Repeat("word ", 100)}}})
	if err != nil {
		b.Fatal(err)
	}
	log := []byte(strings.Repeat(string(line), 20))
	for i, folder := range folders {
		for j := range each {
			id := fmt.Sprintf("%08x-0000-4000-8000-%012x", i, j)
			data, err := atsf.BuildThread(atsf.Thread{
				ID: id, Title: fmt.Sprintf("Conversation %d about a task", j), Created: atsf.At(at + int64(j)), Updated: atsf.At(at + int64(j*i)),
				Agent: atsf.Agent{ID: "claude-code", Name: "Claude Code"}, Context: atsf.Context{WorkingDir: folder, GitBranch: "main"},
				Stats: atsf.Stats{Messages: 20, User: 20},
			})
			if err != nil {
				b.Fatal(err)
			}
			dir := filepath.Join(folder, ".agent", "threads", id)
			if err := os.MkdirAll(dir, 0o700); err != nil {
				b.Fatal(err)
			}
			for name, content := range map[string][]byte{"thread.json": data, "messages.jsonl": log} {
				if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
					b.Fatal(err)
				}
			}
		}
	}
	return c.home, c.main
}

// BenchmarkFirstList is what a user waits for who opens a project with 5,000
// threads over 20 worktrees: from the start of the panels to the first page.
func BenchmarkFirstList(b *testing.B) {
	home, main := benchThreads(b, 20, 250)
	for _, state := range []string{"none", "cache"} {
		b.Run(state, func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				dir := filepath.Join(home, "state")
				if state == "none" {
					dir = filepath.Join(home, fmt.Sprint("state", i))
				}
				p := door.Open(panel.Options{
					Sources: sources.All(),
					Env: environ.Env{Home: home, Work: main, Getenv: func(k string) string {
						return map[string]string{"SIGNALBOX_STATE_DIR": dir, "AGENT_MESSAGE_DIR": filepath.Join(home, "mail")}[k]
					}},
					Folders: []string{main}, Settings: panel.Settings{Alias: "me"}, Now: time.Now, Log: slog.New(slog.DiscardHandler),
					Changed: func(panel.Change) {}, StatusChanged: func(panel.Status) {},
				})
				if err := p.Sync(b.Context()); err != nil {
					b.Fatal(err)
				}
				page, err := p.Inbox(b.Context(), panel.InboxParams{})
				if err != nil || len(page.Threads) != 50 || len(page.Groups) != 21 || page.Groups[0].Threads != 250 {
					b.Fatalf("%d threads in %d groups, %v", len(page.Threads), len(page.Groups), err)
				}
				b.StopTimer()
				if err := p.Close(); err != nil {
					b.Fatal(err)
				}
				b.StartTimer()
			}
		})
	}
}

// BenchmarkEditor is what the server spends on what an editor asks all the time: pages
// of the inbox and of threads, and previews of ids. It reports the median and the 99th
// percentile. SIGNALBOX_BENCH_STORE names a generated store; without it there are
// 2,000 messages.
func BenchmarkEditor(b *testing.B) {
	mail := os.Getenv("SIGNALBOX_BENCH_STORE")
	if mail == "" {
		mail = b.TempDir()
		var log []byte
		for i := range int64(2_000) {
			r := rec(i, "alice", "me", fmt.Sprint("topic-", i%1200), "About a topic.")
			log = r.Append(log)
		}
		if err := os.WriteFile(filepath.Join(mail, "log-alice.jsonl"), log, 0o600); err != nil {
			b.Fatal(err)
		}
	}
	state := b.TempDir()
	p := door.Open(panel.Options{
		Sources: sources.All(),
		Env: environ.Env{Home: state, Work: state, Getenv: func(k string) string {
			return map[string]string{"SIGNALBOX_STATE_DIR": state, "AGENT_MESSAGE_DIR": mail}[k]
		}},
		Settings: panel.Settings{Alias: "me"}, Now: time.Now, Log: slog.New(slog.DiscardHandler),
		Changed: func(panel.Change) {}, StatusChanged: func(panel.Status) {},
	})
	b.Cleanup(func() { p.Close() })
	if err := p.Sync(b.Context()); err != nil {
		b.Fatal(err)
	}
	var refs []panel.Ref
	var ids []string
	cursor := ""
	for range 20 {
		page, err := p.Inbox(b.Context(), panel.InboxParams{Cursor: cursor, Limit: 50})
		if err != nil {
			b.Fatal(err)
		}
		for i := range page.Threads {
			refs = append(refs, page.Threads[i].Ref)
		}
		cursor = page.NextCursor
	}
	for _, r := range refs[:100] {
		page, err := p.Thread(b.Context(), panel.ThreadParams{Ref: r, Limit: 50})
		if err != nil {
			b.Fatal(err)
		}
		for i := range page.Messages {
			ids = append(ids, page.Messages[i].ID)
		}
	}
	cursor = ""
	for name, ask := range map[string]func(i int) error{
		"inbox": func(int) error {
			page, err := p.Inbox(b.Context(), panel.InboxParams{Cursor: cursor, Limit: 50})
			cursor = page.NextCursor
			return err
		},
		"thread": func(i int) error {
			_, err := p.Thread(b.Context(), panel.ThreadParams{Ref: refs[i%len(refs)], Limit: 50})
			return err
		},
		"hover": func(i int) error {
			links, err := p.Resolve(b.Context(), ids[i%len(ids):][:1])
			if err == nil && links[0].Status != "found" {
				err = fmt.Errorf("%s is %s", links[0].Token, links[0].Status)
			}
			return err
		},
	} {
		b.Run(name, func(b *testing.B) {
			var took []time.Duration
			for i := 0; b.Loop(); i++ {
				start := time.Now()
				if err := ask(i); err != nil {
					b.Fatal(err)
				}
				took = append(took, time.Since(start))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds())/1e3, "p50-ms")
			b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1e3, "p99-ms")
		})
	}
}
