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
