// Package talk reads what agents wrote in a project, from the files at the moment of the call:
// their threads (ATSF) and the sessions that their programs recorded. Commands use it to list,
// show, write and check them; the server follows the same files and asks lsp/panel.
//
// Start with [Project].
package talk

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"time"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/lsp/agents"
	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
	atsfstore "github.com/signalbox-dev/signalbox/lsp/atsf"
	sessionstore "github.com/signalbox-dev/signalbox/lsp/session"
	"github.com/signalbox-dev/signalbox/lsp/who/environ"
	"github.com/signalbox-dev/signalbox/lsp/worktree"
	"github.com/signalbox-dev/signalbox/lsp/worktree/project"
)

// Types of the stores that the results use.
type (
	// Thread is a thread of an agent.
	Thread = atsfstore.Item
	// Session is what an agent's program recorded of one session.
	Session = sessionstore.Item
	// Folder is a checkout or folder in which agents worked.
	Folder = atsfstore.Folder
	// Problem is something in a project that a user should know.
	Problem = atsfstore.Problem
)

// Project is a folder and the checkouts of its repository. It keeps nothing between calls.
type Project struct {
	Env    environ.Env
	Folder string // absolute
	// Chosen is set if the user named the folder: new threads are created in it. Otherwise they
	// are created in the checkout that contains it.
	Chosen bool
	// Peek means that lists of threads do not use the state folder, that hooks are not asked
	// for the state of sessions, and that git does not run.
	Peek bool
	// By is the program that new files name as their creator (rule K1).
	By  atsf.CreatedBy
	Now func() time.Time
	// Warn reports a problem that stops nothing.
	Warn func(format string, args ...any)
}

// Talk is a thread or a session, with what lists show for both.
type Talk struct {
	Name, ID     string // ID is from the file
	Agent, Title string
	Alias        string // what others call a session's agent
	Updated      int64
	Folder       string   // the ID of its folder
	Thread       *Thread  // nil for a session
	Session      *Session // nil for a thread
}

// List holds threads or sessions, newest first, and their folders.
type List struct {
	Folders  []Folder
	Talks    []*Talk
	Problems []Problem

	project  *Project
	threads  *atsfstore.Snapshot
	sessions *sessionstore.Snapshot
}

// Threads lists the threads of the project and all its worktrees, or those of the given
// folders.
func (p *Project) Threads(ctx context.Context, folders ...string) (*List, error) {
	if info, err := os.Stat(p.Folder); err != nil {
		return nil, fmt.Errorf("threads: %w", err)
	} else if !info.IsDir() {
		return nil, fmt.Errorf("threads: %q is no directory", p.Folder)
	}
	cfg := atsfstore.Config{Folders: folders, StateDir: p.Env.StateDir()}
	if folders == nil {
		cfg.Folders = []string{p.Folder}
	}
	if p.Peek {
		cfg.StateDir = ""
	}
	snap, err := atsfstore.Scan(ctx, cfg)
	if err != nil {
		return nil, err
	}
	l := &List{Folders: snap.Folders, Problems: snap.Problems, project: p, threads: snap}
	for i := range snap.Folders {
		l.Problems = append(l.Problems, snap.Folders[i].Problems...)
	}
	for _, it := range snap.Items {
		th := &it.Thread
		l.Talks = append(l.Talks, &Talk{
			Name: it.Name, ID: th.ID, Agent: cmp.Or(th.Agent.Name, th.Agent.ID), Title: th.Title, Updated: it.Updated, Folder: it.Folder, Thread: it,
		})
	}
	return l, nil
}

// Sessions lists the sessions recorded in the project and its worktrees, or everywhere if all
// is set.
func (p *Project) Sessions(ctx context.Context, all bool) (*List, error) {
	snap, err := sessionstore.Scan(ctx, sessionstore.Config{Env: p.Env, Folders: []string{p.Folder}, All: all, Roots: p.roots()})
	if err != nil {
		return nil, err
	}
	if !p.Peek {
		p.setStates(snap)
	}
	l := &List{Folders: snap.Checkouts, Problems: snap.Problems, project: p, sessions: snap}
	for _, it := range snap.Items {
		l.Talks = append(l.Talks, &Talk{
			Name: it.Name, ID: it.ID, Agent: cmp.Or(it.Facts.Name, it.Format.Title), Alias: it.Alias, Title: cmp.Or(it.Title, it.Prompt), Updated: it.Updated, Folder: it.Checkout, Session: it,
		})
	}
	return l, nil
}

// Note records the project's checkouts, so that their sessions stay listed when a checkout is
// removed.
func (p *Project) Note(ctx context.Context) error {
	r, err := worktree.Find(p.Folder)
	if err != nil {
		return err
	}
	return project.At(p.Env.StateDir()).Note(ctx, p.Now().UnixMilli(), []project.Seen{{Repository: r}}, p.roots())
}

// roots returns the function that asks git for a repository's first commits.
func (p *Project) roots() project.Roots {
	if p.Peek {
		return nil
	}
	git := worktree.Git{Env: p.Env.Vars}
	return git.Roots
}

// setStates sets the state and alias of sessions about which hooks report more than their
// transcripts.
func (p *Project) setStates(snap *sessionstore.Snapshot) {
	now := p.Now().UnixMilli()
	hooked, _ := agents.At(p.Env.StateDir()).List(now)
	known := agents.With(hooked, now)
	for i, it := range snap.Items {
		doing, _ := known.Of(it)
		set := *it
		set.State, set.For, set.Alias = doing.State, doing.For, doing.Alias
		snap.Items[i] = &set
	}
}

// Doing returns in words what a session is doing, or "" for a thread.
func (t *Talk) Doing() string {
	if t.Session == nil {
		return ""
	}
	s := activity.Session{State: t.Session.State, For: t.Session.For}
	return s.Doing()
}

// Waits reports whether a session waits for the person.
func (t *Talk) Waits() bool { return t.Session != nil && t.Session.State == activity.Waiting }
