package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/lsp/store/threads"
	"github.com/signalbox-dev/signalbox/lsp/store/worktree"
	"github.com/spf13/cobra"
)

func (t *trees) removeCommand() *cobra.Command {
	var force bool
	cmd := &cobra.Command{
		Use:   "remove <name or path>",
		Short: "Archive a worktree's threads and remove it",
		Long: `Remove a worktree, named by its folder or its branch. Its threads are copied
first, and stay listed; its branch stays too. A worktree with changes that are
not committed is kept, unless --force is given; the one you stand in, a locked one
and the main checkout are kept in any case.`,
		Args: oneName("remove <name or path>"),
		RunE: action(func(cmd *cobra.Command, args []string) error {
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
	cmd.Flags().BoolVar(&t.yes, "yes", false, "do it without asking")
	return cmd
}

// choose finds a worktree by its path, else by the name of its folder or its
// branch.
func (t *trees) choose(name string) (worktree.Tree, error) {
	path := t.absolute(name)
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

func (t *trees) remove(ctx context.Context, tree worktree.Tree, force bool) error {
	if work, err := filepath.EvalSymlinks(t.env.Work); err == nil && tree.Path != "" {
		if rel, err := filepath.Rel(tree.Path, work); err == nil && filepath.IsLocal(rel) {
			return fmt.Errorf("worktree: %q is where you stand: leave it first", tree.Path)
		}
	}
	spare := t.spare(tree)
	_, err := t.git().Removable(ctx, tree, spare)
	dirty, isDirty := errors.AsType[*worktree.DirtyError](err)
	if err != nil && (!isDirty || !force) {
		return fmt.Errorf("nothing was removed: %w", err)
	}
	n := countThreads(ctx, tree)
	if err := t.showRemoval(tree, n, dirty); err != nil {
		return err
	}
	if err := t.confirm(t.yes); err != nil {
		return err
	}
	if !tree.Missing {
		if err := threads.Archive(ctx, t.env.StateDir(), tree.Path); err != nil {
			return fmt.Errorf("nothing was removed: %w", err)
		}
	}
	if err := t.git().Remove(ctx, &t.repo, tree, force, spare); err != nil {
		return fmt.Errorf("the worktree is kept: %w", err)
	}
	w := t.writer()
	if t.json {
		out := object{w: w}
		out.text("removed", tree.Path).text("branch", tree.Branch).number("threads", int64(n)).end()
	} else {
		fmt.Fprintf(w, "removed %s threads=%d\n", threadName(tree.Path), n)
	}
	return w.Flush()
}

func (t *trees) showRemoval(tree worktree.Tree, n int, dirty *worktree.DirtyError) error {
	s := t.sheet()
	s.w.WriteString("This will be done:\n")
	s.row("archive", "%s, which stay listed", plural(n, "thread"))
	s.row("remove", "%s", tree.Path)
	if tree.Branch != "" {
		s.row("keep", "the branch %s", tree.Branch)
	}
	if dirty != nil {
		for _, file := range dirty.Files {
			s.row("lose", "%s", file)
		}
	}
	return s.w.Flush()
}

func countThreads(ctx context.Context, tree worktree.Tree) int {
	d, err := threads.Open(tree.Path)
	if err != nil {
		return 0
	}
	defer d.Close()
	items, _, err := d.List(ctx)
	if err != nil {
		return 0
	}
	return len(items)
}

// spare tells which untracked files of a worktree are no work that would be
// lost: threads, which are archived, what we made beside them, and links that
// hooks made into another checkout.
func (t *trees) spare(tree worktree.Tree) func(string) bool {
	return func(file string) bool {
		path := filepath.Join(tree.Path, filepath.FromSlash(file))
		info, err := os.Lstat(path)
		if err != nil {
			return false
		}
		if info.Mode()&fs.ModeSymlink != 0 {
			to, err := os.Readlink(path)
			return err == nil && filepath.IsAbs(to) && t.shared(filepath.Clean(to), tree)
		}
		if !info.Mode().IsRegular() {
			return false
		}
		switch name, ours := strings.CutPrefix(file, atsf.DirName+"/"); {
		case !ours:
			return false
		case name == atsf.IgnoreName:
			data, err := readShort(path)
			return err == nil && string(data) == atsf.Gitignore
		case name == atsf.ConfigName:
			data, err := readShort(path)
			return err == nil && isOurConfig(data)
		default:
			return threads.Archives(name)
		}
	}
}

// shared reports whether a path lies in another checkout than tree, or in the
// folder that holds a hidden bare repository and its worktrees.
func (t *trees) shared(path string, tree worktree.Tree) bool {
	if other, ok := t.repo.At(path); ok {
		return other.Path != tree.Path
	}
	project, hidden := filepath.Split(t.repo.CommonDir)
	return strings.HasPrefix(hidden, ".") && strings.HasPrefix(path, project)
}

// readShort reads a file that is as short as those that we make.
func readShort(path string) ([]byte, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > 4<<10 {
		return nil, errors.New("no short file") // a FIFO would have to be waited for
	}
	return os.ReadFile(path)
}

// isOurConfig tells a config.json as we make it, with nothing of the user's.
func isOurConfig(data []byte) bool {
	c, err := atsf.ParseConfig(data)
	if err != nil || c.CreatedBy == nil {
		return false
	}
	made, err := atsf.BuildConfig(*c.CreatedBy)
	return err == nil && bytes.Equal(made, data)
}
