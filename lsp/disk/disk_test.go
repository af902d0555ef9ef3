package disk_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"
	"testing"

	"github.com/signalbox-dev/signalbox/lsp/disk"
)

func TestModes(t *testing.T) {
	if runtime.GOOS == "windows" {
		return // it has other rights, which no mode tells
	}
	for mode, want := range map[fs.FileMode][2]fs.FileMode{
		0o700: {0o700, 0o600}, 0o750: {0o700, 0o600}, 0o755: {0o700, 0o600}, 0o770: {0o770, 0o660}, 0o775: {0o770, 0o660},
	} {
		dir := t.TempDir()
		if err := os.Chmod(dir, mode); err != nil {
			t.Fatal(err)
		}
		root, err := disk.OpenRoot(dir)
		if err != nil {
			t.Fatal(err)
		}
		if got := [2]fs.FileMode{root.DirMode(), root.FileMode()}; got != want {
			t.Errorf("in %o: %o, want %o", mode, got, want)
		}
		if err := errors.Join(root.Sync(), root.Close()); err != nil {
			t.Error(err)
		}
		if root.Sync() == nil {
			t.Error("a closed directory was synced")
		}
	}
}

// syncs lists the folders that are synced, and may refuse to.
type syncs struct {
	list   []string
	refuse error
}

func (s *syncs) Do(c *disk.Change, do func() error) error {
	if c.Op != disk.OpSyncDir {
		return do()
	}
	s.list = append(s.list, filepath.Base(c.Path))
	return errors.Join(s.refuse, do())
}

// TestMkdirAll sees that the name of a folder lasts, whoever made it.
func TestMkdirAll(t *testing.T) {
	top := filepath.Join(t.TempDir(), "top")
	if err := os.Mkdir(top, 0o700); err != nil {
		t.Fatal(err)
	}
	s := &syncs{}
	on := disk.Disk{Layer: s}
	synced := func(name, path string, want ...string) {
		t.Helper()
		s.list = nil
		err := on.MkdirAll(path, 0o700)
		if !slices.Equal(s.list, want) || !errors.Is(err, s.refuse) {
			t.Errorf("%s: %q were synced, %v, want %q", name, s.list, err, want)
		}
	}
	box := filepath.Join(top, "mail", "box")
	above := filepath.Base(filepath.Dir(top))
	synced("made", box, above, "top", "mail")
	synced("there", box)
	if err := os.Mkdir(filepath.Join(top, "killed"), 0o700); err != nil {
		t.Fatal(err)
	}
	s.refuse = errors.New("no disk")
	synced("made by a process that was killed, and the disk fails", filepath.Join(top, "killed"), "top")
	s.refuse = nil
	synced("once more", filepath.Join(top, "killed"), "top")
	synced("then", filepath.Join(top, "killed"))
	if err := errors.Join(os.Rename(box, box+"-away"), os.Mkdir(box, 0o700)); err != nil {
		t.Fatal(err)
	}
	synced("another of that name", box, "mail")

	s.refuse = syscall.EINVAL
	mounted := filepath.Join(top, "mounted")
	if err := errors.Join(os.Mkdir(mounted, 0o700), on.MkdirAll(mounted, 0o700)); err != nil {
		t.Errorf("where folders are not synced, one that is there is refused: %v", err)
	}
	if err := on.MkdirAll(filepath.Join(box, "new"), 0o700); !errors.Is(err, s.refuse) {
		t.Errorf("one that is made there gives %v", err)
	}
}

func TestWords(t *testing.T) {
	plain := errors.New("full")
	if got := disk.Cause(&fs.PathError{Op: "open", Path: "/x", Err: plain}); got.Error() != "full" {
		t.Errorf("the cause is %v", got)
	}
	if got := disk.Cause(plain); got.Error() != "full" {
		t.Errorf("the cause is %v", got)
	}
	if got := disk.Cause(&os.LinkError{Op: "link", Old: "/x", New: "/y", Err: plain}); got.Error() != "full" {
		t.Errorf("the cause is %v", got)
	}
	for mode, want := range map[fs.FileMode]string{
		0: "a file", fs.ModeDir: "a directory", fs.ModeSymlink: "a symbolic link", fs.ModeNamedPipe: "a FIFO",
		fs.ModeSocket: "a socket", fs.ModeDevice | fs.ModeCharDevice: "a device", fs.ModeIrregular: "no regular file",
	} {
		if got := disk.Kind(mode | 0o644); got != want {
			t.Errorf("%v is %s, want %s", mode, got, want)
		}
	}
}
