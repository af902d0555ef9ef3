package main

import (
	"context"
	"fmt"

	"github.com/signalbox-dev/signalbox/lsp/store/threads"
	"github.com/signalbox-dev/signalbox/lsp/store/worktree"
	"github.com/spf13/cobra"
)

func (t *trees) listCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "The checkouts of the repository, with the number of their threads",
		Args:  cobra.NoArgs,
		RunE: action(func(cmd *cobra.Command, _ []string) error {
			if err := t.find(); err != nil {
				return err
			}
			return t.list(cmd.Context())
		}),
	}
}

func (t *trees) list(ctx context.Context) error {
	// Threads of a worktree that is missing are known from the cache.
	snap, err := threads.Scan(ctx, threads.Config{Folders: []string{t.folder}, StateDir: t.env.StateDir()})
	if err != nil {
		return err
	}
	count := make(map[string]int)
	for _, f := range snap.Folders {
		count[f.Path] += f.Threads
	}
	w := t.writer()
	for _, tree := range t.repo.Trees {
		path, n := tree.Path, count[tree.Path]
		if path == "" {
			path, n = tree.GitDir, 0
		}
		if t.json {
			out := object{w: w}
			out.text("path", path).text("branch", tree.Branch).text("commit", tree.Head).text("state", state(tree))
			out.text("reason", tree.Reason).number("threads", int64(n)).end()
			continue
		}
		fmt.Fprintf(w, "%s  %s  %s", threadName(path), branchName(tree), plural(n, "thread"))
		if s := state(tree); s != "" {
			fmt.Fprintf(w, "  %s", s)
			if tree.Reason != "" {
				fmt.Fprintf(w, " (%s)", line(tree.Reason))
			}
		}
		w.WriteByte('\n')
	}
	return w.Flush()
}

// state is what is special about a checkout.
func state(t worktree.Tree) string {
	switch {
	case t.Bare:
		return "bare"
	case t.Missing && t.Locked:
		return "missing, locked"
	case t.Missing:
		return "missing"
	case t.Main:
		return "main"
	case t.Locked:
		return "locked"
	}
	return ""
}

// branchName is what a checkout stands on.
func branchName(t worktree.Tree) string {
	switch {
	case t.Branch != "":
		return threadName(t.Branch)
	case t.Head != "":
		return "(detached at " + t.Head[:min(shortCommit, len(t.Head))] + ")"
	}
	return "(not known)"
}
