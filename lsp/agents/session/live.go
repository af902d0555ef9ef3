package session

import (
	"context"
	"errors"
	"log/slog"
	"reflect"
	"strings"
	"sync/atomic"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/signalbox-dev/signalbox/lsp/disk/follow"
)

// checkEvery is how often the sessions are looked at even if no file changed: a program
// that was killed tells nobody. Where there is no session that costs next to nothing.
const checkEvery = 5 * time.Second

// Config says which sessions are followed, and who is told of changes.
type Config struct {
	Folder Folder
	Now    func() time.Time
	// Once has nothing followed, as [follow.Config] says.
	Once   bool
	Logger *slog.Logger
	// Changed is called after a session began, ended or did something else, or after
	// other files could not be read. It is not called concurrently.
	Changed func()
}

// Snapshot is what the sessions are doing at one moment. It never changes.
type Snapshot struct {
	// Sessions are in the order of [Folder.List], each in its state at that moment. They
	// have neither Heard nor what hooks keep for themselves: Held, Holds and Seen.
	Sessions []Session
	// Errs names files that cannot be read.
	Errs []error
}

// Live follows the sessions. Its methods may be called from everywhere; one goroutine,
// ended by [Live.Close], looks for what is new.
type Live struct {
	*follow.Follower
	snap  atomic.Pointer[Snapshot]
	first chan struct{} // closed after the first look
}

// Open starts following. It returns at once: see [Live.Settle].
func Open(cfg Config) *Live {
	l := &Live{first: make(chan struct{})}
	l.snap.Store(&Snapshot{})
	l.Follower = follow.Start(follow.Config{
		Path: cfg.Folder.Path, What: "sessions", Poll: checkEvery, Once: cfg.Once, Logger: cfg.Logger,
	}, &followed{Config: cfg, live: l, known: make(map[string]file)})
	return l
}

// Snapshot returns what is known now. It is never nil.
func (l *Live) Snapshot() *Snapshot { return l.snap.Load() }

// Settle waits until the folder was read once.
func (l *Live) Settle(ctx context.Context) error {
	select {
	case <-l.first:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// followed is the folder as [follow.Source].
type followed struct {
	Config
	live   *Live
	known  map[string]file
	exists bool
	looked bool
}

func (f *followed) Look(context.Context, follow.Todo) (r follow.Looked) {
	now := f.Now().UnixMilli()
	next := &Snapshot{}
	exists := false
	next.Sessions, next.Errs, exists = f.Folder.list(now, f.known)
	for i := range next.Sessions {
		s := &next.Sessions[i]
		s.Heard, s.Held, s.Holds, s.Seen = 0, nil, nil, ""
	}
	r.Folders, f.exists = exists != f.exists, exists
	if before := f.live.Snapshot(); !before.equal(next) {
		if n := len(next.Errs); n > 0 {
			f.Logger.Warn("sessions of agents cannot be read", "files", n, "error", next.Errs[0])
		}
		f.live.snap.Store(next)
		f.Changed()
	}
	if !f.looked {
		f.looked = true
		close(f.live.first)
	}
	return r
}

// equal reports whether two snapshots say the same.
func (s *Snapshot) equal(o *Snapshot) bool {
	text := func(errs []error) string {
		if err := errors.Join(errs...); err != nil {
			return err.Error()
		}
		return ""
	}
	return reflect.DeepEqual(s.Sessions, o.Sessions) && text(s.Errs) == text(o.Errs)
}

func (f *followed) Folders() []string {
	if !f.exists {
		return nil
	}
	return []string{""}
}

// Heeds passes over locks and files that are still being written.
func (f *followed) Heeds(path string, _ fsnotify.Op) bool { return strings.HasSuffix(path, suffix) }

func (f *followed) Watched(follow.Watched) {}
