package threads

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/fsnotify/fsnotify"
)

// errClosed is what a closed store gives.
var errClosed = errors.New("threads: closed")

// Live follows the threads of a workspace. Its methods may be called from
// everywhere; one goroutine, ended by [Live.Close], looks for what is new.
type Live struct {
	cfg    Config
	cancel context.CancelFunc
	done   chan struct{}
	kick   chan chan struct{}
	snap   atomic.Pointer[Snapshot]
	finder *Finder

	// notifier makes the system's notification, and budget is the number of
	// directories that it watches.
	notifier func() (notifier, <-chan fsnotify.Event, <-chan error, error)
	budget   int
}

// OpenLive starts following the folders. It returns at once: the first list is
// made behind it, as [Snapshot.Ready] tells.
func OpenLive(cfg Config) *Live {
	return openLive(cfg, systemNotifier, watchBudget())
}

func openLive(cfg Config, notify func() (notifier, <-chan fsnotify.Event, <-chan error, error), budget int) *Live {
	if cfg.Poll == 0 {
		cfg.Poll = 2 * time.Second
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	if cfg.Changed == nil {
		cfg.Changed = func(Change) {}
	}
	ctx, cancel := context.WithCancel(context.Background())
	l := &Live{cfg: cfg, cancel: cancel, done: make(chan struct{}), kick: make(chan chan struct{}), finder: NewFinder(), notifier: notify, budget: budget}
	l.snap.Store(&Snapshot{Watching: WatchPoll, stateDir: cfg.StateDir})
	go func() {
		defer close(l.done)
		l.keep(ctx)
	}()
	return l
}

// Close ends the following and waits for it.
func (l *Live) Close() {
	l.cancel()
	<-l.done
}

// Snapshot gives what is known now. It is never changed.
func (l *Live) Snapshot() *Snapshot { return l.snap.Load() }

// Sync waits until the snapshot holds what was on disk when it was called.
func (l *Live) Sync(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	looked := make(chan struct{})
	select {
	case l.kick <- looked:
	case <-ctx.Done():
		return ctx.Err()
	case <-l.done:
		return errClosed
	}
	select {
	case <-looked:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-l.done:
		return errClosed
	}
}

// Page reads a part of a thread, as [Dir.Page] does.
func (l *Live) Page(ctx context.Context, k Key, q Query) (Page, error) {
	return l.Snapshot().Page(ctx, k, q)
}

// Message gives one message of a thread, as [Dir.Message] does.
func (l *Live) Message(ctx context.Context, k Key, id string) (Entry, error) {
	return l.Snapshot().Message(ctx, k, id)
}

// Asset reads an image of a thread, as [Dir.Asset] does.
func (l *Live) Asset(k Key, ref string) (Asset, error) { return l.Snapshot().Asset(k, ref) }
