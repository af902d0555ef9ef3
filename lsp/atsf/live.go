package atsf

import (
	"sync"
	"sync/atomic"

	"github.com/fsnotify/fsnotify"

	"github.com/signalbox-dev/signalbox/lsp/disk/follow"
)

// Live follows the threads of a workspace. Its methods may be called from several goroutines;
// one goroutine, ended by [Live.Close], looks for changes.
type Live struct {
	*follow.Follower
	state *state
	saved sync.Once
	snap  atomic.Pointer[Snapshot]
}

// OpenLive starts following the folders. It returns at once; [Snapshot.Ready] is set after the
// first look.
func OpenLive(cfg Config) *Live { return openLive(cfg, follow.System, follow.Budget()) }

func openLive(cfg Config, notifier func() (follow.Notifier, <-chan fsnotify.Event, <-chan error, error), budget int) *Live {
	if cfg.Changed == nil {
		cfg.Changed = func(Change) {}
	}
	l := &Live{state: newState(cfg)}
	l.snap.Store(&Snapshot{Watching: follow.Poll})
	l.Follower = follow.Start(follow.Config{
		What: "threads", Poll: cfg.Poll, Once: cfg.Once, Logger: cfg.Logger, Notifier: notifier, Budget: budget,
	}, &source{state: l.state, live: l, budget: budget})
	return l
}

// Close stops the following, waits for it to end, and saves the cache.
func (l *Live) Close() {
	l.Follower.Close()
	l.saved.Do(l.state.save)
}

// Snapshot returns the current state. It is never changed.
func (l *Live) Snapshot() *Snapshot { return l.snap.Load() }
