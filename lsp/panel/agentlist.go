package panel

import (
	"context"
	"slices"

	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
)

// Agents returns the sessions of agents on this machine, or all agents with the worktrees of
// the opened repositories.
func (p *Panels) Agents(ctx context.Context, q AgentsParams) (AgentsPage, error) {
	page := AgentsPage{Agents: []AgentItem{}, Warnings: []Warning{}}
	now, err := p.settledAgents(ctx)
	if err != nil {
		return page, err
	}
	if q.All || q.Key != "" {
		return p.allAgents(ctx, q.Key)
	}
	page.Revision = p.revised()
	page.Warnings = append(page.Warnings, now.problems()...)
	for i := range now.Sessions {
		s := &now.Sessions[i]
		if s.State == activity.Ended {
			continue
		}
		if len(page.Agents) == MaxPage {
			page.Warnings = append(page.Warnings, moreAgents)
			break
		}
		page.Agents = append(page.Agents, now.running(s))
	}
	return page, nil
}

var moreAgents = Warning{Rule: "sessions", Message: "and more sessions, which are not listed"}

// allAgents returns all agents and worktrees, or the one with a key if that is not empty.
func (p *Panels) allAgents(ctx context.Context, key string) (AgentsPage, error) {
	i := p.inboxNow(ctx)
	page := AgentsPage{Agents: []AgentItem{}, Revision: i.revision, Warnings: append([]Warning{}, i.agents.problems()...)}
	rows, more := i.agentRows(ctx)
	page.Uncounted = i.uncounted
	if more {
		page.Warnings = append(page.Warnings, moreAgents)
	}
	if key == "" {
		page.Agents = append(page.Agents, rows...)
		return page, nil
	}
	at := slices.IndexFunc(rows, func(a AgentItem) bool { return a.Key == key })
	if at < 0 {
		return page, &Error{Kind: NotFound, Message: "the agent is not listed any more"}
	}
	page.Agents = append(page.Agents, rows[at])
	return page, p.whole(ctx, i, &page.Agents[0])
}
