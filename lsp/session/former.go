package session

import (
	"cmp"
	"slices"

	atsfstore "github.com/signalbox-dev/signalbox/lsp/atsf"
	"github.com/signalbox-dev/signalbox/lsp/worktree"
	"github.com/signalbox-dev/signalbox/lsp/worktree/project"
)

// former is a checkout that was created at made, and was at a place until another one was
// created there. Both are in Unix milliseconds.
type former struct {
	id          string
	made, until int64
}

// addRemembered adds a repository that is not that of an opened folder.
func (s *scope) addRemembered(p *project.Project) {
	if s.counted[p.Common] {
		return
	}
	r := worktree.Repository{CommonDir: p.Common}
	for _, at := range append([]string{p.Common}, mainPaths(p)...) {
		if found, err := worktree.Find(at); err == nil && found.CommonDir == p.Common {
			r = found
		}
	}
	s.repository(&r, *p)
}

// mainPaths returns where the main checkout was, because git does not always record it.
func mainPaths(p *project.Project) (list []string) {
	for _, f := range p.Folders {
		if f.Tree == "" {
			list = append(list, f.Path)
		}
	}
	return list
}

// repository adds a repository's existing and former checkouts. If one was moved, its sessions
// are listed at its present place.
func (s *scope) repository(r *worktree.Repository, p project.Project) {
	s.repos[r.CommonDir], s.counted[r.CommonDir] = *r, true
	live, at := make(map[string]string), make(map[string]string)
	for i := range r.Trees {
		t := &r.Trees[i]
		if f, ok := folderOf(r, t); ok && (!t.Missing || !project.Elsewhere(f.Path, r.CommonDir)) {
			s.add(f)
			if at[f.Path] = project.Tree(t); !t.Missing {
				live[project.Tree(t)] = f.ID
			}
		}
	}
	slices.SortStableFunc(p.Folders, func(a, b project.Folder) int { return cmp.Compare(project.Made(b.Tree), project.Made(a.Tree)) })
	for i := range p.Folders {
		s.addSeen(r, &p.Folders[i], live, at)
	}
}

// addSeen adds a folder in which a work tree of a repository was seen. live has the IDs of its
// existing work trees, by tree. at has the tree of each folder.
func (s *scope) addSeen(r *worktree.Repository, f *project.Folder, live, at map[string]string) {
	id := atsfstore.FolderID(f.Path)
	gone := atsfstore.Folder{ID: id, Path: f.Path, Repository: r.CommonDir, Branch: f.Branch, Head: f.Head, Main: f.Tree == "", Git: true, Gone: true}
	now, lives := live[f.Tree]
	tree, ours := at[f.Path]
	taken := slices.IndexFunc(s.folders, func(old atsfstore.Folder) bool { return old.ID == id })
	top, gitDir, common, found := worktree.Locate(f.Path)
	until, foreign := int64(0), false
	switch {
	case now == id:
	case ours && tree == f.Tree:
		s.addGone(gone)
	case ours:
		if taken >= 0 && s.folders[taken].Branch != f.Branch {
			until = project.Made(tree)
		}
	case taken >= 0:
	case found && top == f.Path && common == r.CommonDir: // git does not record where it is
		s.add(located(r, top, gitDir))
	case found && top == f.Path:
		foreign = !s.all
		until = project.Born(gitDir, common)
	case lives:
		s.locations = append(s.locations, location{path: f.Path, id: now})
	default:
		at[f.Path] = f.Tree
		s.addGone(gone)
	}
	if until == 0 || s.all && !ours {
		return
	}
	if !lives {
		gone.ID = atsfstore.FolderID(f.Path + "\x00" + f.Tree)
		s.folders = append(s.folders, gone)
		now = gone.ID
	}
	s.former[id] = append(s.former[id], former{id: now, made: project.Made(f.Tree), until: until})
	if foreign {
		s.foreign[id] = true
		s.locations = append(s.locations, location{path: f.Path, id: id})
	}
}

// outside is the id of a former checkout that belongs to a repository outside the scope.
const outside = "\x00"

// addOutside records checkouts of the scope that replaced checkouts of another repository,
// which still exists: sessions in those are listed for that repository.
func (s *scope) addOutside(p *project.Project) {
	for i := range p.Folders {
		f := &p.Folders[i]
		id := atsfstore.FolderID(f.Path)
		if !slices.ContainsFunc(s.folders, func(ours atsfstore.Folder) bool { return ours.ID == id }) {
			continue
		}
		top, gitDir, common, found := worktree.Locate(f.Path)
		if found && top == f.Path && common != p.Common && p.Exists() {
			s.former[id] = append(s.former[id], former{id: outside, made: project.Made(f.Tree), until: project.Born(gitDir, common)})
		}
	}
}

// checkoutAt returns the checkout that was at a place when a session was last written to, or
// "" if it belongs to no repository of the scope.
func (s *scope) checkoutAt(id string, written int64) string {
	var best former
	for _, f := range s.former[id] {
		if written < f.until && (best.id == "" || f.made <= written && f.made > best.made || f.made < best.made && best.made > written) {
			best = f
		}
	}
	switch {
	case best.id == outside:
		return ""
	case best.id == "" && !s.foreign[id]:
		return id
	}
	return best.id
}

// addGone adds a checkout that no longer exists. What git still lists about it takes
// precedence.
func (s *scope) addGone(f atsfstore.Folder) {
	for i := range s.folders {
		if old := &s.folders[i]; old.Path == f.Path {
			old.Branch, old.Head = cmp.Or(old.Branch, f.Branch), cmp.Or(old.Head, f.Head)
			return
		}
	}
	s.add(f)
}
