package thread

import (
	"fmt"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/printed"
	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/lsp/session/talk"
	"github.com/spf13/cobra"
)

func (t *commands) newCommand() *cobra.Command {
	var n talk.NewThread
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
			return t.begin(n)
		}),
	}
	f := cmd.Flags()
	f.StringVar(&n.Title, "title", "", "`title` of the thread")
	f.StringVar(&n.ID, "id", "", "its `id`, which must be free (default: a random UUID)")
	f.StringVar(&n.Agent.ID, "agent", "", "`id` of the agent (default: the project's)")
	f.StringVar(&n.Agent.Name, "agent-name", "", "`name` of the agent (default: its id)")
	return cmd
}

func (t *commands) begin(n talk.NewThread) error {
	made, err := t.at().Begin(n)
	if err != nil {
		return err
	}
	defer made.Close()
	return t.Result(printed.NewThread{ID: made.Name, File: made.File()}, "%s", made.Name)
}
