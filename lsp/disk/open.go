package disk

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
	"time"
)

// ErrReplaced is returned when another file took the name while the file was being opened.
var ErrReplaced = errors.New("was replaced while it was opened")

// KindError is returned when a name belongs to another kind of file than the wanted one.
type KindError struct{ Kind fs.FileMode }

func (e *KindError) Error() string { return "is " + Kind(e.Kind) + " and is not opened" }

// OpenFolder opens a folder by a path with "/" between the names. It refuses links, on the
// way and at the end of the path.
func (r *Root) OpenFolder(name string) (*Root, error) { return r.walk(name, nil) }

// walk opens the folders of a path one after the other. If a folder is missing, it calls
// missing, unless that is nil, to make it.
func (r *Root) walk(name string, missing func(at *Root, name string) error) (*Root, error) {
	if name == "." {
		at, err := r.OpenRoot(name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, Cause(err))
		}
		return at, nil
	}
	at := r
	for part := range strings.SplitSeq(name, "/") {
		next, err := at.enter(part, missing)
		if at != r {
			at.Close()
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		at = next
	}
	return at, nil
}

// enter opens a folder in the folder.
func (r *Root) enter(name string, missing func(at *Root, name string) error) (*Root, error) {
	before, err := r.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) && missing != nil {
		if err := missing(r, name); err != nil {
			return nil, Cause(err)
		}
		before, err = r.Lstat(name)
	}
	if err != nil {
		return nil, Cause(err)
	}
	if !before.IsDir() {
		return nil, &KindError{before.Mode().Type()}
	}
	next, err := r.OpenRoot(name)
	if err != nil {
		return nil, Cause(err)
	}
	if after, err := next.Stat("."); err != nil || !os.SameFile(before, after) {
		next.Close()
		return nil, ErrReplaced
	}
	return next, nil
}

// OpenRegular opens a regular file below the folder for reading, by a path with "/" between
// the names. It follows no link and never blocks. The error is a *[KindError] if the path
// leads to another kind of file.
func (r *Root) OpenRegular(name string) (*os.File, fs.FileInfo, error) {
	if dir, base := path.Split(name); dir != "" {
		at, err := r.OpenFolder(path.Clean(dir))
		if err != nil {
			return nil, nil, err
		}
		defer at.Close()
		return at.OpenRegular(base)
	}
	before, err := r.Lstat(name)
	if err != nil {
		return nil, nil, Cause(err)
	}
	if !before.Mode().IsRegular() {
		return nil, nil, &KindError{before.Mode().Type()}
	}
	f, err := r.OpenFile(name, os.O_RDONLY|PlainOpen, 0)
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

// OpenAppend opens a regular file in the folder for appending and reading, or makes it. It
// follows no link and never blocks. The error is a *[KindError] for another kind of file, and
// [ErrReplaced] if another file took its place.
func (r *Root) OpenAppend(name string) (*File, error) {
	const flag = os.O_RDWR | os.O_APPEND
	before, err := r.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		f, err := r.OpenWrite(name, flag|os.O_CREATE|os.O_EXCL, r.FileMode())
		return f, Cause(err)
	}
	if err != nil {
		return nil, Cause(err)
	}
	if !before.Mode().IsRegular() {
		return nil, &KindError{before.Mode().Type()}
	}
	f, err := r.OpenWrite(name, flag|PlainOpen, 0)
	if err != nil {
		return nil, Cause(err)
	}
	if after, err := f.Stat(); err != nil || !os.SameFile(before, after) {
		f.Close()
		return nil, ErrReplaced
	}
	return f, nil
}

// maxWait is how long reads may block in a file that a user named, counted from its opening.
const maxWait = time.Second

// OpenNamed opens a regular file that a user named, for reading. The name may be a link.
// Opening never blocks, even for a FIFO, and a read that blocks fails after [maxWait]. The
// error wraps a *[KindError] for another kind of file.
func OpenNamed(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|NoWait, 0)
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
		// Some of the system's own files, such as /proc/kmsg, look regular, and reading
		// them blocks until there is data. A file that never blocks takes no deadline.
		_ = f.SetReadDeadline(time.Now().Add(maxWait))
	}
	return f, nil
}

// maxTries is how often opening a file is tried while others replace it.
const maxTries = 10

// ReadRegular reads a regular file below the folder, opened as by [Root.OpenRegular]. If the
// file is longer than limit, it reads limit+1 bytes.
func (r *Root) ReadRegular(name string, limit int64) ([]byte, fs.FileInfo, error) {
	f, info, err := r.OpenRegular(name)
	for tries := 1; tries < maxTries && errors.Is(err, ErrReplaced); tries++ {
		f, info, err = r.OpenRegular(name) // the new file should be there by now
	}
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	return data, info, Cause(err)
}
