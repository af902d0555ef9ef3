package session

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	atsfstore "github.com/signalbox-dev/signalbox/lsp/atsf"
	"github.com/signalbox-dev/signalbox/lsp/worktree"
	"github.com/signalbox-dev/signalbox/lsp/worktree/project"
)

const (
	// maxPath is the length in bytes of the longest folder path that is searched for.
	maxPath = 4096
	// maxLocated is how many unknown folders are looked up on the disk.
	maxLocated = 10_000
)

// scope holds the checkouts whose sessions count: those of the opened folders' repositories,
// or of all repositories.
type scope struct {
	// folders and locations were known at the start. remembered are the folders of all
	// repositories. They are never changed.
	folders    []atsfstore.Folder
	locations  []location
	remembered map[string]bool
	// former has the earlier checkouts at a place, by the present one's ID. foreign are the places
	// that now belong to another repository.
	former  map[string][]former
	foreign map[string]bool
	all     bool

	mu sync.Mutex // guards the fields below, which are found while sessions are read
	// repos are by common directory. counted are those in the scope.
	repos   map[string]worktree.Repository
	counted map[string]bool
	// found are further checkouts, by ID, and foundAt their locations.
	found   map[string]atsfstore.Folder
	foundAt []location
	// seen are the work trees that contain sessions, by top.
	seen map[string]project.Seen
	// noted is how many of seen are in the book, and located how many folders were looked up.
	noted, located int
}

// location is a folder whose sessions belong to a checkout.
type location struct {
	path, id string
	exact    bool // without the folders below it
}

// findScope returns the scope for a configuration.
func findScope(ctx context.Context, cfg *Config, book *project.Book) *scope {
	s := &scope{
		all: cfg.All, remembered: make(map[string]bool), former: make(map[string][]former), foreign: make(map[string]bool), repos: make(map[string]worktree.Repository), counted: make(map[string]bool),
		found: make(map[string]atsfstore.Folder), seen: make(map[string]project.Seen),
	}
	places, repos, roots := atsfstore.Checkouts(ctx, cfg.Folders)
	for i := range places {
		if f := &places[i]; !f.Gone || !project.Elsewhere(f.Path, f.Repository) {
			s.add(*f)
		}
	}
	note(ctx, cfg, book, repos, nil)
	for i := range repos {
		s.repository(&repos[i], book.Of(&repos[i]))
	}
	for _, p := range book.All() {
		for _, f := range p.Folders {
			s.remembered[f.Path] = true
		}
		switch {
		case ctx.Err() != nil:
		case cfg.All:
			s.addRemembered(&p)
		case !s.counted[p.Common]:
			s.addOutside(&p)
		}
	}
	for _, root := range roots {
		s.root(root, book)
	}
	return s
}

// root adds an opened folder that is not a checkout, for the sessions that began in it: the
// folder of a repository that is gone, or one that holds several repositories.
func (s *scope) root(root string, book *project.Book) {
	if _, _, _, ok := worktree.Locate(root); !ok {
		if p, ok := book.Holding(root); ok {
			s.addRemembered(&p)
		}
	}
	if s.checkoutOf(root).id == "" {
		f := atsfstore.Folder{ID: atsfstore.FolderID(root), Path: root}
		s.folders = append(s.folders, f)
		s.locations = append(s.locations, location{path: root, id: f.ID, exact: true})
	}
}

// add adds a checkout unless it is known. What a repository reports about a folder replaces
// what its path tells.
func (s *scope) add(f atsfstore.Folder) {
	f.ID = atsfstore.FolderID(f.Path)
	i := slices.IndexFunc(s.folders, func(old atsfstore.Folder) bool { return old.ID == f.ID })
	switch {
	case i < 0:
		s.folders = append(s.folders, f)
		s.locations = append(s.locations, location{path: f.Path, id: f.ID})
	case s.folders[i].Repository == "":
		s.folders[i] = f
	}
}

// folderOf returns the checkout of a work tree, or the place of a bare repository.
func folderOf(r *worktree.Repository, t *worktree.Tree) (f atsfstore.Folder, ok bool) {
	f = atsfstore.Folder{
		Path: cmp.Or(t.Path, t.Root), Repository: r.CommonDir, Branch: t.Branch, Head: t.Head, Main: t.Main, Git: true, Bare: t.Bare, Gone: t.Missing,
	}
	if t.Bare {
		f.Branch, f.Head = "", "" // nothing is checked out
	}
	f.ID = atsfstore.FolderID(f.Path)
	return f, f.Path != ""
}

// same reports whether two scopes have the same checkouts.
func (s *scope) same(o *scope) bool {
	return slices.Equal(s.locations, o.locations) && slices.EqualFunc(s.folders, o.folders, sameCheckout)
}

func sameCheckout(a, b atsfstore.Folder) bool {
	return a.ID == b.ID && a.Branch == b.Branch && a.Gone == b.Gone
}

// checkouts returns all checkouts of the scope.
func (s *scope) checkouts() []atsfstore.Folder {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := slices.Clone(s.folders)
	for _, f := range s.found {
		list = append(list, f)
	}
	slices.SortStableFunc(list[len(s.folders):], func(a, b atsfstore.Folder) int { return strings.Compare(a.Path, b.Path) })
	return list
}

// note records in the book the existing work trees, and those of any project that contain
// sessions.
func (s *scope) note(ctx context.Context, cfg *Config, book *project.Book) {
	s.mu.Lock()
	var seen []project.Seen
	if len(s.seen) != s.noted {
		s.noted = len(s.seen)
		seen = slices.Collect(maps.Values(s.seen))
	}
	s.mu.Unlock()
	note(ctx, cfg, book, nil, seen)
}

func note(ctx context.Context, cfg *Config, book *project.Book, repos []worktree.Repository, seen []project.Seen) {
	for i := range repos {
		seen = append(seen, project.Seen{Repository: repos[i]})
	}
	if len(seen) == 0 {
		return
	}
	if err := book.Note(ctx, time.Now().UnixMilli(), seen, cfg.Roots); err != nil && cfg.Logger != nil {
		cfg.Logger.Warn("where work trees are cannot be kept", "error", err)
	}
}
