//go:build unix

package disk

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// owned is a file as if another user owned it.
type owned struct {
	fs.FileInfo
	by uint32
}

func (o owned) Sys() any {
	st := *o.FileInfo.Sys().(*syscall.Stat_t)
	st.Uid = o.by
	return &st
}

// TestUnshared takes what is the user's own alone.
func TestUnshared(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	own, err := os.Lstat(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := Unshared(own); err != nil {
		t.Error(err)
	}
	if err := Unshared(owned{own, uint32(os.Geteuid()) + 1}); err == nil || err.Error() != "is another user's" {
		t.Error(err)
	}
	for _, mode := range []fs.FileMode{0o601, 0o602, 0o604, 0o610, 0o620, 0o640} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		info, err := os.Lstat(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := Unshared(info); err == nil || !strings.HasPrefix(err.Error(), "may be used by others") {
			t.Errorf("%04o: %v", mode, err)
		}
	}
}
