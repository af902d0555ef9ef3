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

	"github.com/signalbox-dev/signalbox/lsp/disk"
)

// Folder is an open directory. Names are one element of a path each, else the error
// is [fs.ErrInvalid], so that nothing outside can be reached; and no link is
// followed.
type Folder interface {
	// Entries lists at most limit names. more is set if there are others.
	Entries(limit int) (list []fs.DirEntry, more bool, err error)
	// Stat tells about a name, or about the folder itself by ".".
	Stat(name string) (Info, error)
	// Glance returns the stamp of a file by its path below the folder, zero where there
	// is none, in one call of the system. It follows links on the way, so that nothing
	// may depend on it but whether to look again. ok is false where it cannot tell.
	Glance(path string) (s Stamp, ok bool)
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

// StampOf returns the stamp of a file that the system told about.
func StampOf(i fs.FileInfo) Stamp { return Stamp{i.Size(), i.ModTime().UnixNano(), inode(i)} }

// Info is what the system tells about a name.
type Info struct {
	Kind fs.FileMode // the type bits
	Stamp
}

// Unsettled is the age below which a file's time may not show the next change: the clocks
// of file systems are coarse, and two writes may have the same time.
const Unsettled = 2 * time.Second

// Millis is the time of the last change in Unix milliseconds.
func (s Stamp) Millis() int64 { return time.Unix(0, s.Mtime).UnixMilli() }

// Young reports whether another change may leave the stamp as it is. A time far
// ahead is a wrong clock's, and tells the next change as an old one does.
func (s Stamp) Young() bool {
	age := time.Since(time.Unix(0, s.Mtime))
	return -Unsettled < age && age < Unsettled
}

// element refuses what is not a name in a folder.
func element(name string) error {
	if name == "" || name == "." || name == ".." || strings.ContainsAny(name, "/\x00"+string(filepath.Separator)) {
		return &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	return nil
}

// rootFolder is a [Folder] on every system.
type rootFolder struct{ root *disk.Root }

// In returns an open directory as a folder. Close the directory, not the folder.
func In(root *disk.Root) Folder { return &rootFolder{root} }

// OpenRoot is Open in its form for every system.
func OpenRoot(path string) (Folder, error) {
	root, err := disk.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	return &rootFolder{root}, nil
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

func infoOf(i fs.FileInfo) Info { return Info{i.Mode().Type(), StampOf(i)} }

// Glance cannot tell here.
func (f *rootFolder) Glance(string) (Stamp, bool) { return Stamp{}, false }

func (f *rootFolder) Open(name string) (Folder, error) {
	if err := element(name); err != nil {
		return nil, err
	}
	root, err := f.root.OpenFolder(name)
	if err != nil {
		return nil, errors.Unwrap(err) // it begins with the name
	}
	return &rootFolder{root}, nil
}

func (f *rootFolder) File(name string) (*os.File, Info, error) {
	if err := element(name); err != nil {
		return nil, Info{}, err
	}
	file, info, err := f.root.OpenRegular(name)
	if err != nil {
		i, _ := f.Stat(name)
		return nil, i, err
	}
	return file, infoOf(info), nil
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
