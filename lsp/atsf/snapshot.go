package atsf

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
)

// Folder returns a folder by its ID.
func (s *Snapshot) Folder(id string) (Folder, bool) {
	for i := range s.Folders {
		if s.Folders[i].ID == id {
			return s.Folders[i], true
		}
	}
	return Folder{}, false
}

// Item returns a thread by its address, or nil.
func (s *Snapshot) Item(k Key) *Item {
	for _, item := range s.Items {
		if item.Name == k.Name && item.Folder == k.Folder {
			return item
		}
	}
	return nil
}

// ByID returns the threads whose directory name or threadId is id, newest first. There can be
// several: a thread of a removed worktree may still be listed after it was moved to another one.
func (s *Snapshot) ByID(id string) []*Item {
	var list []*Item
	if id == "" {
		return nil
	}
	for _, item := range s.Items {
		if item.Name == id || item.Thread.ID == id {
			list = append(list, item)
		}
	}
	return list
}

// Open opens the folder of a thread. The caller closes it. The error is [ErrNotFound] if the
// folder is gone.
func (s *Snapshot) Open(k Key) (*Dir, error) { return s.open(s.Item(k), k.Folder) }

func (s *Snapshot) open(item *Item, folder string) (*Dir, error) {
	f, ok := s.Folder(folder)
	switch {
	case !ok:
		return nil, fmt.Errorf("threads: folder %.40q: %w", folder, ErrNotFound)
	case f.Gone || item != nil && item.Gone:
		return nil, fmt.Errorf("threads: the messages went with %q: %w", f.Path, ErrNotFound)
	}
	return Open(f.Path)
}

// Page reads a part of a thread, as [Dir.Page] does.
func (s *Snapshot) Page(ctx context.Context, k Key, q Query) (Page, error) {
	d, err := s.Open(k)
	if err != nil {
		return Page{Item: s.Item(k)}, err
	}
	defer d.Close()
	return d.Page(ctx, k.Name, q)
}

// Entry returns the line that q.Around or q.At selects: the newest if several lines have that
// id. The errors are those of [Dir.Page].
func (s *Snapshot) Entry(ctx context.Context, k Key, q Query) (Entry, error) {
	if q.Around+q.At == "" {
		return Entry{}, fmt.Errorf("threads: an empty one is %w", ErrCursor)
	}
	q.Limit = 1
	page, err := s.Page(ctx, k, q)
	if err != nil {
		return Entry{}, err
	}
	return page.Entries[0], nil
}

// Asset reads an image of a thread, as [Dir.Asset] does.
func (s *Snapshot) Asset(k Key, ref string) (Asset, error) {
	d, err := s.Open(k)
	if err != nil {
		return Asset{}, err
	}
	defer d.Close()
	return d.Asset(k.Name, ref)
}

// sortFolders orders folders as a list shows them: by repository in the order found, and
// within it the main checkout, then the others by branch, then removed ones.
func sortFolders(list []Folder) {
	place := make(map[string]int)
	for i := range list {
		if r := list[i].repository(); place[r] == 0 {
			place[r] = len(place) + 1
		}
	}
	slices.SortStableFunc(list, func(a, b Folder) int {
		return cmp.Or(cmp.Compare(place[a.repository()], place[b.repository()]), later(a.Gone, b.Gone), later(b.Main, a.Main), strings.Compare(a.Branch, b.Branch))
	})
}

// repository returns what identifies the folder's repository: the folder itself if it has
// none.
func (f *Folder) repository() string { return cmp.Or(f.Repository, f.Path) }

// later orders false before true.
func later(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}
