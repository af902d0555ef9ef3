package agn

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/lsp/disk"
	"github.com/signalbox-dev/signalbox/lsp/disk/filelock"
)

// MessagePath is where a message belongs, relative to the directory and with "/"
// between the names, as the other paths have it. The ids must be ones that
// [agn.ValidTaskID] and [agn.ParseID] accept: what a stranger wrote is never a
// path.
func MessagePath(taskID, msgID string) string { return inMessages + "/" + taskID + "/" + msgID + ext }

// AckPath is where the ACK to a message belongs.
func AckPath(msgID string) string { return inAcks + "/" + msgID + ext }

// ResumePath is where the admin's answer to a message belongs.
func ResumePath(msgID string) string { return inResumes + "/" + msgID + ext }

// TaskPath is where the summary of a task belongs.
func TaskPath(taskID string) string { return inTasks + "/" + taskID + ext }

const ext = ".json"

// ErrNotFound is the error of answering a message that is not there.
var ErrNotFound = errors.New("not found")

// ErrLocked is the error of writing when another writer did not end before the
// context did, or within [filelock.Timeout].
var ErrLocked = filelock.ErrLocked

// RejectedError reports that a message was refused, and whether the error log says
// so (rule E0).
type RejectedError struct {
	// Findings has all faults, those against the task's other messages too.
	Findings canon.Findings
	// MsgID is as the message has it, and may be empty or anything.
	MsgID string
	// Conflict is set where another message of the id is there (rule E1).
	Conflict bool
	// Log is why the error log does not have it, and nil where it has.
	Log error
}

func (e *RejectedError) Error() string {
	list := make([]string, 0, len(e.Findings.Faults))
	for i := range e.Findings.Faults {
		list = append(list, e.Findings.Faults[i].Error())
	}
	text := "ssot: the message was refused: " + strings.Join(list, "; ")
	if e.Log != nil {
		text += "; it was not logged: " + e.Log.Error()
	}
	return text
}

// Unwrap returns the first fault, and why it was not logged.
func (e *RejectedError) Unwrap() []error {
	list := []error{&e.Findings.Faults[0]}
	if e.Log != nil {
		list = append(list, e.Log)
	}
	return list
}

// ExistsError reports that a message has its ACK or its answer already, or that
// something else has the name. Nothing is ever overwritten.
type ExistsError struct {
	// Path is the file, relative to the directory.
	Path string
	// Ack or Resume is what stands there. Both are nil where the file cannot be
	// read, or holds something else.
	Ack    *agn.Ack
	Resume *agn.Resume
	// Void is why what stands there counts for nothing, so that the message still
	// has no ACK or answer, or empty where it counts.
	Void string
}

func (e *ExistsError) Error() string {
	if e.Void != "" {
		return fmt.Sprintf("ssot: %s is there, is not overwritten, and counts for nothing: %s; remove the file and try again", e.Path, e.Void)
	}
	switch {
	case e.Ack != nil:
		return fmt.Sprintf("ssot: %s was acknowledged by the %s at %s", e.Ack.MsgID, e.Ack.By, agn.FormatTime(e.Ack.Millis))
	case e.Resume != nil:
		return fmt.Sprintf("ssot: %s was answered with %s at %s", e.Resume.MsgID, e.Resume.Action, agn.FormatTime(e.Resume.Millis))
	}
	return fmt.Sprintf("ssot: %s is there and cannot be read; it is not overwritten", e.Path)
}

// Dir is a directory to write to. Its methods may be called from everywhere, and
// exclude each other and all other processes that use this package while they
// look, check and write.
//
// Facts are written to the layout, whose folders are made where they are not there.
type Dir struct {
	path string
	root *disk.Root

	mu    sync.Mutex // held while writing, under the lock; guards what follows
	swept bool
	log   logReader // for what the error log has already
	// known is what was there at the last look, so that the next one reads only
	// what changed.
	known *state
}

// Open opens a directory that is there. The path itself may be a link.
func Open(path string) (*Dir, error) { return openOn(disk.Disk{}, path) }

func openOn(on disk.Disk, path string) (*Dir, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("ssot: open %q: %w", path, err)
	}
	root, err := on.OpenRoot(abs)
	if err != nil {
		return nil, fmt.Errorf("ssot: open %q: %w", path, disk.Cause(err))
	}
	return &Dir{path: abs, root: root}, nil
}

// Create opens a directory and makes what is missing of it and of its layout.
func Create(path string) (*Dir, error) { return createOn(disk.Disk{}, path) }

func createOn(on disk.Disk, path string) (*Dir, error) {
	if err := on.MkdirAll(path, 0o777); err != nil {
		return nil, fmt.Errorf("ssot: create %q: %w", path, disk.Cause(err))
	}
	d, err := openOn(on, path)
	if err != nil {
		return nil, err
	}
	w := d.whole()
	for _, name := range []string{inMessages, inAcks, inResumes, inTasks} {
		f, err := w.Folder(name)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("ssot: create %q: %w", path, err), d.Close())
		}
		f.Close()
	}
	return d, nil
}

// Close releases the directory.
func (d *Dir) Close() error { return d.root.Close() }

// lockName is the file that a writer holds. It is gone when nobody writes.
const lockName = ".lock"

// writing is a directory under the lock.
type writing struct {
	*Dir
	lock *filelock.Lock
}

// write takes the lock. The caller ends the writing.
func (d *Dir) write(ctx context.Context) (*writing, error) {
	l, err := filelock.Take(ctx, d.root, lockName, lockMode(d.root))
	if err != nil {
		return nil, fmt.Errorf("ssot: %w", err)
	}
	d.mu.Lock()
	w := &writing{Dir: d, lock: l}
	w.sweep()
	return w, nil
}

func (w *writing) end() {
	w.mu.Unlock()
	w.lock.Release()
}

// look looks at the whole directory: an envelope may lie anywhere in it.
func (w *writing) look(ctx context.Context) (*Snapshot, error) {
	if w.known == nil {
		w.known = newState(Config{Path: w.path})
		w.known.texts = keepTexts
	}
	if _, err := w.known.look(ctx, nil); err != nil {
		return nil, fmt.Errorf("ssot: %w", err)
	}
	s := w.known.snapshot()
	if s.Err != nil {
		return nil, s.Err
	}
	// It is looked at by its path and written to through an open folder.
	mine, err := w.root.Stat(".")
	if err == nil {
		var there fs.FileInfo
		if there, err = os.Stat(w.path); err == nil && !os.SameFile(mine, there) {
			err = disk.ErrReplaced
		}
	}
	if err != nil {
		return nil, fmt.Errorf("ssot: %q: %w", w.path, disk.Cause(err))
	}
	return s, nil
}

// lockMode is the mode of the lock: whoever may write to the directory must be able to
// wait for it.
func lockMode(root *disk.Root) fs.FileMode {
	mode := root.FileMode()
	if info, err := root.Stat("."); err == nil {
		for _, who := range []fs.FileMode{0o020, 0o002} {
			if info.Mode().Perm()&who != 0 {
				mode |= 3 * who // to read and to write
			}
		}
	}
	return mode
}
