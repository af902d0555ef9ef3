package agent

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/agents"
	"github.com/signalbox-dev/signalbox/lsp/store"
	"github.com/signalbox-dev/signalbox/lsp/store/session"
)

// Other is somebody to write to.
type Other struct {
	Alias string `json:"alias"`
	// Heard is when the last message was written, in Unix milliseconds, or 0.
	Heard int64 `json:"heard,omitempty"`
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

// String returns a line about somebody.
func (p Other) String() string {
	parts := []string{p.Alias}
	if p.Heard != 0 {
		parts = append(parts, "last wrote "+Time(p.Heard))
	}
	for _, d := range p.Doing {
		text := string(d.State)
		if d.For != "" {
			text += " for " + Name(d.For)
		}
		text += " since " + Time(d.Since) + " in " + d.Client
		if d.Branch != "" {
			text += " on branch " + Name(d.Branch)
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, ", ")
}

// Others returns everybody who has a log or a session, by alias.
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
	list := make([]Other, 0, len(people))
	for _, p := range people {
		list = append(list, *p)
	}
	slices.SortFunc(list, func(a, b Other) int { return cmp.Compare(a.Alias, b.Alias) })
	return list, nil
}

// writers calls each for the log of everybody who writes in the message directory, but
// not for a sync tool's copies.
func (b *Box) writers(each func(*store.Log)) error {
	d, err := b.dir()
	if err != nil || d == nil {
		return err
	}
	defer d.Close()
	logs, _, err := d.Logs()
	for i := range logs {
		if _, copied := store.CopyOf(logs[i]); !copied && samp.ValidAlias(logs[i].Stem) {
			each(&logs[i])
		}
	}
	return err
}
