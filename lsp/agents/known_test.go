package agents

import (
	"os"
	"path/filepath"
	"testing"

	core "github.com/signalbox-dev/signalbox/core/session"
	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
	sessionstore "github.com/signalbox-dev/signalbox/lsp/session"
)

// TestOf decides the state of a session that a program recorded, with hooks and without.
func TestOf(t *testing.T) {
	const minute, day = 60_000, 24 * 60 * 60_000
	home := t.TempDir()
	dialog, err := os.ReadFile("testdata/claude-dialog.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(home, "projects", "p", "s1.jsonl")
	for _, dir := range []string{filepath.Dir(file), filepath.Join(home, "sessions")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(file, dialog, 0o600); err != nil {
		t.Fatal(err)
	}
	hooked := []activity.Session{{Client: "claude", ID: "s1", Alias: "coder", State: activity.Waiting, For: "permission: rm x", Since: eventTime}}
	const runs, killed = 4, 5
	own := func(pid, status string) string {
		return `{"pid":` + pid + `,"sessionId":"s1","status":"` + status + `","statusUpdatedAt":1}`
	}
	for _, c := range []struct {
		name   string
		hooked []activity.Session
		is     core.Facts
		own    string
		age    int64
		want   string
		sure   bool
	}{
		{"hooks tell", hooked, core.Facts{ID: "s1", State: core.Working}, "", minute, "waiting for permission: rm x", true},
		{"hooks tell of its parent", hooked, core.Facts{ID: "s1", State: core.Working, Parent: "s0"}, "", minute, "working", false},
		{"hooks tell of another", hooked, core.Facts{ID: "s2", State: core.Working}, "", minute, "working", false},
		{"its log alone", nil, core.Facts{ID: "s1", State: core.Waiting, For: "an answer: Which?"}, "", minute, "waiting for an answer: Which?", false},
		{"its log stands still", nil, core.Facts{ID: "s1", State: core.Working}, "", 10 * minute, "silent", false},
		{"it has rested for long", nil, core.Facts{ID: "s1", State: core.Idle}, "", 10 * minute, "idle", false},
		{"its log is old", nil, core.Facts{ID: "s1", State: core.Waiting, For: "an answer: Which?"}, "", day, "ended", false},
		{"Claude Code runs, and asks", nil, core.Facts{ID: "s1", State: core.Working}, own("4", "waiting"), 20 * minute, "waiting for permission: touch made", true},
		{"it was interrupted", nil, core.Facts{ID: "s1", State: core.Waiting, For: "an answer: Which?"}, own("4", "idle"), minute, "idle", true},
		{"it rests since yesterday", nil, core.Facts{ID: "s1", State: core.Idle}, own("4", "idle"), 2 * day, "idle", true},
		{"it works for long on one call", nil, core.Facts{ID: "s1", State: core.Working}, own("4", "busy"), 20 * minute, "working", true},
		{"it was killed", nil, core.Facts{ID: "s1", State: core.Waiting, For: "an answer: Which?"}, own("5", "waiting"), minute, "ended", true},
		{"another session runs", nil, core.Facts{ID: "s2", State: core.Working}, own("4", "waiting"), minute, "working", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			at := filepath.Join(home, "sessions", "4.json")
			if err := os.WriteFile(at, []byte(c.own), 0o600); err != nil {
				t.Fatal(err)
			}
			k := With(c.hooked, eventTime+c.age)
			k.claude.runs = func(pid int) bool { return pid == runs && pid != killed }
			it := &sessionstore.Item{Format: sessionstore.Formats()[0], File: file, Facts: c.is}
			it.Updated = eventTime
			s, sure := k.Of(it)
			if s.Doing() != c.want || sure != c.sure {
				t.Errorf("%s, sure: %v", s.Doing(), sure)
			}
		})
	}
}
