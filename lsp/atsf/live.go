package atsf

import (
	"sync"
	"sync/atomic"

	"github.com/fsnotify/fsnotify"

	"github.com/signalbox-dev/signalbox/lsp/disk/follow"
)

// Live follows the threads of a workspace. Its methods may be called from
// everywhere; one goroutine, ended by [Live.Close], looks for what is new.
type Live struct {
	*follow.Follower
	state *state
	saved sync.Once
	snap  atomic.Pointer[Snapshot]
}

// OpenLive starts following the folders. It returns at once: the first list is
// made behind it, as [Snapshot.Ready] tells.
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

// Close ends the following, waits for it, and saves what the cache is to know.
func (l *Live) Close() {
	l.Follower.Close()
	l.saved.Do(l.state.save)
}

// Snapshot returns what is known now. It is never changed.
func (l *Live) Snapshot() *Snapshot { return l.snap.Load() }
