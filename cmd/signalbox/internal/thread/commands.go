// Package thread holds the commands about threads of agents (ATSF).
package thread

import (
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/lsp/session/talk"
	"github.com/spf13/cobra"
)

// Command returns the command threads with its subcommands, including search.
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

// at returns the project of the folder.
func (t *commands) at() *talk.Project { return Project(t.Options, t.folder(), t.project != "") }

// Project returns the project of a folder, with the threads and sessions of its agents.
func Project(o *cli.Options, folder string, chosen bool) *talk.Project {
	return &talk.Project{
		Env: o.Env, Folder: folder, Chosen: chosen, By: atsf.CreatedBy{Name: "Signalbox", Version: o.Version}, Now: o.Now, Warn: o.Warn,
	}
}

// textArgs checks that the first argument is a thread. The text after it may be empty.
func textArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 || args[0] == "" {
		return cli.WrongUse(cmd)
	}
	return nil
}
