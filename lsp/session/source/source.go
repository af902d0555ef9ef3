// Package source shows the sessions that agents' programs record to the panels. They are the
// person's own files and not mail. They are read, never written, and not read in an untrusted
// workspace.
package source

import (
	"context"
	"sync"
	"time"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/session"
	"github.com/signalbox-dev/signalbox/lsp/agents"
	"github.com/signalbox-dev/signalbox/lsp/atsf/turns"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	sessionstore "github.com/signalbox-dev/signalbox/lsp/session"
	"github.com/signalbox-dev/signalbox/lsp/who/environ"
)

// failures are the errors of the store.
var failures = turns.Errors{Cursor: sessionstore.ErrCursor, Rewritten: sessionstore.ErrRewritten, NotFound: sessionstore.ErrNotFound}

type source struct {
	turns.Followed[*sessionstore.Live]
	host  panel.Host
	keyed panel.KeyedLists
	edits turns.Edits
	// asking is held while all repositories are searched.
	asking sync.Mutex

	mu sync.Mutex // guards the fields below
	// elsewhere are the sessions of all repositories, found at the time asked.
	elsewhere *sessionstore.Snapshot
	asked     time.Time
	env       environ.Env
}

// New returns the source; see [panel.NewSource].
func New(host panel.Host) panel.Source { return &source{host: host} }

func (s *source) Format() panel.Format {
	return panel.Format{Protocol: mail.Session, Thread: "a session of an agent's program"}
}

func (s *source) Configure(in panel.Setup) {
	on := in.Settings.Sessions == nil || *in.Settings.Sessions
	on = on && (!in.Settings.ReadOnly || s.host.Options.Entered)
	if in.Settings.Sessions != nil && !*in.Settings.Sessions {
		_ = sessionstore.Forget(in.Env) // another window where sessions are on will create it again
	}
	if !on {
		s.forget(in.Env)
		s.Followed.Close()
		return
	}
	s.Open(in.Folders, func(folders []string) *sessionstore.Live {
		s.forget(in.Env)
		return sessionstore.Open(sessionstore.Config{Env: in.Env, Folders: folders, Once: s.host.Options.Once, Logger: s.host.Options.Log, Changed: s.changed})
	})
}

func (s *source) Close() {
	s.forget(environ.Env{})
	s.Followed.Close()
}

// forget drops the sessions of all repositories.
func (s *source) forget(env environ.Env) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.elsewhere, s.env = nil, env
}

func (s *source) changed(c sessionstore.Change) {
	change := panel.SourceChange{Kinds: []string{"messages"}, Truncated: c.Truncated || c.Checkouts, Status: c.Checkouts}
	for _, k := range c.Sessions {
		change.Threads = append(change.Threads, mail.ThreadRef(mail.Session, k.Client, k.Name))
	}
	s.host.Changed(change)
}

func (s *source) View(_ context.Context, away *panel.Shelf) panel.View {
	v := &view{files: files{&sessionstore.Snapshot{}}, source: s, known: s.host.Known()}
	v.reach = sync.OnceValue(func() *agents.Reaching { return s.host.Reach("") })
	if live := s.Live(); live != nil {
		v.open, v.files = true, files{live.Snapshot()}
	}
	v.View = turns.View[sessionstore.Item]{
		Protocol: mail.Session, List: v.files.Items, Folders: v.files.Checkouts, Shelf: away, Keyed: &s.keyed, Seen: v.Snapshot, Edits: &s.edits,
		Of: func(it *sessionstore.Item) turns.Talk { return conversation{v, it} },
		By: func(client, name string) *sessionstore.Item {
			k := sessionstore.Key{Client: client, Name: name}
			return v.of(k).Item(k)
		},
	}
	for _, f := range sessionstore.Formats() {
		v.Stores = append(v.Stores, f.Client)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if v.elsewhere = s.elsewhere; v.elsewhere == nil {
		v.elsewhere = &sessionstore.Snapshot{}
	}
	return v
}

// files is embedded one level deeper than [turns.View], whose methods take precedence.
type files struct{ *sessionstore.Snapshot }

// view holds the known sessions at one moment.
type view struct {
	turns.View[sessionstore.Item]
	files
	source *source
	open   bool
	// elsewhere is the source's, for a session that was opened from there.
	elsewhere *sessionstore.Snapshot
	known     *agents.Known
	reach     func() *agents.Reaching
	// tokens are the names and ids of sessions, or nil until they are needed.
	tokens map[string]bool
}

// rememberedLook is how long a first list waits for sessions. Thousands that an earlier
// process found take a fifth of it. The mail in the list is not delayed for others.
const rememberedLook = 250 * time.Millisecond

func (v *view) Begun(ctx context.Context) {
	if v.open && !v.Ready {
		soon, cancel := context.WithTimeout(ctx, rememberedLook)
		defer cancel()
		_ = v.source.Sync(soon) // the others are shown once they are found
	}
}

// key returns the session of a ref, and the message's cursor if the ref is of a message.
func key(r panel.Ref) (k sessionstore.Key, cursor string, err error) {
	k.Client, k.Name, cursor, err = turns.Key(r)
	return k, cursor, err
}

// of returns the snapshot that holds a session.
func (v *view) of(k sessionstore.Key) *sessionstore.Snapshot {
	if v.Item(k) == nil && v.elsewhere.Item(k) != nil {
		return v.elsewhere
	}
	return v.Snapshot
}

func threadRef(it *sessionstore.Item) panel.Ref {
	return mail.ThreadRef(mail.Session, it.Format.Client, it.Name)
}

func messageRef(it *sessionstore.Item, m *session.Message) panel.Ref {
	return mail.MessageRef(mail.Session, it.Format.Client, it.Name, sessionstore.Cursor(m))
}

func (v *view) Name(r panel.Ref) (string, error) {
	c, err := v.Talk(r)
	if err != nil {
		return "", err
	}
	return c.Names()[0], nil
}

func (v *view) Named(name string, most int) (links []panel.ThreadLink) {
	for _, it := range v.ByID(name) {
		if len(links) < most {
			links = append(links, link(it))
		}
	}
	return links
}

func link(it *sessionstore.Item) panel.ThreadLink {
	return panel.ThreadLink{Ref: threadRef(it), Agent: true, Title: title(it)}
}
