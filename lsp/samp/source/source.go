// Package source makes SAMP mail available to the panels. It serves the message directories in
// which agents and their user write to each other, each writer into a separate log. SAMP mail
// is not signed.
package source

import (
	"context"
	"slices"
	"sync"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/shelf"
	sampstore "github.com/signalbox-dev/signalbox/lsp/samp"
	"github.com/signalbox-dev/signalbox/lsp/samp/index"
	"github.com/signalbox-dev/signalbox/lsp/who"
	"github.com/signalbox-dev/signalbox/lsp/who/environ"
)

type source struct {
	host   panel.Host
	counts countCache

	mu  sync.Mutex // guards now
	now state
}

// state holds the open directories and the choices of the settings, flags and
// environment.
type state struct {
	stores   []opened // the first one takes new messages
	alias    environ.Choice
	readOnly bool
	stateDir string
	profile  samp.Profile
	auto     bool   // the directory's records take precedence over profile
	origin   string // of the profile
	notes    []panel.Warning
	unnamed  error     // set if it is not known who the user is
	second   *otherDir // the other default place, if both exist
}

// opened is one open directory.
type opened struct {
	live   *index.Live
	path   string
	origin string
	keyed  *panel.KeyedLists
	unread *sampstore.NewCounts // of agents
}

// New returns the source; see [panel.NewSource].
func New(host panel.Host) panel.Source { return &source{host: host} }

func (s *source) Format() panel.Format {
	return panel.Format{Protocol: mail.SAMP, Thread: "a mail thread"}
}

func (s *source) Configure(in panel.Setup) {
	now := state{readOnly: in.Settings.ReadOnly, stateDir: in.Env.StateDir()}
	choices, second := s.locate(&in)
	me := who.Who{Choice: in.Named}
	switch {
	case in.Named.Value != "":
	case s.host.Options.Browser:
		me.Choice = in.Given
	default:
		me = who.Find(who.Query{Env: in.Env, Given: in.Given, Mail: choices[0].Value, Untrusted: now.readOnly && !s.host.Options.Entered})
	}
	now.alias, now.unnamed, now.second = me.Choice, me.Err, &otherDir{place: second}
	now.notes = s.chooseProfile(&in, &now)

	s.mu.Lock()
	left := slices.Clone(s.now.stores)
	same := now.alias.Value == s.now.alias.Value && now.profile == s.now.profile && now.auto == s.now.auto
	for _, c := range choices {
		next := opened{path: c.Value, origin: c.Origin, keyed: &panel.KeyedLists{}, unread: &sampstore.NewCounts{}}
		if i := slices.IndexFunc(left, func(o opened) bool { return same && o.path == c.Value }); i >= 0 {
			next.live = left[i].live
			left = slices.Delete(left, i, i+1)
		} else {
			next.live = s.open(&in, &now, c.Value)
		}
		now.stores = append(now.stores, next)
	}
	s.now = now
	s.mu.Unlock()
	closeAll(left)
}

// once reports whether mail is searched without an index. An agent's search needs the index,
// since a scan counts hidden copies as well to decide who takes part in a thread.
func (s *source) once() bool { return s.host.Options.Once && s.host.Options.Reader == nil }

func (s *source) open(in *panel.Setup, now *state, path string) *index.Live {
	return index.Open(index.Config{
		Path: path, Me: now.alias.Value, StateDir: in.Env.StateDir(),
		Profile: now.profile, Auto: now.auto, Logger: s.host.Options.Log,
		Once:    s.once(),
		Changed: func(c index.Change) { s.changed(path, c) },
	})
}

func (s *source) Close() {
	s.mu.Lock()
	left := s.now.stores
	s.now.stores = nil
	s.mu.Unlock()
	closeAll(left)
}

func closeAll(stores []opened) {
	for _, s := range stores {
		s.live.Close()
	}
}

func (s *source) Sync(ctx context.Context) error {
	if s.once() {
		return nil
	}
	for _, o := range s.current().stores {
		if err := o.live.Sync(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (s *source) current() state {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now
}

// changed reports a directory's change to the panels.
func (s *source) changed(path string, c index.Change) {
	change := panel.SourceChange{Kinds: []string{}, Truncated: c.Truncated, Status: c.Status}
	if c.Messages {
		change.Kinds = append(change.Kinds, "messages")
	}
	if c.Read {
		change.Kinds = append(change.Kinds, "read")
	}
	for _, o := range s.current().stores {
		if o.path != path {
			continue
		}
		id := o.live.Stats().ID
		for _, name := range c.Threads {
			change.Threads = append(change.Threads, threadRef(id, name))
		}
	}
	s.host.Changed(change)
}

func (s *source) View(_ context.Context, away *panel.Shelf) panel.View {
	v := &view{state: s.current(), source: s, shelf: away}
	for _, o := range v.stores {
		o.live.SetReplySince(away.ReplySince() / 1000)
	}
	return v
}

// view holds the directories that are open at one moment. Their contents keep changing.
type view struct {
	state
	source *source
	shelf  *panel.Shelf
}

// find returns the directory of a ref.
func (v *view) find(r panel.Ref) (opened, error) {
	for _, s := range v.stores {
		if s.live.Stats().ID == r.Store {
			return s, nil
		}
	}
	return opened{}, &panel.Error{Kind: panel.NotFound, Message: "the ref's directory is not open"}
}

// first returns the directory that new messages go to. Its live is nil if none is open.
func (v *view) first() opened {
	if len(v.stores) == 0 {
		return opened{}
	}
	return v.stores[0]
}

// shelfPart returns the threads of a directory that the user put away.
func (v *view) shelfPart(id string) *panel.ShelfPart {
	return v.shelf.Part(mail.SAMP, id, v.alias.Value)
}

func (v *view) Begun(ctx context.Context) {
	for _, s := range v.stores {
		s.live.Begun(ctx)
	}
}

func (v *view) Settle(ctx context.Context) error {
	for _, s := range v.stores {
		if err := s.live.Settle(ctx); err != nil {
			return failure(err, "read the message directory")
		}
	}
	return nil
}

func (v *view) LongName(digest string) (string, bool) {
	for _, s := range v.stores {
		if name, ok := s.live.LongName(digest); ok {
			return name, true
		}
	}
	return "", false
}

func (v *view) ShelfKey(r panel.Ref) (shelf.Key, shelf.Mail, error) {
	in, name, err := v.threadOf(r)
	if err != nil {
		return shelf.Key{}, nil, failure(err, "archive or snooze")
	}
	if _, err := in.live.ThreadNamed(name); err != nil {
		return shelf.Key{}, nil, failure(err, "archive or snooze")
	}
	return shelf.Key{Ref: threadRef(r.Store, name), Owner: v.alias.Value}, mailOf(in.live, name), nil
}

func (v *view) Cursor(r panel.Ref) (string, bool) {
	_, ok := keyOf(r)
	return r.ID, ok
}

func (v *view) Name(r panel.Ref) (string, error) {
	_, name, err := v.threadOf(r)
	if err != nil {
		return "", failure(err, "thread")
	}
	return name, nil
}

func (v *view) Named(name string, most int) (links []panel.ThreadLink) {
	for _, s := range v.stores {
		if t, err := s.live.ThreadNamed(name); err == nil && len(links) < most {
			links = append(links, panel.ThreadLink{Ref: threadRef(s.live.Stats().ID, t.Name), Title: titles(s.live, t.Name)[t.Name], Count: t.Count})
		}
	}
	return links
}
