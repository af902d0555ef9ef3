// Package door opens the panels and answers their requests: for the inbox, a thread, a preview, a
// draft and its dry run. Start with [Open]. It is the only place that decides what a person or an
// agent may see.
package door

import (
	"context"
	"slices"
	"sync"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/lsp/check"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/agents"
	"github.com/signalbox-dev/signalbox/lsp/panel/changes"
	"github.com/signalbox-dev/signalbox/lsp/panel/compose"
	"github.com/signalbox-dev/signalbox/lsp/panel/link"
	"github.com/signalbox-dev/signalbox/lsp/panel/list"
	"github.com/signalbox-dev/signalbox/lsp/panel/mark"
	"github.com/signalbox-dev/signalbox/lsp/panel/needs"
	"github.com/signalbox-dev/signalbox/lsp/panel/search"
	"github.com/signalbox-dev/signalbox/lsp/panel/task"
	"github.com/signalbox-dev/signalbox/lsp/panel/thread"
	"github.com/signalbox-dev/signalbox/lsp/panel/view"
)

// Panels serves all panels from the open directories. Its methods may be called from several
// goroutines.
type Panels struct {
	*view.Sources
	*agents.Follower
	*mark.Marks
	list.Lists
	thread.Threads
	link.Resolver
	search.Searcher
	compose.Composer
	needs.Collector
	changes.Differ
	task.Admin

	announcing sync.Mutex // held while a change is announced
}

// Panels provides lsp/check with the files around a document.
var _ check.Stores = (*Panels)(nil)

// Open opens the directories and returns at once. They are read in the background.
func Open(opt panel.Options) *Panels {
	s := view.New(opt)
	f := agents.New(s)
	p := &Panels{
		Sources: s, Follower: f, Marks: mark.New(s), Lists: list.Lists{Sources: s}, Threads: thread.Threads{Follower: f}, Resolver: link.Resolver{Follower: f}, Searcher: search.Searcher{Sources: s},
		Composer: compose.Composer{Follower: f}, Collector: needs.Collector{Follower: f}, Differ: changes.Differ{Follower: f}, Admin: task.Admin{Sources: s},
	}
	s.Make(panel.Host{Changed: p.announce, Known: f.Known, Reach: f.Reach})
	f.Follow()
	s.Start()
	return p
}

// Configure applies new settings and folders. It closes directories that are no longer
// named and opens those that are new.
func (p *Panels) Configure(_ context.Context, s panel.Settings, folders []string) error {
	p.Sources.Configure(s, folders)
	p.announce(panel.SourceChange{Kinds: []string{"messages"}, Truncated: true, Status: true})
	return nil
}

// Close stops following the directories.
func (p *Panels) Close() error {
	p.Stop()
	p.Follower.Close()
	p.Sources.Close()
	return nil
}

// Sync waits until the panels show what was on disk when it was called.
func (p *Panels) Sync(ctx context.Context) error {
	if err := p.Sources.Sync(ctx); err != nil {
		return err
	}
	return p.Follower.Sync(ctx)
}

// announce raises the revision and sends a source's change to the client. It does
// nothing once the panels are closed. Each change is numbered, counted and sent before the
// next, because otherwise older counts could be sent last.
func (p *Panels) announce(c panel.SourceChange) {
	p.announcing.Lock()
	defer p.announcing.Unlock()
	revision, open := p.Revise()
	if !open {
		return
	}
	now := p.At(p.LookNow(context.Background()))
	if len(c.Kinds) > 0 {
		change := panel.Change{Revision: revision, Kinds: c.Kinds, Refs: c.Threads, Truncated: c.Truncated}
		if change.Refs == nil {
			change.Refs = []panel.Ref{}
		}
		p.Recount(now, slices.Contains(c.Kinds, "messages") || slices.Contains(c.Kinds, "read"))
		counts, alarms := now.Views.Counts(), now.Views.Alarms()
		change.Unread, change.NeedsReply, change.Critical, change.Overdue = counts.Unread, counts.NeedsReply, alarms.Critical, alarms.Overdue
		change.Needs = needs.Count(now).Total()
		p.Sources.Options.Changed(change)
	}
	if c.Status {
		p.Sources.Options.StatusChanged(p.statusOf(now))
	}
}

// MessageDirectory returns the open message directory that contains a path. It returns nil if there
// is none, or if it is still being indexed.
func (p *Panels) MessageDirectory(path string) check.MessageDirectory {
	if path == "" {
		return nil
	}
	// Only the source of SAMP has such a view.
	if logged := view.Having[panel.Logged](p.ViewsNow(context.Background())); len(logged) > 0 {
		return logged[0].MessageDirectory(path)
	}
	return nil
}

// Trust returns the trust in the text of a signed message, computed from the keys that
// are known here. path is the file of the message. Trust pins no key. ok is false if
// there are no mailboxes.
func (p *Panels) Trust(path string, m *amp.Message) (t amp.Trust, ok bool) {
	if s := view.Having[panel.Signed](p.ViewsNow(context.Background())); len(s) > 0 {
		return s[0].Trust(path, m)
	}
	return amp.Trust{}, false
}
