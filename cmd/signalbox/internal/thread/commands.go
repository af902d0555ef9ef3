// Package thread holds the commands about threads of agents (ATSF).
package thread

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/lsp/store/threads"
	"github.com/signalbox-dev/signalbox/lsp/store/worktree"
	"github.com/spf13/cobra"
)

// Command returns the command threads with those below it, and with search.
func Command(o *cli.Options, search *cobra.Command) *cobra.Command {
	t := &commands{Options: o}
	cmd := &cobra.Command{
		Use:         "threads",
		Annotations: cli.Uses("json", "color"),
		Example: `  signalbox threads list
  signalbox threads show 3f2a --limit 5
  signalbox threads search login`,
		Short: "Conversations of agents in a project and its worktrees",
		Long: `List, show, write and check the threads of agents (ATSF 1.x). They are in
.agent/threads of a project and of each of its git worktrees. Sessions that Claude
Code, Codex, Gemini CLI and Copilot CLI recorded there are listed and shown too.

"signalbox help names" says how a thread is named.`,
		Args: cobra.NoArgs,
		RunE: cli.Help,
	}
	cmd.PersistentFlags().StringVar(&t.project, "project", "", "a `folder` of the project (default: the working directory)")
	_ = cmd.MarkPersistentFlagDirname("project")
	cmd.AddCommand(
		t.listCommand(), t.showCommand(), search, t.newCommand(), t.appendCommand(), t.importCommand(), t.checkCommand(),
	)
	return cmd
}

// commands is the state that the commands about threads share.
type commands struct {
	*cli.Options
	project string
}

// folder returns the project's folder.
func (t *commands) folder() string { return t.Absolute(t.project) }

// scan reads the project and all its worktrees, or those of other folders.
func (t *commands) scan(ctx context.Context, folders ...string) (*threads.Snapshot, error) {
	if info, err := os.Stat(t.folder()); err != nil {
		return nil, fmt.Errorf("threads: %w", err)
	} else if !info.IsDir() {
		return nil, fmt.Errorf("threads: %q is no directory", t.folder())
	}
	if folders == nil {
		folders = []string{t.folder()}
	}
	return threads.Scan(ctx, threads.Config{Folders: folders, StateDir: t.Env.StateDir()})
}

// talk is one thread that was found. Its owner closes dir.
type talk struct {
	dir  *threads.Dir
	name string
	// item is the list entry, and folder the path of its project.
	item   *threads.Item
	folder string
}

// find finds the thread that the user names.
func (t *commands) find(ctx context.Context, ref string) (*talk, error) {
	if strings.ContainsRune(ref, filepath.Separator) || strings.Contains(ref, "/") || ref == "." || ref == ".." {
		return t.findPath(ref)
	}
	// The whole id of a thread in this folder needs no look at the worktrees.
	if found, err := findIn(t.folder(), ref); err == nil {
		return found, nil
	}
	snap, err := t.scan(ctx)
	if err != nil {
		return nil, err
	}
	item, err := t.choose(snap, ref)
	if errors.Is(err, threads.ErrNotFound) {
		if found, err := t.findPath(ref); err == nil {
			return found, nil
		}
	}
	if err != nil {
		return nil, err
	}
	d, err := snap.Open(threads.Key{Folder: item.Folder, Name: item.Name})
	if err != nil {
		return nil, err
	}
	folder, _ := snap.Folder(item.Folder)
	return &talk{dir: d, name: item.Name, item: item, folder: folder.Path}, nil
}

// findPath finds a thread by the path of its directory.
func (t *commands) findPath(path string) (*talk, error) {
	d, name, err := threads.OpenThread(t.Absolute(path))
	if err != nil {
		return nil, err
	}
	return opened(d, name)
}

// findIn finds a thread of a folder by its name.
func findIn(folder, name string) (*talk, error) {
	d, err := threads.Open(folder)
	if err != nil {
		return nil, err
	}
	return opened(d, name)
}

func opened(d *threads.Dir, name string) (*talk, error) {
	item, err := d.Item(name)
	if err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return &talk{dir: d, name: name, item: item, folder: d.Folder()}, nil
}

// choose returns the one thread that an id or the beginning of one names. If several
// have the same id, it is the one in the project's own folder.
func (t *commands) choose(snap *threads.Snapshot, ref string) (*threads.Item, error) {
	hits := snap.ByID(ref)
	if len(hits) == 0 && ref != "" {
		for _, item := range snap.Items {
			if strings.HasPrefix(item.Name, ref) || strings.HasPrefix(item.Thread.ID, ref) {
				hits = append(hits, item)
			}
		}
	}
	if len(hits) > 1 {
		if own := ownOf(snap, hits, t.folder()); own != nil {
			return own, nil
		}
	}
	switch len(hits) {
	case 0:
		return nil, fmt.Errorf("threads: thread %q: %w in %q and its worktrees", ref, threads.ErrNotFound, t.folder())
	case 1:
		return hits[0], nil
	}
	var list []string
	for _, item := range hits {
		f, _ := snap.Folder(item.Folder)
		list = append(list, cli.Line(item.Name)+"  "+cli.Line(threadPath(f.Path, item.Name)))
	}
	return nil, cli.Ambiguous(fmt.Sprintf("threads: %q names %d threads: give more of the id, or the path", ref, len(hits)), list)
}

// ownOf returns the only thread of a folder among several with the same id, or nil.
func ownOf(snap *threads.Snapshot, hits []*threads.Item, folder string) *threads.Item {
	if real, err := filepath.EvalSymlinks(folder); err == nil {
		folder = real
	}
	var own *threads.Item
	for _, item := range hits {
		if item.Name != hits[0].Name {
			return nil
		}
		if f, ok := snap.Folder(item.Folder); ok && !item.Gone && f.Path == folder {
			if own != nil {
				return nil
			}
			own = item
		}
	}
	return own
}

// threadPath returns the path of a thread in a folder.
func threadPath(folder, name string) string {
	return filepath.Join(folder, atsf.DirName, atsf.ThreadsName, name)
}

// findWritable finds a thread to write to.
func (t *commands) findWritable(ctx context.Context, ref string) (*talk, error) {
	found, err := t.find(ctx, ref)
	if err != nil {
		return nil, err
	}
	if found.item.Gone {
		return nil, errors.Join(fmt.Errorf("threads: %q cannot be written to: its worktree was removed, and only a copy of it is kept", found.name), found.dir.Close())
	}
	return found, nil
}

// place returns the folder for a new thread: the checkout that contains the working
// directory (rule L5), or the folder that was named.
func (t *commands) place() (folder string, tree worktree.Tree, err error) {
	folder, err = filepath.EvalSymlinks(t.folder())
	if err != nil {
		return "", tree, fmt.Errorf("threads: new: %w", err)
	}
	repo, err := worktree.Find(folder)
	if err != nil {
		return folder, worktree.Tree{}, nil //nolint:nilerr // no repository, or none that can be read: the folder itself
	}
	tree, ok := repo.At(folder)
	if !ok {
		return folder, worktree.Tree{}, nil
	}
	if t.project == "" && tree.Path != "" {
		folder = tree.Path
	}
	return folder, tree, nil
}

// textArgs checks that a command got a thread. The text after it may be empty.
func textArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 || args[0] == "" {
		return cli.WrongUse(cmd)
	}
	return nil
}
