// Package disk opens, reads and changes files for the stores. All changes are made beneath a
// [Root]. [Whole] writes a file completely or not at all, and syncs it. A test can pass a
// [Layer] that sees every change: lsp/disk/crash kills the process or fails the disk at each
// one.
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
	// Layer makes all changes beneath the opened folders. Only tests set it.
	Layer Layer
}

// Root is an open folder. Its own methods make all changes beneath it. The methods of
// [os.Root] are only for reading.
type Root struct {
	*os.Root
	layer Layer
}

// OpenRoot opens a folder on the machine's own disk.
func OpenRoot(path string) (*Root, error) { return Disk{}.OpenRoot(path) }

// OpenRoot opens a folder as [os.OpenRoot] does, but never blocks: it first refuses a path
// that is not a folder, such as a FIFO, which would wait for its writer.
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

// MakeRoot makes a folder with [Disk.MkdirAll] and opens it.
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

// synced holds the folders whose directory entries this process has synced, by path.
var synced sync.Map // string to fs.FileInfo

// MkdirAll makes a folder and its missing parents, and syncs their directory entries. It also
// syncs the entry of a folder that exists, once in each process: the process that made the
// folder may have been killed before its sync.
func (d Disk) MkdirAll(path string, mode fs.FileMode) error {
	path, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	above := filepath.Dir(path)
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		if known, ok := synced.Load(path); ok && os.SameFile(known.(fs.FileInfo), info) {
			return nil
		}
		root, err := d.OpenRoot(above)
		if err != nil {
			return nil // we make nothing in a folder that we cannot open
		}
		defer root.Close()
		if err := syncEntry(root, path); !cannotSync(err) {
			return err
		}
		return nil // as at a mount point, whose entry is not new
	}
	if above == path {
		return os.MkdirAll(path, mode) // its error is the one to show
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
	return syncEntry(root, path)
}

// cannotSync reports whether an error means that the file system cannot sync folders or is
// read-only, and not that the disk failed.
func cannotSync(err error) bool {
	return errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.EROFS)
}

// syncEntry syncs the directory entry of a folder in root.
func syncEntry(root *Root, path string) error {
	if err := root.Sync(); err != nil {
		return &fs.PathError{Op: "sync", Path: filepath.Dir(path), Err: Cause(err)}
	}
	if info, err := os.Stat(path); err == nil {
		synced.Store(path, info)
	}
	return nil
}

// Modes of new files and folders: private, unless a group shares the directory.
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

// Cause returns the error inside a file error without the path, for a caller that adds a
// better path.
func Cause(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return reason(e.Err)
	}
	if e, ok := errors.AsType[*os.LinkError](err); ok {
		return reason(e.Err)
	}
	return err
}

// Kind returns the type of a file in words.
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

// Resolve resolves the links of a path as far as it exists, so that the path of a removed
// folder stays the same.
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

// SameFile reports whether two paths lead to the same file or folder, following links.
func SameFile(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	two, err := os.Stat(b)
	return err == nil && os.SameFile(one, two)
}

// SameSpelling reports whether the file system treats two paths that differ only in case as
// one. For missing paths the nearest existing folders decide.
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

// folds reports whether the file system ignores case at a folder: whether the folder, or the
// nearest existing parent with letters in its name, is also found by that name in the other
// case.
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
