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

// ErrExists is the error of writing that would replace what is there: a thread, a
// message's id, an asset of another content.
var ErrExists = errors.New("is there already")

// ErrGone is the error of writing in a folder that is removed, or moved away,
// meanwhile. Nobody may count on what was written.
var ErrGone = errors.New("its folder was moved away or is being removed, so nothing was stored there: \"signalbox threads list\" shows what became of it")

// stands returns [ErrGone] unless the directory of all threads, or of one, is still
// found where it was opened. Whoever writes asks this last.
func (d *Dir) stands(root *disk.Root, name string) error {
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

// StaleError reports that a message was stored, and that thread.json was not
// brought up to date: it is broken or missing, or could not be written. The
// message is in the log and safe; the next one makes up for the rest once thread.json
// can be read.
type StaleError struct {
	// Thread is the name of the thread's directory.
	Thread string
	// Err is why.
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

// Modes of the files of the project like any other: .agent itself, config.json
// and .gitignore. Conversations have the modes of package disk.
const (
	projectDir  fs.FileMode = 0o777
	projectFile fs.FileMode = 0o666
)

// writing is a thread that is being written to: its directory, under the lock.
type writing struct {
	dir  *Dir
	name string
	root *disk.Root
	lock *filelock.Lock
}

// write opens a thread and takes its lock. The caller ends the writing.
func (d *Dir) write(ctx context.Context, name string) (*writing, error) {
	root, err := d.thread(name)
	if err != nil {
		return nil, err
	}
	l, err := takeLock(ctx, root, root.FileMode())
	gone := d.stands(root, name)
	if err != nil {
		if errors.Is(gone, ErrGone) {
			err = fmt.Errorf("threads: %q: %w", name, gone)
		}
		return nil, errors.Join(err, root.Close())
	}
	w := &writing{dir: d, name: name, root: root, lock: l}
	if gone != nil {
		w.end()
		return nil, fmt.Errorf("threads: %q: %w", name, gone)
	}
	root.SweepAll("")
	return w, nil
}

// stands is [Dir.stands] for the thread.
func (w *writing) stands() error { return w.dir.stands(w.root, w.name) }

// end releases the thread.
func (w *writing) end() {
	w.lock.Release()
	_ = w.root.Close()
}

// meta reads thread.json.
func (w *writing) meta() ([]byte, fs.FileInfo, error) { return readSmall(w.root, atsf.ThreadName) }

// change replaces thread.json by what edit makes of it, or does nothing if that
// is the same (rule T6). It returns what edit was given.
//
// Tools that know nothing of the lock may replace the file meanwhile. So it is
// looked at once more before the new one takes its place, and the edit is made
// again if it is another one.
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
			return w.stands()
		} else if !errors.Is(err, errForeign) {
			return err
		}
	}
	return errForeign
}

// errForeign means that another program wrote thread.json meanwhile.
var errForeign = errors.New("another program keeps writing " + atsf.ThreadName)

// swap puts data in the place of a thread.json that is as it was.
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

// writeNew writes a file that must not be there yet, whole and synced, or leaves
// none.
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

// trimmed is an error whose text does not say once more where it is from.
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

// LockName is the file beside messages.jsonl that a writer holds (rules M4 and
// Z9: the text asks for a lock and names none). See [filelock.Lock].
const LockName = atsf.MessagesName + ".lock"

// ErrLocked is the error of writing when another writer did not end in time.
var ErrLocked = filelock.ErrLocked

// takeLock waits for the lock of a thread. mode is the mode of its file.
func takeLock(ctx context.Context, root *disk.Root, mode fs.FileMode) (*filelock.Lock, error) {
	l, err := filelock.Take(ctx, root, LockName, mode)
	if err != nil {
		return nil, fmt.Errorf("threads: %w", err)
	}
	return l, nil
}
