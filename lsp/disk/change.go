package disk

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Op is a kind of change.
type Op string

// The kinds of change. OpCreate makes a new file. OpOpen opens a file that exists, which
// changes nothing.
const (
	OpCreate    Op = "create"
	OpOpen      Op = "open"
	OpWrite     Op = "write"
	OpTruncate  Op = "truncate"
	OpSync      Op = "sync"
	OpSyncDir   Op = "sync folder"
	OpMkdir     Op = "mkdir"
	OpRename    Op = "rename"
	OpLink      Op = "link"
	OpRemove    Op = "remove"
	OpRemoveAll Op = "remove all"
)

// Change is one change of the disk.
type Change struct {
	Op Op
	// Path is the file or folder that changes. To is its new path after a rename or link.
	Path, To string
	// File is the file that is opened, written or synced. It may have lost its name since it
	// was opened.
	File *File
	// At is the offset where a write begins, or the new length after a truncation, in bytes.
	// It is -1 for a write at the end.
	At int64
	// Data holds the bytes to write. A layer may shorten it before the change is made.
	Data []byte
}

// Layer is called for every change of the file system, in tests. Do makes the change by
// calling do, or skips it, and returns the error of the change.
type Layer interface {
	Do(c *Change, do func() error) error
}

// Rename renames a file in the folder. On Windows, while another program has the file open,
// it tries again for at most [maxBusy].
func (r *Root) Rename(from, to string) error {
	return r.change(OpRename, from, to, func() error {
		return retryBusy(func() error { return r.Root.Rename(from, to) }, isBusy, time.Sleep)
	})
}

// Link adds a second name for a file in the folder.
func (r *Root) Link(from, to string) error {
	return r.change(OpLink, from, to, func() error { return r.Root.Link(from, to) })
}

// Remove removes a file or an empty folder.
func (r *Root) Remove(name string) error {
	return r.change(OpRemove, name, "", func() error { return r.Root.Remove(name) })
}

// RemoveAll removes a file or folder and everything beneath it.
func (r *Root) RemoveAll(name string) error {
	return r.change(OpRemoveAll, name, "", func() error { return r.Root.RemoveAll(name) })
}

// Mkdir makes a folder. If the superuser makes it, it gets the owner of its parent folder.
func (r *Root) Mkdir(name string, mode fs.FileMode) error {
	return r.change(OpMkdir, name, "", func() error {
		if err := r.Root.Mkdir(name, mode); err != nil || !superuser() {
			return err
		}
		made, err := r.OpenFile(name, os.O_RDONLY|PlainOpen, 0)
		if err != nil {
			return err
		}
		defer made.Close()
		return r.adopt(name, made)
	})
}

// adopt calls the function [adopt] for a file or folder that was just made under a name.
func (r *Root) adopt(name string, made *os.File) error {
	folder, err := r.Stat(filepath.Dir(filepath.FromSlash(name)))
	if err != nil {
		return err
	}
	return adopt(made, folder)
}

// Sync syncs the directory entries of the folder. Where folders cannot be synced, as on
// Windows, it ignores the error.
func (r *Root) Sync() error {
	return r.change(OpSyncDir, ".", "", func() error {
		dir, err := r.Open(".")
		if err != nil {
			return err
		}
		defer dir.Close()
		if err := dir.Sync(); err != nil && canSync {
			return err
		}
		return nil
	})
}

// change makes a change through the layer, if there is one.
func (r *Root) change(op Op, name, to string, do func() error) error {
	if r.layer == nil {
		return do()
	}
	c := &Change{Op: op, Path: r.path(name)}
	if to != "" {
		c.To = r.path(to)
	}
	return r.layer.Do(c, do)
}

func (r *Root) path(name string) string { return filepath.Join(r.Name(), filepath.FromSlash(name)) }

// File is a file that is open for writing.
type File struct {
	*os.File
	layer Layer
	path  string
	// at is the offset of the next write, or -1 for the end of the file.
	at int64
}

// OpenWrite opens a file for writing, as [os.Root.OpenFile] does. A file that the superuser
// makes gets its folder's owner: in a container one tool often runs as the superuser and
// another one as a user, and sudo may keep the user's HOME.
func (r *Root) OpenWrite(name string, flag int, mode fs.FileMode) (*File, error) {
	f := &File{layer: r.layer, path: r.path(name)}
	if flag&os.O_APPEND != 0 {
		f.at = -1
	}
	op := OpOpen
	if (f.layer != nil || superuser()) && flag&os.O_CREATE != 0 {
		if _, missing := r.Lstat(name); missing != nil {
			op = OpCreate
		}
	}
	err := f.change(&Change{Op: op}, func() (err error) {
		f.File, err = r.OpenFile(name, flag, mode)
		if err == nil && op == OpCreate && superuser() {
			if err = r.adopt(name, f.File); err != nil {
				f.Close()
			}
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return f, nil
}

// Inherit gives a new file the owner and the group of the file that it will replace, and then
// sets its mode, whatever the umask is. old is nil if there is no such file. A mode of 0 is
// not set.
func (f *File) Inherit(old fs.FileInfo, mode fs.FileMode) error {
	if old != nil {
		if err := copyOwner(f.File, old); err != nil {
			return err
		}
	}
	if mode == 0 {
		return nil
	}
	return f.Chmod(mode.Perm())
}

func (f *File) change(c *Change, do func() error) error {
	if f.layer == nil {
		return do()
	}
	c.Path, c.File = f.path, f
	return f.layer.Do(c, do)
}

// Write writes where the last write ended, or at the end of a file that is open for
// appending.
func (f *File) Write(data []byte) (n int, err error) {
	c := &Change{Op: OpWrite, At: f.at, Data: data}
	err = f.change(c, func() (err error) {
		n, err = f.File.Write(c.Data)
		return err
	})
	if f.at >= 0 {
		f.at += int64(n)
	}
	return n, err
}

// WriteString writes a string as [File.Write] does.
func (f *File) WriteString(s string) (int, error) { return f.Write([]byte(s)) }

// WriteAt writes at an offset.
func (f *File) WriteAt(data []byte, at int64) (n int, err error) {
	c := &Change{Op: OpWrite, At: at, Data: data}
	err = f.change(c, func() (err error) {
		n, err = f.File.WriteAt(c.Data, at)
		return err
	})
	return n, err
}

// ReadFrom copies r with [File.Write], so that the layer sees each write.
func (f *File) ReadFrom(r io.Reader) (int64, error) { return io.Copy(struct{ io.Writer }{f}, r) }

// Truncate sets the file's length.
func (f *File) Truncate(size int64) error {
	return f.change(&Change{Op: OpTruncate, At: size}, func() error { return f.File.Truncate(size) })
}

// Sync waits until all earlier writes are on the disk.
func (f *File) Sync() error {
	return f.change(&Change{Op: OpSync}, f.File.Sync)
}
