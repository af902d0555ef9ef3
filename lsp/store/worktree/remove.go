package worktree

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// DirtyError lists files that would be lost with a worktree.
type DirtyError struct {
	// Path is the worktree.
	Path string
	// Files are relative to it, with "/" between names. They are a stranger's
	// words.
	Files []string
	// Filtered reports that filters of the repository's own were not run, so that
	// Files can hold some that did not change.
	Filtered bool
	// Submodules reports that submodules are checked out, whose commits may be
	// nowhere else.
	Submodules bool
}

func (e *DirtyError) Error() string {
	const few = 5
	if len(e.Files) == 0 {
		return fmt.Sprintf("worktree: %q contains submodules, whose commits would be lost", e.Path)
	}
	list := strings.Join(e.Files[:min(few, len(e.Files))], ", ")
	if n := len(e.Files) - few; n > 0 {
		list += fmt.Sprintf(" and %d more", n)
	}
	said := fmt.Sprintf("worktree: %q contains modified or untracked files: %s", e.Path, list)
	if e.Filtered {
		said += " (filters that the repository's own configuration names were not run: if \"git status\" there, which runs them, finds nothing changed, try again)"
	}
	return said
}

// Removable reports whether [Git.Remove] may remove a worktree: an error says
// why not. spare tells which untracked files may go, by their path in the
// worktree with "/" between names: git itself counts those of an agent's
// conversation as work that would be lost. ignored are what git ignores and would
// go, files and whole directories, these with a "/" at the end.
func (g *Git) Removable(ctx context.Context, t Tree, spare func(string) bool) (ignored []string, err error) {
	left := aside(t.Path)
	switch _, there := os.Lstat(left); {
	case t.Main || t.Path == "":
		return nil, errors.New("worktree: the main checkout cannot be removed")
	case t.Locked && t.Reason != "":
		return nil, fmt.Errorf("worktree: %q is locked (%s): see \"git worktree unlock\"", t.Path, t.Reason)
	case t.Locked:
		return nil, fmt.Errorf("worktree: %q is locked: see \"git worktree unlock\"", t.Path)
	case there == nil:
		return nil, fmt.Errorf("worktree: an interrupted removal left %q: move it back to %q and try again, or delete it", left, t.Path)
	case t.Missing:
		return nil, nil
	}
	found, err := g.changes(ctx, t.Path)
	if err != nil {
		return nil, err
	}
	dirty := DirtyError{Path: t.Path, Filtered: found.filtered, Submodules: found.submodules}
	for _, c := range found.list {
		switch {
		case c.kind == ignoredFile:
			ignored = append(ignored, c.file)
		case c.kind == changedFile || !spare(c.file):
			dirty.Files = append(dirty.Files, c.file)
		}
	}
	if _, err := os.Lstat(filepath.Join(t.GitDir, "modules")); err == nil {
		dirty.Submodules = true // git keeps their commits here
	}
	if len(dirty.Files) > 0 || dirty.Submodules {
		return ignored, &dirty
	}
	return ignored, nil
}

// asidePrefix begins the name of a worktree that is being removed.
const asidePrefix = ".signalbox-removed-"

// aside returns where a worktree stands while it is removed. The name is hidden, so that
// no tool takes it for a project.
func aside(path string) string {
	return filepath.Join(filepath.Dir(path), asidePrefix+filepath.Base(path))
}

// Removing reports whether a path lies in a worktree that is being removed. A
// program whose working directory is in there finds itself at such a path.
func Removing(path string) bool {
	return strings.Contains(filepath.ToSlash(path), "/"+asidePrefix)
}

// LeftError means that a worktree was removed, and that its folder could not be deleted
// completely.
type LeftError struct {
	// Path is where the rest of it is.
	Path string
	Err  error
}

func (e *LeftError) Error() string {
	return fmt.Sprintf("worktree: it is removed, but its files could not all be deleted: delete %q yourself: %v", e.Path, e.Err)
}

func (e *LeftError) Unwrap() error { return e.Err }

// Remove removes a worktree of a repository; its branch stays. Unless force is
// set it refuses as [Git.Removable] does, and the error may be a *DirtyError.
//
// The worktree is given another name first, and keep copies from there what is to
// stay: a program that looks once more at the old path after it wrote, and finds
// it, knows that what it wrote is copied. If anything fails the old name comes
// back, unless the error is a *LeftError.
func (g *Git) Remove(ctx context.Context, r *Repository, t Tree, force bool, spare func(string) bool, keep func(at string) error) error {
	_, err := g.Removable(ctx, t, spare)
	if _, dirty := errors.AsType[*DirtyError](err); err != nil && (!dirty || !force) {
		return err
	}
	if t.Missing {
		return g.forget(ctx, r, t)
	}
	at := aside(t.Path)
	if err := os.Rename(t.Path, at); err != nil {
		return fmt.Errorf("worktree: %w", err)
	}
	if err = keep(at); err == nil {
		err = g.forget(ctx, r, t)
	}
	if err != nil {
		if back := os.Rename(at, t.Path); back != nil {
			return fmt.Errorf("%w; its folder is %q now: %w", err, at, back)
		}
		return err
	}
	if err := os.RemoveAll(at); err != nil {
		return &LeftError{at, err}
	}
	return nil
}

// forget has git take a worktree whose folder is not there out of its list.
func (g *Git) forget(ctx context.Context, r *Repository, t Tree) error {
	dir := r.CommonDir
	if main, ok := r.Main(); ok && main.Path != "" && !main.Missing {
		dir = main.Path
	}
	options, err := g.hooksOff(ctx, dir)
	if err == nil {
		_, err = g.run(ctx, dir, options, noFetch(), []string{"worktree", "remove", "--", t.Path})
	}
	return err
}
