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
	// bookBytes is the length of the longest file. The projects that were seen last are
	// kept.
	bookBytes = 8 << 20
)

// Book is what is remembered of all repositories. Its methods may be called from
// everywhere.
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

// parse reads the file. What it does not understand it passes over.
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

// text returns the file, with the projects that were seen last first.
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

// All returns everything that is remembered, what was seen last first.
func (b *Book) All() (list []Project) {
	_ = b.file.Look() // without it nothing is remembered
	b.file.Lock()
	defer b.file.Unlock()
	for i := range b.held {
		list = append(list, b.held[i].clone())
	}
	return list
}

// Of returns what is remembered of a repository, wherever that was before.
func (b *Book) Of(r *worktree.Repository) Project {
	if r.CommonDir == "" {
		return Project{}
	}
	_ = b.file.Look() // as in All
	b.file.Lock()
	defer b.file.Unlock()
	list := slices.Clone(b.held)
	return list[settle(&list, r.CommonDir, born(r.CommonDir), nil)].clone()
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

// Seen is what was seen of a repository: its work trees, and Also other folders that are,
// or are known to have been, work trees of it.
type Seen struct {
	worktree.Repository
	Also []Folder

	roots []string
	asked int64
}

// Roots asks git for the first commits of the repository with a common directory.
type Roots func(ctx context.Context, common string) []string

// Note writes down what was seen at a time in Unix milliseconds, if that is news. Roots is
// asked once for each repository, and may be nil where no git is to run.
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

// merge takes in what was seen, and reports whether that is worth writing down.
func merge(list *[]Project, seen []Seen, now int64) (changed bool) {
	for i := range seen {
		s, before := &seen[i], len(*list)
		at := settle(list, s.CommonDir, born(s.CommonDir), s.roots)
		p := &(*list)[at]
		changed = changed || len(*list) != before || s.asked != 0
		p.Asked = max(p.Asked, s.asked)
		changed = p.note(&s.Repository, s.Also, now) || changed
	}
	return changed
}
