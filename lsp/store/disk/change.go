package disk

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
)

// All that the stores change on the disk they change by what is in this file, so
// that a test can stand between them and the file system: it can refuse a change,
// do half of a write, or remember what was never synced. See
// lsp/store/disk/crash.

// Deed is what a change does.
type Deed string

// The deeds. Create makes a file that was not there; Open changes nothing.
const (
	Create   Deed = "create"
	Open     Deed = "open"
	Write    Deed = "write"
	Truncate Deed = "truncate"
	Sync     Deed = "sync"
	SyncOf   Deed = "sync folder"
	MakeDir  Deed = "mkdir"
	Named    Deed = "rename"
	Linked   Deed = "link"
	Gone     Deed = "remove"
	GoneAll  Deed = "remove all"
)

// Change is one change of the disk.
type Change struct {
	Deed Deed
	// Path is what is changed, and To the new name of a rename or link.
	Path, To string
	// File is what is opened, written to or synced. It may have lost its name since.
	File *File
	// At is where a write begins, and what a truncation leaves, in bytes. A write
	// at -1 is one at the end.
	At int64
	// Data is what is written. A layer may cut it before the change is done.
	Data []byte
}

// Layer stands between the stores and the file system, for tests. Do makes a
// change by calling do, or does not; its error is that of the change.
type Layer interface {
	Do(c *Change, do func() error) error
}

// layers are those of the tests that run. They are not passed in: there would be a
// parameter for them in whatever opens a store.
var layers atomic.Pointer[[]placed]

type placed struct {
	dir   string
	layer Layer
}

// Place puts a layer before all that is beneath an absolute path, until it is taken
// away. It is for tests; without one a change costs one atomic load more.
func Place(dir string, l Layer) (away func()) {
	mine := placed{dir + string(filepath.Separator), l}
	update(func(list []placed) []placed { return append(list, mine) })
	return func() {
		update(func(list []placed) (rest []placed) {
			for _, p := range list {
				if p != mine {
					rest = append(rest, p)
				}
			}
			return rest
		})
	}
}

func update(edit func([]placed) []placed) {
	for {
		was := layers.Load()
		var list []placed
		if was != nil {
			list = append(list, *was...)
		}
		list = edit(list)
		now := &list
		if len(list) == 0 {
			now = nil
		}
		if layers.CompareAndSwap(was, now) {
			return
		}
	}
}

// layerOf gives the layer of a path, or nil.
func layerOf(list *[]placed, path string) Layer {
	path += string(filepath.Separator)
	for _, p := range *list {
		if strings.HasPrefix(path, p.dir) {
			return p.layer
		}
	}
	return nil
}

// change makes a change of what has a name in a root.
func change(root *os.Root, deed Deed, name, to string, do func() error) error {
	list := layers.Load()
	if list == nil {
		return do()
	}
	c := &Change{Deed: deed, Path: filepath.Join(root.Name(), filepath.FromSlash(name))}
	if to != "" {
		c.To = filepath.Join(root.Name(), filepath.FromSlash(to))
	}
	return c.by(list, do)
}

func (c *Change) by(list *[]placed, do func() error) error {
	if l := layerOf(list, c.Path); l != nil {
		return l.Do(c, do)
	}
	return do()
}

// Rename gives a file another name in the root.
func Rename(root *os.Root, from, to string) error {
	return change(root, Named, from, to, func() error { return root.Rename(from, to) })
}

// Link gives a file a second name in the root.
func Link(root *os.Root, from, to string) error {
	return change(root, Linked, from, to, func() error { return root.Link(from, to) })
}

// Remove takes a name away.
func Remove(root *os.Root, name string) error {
	return change(root, Gone, name, "", func() error { return root.Remove(name) })
}

// RemoveAll takes a name away with all that is beneath it.
func RemoveAll(root *os.Root, name string) error {
	return change(root, GoneAll, name, "", func() error { return root.RemoveAll(name) })
}

// Mkdir makes a folder.
func Mkdir(root *os.Root, name string, mode fs.FileMode) error {
	return change(root, MakeDir, name, "", func() error { return root.Mkdir(name, mode) })
}

// lasting are the folders whose names this process has seen synced, by their paths.
var lasting sync.Map // string to fs.FileInfo

// MkdirAll makes a folder and those above it that are missing, and makes their
// names last. That of a folder that is there is synced too, once by each process:
// who made it may have been killed before that.
func MkdirAll(path string, mode fs.FileMode) error {
	path, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	above := filepath.Dir(path)
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		if known, ok := lasting.Load(path); ok && os.SameFile(known.(fs.FileInfo), info) {
			return nil
		}
		root, err := os.OpenRoot(above)
		if err != nil {
			return nil // nothing of ours is made in a folder that cannot be opened
		}
		defer root.Close()
		if err := makeLast(root, path); !cannotSync(err) {
			return err
		}
		return nil // as at a mount point: nobody made the folder just now
	}
	if above == path {
		return os.MkdirAll(path, mode) // which says what is wrong
	}
	if err := MkdirAll(above, mode); err != nil {
		return err
	}
	root, err := os.OpenRoot(above)
	if err != nil {
		return err
	}
	defer root.Close()
	if err := Mkdir(root, filepath.Base(path), mode); err != nil {
		if info, e := os.Stat(path); !errors.Is(err, fs.ErrExist) || e != nil || !info.IsDir() {
			return &fs.PathError{Op: "mkdir", Path: path, Err: Cause(err)}
		}
	}
	return makeLast(root, path)
}

// cannotSync tells an error of a file system that syncs no folders, or is never
// written to, from one of the disk.
func cannotSync(err error) bool {
	return errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.EROFS)
}

// makeLast syncs the name of a folder that is in root.
func makeLast(root *os.Root, path string) error {
	if err := SyncDir(root); err != nil {
		return &fs.PathError{Op: "sync", Path: filepath.Dir(path), Err: Cause(err)}
	}
	if info, err := os.Stat(path); err == nil {
		lasting.Store(path, info)
	}
	return nil
}

// SyncDir makes the names in root last, where the system can: Windows needs no
// such call.
func SyncDir(root *os.Root) error {
	return change(root, SyncOf, ".", "", func() error {
		dir, err := root.Open(".")
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

// File is a file that is written to.
type File struct {
	*os.File
	path string
	// at is where the next write begins, or -1 if that is the end.
	at int64
}

// OpenWrite opens a file in a root to write to it, as [os.Root.OpenFile] does.
func OpenWrite(root *os.Root, name string, flag int, mode fs.FileMode) (*File, error) {
	f := &File{path: filepath.Join(root.Name(), filepath.FromSlash(name))}
	if flag&os.O_APPEND != 0 {
		f.at = -1
	}
	open := func() (err error) {
		f.File, err = root.OpenFile(name, flag, mode)
		return err
	}
	if list := layers.Load(); list != nil {
		c := &Change{Deed: Open, Path: f.path, File: f}
		if _, missing := root.Lstat(name); missing != nil && flag&os.O_CREATE != 0 {
			c.Deed = Create
		}
		if err := c.by(list, open); err != nil {
			return nil, err
		}
		return f, nil
	}
	if err := open(); err != nil {
		return nil, err
	}
	return f, nil
}

func (f *File) change(c *Change, do func() error) error {
	list := layers.Load()
	if list == nil {
		return do()
	}
	c.Path, c.File = f.path, f
	return c.by(list, do)
}

// Write writes where the last write ended, or at the end of a file that is
// appended to.
func (f *File) Write(data []byte) (n int, err error) {
	c := &Change{Deed: Write, At: f.at, Data: data}
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
	c := &Change{Deed: Write, At: at, Data: data}
	err = f.change(c, func() (err error) {
		n, err = f.File.WriteAt(c.Data, at)
		return err
	})
	return n, err
}

// ReadFrom copies by [File.Write], and not past it.
func (f *File) ReadFrom(r io.Reader) (int64, error) { return io.Copy(struct{ io.Writer }{f}, r) }

// Truncate cuts the file.
func (f *File) Truncate(size int64) error {
	return f.change(&Change{Deed: Truncate, At: size}, func() error { return f.File.Truncate(size) })
}

// Sync waits until what was written is on the disk.
func (f *File) Sync() error {
	return f.change(&Change{Deed: Sync}, f.File.Sync)
}
