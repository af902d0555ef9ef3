package setup

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/setup/edit"
	"github.com/signalbox-dev/signalbox/lsp/store/disk"
)

// maxConfig is the length in bytes of the longest configuration file that is changed.
const maxConfig = 32 << 20

// planned is a change of one file that was worked out and not made.
type planned struct {
	file
	// real is where the file lies, past links of the user's.
	real          string
	before, after []byte
	there         bool
	mode          fs.FileMode
	// gone is set if the file is to be removed.
	gone bool
}

func (p *planned) changes() bool { return p.gone || !bytes.Equal(p.before, p.after) }

// result is what the file holds afterwards.
func (p *planned) result() []byte {
	if p.gone {
		return nil
	}
	return p.after
}

// load reads a configuration file. One that is not there is empty.
func load(f file, project bool) (p planned, err error) {
	p = planned{file: f, real: f.path, mode: disk.PrivateFile}
	if project {
		p.mode = 0o644
	}
	info, err := os.Lstat(f.path)
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		// The user's own files may be links to where they are kept. A repository's may
		// lead anywhere.
		if project {
			return p, errors.New("is a link, which the repository brought")
		}
		if p.real, err = filepath.EvalSymlinks(f.path); err == nil {
			info, err = os.Lstat(p.real)
		}
	}
	if errors.Is(err, fs.ErrNotExist) && p.real == f.path {
		return p, nil
	}
	if err != nil {
		return p, err
	}
	p.there, p.mode = true, info.Mode().Perm()
	p.before, err = read(p.real)
	return p, err
}

func read(path string) ([]byte, error) {
	root, err := disk.OpenRoot(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	text, _, err := root.ReadRegular(filepath.Base(path), maxConfig)
	if err == nil && len(text) > maxConfig {
		err = fmt.Errorf("is longer than %d bytes", maxConfig)
	}
	return text, err
}

// add works out the file with everything in it that is wanted.
func add(f file, project bool) (planned, error) {
	p, err := load(f, project)
	if err != nil {
		return p, err
	}
	p.after = p.before
	for _, w := range f.wants {
		if p.after, err = w.edit.Add(p.after); err != nil {
			return p, err
		}
	}
	return p, nil
}

// remove works out the file without what is wanted.
func remove(f file, project bool, j *journal) (planned, error) {
	p, err := load(f, project)
	if err != nil || !p.there {
		return p, err
	}
	original, made, known := j.original(f.path, p.before)
	if known {
		p.after, p.gone = original, made && bare(original)
		return p, nil
	}
	if p.after, err = p.without(p.before); err != nil {
		return p, err
	}
	p.gone = j.entries[f.path].Made && p.changes() && bare(p.after)
	if _, isWhole := f.wants[0].edit.(whole); isWhole && p.changes() {
		p.gone = true
	}
	return p, nil
}

// bare reports whether a text says nothing: it is blank or an empty object.
func bare(text []byte) bool {
	text = bytes.TrimSpace(text)
	return len(text) == 0 || string(text) == "{}"
}

// apply makes the change, unless somebody else changed the file meanwhile. An empty file
// is removed where its removal is meant.
func (p *planned) apply(ctx context.Context, j *journal, removing bool) error {
	if p.there && p.mode&0o200 == 0 {
		return errors.New("is read-only")
	}
	if err := p.still(); err != nil {
		return err
	}
	if removing {
		if err := p.write(); err != nil {
			return err
		}
		return j.set(ctx, p.path, nil)
	}
	// The way back is kept first: without it a process that is killed here would leave a
	// change that nobody can take back exactly.
	before, known := j.entries[p.path]
	if err := j.set(ctx, p.path, p.entry(j)); err != nil {
		return err
	}
	err := p.write()
	if err != nil && known {
		return errors.Join(err, j.set(ctx, p.path, &before))
	}
	return err
}

// entry is the way back from the file after the change to the file before the first one.
func (p *planned) entry(j *journal) *entry {
	original, made := p.before, !p.there
	if text, wasMade, known := j.original(p.path, p.before); known {
		original, made = text, wasMade
	} else if text, err := p.without(p.before); err == nil {
		// Somebody else changed the file since: what is ours of an earlier setup goes.
		original, made = text, made || j.entries[p.path].Made
	}
	return &entry{After: digest(p.after), Back: edit.Between(p.after, original), Made: made}
}

// without returns a text without what is wanted.
func (p *planned) without(text []byte) (out []byte, err error) {
	out = text
	for i := len(p.wants) - 1; i >= 0; i-- {
		if out, err = p.wants[i].edit.Remove(out); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// still reports an error if the file is not the one that was read.
func (p *planned) still() error {
	now, err := read(p.real)
	if errors.Is(err, fs.ErrNotExist) && !p.there {
		return nil
	}
	if err != nil {
		return err
	}
	if !p.there || !bytes.Equal(now, p.before) {
		return errors.New("another program changed it at the same moment: try again")
	}
	return nil
}

func (p *planned) write() error {
	dir, name := filepath.Dir(p.real), filepath.Base(p.real)
	root, err := disk.Disk{}.MakeRoot(dir, folderMode(p.mode))
	if err != nil {
		return err
	}
	defer root.Close()
	if p.gone {
		if err := root.Remove(name); err != nil {
			return err
		}
		return root.Sync()
	}
	w := disk.Whole{Root: root, Tag: "setup-"}
	return w.ReplaceIf(name, p.after, p.mode, func(*disk.Root) error { return p.still() })
}

// folderMode returns the mode of a folder for files of a mode.
func folderMode(mode fs.FileMode) fs.FileMode {
	if mode&0o044 == 0 {
		return disk.PrivateDir
	}
	return 0o755
}
