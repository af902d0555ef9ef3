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

// Whole writes files whole or not at all. A file is written under a temporary name that
// begins with a dot and that no reader looks at. It is synced and then given its name, by
// a second link, which replaces nothing, or by a rename. A process that is killed at any
// moment leaves the whole file or none, and at worst a temporary file that [Root.Sweep]
// removes.
//
// Paths have "/" between the names. The caller answers for the names. Links in a path are
// refused.
type Whole struct {
	Root *Root
	// Private makes files and folders that only their owner can read, even in a folder
	// that a group shares.
	Private bool
	// Mode is the mode of added files, less the umask. 0 means one that fits the folder.
	Mode fs.FileMode
	// Tag follows [TempPrefix] in temporary names, so that a writer can find its own
	// unfinished files.
	Tag string
	// Cache leaves out the syncs: after a power cut the file may be an earlier one, or
	// broken. It is for files that can be made again.
	Cache bool
	// Left is set if an unfinished file could not be removed.
	Left bool
}

// TempPrefix begins the names of files that are being written.
const TempPrefix = ".signalbox-"

// Abandoned is the age from which a temporary file counts as left by a killed writer, if
// no lock keeps other writers out.
const Abandoned = time.Hour

// Folder opens a folder, and makes it if it is missing. A link in its place, or on the
// way, is refused.
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

// Add writes a file at a free path. The error is [fs.ErrExist] if anything stands there,
// even a link.
func (w *Whole) Add(file string, data []byte) error {
	return w.AddFrom(file, func(to io.Writer) error {
		_, err := to.Write(data)
		return err
	})
}

// AddFrom is [Whole.Add] for content that is not in memory. If fill fails there is no
// file.
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
	// The file has its name now, or none. A temporary name that stays does no harm.
	if w.drop(at, tmp); err != nil {
		return fmt.Errorf("write %s: %w", file, Cause(err))
	}
	return w.settle(at, file)
}

// move renames a file where the file system knows no second names. A rename replaces what
// is there: only the caller's lock keeps others from putting something there at this
// moment.
func move(at *Root, tmp, name string) error {
	if _, err := at.Lstat(name); err == nil {
		return fs.ErrExist
	}
	return at.Rename(tmp, name)
}

// Replace puts a file in the place of another one, or where there is none. The file keeps
// the owner, the group and, unless it is private, the mode of the other one.
func (w *Whole) Replace(file string, data []byte) error { return w.ReplaceIf(file, data, 0, nil) }

// ReplaceIf is [Whole.Replace] that calls still, if it is not nil, just before the rename,
// and stops if that returns an error. mode is set whatever the umask is. 0 means the mode
// that Replace gives it.
func (w *Whole) ReplaceIf(file string, data []byte, mode fs.FileMode, still func(at *Root) error) error {
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
		if err := f.Become(old, mode); err != nil {
			return err
		}
		_, err := f.Write(data)
		return err
	})
	if err == nil {
		if still != nil {
			err = still(at)
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
	return w.settle(at, file)
}

// drop removes an unfinished file.
func (w *Whole) drop(at *Root, tmp string) {
	if err := at.Remove(tmp); err != nil && !errors.Is(err, fs.ErrNotExist) {
		w.Left = true
	}
}

// settle is [Whole.Settle] after a file was written.
func (w *Whole) settle(at *Root, file string) error {
	err := w.Settle(at)
	if dir := path.Dir(file); err == nil && dir != "." && !w.Cache {
		err = w.Last(dir)
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", file, err)
	}
	return nil
}

// Last syncs the directory entries of a file that exists already and of the folders on
// the way. Whoever made them may have been killed before the sync.
func (w *Whole) Last(file string) error {
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

// temp writes a file under a temporary name, whole and synced, or leaves none.
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

// Settle syncs the directory entries of a folder.
func (w *Whole) Settle(at *Root) error {
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

// SweepAll removes the temporary files in a folder that have exactly this tag, whose
// writer is gone, and all others that are older than [Abandoned].
func (r *Root) SweepAll(tag string) {
	for _, name := range r.Names() {
		if IsTemp(name, tag) {
			_ = r.Remove(name)
		} else {
			r.Sweep(name, Abandoned)
		}
	}
}

// Sweep removes a temporary file that is older than age, whatever its tag. It ignores
// errors, since the file harms nobody.
func (r *Root) Sweep(name string, age time.Duration) {
	if !strings.HasPrefix(name, TempPrefix) {
		return
	}
	if info, err := r.Lstat(name); err == nil && info.Mode().IsRegular() && time.Since(info.ModTime()) > age {
		_ = r.Remove(name)
	}
}
