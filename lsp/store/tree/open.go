// Package tree knows the files of a directory that may be anybody's, and looks
// again only at what may have changed.
//
// Start with [New], [Tree.Refresh] and [Tree.RefreshSome]. [Open] opens a folder in which
// no link is followed and no open waits. The caller's [Rules] say what a file means.
package tree

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/signalbox-dev/signalbox/lsp/store/disk"
)

// Folder is an open directory. Names are one element of a path each, else the error
// is [fs.ErrInvalid], so that nothing outside can be reached; and no link is
// followed.
type Folder interface {
	// Entries lists at most limit names. more is set if there are others.
	Entries(limit int) (list []fs.DirEntry, more bool, err error)
	// Stat tells about a name, or about the folder itself by ".".
	Stat(name string) (Info, error)
	// Open opens a folder in the folder.
	Open(name string) (Folder, error)
	// Read reads a regular file, and no more than limit and one bytes. It may
	// use buf for them.
	Read(name string, buf []byte, limit int) ([]byte, Info, error)
	// File opens a regular file.
	File(name string) (*os.File, Info, error)
	// Close is called once, when nothing of it is used any more.
	Close()
}

// Stamp distinguishes one state of a file from the next without reading it.
type Stamp struct {
	Size, Mtime int64
	Inode       uint64
}

// Info is what the system tells about a name.
type Info struct {
	Kind fs.FileMode // the type bits
	Stamp
}

// Unsettled is the age below which a file's time may not show the next change: the clocks
// of file systems are coarse, and two writes may have the same time.
const Unsettled = 2 * time.Second

// Young reports whether another change may leave the stamp as it is. A time far
// ahead is a wrong clock's, and tells the next change as an old one does.
func (s Stamp) Young() bool {
	age := time.Since(time.Unix(0, s.Mtime))
	return -Unsettled < age && age < Unsettled
}

// KindError is the error of opening what is neither a file nor a folder.
type KindError struct{ Kind fs.FileMode }

// Error returns a text that begins with a verb, to follow the name.
func (e *KindError) Error() string { return "is " + phrase(e.Kind) + " and is not opened" }

func phrase(kind fs.FileMode) string {
	switch {
	case kind&fs.ModeSymlink != 0:
		return "a link"
	case kind.IsDir():
		return "a folder"
	case kind&fs.ModeNamedPipe != 0:
		return "a FIFO"
	case kind&fs.ModeSocket != 0:
		return "a socket"
	case kind&fs.ModeDevice != 0:
		return "a device"
	case kind.IsRegular():
		return "a file"
	}
	return "no regular file"
}

// ErrReplaced is returned when a name was given to another file while it was opened.
var ErrReplaced = errors.New("was replaced while it was opened")

// element refuses what is no name in a folder.
func element(name string) error {
	if name == "" || name == "." || name == ".." || strings.ContainsAny(name, "/\x00"+string(filepath.Separator)) {
		return &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	return nil
}

// rootFolder is a [Folder] on every system.
type rootFolder struct{ root *os.Root }

// In returns an open directory as a folder. It must not be closed: root belongs to its
// opener.
func In(root *os.Root) Folder { return &rootFolder{root} }

// OpenRoot is Open in its form for every system.
func OpenRoot(path string) (Folder, error) {
	root, err := disk.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	return &rootFolder{root.Root}, nil
}

func (f *rootFolder) Close() { f.root.Close() }

func (f *rootFolder) Entries(limit int) ([]fs.DirEntry, bool, error) {
	dir, err := f.root.Open(".")
	if err != nil {
		return nil, false, err
	}
	defer dir.Close()
	return list(dir, limit)
}

// list reads names until there are no more, or more than limit.
func list(dir *os.File, limit int) (all []fs.DirEntry, more bool, err error) {
	for len(all) <= limit {
		part, err := dir.ReadDir(1024)
		all = append(all, part...)
		if errors.Is(err, io.EOF) {
			return all, false, nil
		}
		if err != nil {
			return all, false, err
		}
	}
	return all[:limit], true, nil
}

func (f *rootFolder) Stat(name string) (Info, error) {
	if err := element(name); err != nil && name != "." {
		return Info{}, err
	}
	i, err := f.root.Lstat(name)
	if err != nil {
		return Info{}, err
	}
	return infoOf(i), nil
}

func infoOf(i fs.FileInfo) Info {
	return Info{i.Mode().Type(), Stamp{i.Size(), i.ModTime().UnixNano(), inode(i)}}
}

func (f *rootFolder) Open(name string) (Folder, error) {
	if err := element(name); err != nil {
		return nil, err
	}
	before, err := f.root.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !before.IsDir() {
		return nil, &KindError{before.Mode().Type()}
	}
	root, err := f.root.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	if after, err := root.Stat("."); err != nil || !os.SameFile(before, after) {
		root.Close()
		return nil, ErrReplaced
	}
	return &rootFolder{root}, nil
}

func (f *rootFolder) File(name string) (*os.File, Info, error) {
	if err := element(name); err != nil {
		return nil, Info{}, err
	}
	before, err := f.root.Lstat(name)
	if err != nil {
		return nil, Info{}, err
	}
	if !before.Mode().IsRegular() {
		return nil, infoOf(before), &KindError{before.Mode().Type()}
	}
	file, err := f.root.OpenFile(name, os.O_RDONLY|disk.PlainOpen, 0)
	if err != nil {
		return nil, infoOf(before), err
	}
	after, err := file.Stat()
	if err != nil || !os.SameFile(before, after) {
		file.Close()
		return nil, infoOf(before), ErrReplaced
	}
	return file, infoOf(after), nil
}

func (f *rootFolder) Read(name string, buf []byte, limit int) ([]byte, Info, error) {
	file, i, err := f.File(name)
	if err != nil {
		return nil, i, err
	}
	defer file.Close()
	data, err := fill(buf, i.Size, limit, file.Read)
	return data, i, err
}

// fill reads as much as there was when the file was looked at, and limit and one
// bytes at most, into buf where it is large enough. What was added since has
// another Stamp.
func fill(buf []byte, size int64, limit int, read func([]byte) (int, error)) ([]byte, error) {
	want := int(min(size, int64(limit)+1))
	if cap(buf) < want {
		buf = make([]byte, 0, want)
	}
	for buf = buf[:0]; len(buf) < want; {
		n, err := read(buf[len(buf):want])
		buf = buf[:len(buf)+n]
		if errors.Is(err, io.EOF) || err == nil && n == 0 {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("cannot be read: %w", disk.Cause(err))
		}
	}
	return buf, nil
}
