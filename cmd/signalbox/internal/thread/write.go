package thread

import (
	"cmp"
	"context"
	"fmt"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/printed"
	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/lsp/store/threads"
	"github.com/spf13/cobra"
)

// CreatedBy returns what new files say about the program that made them (rule K1).
func CreatedBy(o *cli.Options) atsf.CreatedBy {
	return atsf.CreatedBy{Name: "Signalbox", Version: o.Version}
}

func (t *commands) newCommand() *cobra.Command {
	var n threads.NewThread
	cmd := &cobra.Command{
		Use:   "new --title TITLE",
		Short: "Begin a thread, and print its id",
		Long: `Begin a thread and print its id. It is made in .agent/threads of the checkout that
contains the working directory, or of the --project. A missing .agent is made, with
a .gitignore that keeps conversations out of commits.`,
		Example: `  id=$(signalbox threads new --title "Fix the login")
  signalbox threads append "$id" "Fix the login bug in auth.ts"`,
		Args: cobra.NoArgs,
		RunE: cli.Action(func(cmd *cobra.Command, _ []string) error {
			if n.Title == "" {
				return cli.WrongUse(cmd)
			}
			if n.ID != "" && !atsf.ValidID(n.ID) {
				return cli.Usage(fmt.Errorf("the id %q cannot be the name of a directory everywhere: 1 to 128 of A-Z a-z 0-9 . _ -, beginning with a letter or digit (L3)", n.ID))
			}
			return t.begin(cmd.Context(), n)
		}),
	}
	f := cmd.Flags()
	f.StringVar(&n.Title, "title", "", "`title` of the thread")
	f.StringVar(&n.ID, "id", "", "its `id`, which must be free (default: a random UUID)")
	f.StringVar(&n.Agent.ID, "agent", "", "`id` of the agent (default: the project's)")
	f.StringVar(&n.Agent.Name, "agent-name", "", "`name` of the agent (default: its id)")
	return cmd
}

func (t *commands) begin(ctx context.Context, n threads.NewThread) error {
	folder, tree, err := t.place()
	if err != nil {
		return err
	}
	d, err := threads.CreateDir(folder, CreatedBy(t.Options))
	if err != nil {
		return err
	}
	defer d.Close()
	if n.Agent.ID == "" {
		config, err := d.Config()
		if err != nil {
			t.Warn("%v", err)
		}
		n.Agent.ID = cmp.Or(config.Defaults.AgentID, NoAgent)
	}
	n.Agent.Name = cmp.Or(n.Agent.Name, n.Agent.ID)
	n.Created = t.Now().UnixMilli()
	n.Context = atsf.Context{WorkingDir: folder, RelativeDir: ".", GitBranch: tree.Branch, GitCommit: tree.Head}
	if tree.Path != "" && !tree.Main && tree.Branch != "" {
		n.Context.Worktree = &atsf.Worktree{Path: tree.Path, Branch: tree.Branch}
	}
	name, err := d.Create(ctx, n)
	if err != nil {
		return err
	}
	path := threadPath(d.Folder(), name)
	return t.Result(printed.NewThread{ID: name, File: path}, "%s", name)
}

// NoAgent is the agent of a thread if none was named. The format requires one.
const NoAgent = "unassigned"
