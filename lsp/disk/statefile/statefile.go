// Package statefile keeps one small file of the user's own state, which several
// processes read and write.
//
// Start with [At]. [File.Look] reads the file again when it changed, and [File.Change]
// replaces it whole under a lock. A file that cannot be understood is never
// overwritten, but may be set aside. The package imports lsp/disk and lsp/disk/filelock.
package statefile

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/signalbox-dev/signalbox/lsp/disk"
	"github.com/signalbox-dev/signalbox/lsp/disk/filelock"
)

// Config says which file is kept, and what it means.
type Config struct {
	// Path of the file. It need not exist yet.
	Path string
	// What begins the text of errors, before the path.
	What string
	// Limit is the length in bytes of the longest file that is read.
	Limit int64
	// Cache is as in [disk.Whole]: it is for state that can be lost.
	Cache bool
	// Take takes in what the file holds, nil where it is not there. Its error says what
	// is wrong with the file. It is called with [File.Lock] held.
	Take func(data []byte) error
	// Lost is called by [File.Change] for a file that cannot be read or understood, whatever
	// stands there, after it was renamed to make room: ".bad" is behind its name then. Where
	// Lost is nil, such a file stays and Change returns an error. It is called with
	// [File.Lock] held.
	Lost func()
}

// File is the file as it was read last. Its methods may be called from everywhere.
type File struct {
	// The lock guards what Take takes in.
	sync.Mutex
	// Disk is where the file lies.
	Disk disk.Disk

	cfg       Config
	dir, name string
	// read is the file that was taken in, and bad what Take had against it.
	read fs.FileInfo
	bad  error
}

// At returns the file of a configuration. Nothing is read yet.
func At(cfg Config) *File {
	return &File{cfg: cfg, dir: filepath.Dir(cfg.Path), name: filepath.Base(cfg.Path)}
}

// Path is where the file lies.
func (f *File) Path() string { return f.cfg.Path }

// Look takes the file in if it changed since the last look.
func (f *File) Look() error {
	f.Lock()
	defer f.Unlock()
	// A look at the time costs a hundredth of what opening does, and some ask often.
	info, err := os.Lstat(f.cfg.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return f.take(nil, nil)
	case err != nil:
		f.read = nil
		return f.wrap(err)
	case f.same(info):
		return f.bad
	}
	root, err := f.Disk.OpenRoot(f.dir)
	if err != nil {
		f.read = nil
		return f.wrap(err)
	}
	defer root.Close()
	return f.load(root)
}

// same reports whether a file is the one that was taken in. A file that was replaced is
// another one, whatever its length and time.
func (f *File) same(info fs.FileInfo) bool {
	return f.read != nil && os.SameFile(info, f.read) && info.Size() == f.read.Size() && info.ModTime().Equal(f.read.ModTime())
}

// load takes the file in, whether it changed or not.
func (f *File) load(root *disk.Root) error {
	data, info, err := root.ReadRegular(f.name, f.cfg.Limit)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return f.take(nil, nil)
	case err != nil:
		f.read = nil
		return f.wrap(err)
	}
	return f.take(data, info)
}

func (f *File) take(data []byte, info fs.FileInfo) error {
	var err error
	if int64(len(data)) > f.cfg.Limit {
		err = fmt.Errorf("is longer than %d bytes", f.cfg.Limit)
	} else {
		err = f.cfg.Take(data)
	}
	f.read, f.bad = info, f.wrap(err)
	return f.bad
}

func (f *File) wrap(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s %q: %w", f.cfg.What, f.cfg.Path, disk.Cause(err))
}

// Change takes the file in under its lock, and has change decide what becomes of it.
// What change calls replace with becomes the file, and is taken in again; with nil the
// file is removed. The folder is made if it is missing.
func (f *File) Change(ctx context.Context, change func(replace func(data []byte) error) error) error {
	root, err := f.folder()
	if err != nil {
		return f.wrap(err)
	}
	defer root.Close()
	lock, err := filelock.Take(ctx, root, f.name+".lock", disk.PrivateFile)
	if err != nil {
		return f.wrap(err)
	}
	defer lock.Release()
	f.Lock()
	defer f.Unlock()
	root.SweepAll(f.name + "-") // of writers that were killed: the lock is held
	if err := f.load(root); err != nil {
		if f.cfg.Lost == nil || root.Rename(f.name, f.name+".bad") != nil || f.load(root) != nil {
			return err
		}
		f.cfg.Lost()
	}
	replaced := false
	err = change(func(data []byte) error {
		replaced = true
		var err error
		if data == nil {
			err = root.Remove(f.name)
		} else {
			w := disk.Whole{Root: root, Private: true, Tag: f.name + "-", Cache: f.cfg.Cache}
			err = w.Replace(f.name, data)
		}
		return errors.Join(f.wrap(err), f.load(root))
	})
	if err == nil && !replaced && !f.cfg.Cache {
		// Whoever wrote what is there may have been killed before it was on the disk.
		err = f.wrap(root.Sync())
	}
	return err
}

// folder opens the file's folder, and makes it if it is missing.
func (f *File) folder() (*disk.Root, error) {
	if f.cfg.Cache {
		// Making it syncs the folder above, whether there is anything to make or not.
		if root, err := f.Disk.OpenRoot(f.dir); err == nil {
			return root, nil
		}
	}
	return f.Disk.MakeRoot(f.dir, disk.PrivateDir)
}
