package panel

import (
	"context"
	"slices"

	sessions "github.com/signalbox-dev/signalbox/lsp/agents"
	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
	"github.com/signalbox-dev/signalbox/lsp/who"
)

// SetTerminals takes in which terminals the window has.
func (p *Panels) SetTerminals(_ context.Context, q TerminalsParams) (TerminalsSet, error) {
	p.mu.Lock()
	same := slices.Equal(p.shells, q.Shells)
	p.shells = slices.Clone(q.Shells)
	p.mu.Unlock()
	if !same {
		p.agentsChanged()
	}
	return TerminalsSet{p.revised()}, nil
}

// reaching returns how sessions are reached at this moment by the mail in a directory: without
// one, in that to which the user writes.
func (p *Panels) reaching(list []activity.Session, chains activity.Chains, mail string) *sessions.Reaching {
	p.mu.RLock()
	shells, folders, env, setting, person := p.shells, p.folders, p.opt.Env, "", p.person
	if len(p.settings.Directories) > 0 {
		setting = p.settings.Directories[0]
	}
	if len(folders) > 0 {
		env.Work = folders[0]
	}
	if p.settings.ReadOnly || p.opt.Browser {
		folders = nil // a name is read from a file of the work tree
	}
	p.mu.RUnlock()
	if mail == "" {
		mail = who.Directory(env, p.opt.Dir, setting).Value
	}
	r := sessions.Reach(list, p.now(), mail, func() []who.Known { return who.Others(env.StateDir(), mail, person, folders) })
	r.Here = func(s *activity.Session) bool {
		return len(shells) > 0 && slices.ContainsFunc(chains.Of(s.Process, maxProcesses), func(pid int) bool { return slices.Contains(shells, pid) })
	}
	return r
}

// reach is [Host.Reach].
func (p *Panels) reach(mail string) *sessions.Reaching {
	return p.reaching(p.known().Sessions, activity.Chains{}, mail)
}

// mailed returns how mail reaches a name. Mail goes on with no session that has ended.
func (a *agents) mailed(to string) Reach {
	way := a.reach.Party(to).Way
	if way == sessions.Continue {
		return ReachBegin
	}
	return Reach(way)
}

// woken wakes the agent to which a draft was sent, where that takes more than mail, and
// returns how it was reached.
func (p *Panels) woken(ctx context.Context, views []view, to string) Reach {
	a := p.agentsNow(views)
	return Reach(a.reach.Woken(ctx, sessions.At(p.opt.Env.StateDir()), a.reach.Party(to), p.opt.Run))
}

// Continue returns how a session is gone on with, which it does not do.
func (p *Panels) Continue(ctx context.Context, q ContinueParams) (Continuing, error) {
	page, err := p.Thread(ctx, ThreadParams{Ref: q.Ref, Limit: 1})
	if err != nil {
		return Continuing{}, err
	}
	c := Continuing{Words: []string{}, Group: page.Thread.Group}
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
