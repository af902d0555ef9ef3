// Package worktree finds the checkouts of a git repository in git's own files, and creates
// worktrees with git itself.
//
// Start with [Find]. It runs no process, since opening someone's folder must not run anything:
// a repository's configuration can name programs. Git's files are not trusted: every file has
// a size limit, a FIFO is not opened, and a checkout counts only if its .git leads back to the
// repository. [Git.Add], for an explicit command, does run git.
//
// Of this project the package imports only lsp/disk.
package worktree

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Tree is one checkout of a repository, or the bare repository itself.
type Tree struct {
	// Path is absolute, with links resolved as far as it exists. It is empty for a bare
	// repository, and for a main checkout whose place git does not record.
	Path string
	// Root is the folder around a bare repository that people work in: the one whose .git file
	// leads to it, otherwise the repository itself. It is empty for a checkout.
	Root string
	// Branch is the short name. It is empty if HEAD is detached or not known; if Head is empty
	// too, it is not known.
	Branch string
	// Head is the commit. It is empty if the branch has no commit, or if it is not known.
	Head string
	// Main is set for the repository's own entry: the main checkout, or Bare.
	Main bool
	Bare bool
	// Locked worktrees are not pruned, even if they are Missing.
	Locked bool
	// Missing means that git lists the worktree, but the folder at Path is gone or no longer
	// belongs to this repository.
	Missing bool
	// Reason is the reason of the lock, otherwise why the checkout is missing. It may hold what
	// someone else wrote.
	Reason string
	// GitDir is the checkout's own git directory.
	GitDir string
}

// Problem is damage in git's records. Reason is a lower-case phrase. Advice is what to do, if
// that is known.
type Problem struct{ File, Reason, Advice string }

// Repository is a git repository with all its checkouts.
type Repository struct {
	// CommonDir identifies the repository. It is absolute, links resolved. It is empty if a .git
	// file leads to no repository; then Problems has the reason.
	CommonDir string
	// Trees are the main entry, if there is one, then the others by path.
	Trees    []Tree
	Problems []Problem
}

// Main returns the entry of the main checkout or the bare repository.
func (r *Repository) Main() (Tree, bool) {
	if len(r.Trees) > 0 && r.Trees[0].Main {
		return r.Trees[0], true
	}
	return Tree{}, false
}

// At returns the checkout that contains a path, which must be absolute and free of links. It
// returns the deepest one, since worktrees may be nested.
func (r *Repository) At(path string) (Tree, bool) {
	var best Tree
	for _, t := range r.Trees {
		if t.Path != "" && !t.Missing && inside(t.Path, path) && len(t.Path) > len(best.Path) {
			best = t
		}
	}
	return best, best.Path != ""
}

// Locate returns the top of the work tree that contains a path, its own git directory and the
// repository's common directory. It reads a few files on the way up, but no list of worktrees.
// The path must be absolute and free of links, and need not exist. ok is false if there is no
// work tree, or if a .git file leads to no repository.
func Locate(path string) (top, gitDir, common string, ok bool) {
	var f finder
	for dir := path; ; dir = filepath.Dir(dir) {
		at, err := f.look(dir)
		if err == nil {
			return at.top, at.gitDir, at.common, at.top != ""
		}
		if !errors.Is(err, fs.ErrNotExist) || dir == filepath.Dir(dir) {
			return "", "", "", false
		}
	}
}

// inside reports whether path is dir or lies beneath it.
func inside(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// Find returns the repository that contains path. It searches upwards, and the nearest
// repository wins. The error is fs.ErrNotExist if there is none, or if path does not exist. Damage is reported as a
// Problem, not as an error.
//
// Files that git's configuration includes are not read: core.worktree and core.bare count only
// in the repository's own files.
func Find(path string) (Repository, error) {
	start, err := filepath.Abs(path)
	if err == nil {
		start, err = filepath.EvalSymlinks(start)
	}
	if err != nil {
		return Repository{}, fmt.Errorf("worktree: find: %w", err)
	}
	var f finder
	for dir := start; ; {
		switch at, err := f.look(dir); {
		case err == nil:
			return f.repository(at), nil
		case !errors.Is(err, fs.ErrNotExist):
			// git stops here too: a repository further up is not meant.
			return Repository{Problems: f.problems}, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return Repository{}, fmt.Errorf("worktree: find %q: no git repository: %w", path, fs.ErrNotExist)
		}
		dir = parent
	}
}

// place is where a repository was found.
type place struct {
	// top is the folder that holds .git. It is empty for a path in the git directory itself.
	top string
	// gitDir is the checkout's own directory, common the repository's.
	gitDir, common string
}

// finder reads one repository.
type finder struct {
	problems []Problem
}

func (f *finder) problem(file, reason string) {
	f.problems = append(f.problems, Problem{File: file, Reason: reason})
}

// errBroken means that a .git file leads to no repository.
var errBroken = errors.New("broken .git file")

// look looks for a repository at dir. The error is fs.ErrNotExist if the search should
// continue upwards.
func (f *finder) look(dir string) (place, error) {
	dot := filepath.Join(dir, dotGit)
	info, err := os.Stat(dot)
	switch {
	case err == nil && info.IsDir():
		if at, err := f.gitDir(dot); err == nil {
			at.top = dir
			return at, nil
		}
	case err == nil && info.Mode().IsRegular():
		target, err := f.gitFile(dot)
		if err != nil {
			f.problem(dot, err.Error())
			return place{}, errBroken
		}
		at, err := f.gitDir(target)
		if err != nil {
			f.problem(dot, fmt.Sprintf("leads to %q, which is no git directory", target))
			return place{}, errBroken
		}
		at.top = dir
		return at, nil
	case err == nil:
		f.problem(dot, "is neither a directory nor a file")
	}
	return f.gitDir(dir)
}

// gitDir returns the place of a git directory, or fs.ErrNotExist if the folder is not one.
// Like git, it checks HEAD, objects and refs.
func (f *finder) gitDir(path string) (place, error) {
	info, err := os.Lstat(filepath.Join(path, "HEAD"))
	if err != nil || info.IsDir() {
		return place{}, fs.ErrNotExist
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return place{}, fs.ErrNotExist
	}
	at := place{gitDir: real, common: real}
	file := filepath.Join(real, "commondir")
	data, err := readSmall(file, maxLine)
	if err == nil {
		at.common, err = follow(real, data)
		if err == nil {
			at.common, err = filepath.EvalSymlinks(at.common)
		}
		if err != nil {
			f.problem(file, reason(err))
			return place{}, fs.ErrNotExist
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		f.problem(file, reason(err))
		return place{}, fs.ErrNotExist
	}
	for _, name := range []string{"objects", "refs"} {
		if info, err := os.Stat(filepath.Join(at.common, name)); err != nil || !info.IsDir() {
			return place{}, fs.ErrNotExist
		}
	}
	return at, nil
}

// gitFile returns the target of a .git file. The target need not exist.
func (f *finder) gitFile(path string) (string, error) {
	data, err := readSmall(path, maxLine)
	if err != nil {
		return "", errors.New(reason(err))
	}
	target, err := parseGitFile(data)
	if err != nil {
		return "", err
	}
	return follow(filepath.Dir(path), []byte(target))
}
