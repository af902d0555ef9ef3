//go:build unix

package disk_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/signalbox-dev/signalbox/lsp/disk"
)

// another is an account that is neither the superuser's nor, in tests, anybody's.
const another = 4217

// owned gives a path to the other account, and returns whose the files in it have to be:
// who is not the superuser can give nothing away.
func owned(t *testing.T, path string) int {
	t.Helper()
	if os.Geteuid() != 0 {
		return os.Geteuid()
	}
	if err := os.Chown(path, another, another); err != nil {
		t.Fatal(err)
	}
	return another
}

func checkOwner(t *testing.T, path string, owner int, mode fs.FileMode) {
	t.Helper()
	info, err := os.Lstat(path)
	if err != nil {
		t.Error(err)
		return
	}
	if st := info.Sys().(*syscall.Stat_t); int(st.Uid) != owner || info.Mode().Perm() != mode {
		t.Errorf("%s is %d's with mode %o, want %d's with %o", filepath.Base(path), st.Uid, info.Mode().Perm(), owner, mode)
	}
}

// TestOwnerOfNew gives what the superuser makes in somebody's folder to that one.
func TestOwnerOfNew(t *testing.T) {
	dir := t.TempDir()
	owner := owned(t, dir)
	root, err := disk.Disk{}.MakeRoot(filepath.Join(dir, "a", "b"), disk.PrivateDir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	f, err := root.OpenWrite("log", os.O_WRONLY|os.O_APPEND|os.O_CREATE, disk.PrivateFile)
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	for _, private := range []bool{false, true} {
		w := disk.Whole{Root: root, Private: private}
		name := map[bool]string{false: "open", true: "private"}[private]
		if err := w.Add(name+"/added", nil); err != nil {
			t.Error(err)
		}
		if err := w.Replace(name+"/put", nil); err != nil {
			t.Error(err)
		}
		checkOwner(t, filepath.Join(dir, "a/b", name), owner, 0o700)
		checkOwner(t, filepath.Join(dir, "a/b", name, "added"), owner, 0o600)
		checkOwner(t, filepath.Join(dir, "a/b", name, "put"), owner, 0o600)
	}
	checkOwner(t, filepath.Join(dir, "a"), owner, 0o700)
	checkOwner(t, filepath.Join(dir, "a/b/log"), owner, 0o600)
}

// TestOwnerOfLinked takes no file for a new one that has another name elsewhere.
func TestOwnerOfLinked(t *testing.T) {
	dir := t.TempDir()
	secret := filepath.Join(dir, "secret")
	if err := os.WriteFile(secret, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	theirs := filepath.Join(dir, "theirs")
	if err := os.Mkdir(theirs, 0o700); err != nil {
		t.Fatal(err)
	}
	owned(t, theirs)
	root, err := disk.OpenRoot(theirs)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if err := os.Link(secret, filepath.Join(theirs, "log")); err != nil {
		t.Fatal(err)
	}
	f, err := root.OpenWrite("log", os.O_WRONLY|os.O_CREATE, disk.PrivateFile)
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	checkOwner(t, secret, os.Geteuid(), 0o600)
}

// TestOwnerOfReplaced keeps whose a file is, and its mode, when another takes its place.
func TestOwnerOfReplaced(t *testing.T) {
	for name, c := range map[string]struct {
		private  bool
		set      fs.FileMode
		was, got fs.FileMode
	}{
		"as it was":   {was: 0o644, got: 0o644},
		"group's":     {was: 0o660, got: 0o660},
		"private":     {private: true, was: 0o644, got: 0o600},
		"a mode told": {set: 0o640, was: 0o600, got: 0o640},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "file")
			if err := os.WriteFile(path, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Chmod(path, c.was); err != nil {
				t.Fatal(err)
			}
			owner := owned(t, path)
			root, err := disk.OpenRoot(dir)
			if err != nil {
				t.Fatal(err)
			}
			defer root.Close()
			w := disk.Whole{Root: root, Private: c.private}
			if err := w.ReplaceIf("file", []byte("new"), c.set, nil); err != nil {
				t.Fatal(err)
			}
			checkOwner(t, path, owner, c.got)
		})
	}
}
