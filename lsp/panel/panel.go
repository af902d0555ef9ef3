// Package panel makes what each panel shows, as plain values: the inbox, a
// thread, a preview, a draft and its dry run. Start with [Open]. It merges what the
// sources of the formats hold ([Source]), and knows nothing of JSON-RPC.
package panel

import (
	"context"
	"path/filepath"
	"slices"
	"sync"

	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
	"github.com/signalbox-dev/signalbox/lsp/agents/ask"
	"github.com/signalbox-dev/signalbox/lsp/panel/recount"
	"github.com/signalbox-dev/signalbox/lsp/panel/shelf"
	"github.com/signalbox-dev/signalbox/lsp/who/environ"
)

// Panels serves all panels over the open directories. Its methods may be called from
// several goroutines.
type Panels struct {
	opt Options

	sources     []Source
	configuring sync.Mutex // held while the sources are configured or closed
	announcing  sync.Mutex // held while a change is announced

	shelved shelfCache
	unread  *recount.Counter // mail of idle agents, by alias

	mu       sync.RWMutex // guards everything below
	settings Settings
	person   string
	folders  []string // the opened ones, clean
	done     *done    // what the user did last
	undos    int64    // how many changes could be undone
	shelf    *shelf.Shelf
	sessions *activity.Live
	shells   []int // of the terminals of the window
	requests *ask.Live
	revision int64
	closed   bool
}

// Open opens the directories and returns at once. They are read in the background.
func Open(opt Options) *Panels {
	if opt.Browser {
		opt.Env, opt.Run, opt.Decides = confineEnv(opt.Env), nil, nil
	}
	p := &Panels{opt: opt}
	p.setSources()
	p.followSessions()
	p.openShelf()
	p.configure(opt.Settings, opt.Folders)
	return p
}

// Configure applies new settings and folders. It closes directories that are no longer
// named and opens those that are new.
func (p *Panels) Configure(_ context.Context, s Settings, folders []string) error {
	p.configure(s, folders)
	p.announce(SourceChange{Kinds: []string{"messages"}, Truncated: true, Status: true})
	return nil
}

// Close stops following the directories.
func (p *Panels) Close() error {
	p.mu.Lock()
	away, sessions, requests := p.shelf, p.sessions, p.requests
	p.shelf, p.sessions, p.requests, p.closed = nil, nil, nil, true
	p.mu.Unlock()
	p.unread.Close() // it asks the sources
	p.configuring.Lock()
	defer p.configuring.Unlock()
	for _, s := range p.sources {
		s.Close()
	}
	if away != nil {
		away.Close()
	}
	if sessions != nil {
		sessions.Close()
	}
	if requests != nil {
		requests.Close()
	}
	return nil
}

func (p *Panels) configure(s Settings, folders []string) {
	env := p.opt.Env
	if len(folders) > 0 {
		env.Work = folders[0]
	}
	if p.opt.Browser {
		s = p.opt.confine(env, s, folders)
	}
	given := environ.Choice{Value: p.opt.As, Origin: "--as"}
	if given.Value == "" {
		given = environ.Choice{Value: s.Alias, Origin: "setting signalbox.alias"}
	}
	person := ""
	if p.opt.Person != nil {
		person = p.opt.Person()
	}
	if environ.GivenAlias(env, given.Value, given.Origin).Value == "" && p.opt.Named.Value == "" {
		given = environ.Choice{Value: person, Origin: "your configuration"}
	}

	p.mu.Lock()
	around := slices.Clone(folders)
	if len(around) == 0 && env.Work != "" && !p.opt.Browser {
		around = []string{env.Work}
	}
	p.settings, p.person, p.folders = s, person, nil
	for _, f := range around {
		p.folders = append(p.folders, filepath.Clean(f))
	}
	p.mu.Unlock()
	p.configuring.Lock()
	defer p.configuring.Unlock()
	for _, source := range p.sources {
		source.Configure(Setup{Env: env, Settings: s, Given: given, Named: p.opt.Named, Folders: around, Workspace: len(folders) > 0})
	}
}

// settingsNow returns the current settings.
func (p *Panels) settingsNow() Settings {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.settings
}

func (p *Panels) personNow() string {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.person
}

// opened returns the opened folders, or the working directory if there are none.
func (p *Panels) opened() []string {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return slices.Clone(p.folders)
}

func (p *Panels) now() int64 { return p.opt.Now().UnixMilli() }

// trusted returns an error of kind Untrusted if the workspace is not trusted, and nothing is
// marked, put away or whatever was asked for.
func (p *Panels) trusted(asked string) error {
	if p.settingsNow().ReadOnly {
		return &Error{Kind: Untrusted, Message: p.opt.ReadOnlyWords() + ", so nothing is " + asked}
	}
	return nil
}

// revised returns the revision, the number of the newest change.
func (p *Panels) revised() int64 {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.revision
}

// settled waits until each store was read once. A request that acts on what a page
// shows must see all of it.
func (p *Panels) settled(ctx context.Context) error {
	for _, v := range having[Indexed](p.viewsNow(ctx)) {
		if err := v.Settle(ctx); err != nil {
			return err
		}
	}
	return nil
}

// Sync waits until the panels show what was on disk when it was called.
func (p *Panels) Sync(ctx context.Context) error {
	for _, s := range p.sources {
		if err := s.Sync(ctx); err != nil {
			return err
		}
	}
	if on := p.sessionsOn(); on != nil {
		return on.Sync(ctx)
	}
	return nil
}

// announce raises the revision and sends a source's change to the client. It does
// nothing once the panels are closed. One change is numbered, counted and sent before the
// next: otherwise an older count could be sent last, and stay.
func (p *Panels) announce(c SourceChange) {
	p.announcing.Lock()
	defer p.announcing.Unlock()
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return
	}
	p.revision++
	change := Change{Revision: p.revision, Kinds: c.Kinds, Refs: c.Threads, Truncated: c.Truncated}
	p.mu.Unlock()
	now := p.look(context.Background())
	if len(c.Kinds) > 0 {
		if change.Refs == nil {
			change.Refs = []Ref{}
		}
		if slices.Contains(c.Kinds, "messages") || slices.Contains(c.Kinds, "read") {
			p.unread.Kick()
		}
		p.unread.Want(now.agents.idle())
		left, alarms := countAll(now.views), alarming(now.views)
		change.Unread, change.NeedsReply, change.Critical, change.Overdue = left.Unread, left.NeedsReply, alarms.Critical, alarms.Overdue
		change.Needs = now.needing().total()
		p.opt.Changed(change)
	}
	if c.Status {
		p.opt.StatusChanged(p.statusOf(now))
	}
}

// counts returns the unread messages and waiting threads of all stores, with the
// revision.
func (p *Panels) counts(ctx context.Context) Counts {
	revision := p.revised()
	left := countAll(p.viewsNow(ctx))
	left.Revision = revision
	return left
}
