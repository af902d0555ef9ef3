// Package source shows signed mail in the format amp/0.1 to the panels. It serves the mailboxes
// that agents and their user have on this machine. The user's own mailbox is the one whose key
// signs what they send, and whose messages they mark and archive.
package source

import (
	"context"
	"sync"
	"time"

	"github.com/signalbox-dev/signalbox/core/mail"
	ampstore "github.com/signalbox-dev/signalbox/lsp/amp"
	"github.com/signalbox-dev/signalbox/lsp/disk/tree"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/who/environ"
)

type source struct {
	host    panel.Host
	signing sync.Mutex // held while a message is signed and sent
	keyed   panel.KeyedLists

	mu      sync.Mutex // guards current
	current state
}

// state holds the open directory of mailboxes and the settings. root is nil if no directory is
// open.
type state struct {
	root     *root
	origin   string // of root's path
	identity string // the name or address of the user's own mailbox in the settings
	signer   string // the alias that the user gave; a folder never chooses the signing key
	readOnly bool
}

// New returns the source; see [panel.NewSource].
func New(host panel.Host) panel.Source { return &source{host: host} }

func (s *source) Format() panel.Format {
	return panel.Format{Protocol: mail.AMP, Thread: "a thread of signed mail"}
}

// Configure follows the directory of mailboxes that the flag, the environment or the
// settings name.
func (s *source) Configure(in panel.Setup) {
	c := ampstore.Locate(in.Env, s.host.Options.Amp, in.Settings.AmpDirectory)
	now := state{
		origin: c.Origin, identity: in.Settings.AmpIdentity, readOnly: in.Settings.ReadOnly,
		signer: environ.GivenAlias(in.Env, in.Given.Value, in.Given.Origin).Value,
	}
	s.mu.Lock()
	old := s.current.root
	if now.root = old; old != nil && old.path == c.Value {
		old = nil
	} else {
		now.root = s.open(in.Env, c.Value)
	}
	s.current = now
	s.mu.Unlock()
	if old != nil {
		old.close(!now.readOnly)
	}
}

func (s *source) open(env environ.Env, path string) *root {
	options := s.host.Options
	r := &root{path: path, pins: ampstore.PinsAt(ampstore.PinsPath(env)), seen: ampstore.SeenAt(ampstore.SeenPath(env)), strangers: options.Browser}
	r.live = ampstore.OpenLive(ampstore.Config{
		Path: path, Seen: r.seen, Strangers: options.Browser, Once: options.Once, Logger: options.Log, Changed: func(c ampstore.Change) { s.changed(path, c) },
	})
	return r
}

func (s *source) Close() {
	s.mu.Lock()
	old, write := s.current.root, !s.current.readOnly
	s.current.root = nil
	s.mu.Unlock()
	if old != nil {
		old.close(write)
	}
}

func (s *source) Sync(ctx context.Context) error {
	if r := s.currentState().root; r != nil {
		return r.live.Sync(ctx)
	}
	return nil
}

func (s *source) currentState() state {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.current
}

// maxRefs is how many threads a change lists.
const maxRefs = 100

func (s *source) changed(path string, c ampstore.Change) {
	named := c.Threads[:min(len(c.Threads), maxRefs)]
	change := panel.SourceChange{Kinds: []string{"read"}, Truncated: len(named) < len(c.Threads) || c.Mailboxes, Status: c.Mailboxes}
	if c.Messages {
		change.Kinds = []string{"messages", "read"}
	}
	for _, id := range named {
		change.Threads = append(change.Threads, mail.ThreadRef(mail.AMP, tree.ID(path), id))
	}
	s.host.Changed(change)
}

func (s *source) View(ctx context.Context, shelf *panel.Shelf) panel.View { return s.view(ctx, shelf) }

func (s *source) view(ctx context.Context, shelf *panel.Shelf) *view {
	v := &view{Snapshot: &ampstore.Snapshot{}, state: s.currentState(), source: s, shelf: shelf, now: shelf.Now}
	v.learn = func() {}
	if v.root == nil {
		return v
	}
	v.Snapshot = v.root.live.Snapshot()
	if s.host.Options.Browser {
		v.own.Why = "signed mail is only read in a browser, where no private key is opened"
	} else {
		v.own = ampstore.ChooseOwn(v.Snapshot, s.host.Options.Env, environ.Choice{Value: v.identity, Origin: "setting signalbox.amp.identity"}, v.signer)
	}
	v.away = shelf.Part(mail.AMP, v.ID, v.owner())
	v.learn = sync.OnceFunc(func() {
		now := s.host.Options.Now()
		v.seenErr = v.root.remember(ctx, now, !v.readOnly)
		v.alarms, v.pinErr = v.root.pinNew(ctx, v.Mailboxes, now, !v.readOnly)
	})
	return v
}

// view is the mailboxes at the time now, in Unix milliseconds.
type view struct {
	*ampstore.Snapshot
	state
	source  *source
	own     ampstore.OwnMailbox
	now     int64
	shelf   *panel.Shelf     // of all formats
	away    *panel.ShelfPart // of signed mail
	tallies *panel.Tallies   // holds the counts of [view.count], or nil before its first call
	// questions and urgent are what [view.asking] found, or nil before its first call.
	questions map[*ampstore.Thread]*panel.ThreadQuestion
	urgent    map[*ampstore.Thread]bool

	// learn has to be called before trust is judged or reported. It pins the keys of
	// mailboxes that are new on this machine and sets the fields below.
	learn  func()
	alarms []ampstore.Alarm
	// pinErr is why new keys cannot be pinned. seenErr is why the signatures that were seen
	// cannot be read or saved.
	pinErr, seenErr error
}

// owner returns the name of the user's mailbox, or "". It owns the signed mail that is put
// away.
func (v *view) owner() string {
	if v.own.Mailbox == nil {
		return ""
	}
	return v.own.Mailbox.Name
}

const pinsTimeout = 2 * time.Second

// rememberEvery is the shortest time between two saves of the seen signatures. The file is
// always written as a whole, and a reader who turns pages should not wait for the disk.
const rememberEvery = 10 * time.Second

// root is the directory of mailboxes that we follow, with the known keys of others.
type root struct {
	live *ampstore.Live
	path string
	pins *ampstore.Pins
	seen *ampstore.Seen
	// strangers is set if no key in the mailboxes may be pinned.
	strangers bool

	mu    sync.Mutex // guards saved
	saved time.Time
}

// remember reads the signatures that other processes have seen. With write it also saves those
// of earlier requests, at most once every rememberEvery.
func (r *root) remember(ctx context.Context, now time.Time, write bool) error {
	r.mu.Lock()
	since := now.Sub(r.saved)
	if due := since < 0 || since >= rememberEvery; write && due {
		r.saved = now
	} else {
		write = false
	}
	r.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, pinsTimeout)
	defer cancel()
	return r.seen.Sync(ctx, write)
}

func (r *root) close(write bool) {
	r.live.Close()
	ctx, cancel := context.WithTimeout(context.Background(), pinsTimeout)
	defer cancel()
	_ = r.seen.Sync(ctx, write)
}

// pinNew pins keys that are seen for the first time, and returns an alarm for each key that
// differs from the pinned one. Without write it pins nothing.
func (r *root) pinNew(ctx context.Context, boxes []*ampstore.Mailbox, now time.Time, write bool) ([]ampstore.Alarm, error) {
	if r.strangers {
		return nil, nil
	}
	if err := r.pins.Err(); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, pinsTimeout)
	defer cancel()
	return r.pins.PinNew(ctx, boxes, now, write)
}
