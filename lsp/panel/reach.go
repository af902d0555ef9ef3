package panel

import (
	"context"
	"slices"

	sessions "github.com/signalbox-dev/signalbox/lsp/agents"
	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
	"github.com/signalbox-dev/signalbox/lsp/who"
)

// Reach is how an agent is reached: [sessions.Reaching] decides it for every door.
type Reach string

// The ways to reach an agent.
const (
	ReachSend     Reach = "send"     // mail, at its next step
	ReachWake     Reach = "wake"     // mail, which wakes it
	ReachType     Reach = "type"     // mail, and a line typed into its terminal in this window
	ReachWait     Reach = "wait"     // mail, which waits until somebody goes on with it
	ReachContinue Reach = "continue" // it has ended: its program's own command goes on with it
	ReachSetUp    Reach = "setUp"    // its program is not connected
	ReachBegin    Reach = "begin"    // mail to a work tree without an agent: the next one reads it
)

// TerminalsParams are the params of signalbox/terminals/set: the processes of the shells in
// the terminals of the window that asks. Agents that run below one can be typed to.
type TerminalsParams struct {
	Shells []int `json:"shells" check:"most 200"`
}

// TerminalsSet is the result of signalbox/terminals/set.
type TerminalsSet struct {
	Revision int64 `json:"revision"`
}

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

// offer adds the agents and work trees to the recipients, with what they are doing, those
// that were not written to before behind the others.
func (c *ComposeContext) offer(list []sessions.Party) {
	for i := range list {
		party := &list[i]
		if party.Alias == c.From {
			continue
		}
		at := slices.IndexFunc(c.Recipients, func(r Recipient) bool { return r.Alias == party.Alias })
		if at < 0 {
			if at = len(c.Recipients); at >= 2*RecipientsMost {
				return
			}
			c.Recipients = append(c.Recipients, Recipient{Alias: party.Alias})
		}
		c.Recipients[at].Doing, c.Recipients[at].Reach = show.Line(party.About()), Reach(party.Way)
	}
}

// address makes the draft one to the agent of a session, if mail reaches that.
func (c *ComposeContext) address(t *ThreadItem) {
	if t.Agent != nil && t.Agent.Session != nil {
		if c.Reach = t.Agent.Session.Reach; c.Reach != "" && c.Reach != ReachSetUp {
			c.Draft.To = t.Agent.Session.Alias
		}
	}
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

// ContinueParams are the params of signalbox/sessions/resume. Text is what a session is gone
// on with, or empty.
type ContinueParams struct {
	Ref  Ref    `json:"ref"`
	Text string `json:"text,omitempty" check:"long"`
}

// Continuing is the result of signalbox/sessions/resume: the words of the command that goes
// on with a session, in Folder. They are no line for a shell. Taken is set if the text is one
// of them. There are no words for a session that is under way, or of a program that offers no
// way.
type Continuing struct {
	Words  []string `json:"words"`
	Taken  bool     `json:"taken"`
	Client string   `json:"client"`
	Folder string   `json:"folder"`
	Group  string   `json:"group"`
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
