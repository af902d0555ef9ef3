package panel

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"sync"

	core "github.com/signalbox-dev/signalbox/core/session"
	sessions "github.com/signalbox-dev/signalbox/lsp/agents"
	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
	"github.com/signalbox-dev/signalbox/lsp/agents/ask"
	"github.com/signalbox-dev/signalbox/lsp/panel/recount"
	"github.com/signalbox-dev/signalbox/lsp/panel/shelf"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
)

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
	if p.opt.Browser { // agents' programs run on a machine
		return
	}
	p.sessions = activity.Open(activity.Config{
		Folder: sessions.At(p.opt.Env.StateDir()), Now: p.opt.Now, Once: p.opt.Once, Logger: p.opt.Log,
		Changed: p.agentsChanged,
	})
	if !p.opt.Once { // a search shows none
		p.requests = ask.Open(ask.At(p.opt.Env.StateDir()), p.opt.Log, p.requestsChanged)
	}
}

func (p *Panels) agentsChanged() { p.announce(SourceChange{Kinds: []string{"agents"}}) }

// requestsChanged looks at the sessions before anybody is told: what was answered is no longer
// waited for.
func (p *Panels) requestsChanged() {
	if on := p.sessionsOn(); on != nil {
		_ = on.Sync(context.Background()) // it fails where the panels are being closed
	}
	p.agentsChanged()
}

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
func (p *Panels) sessionsOn() *activity.Live {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.sessions
}

// known is [Host.Known].
func (p *Panels) known() *sessions.Known {
	var list []activity.Session
	if on := p.sessionsOn(); on != nil {
		list = on.Now().Sessions
	}
	return sessions.With(list, p.opt.Now().UnixMilli())
}

// agents is what the agents are doing at one moment.
type agents struct {
	*activity.Snapshot
	requests []ask.Request // that wait for the user
	home     string        // the user's own folder
	away     *Shelf
	unread   map[string]int // by alias
	chains   activity.Chains
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
	now := &agents{Snapshot: &activity.Snapshot{}, chains: activity.Chains{}, roots: p.opened(), home: p.opt.Env.Home, away: p.shelfNow()}
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

// stuck returns the agents' threads that need the user, but for those of which hooks tell
// that the agent waits.
func (a *agents) stuck() (list []ThreadItem) {
	recent := a.recent()
	for i := range recent {
		t := &recent[i]
		state := t.stuck()
		if state == "" || state == AgentWaiting && a.of(t) != nil {
			continue
		}
		list = append(list, *t)
	}
	return list
}

// of returns the session that a thread is of, or nil if no hooks told of it.
func (a *agents) of(t *ThreadItem) *activity.Session {
	if at := slices.IndexFunc(a.Sessions, func(s activity.Session) bool { return t.isOf(s.Client, s.ID) }); at >= 0 {
		return &a.Sessions[at]
	}
	return nil
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
func (a *agents) readsHere(s *activity.Session) bool {
	at := cmp.Or(s.Folder, s.Worktree)
	return at == "" || slices.ContainsFunc(a.roots, func(root string) bool {
		rel, err := filepath.Rel(root, at)
		return err == nil && filepath.IsLocal(rel)
	})
}

// idle returns the aliases of idle sessions that read the mail here, at most maxReaders.
func (a *agents) idle() (aliases []string) {
	for i := range a.Sessions {
		if s := &a.Sessions[i]; s.State == activity.Idle && s.Alias != "" && len(aliases) < maxReaders && a.readsHere(s) && !slices.Contains(aliases, s.Alias) {
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
func (a *agents) waiting(s *activity.Session) int {
	if s.State != activity.Idle || !a.readsHere(s) {
		return 0
	}
	return a.unread[s.Alias] + a.unread[s.Also]
}

// needing returns the sessions that wait for the user, or ended while they did, and those that
// are idle with unread mail. Unread mail of one alias needs the user once: at the session that
// became idle last.
func (a *agents) needing() (waiting, idle []*activity.Session) {
	listed := make(map[string]bool)
	for i := range a.Sessions {
		s := &a.Sessions[i]
		switch {
		case s.Ask.Text != "": // the question is mail
		case a.asks(s): // its requests are listed one by one
		case s.State == activity.Waiting || s.Broke():
			if !a.putAway(s, s.Since) {
				waiting = append(waiting, s)
			}
		case a.waiting(s) > 0 && !listed[s.Alias]:
			listed[s.Alias] = true
			idle = append(idle, s)
		}
	}
	return waiting, idle
}

// item returns a session as lists show it, without its processes.
func (a *agents) item(s *activity.Session) AgentItem {
	return AgentItem{
		Key: s.Key(), Client: show.Short(s.Client), Alias: show.Short(s.Alias), State: AgentState(s.State), For: show.Line(s.For),
		Permission: show.Line(core.Permitted(s.For)), Since: show.Time(s.Since), Unread: a.waiting(s), Folder: show.Line(s.Folder), Worktree: show.Line(s.Worktree),
		Branch: show.Line(s.Branch), Reach: Reach(a.reach.Of(s)), Processes: []int{},
	}
}

// running returns a session as lists show it, with its processes.
func (a *agents) running(s *activity.Session) AgentItem {
	it := a.item(s)
	if s.State != activity.Ended {
		it.Processes = append(it.Processes, a.chains.Of(s.Process, maxProcesses)...)
	}
	return it
}

// needed returns a session that needs the user, with its own thread.
func (a *agents) needed(s *activity.Session) AgentItem {
	it := a.running(s)
	if t := a.thread(s); t != nil {
		it.Thread = &t.Ref
	}
	return it
}

// named returns the agent that reads mail under a name, or nil if none is at work.
func (a *agents) named(alias string) *AgentItem {
	s, way := a.reach.Named(alias)
	if s == nil || way == sessions.Continue {
		return nil
	}
	it := a.running(s)
	return &it
}

// thread returns the thread that a session's program wrote of it, or nil.
func (a *agents) thread(s *activity.Session) *ThreadItem {
	recent := a.recent()
	if i := slices.IndexFunc(recent, func(t ThreadItem) bool { return t.isOf(s.Client, s.ID) }); i >= 0 {
		return &recent[i]
	}
	return nil
}

// putAway reports whether the user archived or snoozed a session's thread after it began to
// wait, or looked at the thread of one that has ended. What it waits for later needs them again.
func (a *agents) putAway(s *activity.Session, since int64) bool {
	t := a.thread(s)
	if t == nil {
		return false
	}
	e := a.away.Entries[shelf.Key{Ref: t.Ref}]
	return e.Archived >= since || (e.Until > a.away.Now || s.State == activity.Ended) && e.NoReply >= since
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
	for _, text := range activity.Remarks(a.Sessions) {
		list = append(list, Warning{Rule: "names", Message: show.Line(text)})
	}
	return Some(list, Warning{Rule: "sessions", Message: "and more files of sessions that cannot be read"})
}
