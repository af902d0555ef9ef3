package tree

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// partial is a look at a few paths. It collects the differences.
type partial[F File] struct {
	*Tree[F]
	ctx  context.Context
	root Folder
	d    Delta[F]
}

// RefreshSome looks at single files and folders of the open directory by their paths. The
// directory stays open. ok is false if only a look at everything helps. The delta then holds
// the differences up to that point.
func (t *Tree[F]) RefreshSome(ctx context.Context, f Folder, paths []string) (d Delta[F], ok bool) {
	if t.Root == nil || t.Root.Err != nil {
		return d, false
	}
	o := &partial[F]{Tree: t, ctx: ctx, root: f}
	for _, p := range paths {
		if !o.look(p) {
			return o.d, false
		}
	}
	return o.d, true
}

// look looks at one path. It returns false if only a look at everything helps: in unknown
// folders, and at the limits.
func (o *partial[F]) look(p string) bool {
	if o.files >= o.Rules.Limits.Files || o.folders >= o.Rules.Limits.Folders || len(o.Bounds) > 0 {
		return false
	}
	parent, f := o.Root, o.root
	for at := ""; ; {
		name, _, deeper := strings.Cut(strings.TrimPrefix(p[len(at):], "/"), "/")
		if !deeper {
			break
		}
		at = Join(at, name)
		if parent = parent.sub(at); parent == nil || parent.Err != nil {
			return false
		}
		sub, err := f.Open(name)
		if err != nil {
			return false
		}
		defer sub.Close()
		f = sub
	}
	i, err := f.Stat(path.Base(p))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false
	}
	sort := Skipped
	if err == nil {
		sort = o.Rules.Sort(p, i.Kind)
	}
	o.file(f, parent, p, sort == Wanted)
	return o.folder(f, parent, p, sort == Entered)
}

// file looks at a file in a folder, or records that it does not exist.
func (o *partial[F]) file(f Folder, parent *Node[F], p string, there bool) {
	at, had := parent.find(p)
	var none, old, now F
	if had {
		old = parent.Files[at]
	}
	if there {
		now = o.Rules.NewScanner()(f, p, old, false)
	}
	switch {
	case now == old:
		return
	case now == none:
		parent.Files = slices.Delete(parent.Files, at, at+1)
		o.files--
	case had:
		parent.Files[at] = now
	default:
		parent.Files = slices.Insert(parent.Files, at, now)
		o.files++
	}
	if old != none {
		o.d.Removed = append(o.d.Removed, old)
	}
	if now != none {
		o.d.Added = append(o.d.Added, now)
	}
}

// folder looks at a folder in a folder, or records that it does not exist.
func (o *partial[F]) folder(f Folder, parent *Node[F], p string, there bool) bool {
	old := parent.sub(p)
	var now *Node[F]
	if there {
		sub, err := f.Open(path.Base(p))
		if err != nil {
			return false
		}
		files, folders := old.count()
		w := &walk[F]{Rules: &o.Rules, files: o.files - files, folders: o.folders - folders}
		if now, err = w.walkFolder(o.ctx, sub, p, old); err != nil || len(w.bounds) > 0 {
			return false
		}
		o.files, o.folders = w.files, w.folders
	} else if old != nil {
		files, folders := old.count()
		o.files, o.folders = o.files-files, o.folders-folders
	}
	o.d.compare(old, now)
	parent.Folders = slices.DeleteFunc(parent.Folders, func(n *Node[F]) bool { return n.Path == p })
	if now != nil {
		parent.Folders = append(parent.Folders, now)
		slices.SortStableFunc(parent.Folders, byPath)
	}
	return true
}
