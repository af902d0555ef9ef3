// Package session is the source of the sessions that agents' programs record themselves.
// They are the person's own files and nobody's mail: they are read, never written, and not
// where a workspace is not trusted.
package session

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/session"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
	"github.com/signalbox-dev/signalbox/lsp/panel/source/turns"
	"github.com/signalbox-dev/signalbox/lsp/store/shelf"
	"github.com/signalbox-dev/signalbox/lsp/store/transcript"
	"github.com/signalbox-dev/signalbox/lsp/who/environ"
)

type source struct {
	host  panel.Host
	keyed panel.KeyedLists
	edits turns.Edits
	// asking is held while all repositories are looked through.
	asking sync.Mutex

	mu      sync.Mutex // guards what follows
	live    *transcript.Live
	folders []string
	// elsewhere are the sessions of all repositories, as they were asked for last at a
	// time.
	elsewhere *transcript.Snapshot
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
	s.mu.Lock()
	if on && s.live != nil && slices.Equal(in.Folders, s.folders) {
		s.mu.Unlock()
		return
	}
	left := s.live
	s.live, s.folders, s.elsewhere, s.env = nil, slices.Clone(in.Folders), nil, in.Env
	if in.Settings.Sessions != nil && !*in.Settings.Sessions {
		_ = transcript.Forget(in.Env) // what another window, where they are on, will make again
	}
	if on {
		s.live = transcript.Open(transcript.Config{Env: in.Env, Folders: s.folders, Logger: s.host.Options.Log, Changed: s.changed})
	}
	s.mu.Unlock()
	if left != nil {
		left.Close()
	}
}

func (s *source) Close() {
	s.mu.Lock()
	left := s.live
	s.live, s.elsewhere = nil, nil
	s.mu.Unlock()
	if left != nil {
		left.Close()
	}
}

func (s *source) Sync(ctx context.Context) error {
	if live := s.followed(); live != nil {
		return live.Sync(ctx)
	}
	return nil
}

func (s *source) followed() *transcript.Live {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.live
}

func (s *source) changed(c transcript.Change) {
	change := panel.SourceChange{Kinds: []string{"messages"}, Truncated: c.Truncated || c.Checkouts, Status: c.Checkouts}
	for _, k := range c.Sessions {
		change.Threads = append(change.Threads, mail.ThreadRef(mail.Session, k.Client, k.Name))
	}
	s.host.Changed(change)
}

func (s *source) View(_ context.Context, away *panel.Shelf) panel.View {
	v := &view{Snapshot: &transcript.Snapshot{}, source: s, shelf: away}
	if live := s.followed(); live != nil {
		v.open, v.Snapshot = true, live.Snapshot()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if v.elsewhere = s.elsewhere; v.elsewhere == nil {
		v.elsewhere = &transcript.Snapshot{}
	}
	return v
}

// view holds the known sessions at one moment.
type view struct {
	*transcript.Snapshot
	source *source
	open   bool
	// elsewhere is the source's, for a session that was opened from there.
	elsewhere *transcript.Snapshot
	shelf     *panel.Shelf
	// known is the result of tokens, or nil until it is needed.
	known map[string]bool
}

// rememberedLook is how long a first list waits for sessions. Thousands that an earlier process
// found take a fifth of it, and the mail of a list is not kept back for others.
const rememberedLook = 250 * time.Millisecond

func (v *view) Begun(ctx context.Context) {
	if v.open && !v.Ready {
		soon, cancel := context.WithTimeout(ctx, rememberedLook)
		defer cancel()
		_ = v.source.Sync(soon) // what is not found in time is shown when it is
	}
}

// key returns the session that a ref stands for, and the message's cursor if the ref is
// of a message.
func key(r panel.Ref) (k transcript.Key, cursor string, err error) {
	k.Client = r.Store
	var ok bool
	if k.Name, ok = r.Thread(); !ok {
		k.Name, cursor, ok = r.Message()
	}
	if !ok {
		return k, "", failure(transcript.ErrNotFound, "session")
	}
	return k, cursor, nil
}

// of returns the snapshot that holds a session.
func (v *view) of(k transcript.Key) *transcript.Snapshot {
	if v.Item(k) == nil && v.elsewhere.Item(k) != nil {
		return v.elsewhere
	}
	return v.Snapshot
}

// item returns the session that a ref stands for.
func (v *view) item(r panel.Ref) (*transcript.Item, error) {
	k, _, err := key(r)
	if err != nil {
		return nil, err
	}
	if it := v.of(k).Item(k); it != nil {
		return it, nil
	}
	return nil, failure(transcript.ErrNotFound, "session")
}

func threadRef(it *transcript.Item) panel.Ref {
	return mail.ThreadRef(mail.Session, it.Format.Client, it.Name)
}

func messageRef(it *transcript.Item, m *session.Message) panel.Ref {
	return mail.MessageRef(mail.Session, it.Format.Client, it.Name, transcript.Cursor(m))
}

// away returns what the user put away of one program's sessions.
func (v *view) away(client string) *panel.ShelfPart { return v.shelf.Part(mail.Session, client, "") }

func (v *view) shelved(it *transcript.Item) panel.Shelved {
	return v.away(it.Format.Client).At(it.Name, nil, v.shelf.Now)
}

func (v *view) ShelfKey(r panel.Ref) (shelf.Key, shelf.Mail, error) {
	it, err := v.item(r)
	if err != nil {
		return shelf.Key{}, nil, err
	}
	return shelf.Key{Ref: threadRef(it)}, nil, nil
}

func (v *view) Cursor(r panel.Ref) (string, bool) {
	_, cursor, ok := r.Message()
	return cursor, ok
}

func (v *view) Name(r panel.Ref) (string, error) {
	it, err := v.item(r)
	if err != nil {
		return "", err
	}
	return it.Name, nil
}

func (v *view) Named(name string, most int) (links []panel.ThreadLink) {
	for _, it := range v.ByID(name) {
		if len(links) < most {
			links = append(links, link(it))
		}
	}
	return links
}

func link(it *transcript.Item) panel.ThreadLink {
	return panel.ThreadLink{Ref: threadRef(it), Agent: true, Title: title(it)}
}

func (v *view) Checkouts() (list []panel.Checkout) {
	for i := range v.Snapshot.Checkouts {
		f := &v.Snapshot.Checkouts[i]
		list = append(list, panel.Checkout{Path: f.Path, Repository: f.Repository, Branch: f.Branch, Gone: f.Gone})
	}
	return list
}

// failure returns an error of the store as an [*panel.Error] with a kind. It returns
// context errors as they are.
func failure(err error, what string) error {
	switch {
	case errors.Is(err, transcript.ErrCursor):
		return &panel.Error{Kind: panel.Malformed, Message: "the cursor is not one that a page gave", Err: err}
	case errors.Is(err, transcript.ErrRewritten):
		return &panel.Error{Kind: panel.NotFound, Message: "the session was written anew since this page was made: load the thread again", Retryable: true, Err: err}
	case errors.Is(err, transcript.ErrNotFound):
		return &panel.Error{Kind: panel.NotFound, Message: what + ": not found", Err: err}
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	}
	return &panel.Error{Kind: panel.StoreUnavailable, Message: what + ": " + show.Line(err.Error()), Retryable: true, Err: err}
}
