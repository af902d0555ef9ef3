// Package disktest makes directories with files for the tests of all stores. Start with
// [New]. Only tests import it.
package disktest

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/lsp/disk"
)

// Dir is a directory that a test fills. Paths are relative to it, with "/".
type Dir struct {
	t testing.TB
	// Root is the directory's path. It has no links.
	Root string
}

// New returns a directory with a name. Its first file makes it.
func New(t testing.TB, name string) *Dir {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return At(t, filepath.Join(dir, name))
}

// At returns the directory at a path. If it does not exist, its first file makes it.
func At(t testing.TB, root string) *Dir { return &Dir{t, root} }

// Path returns the path of a file.
func (d *Dir) Path(file string) string { return filepath.Join(d.Root, filepath.FromSlash(file)) }

// Put writes a file, and makes its folders.
func (d *Dir) Put(file string, data []byte) {
	d.t.Helper()
	d.check(os.MkdirAll(filepath.Dir(d.Path(file)), 0o700))
	d.check(os.WriteFile(d.Path(file), data, 0o600))
}

// Mkdir makes a folder, and its parents.
func (d *Dir) Mkdir(folder string) {
	d.t.Helper()
	d.check(os.MkdirAll(d.Path(folder), 0o700))
}

// Remove removes a file, or a folder with everything in it.
func (d *Dir) Remove(file string) {
	d.t.Helper()
	d.check(os.RemoveAll(d.Path(file)))
}

// Rename moves a file or folder.
func (d *Dir) Rename(from, to string) {
	d.t.Helper()
	d.check(os.Rename(d.Path(from), d.Path(to)))
}

// Link makes a symbolic link, and its folders.
func (d *Dir) Link(target, at string) {
	d.t.Helper()
	d.check(os.MkdirAll(filepath.Dir(d.Path(at)), 0o700))
	d.check(os.Symlink(target, d.Path(at)))
}

// Backdate sets the times of all files back by an hour, so that their times show every later
// change.
func (d *Dir) Backdate() {
	d.t.Helper()
	long := time.Now().Add(-time.Hour)
	d.check(filepath.WalkDir(d.Root, func(at string, _ os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Chtimes(at, long, long)
	}))
}

func (d *Dir) check(err error) {
	d.t.Helper()
	if err != nil {
		d.t.Fatal(err)
	}
}

// Within returns a context with a test's timeout of one minute. A poll waits a hundred times
// as long as a look takes: on a busy machine, under the race detector, that may be half a
// minute.
func Within(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	return ctx
}

// Before is a layer that is called before each change. If it returns an error, the change
// fails.
type Before func(c *disk.Change) error

// Do is [disk.Layer].
func (b Before) Do(c *disk.Change, do func() error) error {
	if err := b(c); err != nil {
		return err
	}
	return do()
}

// Unfinished reports whether a change is of a file that still has its temporary name.
func Unfinished(c *disk.Change) bool {
	return strings.HasPrefix(filepath.Base(c.Path), disk.TempPrefix)
}
