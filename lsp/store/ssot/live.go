package ssot

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/signalbox-dev/signalbox/core/agn"
)

// errClosed is what a closed store gives.
var errClosed = errors.New("ssot: closed")

// Live follows a directory. Its methods may be called from everywhere; one
// goroutine, ended by [Live.Close], looks for what is new.
type Live struct {
	cfg    Config
	cancel context.CancelFunc
	done   chan struct{}
	kick   chan chan struct{}
	snap   atomic.Pointer[Snapshot]
	with   outside

	mu sync.Mutex
	// ears are told that there is another snapshot.
	ears map[chan struct{}]bool
}

// outside is what a test puts something else in the place of.
type outside struct {
	open func(path string) (folder, error)
	// notifier makes the system's notification, and budget is the number of
	// folders that it watches.
	notifier func() (notifier, <-chan fsnotify.Event, <-chan error, error)
	budget   int
	// reject appends to the error log.
	reject func(ctx context.Context, path string, list []agn.Rejection) error
	// settle is that of the [state].
	settle time.Duration
}

// OpenLive starts following a directory. It returns at once: the first look is
// taken behind it, as [Snapshot.Ready] tells.
func OpenLive(cfg Config) *Live {
	return openLive(cfg, outside{openFolder, systemNotifier, watchBudget(), rejectInto, unsettled})
}

func openLive(cfg Config, with outside) *Live {
	if cfg.Poll == 0 {
		cfg.Poll = 2 * time.Second
	}
	if cfg.Changed == nil {
		cfg.Changed = func(Change) {}
	}
	ctx, cancel := context.WithCancel(context.Background())
	s := newState(cfg)
	s.openRoot, s.settle, s.max.texts = with.open, with.settle, keepTexts
	l := &Live{cfg: s.cfg, cancel: cancel, done: make(chan struct{}), kick: make(chan chan struct{}), with: with}
	l.snap.Store(&Snapshot{Path: s.cfg.Path, ID: s.id, Watching: WatchPoll})
	go func() {
		defer close(l.done)
		l.keep(ctx, s)
	}()
	return l
}

// Close ends the following and waits for it.
func (l *Live) Close() {
	l.cancel()
	<-l.done
}

// Snapshot gives what is known now. It is never nil and never changed.
func (l *Live) Snapshot() *Snapshot { return l.snap.Load() }

// listen gives a channel that has something whenever there is another snapshot
// than at the last look into it.
func (l *Live) listen() (changed <-chan struct{}, forget func()) {
	ear := make(chan struct{}, 1)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ears == nil {
		l.ears = make(map[chan struct{}]bool)
	}
	l.ears[ear] = true
	return ear, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.ears, ear)
	}
}

// tell tells those who listen.
func (l *Live) tell() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for ear := range l.ears {
		select {
		case ear <- struct{}{}:
		default:
		}
	}
}

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
