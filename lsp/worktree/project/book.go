package project

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"path/filepath"
	"slices"

	"github.com/signalbox-dev/signalbox/lsp/disk/statefile"
	"github.com/signalbox-dev/signalbox/lsp/worktree"
)

const (
	bookName = "projects.cache"
	// bookHead is the first line of the file; each other line is a project.
	bookHead = `{"projects":1}`
	// bookBytes is the largest length of the file. The projects seen last are kept.
	bookBytes = 8 << 20
)

// Book remembers all repositories. Its methods may be called from several goroutines.
type Book struct {
	file *statefile.File
	// held is guarded by the file's lock.
	held []Project
}

// At returns the book in a state folder. Nothing is read yet.
func At(stateDir string) *Book {
	b := &Book{}
	b.file = statefile.At(statefile.Config{
		Path: filepath.Join(stateDir, bookName), What: "project:", Limit: bookBytes, Cache: true,
		Take: func(data []byte) error {
			b.held = parse(data)
			return nil
		},
	})
	return b
}

// parse parses the file. It skips what it does not understand.
func parse(data []byte) (list []Project) {
	head, rest, _ := bytes.Cut(data, []byte("\n"))
	if string(head) != bookHead {
		return nil
	}
	for line := range bytes.Lines(rest) {
		var p Project
		if json.Unmarshal(line, &p) == nil && p.valid() && len(list) < maxProjects {
			list = append(list, p)
		}
	}
	return list
}

// text returns the file's content, projects seen last first.
func text(list []Project) []byte {
	slices.SortStableFunc(list, func(a, b Project) int { return cmp.Compare(b.Seen, a.Seen) })
	data := []byte(bookHead + "\n")
	for i := range list[:min(len(list), maxProjects)] {
		line, err := json.Marshal(&list[i])
		if err != nil || len(data)+len(line) >= bookBytes {
			break
		}
		data = append(append(data, line...), '\n')
	}
	return data
}

// All returns all remembered projects, those seen last first.
func (b *Book) All() (list []Project) {
	_ = b.file.Look() // if the file cannot be read, nothing is remembered
	b.file.Lock()
	defer b.file.Unlock()
	for i := range b.held {
		list = append(list, b.held[i].clone())
	}
	return list
}

// Of returns what is remembered of a repository, even if it was elsewhere.
func (b *Book) Of(r *worktree.Repository) Project {
	if r.CommonDir == "" {
		return Project{}
	}
	_ = b.file.Look() // see All
	b.file.Lock()
	defer b.file.Unlock()
	list := slices.Clone(b.held)
	return list[findOrAdd(&list, r.CommonDir, born(r.CommonDir), nil)].clone()
}

// Holding returns the project that a folder was a work tree of.
func (b *Book) Holding(path string) (p Project, ok bool) {
	for _, p := range b.All() {
		if slices.ContainsFunc(p.Folders, func(f Folder) bool { return f.Path == path }) {
			return p, true
		}
	}
	return p, false
}

// Seen is what was seen of a repository: its work trees, and in Also other folders that are or
// were work trees of it.
type Seen struct {
	worktree.Repository
	Also []Folder

	roots []string
	asked int64
}

// Roots asks git for the first commits of the repository with a common directory.
type Roots func(ctx context.Context, common string) []string

// Note records what was seen at a time in Unix milliseconds, if it is new. roots is called
// once for each repository. It is nil if git must not run.
func (b *Book) Note(ctx context.Context, now int64, seen []Seen, roots Roots) error {
	seen = slices.DeleteFunc(slices.Clone(seen), func(s Seen) bool { return s.CommonDir == "" })
	list := b.All()
	if roots != nil {
		for i := range seen {
			at := slices.IndexFunc(list, func(p Project) bool { return p.Common == seen[i].CommonDir })
			if at < 0 || len(list[at].Roots) == 0 && now-list[at].Asked > unchanged {
				seen[i].asked, seen[i].roots = now, roots(ctx, seen[i].CommonDir)
			}
		}
	}
	if !merge(&list, seen, now) {
		return nil
	}
	return b.file.Change(ctx, func(replace func([]byte) error) error {
		held := slices.Clone(b.held)
		merge(&held, seen, now)
		return replace(text(held))
	})
}

// merge adds what was seen, and reports whether that is worth writing to the file.
func merge(list *[]Project, seen []Seen, now int64) (changed bool) {
	for i := range seen {
		s, before := &seen[i], len(*list)
		at := findOrAdd(list, s.CommonDir, born(s.CommonDir), s.roots)
		p := &(*list)[at]
		changed = changed || len(*list) != before || s.asked != 0
		p.Asked = max(p.Asked, s.asked)
		changed = p.update(&s.Repository, s.Also, now) || changed
	}
	return changed
}
