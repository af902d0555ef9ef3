package agn

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/lsp/disk/follow"
	"github.com/signalbox-dev/signalbox/lsp/disk/tree"
)

// Live follows a directory. Its methods may be called from several goroutines; one goroutine,
// ended by [Live.Close], looks for changes.
type Live struct {
	*follow.Follower
	snap atomic.Pointer[Snapshot]
	// changed receives when there may be a new snapshot.
	changed chan struct{}
}

// deps holds what tests replace. A nil notifier and a zero budget mean the system's.
type deps struct {
	notifier func() (follow.Notifier, <-chan fsnotify.Event, <-chan error, error)
	budget   int
	// reject appends to the error log.
	reject func(ctx context.Context, path string, list []agn.Rejection) error
	// settle is as in [state].
	settle time.Duration
}

// OpenLive starts following a directory. It returns at once; [Snapshot.Ready] is set after the
// first look.
func OpenLive(cfg Config) *Live {
	return openLive(cfg, deps{reject: rejectInto, settle: tree.Unsettled})
}

func openLive(cfg Config, with deps) *Live {
	if cfg.Changed == nil {
		cfg.Changed = func(Change) {}
	}
	s := newState(cfg)
	s.settle, s.reject, s.texts, s.live = with.settle, with.reject, maxTexts, &Live{changed: make(chan struct{}, 1)}
	s.live.snap.Store(&Snapshot{Path: s.cfg.Path, ID: s.id, Watching: follow.Poll})
	s.live.Follower = follow.Start(follow.Config{
		Path: s.cfg.Path, What: "tasks", Poll: cfg.Poll, Once: cfg.Once, Logger: cfg.Logger, Notifier: with.notifier, Budget: with.budget,
	}, s)
	return s.live
}

// Snapshot returns the current state. It is never nil and never changed.
func (l *Live) Snapshot() *Snapshot { return l.snap.Load() }
