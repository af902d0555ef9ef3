package panel

import (
	"context"
	"slices"

	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
)

// AgentState says what a session of an agent's program is doing.
type AgentState string

// The states of a session.
const (
	AgentWorking AgentState = "working"
	AgentWaiting AgentState = "waiting" // for a person: for permission, mostly
	AgentIdle    AgentState = "idle"    // it has stopped and sits at its prompt
	AgentEnded   AgentState = "ended"

	// These are read from logs: nothing was written for a while although the agent was at
	// work, it broke off, or it has finished and the user has not looked since.
	AgentSilent  AgentState = "silent"
	AgentStopped AgentState = "stopped" // silent for so long that it may have stopped
	AgentFailed  AgentState = "failed"
	AgentDone    AgentState = "done"

	// AgentNone is the state of a worktree in which no agent works.
	AgentNone AgentState = "none"
)

// AgentItem is what one session of an agent's program is doing, as the program told it.
type AgentItem struct {
	Key    string     `json:"key"`    // names the session, for one run of the server and the next
	Client string     `json:"client"` // claude, codex, gemini, copilot, opencode
	Alias  string     `json:"alias"`
	State  AgentState `json:"state"`
	For    string     `json:"for,omitempty"` // what it waits for
	// Permission is what is to be permitted, where For is a permission: a command, mostly.
	Permission string `json:"permission,omitempty"`
	Since      int64  `json:"since"`
	Unread     int    `json:"unread"` // mail that waits for the alias of an idle session
	Folder     string `json:"folder"`
	Worktree   string `json:"worktree,omitempty"`
	Branch     string `json:"branch,omitempty"`
	// Thread is what its program wrote of it, where that is known.
	Thread *Ref `json:"thread,omitempty"`
	// Reach says how it is reached; empty for one that reads other mail.
	Reach Reach `json:"reach,omitempty"`
	// Processes are the program, then what runs it, nearest first, at most 16. There are
	// none if that is not known.
	Processes []int `json:"processes"`

	// The rest is set in the list of all agents only.

	Needs  bool   `json:"needs,omitempty"`  // it waits for the user, or failed and was not looked at since
	Asks   bool   `json:"asks,omitempty"`   // what it waits for is an answer
	Opened bool   `json:"opened,omitempty"` // its worktree or folder is open in the editor
	Gone   bool   `json:"gone,omitempty"`   // its worktree was removed
	Said   string `json:"said,omitempty"`   // its last words: one line
	Begun  int64  `json:"begun,omitempty"`  // when its thread began
	// Added and Removed count lines, in the edits of its thread's newest 200 messages.
	Added   int `json:"added,omitempty"`
	Removed int `json:"removed,omitempty"`
	// SaidHTML is the whole of its last words, as safe HTML, and Files are what it changed in
	// those edits. They are set for an agent that was asked for by its key.
	SaidHTML string        `json:"saidHtml,omitempty"`
	Files    []ChangedFile `json:"files,omitempty"`
}

// AgentsParams are the params of signalbox/agents/list. All adds agents that have ended or of
// which only the thread is known, and worktrees without an agent. Key, an AgentItem.key, asks
// for one of all, with all that is known of it.
type AgentsParams struct {
	All bool   `json:"all,omitempty"`
	Key string `json:"key,omitempty"`
}

// AgentsPage is the result of signalbox/agents/list, at most 200 agents: sessions under way
// first, then those whose state began last; or where all were asked for, the opened folders
// first, then by name.
type AgentsPage struct {
	Agents []AgentItem `json:"agents"`
	// Uncounted is set if the lines that some agents changed are not counted yet: another
	// request has more of them.
	Uncounted bool      `json:"uncounted,omitempty"`
	Revision  int64     `json:"revision"`
	Warnings  []Warning `json:"warnings"`
}

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
