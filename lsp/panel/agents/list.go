package agents

import (
	"context"
	"slices"

	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
	"github.com/signalbox-dev/signalbox/lsp/panel"
)

// Agents returns the sessions on this machine that have not ended. If the params have All, it
// returns all agents and the worktrees without one, and if they have Key, one of these.
func (f *Follower) Agents(ctx context.Context, q panel.AgentsParams) (panel.AgentsPage, error) {
	page := panel.AgentsPage{Agents: []panel.AgentItem{}, Warnings: []panel.Warning{}}
	if err := f.Settle(ctx); err != nil {
		return page, err
	}
	if q.All || q.Key != "" {
		return f.allAgents(ctx, q.Key)
	}
	now := f.At(f.LookNow(ctx))
	page.Revision = now.Revision
	page.Warnings = append(page.Warnings, now.Problems()...)
	for i := range now.Sessions {
		s := &now.Sessions[i]
		if s.State == activity.Ended {
			continue
		}
		if len(page.Agents) == panel.MaxPage {
			page.Warnings = append(page.Warnings, moreAgents)
			break
		}
		page.Agents = append(page.Agents, now.Running(s))
	}
	return page, nil
}

var moreAgents = panel.Warning{Rule: "sessions", Message: "and more sessions, which are not listed"}

// allAgents returns all agents and worktrees, or the one with a key if that is not empty.
func (f *Follower) allAgents(ctx context.Context, key string) (panel.AgentsPage, error) {
	now := f.At(f.Look(ctx))
	page := panel.AgentsPage{Agents: []panel.AgentItem{}, Revision: now.Revision, Warnings: append([]panel.Warning{}, now.Problems()...)}
	rows, more := now.agentRows(ctx)
	page.Uncounted = now.uncounted
	if more {
		page.Warnings = append(page.Warnings, moreAgents)
	}
	if key == "" {
		page.Agents = append(page.Agents, rows...)
		return page, nil
	}
	at := slices.IndexFunc(rows, func(a panel.AgentItem) bool { return a.Key == key })
	if at < 0 {
		return page, &panel.Error{Kind: panel.NotFound, Message: "the agent is not listed any more"}
	}
	page.Agents = append(page.Agents, rows[at])
	return page, now.addDetails(ctx, &page.Agents[0])
}
