package agents

import (
	"context"
	"slices"

	sessions "github.com/signalbox-dev/signalbox/lsp/agents"
	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/who"
)

// SetTerminals sets the terminals of the window.
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

// reaching returns how sessions are reached now by the mail in a directory. If mail is empty, it is
// the directory that the user writes to.
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
		folders = nil // names would be read from files of the worktree
	}
	if mail == "" {
		mail = who.Directory(env, f.Options.Dir, setting).Value
	}
	r := sessions.NewReaching(list, f.NowMilli(), mail, func() []who.Known { return who.Others(env.StateDir(), mail, configured.Person, folders) })
	r.Here = func(s *activity.Session) bool {
		return len(shells) > 0 && slices.ContainsFunc(chains.Of(s.Process, maxProcesses), func(pid int) bool { return slices.Contains(shells, pid) })
	}
	return r
}

// Reach returns how agents are reached now by the mail in a directory. If mail is empty, it is the
// directory that the user writes to.
func (f *Follower) Reach(mail string) *sessions.Reaching {
	return f.reaching(f.Known().Sessions, activity.Chains{}, mail)
}

// ReachOf returns how mail reaches a name. Mail resumes no session that has ended.
func (a *Moment) ReachOf(to string) panel.Reach {
	way := a.reach.Party(to).Way
	if way == sessions.Continue {
		return panel.ReachBegin
	}
	return panel.Reach(way)
}

// Parties returns the agents and worktrees that mail reaches.
func (a *Moment) Parties() []sessions.Party { return a.reach.Parties() }

// Wake wakes the agent that a draft was sent to, if mail alone does not wake it, and returns how it
// was reached.
func (f *Follower) Wake(ctx context.Context, to string) panel.Reach {
	a := f.At(f.LookNow(ctx))
	return panel.Reach(a.reach.Wake(ctx, sessions.At(f.Options.Env.StateDir()), a.reach.Party(to), f.Options.Run))
}

// Continue returns the command that resumes a session. It does not run the command.
func (f *Follower) Continue(ctx context.Context, q panel.ContinueParams) (panel.Continuing, error) {
	_ = f.Settle(ctx) // no session is known before the files were read once
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
