package agent

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/printed"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/agents"
	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
	"github.com/spf13/cobra"
)

type commands struct{ *cli.Options }

// Command returns "signalbox agents".
func Command(o *cli.Options) *cobra.Command {
	all := false
	cmd := &cobra.Command{
		Use:         "agents",
		Annotations: cli.Uses("dir", "json", "color"),
		Example: `  signalbox agents
  signalbox agents --all --json`,
		Short: "What the agents on this machine are doing",
		Long: `List the sessions of agents on this machine, in whatever repository, those that wait
for you first: the agent's name, the program it runs in, the worktree and branch,
what it is doing or waiting for, since when, and how much mail it has not read.
Programs tell it by the hooks that "signalbox setup" installs. Sessions that have ended in the last day are listed with --all.`,
		Args: cobra.NoArgs,
		RunE: cli.Action(func(cmd *cobra.Command, _ []string) error {
			return (&commands{o}).list(cmd.Context(), all)
		}),
	}
	cmd.Flags().BoolVar(&all, "all", false, "also those that have ended")
	cmd.AddCommand(logCommand(o))
	return o.Page(cmd)
}

func (b *commands) list(ctx context.Context, all bool) error {
	sessions, errs := agents.At(b.Env.StateDir()).List(b.Now().UnixMilli())
	for _, err := range errs {
		b.Warn("%v", err)
	}
	for _, text := range activity.Remarks(sessions) {
		b.Warn("%s", text)
	}
	slices.SortStableFunc(sessions, func(x, y activity.Session) int { return waits(&y) - waits(&x) })
	w := b.Writer()
	listed := 0
	table := b.Table(w,
		cli.Name("AGENT"), cli.Column{Title: "CLIENT"}, cli.Column{Title: "STATE", Least: 12}, cli.Column{Title: "SINCE"},
		cli.Column{Title: "UNREAD"}, cli.Column{Title: "BRANCH", Least: 8}, cli.Column{Title: "WHERE", Least: 12})
	unread, done := b.counter(ctx)
	defer done()
	for _, s := range sessions {
		if s.State == activity.Ended && !all {
			continue
		}
		n := unread(s.Alias) + unread(s.Also)
		listed++
		if !b.JSON {
			state := cli.Cell{Text: cli.Line(s.Doing())}
			if s.State == activity.Waiting {
				state.Style = cli.Yellow
			}
			table.Row(
				cli.Cell{Text: cli.Line(s.Alias), Style: cli.Bold}, cli.Cell{Text: cli.Line(s.Client)}, state, cli.Cell{Text: b.When(s.Since)},
				cli.Cell{Text: cli.Number(n)}, cli.Cell{Text: cli.Line(s.Branch)}, cli.Cell{Text: cli.WholeLine(where(&s))},
			)
			continue
		}
		_ = cli.Print(w, printed.Agent{ // Flush returns the error
			ID: s.ID, Alias: s.Alias, Client: s.Client, State: string(s.State), For: s.For, Time: s.Since, Heard: s.Heard, Unread: n,
			Folder: s.Folder, Worktree: s.Worktree, Branch: s.Branch, Gone: removed(&s), File: s.Transcript,
		})
	}
	switch {
	case b.JSON:
	case listed == 0:
		w.WriteString("no agents are at work (\"signalbox setup\" has their programs tell)\n")
	default:
		table.Write()
	}
	return w.Flush()
}

// waits returns 1 for a session that waits for a person, and otherwise 0.
func waits(s *activity.Session) int {
	if s.State == activity.Waiting {
		return 1
	}
	return 0
}

func where(s *activity.Session) string {
	if s.Worktree == "" {
		return s.Folder
	}
	if removed(s) {
		return filepath.Clean(s.Worktree) + " (worktree removed)"
	}
	return filepath.Clean(s.Worktree)
}

func removed(s *activity.Session) bool {
	_, err := os.Stat(s.Worktree)
	return s.Worktree != "" && errors.Is(err, fs.ErrNotExist)
}

// counter returns a function that counts the unread mail of an alias, and one that closes
// the message directory.
func (b *commands) counter(ctx context.Context) (unread func(alias string) int, done func()) {
	d, err := b.Box().Open()
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			b.Warn("the agents' mail: %v", err)
		}
		return func(string) int { return 0 }, func() {}
	}
	counts := make(map[string]int)
	return func(alias string) int {
		n, known := counts[alias]
		if known || !samp.ValidAlias(alias) {
			return n
		}
		if n, err = d.Count(ctx, alias); err != nil {
			b.Warn("the mail of %s: %v", alias, err)
		}
		counts[alias] = n
		return n
	}, func() { d.Close() }
}
