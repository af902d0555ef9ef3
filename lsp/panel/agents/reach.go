package agents

import (
	"context"
	"slices"

	sessions "github.com/signalbox-dev/signalbox/lsp/agents"
	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/who"
)

// SetTerminals takes in which terminals the window has.
func (f *Follower) SetTerminals(_ context.Context, q panel.TerminalsParams) (panel.TerminalsSet, error) {
	f.mu.Lock()
	same := slices.Equal(f.shells, q.Shells)
	f.shells = slices.Clone(q.Shells)
	f.mu.Unlock()
	if !same {
		f.agentsChanged()
	}
	return panel.TerminalsSet{Revision: f.Revision()}, nil
}

// reaching returns how sessions are reached at this moment by the mail in a directory: without
// one, in that to which the user writes.
func (f *Follower) reaching(list []activity.Session, chains activity.Chains, mail string) *sessions.Reaching {
	f.mu.RLock()
	shells := f.shells
	f.mu.RUnlock()
	configured, env, setting := f.Configured(), f.Options.Env, ""
	if list := configured.Settings.Directories; len(list) > 0 {
		setting = list[0]
	}
	folders := configured.Folders
	if len(folders) > 0 {
		env.Work = folders[0]
	}
	if configured.Settings.ReadOnly || f.Options.Browser {
		folders = nil // a name is read from a file of the work tree
	}
	if mail == "" {
		mail = who.Directory(env, f.Options.Dir, setting).Value
	}
	r := sessions.Reach(list, f.NowMilli(), mail, func() []who.Known { return who.Others(env.StateDir(), mail, configured.Person, folders) })
	r.Here = func(s *activity.Session) bool {
		return len(shells) > 0 && slices.ContainsFunc(chains.Of(s.Process, maxProcesses), func(pid int) bool { return slices.Contains(shells, pid) })
	}
	return r
}

// Reach returns how agents are reached, at this moment, by the mail in a directory, or
// without one in that to which the user writes.
func (f *Follower) Reach(mail string) *sessions.Reaching {
	return f.reaching(f.Known().Sessions, activity.Chains{}, mail)
}

// Mailed returns how mail reaches a name. Mail goes on with no session that has ended.
func (a *Moment) Mailed(to string) panel.Reach {
	way := a.reach.Party(to).Way
	if way == sessions.Continue {
		return panel.ReachBegin
	}
	return panel.Reach(way)
}

// Parties returns the agents and work trees that mail reaches.
func (a *Moment) Parties() []sessions.Party { return a.reach.Parties() }

// Wake wakes the agent to which a draft was sent, where that takes more than mail, and
// returns how it was reached.
func (f *Follower) Wake(ctx context.Context, to string) panel.Reach {
	a := f.At(f.LookNow(ctx))
	return panel.Reach(a.reach.Wake(ctx, sessions.At(f.Options.Env.StateDir()), a.reach.Party(to), f.Options.Run))
}

// Continue returns how a session is gone on with, which it does not do.
func (f *Follower) Continue(ctx context.Context, q panel.ContinueParams) (panel.Continuing, error) {
	_ = f.Settle(ctx) // before the first look nobody would be known
	page, err := f.ViewsNow(ctx).Newest(ctx, q.Ref, 1)
	if err != nil {
		return panel.Continuing{}, err
	}
	c := panel.Continuing{Words: []string{}, Group: page.Thread.Group}
	if page.Thread.Agent == nil || page.Thread.Agent.Session == nil {
		return c, nil
	}
	s := page.Thread.Agent.Session
	c.Client, c.Folder = s.Client, s.Folder
	if s.Resume == nil {
		return c, nil
	}
	c.Words = s.Resume
	if q.Text != "" {
		c.Words, c.Taken = sessions.Prompted(s.Client, s.Resume, q.Text)
	}
	return c, nil
}
