// Package notify tells of changes in folders, as far as the system does.
//
// Start with [New]. It is fsnotify in which adding and removing never wait for
// who listens, since that is who adds and removes.
package notify

import "github.com/fsnotify/fsnotify"

// Watcher watches folders. Add, Remove and the channel Events are those of
// fsnotify; Errors must not be used, but [Watcher.Troubles].
type Watcher struct {
	*fsnotify.Watcher
	troubles chan error
	done     chan struct{}
}

// New begins to watch nothing yet. The error is the system's, which allows only
// so many watchers. The caller closes it.
func New() (*Watcher, error) {
	n, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	w := &Watcher{n, make(chan error, 1), make(chan struct{})}
	go w.drain(n.Errors)
	return w, nil
}

// drain takes errors away at once. While fsnotify waits to tell one, as of a
// folder that was moved and then removed, it holds a lock that Add and Remove
// need.
func (w *Watcher) drain(errs <-chan error) {
	defer close(w.done)
	for err := range errs {
		select {
		case w.troubles <- err:
		default: // the one that waits says as much: something was missed
		}
	}
}

// Troubles returns errors, each of which means that events may be missing. Of
// several at once one is given.
func (w *Watcher) Troubles() <-chan error { return w.troubles }

// Close ends the watching and waits for it.
func (w *Watcher) Close() error {
	err := w.Watcher.Close()
	<-w.done
	return err
}
