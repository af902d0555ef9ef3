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

// MessagePath returns a message's path, relative to the directory and with "/" between the
// names, like the other paths. [agn.ValidTaskID] and [agn.ParseID] must accept the ids: text
// that someone else wrote is never used as a path.
func MessagePath(taskID, msgID string) string { return inMessages + "/" + taskID + "/" + msgID + ext }

// AckPath returns the path of a message's ACK.
func AckPath(msgID string) string { return inAcks + "/" + msgID + ext }

// ResumePath returns the path of the admin's answer to a message.
func ResumePath(msgID string) string { return inResumes + "/" + msgID + ext }

// TaskPath returns the path of a task's summary.
func TaskPath(taskID string) string { return inTasks + "/" + taskID + ext }

const ext = ".json"

// ErrNotFound is the error for answering a message that does not exist.
var ErrNotFound = errors.New("not found")

// ErrLocked is the error for writing while another writer holds the lock longer than the
// context or [filelock.Timeout] allows.
var ErrLocked = filelock.ErrLocked

// RejectedError reports that a message was refused, and whether that was logged (rule E0).
type RejectedError struct {
	// Findings holds all faults, including those against the task's other messages.
	Findings canon.Findings
	// MsgID is copied from the message: it may be empty or any text.
	MsgID string
	// Conflict is set if another message has this id (rule E1).
	Conflict bool
	// Log is the reason why the error log does not have the message, or nil if it does.
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

// Unwrap returns the first fault and the logging error.
func (e *RejectedError) Unwrap() []error {
	list := []error{&e.Findings.Faults[0]}
	if e.Log != nil {
		list = append(list, e.Log)
	}
	return list
}

// ExistsError reports that a message already has an ACK or an answer, or that another file has
// its name. Nothing is ever overwritten.
type ExistsError struct {
	// Path is the file, relative to the directory.
	Path string
	// Ack or Resume is the content of that file. Both are nil if the file cannot be read or holds
	// something else.
	Ack    *agn.Ack
	Resume *agn.Resume
	// Void is the reason why that file has no effect, so that the message still has no ACK or
	// answer. It is empty if the file is valid.
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

// Dir is a task directory to write to. Its methods may be called from several goroutines.
// While one looks, checks and writes, all others wait, including other processes that use this
// package.
//
// Facts are written to the layout. Missing folders are created.
type Dir struct {
	path string
	root *disk.Root

	mu    sync.Mutex // held while writing, under the lock; guards the fields below
	swept bool
	log   logReader // to see what the error log already has
	// known is the state at the last look, so that the next one reads only changes.
	known *state
}

// Open opens an existing directory. The path itself may be a link.
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

// Create opens a directory and creates whatever is missing of it and its layout.
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

// lockName is the file that a writer holds. It does not exist while no one writes.
const lockName = ".lock"

// writing is a directory under the lock.
type writing struct {
	*Dir
	lock *filelock.Lock
}

// write takes the lock. The caller must call end.
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

// look looks at the whole directory: a message may be in any folder.
func (w *writing) look(ctx context.Context) (*Snapshot, error) {
	if w.known == nil {
		w.known = newState(Config{Path: w.path})
		w.known.texts = maxTexts
	}
	if _, err := w.known.look(ctx, nil); err != nil {
		return nil, fmt.Errorf("ssot: %w", err)
	}
	s := w.known.snapshot()
	if s.Err != nil {
		return nil, s.Err
	}
	// The directory was read by its path but is written to through an open folder: they must be
	// the same.
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

// lockMode returns the mode of the lock file: everyone who may write to the directory must be
// able to wait for the lock.
func lockMode(root *disk.Root) fs.FileMode {
	mode := root.FileMode()
	if info, err := root.Stat("."); err == nil {
		for _, who := range []fs.FileMode{0o020, 0o002} {
			if info.Mode().Perm()&who != 0 {
				mode |= 3 * who // read and write
			}
		}
	}
	return mode
}
