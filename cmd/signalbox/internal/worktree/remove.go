package worktree

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/printed"
	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/lsp/store/project"
	"github.com/signalbox-dev/signalbox/lsp/store/threads"
	"github.com/signalbox-dev/signalbox/lsp/store/worktree"
	"github.com/spf13/cobra"
)

func (t *commands) removeCommand() *cobra.Command {
	var force bool
	cmd := &cobra.Command{
		Use:     "remove <name or path>",
		Example: `  signalbox worktree remove login`,
		Short:   "Archive a worktree's threads and remove it",
		Long: `Remove a worktree, named by its folder or its branch. Its threads, with the threads
of its subfolders, are copied first and stay listed; its branch stays too. A worktree
with changes that are not committed is kept, unless --force is given. The
worktree that you are in, a locked one and the main checkout are always kept. Files that git
ignores go, and are named before.`,
		Args:              cli.Args(1, 1),
		ValidArgsFunction: cli.Completing(1, t.offerWorktrees),
		RunE: cli.Action(func(cmd *cobra.Command, args []string) error {
			if err := t.find(); err != nil {
				return err
			}
			tree, err := t.choose(args[0])
			if err != nil {
				return err
			}
			return t.remove(cmd.Context(), tree, force)
		}),
	}
	cmd.Flags().BoolVar(&force, "force", false, "remove it with the changes in it")
	cmd.Flags().BoolVarP(&t.yes, "yes", "y", false, "do not ask")
	return cmd
}

// offerWorktrees offers the names of worktrees that can be removed.
func (t *commands) offerWorktrees(_ context.Context, f *cli.Offers) {
	real, err := filepath.EvalSymlinks(t.Absolute(t.project))
	if err != nil {
		return
	}
	repo, err := worktree.Find(real)
	if err != nil {
		return
	}
	for _, tree := range repo.Trees {
		if tree.Path != "" && !tree.Main && !tree.Bare && !tree.Locked {
			f.Add(filepath.Base(tree.Path), branchName(tree))
		}
	}
}

// choose finds a worktree by its path, else by the name of its folder or its
// branch.
func (t *commands) choose(name string) (worktree.Tree, error) {
	path := t.Absolute(name)
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	var hits []worktree.Tree
	for _, tree := range t.repo.Trees {
		switch {
		case tree.Path == "":
		case tree.Path == path:
			return tree, nil
		case filepath.Base(tree.Path) == name, tree.Branch == name, filepath.Base(tree.Path) == strings.ReplaceAll(name, "/", "-"):
			hits = append(hits, tree)
		}
	}
	switch len(hits) {
	case 0:
		return worktree.Tree{}, fmt.Errorf("no worktree of this repository is called %q (see \"signalbox worktree list\")", name)
	case 1:
		return hits[0], nil
	}
	return worktree.Tree{}, fmt.Errorf("%q can be the worktree at %q or at %q: give the path", name, hits[0].Path, hits[1].Path)
}

func (t *commands) remove(ctx context.Context, tree worktree.Tree, force bool) error {
	if work, err := filepath.EvalSymlinks(t.Env.Work); err == nil && tree.Path != "" {
		if rel, err := filepath.Rel(tree.Path, work); err == nil && filepath.IsLocal(rel) {
			return fmt.Errorf("worktree: leave %q first: you are in it", tree.Path)
		}
	}
	l, err := t.losses(ctx, tree, force)
	if err == nil {
		l.places, err = threadsBelow(ctx, tree)
	}
	if err != nil {
		return fmt.Errorf("nothing was removed: %w", err)
	}
	n, err := t.showRemoval(tree, &l)
	if err != nil {
		return err
	}
	if err := t.Confirm(t.yes); err != nil {
		return err
	}
	// Sessions in it stay listed.
	err = project.At(t.Env.StateDir()).Note(ctx, t.Now().UnixMilli(), []project.Seen{{Repository: t.repo}}, t.git().Roots)
	if err != nil {
		t.Warn("%v", err)
	}
	folder := threads.Folder{Path: tree.Path, Repository: t.repo.CommonDir, Branch: tree.Branch, Head: tree.Head, Git: true}
	err = t.git().Remove(ctx, &t.repo, tree, force, t.spare(tree), func(at string) error {
		return threads.Archive(ctx, t.Env.StateDir(), folder, at)
	})
	if _, left := errors.AsType[*worktree.LeftError](err); left {
		return err
	}
	if err != nil {
		return fmt.Errorf("nothing was removed: %w", err)
	}
	return t.Result(printed.RemovedWorktree{Removed: tree.Path, Branch: tree.Branch, Threads: n}, "removed %s threads=%d", cli.WholeLine(tree.Path), n)
}

// removal says what is removed and what is lost.
type removal struct {
	places []place
	// dirty is nil if nothing is uncommitted. ignored are files, and directories with
	// "/" at the end, that are not copied.
	dirty   *worktree.DirtyError
	ignored []string
}

// losses finds what would be lost. An error says why nothing may be removed.
func (t *commands) losses(ctx context.Context, tree worktree.Tree, force bool) (l removal, err error) {
	spare := t.spare(tree)
	all, err := t.git().Removable(ctx, tree, spare)
	var isDirty bool
	if l.dirty, isDirty = errors.AsType[*worktree.DirtyError](err); err != nil && (!isDirty || !force) {
		return l, err
	}
	for _, file := range all {
		if _, ours := inAgent(file); !ours || !strings.HasSuffix(file, "/") {
			if !spare(file) {
				l.ignored = append(l.ignored, file)
			}
			continue
		}
		// Part of the directory is copied.
		err := filepath.WalkDir(filepath.Join(tree.Path, filepath.FromSlash(file)), func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			rel, err := filepath.Rel(tree.Path, path)
			if rel = filepath.ToSlash(rel); err == nil && !spare(rel) {
				l.ignored = append(l.ignored, rel)
			}
			return err
		})
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return l, fmt.Errorf("worktree: %w", err)
		}
	}
	return l, nil
}

// place is a folder of a worktree with threads.
type place struct {
	folder  string // "." for the worktree itself
	threads int
}

func threadsBelow(ctx context.Context, tree worktree.Tree) (list []place, err error) {
	if tree.Missing {
		return nil, nil
	}
	folders, err := threads.Below(ctx, tree.Path)
	for _, rel := range folders {
		d, err := threads.Open(filepath.Join(tree.Path, rel))
		if err != nil {
			return nil, err
		}
		items, _, err := d.List(ctx)
		if err = errors.Join(err, d.Close()); err != nil {
			return nil, err
		}
		if len(items) > 0 {
			list = append(list, place{rel, len(items)})
		}
	}
	return list, err
}

// maxRows is how many folders and ignored files a sheet names. All are counted.
const maxRows = 20

// showRemoval shows what will be done, and returns the number of threads.
func (t *commands) showRemoval(tree worktree.Tree, l *removal) (n int, err error) {
	for _, p := range l.places {
		n += p.threads
	}
	s := t.Sheet()
	s.W.WriteString("This will be done:\n")
	s.Row("archive", "%s, which stay listed", cli.Plural(n, "thread"))
	for i, p := range l.places {
		if i == maxRows {
			s.Row("", "and in %d more folders", len(l.places)-i)
			break
		}
		if p.folder != "." {
			s.Row("", "%d in %s", p.threads, filepath.ToSlash(p.folder))
		}
	}
	s.Row("remove", "%s", tree.Path)
	if tree.Branch != "" {
		s.Row("keep", "the branch %s", tree.Branch)
	}
	if l.dirty != nil {
		for _, file := range l.dirty.Files {
			s.Row("lose", "%s", file)
		}
		if l.dirty.Submodules {
			s.Row("lose", "submodules, with commits that may be nowhere else")
		}
	}
	for i, file := range l.ignored {
		if i == maxRows {
			s.Row("lose", "%d more that git ignores", len(l.ignored)-i)
			break
		}
		s.Row("lose", "%s, which git ignores", file)
	}
	return n, s.W.Flush()
}

// inAgent returns the part of a path after its first .agent.
func inAgent(file string) (name string, ok bool) {
	_, name, ok = strings.Cut("/"+file, "/"+atsf.DirName+"/")
	return name, ok
}

// spare returns a function that reports whether an untracked file may go without loss:
// threads, which are archived, files that we made, and links from hooks into another
// checkout.
func (t *commands) spare(tree worktree.Tree) func(string) bool {
	return func(file string) bool {
		path := filepath.Join(tree.Path, filepath.FromSlash(file))
		info, err := os.Lstat(path)
		if err != nil {
			// The file may have been a writer's temporary file.
			return errors.Is(err, fs.ErrNotExist)
		}
		if info.Mode()&fs.ModeSymlink != 0 {
			to, err := os.Readlink(path)
			return err == nil && filepath.IsAbs(to) && t.shared(filepath.Clean(to), tree)
		}
		if !info.Mode().IsRegular() {
			return false
		}
		name, ours := inAgent(file)
		if !ours || name != atsf.IgnoreName && name != atsf.ConfigName {
			return ours && threads.Archives(name)
		}
		if info.Size() > 4<<10 {
			return false // longer than what we write there
		}
		data, err := os.ReadFile(path)
		if name == atsf.IgnoreName {
			return err == nil && string(data) == atsf.Gitignore
		}
		return err == nil && isOurConfig(data)
	}
}

// shared reports whether a path lies in another checkout than tree, or in the
// folder that holds a hidden bare repository and its worktrees.
func (t *commands) shared(path string, tree worktree.Tree) bool {
	if other, ok := t.repo.At(path); ok {
		return other.Path != tree.Path
	}
	project, hidden := filepath.Split(t.repo.CommonDir)
	return strings.HasPrefix(hidden, ".") && strings.HasPrefix(path, project)
}

// isOurConfig reports whether a config.json is as we write it, without changes by the
// user.
func isOurConfig(data []byte) bool {
	c, err := atsf.ParseConfig(data)
	if err != nil || c.CreatedBy == nil {
		return false
	}
	made, err := atsf.BuildConfig(*c.CreatedBy)
	return err == nil && bytes.Equal(made, data)
}
