package atsf

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/lsp/disk"
	"github.com/signalbox-dev/signalbox/lsp/disk/filelock"
	"github.com/signalbox-dev/signalbox/lsp/disk/tree"
)

// ErrExists is the error for a write that would replace something: a thread, a message's id,
// an asset with other content.
var ErrExists = errors.New("is there already")

// ErrGone is the error for writing to a folder that is being removed or moved. What was
// written may be lost.
var ErrGone = errors.New("its folder was moved away or is being removed, so nothing was stored there: \"signalbox threads list\" shows what became of it")

// checkPlace returns [ErrGone] unless the directory of one thread, or of all, is still where
// it was opened. It is the last step of every write.
func (d *Dir) checkPlace(root *disk.Root, name string) error {
	info, err := root.Stat(".")
	if err == nil {
		var there fs.FileInfo
		there, err = os.Lstat(filepath.Join(d.root.Name(), d.threadsName(), name))
		if err == nil && os.SameFile(info, there) {
			return nil
		}
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return disk.Cause(err)
	}
	return ErrGone
}

// StaleError reports that a message was stored, but thread.json was not updated: it is broken
// or missing, or could not be written. The message is safely in the log; the next write
// updates thread.json once it can be read.
type StaleError struct {
	// Thread is the name of the thread's directory.
	Thread string
	// Err is the reason.
	Err error
}

func (e *StaleError) Error() string {
	return fmt.Sprintf("threads: the message was appended to %q, but its %s is as it was: %s", e.Thread, atsf.ThreadName, strings.TrimPrefix(e.Err.Error(), "threads: "))
}

func (e *StaleError) Unwrap() error { return e.Err }

// NewID returns a random UUID v4 for a thread or a message (Naming Conventions).
func NewID() string {
	var random [16]byte
	_, _ = rand.Read(random[:]) // never fails: see crypto/rand
	return atsf.NewID(random)
}

// Modes of the files that belong to the project like any other: .agent itself, config.json and
// .gitignore. Conversations have the modes of package disk.
const (
	projectDir  fs.FileMode = 0o777
	projectFile fs.FileMode = 0o666
)

// writing holds the lock and the directory of a thread that is being written to.
type writing struct {
	dir  *Dir
	name string
	root *disk.Root
	lock *filelock.Lock
}

// openForWriting opens a thread and takes its lock. After a success the caller must call end.
func (d *Dir) openForWriting(ctx context.Context, name string) (*writing, error) {
	root, err := d.thread(name)
	if err != nil {
		return nil, err
	}
	l, err := takeLock(ctx, root, root.FileMode())
	placeErr := d.checkPlace(root, name)
	if err != nil {
		if errors.Is(placeErr, ErrGone) { // which is why there was no lock to take
			err = fmt.Errorf("threads: %q: %w", name, placeErr)
		}
		return nil, errors.Join(err, root.Close())
	}
	w := &writing{dir: d, name: name, root: root, lock: l}
	if placeErr != nil {
		w.end()
		return nil, fmt.Errorf("threads: %q: %w", name, placeErr)
	}
	root.SweepAll("") // temporary files of interrupted writes
	return w, nil
}

// checkPlace is [Dir.checkPlace] for the thread.
func (w *writing) checkPlace() error { return w.dir.checkPlace(w.root, w.name) }

// end releases the thread.
func (w *writing) end() {
	w.lock.Release()
	_ = w.root.Close()
}

// meta reads thread.json.
func (w *writing) meta() ([]byte, fs.FileInfo, error) { return readSmall(w.root, atsf.ThreadName) }

// change replaces thread.json with the result of edit, unless that is the same (rule T6). It
// returns edit's error.
//
// Tools that do not use the lock may replace the file at the same time. So it is checked once
// more before it is replaced, and edit is called again if it changed.
func (w *writing) change(edit func(raw []byte) ([]byte, error)) error {
	const tries = 5
	for range tries {
		raw, before, err := w.meta()
		if err != nil {
			return err
		}
		out, err := edit(raw)
		if err != nil {
			return err
		}
		if string(out) == string(raw) {
			return nil
		}
		if len(out) > atsf.MaxThreadFile {
			return fmt.Errorf("%s would be %d bytes long, and at most %d are read", atsf.ThreadName, len(out), atsf.MaxThreadFile)
		}
		if err := w.swap(out, before); err == nil {
			return w.checkPlace()
		} else if !errors.Is(err, errForeign) {
			return err
		}
	}
	return errForeign
}

// errForeign means that another program wrote thread.json in the meantime.
var errForeign = errors.New("another program keeps writing " + atsf.ThreadName)

// swap replaces thread.json with data, if it is still as it was before.
func (w *writing) swap(data []byte, before fs.FileInfo) error {
	whole := disk.Whole{Root: w.root}
	return whole.ReplaceIf(atsf.ThreadName, data, before.Mode().Perm(), func(at *disk.Root) error {
		now, err := at.Lstat(atsf.ThreadName)
		if err == nil && (tree.StampOf(now) != tree.StampOf(before) || !now.Mode().IsRegular()) {
			return errForeign
		}
		return err
	})
}

// writeNew writes and syncs a new file, or leaves none. It fails if the file exists.
func writeNew(root *disk.Root, name string, data []byte, mode fs.FileMode) error {
	f, err := root.OpenWrite(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return fmt.Errorf("write %s: %w", name, disk.Cause(err))
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(fmt.Errorf("write %s: %w", name, disk.Cause(err)), root.Remove(name))
	}
	return nil
}

// trimmed returns an error without the prefix that its caller adds again.
func trimmed(err error) error {
	if text, found := strings.CutPrefix(err.Error(), "threads: "); found {
		return &reworded{text, err}
	}
	return err
}

type reworded struct {
	text string
	err  error
}

func (e *reworded) Error() string { return e.text }
func (e *reworded) Unwrap() error { return e.err }

// LockName is the file beside messages.jsonl that a writer holds (rules M4 and Z9: the
// specification requires a lock but does not name it). See [filelock.Lock].
const LockName = atsf.MessagesName + ".lock"

// ErrLocked is the error for writing while another writer holds the lock for too long.
var ErrLocked = filelock.ErrLocked

// takeLock waits for the lock of a thread. mode is the mode of the lock file.
func takeLock(ctx context.Context, root *disk.Root, mode fs.FileMode) (*filelock.Lock, error) {
	l, err := filelock.Take(ctx, root, LockName, mode)
	if err != nil {
		return nil, fmt.Errorf("threads: %w", err)
	}
	return l, nil
}
