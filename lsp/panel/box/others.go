package box

import (
	"cmp"
	"context"
	"slices"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/agents"
	"github.com/signalbox-dev/signalbox/lsp/agents/session"
	"github.com/signalbox-dev/signalbox/lsp/store"
	"github.com/signalbox-dev/signalbox/lsp/who"
	"github.com/signalbox-dev/signalbox/lsp/worktree"
)

// Other is somebody to write to.
type Other struct {
	Alias string `json:"alias"`
	// Heard is when the last message was written, in Unix milliseconds, or 0.
	Heard int64 `json:"heard,omitempty"`
	// Tree is the work tree that the name belongs to, and Branch its branch.
	Tree   string `json:"worktree,omitempty"`
	Branch string `json:"branch,omitempty"`
	// Doing are the sessions that are under way.
	Doing []Doing `json:"sessions,omitempty"`
}

// Doing is what a session is doing.
type Doing struct {
	Client string        `json:"client"`
	State  session.State `json:"state"`
	For    string        `json:"for,omitempty"`
	Since  int64         `json:"since"`
	Folder string        `json:"folder,omitempty"`
	Branch string        `json:"branch,omitempty"`
}

// Others returns everybody who has a log, a session or a work tree, by alias.
func (b *Box) Others(context.Context) ([]Other, error) {
	people := make(map[string]*Other)
	get := func(alias string) *Other {
		if people[alias] == nil {
			people[alias] = &Other{Alias: alias}
		}
		return people[alias]
	}
	if err := b.writers(func(l *store.Log) { get(l.Stem).Heard = l.Info.ModTime().UnixMilli() }); err != nil {
		return nil, err
	}
	sessions, _ := agents.At(b.Env.StateDir()).List(b.Now().UnixMilli())
	for _, s := range sessions {
		if s.State != session.Ended && samp.ValidAlias(s.Alias) {
			p := get(s.Alias)
			p.Doing = append(p.Doing, Doing{s.Client, s.State, s.For, s.Since, s.Folder, s.Branch})
		}
	}
	for _, t := range b.trees() {
		p := get(t.Name)
		p.Tree, p.Branch = t.Tree, t.branch
	}
	list := make([]Other, 0, len(people))
	for _, p := range people {
		list = append(list, *p)
	}
	slices.SortFunc(list, func(a, b Other) int { return cmp.Compare(a.Alias, b.Alias) })
	return list, nil
}

// named is a name with the branch of its work tree, if that is one of the repository's.
type named struct {
	who.Known
	branch string
}

// trees returns the names of other work trees: of this repository, and of others in which
// agents have worked.
func (b *Box) trees() (list []named) {
	me := b.Who()
	at := who.Real(cmp.Or(me.Tree, b.Env.Work))
	repository, _ := worktree.Find(at) // outside of one there are no siblings
	own, inside := repository.At(at)
	var paths []string
	branches := make(map[string]string)
	for _, t := range repository.Trees {
		if !t.Bare && !t.Missing && (!inside || t.Path != own.Path) {
			paths = append(paths, t.Path)
			branches[who.Real(t.Path)] = t.Branch
		}
	}
	for _, k := range who.Others(b.Env.StateDir(), b.Place().Value, b.Person(), paths) {
		if k.Tree != at && (!inside || k.Tree != who.Real(own.Path)) {
			list = append(list, named{k, branches[k.Tree]})
		}
	}
	return list
}

// writers calls each for the log of everybody who writes in the message directory, but
// not for a sync tool's copies.
func (b *Box) writers(each func(*store.Log)) error {
	d, err := b.there()
	if err != nil || d == nil {
		return err
	}
	defer d.Close()
	logs, _, err := d.dir.Logs()
	for i := range logs {
		if _, copied := store.CopyOf(logs[i]); !copied && samp.ValidAlias(logs[i].Stem) {
			each(&logs[i])
		}
	}
	return err
}
