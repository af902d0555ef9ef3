package transcript

import (
	"cmp"
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/signalbox-dev/signalbox/lsp/store/disk"
	"github.com/signalbox-dev/signalbox/lsp/store/project"
	"github.com/signalbox-dev/signalbox/lsp/store/threads"
	"github.com/signalbox-dev/signalbox/lsp/store/worktree"
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
	folders    []threads.Folder
	spots      []spot
	remembered map[string]bool
	all        bool

	mu sync.Mutex // guards what follows: what sessions told of while they were looked at
	// repos are by common directory. Those in the scope are counted.
	repos   map[string]worktree.Repository
	counted map[string]bool
	// found are further checkouts, by ID, and at their spots.
	found map[string]threads.Folder
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
		all: cfg.All, remembered: make(map[string]bool), repos: make(map[string]worktree.Repository), counted: make(map[string]bool),
		found: make(map[string]threads.Folder), seen: make(map[string]project.Seen),
	}
	places, repos, roots := threads.Checkouts(ctx, cfg.Folders)
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
		if cfg.All && ctx.Err() == nil {
			s.recall(&p)
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
		f := threads.Folder{ID: threads.FolderID(root), Path: root}
		s.folders = append(s.folders, f)
		s.spots = append(s.spots, spot{path: root, id: f.ID, exact: true})
	}
}

// add adds a checkout unless it is there. What a repository says of a folder counts over
// what its path says.
func (s *scope) add(f threads.Folder) {
	f.ID = threads.FolderID(f.Path)
	i := slices.IndexFunc(s.folders, func(old threads.Folder) bool { return old.ID == f.ID })
	switch {
	case i < 0:
		s.folders = append(s.folders, f)
		s.spots = append(s.spots, spot{path: f.Path, id: f.ID})
	case s.folders[i].Repository == "":
		s.folders[i] = f
	}
}

// recall adds a repository that no opened folder led to.
func (s *scope) recall(p *project.Project) {
	if s.counted[p.Common] {
		return
	}
	r := worktree.Repository{CommonDir: p.Common}
	for _, at := range append([]string{p.Common}, mains(p)...) {
		if found, err := worktree.Find(at); err == nil && found.CommonDir == p.Common {
			r = found
		}
	}
	s.repository(&r, *p)
}

// mains returns where the main checkout was, which git does not always record.
func mains(p *project.Project) (list []string) {
	for _, f := range p.Folders {
		if f.Tree == "" {
			list = append(list, f.Path)
		}
	}
	return list
}

// repository adds the checkouts of a repository: those that there are, and those that there
// were. Where one was moved its sessions are listed where it is now.
func (s *scope) repository(r *worktree.Repository, p project.Project) {
	s.repos[r.CommonDir], s.counted[r.CommonDir] = *r, true
	live := make(map[string]string)
	for i := range r.Trees {
		t := &r.Trees[i]
		if f, ok := folderOf(r, t); ok && (!t.Missing || !project.Elsewhere(f.Path, r.CommonDir)) {
			s.add(f)
			if !t.Missing {
				live[project.Tree(t)] = threads.FolderID(f.Path)
			}
		}
	}
	for i := range p.Folders {
		f := &p.Folders[i]
		id := threads.FolderID(f.Path)
		if slices.ContainsFunc(s.folders, func(old threads.Folder) bool { return old.ID == id && !old.Gone }) {
			continue
		}
		top, gitDir, common, ok := worktree.Locate(f.Path)
		if ok && top == f.Path {
			if common == r.CommonDir { // git does not record where it is
				s.add(located(r, top, gitDir))
			}
			continue // or it is another repository's by now
		}
		if now, ok := live[f.Tree]; ok {
			s.spots = append(s.spots, spot{path: f.Path, id: now})
			continue
		}
		s.gone(threads.Folder{Path: f.Path, Repository: r.CommonDir, Branch: f.Branch, Head: f.Head, Main: f.Tree == "", Git: true, Gone: true})
	}
}

// gone adds a checkout that is no more. What git still knows of it counts.
func (s *scope) gone(f threads.Folder) {
	for i := range s.folders {
		if old := &s.folders[i]; old.Path == f.Path {
			old.Branch, old.Head = cmp.Or(old.Branch, f.Branch), cmp.Or(old.Head, f.Head)
			return
		}
	}
	s.add(f)
}

// folderOf returns the checkout that a work tree is, or the place of a bare repository.
func folderOf(r *worktree.Repository, t *worktree.Tree) (f threads.Folder, ok bool) {
	f = threads.Folder{
		Path: cmp.Or(t.Path, t.Root), Repository: r.CommonDir, Branch: t.Branch, Head: t.Head, Main: t.Main, Git: true, Bare: t.Bare, Gone: t.Missing,
	}
	if t.Bare {
		f.Branch, f.Head = "", "" // nothing is checked out
	}
	f.ID = threads.FolderID(f.Path)
	return f, f.Path != ""
}

// same reports whether the same folders are the same checkouts.
func (s *scope) same(o *scope) bool {
	return slices.Equal(s.spots, o.spots) && slices.EqualFunc(s.folders, o.folders, sameCheckout)
}

func sameCheckout(a, b threads.Folder) bool {
	return a.ID == b.ID && a.Branch == b.Branch && a.Gone == b.Gone
}

// checkouts returns everything that sessions belong in.
func (s *scope) checkouts() []threads.Folder {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := slices.Clone(s.folders)
	for _, f := range s.found {
		list = append(list, f)
	}
	slices.SortStableFunc(list[len(s.folders):], func(a, b threads.Folder) int { return strings.Compare(a.Path, b.Path) })
	return list
}

// find returns the ID of the innermost checkout that a folder lies in, or "". A folder
// that is no more counts by its name: git still lists a removed worktree, it is remembered,
// or it lay in another checkout.
func (s *scope) find(folder string) string {
	if !filepath.IsAbs(folder) || len(folder) > maxPath {
		return ""
	}
	given := filepath.Clean(folder)
	real := disk.Resolve(given)
	at := s.checkoutOf(real)
	if at.id == "" && real != given {
		at = s.checkoutOf(given) // through a link that leads elsewhere by now
	}
	if at.id != "" && !s.all && real == given {
		return at.id
	}
	if id := s.locate(given, real, at); id != "" || at.id != "" || !s.all {
		return cmp.Or(id, at.id)
	}
	return s.plain(real)
}

// checkoutOf returns the innermost spot in which a path lies, or none.
func (s *scope) checkoutOf(path string) (best spot) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, list := range [][]spot{s.spots, s.at} {
		for i := range list {
			if len(list[i].path) > len(best.path) && list[i].holds(path) {
				best = list[i]
			}
		}
	}
	return best
}

// holds reports whether a path lies in the folder, in another spelling too where the file
// system says that it is the same.
func (at *spot) holds(path string) bool {
	n := len(at.path)
	if len(path) < n || at.exact && len(path) > n || len(path) > n && !os.IsPathSeparator(path[n]) && !os.IsPathSeparator(path[n-1]) {
		return false
	}
	return path[:n] == at.path || strings.EqualFold(path[:n], at.path) && disk.SameSpelling(path[:n], at.path)
}

// locate looks whether a folder lies in a work tree that git does not list where it is, or
// in another repository, deeper than the spot that is known. It returns the checkout's ID if
// sessions there count.
func (s *scope) locate(given, real string, known spot) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.located == maxLocated {
		return ""
	}
	s.located++
	top, gitDir, common, ok := worktree.Locate(real)
	way := wayTo(top, given, real)
	deeper := len(known.path) < len(top)
	if !ok || !deeper && way == top {
		return ""
	}
	counts := deeper && (s.all || s.counted[common])
	if _, ok := s.seen[way]; ok || !counts && s.remembered[way] {
		return ""
	}
	r, ok := s.repos[common]
	if !ok {
		r, _ = worktree.Find(top)
		s.repos[common] = r
	}
	s.seen[way] = sighting(&r, top, gitDir, way)
	if !counts {
		return ""
	}
	f := located(&r, top, gitDir)
	s.found[f.ID] = f
	s.at = append(s.at, spot{path: top, id: f.ID})
	return f.ID
}

// located returns the checkout with a git directory that was found at top.
func located(r *worktree.Repository, top, gitDir string) threads.Folder {
	f := threads.Folder{ID: threads.FolderID(top), Path: top, Repository: r.CommonDir, Git: true}
	for i := range r.Trees {
		if t := &r.Trees[i]; t.GitDir == gitDir {
			f.Branch, f.Head, f.Main = t.Branch, t.Head, t.Main
		}
	}
	return f
}

// wayTo returns a work tree's top as a session's folder has it, which may be through a link.
func wayTo(top, given, real string) string {
	if path, ok := strings.CutSuffix(given, strings.TrimPrefix(real, top)); ok && filepath.IsAbs(path) {
		return path
	}
	return top
}

// sighting returns what a session's folder tells of a repository: that it has a work tree
// at top, to which there is another way.
func sighting(r *worktree.Repository, top, gitDir, way string) project.Seen {
	seen := project.Seen{Repository: *r}
	for i := range r.Trees {
		t := &r.Trees[i]
		if t.GitDir != gitDir {
			continue
		}
		for _, path := range slices.Compact([]string{top, way}) {
			seen.Also = append(seen.Also, project.Folder{Path: path, Tree: project.Tree(t), Branch: t.Branch, Head: t.Head})
		}
	}
	return seen
}

// plain adds a folder that lies in no repository, for a list of everything.
func (s *scope) plain(path string) string {
	f := threads.Folder{ID: threads.FolderID(path), Path: path}
	if _, err := os.Stat(path); err != nil {
		f.Gone = true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.found[f.ID] = f
	return f.ID
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
