// Package disktest has what the tests of all stores need: a directory to put files
// in. Start with [New]. Only tests import it.
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
	// Root is where the directory lies: its path has no links, and nothing is there
	// before the first file.
	Root string
}

// New returns a directory of a name.
func New(t testing.TB, name string) *Dir {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return At(t, filepath.Join(dir, name))
}

// At returns a directory that is there already, or is made by the first file.
func At(t testing.TB, root string) *Dir { return &Dir{t, root} }

// Path is where a file lies.
func (d *Dir) Path(file string) string { return filepath.Join(d.Root, filepath.FromSlash(file)) }

// Put writes a file, and makes its folders.
func (d *Dir) Put(file string, data []byte) {
	d.t.Helper()
	d.check(os.MkdirAll(filepath.Dir(d.Path(file)), 0o700))
	d.check(os.WriteFile(d.Path(file), data, 0o600))
}

// Mkdir makes a folder, and those around it.
func (d *Dir) Mkdir(folder string) {
	d.t.Helper()
	d.check(os.MkdirAll(d.Path(folder), 0o700))
}

// Remove removes a file, or a folder with all in it.
func (d *Dir) Remove(file string) {
	d.t.Helper()
	d.check(os.RemoveAll(d.Path(file)))
}

// Rename moves a file or folder.
func (d *Dir) Rename(from, to string) {
	d.t.Helper()
	d.check(os.Rename(d.Path(from), d.Path(to)))
}

// Link makes a symbolic link, and the folders around it.
func (d *Dir) Link(target, at string) {
	d.t.Helper()
	d.check(os.MkdirAll(filepath.Dir(d.Path(at)), 0o700))
	d.check(os.Symlink(target, d.Path(at)))
}

// Rest makes all files as old as most are, so that their times tell every change.
func (d *Dir) Rest() {
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

// Within returns a context with a test's patience. What is polled waits a hundred times as long
// as a look takes: on a busy machine, under the race detector, that may be half a minute.
func Within(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	return ctx
}

// Before is a layer that is asked before each change, and whose error fails it.
type Before func(c *disk.Change) error

// Do is [disk.Layer].
func (b Before) Do(c *disk.Change, do func() error) error {
	if err := b(c); err != nil {
		return err
	}
	return do()
}

// Unfinished reports whether a change is of a file that has not its name yet.
func Unfinished(c *disk.Change) bool {
	return strings.HasPrefix(filepath.Base(c.Path), disk.TempPrefix)
}
