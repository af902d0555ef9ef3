package disk_test

import (
	"errors"
	"io/fs"
	"os"
	"runtime"
	"testing"

	"github.com/signalbox-dev/signalbox/lsp/store/disk"
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
		root, err := os.OpenRoot(dir)
		if err != nil {
			t.Fatal(err)
		}
		if got := [2]fs.FileMode{disk.DirMode(root), disk.FileMode(root)}; got != want {
			t.Errorf("in %o: %o, want %o", mode, got, want)
		}
		if err := errors.Join(disk.SyncDir(root), root.Close()); err != nil {
			t.Error(err)
		}
		if disk.SyncDir(root) == nil {
			t.Error("a closed directory was synced")
		}
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
