// Package worktree holds the commands that make and list git worktrees, each with its own thread.
package worktree

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/lsp/session/talk"
	"github.com/signalbox-dev/signalbox/lsp/worktree"
	"github.com/spf13/cobra"
)

// Command returns the command worktree with its subcommands.
func Command(o *cli.Options) *cobra.Command {
	t := &commands{Options: o}
	cmd := &cobra.Command{
		Use:         "worktree",
		Annotations: cli.Uses("json", "color"),
		Example: `  signalbox worktree add login
  signalbox worktree list`,
		Short: "Git worktrees with a thread of their own",
		Long: `Make and list git worktrees, each with a thread for the agent that works there. add
shows what it will do and asks before it does it; a script says --yes. "git worktree
remove" removes one, and its threads and sessions stay listed.`,
		Args: cobra.NoArgs,
		RunE: cli.Help,
	}
	cmd.PersistentFlags().StringVar(&t.project, "project", "", "a `folder` of the repository (default: the working directory)")
	_ = cmd.MarkPersistentFlagDirname("project")
	cmd.AddCommand(t.addCommand(), t.listCommand())
	return cmd
}

// commands is the state that the two commands share.
type commands struct {
	*cli.Options
	project string

	folder string // the project's folder, absolute, links resolved
	repo   worktree.Repository
}

// find finds the repository of the folder.
func (t *commands) find() error {
	folder := t.Absolute(t.project)
	real, err := filepath.EvalSymlinks(folder)
	if err != nil {
		return fmt.Errorf("worktree: find: %w", err)
	}
	t.folder = real
	if t.repo, err = worktree.Find(real); err != nil {
		return err
	}
	for _, p := range t.repo.Problems {
		t.Warn("%s %s", p.File, p.Reason)
	}
	if t.repo.CommonDir == "" {
		return fmt.Errorf("worktree: %q is in no git repository that can be read", folder)
	}
	return nil
}

// note records the checkouts, so that their sessions stay listed when one is removed.
func (t *commands) note(ctx context.Context, p *talk.Project) {
	if err := p.Note(ctx); err != nil {
		t.Warn("%v", err)
	}
}

// here returns the checkout that contains the folder, or the main checkout.
func (t *commands) here() worktree.Tree {
	if tree, ok := t.repo.At(t.folder); ok {
		return tree
	}
	main, _ := t.repo.Main()
	return main
}

// git returns a git that runs in the user's environment.
func (t *commands) git() *worktree.Git { return &worktree.Git{Env: os.Environ()} }
