package conflict

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/lsp/disk"
)

// TestOf takes names apart.
func TestOf(t *testing.T) {
	for name, want := range map[string]string{
		"log-alice.sync-conflict-20260101-120000-ABCDEFG.jsonl":                                   "log-alice.jsonl",
		"log-a.b.sync-conflict-20260101-120000.jsonl":                                             "log-a.b.jsonl",
		"log-a.sync-conflict-20260101-120000-ABCDEFG.sync-conflict-20260102-120000-HIJKLMN.jsonl": "log-a.jsonl",
		"noext.sync-conflict-20260101-120000-ABCDEFG":                                             "noext",
		".seen-bob.sync-conflict-20260101-120000-ABCDEFG":                                         ".seen-bob",
		"msg_1_a.sync-conflict-20260101-120000-ABCDEFG.json":                                      "msg_1_a.json",
		"messages (bob's conflicted copy 2026-01-01).jsonl":                                       "messages.jsonl",
		"messages (conflicted copy 2026-01-01 120000).jsonl":                                      "messages.jsonl",
		"messages (Case Conflict).jsonl":                                                          "messages.jsonl",
		"messages_conflict-20260101-120000.jsonl":                                                 "messages.jsonl",
		"messages.jsonl":           "",
		"messages (1).jsonl":       "",
		"conflict.json":            "",
		".sync-conflict-x.jsonl":   "",
		"log-sync-conflict.jsonl":  "",
		" (conflicted copy).jsonl": "",
	} {
		got, ok := Of(name)
		if got != want || ok != (want != "") {
			t.Errorf("%q: %q, %t; want %q", name, got, ok, want)
		}
	}
}

// TestFind lists copies in order, and follows no link.
func TestFind(t *testing.T) {
	const mark = ".sync-conflict-20260101-120000-ABCDEFG"
	at := t.TempDir()
	for _, name := range []string{"b/x" + mark + ".json", "a" + mark + ".json", "b/x.json", ".git/x" + mark, "node_modules/x" + mark, "c" + mark + "/in", ".stversions/x" + mark} {
		put(t, filepath.Join(at, name), "")
	}
	_ = os.Symlink(filepath.Join(at, "b"), filepath.Join(at, "l")) // where links can be made
	root := open(t, at)
	got, err := Find(t.Context(), root, ".")
	want := []Copy{{"a" + mark + ".json", "a.json"}, {"b/x" + mark + ".json", "b/x.json"}}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Error(err, diff)
	}
	if got, err := Find(t.Context(), root, "none", "b"); err != nil || len(got) != 1 {
		t.Errorf("of a folder that is there and one that is not: %v, %v", got, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Find(ctx, root, "."); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func open(t *testing.T, at string) *disk.Root {
	t.Helper()
	root, err := disk.OpenRoot(at)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	return root
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
