package thread

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/lsp/store/threads"
	"github.com/spf13/cobra"
)

func (t *commands) checkCommand() *cobra.Command {
	var notes bool
	cmd := &cobra.Command{
		Use:   "check [DIR]",
		Short: "Hold threads against every rule of the format",
		Long: `Check every file of a project's threads: DIR is a folder that holds an .agent, an
.agent directory, or a single thread (default: the project). Each fault is a line
"path: rule: message", with the line's number behind the path where there is one.
Exit code 1 if a rule is broken.

Notes break no rule and are shown by --notes: a line that somebody is still
writing, a block that nobody knows, a file that does not belong there.`,
		Args: cobra.MaximumNArgs(1),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		},
		RunE: cli.Action(func(cmd *cobra.Command, args []string) error {
			if err := given(cmd); err != nil {
				return err
			}
			dir := cmp.Or(t.project, ".")
			if len(args) > 0 {
				dir = args[0]
			}
			return t.check(cmd.Context(), dir, notes)
		}),
	}
	cmd.Flags().BoolVar(&notes, "notes", false, "show notes, too")
	return cmd
}

func (t *commands) check(ctx context.Context, dir string, notes bool) error {
	w, paint := t.Writer(), t.Paint()
	violations := 0
	var noted []string
	err := threads.CheckPath(ctx, t.Absolute(dir), func(f threads.Finding) {
		if f.Violation {
			violations++
		} else if !notes {
			if !slices.Contains(noted, f.Rule) {
				noted = append(noted, f.Rule)
			}
			return
		}
		path := filepath.Join(dir, filepath.FromSlash(f.Path))
		if t.JSON {
			out := cli.NewObject(w)
			out.Text("path", path).Number("line", f.Line).Text("rule", f.Rule).Text("message", f.Reason).Bool("violation", f.Violation).End()
			return
		}
		w.WriteString(cli.WholeLine(path))
		if f.Line > 0 {
			fmt.Fprintf(w, ":%d", f.Line)
		}
		style, kind := cli.Red, ""
		if !f.Violation {
			style, kind = cli.Yellow, "note: "
		}
		w.WriteString(": " + paint.In(style, f.Rule+":") + " " + kind + cli.Line(f.Reason) + "\n")
	})
	if err := cmp.Or(w.Flush(), err); err != nil {
		return err
	}
	if len(noted) > 0 {
		slices.Sort(noted)
		t.Warn("there are notes about %s, which break no rule (--notes shows them)", strings.Join(noted, ", "))
	}
	if violations > 0 {
		return cli.Silent(cli.ExitFailed)
	}
	return nil
}
