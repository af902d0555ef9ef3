package panel

import (
	"cmp"
	"context"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	sessions "github.com/signalbox-dev/signalbox/lsp/agents"
	"github.com/signalbox-dev/signalbox/lsp/agents/ask"
	"github.com/signalbox-dev/signalbox/lsp/agents/session"
	"github.com/signalbox-dev/signalbox/lsp/panel/recount"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
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
	AgentSilent AgentState = "silent"
	AgentFailed AgentState = "failed"
	AgentDone   AgentState = "done"
)

// AgentItem is what one session of an agent's program is doing, as the program told it.
type AgentItem struct {
	Key      string     `json:"key"`    // names the session, for one run of the server and the next
	Client   string     `json:"client"` // claude, codex, gemini, copilot, opencode
	Alias    string     `json:"alias"`
	State    AgentState `json:"state"`
	For      string     `json:"for,omitempty"` // what it waits for
	Since    int64      `json:"since"`
	Unread   int        `json:"unread"` // mail that waits for the alias of an idle session
	Folder   string     `json:"folder"`
	Worktree string     `json:"worktree,omitempty"`
	Branch   string     `json:"branch,omitempty"`
	// Thread is what its program wrote of it, where that is known and it needs the user.
	Thread *Ref `json:"thread,omitempty"`
	// Reach says how it is reached; empty for one that reads other mail.
	Reach Reach `json:"reach,omitempty"`
	// Processes are the program, then what runs it, nearest first, at most 16. There are
	// none if that is not known.
	Processes []int `json:"processes"`
}

// AgentsParams are the params of signalbox/agents/list.
type AgentsParams struct {
	All bool `json:"all,omitempty"` // adds sessions that ended in the last day, and Threads
}

// AgentsPage is the result of signalbox/agents/list: at most 200 sessions, those under
// way first, then those whose state began last.
type AgentsPage struct {
	Agents []AgentItem `json:"agents"`
	// Threads lists the threads of agents without hooks that changed within a day, newest
	// first, at most 200.
	Threads  []ThreadItem `json:"threads,omitempty"`
	Revision int64        `json:"revision"`
	Warnings []Warning    `json:"warnings"`
}

const (
	// maxProcesses is the largest number of an [AgentItem]'s processes.
	maxProcesses = 16
	// maxReaders is the largest number of idle agents whose unread mail is counted.
	maxReaders = 50
)

// followSessions follows what the agents are doing, and counts what the idle ones have not
// read. The files of sessions are the user's own, so that a workspace that is not
// trusted makes no difference.
func (p *Panels) followSessions() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.unread = recount.Start(recount.Config{
		Count:   p.unreadOf,
		Failed:  func(alias string, err error) { p.opt.Log.Warn("the mail of an agent", "alias", alias, "error", err) },
		Changed: p.agentsChanged,
	})
	p.sessions = session.Open(session.Config{
		Folder: sessions.At(p.opt.Env.StateDir()), Now: p.opt.Now, Once: p.opt.Once, Logger: p.opt.Log,
		Changed: p.agentsChanged,
	})
	if !p.opt.Once { // a search shows none
		p.requests = ask.Open(ask.At(p.opt.Env.StateDir()), p.opt.Log, p.agentsChanged)
	}
}

func (p *Panels) agentsChanged() { p.announce(SourceChange{Kinds: []string{"agents"}}) }

// CountUnread waits until the unread mail of idle agents was counted after it was called.
// The counting is done in the background otherwise.
func (p *Panels) CountUnread(ctx context.Context) error {
	now, err := p.settledAgents(ctx)
	if err != nil {
		return err
	}
	p.unread.Want(now.idle())
	return p.unread.Sync(ctx)
}

// unreadOf counts the mail that an agent has not read, over all formats.
func (p *Panels) unreadOf(ctx context.Context, alias string) (all int, err error) {
	for _, v := range p.viewsNow(ctx) {
		if d, ok := v.View.(Delivering); ok {
			n, err := d.UnreadOf(ctx, alias)
			if err != nil {
				return 0, err
			}
			all += n
		}
	}
	return all, nil
}

// requestsOn returns what follows the requests, or nil if nothing does.
func (p *Panels) requestsOn() *ask.Live {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.requests
}

// sessionsOn returns what follows the sessions, or nil if the panels are closed.
func (p *Panels) sessionsOn() *session.Live {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.sessions
}

// known is [Host.Known].
func (p *Panels) known() *sessions.Known {
	var list []session.Session
	if on := p.sessionsOn(); on != nil {
		list = on.Now().Sessions
	}
	return sessions.With(list, p.opt.Now().UnixMilli())
}

// agents is what the agents are doing at one moment.
type agents struct {
	*session.Snapshot
	requests []ask.Request  // that wait for the user
	unread   map[string]int // by alias
	chains   session.Chains
	// roots are the folders whose agents read the mail here: the opened ones and the
	// worktrees of their repositories, without slashes at their ends.
	roots []string
	// recent returns the agents' threads that changed within a day, the newest first.
	recent func() []ThreadItem
	// opened are the opened folders, as groups show them.
	opened []string
	// reach decides how the agents are reached.
	reach *sessions.Reaching
}

// agentsNow returns what the agents are doing now. Nobody does anything if the panels are
// closed.
func (p *Panels) agentsNow(views []view) *agents {
	now := &agents{Snapshot: &session.Snapshot{}, chains: session.Chains{}, roots: p.opened()}
	for _, folder := range now.roots {
		now.opened = append(now.opened, show.Line(folder))
	}
	for _, c := range checkoutsOf(views) {
		now.roots = append(now.roots, filepath.Clean(c.Path))
	}
	if on := p.sessionsOn(); on != nil {
		now.Snapshot, now.unread = on.Now(), p.unread.Counts()
	}
	if on := p.requestsOn(); on != nil {
		asked, more := on.Now(), *now.Snapshot
		more.Errs = append(more.Errs[:len(more.Errs):len(more.Errs)], asked.Errs...)
		now.requests, now.Snapshot = asked.List, &more
	}
	now.reach = p.reaching(now.Sessions, now.chains, "")
	now.recent = sync.OnceValue(func() (list []ThreadItem) {
		for _, b := range having[Busy](views) {
			list = append(list, b.Recent()...)
		}
		slices.SortStableFunc(list, func(a, b ThreadItem) int { return cmp.Compare(b.LastTime, a.LastTime) })
		return list
	})
	return now
}

// stuck returns the state of an agent's thread that needs the user, or nothing: the agent
// waits, or broke off and the user has not looked since. A thread that was put away does
// not need the user.
func (i *ThreadItem) stuck() AgentState {
	switch a := i.Agent; {
	case a == nil || i.Archived || i.Snoozed != 0:
	case a.State == AgentWaiting, a.State == AgentFailed && a.Unseen:
		return a.State
	}
	return ""
}

// stuck returns the agents' threads that need the user, but for those of which hooks tell
// that the agent waits, and counts those that wait.
func (a *agents) stuck() (list []ThreadItem, waiting int) {
	recent := a.recent()
	for i := range recent {
		t := &recent[i]
		state := t.stuck()
		if state == "" || state == AgentWaiting && a.hooked(t) {
			continue
		}
		list = append(list, *t)
		waiting += rank(state == AgentWaiting)
	}
	return list, waiting
}

// hooked reports whether hooks told of the session that a thread is of.
func (a *agents) hooked(t *ThreadItem) bool {
	return slices.ContainsFunc(a.Sessions, func(s session.Session) bool { return t.isOf(s.Client, s.ID) })
}

// settledAgents is agentsNow once the sessions were read. They are few small files, and a
// list that says that nobody waits would be wrong.
func (p *Panels) settledAgents(ctx context.Context) (*agents, error) {
	if on := p.sessionsOn(); on != nil {
		if err := on.Settle(ctx); err != nil {
			return nil, err
		}
	}
	if on := p.requestsOn(); on != nil {
		if err := on.Settle(ctx); err != nil {
			return nil, err
		}
	}
	return p.agentsNow(p.viewsNow(ctx)), nil
}

// readsHere reports whether a session works in the opened folders or in a worktree of
// their repositories. An agent of another repository may have the same name, and reads
// other mail. It is true for a session whose folder is not known.
func (a *agents) readsHere(s *session.Session) bool {
	at := cmp.Or(s.Folder, s.Worktree)
	return at == "" || slices.ContainsFunc(a.roots, func(root string) bool {
		rel, err := filepath.Rel(root, at)
		return err == nil && filepath.IsLocal(rel)
	})
}

// idle returns the aliases of idle sessions that read the mail here, at most maxReaders.
func (a *agents) idle() (aliases []string) {
	for i := range a.Sessions {
		if s := &a.Sessions[i]; s.State == session.Idle && s.Alias != "" && len(aliases) < maxReaders && a.readsHere(s) && !slices.Contains(aliases, s.Alias) {
			aliases = append(aliases, s.Alias)
			if s.Also != "" {
				aliases = append(aliases, s.Also)
			}
		}
	}
	slices.Sort(aliases)
	return aliases
}

// waiting returns the mail that an idle session has not read. It is 0 for sessions that
// read other mail, and for those that are not idle: they are told of it while they work.
func (a *agents) waiting(s *session.Session) int {
	if s.State != session.Idle || !a.readsHere(s) {
		return 0
	}
	return a.unread[s.Alias] + a.unread[s.Also]
}

// needing returns the sessions that need the user, and counts the urgent ones, which wait.
// Unread mail of one alias needs the user once: at the session that became idle last.
func (a *agents) needing() (list []*session.Session, urgent int) {
	idle := make(map[string]bool)
	for i := range a.Sessions {
		s := &a.Sessions[i]
		switch {
		case s.Ask.Text != "": // the question is mail
		case a.asks(s): // its requests are listed one by one
		case s.State == session.Waiting:
			urgent++
			list = append(list, s)
		case a.waiting(s) > 0 && !idle[s.Alias]:
			idle[s.Alias] = true
			list = append(list, s)
		}
	}
	return list, urgent
}

// item returns a session as lists show it, without its processes.
func (a *agents) item(s *session.Session) AgentItem {
	return AgentItem{
		Key: s.Key(), Client: show.Short(s.Client), Alias: show.Short(s.Alias), State: AgentState(s.State), For: show.Line(s.For),
		Since: show.Time(s.Since), Unread: a.waiting(s), Folder: show.Line(s.Folder), Worktree: show.Line(s.Worktree),
		Branch: show.Line(s.Branch), Reach: Reach(a.reach.Of(s)), Processes: []int{},
	}
}

// running returns a session as lists show it, with its processes.
func (a *agents) running(s *session.Session) AgentItem {
	it := a.item(s)
	if s.State != session.Ended {
		it.Processes = append(it.Processes, a.chains.Of(s.Process, maxProcesses)...)
	}
	return it
}

// needed returns a session that needs the user, with its own thread.
func (a *agents) needed(s *session.Session) AgentItem {
	it, recent := a.running(s), a.recent()
	if i := slices.IndexFunc(recent, func(t ThreadItem) bool { return t.isOf(s.Client, s.ID) }); i >= 0 {
		it.Thread = &recent[i].Ref
	}
	return it
}

// isOf reports whether a thread is of a session.
func (i *ThreadItem) isOf(client, id string) bool {
	return i.Agent != nil && i.Agent.Session != nil && i.Agent.Session.Client == client && i.Agent.Session.ID == id
}

// in returns the sessions under way in the worktree or plain folder of a group, those that
// wait first.
func (a *agents) in(group string) (list []AgentItem) {
	for i := range a.Sessions {
		if s := &a.Sessions[i]; s.State != session.Ended && len(list) < MaxPage && isAt(s, group) {
			list = append(list, a.item(s))
		}
	}
	slices.SortStableFunc(list, func(x, y AgentItem) int { return rank(y.State == AgentWaiting) - rank(x.State == AgentWaiting) })
	return list
}

// isAt reports whether a session is in the worktree of a group, which is shown.
func isAt(s *session.Session, group string) bool {
	at := cmp.Or(s.Worktree, s.Folder)
	if at == "" || group == "" {
		return false
	}
	at = show.Line(filepath.Clean(at))
	return at == group || runtime.GOOS == "windows" && strings.EqualFold(at, group)
}

// rank returns 1 for what comes last.
func rank(first bool) int {
	if first {
		return 1
	}
	return 0
}

// problems returns warnings about files that say nothing of a session.
func (a *agents) problems() (list []Warning) {
	for _, err := range a.Errs[:min(len(a.Errs), MaxWarnings+1)] {
		list = append(list, Warning{Rule: "sessions", Message: show.Line(err.Error())})
	}
	for _, text := range session.Remarks(a.Sessions) {
		list = append(list, Warning{Rule: "names", Message: show.Line(text)})
	}
	return Some(list, Warning{Rule: "sessions", Message: "and more files of sessions that cannot be read"})
}

// Agents returns the sessions of agents on this machine.
func (p *Panels) Agents(ctx context.Context, q AgentsParams) (AgentsPage, error) {
	page := AgentsPage{Agents: []AgentItem{}, Revision: p.revised(), Warnings: []Warning{}}
	now, err := p.settledAgents(ctx)
	if err != nil {
		return page, err
	}
	page.Warnings = append(page.Warnings, now.problems()...)
	for i := range now.Sessions {
		s := &now.Sessions[i]
		if s.State == session.Ended && !q.All {
			continue
		}
		if len(page.Agents) == MaxPage {
			page.Warnings = append(page.Warnings, Warning{Rule: "sessions", Message: "and more sessions, which are not listed"})
			break
		}
		page.Agents = append(page.Agents, now.running(s))
	}
	if !q.All {
		return page, nil
	}
	for _, t := range now.recent() {
		if len(page.Threads) < MaxPage && !now.hooked(&t) {
			page.Threads = append(page.Threads, t)
		}
	}
	return page, nil
}
