package session

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"

	atsfstore "github.com/signalbox-dev/signalbox/lsp/atsf"
	"github.com/signalbox-dev/signalbox/lsp/disk"
	"github.com/signalbox-dev/signalbox/lsp/worktree"
	"github.com/signalbox-dev/signalbox/lsp/worktree/project"
)

// find returns the ID of the innermost checkout that contains a folder, or "". A folder that
// no longer exists is found by its path: git may still list it as a removed worktree, it may
// be remembered, or it was in another checkout.
func (s *scope) find(folder string) string {
	if !filepath.IsAbs(folder) || len(folder) > maxPath {
		return ""
	}
	given := filepath.Clean(folder)
	real := disk.Resolve(given)
	at := s.checkoutOf(real)
	if at.id == "" && real != given {
		at = s.checkoutOf(given) // through a link whose target has changed
	}
	if at.id != "" && !s.all && real == given {
		return at.id
	}
	if id := s.locate(given, real, at); id != "" || at.id != "" || !s.all {
		return cmp.Or(id, at.id)
	}
	return s.addPlain(real)
}

// checkoutOf returns the innermost location that contains a path, or none.
func (s *scope) checkoutOf(path string) (best location) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, list := range [][]location{s.locations, s.foundAt} {
		for i := range list {
			if len(list[i].path) > len(best.path) && list[i].holds(path) {
				best = list[i]
			}
		}
	}
	return best
}

// holds reports whether a path is in the folder. If the file system ignores case, the spelling
// may differ.
func (at *location) holds(path string) bool {
	n := len(at.path)
	if len(path) < n || at.exact && len(path) > n || len(path) > n && !os.IsPathSeparator(path[n]) && !os.IsPathSeparator(path[n-1]) {
		return false
	}
	return path[:n] == at.path || strings.EqualFold(path[:n], at.path) && disk.SameSpelling(path[:n], at.path)
}

// locate looks for a work tree around a folder that git does not list at that place, or that
// is in another repository, deeper than the known location. It returns the checkout's ID if
// its sessions count.
func (s *scope) locate(given, real string, known location) string {
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
	s.foundAt = append(s.foundAt, location{path: top, id: f.ID})
	return f.ID
}

// located returns the checkout with a git directory that was found at top.
func located(r *worktree.Repository, top, gitDir string) atsfstore.Folder {
	f := atsfstore.Folder{ID: atsfstore.FolderID(top), Path: top, Repository: r.CommonDir, Git: true}
	for i := range r.Trees {
		if t := &r.Trees[i]; t.GitDir == gitDir {
			f.Branch, f.Head, f.Main = t.Branch, t.Head, t.Main
		}
	}
	return f
}

// wayTo returns a work tree's top by the path that a session's folder uses, which may go
// through a link.
func wayTo(top, given, real string) string {
	if path, ok := strings.CutSuffix(given, strings.TrimPrefix(real, top)); ok && filepath.IsAbs(path) {
		return path
	}
	return top
}

// sighting returns a repository and the paths of its worktree whose git directory is gitDir: top is
// the real path, and way the one that the session used, which may be the same.
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

// addPlain adds a folder outside any repository, for a list of everything.
func (s *scope) addPlain(path string) string {
	f := atsfstore.Folder{ID: atsfstore.FolderID(path), Path: path}
	if _, err := os.Stat(path); err != nil {
		f.Gone = true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.found[f.ID] = f
	return f.ID
}
