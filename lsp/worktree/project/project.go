// Package project remembers in which folders the work trees of a repository were seen, so that
// an agent's work is still found after its worktree or the repository was removed or moved.
//
// Start with [At]. [Book.Note] records what exists, [Book.Of] returns what existed. A
// repository is identified by git's common directory, by when that was created, and by its
// first commits. The data is private, bounded and can be lost at any time. Of this project the
// package imports only lsp/disk/statefile and lsp/worktree.
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

// Project is a repository as it was last seen.
type Project struct {
	// Common is git's common directory, and Was are its former ones.
	Common string   `json:"common"`
	Was    []string `json:"was,omitempty"`
	// Born is when the common directory was created, in Unix nanoseconds, or 0 if that is not
	// known. Moving does not change it.
	Born int64 `json:"born,omitempty"`
	// Roots are its first commits, and Asked is when git was asked for them.
	Roots []string `json:"roots,omitempty"`
	Asked int64    `json:"asked,omitempty"`
	// Seen is when it last existed, in Unix milliseconds.
	Seen int64 `json:"seen"`
	// Folders are the folders of its work trees, including those that are gone.
	Folders []Folder `json:"folders,omitempty"`
}

// Folder is where a work tree was seen.
type Folder struct {
	// Path is absolute. It is free of links, unless a session used a path through one.
	Path string `json:"path"`
	// Tree is the result of [Tree] for the work tree.
	Tree string `json:"tree,omitempty"`
	// Branch and Head are what was last checked out there.
	Branch string `json:"branch,omitempty"`
	Head   string `json:"head,omitempty"`
	Seen   int64  `json:"seen"`
}

// Tree returns a name for a work tree of a repository that does not depend on its folder:
// moving and repairing do not change it, and another worktree with the same name has another
// one. It is empty for the main checkout.
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

// Made returns when the work tree with a name from [Tree] was created, in Unix milliseconds,
// or 0 if that is not known.
func Made(tree string) int64 {
	at, _ := strconv.ParseInt(tree[strings.LastIndexByte(tree, '@')+1:], 10, 64)
	return at / 1e6
}

// Born returns when the work tree with a git directory was created, in Unix milliseconds, or 0
// if that is not known.
func Born(gitDir, common string) int64 {
	if gitDir == common {
		return born(common) / 1e6
	}
	return Made(Tree(&worktree.Tree{GitDir: gitDir}))
}

// born returns when a common directory was created: the time of files that git writes only
// then.
func born(common string) int64 {
	for _, name := range []string{"description", filepath.Join("info", "exclude")} {
		if info, err := os.Lstat(filepath.Join(common, name)); err == nil && info.Mode().IsRegular() {
			return info.ModTime().UnixNano()
		}
	}
	return 0
}

// Elsewhere reports whether a folder is a work tree of another repository than the one with a
// common directory.
func Elsewhere(path, common string) bool {
	top, _, other, ok := worktree.Locate(path)
	return ok && top == path && other != common
}

// Exists reports whether the repository still is where it was last seen.
func (p *Project) Exists() bool {
	if _, err := os.Lstat(filepath.Join(p.Common, "HEAD")); err != nil {
		return false
	}
	return p.Born == 0 || p.Born == born(p.Common)
}

// findOrAdd returns the index of a repository's project, and adds one if there is none. It
// merges projects of former places of the same repository into it.
func findOrAdd(list *[]Project, common string, made int64, roots []string) int {
	i := slices.IndexFunc(*list, func(p Project) bool { return p.Common == common && !differ(p.Roots, roots) })
	if i < 0 {
		i = len(*list)
		*list = append(*list, Project{Common: common, Born: made})
	}
	if p := &(*list)[i]; len(p.Roots) == 0 {
		p.Roots = roots
	}
	for j := len(*list) - 1; j >= 0; j-- {
		if j != i && (*list)[i].replaces(&(*list)[j], made) {
			(*list)[i].absorb(&(*list)[j])
			*list = slices.Delete(*list, j, j+1)
			if j < i {
				i--
			}
		}
	}
	return i
}

// replaces reports whether lost is the same project at a former place. made is when p was
// created: a clone that existed beside a lost one is not the same.
func (p *Project) replaces(lost *Project, made int64) bool {
	if differ(p.Roots, lost.Roots) || lost.Exists() {
		return false
	}
	return made != 0 && lost.Born == made || len(p.Roots) > 0 && slices.Equal(p.Roots, lost.Roots) && made/1e6 >= lost.Seen
}

// absorb adds what is known of the project at its former place.
func (p *Project) absorb(lost *Project) {
	p.Was, p.Folders = slices.Clip(p.Was), slices.Clip(p.Folders) // others may share the arrays
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
	// maxProjects is how many repositories are remembered, and maxFolders how many folders of
	// each: those seen last.
	maxProjects = 1000
	maxFolders  = 500
	// maxWas is how many former common directories of each are remembered.
	maxWas = 20
	// unchanged is how long an unchanged project need not be written again, in milliseconds.
	unchanged = 24 * 60 * 60 * 1000
)

// update records the present state of a repository, and reports whether that is worth writing
// to the file.
func (p *Project) update(r *worktree.Repository, also []Folder, now int64) (changed bool) {
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

// folder records a folder. If it is missing and was seen before, nothing changes. Another work
// tree at the same path is a separate folder.
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
	// The commit changes often and alone is not worth writing.
	changed = old.Branch != f.Branch || f.Seen-old.Seen > unchanged
	if changed {
		*old = f
	}
	return changed
}

// clone returns a copy that shares nothing that can change.
func (p *Project) clone() Project {
	c := *p
	c.Was, c.Folders = slices.Clone(p.Was), slices.Clone(p.Folders)
	return c
}

// valid reports whether a project that was read could have been written by this package.
func (p *Project) valid() bool {
	return filepath.IsAbs(p.Common) && !strings.Contains(p.Common, "\x00") && len(p.Folders) <= maxFolders &&
		!slices.ContainsFunc(p.Folders, func(f Folder) bool { return !filepath.IsAbs(f.Path) || strings.Contains(f.Path, "\x00") })
}
