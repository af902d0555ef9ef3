package doctor

import (
	"context"
	"fmt"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/lsp/panel/box"
	"github.com/signalbox-dev/signalbox/lsp/store/threads"
	"github.com/signalbox-dev/signalbox/lsp/store/transcript"
)

// sessionFacts reports which sessions of agents' programs no list can have, and why.
func (c *checkup) sessionFacts(ctx context.Context) error {
	now, err := transcript.Scan(ctx, transcript.Config{Env: c.Env, Folders: []string{c.Env.Work}})
	if err != nil {
		return err
	}
	for _, p := range now.Problems {
		c.Fact("sessions", p.Reason, p.Path)
	}
	return nil
}

// threadFacts reports the worktrees that hold threads of agents, and what is wrong
// with them. Without threads it reports nothing.
func (c *checkup) threadFacts(ctx context.Context) error {
	now, err := threads.Scan(ctx, threads.Config{Folders: []string{c.Env.Work}, StateDir: c.Env.StateDir()})
	if err != nil {
		return err
	}
	problems := now.Problems
	for i := range now.Folders {
		w := &now.Folders[i]
		problems = append(problems, w.Problems...)
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
	for _, p := range problems {
		c.Add(box.Problem{Rule: p.Rule, File: p.Path, Reason: p.Reason, Advice: p.Advice})
	}
	return nil
}
