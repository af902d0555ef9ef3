// Package agents follows what agents' programs report: what the agents are doing, what they ask
// and how they are reached. Start with [New]. A [Moment] is their state at one moment.
package agents

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
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/recount"
	"github.com/signalbox-dev/signalbox/lsp/panel/shelf"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
	"github.com/signalbox-dev/signalbox/lsp/panel/view"
)

const (
	// maxProcesses is the largest number of processes in a [panel.AgentItem].
	maxProcesses = 16
	// maxReaders is the largest number of idle agents whose unread mail is counted.
	maxReaders = 50
)

// Follower follows what agents' programs report: what the agents are doing and what they
// ask. It counts the mail that idle agents have not read.
type Follower struct {
	*view.Sources

	unread *recount.Counter // by alias

	mu       sync.RWMutex // guards everything below
	sessions *activity.Live
	requests *ask.Live
	shells   []int // of the terminals of the window
}

// New returns a follower that knows no agents until [Follower.Follow] is called.
func New(s *view.Sources) *Follower { return &Follower{Sources: s} }

// Follow begins to follow, even in a workspace that is not trusted: the files of sessions are the
// user's own.
func (f *Follower) Follow() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.unread = recount.Start(recount.Config{
		Count: f.unreadOf,
		Failed: func(alias string, err error) {
			f.Options.Log.Warn("the mail of an agent", "alias", alias, "error", err)
		},
		Changed: f.agentsChanged,
	})
	if f.Options.Browser { // no agents' programs run in a browser
		return
	}
	f.sessions = activity.Open(activity.Config{
		Folder: sessions.At(f.Options.Env.StateDir()), Now: f.Options.Now, Once: f.Options.Once, Logger: f.Options.Log,
		Changed: f.agentsChanged,
	})
	if !f.Options.Once { // a search shows no requests
		f.requests = ask.Open(ask.At(f.Options.Env.StateDir()), f.Options.Log, f.requestsChanged)
	}
}

// Close stops following. Call it before the sources are closed, because they are asked for unread
// mail until then.
func (f *Follower) Close() {
	f.mu.Lock()
	sessions, requests := f.sessions, f.requests
	f.sessions, f.requests = nil, nil
	f.mu.Unlock()
	f.unread.Close()
	if sessions != nil {
		sessions.Close()
	}
	if requests != nil {
		requests.Close()
	}
}

// Sync waits until the follower knows the sessions that were on disk when it was called.
func (f *Follower) Sync(ctx context.Context) error {
	if live := f.liveSessions(); live != nil {
		return live.Sync(ctx)
	}
	return nil
}

func (f *Follower) agentsChanged() { f.Announce(panel.SourceChange{Kinds: []string{"agents"}}) }

// requestsChanged reads the sessions before it announces the change, because a session no longer
// waits for a request that was answered.
func (f *Follower) requestsChanged() {
	if live := f.liveSessions(); live != nil {
		_ = live.Sync(context.Background()) // it fails if the panels are being closed
	}
	f.agentsChanged()
}

// CountUnread counts the unread mail of idle agents, which is otherwise done in the background.
func (f *Follower) CountUnread(ctx context.Context) error {
	if err := f.Settle(ctx); err != nil {
		return err
	}
	f.Recount(f.At(f.LookNow(ctx)), false)
	return f.unread.Sync(ctx)
}

// Recount starts counting unread mail in the background: of the agents that became idle, or of all
// idle agents if mail changed.
func (f *Follower) Recount(now *Moment, changed bool) {
	if changed {
		f.unread.Kick()
	}
	f.unread.Want(now.idle())
}

// unreadOf returns how many messages an agent has not read, over all formats.
func (f *Follower) unreadOf(ctx context.Context, alias string) (all int, err error) {
	for _, v := range f.ViewsNow(ctx) {
		if d, ok := v.View.(panel.Delivering); ok {
			n, err := d.UnreadOf(ctx, alias)
			if err != nil {
				return 0, err
			}
			all += n
		}
	}
	return all, nil
}

// liveRequests returns the followed requests, or nil if they are not followed.
func (f *Follower) liveRequests() *ask.Live {
	f.mu.RLock()
	defer f.mu.RUnlock()
	return f.requests
}

// liveSessions returns the followed sessions, or nil if they are not followed.
func (f *Follower) liveSessions() *activity.Live {
	f.mu.RLock()
	defer f.mu.RUnlock()
	return f.sessions
}

// Known returns the known sessions of agents' programs.
func (f *Follower) Known() *sessions.Known {
	var list []activity.Session
	if live := f.liveSessions(); live != nil {
		list = live.Now().Sessions
	}
	return sessions.With(list, f.Options.Now().UnixMilli())
}

// Moment is what the agents are doing at one moment, with a look at their threads.
type Moment struct {
	*view.Look
	*activity.Snapshot
	requests []ask.Request  // that wait for the user
	home     string         // the user's own folder
	unread   map[string]int // by alias
	chains   activity.Chains
	// roots are the folders whose agents read the same mail as the user: the opened folders and
	// the worktrees of their repositories, without trailing slashes.
	roots []string
	// reach decides how the agents are reached.
	reach *sessions.Reaching
	// uncounted is set if there was no time to count the lines that some agents changed.
	uncounted bool
}

// At returns what the agents are doing now. It has no agents if the follower is closed.
func (f *Follower) At(look *view.Look) *Moment {
	now := &Moment{
		Look: look, Snapshot: &activity.Snapshot{}, chains: activity.Chains{}, roots: slices.Clone(f.Configured().Folders), home: f.Options.Env.Home,
	}
	for _, c := range look.Views.Checkouts() {
		now.roots = append(now.roots, filepath.Clean(c.Path))
	}
	if live := f.liveSessions(); live != nil {
		now.Snapshot, now.unread = live.Now(), f.unread.Counts()
	}
	if live := f.liveRequests(); live != nil {
		asked, more := live.Now(), *now.Snapshot
		more.Errs = append(more.Errs[:len(more.Errs):len(more.Errs)], asked.Errs...)
		now.requests, now.Snapshot = asked.List, &more
	}
	now.reach = f.reaching(now.Sessions, now.chains, "")
	return now
}

// NeedingThreads returns the agents' threads that need the user. It leaves out threads of waiting
// agents that hooks report on: [Moment.NeedingSessions] returns their sessions.
func (a *Moment) NeedingThreads() (list []panel.ThreadItem) {
	recent := a.Recent()
	for i := range recent {
		t := &recent[i]
		state := t.NeedsUser()
		if state == "" || state == panel.AgentWaiting && a.SessionOf(t) != nil {
			continue
		}
		list = append(list, *t)
	}
	return list
}

// SessionOf returns the session of a thread, or nil if no hook reported one.
func (a *Moment) SessionOf(t *panel.ThreadItem) *activity.Session {
	if at := slices.IndexFunc(a.Sessions, func(s activity.Session) bool { return t.IsOf(s.Client, s.ID) }); at >= 0 {
		return &a.Sessions[at]
	}
	return nil
}

// Settle waits until the sessions and requests were read once. They are few small files, and a
// list made before would be wrong.
func (f *Follower) Settle(ctx context.Context) error {
	if live := f.liveSessions(); live != nil {
		if err := live.Settle(ctx); err != nil {
			return err
		}
	}
	if live := f.liveRequests(); live != nil {
		return live.Settle(ctx)
	}
	return nil
}

// readsHere reports whether a session works in the opened folders or in a worktree of their
// repositories. An agent of another repository may have the same name but reads other mail. It
// returns true for a session whose folder is not known.
func (a *Moment) readsHere(s *activity.Session) bool {
	at := cmp.Or(s.Folder, s.Worktree)
	return at == "" || slices.ContainsFunc(a.roots, func(root string) bool {
		rel, err := filepath.Rel(root, at)
		return err == nil && filepath.IsLocal(rel)
	})
}

// idle returns the sorted aliases of idle sessions that read the mail here. maxReaders limits them.
func (a *Moment) idle() (aliases []string) {
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

// unreadBy returns how many messages an idle session has not read. It returns 0 for sessions that
// read other mail, and for sessions that are not idle, which learn of their mail while they work.
func (a *Moment) unreadBy(s *activity.Session) int {
	if s.State != activity.Idle || !a.readsHere(s) {
		return 0
	}
	return a.unread[s.Alias] + a.unread[s.Also]
}

// NeedingSessions returns the sessions that wait for the user, or that ended while they waited, and
// the idle sessions with unread mail. Of several idle sessions with the same alias it returns only
// the one that became idle last.
func (a *Moment) NeedingSessions() (waiting, idle []*activity.Session) {
	listed := make(map[string]bool)
	for i := range a.Sessions {
		s := &a.Sessions[i]
		switch {
		case s.Ask.Text != "": // the question is mail
		case a.asks(s): // its requests are listed one by one
		case s.State == activity.Waiting || s.EndedWaiting():
			if !a.putAway(s, s.Since) {
				waiting = append(waiting, s)
			}
		case a.unreadBy(s) > 0 && !listed[s.Alias]:
			listed[s.Alias] = true
			idle = append(idle, s)
		}
	}
	return waiting, idle
}

// item returns a session as lists show it, without its processes.
func (a *Moment) item(s *activity.Session) panel.AgentItem {
	return panel.AgentItem{
		Key: s.Key(), Client: show.Short(s.Client), Alias: show.Short(s.Alias), State: panel.AgentState(s.State), For: show.Line(s.For),
		Permission: show.Line(core.Permitted(s.For)), Since: show.Time(s.Since), Unread: a.unreadBy(s), Folder: show.Line(s.Folder), Worktree: show.Line(s.Worktree),
		Branch: show.Line(s.Branch), Reach: panel.Reach(a.reach.Of(s)), Processes: []int{},
	}
}

// Running returns a session as lists show it, with its processes.
func (a *Moment) Running(s *activity.Session) panel.AgentItem {
	it := a.item(s)
	if s.State != activity.Ended {
		it.Processes = append(it.Processes, a.chains.Of(s.Process, maxProcesses)...)
	}
	return it
}

// Needed returns a session that needs the user, with its own thread.
func (a *Moment) Needed(s *activity.Session) panel.AgentItem {
	it := a.Running(s)
	if t := a.Thread(s); t != nil {
		it.Thread = &t.Ref
	}
	return it
}

// Named returns the agent that reads mail under a name, or nil if none is at work.
func (a *Moment) Named(alias string) *panel.AgentItem {
	s, way := a.reach.Named(alias)
	if s == nil || way == sessions.Continue {
		return nil
	}
	it := a.Running(s)
	return &it
}

// Thread returns the recent thread that a session's program wrote for it, or nil.
func (a *Moment) Thread(s *activity.Session) *panel.ThreadItem {
	recent := a.Recent()
	if i := slices.IndexFunc(recent, func(t panel.ThreadItem) bool { return t.IsOf(s.Client, s.ID) }); i >= 0 {
		return &recent[i]
	}
	return nil
}

// putAway reports whether the user archived or snoozed a session's thread since the session began
// to wait, or has looked at the thread of a session that has ended. If the session waits for
// something later, it needs the user again.
func (a *Moment) putAway(s *activity.Session, since int64) bool {
	t := a.Thread(s)
	if t == nil {
		return false
	}
	e := a.Shelf.Entries[shelf.Key{Ref: t.Ref}]
	return e.Archived >= since || (e.Until > a.Shelf.Now || s.State == activity.Ended) && e.NoReply >= since
}

// Problems returns warnings about files of sessions that cannot be read, and about names.
func (a *Moment) Problems() (list []panel.Warning) {
	for _, err := range a.Errs[:min(len(a.Errs), panel.MaxWarnings+1)] {
		list = append(list, panel.Warning{Rule: "sessions", Message: show.Line(err.Error())})
	}
	for _, text := range activity.Remarks(a.Sessions) {
		list = append(list, panel.Warning{Rule: "names", Message: show.Line(text)})
	}
	return panel.Some(list, panel.Warning{Rule: "sessions", Message: "and more files of sessions that cannot be read"})
}
