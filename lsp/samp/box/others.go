package box

import (
	"cmp"
	"context"
	"slices"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/agents"
	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
	sampstore "github.com/signalbox-dev/signalbox/lsp/samp"
	"github.com/signalbox-dev/signalbox/lsp/who"
)

// Other is somebody whom the reader can write to.
type Other struct {
	Alias string `json:"alias"`
	// Heard is when their last message was written, in Unix milliseconds, or 0.
	Heard int64 `json:"heard,omitempty"`
	// Tree is the work tree that the name belongs to, and Branch its branch.
	Tree   string `json:"worktree,omitempty"`
	Branch string `json:"branch,omitempty"`
	// Doing lists their sessions that have not ended.
	Doing []Doing `json:"sessions,omitempty"`
	// Reach says how mail reaches an agent: send, wake, wait, continue or begin. It is empty
	// if this isn't an agent.
	Reach agents.Way `json:"reach,omitempty"`
	// About describes Reach in words.
	About string `json:"-"`
}

// Doing is a session and its state.
type Doing struct {
	Client string         `json:"client"`
	State  activity.State `json:"state"`
	For    string         `json:"for,omitempty"`
	Since  int64          `json:"since"`
	Folder string         `json:"folder,omitempty"`
	Branch string         `json:"branch,omitempty"`
}

// Others returns everybody who has a log, a session or a work tree, sorted by alias.
func (b *Box) Others(context.Context) ([]Other, error) {
	people := make(map[string]*Other)
	get := func(alias string) *Other {
		if people[alias] == nil {
			people[alias] = &Other{Alias: alias}
		}
		return people[alias]
	}
	if err := b.writers(func(l *sampstore.Log) { get(l.Stem).Heard = l.Info.ModTime().UnixMilli() }); err != nil {
		return nil, err
	}
	reach := b.reach()
	for _, s := range reach.Sessions {
		if s.State != activity.Ended && samp.ValidAlias(s.Alias) {
			p := get(s.Alias)
			p.Doing = append(p.Doing, Doing{s.Client, s.State, s.For, s.Since, s.Folder, s.Branch})
		}
	}
	for _, t := range reach.Trees() {
		p := get(t.Name)
		p.Tree, p.Branch = t.Tree, t.Branch
	}
	list := make([]Other, 0, len(people))
	for _, p := range people {
		if party := reach.Party(p.Alias); party.Way != "" {
			p.Reach, p.About = party.Way, party.About()
		}
		list = append(list, *p)
	}
	slices.SortStableFunc(list, func(a, b Other) int { return cmp.Compare(a.Alias, b.Alias) })
	return list, nil
}

// reach returns how mail in this directory reaches agents at this moment.
func (b *Box) reach() *agents.Reaching {
	state, mail, now := b.Env.StateDir(), b.Place().Value, b.Now().UnixMilli()
	sessions, _ := agents.At(state).List(now)
	return agents.NewReaching(sessions, now, mail, func() []who.Known {
		return who.Others(state, mail, b.Person(), []string{cmp.Or(b.Who().Tree, b.Env.Work)})
	})
}

// wakeRecipient returns how the recipient of new mail is reached, and wakes an agent that mail
// alone does not reach.
func (b *Box) wakeRecipient(ctx context.Context, to string) agents.Party {
	if b.Scripted || to == b.Person() || to == b.Who().Value {
		return agents.Party{Alias: to}
	}
	reach := b.reach()
	p := reach.Party(to)
	p.Way = reach.Wake(ctx, agents.At(b.Env.StateDir()), p, b.Run)
	return p
}

// writers calls each for the log of every valid alias in the message directory, but not for sync
// tools' copies.
func (b *Box) writers(each func(*sampstore.Log)) error {
	d, err := b.openIfExists()
	if err != nil || d == nil {
		return err
	}
	defer d.Close()
	logs, _, err := d.dir.Logs()
	for i := range logs {
		if _, copied := samp.CopyOf(logs[i].Stem); !copied && samp.ValidAlias(logs[i].Stem) {
			each(&logs[i])
		}
	}
	return err
}
