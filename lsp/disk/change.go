package disk

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Op is what a change does.
type Op string

// The changes. OpCreate makes a file that was not there; OpOpen opens one that was,
// which changes nothing.
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
	// Path is what is changed, and To the new name of a rename or link.
	Path, To string
	// File is what is opened, written to or synced. It may have lost its name since.
	File *File
	// At is where a write begins, and the new length after a truncation, in bytes. It
	// is -1 for a write at the end.
	At int64
	// Data is what is written. A layer may cut it before the change is made.
	Data []byte
}

// Layer stands between the stores and the file system, for tests. Do makes a
// change by calling do, or leaves it out. It returns the error of the change.
type Layer interface {
	Do(c *Change, do func() error) error
}

// Rename renames a file in the folder. On Windows it waits for other programs that have the
// file open, at most [maxBusy].
func (r *Root) Rename(from, to string) error {
	return r.change(OpRename, from, to, func() error {
		return insist(func() error { return r.Root.Rename(from, to) }, isBusy, time.Sleep)
	})
}

// Link returns a file a second name in the folder.
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

// Mkdir makes a folder. One that the superuser makes is the owner's of the folder it is
// made in.
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

// adopt is [adopt] for what was just made at a path of the folder.
func (r *Root) adopt(name string, made *os.File) error {
	folder, err := r.Stat(filepath.Dir(filepath.FromSlash(name)))
	if err != nil {
		return err
	}
	return adopt(made, folder)
}

// Sync syncs the directory entries of the folder. It does nothing where the system needs
// no such call, as on Windows.
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

// File is a file that is written to.
type File struct {
	*os.File
	layer Layer
	path  string
	// at is where the next write begins, or -1 if that is the end.
	at int64
}

// OpenWrite opens a file to write to it, as [os.Root.OpenFile] does. One that the superuser
// makes is the owner's of its folder: in a container the superuser often runs one tool and
// a user another, and sudo may keep the user's HOME.
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

// Become gives a new file the owner and the group of the one that it is to replace, and a
// mode whatever the umask is. old is nil if there is none, and a mode of 0 leaves it.
func (f *File) Become(old fs.FileInfo, mode fs.FileMode) error {
	if old != nil {
		if err := keepOwner(f.File, old); err != nil {
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

// Write writes where the last write ended, or at the end of a file that is
// appended to.
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

// WriteString is [File.Write].
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

// ReadFrom copies by [File.Write], so that the layer sees each write.
func (f *File) ReadFrom(r io.Reader) (int64, error) { return io.Copy(struct{ io.Writer }{f}, r) }

// Truncate cuts the file.
func (f *File) Truncate(size int64) error {
	return f.change(&Change{Op: OpTruncate, At: size}, func() error { return f.File.Truncate(size) })
}

// Sync waits until what was written is on the disk.
func (f *File) Sync() error {
	return f.change(&Change{Op: OpSync}, f.File.Sync)
}
