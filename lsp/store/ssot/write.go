package ssot

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"
	"time"

	"github.com/signalbox-dev/signalbox/lsp/store/disk"
)

// A fact is written whole under a name that begins with a dot, which no reader
// takes for one, synced, and then given its own name by a second link, which
// replaces nothing. So a process that is killed at any moment leaves the fact or
// no fact, and in the worst case a file that the next writer removes.

// tempPrefix begins the names of files that are being written.
const tempPrefix = ".signalbox-"

// abandoned is how old such a file must be to be taken for one that a killed
// writer left. Under the lock no other writer of this machine has one; a writer
// of another machine may, where a lock does not reach so far.
const abandoned = time.Hour

// step tells the hook of a step.
func (d *Dir) step(name string) error {
	if d.hook == nil {
		return nil
	}
	return d.hook(name)
}

// folder opens a folder of the directory, and makes it where it is missing. A
// link in its place, or on the way, is refused.
func (w *writing) folder(name string) (*os.Root, error) {
	at, err := w.root.OpenRoot(".")
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, disk.Cause(err))
	}
	for part := range strings.SplitSeq(name, "/") {
		next, err := w.enter(at, part)
		at.Close()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		at = next
	}
	return at, nil
}

// enter opens a folder in an open one.
func (w *writing) enter(at *os.Root, name string) (*os.Root, error) {
	before, err := at.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		if err = w.step("mkdir"); err == nil {
			err = at.Mkdir(name, disk.DirMode(at))
		}
		if err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, disk.Cause(err)
		}
		if err := disk.SyncDir(at); err != nil {
			return nil, disk.Cause(err)
		}
		before, err = at.Lstat(name)
	}
	if err != nil {
		return nil, disk.Cause(err)
	}
	if !before.IsDir() {
		return nil, &errKind{before.Mode().Type()}
	}
	next, err := at.OpenRoot(name)
	if err != nil {
		return nil, disk.Cause(err)
	}
	if after, err := next.Stat("."); err != nil || !os.SameFile(before, after) {
		next.Close()
		return nil, errReplaced
	}
	return next, nil
}

// add writes a fact at a path that nothing has yet. The error is fs.ErrExist if
// there is something, a link too.
func (w *writing) add(file string, data []byte) error {
	at, err := w.folder(path.Dir(file))
	if err != nil {
		return err
	}
	defer at.Close()
	name := path.Base(file)
	if _, err := at.Lstat(name); err == nil {
		return fs.ErrExist
	}
	tmp, err := w.temp(at, data)
	if err != nil {
		return fmt.Errorf("write %s: %w", file, err)
	}
	err = w.step("link")
	if err == nil {
		err = at.Link(tmp, name)
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		err = w.move(at, tmp, name)
	}
	// It has its own name now, or none. If the first one stays it hinders nobody.
	if w.step("unlink") == nil {
		_ = at.Remove(tmp)
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", file, disk.Cause(err))
	}
	return w.settle(at, file)
}

// move gives a file its name where the file system knows no second names. A
// rename replaces what is there: only the lock keeps others from putting
// something there in this moment.
func (w *writing) move(at *os.Root, tmp, name string) error {
	if err := w.step("move"); err != nil {
		return err
	}
	if _, err := at.Lstat(name); err == nil {
		return fs.ErrExist
	}
	return at.Rename(tmp, name)
}

// replace puts a file in the place of another one, or where there is none.
func (w *writing) replace(file string, data []byte) error {
	at, err := w.folder(path.Dir(file))
	if err != nil {
		return err
	}
	defer at.Close()
	tmp, err := w.temp(at, data)
	if err == nil {
		if err = w.step("rename"); err == nil {
			err = at.Rename(tmp, path.Base(file))
		}
		if err != nil {
			_ = at.Remove(tmp)
		}
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", file, disk.Cause(err))
	}
	return w.settle(at, file)
}

// settle makes the names in a folder last.
func (w *writing) settle(at *os.Root, file string) error {
	err := w.step("settle")
	if err == nil {
		err = disk.SyncDir(at)
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", file, disk.Cause(err))
	}
	return nil
}

// temp writes a file under a name of its own, whole and synced, or leaves none.
func (w *writing) temp(at *os.Root, data []byte) (name string, err error) {
	name = tempPrefix + rand.Text()
	if err := w.step("create"); err != nil {
		return "", err
	}
	f, err := at.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, disk.FileMode(at))
	if err != nil {
		return "", disk.Cause(err)
	}
	if err := w.fill(f, data); err != nil {
		_ = at.Remove(name)
		return "", disk.Cause(err)
	}
	return name, nil
}

// fill writes a new file and waits until it is on the disk.
func (w *writing) fill(f *os.File, data []byte) error {
	err := w.step("write")
	if err == nil {
		_, err = f.Write(data)
	}
	if err == nil {
		err = w.step("sync")
	}
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// sweep removes what killed writers left, once for each [Dir]. That it fails
// harms nobody.
func (w *writing) sweep() {
	if !w.swept {
		w.swept = true
		sweepFolder(w.root, 0)
	}
}

// sweepFolder goes through the folders of the layout.
func sweepFolder(at *os.Root, depth int) {
	dir, err := at.Open(".")
	if err != nil {
		return
	}
	defer dir.Close()
	entries, _, _ := list(dir, maxEntries)
	for _, e := range entries {
		name := e.Name()
		switch {
		case strings.HasPrefix(name, tempPrefix):
			if info, err := at.Lstat(name); err == nil && info.Mode().IsRegular() && time.Since(info.ModTime()) > abandoned {
				_ = at.Remove(name)
			}
		case e.IsDir() && (depth == 1 || depth == 0 && (name == inMessages || name == inAcks || name == inResumes || name == inTasks)):
			if sub, err := at.OpenRoot(name); err == nil {
				sweepFolder(sub, depth+1)
				sub.Close()
			}
		}
	}
}
