package worktree

import (
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/printed"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/thread"
	"github.com/signalbox-dev/signalbox/lsp/worktree"
	"github.com/spf13/cobra"
)

func (t *commands) listCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "list",
		Example: `  signalbox worktree list`,
		Short:   "The checkouts of the repository, with the number of their threads",
		Args:    cobra.NoArgs,
		RunE:    cli.Action(t.list),
	}
}

func (t *commands) list(cmd *cobra.Command, _ []string) error {
	if err := t.find(); err != nil {
		return err
	}
	in := thread.Project(t.Options, t.folder, true)
	t.note(cmd.Context(), in)
	// The cache knows the threads of a missing worktree.
	known, err := in.Threads(cmd.Context())
	if err != nil {
		return err
	}
	count := make(map[string]int)
	for _, f := range known.Folders {
		count[f.Path] += f.Threads
	}
	w := t.Writer()
	var table *cli.Table
	if t.OnScreen() {
		table = t.Table(w, cli.Column{Title: "BRANCH", Least: 12}, cli.Column{Title: "THREADS"}, cli.Column{Title: "STATE"}, cli.Column{Title: "PATH", Least: 20})
	}
	for _, tree := range t.repo.Trees {
		path, n := tree.Path, count[tree.Path]
		if path == "" {
			path, n = tree.GitDir, 0
		}
		if table != nil {
			table.Row(cli.Cell{Text: branchName(tree), Style: cli.Bold}, cli.Cell{Text: cli.Number(n)}, cli.Cell{Text: state(tree)}, cli.Cell{Text: cli.WholeLine(path)})
			continue
		}
		mark := state(tree)
		if mark != "" {
			mark = "  " + mark
			if tree.Reason != "" {
				mark += " (" + cli.Line(tree.Reason) + ")"
			}
		}
		t.Row(w, printed.Worktree{
			Worktree: path, Branch: tree.Branch, Commit: tree.Head, State: state(tree), Reason: tree.Reason, Threads: n,
		}, "%s  %s  %s%s", cli.WholeLine(path), branchName(tree), cli.Plural(n, "thread"), mark)
	}
	if table != nil {
		table.Write()
	}
	return w.Flush()
}

// state returns the state of a checkout, or "" for an ordinary worktree.
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

// branchName returns a checkout's branch or commit.
func branchName(t worktree.Tree) string {
	switch {
	case t.Branch != "":
		return cli.WholeLine(t.Branch)
	case t.Head != "":
		return "(detached at " + t.Head[:min(shortCommit, len(t.Head))] + ")"
	}
	return "(not known)"
}
