package disk_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/lsp/disk"
	"github.com/signalbox-dev/signalbox/lsp/disk/disktest"
)

// newWhole returns a directory to write to.
func newWhole(t *testing.T) (w *disk.Whole, path string) {
	t.Helper()
	return layered(t, func(*disk.Change) error { return nil })
}

// layered is a [disk.Whole] whose changes may fail before they are made.
func layered(t *testing.T, before disktest.Before) (w *disk.Whole, path string) {
	t.Helper()
	path = t.TempDir()
	root, err := disk.Disk{Layer: before}.OpenRoot(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	return &disk.Whole{Root: root}, path
}

// names lists a directory.
func names(t *testing.T, path string) string {
	t.Helper()
	list, err := os.ReadDir(path)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range list {
		all = append(all, e.Name())
	}
	return strings.Join(all, " ")
}

func content(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestWhole adds what is not there, and replaces nothing by that.
func TestWhole(t *testing.T) {
	w, path := newWhole(t)
	if err := w.Add("a/b/c.json", []byte("1")); err != nil {
		t.Fatal(err)
	}
	if err := w.Add("a/b/c.json", []byte("2")); !errors.Is(err, fs.ErrExist) {
		t.Errorf("added twice: %v", err)
	}
	if err := w.Replace("a/b/c.json", []byte("3")); err != nil || content(t, filepath.Join(path, "a/b/c.json")) != "3" {
		t.Errorf("replaced: %v", err)
	}
	if err := w.Replace("new", []byte("4")); err != nil || content(t, filepath.Join(path, "new")) != "4" {
		t.Errorf("replaced what was not there: %v", err)
	}
	failed := errors.New("full")
	if err := w.AddFrom("half", func(to io.Writer) error { _, _ = io.WriteString(to, "ha"); return failed }); !errors.Is(err, failed) {
		t.Errorf("half: %v", err)
	}
	if got := names(t, path) + "|" + names(t, filepath.Join(path, "a", "b")); got != "a new|c.json" || w.Left {
		t.Errorf("there are %q", got)
	}
}

// TestReplaceIf asks in the last moment, and keeps a mode.
func TestReplaceIf(t *testing.T) {
	w, path := newWhole(t)
	file := filepath.Join(path, "a")
	if err := os.WriteFile(file, []byte("1"), 0o600); err != nil {
		t.Fatal(err)
	}
	no := errors.New("no")
	if err := w.ReplaceIf("a", []byte("2"), 0, func(*disk.Root) error { return no }); !errors.Is(err, no) || content(t, file) != "1" {
		t.Errorf("it was replaced: %v", err)
	}
	if err := w.ReplaceIf("a", []byte("2"), 0o644, func(*disk.Root) error { return nil }); err != nil || content(t, file) != "2" {
		t.Errorf("it was not replaced: %v", err)
	}
	if info, err := os.Stat(file); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o644 {
		t.Errorf("%v %v", info.Mode(), err)
	}
	if got := names(t, path); got != "a" {
		t.Errorf("there are %q", got)
	}
}

// TestPrivate keeps what a group's folder would share.
func TestPrivate(t *testing.T) {
	if runtime.GOOS == "windows" {
		return // it has other rights, which no mode tells
	}
	for private, want := range map[bool][2]fs.FileMode{false: {0o770, 0o660}, true: {0o700, 0o600}} {
		w, path := newWhole(t)
		w.Private = private
		// What is made is made narrower by a umask, and is then not the group's.
		if err := errors.Join(os.Chmod(path, 0o770), w.Add("d/f", nil)); err != nil {
			t.Fatal(err)
		}
		dir, err := os.Stat(filepath.Join(path, "d"))
		if err != nil {
			t.Fatal(err)
		}
		file, err := os.Stat(filepath.Join(path, "d", "f"))
		if err != nil {
			t.Fatal(err)
		}
		if got := [2]fs.FileMode{dir.Mode().Perm(), file.Mode().Perm()}; got[0]&^want[0] != 0 || got[1]&^want[1] != 0 {
			t.Errorf("private %v: %o", private, got)
		}
	}
}

// TestLinksRefused follows no link, neither on the way nor at the end.
func TestLinksRefused(t *testing.T) {
	w, path := newWhole(t)
	outside := t.TempDir()
	if err := errors.Join(
		os.Symlink(outside, filepath.Join(path, "away")),
		os.Mkdir(filepath.Join(path, "inside"), 0o700),
		os.Symlink("inside", filepath.Join(path, "here")),
		os.Symlink(filepath.Join(outside, "f"), filepath.Join(path, "f")),
		os.WriteFile(filepath.Join(outside, "f"), []byte("secret"), 0o600),
	); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"away/x", "here/x"} {
		_, isKind := errors.AsType[*disk.KindError](w.Add(file, nil))
		_, replaced := errors.AsType[*disk.KindError](w.Replace(file, nil))
		_, err := w.Root.OpenFolder(filepath.Dir(file))
		_, opened := errors.AsType[*disk.KindError](err)
		if !isKind || !replaced || !opened {
			t.Errorf("%s: %v %v %v", file, isKind, replaced, opened)
		}
	}
	if err := w.Add("f", nil); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a link was written through: %v", err)
	}
	if _, _, err := w.Root.ReadRegular("f", 100); err == nil || !strings.Contains(err.Error(), "symbolic link") {
		t.Errorf("a link was read: %v", err)
	}
	if _, err := w.Root.OpenFolder("missing"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
	if got := names(t, outside) + "|" + names(t, filepath.Join(path, "inside")); got != "f|" || content(t, filepath.Join(outside, "f")) != "secret" {
		t.Errorf("there are %q", got)
	}
	// What a user names may be a link.
	f, err := disk.OpenNamed(filepath.Join(path, "f"))
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	if _, err := disk.OpenNamed(path); err == nil {
		t.Error("a directory was opened as a file")
	}
}

// TestReadFile reads a byte more than it may, and no further.
func TestReadFile(t *testing.T) {
	w, _ := newWhole(t)
	if err := w.Add("f", []byte("12345")); err != nil {
		t.Fatal(err)
	}
	for limit, want := range map[int64]string{10: "12345", 5: "12345", 3: "1234"} {
		if data, info, err := w.Root.ReadRegular("f", limit); err != nil || string(data) != want || info.Size() != 5 {
			t.Errorf("at most %d: %q %v", limit, data, err)
		}
	}
}

// TestNoSecondNames writes where the file system knows no links, and replaces
// nothing there either.
func TestNoSecondNames(t *testing.T) {
	refuse := func() error { return syscall.EPERM }
	w, path := layered(t, func(c *disk.Change) error {
		if c.Op == disk.OpLink {
			return refuse()
		}
		return nil
	})
	if err := w.Add("f", []byte("1")); err != nil || content(t, filepath.Join(path, "f")) != "1" || names(t, path) != "f" {
		t.Errorf("%v", err)
	}
	refuse = func() error {
		return errors.Join(os.WriteFile(filepath.Join(path, "g"), []byte("2"), 0o600), syscall.EPERM)
	}
	if err := w.Add("g", []byte("1")); !errors.Is(err, fs.ErrExist) || content(t, filepath.Join(path, "g")) != "2" {
		t.Errorf("%v", err)
	}
}

// TestSteps fails at each step: there is all of a file or nothing, and no other.
func TestSteps(t *testing.T) {
	for stop := 1; ; stop++ {
		n, at := 0, disk.Op("")
		w, path := layered(t, func(c *disk.Change) error {
			if n++; n == stop {
				at = c.Op
				return syscall.ENOSPC
			}
			return nil
		})
		err := w.Add("a/f", []byte("1"))
		if err == nil {
			err = w.Replace("a/f", []byte("2"))
		}
		if at == "" {
			if err != nil || stop < 10 {
				t.Errorf("%d steps: %v", stop, err)
			}
			return
		}
		if left := w.Left; left != (at == disk.OpRemove) {
			t.Errorf("%s: left: %v", at, left)
		}
		if at == disk.OpMkdir || at == disk.OpRemove {
			continue
		}
		switch got := names(t, filepath.Join(path, "a")); got {
		case "":
			if err == nil {
				t.Errorf("%s: acknowledged, and not there", at)
			}
		case "f":
			if text := content(t, filepath.Join(path, "a", "f")); text != "1" && text != "2" || err == nil && text != "2" {
				t.Errorf("%s: %q %v", at, text, err)
			}
		default:
			t.Errorf("%s: there are %q", at, got)
		}
	}
}

// TestSweep knows unfinished files by their names and their age.
func TestSweep(t *testing.T) {
	var temp string
	w, path := layered(t, func(c *disk.Change) error {
		if c.Op == disk.OpSync {
			temp = filepath.Base(c.Path)
		}
		return nil
	})
	w.Tag = "x-"
	if err := w.Add("f", nil); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][2]bool{
		temp: {false, true}, strings.Replace(temp, "x-", "", 1): {true, false}, disk.TempPrefix + "x-short": {}, "f": {},
	} {
		if got := [2]bool{disk.IsTemp(name, ""), disk.IsTemp(name, "x-")}; got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
	for name, age := range map[string]time.Duration{disk.TempPrefix + "old": 2 * disk.Abandoned, disk.TempPrefix + "new": 0, "other": 2 * disk.Abandoned} {
		at := filepath.Join(path, name)
		when := time.Now().Add(-age)
		if err := errors.Join(os.WriteFile(at, nil, 0o600), os.Chtimes(at, when, when)); err != nil {
			t.Fatal(err)
		}
		w.Root.Sweep(name, disk.Abandoned)
	}
	if got := names(t, path); got != disk.TempPrefix+"new f other" {
		t.Errorf("there are %q", got)
	}
}
