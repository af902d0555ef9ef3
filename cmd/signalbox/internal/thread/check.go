package thread

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/printed"
	"github.com/signalbox-dev/signalbox/lsp/session/talk"
	"github.com/spf13/cobra"
)

func (t *commands) checkCommand() *cobra.Command {
	var notes, all bool
	cmd := &cobra.Command{
		Use: "check [DIR]",
		Example: `  signalbox threads check
  signalbox threads check --notes ../shop`,
		Short: "Hold threads against every rule of the format",
		Long: `Check every file of a project's threads: DIR is a folder that holds an .agent, an
.agent directory, or a single thread (default: the project). Each fault is a line
"path: rule: message", with the line's number behind the path where there is one. On
a terminal many faults are counted by rule, with the first of each, unless --all is
given. Exit code 1 if a rule is broken.

Notes break no rule and are shown by --notes: a line that somebody is still
writing, a block that nobody knows, a file that does not belong there.`,
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: cli.CompleteFolders,
		RunE: t.Working("checking", func(cmd *cobra.Command, args []string) error {
			dir := cmp.Or(t.project, ".")
			if len(args) > 0 {
				dir = args[0]
			}
			return t.check(cmd.Context(), dir, notes, all)
		}),
	}
	cmd.Flags().BoolVar(&notes, "notes", false, "show notes, too")
	cmd.Flags().BoolVar(&all, "all", false, "list each of many problems on a terminal, too")
	return cmd
}

func (t *commands) check(ctx context.Context, dir string, notes, all bool) error {
	out := t.Checked(notes)
	if !all {
		out.SumUp()
	}
	err := talk.Check(ctx, t.Absolute(dir), func(f talk.Finding) {
		if !f.Violation && !notes {
			out.Hide(f.Rule)
			return
		}
		path := filepath.Join(dir, filepath.FromSlash(f.Path))
		if t.JSON {
			out.Failed = out.Failed || f.Violation
			_ = cli.Print(out.W, printed.ThreadProblem{ // Flush returns the error
				File: path, Line: f.Line, Rule: f.Rule, Reason: f.Reason, Violation: f.Violation,
			})
			return
		}
		place := cli.WholeLine(path)
		if f.Line > 0 {
			place += fmt.Sprintf(":%d", f.Line)
		}
		if f.Violation {
			out.Fault(place, f.Rule, f.Reason)
		} else {
			out.Note(place, f.Rule, f.Reason, true)
		}
	})
	return cmp.Or(err, out.End())
}
