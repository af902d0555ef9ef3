package door_test

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/who/environ"
)

func boardEnv(b *board) environ.Env {
	env := map[string]string{"XDG_STATE_HOME": filepath.Join(b.home, "state"), "AGENT_MESSAGE_DIR": filepath.Join(b.home, "mail")}
	return environ.Env{Getenv: func(k string) string { return env[k] }, Home: b.home, Work: b.home}
}

func discard() *slog.Logger { return slog.New(slog.DiscardHandler) }

// TestIssues holds AGN V3 at the code: an issue of the newest verdict is shown in
// the checkout that is open, on the task's branch if there is one, and no file
// outside it is looked at.
func TestIssues(t *testing.T) {
	c := newCheckout(t)
	for _, tree := range []string{c.main, c.worktree} {
		if err := os.WriteFile(filepath.Join(tree, "a.go"), []byte("package a\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(c.home, filepath.Join(c.worktree, "out")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(c.home, "secret"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	b := &board{testDoor: &testDoor{t: t}, home: c.home, ssot: filepath.Join(c.main, "ssot")}
	dispatch := func(task, repo, branch string, millis int64) {
		data, err := agn.BuildDispatch(agn.Head{TaskID: task, Millis: millis}, agn.Dispatch{Description: "d", Repo: repo, Branch: branch, Criteria: []string{"c"}, Risk: "low"})
		if err != nil {
			t.Fatal(err)
		}
		b.put(data)
	}
	verdict := func(task, decision string, millis int64, issues ...agn.Issue) {
		data, err := agn.BuildVerdict(agn.Head{TaskID: task, Millis: millis}, agn.Verdict{Decision: decision, Confidence: 1, Issues: issues})
		if err != nil {
			t.Fatal(err)
		}
		b.put(data)
	}
	at := now.UnixMilli()
	hostile := agn.Issue{Severity: "major", File: "a.go", Line: 1, Description: "<img src=x> [run](command:evil)", SuggestedFix: "`x`"}
	dispatch("T-2026-001", c.main, "feature/audio", at)
	verdict("T-2026-001", agn.Rejected, at+1, hostile,
		agn.Issue{Severity: "minor", File: "../secret", Description: "x"},
		agn.Issue{Severity: "minor", File: "out/secret", Description: "x"},
		agn.Issue{Severity: "minor", File: "/etc/passwd", Description: "x"},
		agn.Issue{Severity: "minor", File: "none.go", Description: "x"},
		agn.Issue{Severity: "minor", File: ".agent", Description: "x"},
	)
	// Another repository, an approval that took issues back, one on a branch
	// that is not checked out.
	dispatch("T-2026-002", filepath.Join(c.home, "elsewhere"), "b", at)
	verdict("T-2026-002", agn.Rejected, at+1, hostile)
	dispatch("T-2026-003", c.main, "feature/audio", at)
	verdict("T-2026-003", agn.Rejected, at+1, hostile)
	verdict("T-2026-003", agn.Approved, at+2)
	dispatch("T-2026-004", c.main, "feature/none", at)
	verdict("T-2026-004", agn.Rejected, at+1, agn.Issue{Severity: "minor", File: filepath.Join(c.main, "a.go"), Description: "absolute"})

	b.testDoor = openTestDoor(t, c.home, panel.Settings{}, []string{c.main, c.worktree}, nil)
	b.ready()
	page, err := b.Issues(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]panel.IssueItem{}
	for _, i := range page.Issues {
		got[i.TaskID] = i
	}
	if len(page.Issues) != 2 || got["T-2026-001"].Path != filepath.Join(c.worktree, "a.go") || got["T-2026-004"].Path != filepath.Join(c.main, "a.go") {
		t.Errorf("%+v", page.Issues)
	}
	if i := got["T-2026-001"]; !i.Blocking || i.Line != 1 || strings.Contains(i.Markdown, "](command:") || !strings.Contains(i.Markdown, `\<img`) {
		t.Errorf("%+v", i)
	}
	if len(page.Warnings) != 5 {
		t.Errorf("%+v", page.Warnings)
	}
}
