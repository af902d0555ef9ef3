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
	// Filtered tells that filters of the repository's own were not run, so that
	// Files can hold some that did not change.
	Filtered bool
}

func (e *DirtyError) Error() string {
	const few = 5
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
// conversation as work that would be lost. whole tells that there were such.
func (g *Git) Removable(ctx context.Context, t Tree, spare func(string) bool) (whole bool, err error) {
	switch {
	case t.Main || t.Path == "":
		return false, errors.New("worktree: the main checkout cannot be removed")
	case t.Locked && t.Reason != "":
		return false, fmt.Errorf("worktree: %q is locked (%s): see \"git worktree unlock\"", t.Path, t.Reason)
	case t.Locked:
		return false, fmt.Errorf("worktree: %q is locked: see \"git worktree unlock\"", t.Path)
	case t.Missing:
		return false, nil
	}
	changes, err := g.changes(ctx, t.Path)
	if err != nil {
		return false, err
	}
	var dirty []string
	for _, c := range changes.list {
		if c.untracked && spare(c.file) {
			whole = true
		} else {
			dirty = append(dirty, c.file)
		}
	}
	if len(dirty) > 0 {
		return whole, &DirtyError{Path: t.Path, Files: dirty, Filtered: changes.filtered}
	}
	if _, err := os.Lstat(filepath.Join(t.GitDir, "modules")); err == nil {
		// git refuses these unless forced, since their commits are in it.
		whole = false
	}
	return whole, nil
}

// Remove removes a worktree of a repository; its branch stays. Unless force is
// set it refuses as [Git.Removable] does, and the error may be a *DirtyError.
func (g *Git) Remove(ctx context.Context, r *Repository, t Tree, force bool, spare func(string) bool) error {
	whole, err := g.Removable(ctx, t, spare)
	if _, dirty := errors.AsType[*DirtyError](err); err != nil && (!dirty || !force) {
		return err
	}
	args := []string{"worktree", "remove"}
	if whole || force {
		args = append(args, "--force")
	}
	dir := r.CommonDir
	if main, ok := r.Main(); ok && main.Path != "" && !main.Missing {
		dir = main.Path
	}
	// Unless forced, git looks for changes in the worktree once more.
	seen := t.Path
	if t.Missing {
		seen = dir
	}
	options, _, err := g.off(ctx, seen)
	if err == nil {
		_, err = g.run(ctx, dir, options, noFetch(), append(args, "--", t.Path))
	}
	return err
}
