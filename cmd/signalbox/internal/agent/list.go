package agent

import (
	"context"
	"path/filepath"
	"time"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/store/session"
	"github.com/spf13/cobra"
)

// Command returns "signalbox agents".
func Command(o *cli.Options) *cobra.Command {
	all := false
	cmd := &cobra.Command{
		Use:   "agents",
		Short: "What the agents on this machine are doing",
		Long: `List the sessions of agents on this machine: the agent's name, the program it runs
in, the worktree and branch, what it is doing or waiting for, since when, and how
much mail it has not read. Programs tell it by the hooks that "signalbox setup"
installs. Sessions that have ended in the last day are listed with --all.`,
		Args: cobra.NoArgs,
		RunE: cli.Action(func(cmd *cobra.Command, _ []string) error {
			b := &Box{Options: o}
			return b.list(cmd.Context(), all)
		}),
	}
	cmd.Flags().BoolVar(&all, "all", false, "also those that have ended")
	return cmd
}

func (b *Box) list(ctx context.Context, all bool) error {
	now := b.Now()
	sessions, errs := session.At(b.Env.StateDir()).List(now.UnixMilli())
	for _, err := range errs {
		b.Warn("%v", err)
	}
	w := b.Writer()
	rows := [][]string{{"AGENT", "CLIENT", "STATE", "SINCE", "UNREAD", "BRANCH", "WHERE"}}
	unread := make(map[string]int)
	for _, s := range sessions {
		if s.State == session.Ended && !all {
			continue
		}
		n := b.unread(ctx, s.Alias, unread)
		if !b.JSON {
			rows = append(rows, []string{
				cli.Line(s.Alias), cli.Line(s.Client), cli.Line(s.Doing()), cli.Age(now.Sub(time.UnixMilli(s.Since))), cli.Number(n),
				cli.Line(s.Branch), cli.WholeLine(where(&s)),
			})
			continue
		}
		out := cli.NewObject(w)
		out.Text("alias", s.Alias).Text("client", s.Client).Text("session", s.ID).Text("state", string(s.State)).Text("for", s.For)
		out.Number("since", s.Since).Number("heard", s.Heard).Number("unread", int64(n))
		out.Text("folder", s.Folder).Text("worktree", s.Worktree).Text("branch", s.Branch).Text("transcript", s.Transcript)
		out.End()
	}
	switch {
	case b.JSON:
	case len(rows) == 1:
		w.WriteString("no agents are at work (\"signalbox setup\" has their programs tell)\n")
	default:
		cli.Table(w, b.Paint(), rows)
	}
	return w.Flush()
}

// where returns the work tree of a session, or its folder outside of one.
func where(s *session.Session) string {
	if s.Worktree != "" {
		return filepath.Clean(s.Worktree)
	}
	return s.Folder
}

// unread counts the mail that waits for an alias. counted remembers the counts.
func (b *Box) unread(ctx context.Context, alias string, counted map[string]int) int {
	if n, ok := counted[alias]; ok || !samp.ValidAlias(alias) {
		return n
	}
	opts := *b.Options
	opts.As = alias
	m, err := (&Box{Options: &opts}).Open(ctx)
	if err != nil {
		b.Warn("the mail of %s: %v", alias, err)
		counted[alias] = 0
		return 0
	}
	defer m.Close()
	counted[alias] = len(m.Waiting)
	return counted[alias]
}
