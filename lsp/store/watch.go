package store

import (
	"context"
	"path/filepath"
	"time"

	"github.com/fsnotify/fsnotify"
)

// settleEvents is how long events are gathered, so that a burst of appends is
// read at once. It is far below what a person notices.
const settleEvents = 5 * time.Millisecond

// keep follows the directory until ctx ends: what the system reports, at once,
// and everything at every poll, since some file systems report nothing.
func (l *Live) keep(ctx context.Context) {
	w := watcher{live: l}
	defer w.close()
	l.refresh(ctx, nil)
	w.renew()
	poll := time.NewTimer(l.cfg.Poll)
	defer poll.Stop()
	settled := time.NewTimer(time.Hour)
	defer settled.Stop()
	pending := make(map[string]bool)
	for {
		select {
		case <-ctx.Done():
			return
		case event := <-w.events():
			if len(pending) == 0 {
				settled.Reset(settleEvents)
			}
			pending[filepath.Base(event.Name)] = true
		case err := <-w.errors():
			// An overflow, mostly: something was missed.
			l.cfg.Logger.Warn("watching the message directory", "error", err)
			l.refresh(ctx, nil)
		case <-settled.C:
			l.refresh(ctx, pending)
			clear(pending)
		case read := <-l.kick:
			l.refresh(ctx, nil)
			close(read)
		case <-poll.C:
			start := time.Now()
			l.refresh(ctx, nil)
			w.renew()
			// A directory of thousands of logs takes a while to look at;
			// polling it takes a hundredth of the time at most.
			poll.Reset(max(l.cfg.Poll, 100*time.Since(start)))
		}
	}
}

// watcher is the system's notification, as far as there is one.
type watcher struct {
	live    *Live
	notify  *fsnotify.Watcher
	watched *Dir
	failed  bool
}

func (w *watcher) events() <-chan fsnotify.Event {
	if w.notify == nil {
		return nil
	}
	return w.notify.Events
}

func (w *watcher) errors() <-chan error {
	if w.notify == nil {
		return nil
	}
	return w.notify.Errors
}

func (w *watcher) close() {
	if w.notify != nil {
		w.notify.Close()
		w.notify = nil
	}
}

// renew watches the directory that is open now. Where the system refuses (its
// watch limit, mostly) polling goes on alone, and the log says so once.
func (w *watcher) renew() {
	if w.watched == w.live.dir {
		return
	}
	w.close()
	w.watched = w.live.dir
	if w.watched == nil {
		return
	}
	notify, err := fsnotify.NewWatcher()
	if err == nil {
		w.notify = notify
		err = notify.Add(w.watched.path)
		if state := filepath.Dir(w.live.state.Path()); err == nil && isDir(state) {
			err = notify.Add(state)
		}
	}
	if err != nil && !w.failed {
		w.failed = true
		w.live.cfg.Logger.Warn("the system reports no changes; looking every "+w.live.cfg.Poll.String(), "error", err)
	}
}
