package talk

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/core/atsf"
	atsfstore "github.com/signalbox-dev/signalbox/lsp/atsf"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
)

// ErrNotFound is the error for a thread that does not exist.
var ErrNotFound = atsfstore.ErrNotFound

// maxListed is how many threads an error about an ambiguous name lists.
const maxListed = 10

// Open is a thread that was found or created. The caller closes it.
type Open struct {
	*atsfstore.Dir
	Name string
	// Path is the project's folder.
	Path string
}

// File returns the path of the thread's directory.
func (o *Open) File() string { return File(o.Path, o.Name) }

// File returns the path of a thread in a folder.
func File(folder, name string) string {
	return filepath.Join(folder, atsf.DirName, atsf.ThreadsName, name)
}

// Open finds the thread that the user names by its path, its id or the beginning of its id. If
// there are several, the error lists them. Threads of a removed worktree are not found, since
// only the list of them is left.
func (p *Project) Open(ctx context.Context, ref string) (*Open, error) {
	if strings.ContainsRune(ref, filepath.Separator) || strings.Contains(ref, "/") || ref == "." || ref == ".." {
		return p.openPath(ref)
	}
	// The whole id of a thread in this folder can be found without looking at the worktrees.
	if found, err := p.openOwn(ref); err == nil {
		return found, nil
	}
	l, err := p.Threads(ctx)
	if err != nil {
		return nil, err
	}
	_, hits := l.match(ref)
	switch {
	case len(hits) == 0:
		if found, err := p.openPath(ref); err == nil {
			return found, nil
		}
		return nil, fmt.Errorf("threads: thread %q: %w in %q and its worktrees", ref, ErrNotFound, p.Folder)
	case len(hits) > 1:
		// If all have the same name, the one in the project's own folder wins.
		if !slices.ContainsFunc(hits, func(t *Talk) bool { return t.Name != hits[0].Name }) {
			if found, err := p.openOwn(hits[0].Name); err == nil {
				return found, nil
			}
		}
		return nil, l.ambiguous(ref, hits)
	}
	it := hits[0]
	d, err := l.threads.Open(atsfstore.Key{Folder: it.Folder, Name: it.Name})
	if err != nil {
		return nil, err
	}
	folder, _ := l.threads.Folder(it.Folder)
	return &Open{Dir: d, Name: it.Name, Path: folder.Path}, nil
}

// openOwn opens a thread of the project's own folder.
func (p *Project) openOwn(name string) (*Open, error) {
	d, err := atsfstore.Open(p.Folder)
	if err != nil {
		return nil, err
	}
	if _, err := d.Item(name); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return &Open{Dir: d, Name: name, Path: d.Folder()}, nil
}

func (p *Project) openPath(path string) (*Open, error) {
	if !filepath.IsAbs(path) {
		path = filepath.Join(p.Env.Work, path)
	}
	d, name, err := atsfstore.OpenThread(filepath.Clean(path))
	if err != nil {
		return nil, err
	}
	return &Open{Dir: d, Name: name, Path: d.Folder()}, nil
}

// match returns the talks that have an id or, if there are none, those that begin with it.
func (l *List) match(ref string) (whole bool, hits []*Talk) {
	var begun []*Talk
	for _, t := range l.Talks {
		switch {
		case ref == "":
		case t.Name == ref || t.ID == ref:
			hits = append(hits, t)
		case strings.HasPrefix(t.Name, ref) || strings.HasPrefix(t.ID, ref):
			begun = append(begun, t)
		}
	}
	if len(hits) > 0 {
		return true, hits
	}
	return false, begun
}

// ambiguous returns the error for an id that fits several threads.
func (l *List) ambiguous(ref string, hits []*Talk) error {
	text := fmt.Sprintf("threads: %q names %d threads: give more of the id, or the path", ref, len(hits))
	for i, t := range hits {
		if i == maxListed {
			text += "\n  …"
			break
		}
		f, _ := l.threads.Folder(t.Folder)
		text += "\n  " + show.Line(t.Name) + "  " + show.Line(File(f.Path, t.Name))
	}
	return errors.New(text)
}

// Session returns the session that has an id or name, or the only one that begins with it,
// with its list. It searches the project, or everything if all is set. The session is nil if
// there is none. A ref that cannot be a session's name is not searched for.
func (p *Project) Session(ctx context.Context, ref string, all bool) (*List, *Talk, error) {
	if len(ref) < 4 || strings.ContainsAny(ref, `/\`) {
		return &List{}, nil, nil
	}
	l, err := p.Sessions(ctx, all)
	if err != nil {
		return &List{}, nil, err
	}
	whole, hits := l.match(ref)
	switch {
	case len(hits) == 0:
		return l, nil, nil
	case !whole && len(hits) > 1:
		return l, nil, fmt.Errorf("%q: several sessions begin with this: %s, %s", ref, hits[0].Name, hits[1].Name)
	}
	return l, hits[0], nil
}
