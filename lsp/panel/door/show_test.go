package door_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/lsp/panel"
)

func TestShow(t *testing.T) {
	d := openTestDoor(t, t.TempDir(), panel.Settings{Alias: "me"}, nil, nil)
	first, err := d.Show(t.Context(), "inbox.md", "# one\n")
	if err != nil {
		t.Fatal(err)
	}
	second, err := d.Show(t.Context(), "inbox.md", "# two\n")
	if err != nil || second == first || filepath.Base(second) != "inbox.md" || !filepath.IsAbs(second) {
		t.Fatalf("shown in %q and %q: %v", first, second, err)
	}
	for path, want := range map[string]string{first: "# one\n", second: "# two\n"} {
		got, err := os.ReadFile(path)
		if err != nil || string(got) != want {
			t.Errorf("%s holds %q: %v", path, got, err)
		}
		info, err := os.Stat(path)
		if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
	old := now.Add(-25 * time.Hour)
	if err := os.Chtimes(filepath.Dir(first), old, old); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Show(t.Context(), "task.md", "x"); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(first); !os.IsNotExist(err) {
		t.Errorf("a file of yesterday is still there: %v", err)
	}
	if _, err := os.Stat(second); err != nil {
		t.Errorf("a file of today is gone: %v", err)
	}
}
