package atsf

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/lsp/worktree"
)

const (
	// forgetAfter is how long a thread stays listed that went with its folder.
	forgetAfter = 180 * 24 * time.Hour
	// maxGone is the number of folders of one repository that stay listed after they are
	// gone.
	maxGone = 200
	// undoTime is how long a thread that went may turn out to have gone with its worktree.
	// After that its user has deleted it.
	undoTime = time.Minute
)

// memory is what was listed in a folder, so that the threads of a removed worktree stay
// listed (rule X3). It is what one file of the cache holds.
type memory struct {
	Folder
	file  string
	items map[string]*kept
	dirty bool // the file does not hold it yet
}

// kept is a thread that is listed, or was.
type kept struct {
	item *Item
	// gone is since when its folder is gone, or the .agent there, in Unix milliseconds.
	gone int64
	// seen is set once this process listed it, and lost is when it was missed then: a
	// worktree is removed file by file.
	seen bool
	lost time.Time
	// shown is the record of a thread that is gone.
	shown *record
}

// keep takes in what is listed in the folder now.
func (m *memory) keep(f *folderState, now time.Time) {
	if f.Err != nil {
		return
	}
	if f.Gone || !f.Agent {
		f.Branch, f.Head = cmp.Or(f.Branch, m.Branch), cmp.Or(f.Head, m.Head)
		m.went(now)
		return
	}
	if m.Branch != f.Branch || m.Head != f.Head {
		m.dirty = true
	}
	m.Folder = Folder{ID: f.ID, Path: f.Path, Repository: f.Repository, Branch: f.Branch, Head: f.Head, Main: f.Main, Git: f.Git}
	for name, r := range f.records {
		if _, readable := errors.AsType[*canon.Fault](r.item.Fault); r.item.Fault != nil && !readable {
			continue // it may be on its way out
		}
		if k := m.items[name]; k == nil || k.item != r.item {
			m.items[name], m.dirty = &kept{item: r.item, seen: true}, true
		} else {
			k.lost = time.Time{}
		}
	}
	for name, k := range m.items {
		switch {
		case k.gone != 0 || f.records[name] != nil && f.records[name].item == k.item:
		case !k.seen || !k.lost.IsZero() && now.Sub(k.lost) > undoTime:
			delete(m.items, name)
			m.dirty = true
		case k.lost.IsZero():
			k.lost = now
		}
	}
}

// went marks everything as gone, and forgets what is so for long.
func (m *memory) went(now time.Time) {
	for name, k := range m.items {
		if k.gone == 0 {
			k.gone, m.dirty = now.UnixMilli(), true
		}
		if now.Sub(time.UnixMilli(k.gone)) > forgetAfter {
			delete(m.items, name)
			m.dirty = true
		}
	}
}

// since is when the last thread of the folder went.
func (m *memory) since() (at int64) {
	for _, k := range m.items {
		at = max(at, k.gone)
	}
	return at
}

// remember brings the memories up to what was listed, and adds what is gone (rule X3): the
// threads of folders that are no more, and those whose .agent is none.
func (s *state) remember(ctx context.Context, found []worktree.Repository, order []*folderState) []*folderState {
	if s.cfg.StateDir == "" {
		return order
	}
	was := s.recall(ctx, found, order)
	now, there := time.Now(), make(map[string]bool)
	for _, f := range order {
		there[f.ID] = true
		s.memory(f).keep(f, now)
	}
	for _, m := range s.vanished(there, now) {
		f := &folderState{Folder: m.Folder}
		f.Gone, f.Repository = true, cmp.Or(was[m.Repository], m.Repository)
		order = append(order, f)
	}
	for _, f := range order {
		s.addGone(f, order)
	}
	for _, m := range s.memories {
		if !there[m.ID] {
			s.warn(m.write()) // nobody may see it again
		}
	}
	return slices.DeleteFunc(order, func(f *folderState) bool { return f.Threads == 0 && !there[f.ID] })
}

// memory returns the memory of a folder.
func (s *state) memory(f *folderState) *memory {
	m := s.memories[f.ID]
	if m == nil {
		m = &memory{file: cachePath(s.cfg.StateDir, &f.Folder), items: make(map[string]*kept)}
		s.memories[f.ID] = m
	}
	return m
}

// vanished returns the memories of folders that are not there, by path: for each repository
// of those that went last.
func (s *state) vanished(there map[string]bool, now time.Time) (list []*memory) {
	for id, m := range s.memories {
		if !there[id] {
			m.went(now)
			list = append(list, m)
		}
	}
	byPath := func(a, b *memory) int { return strings.Compare(a.Path, b.Path) }
	slices.SortFunc(list, func(a, b *memory) int { return cmp.Or(cmp.Compare(b.since(), a.since()), byPath(a, b)) })
	n := make(map[string]int)
	list = slices.DeleteFunc(list, func(m *memory) bool {
		n[filepath.Dir(m.file)]++
		return n[filepath.Dir(m.file)] > maxGone
	})
	slices.SortFunc(list, byPath)
	return list
}

// addGone adds the threads of a folder that are gone. One that stands elsewhere in the
// repository by now went there with its worktree, and is not gone.
func (s *state) addGone(f *folderState, all []*folderState) {
	for name, k := range s.memories[f.ID].items {
		moved := func(other *folderState) bool {
			r := other.records[name]
			return other != f && other.Repository == f.Repository && r != nil && !r.item.Gone &&
				r.item.Thread.ID == k.item.Thread.ID && r.item.Thread.Created == k.item.Thread.Created
		}
		if k.gone == 0 || f.records[name] != nil || slices.ContainsFunc(all, moved) {
			continue
		}
		if k.shown == nil {
			item := *k.item
			item.Gone = true
			k.shown = &record{item: &item}
		}
		if f.records == nil {
			f.records = make(map[string]*record)
		}
		f.records[name] = k.shown
	}
	f.Threads = len(f.records)
}

// recall reads what the cache has of the project's repositories and is not known yet. It
// returns the common directories that repositories have now, by those that they had.
func (s *state) recall(ctx context.Context, found []worktree.Repository, order []*folderState) (was map[string]string) {
	was = make(map[string]string)
	keys, listed := make(map[string]bool), make(map[string]bool)
	for _, f := range order {
		keys[cacheKey(&f.Folder)], listed[f.ID] = true, f.Agent
	}
	for i := range found {
		keys[FolderID(found[i].CommonDir)] = true // a bare one may have no folder left
		for _, name := range s.book.Of(&found[i]).Was {
			was[name], keys[FolderID(name)] = found[i].CommonDir, true
		}
	}
	known := s.memories
	s.memories = make(map[string]*memory)
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		for _, m := range known {
			if filepath.Base(filepath.Dir(m.file)) == key {
				s.memories[m.ID] = m
			}
		}
		dir := filepath.Join(s.cfg.StateDir, cacheDir, key)
		entries, _ := os.ReadDir(dir) // without it nothing is remembered
		for _, e := range entries {
			id, ok := strings.CutSuffix(e.Name(), ".json")
			if !ok || s.memories[id] != nil || ctx.Err() != nil {
				continue
			}
			m, err := readCache(filepath.Join(dir, e.Name()), !listed[id])
			if err != nil || m.ID != id {
				m = &memory{Folder: Folder{ID: id}, file: filepath.Join(dir, e.Name()), items: make(map[string]*kept)}
			}
			s.memories[id] = m
		}
	}
	return was
}

// save brings the cache to what is known.
func (s *state) save() {
	if s.cfg.StateDir == "" {
		return
	}
	keep := make(map[string]bool)
	for _, m := range s.memories {
		keep[filepath.Base(filepath.Dir(m.file))] = true
		s.warn(m.write())
	}
	if !s.pruned {
		s.pruned = true
		if err := prune(s.cfg.StateDir, keep, time.Now()); err != nil && !errors.Is(err, fs.ErrNotExist) {
			s.warn(err)
		}
	}
}

// warn writes down, once, that the cache is not what it should be.
func (s *state) warn(err error) {
	if err != nil && !s.warned {
		s.warned = true
		s.cfg.Logger.Warn("the cache of threads cannot be kept", "error", err)
	}
}
