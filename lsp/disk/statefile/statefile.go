// Package statefile reads and replaces one small file of the user's own state, which
// several processes share.
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

// Config describes a state file and how its content is used.
type Config struct {
	// Path is the path of the file, which need not exist yet.
	Path string
	// What begins the text of errors, before the path.
	What string
	// Limit is the length in bytes of the longest file that is read.
	Limit int64
	// Cache is as in [disk.Whole]: it is for state that can be lost.
	Cache bool
	// Take stores the content of the file. data is nil if the file does not exist. The error
	// says what is wrong with the file. Take is called with [File.Lock] held.
	Take func(data []byte) error
	// Lost is called by [File.Change] for a file of any kind that cannot be read or
	// understood, after ".bad" was added to its name to make room. If Lost is nil, the file
	// keeps its name and Change returns an error. Lost is called with [File.Lock] held.
	Lost func()
}

// File is a state file as it was last read. Its methods are safe for concurrent use.
type File struct {
	// The mutex guards the values that Take stores.
	sync.Mutex
	// Disk is the disk with the file.
	Disk disk.Disk

	cfg       Config
	dir, name string
	// read is the file that Take last got, and bad the error of Take.
	read fs.FileInfo
	bad  error
}

// At returns the state file of a configuration. It reads nothing yet.
func At(cfg Config) *File {
	return &File{cfg: cfg, dir: filepath.Dir(cfg.Path), name: filepath.Base(cfg.Path)}
}

// Path returns the file's path.
func (f *File) Path() string { return f.cfg.Path }

// Look reads the file if it has changed since it was last read.
func (f *File) Look() error {
	f.Lock()
	defer f.Unlock()
	// Lstat costs a hundredth of opening the file, and some callers look often.
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

// same reports whether a file is the one that was last read, unchanged. A file that replaced
// it is another one, whatever its length and time.
func (f *File) same(info fs.FileInfo) bool {
	return f.read != nil && os.SameFile(info, f.read) && info.Size() == f.read.Size() && info.ModTime().Equal(f.read.ModTime())
}

// load reads the file, whether it has changed or not.
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

// Change reads the file under its lock and calls change, which may call replace. replace
// writes the new content, or removes the file if that is nil, and reads the file again. The
// folder is made if it is missing.
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
	root.SweepAll(f.name + "-") // left by killed writers: we hold the lock
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
		// The process that wrote the file may have been killed before its sync.
		err = f.wrap(root.Sync())
	}
	return err
}

// folder opens the file's folder, and makes it if it is missing.
func (f *File) folder() (*disk.Root, error) {
	if f.cfg.Cache {
		// MakeRoot would sync the parent folder, even if this folder exists.
		if root, err := f.Disk.OpenRoot(f.dir); err == nil {
			return root, nil
		}
	}
	return f.Disk.MakeRoot(f.dir, disk.PrivateDir)
}
