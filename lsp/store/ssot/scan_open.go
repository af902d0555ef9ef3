package ssot

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/signalbox-dev/signalbox/lsp/store/disk"
)

// folder is an open directory. Names are one element of a path each, so that
// nothing outside can be reached, and no link is followed.
type folder interface {
	// entries lists at most limit names; more tells that there are others.
	entries(limit int) (list []fs.DirEntry, more bool, err error)
	// stat tells about a name, or about the folder itself by ".".
	stat(name string) (info, error)
	// open opens a folder in the folder.
	open(name string) (folder, error)
	// read reads a regular file, and no more than limit and one bytes. It may
	// use buf for them.
	read(name string, buf []byte, limit int) ([]byte, info, error)
	// file opens a regular file.
	file(name string) (*os.File, info, error)
	close()
}

// stamp tells one state of a file from the next without reading it.
type stamp struct {
	size, mtime int64
	inode       uint64
}

// info is what the system tells about a name.
type info struct {
	kind fs.FileMode // the type bits
	stamp
}

// unsettled is how young a file is whose time may not tell the next change: the
// clocks of file systems are coarse, and two writes may carry the same time.
const unsettled = 2 * time.Second

// young reports whether another change may leave the stamp as it is. A time far
// ahead is a wrong clock's, and tells the next change as an old one does.
func (s stamp) young() bool {
	age := time.Since(time.Unix(0, s.mtime))
	return -unsettled < age && age < unsettled
}

// errKind is what opening gives that is neither file nor folder.
type errKind struct{ kind fs.FileMode }

func (e *errKind) Error() string { return "is " + phrase(e.kind) + " and is not opened" }

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

// errReplaced is what opening gives when a name was given to another file
// meanwhile.
var errReplaced = disk.ErrReplaced

// rootFolder is a folder on every system.
type rootFolder struct{ root *os.Root }

func openRootFolder(path string) (folder, error) {
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	return &rootFolder{root}, nil
}

func (f *rootFolder) close() { f.root.Close() }

func (f *rootFolder) entries(limit int) ([]fs.DirEntry, bool, error) {
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

func (f *rootFolder) stat(name string) (info, error) {
	i, err := f.root.Lstat(name)
	if err != nil {
		return info{}, err
	}
	return infoOf(i), nil
}

func infoOf(i fs.FileInfo) info {
	return info{i.Mode().Type(), stamp{i.Size(), i.ModTime().UnixNano(), inode(i)}}
}

func (f *rootFolder) open(name string) (folder, error) {
	before, err := f.root.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !before.IsDir() {
		return nil, &errKind{before.Mode().Type()}
	}
	root, err := f.root.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	if after, err := root.Stat("."); err != nil || !os.SameFile(before, after) {
		root.Close()
		return nil, errReplaced
	}
	return &rootFolder{root}, nil
}

func (f *rootFolder) file(name string) (*os.File, info, error) {
	before, err := f.root.Lstat(name)
	if err != nil {
		return nil, info{}, err
	}
	if !before.Mode().IsRegular() {
		return nil, infoOf(before), &errKind{before.Mode().Type()}
	}
	file, err := f.root.OpenFile(name, os.O_RDONLY|plainOpen, 0)
	if err != nil {
		return nil, infoOf(before), err
	}
	after, err := file.Stat()
	if err != nil || !os.SameFile(before, after) {
		file.Close()
		return nil, infoOf(before), errReplaced
	}
	return file, infoOf(after), nil
}

func (f *rootFolder) read(name string, buf []byte, limit int) ([]byte, info, error) {
	file, i, err := f.file(name)
	if err != nil {
		return nil, i, err
	}
	defer file.Close()
	data, err := fill(buf, i.size, limit, file.Read)
	return data, i, err
}

// fill reads as much as there was when the file was looked at, and limit and one
// bytes at most, into buf where it is large enough. What was added since has
// another stamp.
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
