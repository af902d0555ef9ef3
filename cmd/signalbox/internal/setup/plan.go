package setup

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/setup/edit"
	"github.com/signalbox-dev/signalbox/lsp/disk"
)

// maxConfig is the size of the largest configuration file that is changed, in bytes.
const maxConfig = 32 << 20

// planned is a planned change of one file.
type planned struct {
	file
	// project is the root of the repository that the file belongs to, or "".
	project string
	// real is the path of the file with the user's links resolved.
	real          string
	before, after []byte
	there         bool
	mode          fs.FileMode
	// gone is set if the file is to be removed.
	gone bool
	// wrote is what the journal saves of the file after the change.
	wrote map[string]string
}

func (p *planned) changes() bool { return p.gone || !bytes.Equal(p.before, p.after) }

func (p *planned) result() []byte {
	if p.gone {
		return nil
	}
	return p.after
}

// load reads a configuration file. A missing file is empty.
func load(f file, project string) (p planned, err error) {
	p = planned{file: f, project: project, real: f.path, mode: disk.PrivateFile}
	if project != "" {
		p.mode = 0o644
	} else if p.real, err = followed(f.path); err != nil {
		return p, err
	}
	text, info, err := p.read()
	if errors.Is(err, fs.ErrNotExist) && p.real == f.path {
		return p, nil
	}
	if err != nil {
		return p, err
	}
	p.before, p.there, p.mode = text, true, info.Mode().Perm()
	return p, nil
}

// followed returns the path of a user's file, which may be a link, with the link resolved.
func followed(path string) (string, error) {
	info, err := os.Lstat(path)
	if err != nil || info.Mode()&fs.ModeSymlink == 0 {
		return path, nil //nolint:nilerr // reading it returns the error
	}
	return filepath.EvalSymlinks(path)
}

// folder opens the folder of the file, and makes it if missing is set. It follows no link
// in a repository, since such a link may lead anywhere.
func (p *planned) folder(create bool) (*disk.Root, error) {
	dir := filepath.Dir(p.real)
	if p.project == "" {
		if create {
			return disk.Disk{}.MakeRoot(dir, folderMode(p.mode))
		}
		return disk.OpenRoot(dir)
	}
	at, err := disk.OpenRoot(p.project)
	if err != nil {
		return nil, err
	}
	path, err := filepath.Rel(p.project, dir)
	if err != nil || path == "." {
		return at, err
	}
	for part := range strings.SplitSeq(filepath.ToSlash(path), "/") {
		if create {
			if err := at.Mkdir(part, folderMode(p.mode)); err != nil && !errors.Is(err, fs.ErrExist) {
				at.Close()
				return nil, err
			}
		}
		next, err := at.OpenFolder(part)
		at.Close()
		if err != nil {
			return nil, brought(err)
		}
		at = next
	}
	return at, nil
}

// brought adds to an error that a link in a repository is not followed.
func brought(err error) error {
	if kind, ok := errors.AsType[*disk.KindError](err); ok && kind.Kind&fs.ModeSymlink != 0 {
		return fmt.Errorf("%w: it is a link, which the repository brought", err)
	}
	return err
}

func (p *planned) read() ([]byte, fs.FileInfo, error) {
	root, err := p.folder(false)
	if err != nil {
		return nil, nil, err
	}
	defer root.Close()
	text, info, err := root.ReadRegular(filepath.Base(p.real), maxConfig)
	if err == nil && len(text) > maxConfig {
		err = fmt.Errorf("is longer than %d bytes", maxConfig)
	}
	if err != nil && p.project != "" {
		err = brought(err)
	}
	return text, info, err
}

// bom is the byte order mark that some Windows editors write.
const bom = "\xef\xbb\xbf"

// body returns the file's text without a byte order mark.
func (p *planned) body() []byte { return bytes.TrimPrefix(p.before, []byte(bom)) }

// edited returns the text with change applied for each want.
func (p *planned) edited(change func(w want, text []byte) ([]byte, error), wants iter.Seq[want]) ([]byte, error) {
	text := p.body()
	mark := p.before[:len(p.before)-len(text)]
	var err error
	for w := range wants {
		if text, err = change(w, text); err != nil {
			return nil, err
		}
	}
	return slices.Concat(mark, text), nil
}

func add(f file, project string, j *journal) (planned, error) {
	p, err := load(f, project)
	if err != nil {
		return p, err
	}
	memory := j.wrote(f.path)
	p.wrote = make(map[string]string)
	p.after, err = p.edited(func(w want, text []byte) ([]byte, error) {
		_, mine, _ := w.find(p.body(), memory) // Add returns the error
		out, err := w.edit.Add(text, mine)
		if err == nil && !bytes.Equal(out, text) {
			mine = w.edit.Wrote(mine)
		}
		if mine != "" {
			p.wrote[w.id] = mine
		}
		return out, err
	}, slices.Values(f.wants))
	return p, err
}

func remove(f file, project string, j *journal) (planned, error) {
	p, err := load(f, project)
	if err != nil || !p.there {
		return p, err
	}
	original, made, known := j.original(f.path, p.before)
	if known {
		p.after, p.gone = original, made && bare(original)
		return p, nil
	}
	if p.after, err = p.without(j); err != nil {
		return p, err
	}
	p.gone = j.entries[f.path].Made && p.changes() && bare(p.after)
	if _, isWhole := f.wants[0].edit.(whole); isWhole && p.changes() {
		p.gone = true
	}
	return p, nil
}

// bare reports whether a text is blank or an empty object.
func bare(text []byte) bool {
	text = bytes.TrimSpace(text)
	return len(text) == 0 || string(text) == "{}"
}

// apply makes the change, unless another program changed the file meanwhile.
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
	// The journal is saved first: otherwise a process that is killed here would leave a
	// change that cannot be undone exactly.
	before, known := j.entries[p.path]
	if err := j.set(ctx, p.path, p.entry(j)); err != nil {
		return err
	}
	err := p.write()
	if err == nil || p.still() != nil {
		return err
	}
	// The file was not changed, so the journal entry is restored.
	var back *entry
	if known {
		back = &before
	}
	return errors.Join(err, j.set(ctx, p.path, back))
}

// entry returns the journal entry that leads from the file after this change to the file
// before setup's first change.
func (p *planned) entry(j *journal) *entry {
	original, made := p.before, !p.there
	if text, wasMade, known := j.original(p.path, p.before); known {
		original, made = text, wasMade
	} else if text, err := p.without(j); err == nil {
		// Another program changed the file since: undoing also removes what an earlier setup wrote.
		original, made = text, made || j.entries[p.path].Made
	}
	return &entry{After: digest(p.after), Back: edit.Between(p.after, original), Made: made, Wrote: p.wrote}
}

// without returns the text without what setup wrote.
func (p *planned) without(j *journal) ([]byte, error) {
	memory := j.wrote(p.path)
	return p.edited(func(w want, text []byte) ([]byte, error) {
		_, mine, _ := w.find(p.body(), memory)
		return w.edit.Remove(text, mine)
	}, func(yield func(want) bool) {
		for _, w := range slices.Backward(p.wants) {
			if !yield(w) {
				return
			}
		}
	})
}

// still returns an error if the file has changed since it was read.
func (p *planned) still() error {
	now, _, err := p.read()
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
	root, err := p.folder(true)
	if err != nil {
		return err
	}
	defer root.Close()
	name := filepath.Base(p.real)
	if p.gone {
		if err := root.Remove(name); err != nil {
			return err
		}
		return root.Sync()
	}
	w := disk.Whole{Root: root, Tag: "setup-"}
	return w.ReplaceIf(name, p.after, p.mode, func(*disk.Root) error { return p.still() })
}

func folderMode(mode fs.FileMode) fs.FileMode {
	if mode&0o044 == 0 {
		return disk.PrivateDir
	}
	return 0o755
}
