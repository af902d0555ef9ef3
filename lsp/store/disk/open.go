package disk

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"time"
)

// ErrReplaced is what opening gives when a name was given to another file
// meanwhile.
var ErrReplaced = errors.New("was replaced while it was opened")

// KindError is what opening gives where a name is that of something else.
type KindError struct{ Kind fs.FileMode }

func (e *KindError) Error() string { return "is " + Kind(e.Kind) + " and is not opened" }

// OpenFolder is [Whole.Folder] for one that is there.
func OpenFolder(root *os.Root, name string) (*os.Root, error) { return walk(root, name, nil) }

// walk opens the folders of a path one after the other. missing is asked to make
// what is not there.
func walk(root *os.Root, name string, missing func(at *os.Root, name string) error) (*os.Root, error) {
	at, err := root.OpenRoot(".")
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, Cause(err))
	}
	if name == "." {
		return at, nil
	}
	for part := range strings.SplitSeq(name, "/") {
		next, err := enter(at, part, missing)
		at.Close()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		at = next
	}
	return at, nil
}

// enter opens a folder in an open one.
func enter(at *os.Root, name string, missing func(at *os.Root, name string) error) (*os.Root, error) {
	before, err := at.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) && missing != nil {
		if err := missing(at, name); err != nil {
			return nil, Cause(err)
		}
		before, err = at.Lstat(name)
	}
	if err != nil {
		return nil, Cause(err)
	}
	if !before.IsDir() {
		return nil, &KindError{before.Mode().Type()}
	}
	next, err := at.OpenRoot(name)
	if err != nil {
		return nil, Cause(err)
	}
	if after, err := next.Stat("."); err != nil || !os.SameFile(before, after) {
		next.Close()
		return nil, ErrReplaced
	}
	return next, nil
}

// OpenFile opens a regular file in a folder to read it. It follows no link and waits
// for nothing. The error is a *[KindError] where there is something else.
func OpenFile(at *os.Root, name string) (*os.File, fs.FileInfo, error) {
	before, err := at.Lstat(name)
	if err != nil {
		return nil, nil, Cause(err)
	}
	if !before.Mode().IsRegular() {
		return nil, nil, &KindError{before.Mode().Type()}
	}
	f, err := at.OpenFile(name, os.O_RDONLY|plainOpen, 0)
	if err != nil {
		return nil, nil, Cause(err)
	}
	after, err := f.Stat()
	if err != nil || !os.SameFile(before, after) {
		f.Close()
		return nil, nil, ErrReplaced
	}
	return f, after, nil
}

// OpenRoot is [os.OpenRoot] that waits for nothing: opening a FIFO in the place of a
// folder would wait for its writer.
func OpenRoot(path string) (*os.Root, error) {
	if info, err := os.Stat(path); err == nil && !info.IsDir() {
		return nil, &fs.PathError{Op: "open", Path: path, Err: syscall.ENOTDIR}
	}
	return os.OpenRoot(path)
}

// maxWait is how long a file that a user named is waited for.
const maxWait = time.Second

// OpenNamed opens a regular file that a user named, to read it. It may be named by a
// link. Nothing is waited for, also where it was replaced by a FIFO, and reading it ends
// after a second where the file waits. The error wraps a *[KindError] where there is
// something else.
func OpenNamed(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|noWait, 0)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: path, Err: &KindError{info.Mode().Type()}}
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	if info.Size() == 0 {
		// Some of the system's own files, such as /proc/kmsg, pass for regular ones and
		// wait for what is not there yet. Where the system cannot wait there is no limit
		// to set.
		_ = f.SetReadDeadline(time.Now().Add(maxWait))
	}
	return f, nil
}

// ReadFile reads a regular file in a folder, as [OpenFile] opens it. Of one that is
// longer than limit it reads a byte more and no further.
func ReadFile(at *os.Root, name string, limit int64) ([]byte, fs.FileInfo, error) {
	f, info, err := OpenFile(at, name)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	return data, info, Cause(err)
}
