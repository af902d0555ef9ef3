package threads

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/lsp/disk/tree"
	"github.com/signalbox-dev/signalbox/lsp/worktree"
)

// memory is what the cache holds of one folder that is gone.
type memory struct {
	Folder
	stamp tree.Stamp // of the cache's file
	since int64      // when it went, in Unix milliseconds; 0 for a folder that is there
	items map[string]*record
}

// recall adds what the cache knows: folders of the project's repositories that
// are gone, with their threads, and the threads of folders whose .agent is gone
// (rule X3). It runs after the folders that are there were looked at.
func (s *state) recall(ctx context.Context, found []worktree.Repository, folders map[string]*folderState, order []*folderState) []*folderState {
	if s.cfg.StateDir == "" {
		return order
	}
	keys := make(map[string]bool)
	for _, f := range order {
		keys[cacheKey(&f.Folder)] = true
	}
	for _, f := range order {
		if old := s.folders[f.ID]; f.Agent && (old == nil || !old.Agent) {
			s.warn(s.setAside(f))
		}
	}
	// What the cache has of a repository under its earlier names.
	now := make(map[string]string)
	for i := range found {
		keys[FolderID(found[i].CommonDir)] = true // a bare one may have no folder left
		for _, was := range s.book.Of(&found[i]).Was {
			now[was], keys[FolderID(was)] = found[i].CommonDir, true
		}
	}
	memories := make(map[string]*memory)
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		s.recallKey(ctx, key, folders, memories)
	}
	for _, m := range memories {
		if to, ok := now[m.Repository]; ok {
			m.key, m.Repository = cacheKey(&m.Folder), to
		}
	}
	s.memories = memories
	here := make(map[string]*Item)
	for _, f := range order {
		for name, r := range f.records {
			here[f.Repository+"\x00"+name] = r.item
		}
	}
	// A thread that stands elsewhere in the repository by now went there with
	// its worktree, and is not gone.
	moved := func(repository string, r *record) bool {
		now := here[repository+"\x00"+r.item.Name]
		return now != nil && now.Folder != r.item.Folder && now.Thread.ID == r.item.Thread.ID && now.Thread.Created == r.item.Thread.Created
	}
	for _, key := range listed(memories, folders) {
		m := memories[key]
		f := folders[m.ID]
		fresh := f == nil
		if fresh {
			f = &folderState{Folder: m.Folder}
		} else if f.Branch == "" && f.Gone {
			f.Branch, f.Head = m.Branch, m.Head
		}
		for name, r := range m.items {
			if f.records[name] == nil && !moved(m.Repository, r) {
				if f.records == nil {
					f.records = make(map[string]*record)
				}
				f.records[name] = r
			}
		}
		f.Threads = len(f.records)
		if fresh && f.Threads > 0 {
			folders[m.ID] = f
			order = append(order, f)
		}
	}
	return order
}

// listed returns the memories that are shown, by path: for each repository the folders
// that went last, and all folders that are there.
func listed(memories map[string]*memory, folders map[string]*folderState) []string {
	ids := slices.SortedFunc(maps.Keys(memories), func(a, b string) int {
		return cmp.Or(cmp.Compare(memories[b].since, memories[a].since), strings.Compare(memories[a].Path, memories[b].Path))
	})
	gone := make(map[string]int)
	ids = slices.DeleteFunc(ids, func(id string) bool {
		if folders[memories[id].ID] != nil {
			return false
		}
		key := cacheKey(&memories[id].Folder)
		gone[key]++
		return gone[key] > maxGone
	})
	slices.SortFunc(ids, func(a, b string) int {
		return cmp.Or(strings.Compare(memories[a].Path, memories[b].Path), strings.Compare(a, b))
	})
	return ids
}

// recallKey loads what the cache has of one repository.
func (s *state) recallKey(ctx context.Context, key string, folders map[string]*folderState, memories map[string]*memory) {
	dir := filepath.Join(s.cfg.StateDir, cacheDir, key)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), ".json")
		if !ok || ctx.Err() != nil {
			continue
		}
		id, _, earlier := strings.Cut(name, earlierMark)
		f := folders[id]
		if earlier {
			f = nil // what stood there before is gone, whatever stands there now
		}
		if f != nil && f.Agent {
			continue // what is there was listed
		}
		info, err := e.Info()
		if err != nil {
			continue
		}
		m := s.memories[name]
		if m == nil || f == nil && m.since == 0 || m.stamp != tree.StampOf(info) {
			m = s.load(filepath.Join(dir, e.Name()), id, f == nil)
		}
		if m == nil {
			continue
		}
		m.stamp = tree.StampOf(info)
		memories[name] = m
	}
}

// load reads what the cache has of one folder, which may be missing.
func (s *state) load(path, id string, missing bool) *memory {
	folder, items, gone, err := readCache(path, id)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			s.cfg.Logger.Warn("the cache of a folder cannot be read", "path", path, "error", err)
		}
		return nil
	}
	m := &memory{Folder: folder, since: gone, items: make(map[string]*record)}
	if missing && gone == 0 {
		gone = time.Now().UnixMilli()
		m.since = gone
		if data, err := encodeCache(&folder, items, gone); err == nil {
			s.warn(writeCache(path, data))
		}
	}
	if gone != 0 && missing && time.Since(time.UnixMilli(gone)) > forgetAfter {
		s.warn(os.Remove(path))
		return nil
	}
	for _, item := range items {
		m.items[item.Name] = &record{item: item}
	}
	return m
}

// undoTime is how long a thread that went may turn out to have gone with its
// worktree. After that its user has deleted it.
const undoTime = time.Minute

// lostRecord is a thread as it was before it went.
type lostRecord struct {
	*record
	since time.Time
}

// lose remembers what was there before and is not now.
func (f *folderState) lose(before, now map[string]*record) {
	for name, old := range before {
		if old.item.Gone || old.item.Fault != nil {
			continue
		}
		var bad *canon.Fault
		if r := now[name]; r != nil && (r.item.Fault == nil || errors.As(r.item.Fault, &bad)) {
			delete(f.lost, name)
			continue
		}
		if f.lost == nil {
			f.lost = make(map[string]lostRecord)
		}
		f.lost[name] = lostRecord{old, time.Now()}
	}
	for name, r := range now {
		if r.item.Fault == nil {
			delete(f.lost, name)
		}
	}
}

// lasting returns the items that the cache is to know, by name.
func (f *folderState) lasting() []*Item {
	var items []*Item
	for name, r := range f.records {
		if _, lost := f.lost[name]; !lost && !r.item.Gone {
			items = append(items, r.item)
		}
	}
	for _, r := range f.lost {
		items = append(items, r.item)
	}
	slices.SortFunc(items, func(a, b *Item) int { return strings.Compare(a.Name, b.Name) })
	return items
}

// save brings the cache to what was seen last.
func (s *state) save() {
	for _, f := range s.order {
		s.saveFolder(f)
	}
	if s.cfg.StateDir == "" || s.pruned {
		return
	}
	s.pruned = true
	keep := make(map[string]bool)
	for _, f := range s.order {
		keep[cacheKey(&f.Folder)] = true
	}
	if err := prune(s.cfg.StateDir, keep, time.Now()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		s.warn(err)
	}
}

// saveFolder brings the cache to what was seen last of one folder. What is gone
// is not saved again.
func (s *state) saveFolder(f *folderState) {
	if s.cfg.StateDir == "" || !f.dirty || f.Gone || !f.Agent || f.Err != nil {
		return
	}
	maps.DeleteFunc(f.lost, func(_ string, r lostRecord) bool { return time.Since(r.since) > undoTime })
	// What was lost is to be taken out of the cache later.
	f.dirty = len(f.lost) > 0
	path := cachePath(s.cfg.StateDir, &f.Folder) + ".json"
	s.warn(s.setAside(f))
	items := f.lasting()
	if len(items) == 0 {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			s.warn(err)
		}
		return
	}
	data, err := encodeCache(&f.Folder, items, 0)
	if err == nil {
		err = writeCache(path, data)
	}
	s.warn(err)
}

// goneMember begins the member of a cache file that is there only if its folder
// is gone. No text in the file holds it, since its quotes would be escaped.
const goneMember = `"gone":`

// earlierMark stands in the name of a cache file before the time at which an
// earlier worktree of the same path went.
const earlierMark = "-"

// setAside keeps what the cache has of a worktree that went, and in whose place
// there is another one now, unless its threads came back with that.
func (s *state) setAside(f *folderState) error {
	path := cachePath(s.cfg.StateDir, &f.Folder)
	data, err := readCacheFile(path + ".json")
	if err != nil || !bytes.Contains(data, []byte(goneMember)) {
		return nil //nolint:nilerr // there is none, or none that can be read
	}
	_, items, gone, err := decodeCache(data)
	if err != nil || gone == 0 {
		return nil //nolint:nilerr // as above
	}
	if !slices.ContainsFunc(items, func(item *Item) bool { r := f.records[item.Name]; return r == nil || r.item.Gone }) {
		return nil
	}
	return os.Rename(path+".json", path+earlierMark+strconv.FormatInt(gone, 10)+".json")
}

// saveLost saves what is no longer there as it was seen last, which may be newer
// than the cache.
func (s *state) saveLost(folders map[string]*folderState) {
	for id, old := range s.folders {
		if f := folders[id]; f == nil || f.Gone || !f.Agent {
			s.saveFolder(old)
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
