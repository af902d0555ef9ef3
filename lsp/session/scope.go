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
	// maxPath is the length in bytes of the longest folder that is looked for.
	maxPath = 4096
	// maxLocated is how many folders are looked at that nothing is known of.
	maxLocated = 10_000
)

// scope is the checkouts in which sessions count: those of the opened folders'
// repositories, or of all repositories.
type scope struct {
	// folders and spots are what was known at first, and remembered are the folders of all
	// repositories. They are never changed.
	folders    []atsfstore.Folder
	spots      []spot
	remembered map[string]bool
	// former are the checkouts that were in the place of one, by its ID, and foreign the
	// places that are another repository's by now.
	former  map[string][]former
	foreign map[string]bool
	all     bool

	mu sync.Mutex // guards what follows: what sessions told of while they were looked at
	// repos are by common directory. Those in the scope are counted.
	repos   map[string]worktree.Repository
	counted map[string]bool
	// found are further checkouts, by ID, and at their spots.
	found map[string]atsfstore.Folder
	at    []spot
	// seen are the work trees in which sessions lay, by top.
	seen map[string]project.Seen
	// noted is how many of seen are written down, and located how often was looked.
	noted, located int
}

// spot is a folder whose sessions belong in a checkout.
type spot struct {
	path, id string
	exact    bool // those below it do not
}

// findScope returns the scope of a configuration.
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
			s.recall(&p)
		case !s.counted[p.Common]:
			s.before(&p)
		}
	}
	for _, root := range roots {
		s.root(root, book)
	}
	return s
}

// root adds an opened folder that is no checkout: that of a repository which is gone, or one
// that holds several, for the sessions that began in it.
func (s *scope) root(root string, book *project.Book) {
	if _, _, _, ok := worktree.Locate(root); !ok {
		if p, ok := book.Holding(root); ok {
			s.recall(&p)
		}
	}
	if s.checkoutOf(root).id == "" {
		f := atsfstore.Folder{ID: atsfstore.FolderID(root), Path: root}
		s.folders = append(s.folders, f)
		s.spots = append(s.spots, spot{path: root, id: f.ID, exact: true})
	}
}

// add adds a checkout unless it is there. What a repository says of a folder counts over
// what its path says.
func (s *scope) add(f atsfstore.Folder) {
	f.ID = atsfstore.FolderID(f.Path)
	i := slices.IndexFunc(s.folders, func(old atsfstore.Folder) bool { return old.ID == f.ID })
	switch {
	case i < 0:
		s.folders = append(s.folders, f)
		s.spots = append(s.spots, spot{path: f.Path, id: f.ID})
	case s.folders[i].Repository == "":
		s.folders[i] = f
	}
}

// folderOf returns the checkout that a work tree is, or the place of a bare repository.
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

// same reports whether the same folders are the same checkouts.
func (s *scope) same(o *scope) bool {
	return slices.Equal(s.spots, o.spots) && slices.EqualFunc(s.folders, o.folders, sameCheckout)
}

func sameCheckout(a, b atsfstore.Folder) bool {
	return a.ID == b.ID && a.Branch == b.Branch && a.Gone == b.Gone
}

// checkouts returns everything that sessions belong in.
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

// note writes down which work trees there are, and those that sessions of whatever project
// lay in.
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
