package samp

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/signalbox-dev/signalbox/lsp/disk"
)

// failing is a log on a disk that is full after some bytes.
type failing struct {
	*os.File
	room int
	// after runs when the disk is full, as another process would.
	after func()
}

var errFull = errors.New("no space left on device")

func (f *failing) Write(p []byte) (int, error) {
	n, err := f.File.Write(p[:min(f.room, len(p))])
	if err == nil && n < len(p) {
		err = errFull
		f.after()
	}
	return n, err
}

// TestAppendFull leaves nothing of a failed write, and everything that others write
// meanwhile: W4.
func TestAppendFull(t *testing.T) {
	for _, c := range []struct {
		name          string
		before, other string
		want          string
	}{
		{"W4/disk full", "{}\n", "", "{}\n     \n"},
		{"W4/disk full, behind a torn line", "{", "", "{     \n"},
		{"W4/another process wrote behind it", "{}\n", "other\n", "{}\n     \nother\n"},
		{"W4/another process wrote behind it, as we do", "{}\n", "\nother\n", "{}\n     \n\nother\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "log")
			if err := os.WriteFile(path, []byte(c.before), 0o600); err != nil {
				t.Fatal(err)
			}
			root, err := (disk.Disk{}).OpenRoot(filepath.Dir(path))
			if err != nil {
				t.Fatal(err)
			}
			defer root.Close()
			file, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND, 0)
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			f := &failing{file, 6, func() {
				other, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
				if err == nil {
					_, err = other.WriteString(c.other)
					other.Close()
				}
				if err != nil {
					t.Error(err)
				}
			}}
			if err := appendLine(root, "log", f, []byte("new record\n")); !errors.Is(err, errFull) {
				t.Errorf("error is %v", err)
			}
			if got, err := os.ReadFile(path); err != nil || string(got) != c.want {
				t.Errorf("log holds %q, want %q (%v)", got, c.want, err)
			}
		})
	}
}
