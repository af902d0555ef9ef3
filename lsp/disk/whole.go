package disk

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// Whole writes files completely or not at all. It writes a file under a temporary name that
// begins with a dot and that no reader looks at, and syncs it. Then it gives the file its own
// name, by a second link, which replaces nothing, or by a rename. A process that is killed at
// any moment leaves the whole file or none, and at worst a temporary file that [Root.Sweep]
// removes.
//
// Paths have "/" between the names. The caller must check the names. Links in a path are
// refused.
type Whole struct {
	Root *Root
	// Private makes files and folders that only their owner can read, even in a folder
	// that a group shares.
	Private bool
	// Mode is the mode of added files before the umask. 0 means [Root.FileMode], or
	// [PrivateFile] if Private is set.
	Mode fs.FileMode
	// Tag follows [TempPrefix] in temporary names, so that a writer can find its own
	// unfinished files.
	Tag string
	// Cache skips the syncs: after a power cut the file may be an earlier version, or broken.
	// It is for files that can be made again.
	Cache bool
	// Left is set if an unfinished file could not be removed.
	Left bool
}

// TempPrefix begins the names of files that are being written.
const TempPrefix = ".signalbox-"

// Abandoned is the age at which a temporary file counts as left behind by a killed writer,
// where no lock keeps other writers out.
const Abandoned = time.Hour

// Folder opens a folder, and makes it if it is missing. It refuses links, on the way and at
// the end of the path.
func (w *Whole) Folder(name string) (*Root, error) { return w.Root.walk(name, w.make) }

func (w *Whole) make(at *Root, name string) error {
	if err := at.Mkdir(name, w.dirMode(at)); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return at.Sync()
}

func (w *Whole) dirMode(at *Root) fs.FileMode {
	if w.Private {
		return PrivateDir
	}
	return at.DirMode()
}

// Add writes a new file. The error is [fs.ErrExist] if the name is taken, even by a link.
func (w *Whole) Add(file string, data []byte) error {
	return w.AddFrom(file, func(to io.Writer) error {
		_, err := to.Write(data)
		return err
	})
}

// AddFrom is like [Whole.Add], but fill writes the content. If fill fails, there is no file.
func (w *Whole) AddFrom(file string, fill func(io.Writer) error) error {
	at, err := w.Folder(path.Dir(file))
	if err != nil {
		return err
	}
	defer at.Close()
	name := path.Base(file)
	if _, err := at.Lstat(name); err == nil {
		return fs.ErrExist
	}
	mode := w.Mode
	if mode == 0 {
		mode = w.dirMode(at) & 0o666
	}
	tmp, err := w.temp(at, mode, func(f *File) error { return fill(f) })
	if err != nil {
		return fmt.Errorf("write %s: %w", file, err)
	}
	if err = at.Link(tmp, name); err != nil && !errors.Is(err, fs.ErrExist) {
		err = move(at, tmp, name)
	}
	// The file has its own name now, or did not get it. A temporary name left over does no harm.
	if w.drop(at, tmp); err != nil {
		return fmt.Errorf("write %s: %w", file, Cause(err))
	}
	return w.syncNew(at, file)
}

// move renames a file on a file system without second links. A rename replaces an existing
// file: only the caller's lock keeps others from making one at this moment.
func move(at *Root, tmp, name string) error {
	if _, err := at.Lstat(name); err == nil {
		return fs.ErrExist
	}
	return at.Rename(tmp, name)
}

// Replace writes a file in place of an existing one, or a new file. The file keeps the owner,
// the group and, unless it is private, the mode of the old one.
func (w *Whole) Replace(file string, data []byte) error { return w.ReplaceIf(file, data, 0, nil) }

// ReplaceIf is like [Whole.Replace], but just before the rename it calls check, unless that
// is nil, and stops if check returns an error. mode is set whatever the umask is. 0 means the
// mode that Replace sets.
func (w *Whole) ReplaceIf(file string, data []byte, mode fs.FileMode, check func(at *Root) error) error {
	at, err := w.Folder(path.Dir(file))
	if err != nil {
		return err
	}
	defer at.Close()
	old, err := at.Lstat(path.Base(file))
	if err != nil || !old.Mode().IsRegular() {
		old = nil
	} else if mode == 0 && !w.Private {
		mode = old.Mode()
	}
	tmp, err := w.temp(at, w.dirMode(at)&0o666, func(f *File) error {
		if err := f.Inherit(old, mode); err != nil {
			return err
		}
		_, err := f.Write(data)
		return err
	})
	if err == nil {
		if check != nil {
			err = check(at)
		}
		if err == nil {
			err = at.Rename(tmp, path.Base(file))
		}
		if err != nil {
			w.drop(at, tmp)
		}
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", file, Cause(err))
	}
	return w.syncNew(at, file)
}

// drop removes an unfinished file, and sets Left if it cannot.
func (w *Whole) drop(at *Root, tmp string) {
	if err := at.Remove(tmp); err != nil && !errors.Is(err, fs.ErrNotExist) {
		w.Left = true
	}
}

// syncNew syncs the directory entries of a file that was just written and of its folders.
func (w *Whole) syncNew(at *Root, file string) error {
	err := w.SyncFolder(at)
	if dir := path.Dir(file); err == nil && dir != "." && !w.Cache {
		err = w.SyncPath(dir)
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", file, err)
	}
	return nil
}

// SyncPath syncs the directory entries of an existing file and of the folders on the way to
// it. The process that made them may have been killed before its sync.
func (w *Whole) SyncPath(file string) error {
	for dir := path.Dir(file); ; dir = path.Dir(dir) {
		at, err := w.Root.OpenFolder(dir)
		if err != nil {
			return err
		}
		err = at.Sync()
		at.Close()
		if err != nil {
			return fmt.Errorf("%s: %w", path.Join(filepath.Base(w.Root.Name()), dir), Cause(err))
		}
		if dir == "." {
			return nil
		}
	}
}

// temp writes a file under a temporary name and syncs it. If that fails, it removes the file.
func (w *Whole) temp(at *Root, mode fs.FileMode, fill func(*File) error) (name string, err error) {
	name = TempPrefix + w.Tag + rand.Text()
	f, err := at.OpenWrite(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return "", Cause(err)
	}
	if err = fill(f); err == nil && !w.Cache {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		w.drop(at, name)
		return "", Cause(err)
	}
	return name, nil
}

// IsTemp reports whether a name is a temporary name with exactly this tag.
func IsTemp(name, tag string) bool {
	rest, ok := strings.CutPrefix(name, TempPrefix+tag)
	return ok && len(rest) == len(rand.Text()) && strings.Trim(rest, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567") == ""
}

// SyncFolder syncs the directory entries of a folder, unless Cache is set.
func (w *Whole) SyncFolder(at *Root) error {
	if w.Cache {
		return nil
	}
	return Cause(at.Sync())
}

// Names lists the names in a folder, as far as it can be read.
func (r *Root) Names() []string {
	dir, err := r.Open(".")
	if err != nil {
		return nil
	}
	defer dir.Close()
	list, _ := dir.Readdirnames(-1)
	return list
}

// SweepAll removes the temporary files in a folder whose tag is exactly tag, and every other
// temporary file that is older than [Abandoned]. No writer may be using the tag.
func (r *Root) SweepAll(tag string) {
	for _, name := range r.Names() {
		if IsTemp(name, tag) {
			_ = r.Remove(name)
		} else {
			r.Sweep(name, Abandoned)
		}
	}
}

// Sweep removes a temporary file that is older than age, whatever its tag. It ignores errors,
// since the file does no harm.
func (r *Root) Sweep(name string, age time.Duration) {
	if !strings.HasPrefix(name, TempPrefix) {
		return
	}
	if info, err := r.Lstat(name); err == nil && info.Mode().IsRegular() && time.Since(info.ModTime()) > age {
		_ = r.Remove(name)
	}
}
