package thread

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

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
	return t.madeThread(name, d.Folder())
}

// madeThread prints the id of a new thread.
func (t *commands) madeThread(name, folder string) error {
	return t.Result(printed.NewThread{ID: name, File: threadPath(folder, name), Path: threadPath(folder, name)}, "%s", name)
}

func (t *commands) forkCommand() *cobra.Command {
	var p atsf.ForkPlan
	cmd := &cobra.Command{
		Use:     "fork <thread>",
		Example: `  signalbox threads fork 3f2a --title "Another way"`,
		Short:   "Continue a thread as another one, and print that one's id",
		Long: `Make a thread that begins with another one's messages, all or up to --through,
and names it as its parent. The images that these messages show are copied.`,
		Args:              cli.Args(1, 1),
		ValidArgsFunction: cli.Completing(1, t.offerThreads),
		RunE: cli.Action(func(cmd *cobra.Command, args []string) error {
			found, err := t.findWritable(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			defer found.dir.Close()
			p.Created = t.Now().UnixMilli()
			name, err := found.dir.Fork(cmd.Context(), found.name, p)
			if err != nil {
				return err
			}
			return t.madeThread(name, found.dir.Folder())
		}),
	}
	cmd.Flags().StringVar(&p.Through, "through", "", "`id` of the last message that is taken over (default: all)")
	cmd.Flags().StringVar(&p.Title, "title", "", "`title` of the new thread (default: the old one's)")
	return cmd
}

func (t *commands) setCommand() *cobra.Command {
	var title string
	cmd := &cobra.Command{
		Use:   "set <thread> [KEY=JSON…]",
		Short: "Give a thread another title, or set members of its metadata",
		Long: `Give a thread another title, or set members of its metadata to JSON values. Every
other byte of thread.json stays.`,
		Example: `  signalbox threads set 3f2a --title "Fix the login for good"
  signalbox threads set 3f2a reviewed=true 'labels=["auth"]'`,
		Args:              cli.Args(1, -1),
		ValidArgsFunction: cli.Completing(1, t.offerThreads),
		RunE: cli.Action(func(cmd *cobra.Command, args []string) error {
			changes, err := settings(title, args[1:])
			if err != nil {
				return cli.Usage(err)
			}
			found, err := t.findWritable(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			defer found.dir.Close()
			return found.dir.Edit(cmd.Context(), found.name, changes...)
		}),
	}
	cmd.Flags().StringVar(&title, "title", "", "the new `title`")
	return cmd
}

// settings parses the changes to make.
func settings(title string, args []string) ([]atsf.Change, error) {
	var changes []atsf.Change
	if title != "" {
		changes = append(changes, atsf.SetTitle(title))
	}
	for _, arg := range args {
		key, value, ok := strings.Cut(arg, "=")
		if !ok || key == "" {
			return nil, fmt.Errorf("%q is not KEY=JSON", arg)
		}
		if !json.Valid([]byte(value)) {
			return nil, fmt.Errorf("the value of %q is not JSON: a text needs quotes, as in '%s=\"…\"'", key, key)
		}
		changes = append(changes, atsf.SetMetadata(key, []byte(value)))
	}
	if len(changes) == 0 {
		return nil, errors.New("nothing to set: give --title or KEY=JSON")
	}
	return changes, nil
}

func (t *commands) repairCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "repair <thread>",
		Example: `  signalbox threads repair 3f2a`,
		Short:   "Bring a thread's counts and time in line with its messages",
		Long: `Bring stats and updatedAt of a thread's thread.json in line with its messages, and
say what was wrong. Every other byte stays.`,
		Args:              cli.Args(1, 1),
		ValidArgsFunction: cli.Completing(1, t.offerThreads),
		RunE:              cli.Action(t.repair),
	}
}

func (t *commands) repair(cmd *cobra.Command, args []string) error {
	found, err := t.findWritable(cmd.Context(), args[0])
	if err != nil {
		return err
	}
	defer found.dir.Close()
	changed, err := found.dir.Repair(cmd.Context(), found.name)
	if err != nil {
		return err
	}
	w := t.Writer()
	for _, m := range changed {
		t.Row(w, printed.Repaired{Field: m.Field, Cached: m.Cached, Derived: m.Derived}, "%s: %s -> %s", cli.Line(m.Field), cli.Line(cmp.Or(m.Cached, "(none)")), cli.Line(m.Derived))
	}
	if len(changed) == 0 && !t.JSON {
		w.WriteString("nothing to repair\n")
	}
	return w.Flush()
}

// NoAgent is the agent of a thread if none was named. The format requires one.
const NoAgent = "unassigned"
