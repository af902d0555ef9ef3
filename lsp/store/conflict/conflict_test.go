package conflict

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/lsp/store/disk"
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

// TestMissing returns what stands in a copy alone.
func TestMissing(t *testing.T) {
	long := strings.Repeat("x", 300<<10) + "\n"
	for _, c := range []struct{ name, original, copied, want, torn string }{
		{"nothing", "a\nb\n", "b\na\n", "", ""},
		{"two ends", "a\nb\n", "a\nc\nd\n", "c\nd\n", ""},
		{"twice in the copy", "", "a\na\n", "a\n", ""},
		{"blank lines", "", "\n \na\n", "a\n", ""},
		{"torn", "a\n", "a\nb\nc", "b\n", "c"},
		{"both torn alike", "a\nc", "a\nc", "", ""},
		{"longer than what is read at once", "a\n" + long, "a\nb" + long + long, "b" + long, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got strings.Builder
			torn, err := Missing(t.Context(), strings.NewReader(c.original), strings.NewReader(c.copied), func(l []byte) error {
				got.Write(l)
				return nil
			})
			if err != nil || got.String() != c.want || string(torn) != c.torn {
				t.Errorf("%.80q, %q, %v", got.String(), torn, err)
			}
		})
	}
}

// TestResolve puts a copy away, and leaves it where it is not known to be needless.
func TestResolve(t *testing.T) {
	c := Copy{"d/x.sync-conflict-1.json", "d/x.json"}
	yes := func(_, _ *os.File) (bool, error) { return true, nil }
	at, state := t.TempDir(), t.TempDir()
	root := open(t, at)
	copied := filepath.Join(at, c.Path)
	put(t, copied, "copy")
	if where, err := Resolve(root, c, state, yes); err != nil || where != "" {
		t.Errorf("without an original: %q, %v", where, err)
	}
	put(t, filepath.Join(at, c.Original), "original")
	if where, err := Resolve(root, c, state, func(_, _ *os.File) (bool, error) { return false, nil }); err != nil || where != "" {
		t.Errorf("where it may not: %q, %v", where, err)
	}
	_, err := Resolve(root, c, state, func(_, _ *os.File) (bool, error) {
		put(t, copied, "grown")
		return true, os.Chtimes(copied, time.Time{}, time.Unix(1_700_000_000, 0))
	})
	if !errors.Is(err, ErrChanged) {
		t.Errorf("of one that changed meanwhile: %v", err)
	}
	if entries, err := os.ReadDir(filepath.Join(state, Folder)); err != nil || len(entries) != 0 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
	for i, want := range []string{"x.sync-conflict-1.json", "x.sync-conflict-1.json.2"} {
		text := strings.Repeat("copy", i+1)
		put(t, copied, text)
		where, err := Resolve(root, c, state, yes)
		if err != nil || where != filepath.Join(state, Folder, want) {
			t.Fatalf("put away to %q, %v", where, err)
		}
		if data, err := os.ReadFile(where); err != nil || string(data) != text {
			t.Errorf("%q, %v", data, err)
		}
		if _, err := os.Lstat(copied); err == nil {
			t.Error("the copy is there still")
		}
	}
}

// TestSame compares bytes.
func TestSame(t *testing.T) {
	at := t.TempDir()
	put(t, filepath.Join(at, "a"), "1")
	put(t, filepath.Join(at, "b"), "1")
	put(t, filepath.Join(at, "c"), "2")
	root := open(t, at)
	for _, c := range []struct {
		original string
		want     bool
	}{{"b", true}, {"c", false}, {"none", false}} {
		if got, err := Same(root, Copy{"a", c.original}); err != nil || got != c.want {
			t.Errorf("a and %s: %t, %v", c.original, got, err)
		}
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
