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
	// forgetAfter is how long a thread stays listed after its folder is gone.
	forgetAfter = 180 * 24 * time.Hour
	// maxGone is the largest number of gone folders per repository that stay listed.
	maxGone = 200
	// undoTime is how long after a thread disappears its whole worktree may turn out to be gone.
	// After that, the user has deleted the thread.
	undoTime = time.Minute
)

// memory is what was listed in a folder, so that the threads of a removed worktree stay listed
// (rule X3). One file of the cache holds it.
type memory struct {
	Folder
	file  string
	items map[string]*remembered
	dirty bool // the file is out of date
}

// remembered is a thread that is or was listed.
type remembered struct {
	item *Item
	// goneSince is when its folder or its .agent was found missing, in Unix milliseconds.
	goneSince int64
	// seen is set once this process has listed it. missingSince is when it was missed after that:
	// a worktree is removed file by file.
	seen         bool
	missingSince time.Time
	// goneRecord is the record that is shown after the thread is gone.
	goneRecord *record
}

// update records what is listed in the folder now.
func (m *memory) update(f *folderState, now time.Time) {
	if f.Err != nil {
		return
	}
	if f.Gone || !f.Agent {
		f.Branch, f.Head = cmp.Or(f.Branch, m.Branch), cmp.Or(f.Head, m.Head)
		m.markGone(now)
		return
	}
	if m.Branch != f.Branch || m.Head != f.Head {
		m.dirty = true
	}
	m.Folder = Folder{ID: f.ID, Path: f.Path, Repository: f.Repository, Branch: f.Branch, Head: f.Head, Main: f.Main, Git: f.Git}
	for name, r := range f.records {
		if _, readable := errors.AsType[*canon.Fault](r.item.Fault); r.item.Fault != nil && !readable {
			continue // it may be in the middle of being removed
		}
		if k := m.items[name]; k == nil || k.item != r.item {
			m.items[name], m.dirty = &remembered{item: r.item, seen: true}, true
		} else {
			k.missingSince = time.Time{}
		}
	}
	for name, k := range m.items {
		switch {
		case k.goneSince != 0 || f.records[name] != nil && f.records[name].item == k.item:
		case !k.seen || !k.missingSince.IsZero() && now.Sub(k.missingSince) > undoTime:
			delete(m.items, name)
			m.dirty = true
		case k.missingSince.IsZero():
			k.missingSince = now
		}
	}
}

// markGone marks all threads as gone, and forgets those that have been gone for long.
func (m *memory) markGone(now time.Time) {
	for name, k := range m.items {
		if k.goneSince == 0 {
			k.goneSince, m.dirty = now.UnixMilli(), true
		}
		if now.Sub(time.UnixMilli(k.goneSince)) > forgetAfter {
			delete(m.items, name)
			m.dirty = true
		}
	}
}

// lastGone returns when the last thread of the folder was found missing.
func (m *memory) lastGone() (at int64) {
	for _, k := range m.items {
		at = max(at, k.goneSince)
	}
	return at
}

// remember updates the memories from the listed folders, and adds threads that are gone (rule
// X3): those of removed folders, and those whose .agent was removed.
func (s *state) remember(ctx context.Context, found []worktree.Repository, order []*folderState) []*folderState {
	if s.cfg.StateDir == "" {
		return order
	}
	was := s.recall(ctx, found, order)
	now, there := time.Now(), make(map[string]bool)
	for _, f := range order {
		there[f.ID] = true
		s.memory(f).update(f, now)
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
			s.warn(m.write()) // the folder may never be listed again
		}
	}
	return slices.DeleteFunc(order, func(f *folderState) bool { return f.Threads == 0 && !there[f.ID] })
}

// memory returns the memory of a folder.
func (s *state) memory(f *folderState) *memory {
	m := s.memories[f.ID]
	if m == nil {
		m = &memory{file: cachePath(s.cfg.StateDir, &f.Folder), items: make(map[string]*remembered)}
		s.memories[f.ID] = m
	}
	return m
}

// vanished returns the memories of folders that no longer exist, by path: for each repository
// the maxGone that vanished last.
func (s *state) vanished(there map[string]bool, now time.Time) (list []*memory) {
	for id, m := range s.memories {
		if !there[id] {
			m.markGone(now)
			list = append(list, m)
		}
	}
	byPath := func(a, b *memory) int { return strings.Compare(a.Path, b.Path) }
	slices.SortFunc(list, func(a, b *memory) int { return cmp.Or(cmp.Compare(b.lastGone(), a.lastGone()), byPath(a, b)) })
	n := make(map[string]int)
	list = slices.DeleteFunc(list, func(m *memory) bool {
		n[filepath.Dir(m.file)]++
		return n[filepath.Dir(m.file)] > maxGone
	})
	slices.SortFunc(list, byPath)
	return list
}

// addGone adds the threads of a folder that are gone. A thread that is now elsewhere in the
// repository moved with its worktree and is not gone.
func (s *state) addGone(f *folderState, all []*folderState) {
	for name, k := range s.memories[f.ID].items {
		moved := func(other *folderState) bool {
			r := other.records[name]
			return other != f && other.Repository == f.Repository && r != nil && !r.item.Gone &&
				r.item.Thread.ID == k.item.Thread.ID && r.item.Thread.Created == k.item.Thread.Created
		}
		if k.goneSince == 0 || f.records[name] != nil || slices.ContainsFunc(all, moved) {
			continue
		}
		if k.goneRecord == nil {
			item := *k.item
			item.Gone = true
			k.goneRecord = &record{item: &item}
		}
		if f.records == nil {
			f.records = make(map[string]*record)
		}
		f.records[name] = k.goneRecord
	}
	f.Threads = len(f.records)
}

// recall reads the cached memories of the project's repositories that are not known yet. It
// returns the current common directories of repositories by their former ones.
func (s *state) recall(ctx context.Context, found []worktree.Repository, order []*folderState) (was map[string]string) {
	was = make(map[string]string)
	keys, listed := make(map[string]bool), make(map[string]bool)
	for _, f := range order {
		keys[cacheKey(&f.Folder)], listed[f.ID] = true, f.Agent
	}
	for i := range found {
		keys[FolderID(found[i].CommonDir)] = true // a bare repository may have no folder left
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
		entries, _ := os.ReadDir(dir) // if the directory cannot be read, nothing is remembered
		for _, e := range entries {
			id, ok := strings.CutSuffix(e.Name(), ".json")
			if !ok || s.memories[id] != nil || ctx.Err() != nil {
				continue
			}
			m, err := readCache(filepath.Join(dir, e.Name()), !listed[id])
			if err != nil || m.ID != id {
				m = &memory{Folder: Folder{ID: id}, file: filepath.Join(dir, e.Name()), items: make(map[string]*remembered)}
			}
			s.memories[id] = m
		}
	}
	return was
}

// save writes the memories to the cache.
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

// warn logs once that the cache cannot be written.
func (s *state) warn(err error) {
	if err != nil && !s.warned {
		s.warned = true
		s.cfg.Logger.Warn("the cache of threads cannot be kept", "error", err)
	}
}
