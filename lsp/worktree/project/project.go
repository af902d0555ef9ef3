// Package project remembers in which folders the work trees of a repository were seen, so
// that what an agent did stays found when its worktree was removed or moved, or the
// repository itself.
//
// Start with [At]. [Book.Note] writes down what there is, [Book.Of] returns what there was.
// A repository is known by git's common directory, by when that was made, and by its first
// commits. What is kept is private, bounded and can be lost at any time. Of this project
// the package imports lsp/disk/statefile and lsp/worktree.
package project

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/signalbox-dev/signalbox/lsp/worktree"
)

// Project is a repository as it was seen last.
type Project struct {
	// Common is git's common directory, and Was are those that it had before.
	Common string   `json:"common"`
	Was    []string `json:"was,omitempty"`
	// Born is when the common directory was made, in Unix nanoseconds. Moving keeps it. 0
	// is not known.
	Born int64 `json:"born,omitempty"`
	// Roots are its first commits, and Asked is when git was asked for them.
	Roots []string `json:"roots,omitempty"`
	Asked int64    `json:"asked,omitempty"`
	// Seen is when it was there last, in Unix milliseconds.
	Seen int64 `json:"seen"`
	// Folders are those of its work trees, the ones that are gone included.
	Folders []Folder `json:"folders,omitempty"`
}

// Folder is where a work tree was seen.
type Folder struct {
	// Path is absolute. It is free of links, unless a session named its folder through one.
	Path string `json:"path"`
	// Tree is the result of [Tree] for the work tree.
	Tree string `json:"tree,omitempty"`
	// Branch and Head are what was checked out there last.
	Branch string `json:"branch,omitempty"`
	Head   string `json:"head,omitempty"`
	Seen   int64  `json:"seen"`
}

// Tree names a work tree of its repository wherever it lies: moving and repairing a worktree
// keep it, and another worktree of the same name has another one. It is empty for the main
// checkout.
func Tree(t *worktree.Tree) string {
	if t.Main || t.GitDir == "" {
		return ""
	}
	name := filepath.Base(t.GitDir)
	if info, err := os.Stat(filepath.Join(t.GitDir, "commondir")); err == nil {
		name += "@" + strconv.FormatInt(info.ModTime().UnixNano(), 10)
	}
	return name
}

// Made returns when the work tree was made whose name [Tree] returned, in Unix milliseconds,
// or 0 where that is not known.
func Made(tree string) int64 {
	at, _ := strconv.ParseInt(tree[strings.LastIndexByte(tree, '@')+1:], 10, 64)
	return at / 1e6
}

// Born returns when a work tree was made that has a git directory, in Unix milliseconds, or
// 0 where that is not known.
func Born(gitDir, common string) int64 {
	if gitDir == common {
		return born(common) / 1e6
	}
	return Made(Tree(&worktree.Tree{GitDir: gitDir}))
}

// born returns when a common directory was made: the time of files that git writes then and
// never again.
func born(common string) int64 {
	for _, name := range []string{"description", filepath.Join("info", "exclude")} {
		if info, err := os.Lstat(filepath.Join(common, name)); err == nil && info.Mode().IsRegular() {
			return info.ModTime().UnixNano()
		}
	}
	return 0
}

// Elsewhere reports whether a folder is a work tree of another repository than the one with
// a common directory.
func Elsewhere(path, common string) bool {
	top, _, other, ok := worktree.Locate(path)
	return ok && top == path && other != common
}

// There reports whether the repository still is where it was seen last.
func (p *Project) There() bool {
	if _, err := os.Lstat(filepath.Join(p.Common, "HEAD")); err != nil {
		return false
	}
	return p.Born == 0 || p.Born == born(p.Common)
}

// settle returns the index of the project that a repository is, and adds one if there is
// none. What is known of it from another place, where it is no more, is taken over.
func settle(list *[]Project, common string, made int64, roots []string) int {
	i := slices.IndexFunc(*list, func(p Project) bool { return p.Common == common && !differ(p.Roots, roots) })
	if i < 0 {
		i = len(*list)
		*list = append(*list, Project{Common: common, Born: made})
	}
	if p := &(*list)[i]; len(p.Roots) == 0 {
		p.Roots = roots
	}
	for j := len(*list) - 1; j >= 0; j-- {
		if j != i && (*list)[i].was(&(*list)[j], made) {
			(*list)[i].take(&(*list)[j])
			*list = slices.Delete(*list, j, j+1)
			if j < i {
				i--
			}
		}
	}
	return i
}

// was reports whether the project is another one that is no more where it was seen. Made is
// when the project was: a clone that was there beside a lost one is not that.
func (p *Project) was(lost *Project, made int64) bool {
	if differ(p.Roots, lost.Roots) || lost.There() {
		return false
	}
	return made != 0 && lost.Born == made || len(p.Roots) > 0 && slices.Equal(p.Roots, lost.Roots) && made/1e6 >= lost.Seen
}

// take takes over what is known of a project that was elsewhere.
func (p *Project) take(lost *Project) {
	p.Was, p.Folders = slices.Clip(p.Was), slices.Clip(p.Folders) // others may share what is behind
	if lost.Common != p.Common {
		p.Was = append(p.Was, lost.Common)
	}
	p.Was = append(p.Was, lost.Was...)
	p.Was = p.Was[:min(len(p.Was), maxWas)]
	for _, f := range lost.Folders {
		if !slices.ContainsFunc(p.Folders, func(own Folder) bool { return own.Path == f.Path && own.Tree == f.Tree }) && len(p.Folders) < maxFolders {
			p.Folders = append(p.Folders, f)
		}
	}
}

func differ(a, b []string) bool { return len(a) > 0 && len(b) > 0 && !slices.Equal(a, b) }

const (
	// maxProjects is how many repositories are remembered, and maxFolders how many folders
	// of each: those that were seen last.
	maxProjects = 1000
	maxFolders  = 500
	// maxWas is how many earlier common directories of one are.
	maxWas = 20
	// unchanged is how long what stays as it is need not be written again, in milliseconds.
	unchanged = 24 * 60 * 60 * 1000
)

// note takes in what there is of a repository now, and reports whether that is worth
// writing down.
func (p *Project) note(r *worktree.Repository, also []Folder, now int64) (changed bool) {
	if made := born(r.CommonDir); p.Born != made {
		p.Born, changed = made, true
	}
	for i := range r.Trees {
		t := &r.Trees[i]
		path := cmp.Or(t.Path, t.Root)
		if path == "" || t.Missing && Elsewhere(path, r.CommonDir) {
			continue
		}
		changed = p.folder(Folder{Path: path, Tree: Tree(t), Branch: t.Branch, Head: t.Head, Seen: now}, t.Missing) || changed
	}
	for _, f := range also {
		f.Seen = now
		changed = p.folder(f, false) || changed
	}
	if changed || now-p.Seen > unchanged {
		p.Seen, changed = now, true
	}
	return changed
}

// folder takes in a folder. Of one that is missing nothing new is known, if it was seen. What
// is in the place of another work tree is a folder of its own.
func (p *Project) folder(f Folder, missing bool) (changed bool) {
	i := slices.IndexFunc(p.Folders, func(old Folder) bool { return old.Path == f.Path && old.Tree == f.Tree })
	if i < 0 {
		p.Folders = append(p.Folders, f)
		if len(p.Folders) > maxFolders {
			slices.SortStableFunc(p.Folders, func(a, b Folder) int { return cmp.Compare(b.Seen, a.Seen) })
			p.Folders = p.Folders[:maxFolders]
		}
		return true
	}
	old := &p.Folders[i]
	if missing {
		return false
	}
	// The commit alone changes with every commit, and is not worth it.
	changed = old.Branch != f.Branch || f.Seen-old.Seen > unchanged
	if changed {
		*old = f
	}
	return changed
}

// clone returns a copy that shares nothing which changes.
func (p *Project) clone() Project {
	c := *p
	c.Was, c.Folders = slices.Clone(p.Was), slices.Clone(p.Folders)
	return c
}

// valid reports whether a project that was read may be one that was written.
func (p *Project) valid() bool {
	return filepath.IsAbs(p.Common) && !strings.Contains(p.Common, "\x00") && len(p.Folders) <= maxFolders &&
		!slices.ContainsFunc(p.Folders, func(f Folder) bool { return !filepath.IsAbs(f.Path) || strings.Contains(f.Path, "\x00") })
}
