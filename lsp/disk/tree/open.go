// Package tree keeps track of the files in a directory that a stranger may have made, and
// looks again only at files that may have changed.
//
// Start with [New], [Tree.Refresh] and [Tree.RefreshSome]. [Open] opens a folder that
// follows no links and never blocks. The caller's [Rules] interpret the files.
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

// Folder is an open directory. A name is one element of a path, otherwise the error is
// [fs.ErrInvalid], so that nothing outside can be reached. No link is followed.
type Folder interface {
	// Entries lists at most limit names. more is set if there are others.
	Entries(limit int) (list []fs.DirEntry, more bool, err error)
	// Stat returns the info of a name, or of the folder itself for ".".
	Stat(name string) (Info, error)
	// Peek returns the stamp of a file by its path below the folder, zero if it does not
	// exist, in one system call. It follows links on the way, so its result may only decide
	// whether to look again. ok is false if it cannot tell.
	Peek(path string) (s Stamp, ok bool)
	// Open opens a folder in the folder.
	Open(name string) (Folder, error)
	// Read reads a regular file, at most limit+1 bytes. It may use buf for them.
	Read(name string, buf []byte, limit int) ([]byte, Info, error)
	// File opens a regular file.
	File(name string) (*os.File, Info, error)
	// Close must be called once, after the last use of the folder.
	Close()
}

// Stamp distinguishes one state of a file from the next without reading it.
type Stamp struct {
	Size, Mtime int64
	Inode       uint64
}

// StampOf returns the stamp in the system's info about a file.
func StampOf(i fs.FileInfo) Stamp { return Stamp{i.Size(), i.ModTime().UnixNano(), inode(i)} }

// Info is the system's info about a name.
type Info struct {
	Kind fs.FileMode // the type bits
	Stamp
}

// Unsettled is the age below which a file's time may not show the next change: the clocks
// of file systems are coarse, and two writes may have the same time.
const Unsettled = 2 * time.Second

// Millis returns the time of the last change in Unix milliseconds.
func (s Stamp) Millis() int64 { return time.Unix(0, s.Mtime).UnixMilli() }

// Young reports whether the next change may leave the stamp the same. A time far in the
// future comes from a wrong clock, and shows the next change as an old time does.
func (s Stamp) Young() bool {
	age := time.Since(time.Unix(0, s.Mtime))
	return -Unsettled < age && age < Unsettled
}

// element returns an error unless a name is one element of a path.
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

// OpenRoot is [Open] in a form that every system has.
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

// Peek returns false: this form of a folder has no cheap look.
func (f *rootFolder) Peek(string) (Stamp, bool) { return Stamp{}, false }

func (f *rootFolder) Open(name string) (Folder, error) {
	if err := element(name); err != nil {
		return nil, err
	}
	root, err := f.root.OpenFolder(name)
	if err != nil {
		return nil, errors.Unwrap(err) // the outer error begins with the name
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

// fill reads as many bytes as the opened file had, at most limit+1, into buf if that is large
// enough. Bytes that were added since then change the stamp.
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
