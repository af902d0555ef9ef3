package thread

import (
	"fmt"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/printed"
	"github.com/signalbox-dev/signalbox/lsp/session/talk"
	"github.com/spf13/cobra"
)

func (t *commands) importCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "import <session>",
		Short: "Write a session of an agent's program as a thread, and print its id",
		Long: `Write a session that Claude Code, Codex, Gemini CLI or Copilot CLI recorded as a
thread into .agent of the checkout that contains the working directory, or of the
--project, for tools that read ATSF. The program's own file stays as it is. Images
become files in assets/.

What ATSF cannot hold is said at the end: notes and messages between agents become
text, links to subagents are left out. Keys and tokens of known shapes are masked.`,
		Example: `  signalbox threads list
  signalbox threads import d1b4364c`,
		Args:              cli.Args(1, 1),
		ValidArgsFunction: cli.Completing(1, t.offer(false, true)),
		RunE: t.Working("importing", func(cmd *cobra.Command, args []string) error {
			list, it, err := t.session(cmd.Context(), args[0], false)
			if err == nil && it == nil {
				err = fmt.Errorf("threads: import: there is no session %q of this project", args[0])
			}
			if err != nil {
				return err
			}
			made, lost, err := list.Import(cmd.Context(), it)
			if err != nil {
				return err
			}
			t.warnLosses(&lost)
			return t.Result(printed.Imported{
				ID: made.Name, Path: made.File(), Client: it.Session.Format.Client, Session: it.ID, File: it.Session.File,
			}, "%s", made.Name)
		}),
	}
}

// warnLosses warns what ATSF could not hold.
func (t *commands) warnLosses(l *talk.Losses) {
	for _, n := range []struct {
		count int
		what  string
		now   string
	}{
		{l.Gaps, "line", "could not be read and left out"},
		{l.Notes, "note", "written as text"},
		{l.Senders, "message", "from one agent to another: written with sender and receiver as text"},
		{l.Subagents, "link", "to a subagent's session: left out"},
		{l.Images, "image", "could not be taken over"},
	} {
		if n.count > 0 {
			t.Warn("%s: %s", cli.Plural(n.count, n.what), n.now)
		}
	}
}
