package view

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"sync"

	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/shelf"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
	"github.com/signalbox-dev/signalbox/lsp/who/environ"
)

// Sources are the open sources of all formats, with the state that requests share: the settings,
// the shelf and the number of the newest change. Methods may be called from several goroutines.
type Sources struct {
	Options panel.Options

	list        []panel.Source
	announce    func(panel.SourceChange)
	configuring sync.Mutex // held while the sources are configured or closed
	shelved     panel.ShelfCache

	mu         sync.RWMutex // guards everything below
	configured Configured
	shelf      *shelf.Shelf
	revision   int64
	closed     bool
}

// Configured is what the sources were configured with. It never changes.
type Configured struct {
	Settings panel.Settings
	// Person is the person's alias, see [panel.Options.Person].
	Person string
	// Folders are the opened folders, clean, or the working directory if there are none.
	Folders []string
}

// New returns sources without any source: [Sources.Make] makes them.
func New(opt panel.Options) *Sources {
	if opt.Browser {
		opt.Env, opt.Run, opt.Decides = confineEnv(opt.Env), nil, nil
	}
	return &Sources{Options: opt}
}

// Make makes the sources. It is called once, before any other method. The sources get the
// host with its options set.
func (s *Sources) Make(host panel.Host) {
	host.Options, s.announce = &s.Options, host.Changed
	for _, open := range s.Options.Sources {
		s.list = append(s.list, open(host))
	}
}

// Start opens the shelf and the directories of the options, and returns at once. They are
// read in the background.
func (s *Sources) Start() {
	s.mu.Lock()
	s.shelf = shelf.Open(shelf.Config{
		Path: shelf.Path(s.Options.Env.StateDir()), Now: s.Options.Now, Logger: s.Options.Log, Changed: s.ShelfChanged,
	})
	s.mu.Unlock()
	s.Configure(s.Options.Settings, s.Options.Folders)
}

// Stop closes the shelf. Nothing is announced from then on.
func (s *Sources) Stop() {
	s.mu.Lock()
	away := s.shelf
	s.shelf, s.closed = nil, true
	s.mu.Unlock()
	if away != nil {
		away.Close()
	}
}

// Close stops following the directories. It comes after [Sources.Stop].
func (s *Sources) Close() {
	s.configuring.Lock()
	defer s.configuring.Unlock()
	for _, source := range s.list {
		source.Close()
	}
}

// Configure applies new settings and folders. It closes directories that are no longer
// named and opens those that are new.
func (s *Sources) Configure(settings panel.Settings, folders []string) {
	env := s.Options.Env
	if len(folders) > 0 {
		env.Work = folders[0]
	}
	if s.Options.Browser {
		settings = confine(&s.Options, env, settings, folders)
	}
	given := environ.Choice{Value: s.Options.As, Origin: "--as"}
	if given.Value == "" {
		given = environ.Choice{Value: settings.Alias, Origin: "setting signalbox.alias"}
	}
	person := ""
	if s.Options.Person != nil {
		person = s.Options.Person()
	}
	if environ.GivenAlias(env, given.Value, given.Origin).Value == "" && s.Options.Named.Value == "" {
		given = environ.Choice{Value: person, Origin: "your configuration"}
	}

	opened := slices.Clone(folders)
	if len(opened) == 0 && env.Work != "" && !s.Options.Browser {
		opened = []string{env.Work}
	}
	configured := Configured{Settings: settings, Person: person}
	for _, f := range opened {
		configured.Folders = append(configured.Folders, filepath.Clean(f))
	}
	s.mu.Lock()
	s.configured = configured
	s.mu.Unlock()
	s.configuring.Lock()
	defer s.configuring.Unlock()
	for _, source := range s.list {
		source.Configure(panel.Setup{Env: env, Settings: settings, Given: given, Named: s.Options.Named, Folders: opened, Workspace: len(folders) > 0})
	}
}

// Configured returns what the sources were last configured with.
func (s *Sources) Configured() Configured {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.configured
}

// List returns all sources.
func (s *Sources) List() []panel.Source { return s.list }

// Sync waits until the sources show what was on disk when it was called.
func (s *Sources) Sync(ctx context.Context) error {
	for _, source := range s.list {
		if err := source.Sync(ctx); err != nil {
			return err
		}
	}
	return nil
}

// Settled waits until each store was read once. A request that changes the threads that a page
// shows must find all of them.
func (s *Sources) Settled(ctx context.Context) error {
	for _, v := range Having[panel.Indexed](s.ViewsNow(ctx)) {
		if err := v.Settle(ctx); err != nil {
			return err
		}
	}
	return nil
}

// NowMilli returns the time in Unix milliseconds.
func (s *Sources) NowMilli() int64 { return s.Options.Now().UnixMilli() }

// Trusted returns an error of kind Untrusted if the workspace is not trusted. done is the refused
// action: for "marked" the message ends in "so nothing is marked".
func (s *Sources) Trusted(done string) error {
	if s.Configured().Settings.ReadOnly {
		return &panel.Error{Kind: panel.Untrusted, Message: s.Options.ReadOnlyWords() + ", so nothing is " + done}
	}
	return nil
}

// Announce announces a change, as [panel.Host.Changed] does.
func (s *Sources) Announce(c panel.SourceChange) { s.announce(c) }

// Revision returns the number of the newest change.
func (s *Sources) Revision() int64 {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.revision
}

// Revise numbers a change. ok is false once the sources were stopped.
func (s *Sources) Revise() (revision int64, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return 0, false
	}
	s.revision++
	return s.revision, true
}

// Counts returns the counts of unread messages and waiting threads in all stores, with the
// revision.
func (s *Sources) Counts(ctx context.Context) panel.Counts {
	revision := s.Revision()
	counts := s.ViewsNow(ctx).Counts()
	counts.Revision = revision
	return counts
}

// ShelfChanged announces that threads were put away or brought back, so that the client
// fetches again what it shows.
func (s *Sources) ShelfChanged() {
	s.announce(panel.SourceChange{Kinds: []string{"read"}, Truncated: true})
}

// Shelf returns the current shelf. It is empty once the sources were stopped.
func (s *Sources) Shelf() *panel.Shelf {
	s.mu.RLock()
	on := s.shelf
	s.mu.RUnlock()
	if on == nil {
		return &panel.Shelf{Snapshot: &shelf.Snapshot{}, Now: s.NowMilli()}
	}
	return s.shelved.At(on.Snapshot(), s.NowMilli())
}

// PutAway writes to the shelf which threads were put away and brought back. It writes nothing once
// the sources were stopped.
func (s *Sources) PutAway(ctx context.Context, put map[shelf.Key]shelf.Entry, back []shelf.Key) error {
	s.mu.RLock()
	on := s.shelf
	s.mu.RUnlock()
	if on == nil {
		return nil
	}
	if err := on.Put(ctx, put, back); err != nil {
		return shelfFailure(err)
	}
	return nil
}

// shelfFailure returns an error of the shelf as an [*panel.Error] of kind StoreUnavailable. A
// missing permission is not retryable. It returns context.Canceled as it is.
func shelfFailure(err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	return &panel.Error{
		Kind: panel.StoreUnavailable, Message: show.Line("archive or snooze: " + err.Error()), Detail: "shelf",
		Retryable: !errors.Is(err, fs.ErrPermission), Err: err,
	}
}
