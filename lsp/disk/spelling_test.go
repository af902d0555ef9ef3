package disk_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/signalbox-dev/signalbox/lsp/disk"
)

// TestSameSpelling asks the file system whether case counts: of what is there, and of what
// is not by its folder.
func TestSameSpelling(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "Project", "sub"), 0o700); err != nil {
		t.Fatal(err)
	}
	_, err := os.Stat(filepath.Join(dir, "PROJECT"))
	folds := err == nil
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"Project", "Project", true},
		{"gone", "gone", true},
		{"Project", "project", folds},
		{"Project/sub", "PROJECT/SUB", folds},
		{"Project/gone", "Project/GONE", folds},
		{"gone/deep", "Gone/deep", folds},
	} {
		if got := disk.SameSpelling(filepath.Join(dir, c.a), filepath.Join(dir, c.b)); got != c.want {
			t.Errorf("%q and %q: %v, want %v", c.a, c.b, got, c.want)
		}
	}
	if folds {
		return
	}
	// Two links make a folder that has both spellings.
	for _, name := range []string{"both", "BOTH"} {
		if err := os.Symlink(filepath.Join(dir, "Project"), filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if !disk.SameSpelling(filepath.Join(dir, "both", "sub"), filepath.Join(dir, "BOTH", "sub")) {
		t.Error("a folder that has both spellings")
	}
	if !disk.SameSpelling(filepath.Join(dir, "both", "gone", "x"), filepath.Join(dir, "both", "GONE", "x")) {
		t.Error("something gone in a folder that has both spellings")
	}
}
