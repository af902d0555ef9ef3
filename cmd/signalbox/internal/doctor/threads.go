package doctor

import (
	"context"
	"fmt"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/thread"
	"github.com/signalbox-dev/signalbox/lsp/samp/box"
)

// sessionFacts reports sessions of agents' programs that cannot be listed, and why.
func (c *checkup) sessionFacts(ctx context.Context) error {
	p := thread.Project(c.Options, c.Env.Work, false)
	p.Peek = true
	now, err := p.Sessions(ctx, false)
	if err != nil {
		return err
	}
	for _, p := range now.Problems {
		c.Fact("sessions", p.Reason, p.Path)
	}
	return nil
}

// threadFacts reports the worktrees that hold threads of agents, and their problems. It
// reports nothing if there are no threads.
func (c *checkup) threadFacts(ctx context.Context) error {
	now, err := thread.Project(c.Options, c.Env.Work, false).Threads(ctx)
	if err != nil {
		return err
	}
	for i := range now.Folders {
		w := &now.Folders[i]
		if !w.Agent && w.Threads == 0 {
			continue
		}
		why := "folder"
		switch {
		case w.Gone:
			why = "worktree gone, known from the cache"
		case w.Git && w.Branch != "":
			why = "on " + w.Branch
		case w.Git:
			why = "detached"
		}
		c.Fact("threads", fmt.Sprintf("%s in %s", cli.Plural(w.Threads, "thread"), w.Path), why)
		if w.Err != nil && len(w.Problems) == 0 {
			c.Add(box.Problem{Rule: "L1", File: w.Path, Reason: w.Err.Error()})
		}
		if !w.Gone {
			c.threads(ctx, w.Path)
		}
	}
	for _, p := range now.Problems {
		c.Add(box.Problem{Rule: p.Rule, File: p.Path, Reason: p.Reason, Advice: p.Advice})
	}
	return nil
}
