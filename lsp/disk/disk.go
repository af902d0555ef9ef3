// Package disk is how the stores change files: beneath a [Root], with the modes of
// new files, whole or not at all ([Whole]), and so that they last. Every change
// passes a [Layer] if a test hands one in; lsp/disk/crash is one that kills the
// process or fails the disk at each change.
package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
)

// Disk opens folders. The zero value is the machine's own disk.
type Disk struct {
	// Layer makes all changes beneath the folders that are opened. Only tests have one.
	Layer Layer
}

// Root is an open folder. Its own methods make all changes beneath it; those of
// [os.Root] only read.
type Root struct {
	*os.Root
	layer Layer
}

// OpenRoot opens a folder on the machine's own disk.
func OpenRoot(path string) (*Root, error) { return Disk{}.OpenRoot(path) }

// OpenRoot is [os.OpenRoot], and never waits: opening a FIFO in the place of a folder
// would wait for its writer.
func (d Disk) OpenRoot(path string) (*Root, error) {
	if info, err := os.Stat(path); err == nil && !info.IsDir() {
		return nil, &fs.PathError{Op: "open", Path: path, Err: syscall.ENOTDIR}
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	return &Root{root, d.Layer}, nil
}

// MakeRoot opens a folder, and makes it first as [Disk.MkdirAll] does if it is missing.
func (d Disk) MakeRoot(path string, mode fs.FileMode) (*Root, error) {
	if err := d.MkdirAll(path, mode); err != nil {
		return nil, err
	}
	return d.OpenRoot(path)
}

// Disk returns the disk that the folder was opened on.
func (r *Root) Disk() Disk { return Disk{r.layer} }

// OpenRoot opens a folder in the folder.
func (r *Root) OpenRoot(name string) (*Root, error) {
	root, err := r.Root.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	return &Root{root, r.layer}, nil
}

// lasting holds the folders whose directory entries this process has synced, by path.
var lasting sync.Map // string to fs.FileInfo

// MkdirAll makes a folder and the missing ones above it, and syncs their directory
// entries. The entry of a folder that exists is synced too, once by each process: whoever
// made it may have been killed before the sync.
func (d Disk) MkdirAll(path string, mode fs.FileMode) error {
	path, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	above := filepath.Dir(path)
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		if known, ok := lasting.Load(path); ok && os.SameFile(known.(fs.FileInfo), info) {
			return nil
		}
		root, err := d.OpenRoot(above)
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
	root, err := d.MakeRoot(above, mode)
	if err != nil {
		return err
	}
	defer root.Close()
	if err := root.Mkdir(filepath.Base(path), mode); err != nil {
		if info, e := os.Stat(path); !errors.Is(err, fs.ErrExist) || e != nil || !info.IsDir() {
			return &fs.PathError{Op: "mkdir", Path: path, Err: Cause(err)}
		}
	}
	return makeLast(root, path)
}

// cannotSync reports whether an error means that the file system syncs no folders or
// is read-only, and not that the disk failed.
func cannotSync(err error) bool {
	return errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.EROFS)
}

// makeLast syncs the directory entry of a folder in root.
func makeLast(root *Root, path string) error {
	if err := root.Sync(); err != nil {
		return &fs.PathError{Op: "sync", Path: filepath.Dir(path), Err: Cause(err)}
	}
	if info, err := os.Stat(path); err == nil {
		lasting.Store(path, info)
	}
	return nil
}

// Modes of what is written: private, unless the directory is one that a group
// shares.
const (
	PrivateDir  fs.FileMode = 0o700
	PrivateFile fs.FileMode = 0o600
	// GroupBits are set in the mode of a directory that a group shares.
	GroupBits fs.FileMode = 0o030
)

// DirMode returns the mode of new directories in the folder.
func (r *Root) DirMode() fs.FileMode {
	if info, err := r.Stat("."); err == nil && info.Mode().Perm()&GroupBits == GroupBits {
		return PrivateDir | 0o070
	}
	return PrivateDir
}

// FileMode returns the mode of new files in the folder.
func (r *Root) FileMode() fs.FileMode { return r.DirMode() & 0o666 }

// Cause returns the error inside a file error without the path, for a caller that
// names a better one.
func Cause(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return reason(e.Err)
	}
	if e, ok := errors.AsType[*os.LinkError](err); ok {
		return reason(e.Err)
	}
	return err
}

// Kind says in words what stands under a name.
func Kind(m fs.FileMode) string {
	switch {
	case m&fs.ModeSymlink != 0:
		return "a symbolic link"
	case m.IsDir():
		return "a directory"
	case m.IsRegular():
		return "a file"
	case m&fs.ModeNamedPipe != 0:
		return "a FIFO"
	case m&fs.ModeSocket != 0:
		return "a socket"
	case m&fs.ModeDevice != 0:
		return "a device"
	}
	return "no regular file"
}

// Resolve follows the links of a path as far as it exists, so that a folder which is gone
// keeps the name it had.
func Resolve(path string) string {
	for at, rest := path, ""; ; {
		if real, err := filepath.EvalSymlinks(at); err == nil {
			return filepath.Join(real, rest)
		}
		up := filepath.Dir(at)
		if up == at {
			return path
		}
		at, rest = up, filepath.Join(filepath.Base(at), rest)
	}
}

// SameFile reports whether two paths lead to the same thing, through links too.
func SameFile(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	two, err := os.Stat(b)
	return err == nil && os.SameFile(one, two)
}

// SameSpelling reports whether two paths that differ in case alone lead to the same place, as
// the file system says. Of what is not there its folder tells.
func SameSpelling(a, b string) bool {
	for a != b {
		x, errA := os.Stat(a)
		y, errB := os.Stat(b)
		if errA == nil || errB == nil {
			return errA == nil && errB == nil && os.SameFile(x, y)
		}
		if dir := filepath.Dir(a); filepath.Base(a) != filepath.Base(b) && !folds(dir) || dir == a {
			return false
		}
		a, b = filepath.Dir(a), filepath.Dir(b)
	}
	return true
}

// folds reports whether a folder, or the first one above it that is there, has its name in
// the other case too.
func folds(dir string) bool {
	for ; ; dir = filepath.Dir(dir) {
		name := filepath.Base(dir)
		other := strings.ToUpper(name)
		if other == name {
			other = strings.ToLower(name)
		}
		info, err := os.Stat(dir)
		switch {
		case dir == filepath.Dir(dir):
			return false
		case err != nil || other == name:
			continue
		}
		same, err := os.Stat(filepath.Join(filepath.Dir(dir), other))
		return err == nil && os.SameFile(info, same)
	}
}
