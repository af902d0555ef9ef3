// Package notify reports changes in folders, as far as the system does.
//
// Start with [New]. It is fsnotify, except that Add and Remove never wait for the listener:
// the listener is the goroutine that calls them.
package notify

import "github.com/fsnotify/fsnotify"

// Watcher watches folders. Add, Remove and the channel Events are fsnotify's. Use
// [Watcher.Troubles] instead of Errors.
type Watcher struct {
	*fsnotify.Watcher
	troubles chan error
	done     chan struct{}
}

// New returns a watcher without folders. The error is the system's, which limits the
// number of watchers. The caller closes it.
func New() (*Watcher, error) {
	n, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	w := &Watcher{n, make(chan error, 1), make(chan struct{})}
	go w.drain(n.Errors)
	return w, nil
}

// drain receives errors at once. While fsnotify waits to deliver one, as for a folder that
// was moved and then removed, it holds a lock that Add and Remove need.
func (w *Watcher) drain(errs <-chan error) {
	defer close(w.done)
	for err := range errs {
		select {
		case w.troubles <- err:
		default: // the one that waits says as much: something was missed
		}
	}
}

// Troubles delivers errors. Each means that events may be missing. Of several at once it
// delivers one.
func (w *Watcher) Troubles() <-chan error { return w.troubles }

// Close ends the watching and waits for it.
func (w *Watcher) Close() error {
	err := w.Watcher.Close()
	<-w.done
	return err
}
