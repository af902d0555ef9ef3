package ssot

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// some is a look at a few paths. What differs is taken in at the end, so that a
// task is made anew once and not for each of its files.
type some struct {
	*state
	ctx  context.Context
	root folder
	d    delta
	// status tells that the directory may have the layout by now, or no more.
	status bool
}

// refreshSome looks at single files and folders, by their paths.
func (s *state) refreshSome(ctx context.Context, paths []string) (changed, error) {
	if s.root == nil || s.root.fault != nil {
		return s.refresh(ctx)
	}
	f, err := s.openRoot(s.cfg.Path)
	if err != nil {
		return s.refresh(ctx)
	}
	defer f.close()
	o := &some{state: s, ctx: ctx, root: f}
	known, log := true, false
	for _, p := range paths {
		if p == errorLog {
			log = true
		} else if known = known && o.look(p); !known {
			break
		}
	}
	c := s.take(&o.d)
	if !known {
		all, err := s.refresh(ctx)
		c.merge(all)
		return c, err
	}
	if o.status {
		s.setStatus(&c, nil)
	}
	if log {
		c.merge(s.takeLog(f))
	}
	return c, ctx.Err()
}

// takeLog takes in what is new in the error log.
func (s *state) takeLog(f folder) (c changed) {
	if differs, anew := s.log.refresh(f); differs {
		c.problems = true
		c.add(s.index.relog(&s.log, anew))
	}
	return c
}

// look looks at one path. It gives false where only a look at everything helps:
// in folders that are not known yet, and at the bounds.
func (o *some) look(p string) bool {
	if o.files >= o.max.files || o.folders >= o.max.folders || len(o.bounds) > 0 {
		return false
	}
	parent, f := o.state.root, o.root
	for at := ""; ; {
		name, _, deeper := strings.Cut(strings.TrimPrefix(p[len(at):], "/"), "/")
		if !deeper {
			break
		}
		at = join(at, name)
		if parent = parent.sub(at); parent == nil || parent.fault != nil {
			return false
		}
		sub, err := f.open(name)
		if err != nil {
			return false
		}
		defer sub.close()
		f = sub
	}
	i, err := f.stat(path.Base(p))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false
	}
	sort := sortNone
	if err == nil {
		sort = sortOf(p, i.kind)
	}
	o.status = o.status || p == inMessages
	o.file(f, parent, p, sort == sortFile)
	return o.folder(f, parent, p, sort == sortFolder)
}

// file looks at a file of a folder, or notes that there is none.
func (o *some) file(f folder, parent *node, p string, there bool) {
	at, had := parent.find(p)
	var old, now *record
	if had {
		old = parent.files[at]
	}
	if there {
		now = (&looker{texts: o.max.texts}).look(f, p, old, false)
	}
	switch {
	case now == old:
		return
	case now == nil:
		parent.files = slices.Delete(parent.files, at, at+1)
		o.files--
	case had:
		parent.files[at] = now
	default:
		parent.files = slices.Insert(parent.files, at, now)
		o.files++
	}
	if old != nil {
		o.d.removed = append(o.d.removed, old)
	}
	if now != nil {
		o.d.added = append(o.d.added, now)
	}
}

// folder looks at a folder in a folder, or notes that there is none.
func (o *some) folder(f folder, parent *node, p string, there bool) bool {
	old := parent.sub(p)
	var now *node
	if there {
		sub, err := f.open(path.Base(p))
		if err != nil {
			return false
		}
		files, folders := old.count()
		w := &walk{max: o.max, files: o.files - files, folders: o.folders - folders}
		if now, err = walkFolder(o.ctx, sub, p, old, w); err != nil || len(w.bounds) > 0 {
			return false
		}
		o.files, o.folders = w.files, w.folders
	}
	o.d.compare(old, now)
	parent.folders = slices.DeleteFunc(parent.folders, func(n *node) bool { return n.path == p })
	if now != nil {
		parent.folders = append(parent.folders, now)
		slices.SortFunc(parent.folders, func(a, b *node) int { return cmp.Compare(a.path, b.path) })
	}
	o.d.watch = o.d.watch || (old == nil) != (now == nil)
	return true
}
