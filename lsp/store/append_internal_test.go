package store

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
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

// TestAppendFull removes what a failed write left behind, and nothing else: W4.
func TestAppendFull(t *testing.T) {
	for _, c := range []struct {
		name  string
		other string
		want  string
	}{
		{"W4/disk full", "", "{}\n"},
		{"W4/another process wrote behind it", "other\n", "{}\nnew reother\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "log")
			if err := os.WriteFile(path, []byte("{}\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			file, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND, 0)
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			f := &failing{file, 6, func() {
				if _, err := file.WriteString(c.other); err != nil {
					t.Error(err)
				}
			}}
			if err := appendLine(f, []byte("new record\n")); !errors.Is(err, errFull) {
				t.Errorf("error is %v", err)
			}
			if got, err := os.ReadFile(path); err != nil || string(got) != c.want {
				t.Errorf("log holds %q, want %q (%v)", got, c.want, err)
			}
		})
	}
}
