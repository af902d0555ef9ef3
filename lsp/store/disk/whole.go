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

// Whole writes files whole or not at all. A file is written under a name that
// begins with a dot, which no reader takes for one of its own, synced, and then
// given its name: by a second link, which replaces nothing, or by a rename. So a
// process that is killed at any moment leaves the file or no file, and in the worst
// case one that [Root.Sweep] removes.
//
// Paths have "/" between the names. What they consist of is the caller's to answer
// for; links in them are refused.
type Whole struct {
	Root *Root
	// Private keeps what is written to its owner, also in a folder that a group
	// shares. The owner is the folder's, also if the superuser writes.
	Private bool
	// Tag stands in the names of unfinished files, after [TempPrefix], so that
	// their writer finds its own again.
	Tag string
	// Cache leaves out what makes a file last: after a power cut it may be an earlier
	// one, or broken. It is for what can be made again.
	Cache bool
	// Hook is told of each step before it is done, and can fail it: for tests.
	Hook func(step string) error
	// Left is set if an unfinished file could not be removed.
	Left bool
}

// TempPrefix begins the names of files that are being written.
const TempPrefix = ".signalbox-"

// Abandoned is how old such a file must be to be taken for one that a killed writer
// left, where it may be that of a writer that no lock keeps out.
const Abandoned = time.Hour

// Step tells the hook of a step.
func (w *Whole) Step(name string) error {
	if w.Hook == nil {
		return nil
	}
	return w.Hook(name)
}

// Folder opens a folder, and makes it where it is missing. A link in its place, or
// on the way, is refused.
func (w *Whole) Folder(name string) (*Root, error) { return w.Root.walk(name, w.make) }

func (w *Whole) make(at *Root, name string) error {
	err := w.Step("mkdir")
	if err == nil {
		err = at.Mkdir(name, w.dirMode(at))
	}
	if err == nil && w.Private {
		err = adopt(at, name)
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
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

// Add writes a file at a path that nothing has yet. The error is [fs.ErrExist] if
// there is something, a link too.
func (w *Whole) Add(file string, data []byte) error {
	return w.AddFrom(file, func(to io.Writer) error {
		_, err := to.Write(data)
		return err
	})
}

// AddFrom is [Whole.Add] for content that is not in memory. Where fill fails there
// is no file.
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
	tmp, err := w.temp(at, w.dirMode(at)&0o666, fill)
	if err != nil {
		return fmt.Errorf("write %s: %w", file, err)
	}
	err = w.Step("link")
	if err == nil {
		err = at.Link(tmp, name)
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		err = w.move(at, tmp, name)
	}
	// It has its own name now, or none. If the first one stays it hinders nobody.
	if e := w.Step("unlink"); e != nil {
		w.Left = true
	} else {
		w.drop(at, tmp)
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", file, Cause(err))
	}
	return w.settle(at, file)
}

// move returns a file its name where the file system knows no second names. A
// rename replaces what is there: only the lock keeps others from putting
// something there in this moment.
func (w *Whole) move(at *Root, tmp, name string) error {
	if err := w.Step("move"); err != nil {
		return err
	}
	if _, err := at.Lstat(name); err == nil {
		return fs.ErrExist
	}
	return at.Rename(tmp, name)
}

// Replace puts a file in the place of another one, or where there is none.
func (w *Whole) Replace(file string, data []byte) error { return w.ReplaceIf(file, data, 0, nil) }

// ReplaceFrom is [Whole.Replace] for content that is not in memory. Where fill
// fails the file stays as it is.
func (w *Whole) ReplaceFrom(file string, fill func(io.Writer) error) error {
	return w.replace(file, fill, 0, nil)
}

// ReplaceIf is [Whole.Replace] that asks still, if it is not nil, in the last moment
// whether it is to be done, and gives its error. mode is the file's, whatever the
// umask; 0 means that of a new file.
func (w *Whole) ReplaceIf(file string, data []byte, mode fs.FileMode, still func(at *Root) error) error {
	return w.replace(file, func(to io.Writer) error {
		_, err := to.Write(data)
		return err
	}, mode, still)
}

func (w *Whole) replace(file string, fill func(io.Writer) error, mode fs.FileMode, still func(at *Root) error) error {
	at, err := w.Folder(path.Dir(file))
	if err != nil {
		return err
	}
	defer at.Close()
	tmp, err := w.temp(at, w.dirMode(at)&0o666, fill)
	if err == nil {
		if mode != 0 {
			err = at.Chmod(tmp, mode.Perm())
		}
		if err == nil {
			err = w.Step("rename")
		}
		if err == nil && still != nil {
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

// Last makes the name of a file last that is there already, and those of the folders
// on the way: whoever made them may have been killed before.
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

// temp writes a file under a name of its own, whole and synced, or leaves none.
func (w *Whole) temp(at *Root, mode fs.FileMode, fill func(io.Writer) error) (name string, err error) {
	name = TempPrefix + w.Tag + rand.Text()
	if err := w.Step("create"); err != nil {
		return "", err
	}
	f, err := at.OpenWrite(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return "", Cause(err)
	}
	if w.Private {
		err = adopt(at, name)
	}
	if err == nil {
		err = w.Step("write")
	}
	if err == nil {
		err = fill(f)
	}
	if err == nil {
		err = w.Step("sync")
	}
	if err == nil && !w.Cache {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		w.drop(at, name)
		return "", Cause(err)
	}
	return name, nil
}

// IsTemp reports whether a name is that of an unfinished file with a tag, and not
// one with a longer tag.
func IsTemp(name, tag string) bool {
	rest, ok := strings.CutPrefix(name, TempPrefix+tag)
	return ok && len(rest) == len(rand.Text()) && strings.Trim(rest, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567") == ""
}

// Settle makes the names in a folder last.
func (w *Whole) Settle(at *Root) error {
	err := w.Step("settle")
	if err == nil && !w.Cache {
		err = at.Sync()
	}
	return Cause(err)
}

// Sweep removes an unfinished file that is older than age, whatever its tag. That
// it fails harms nobody.
func (r *Root) Sweep(name string, age time.Duration) {
	if !strings.HasPrefix(name, TempPrefix) {
		return
	}
	if info, err := r.Lstat(name); err == nil && info.Mode().IsRegular() && time.Since(info.ModTime()) > age {
		_ = r.Remove(name)
	}
}
