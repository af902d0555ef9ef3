//go:build !js

package follow

import "github.com/fsnotify/fsnotify"

// system is fsnotify, except that Add and Remove never wait for the listener: the
// listener is the goroutine that calls them. Use troubles instead of Errors.
type system struct {
	*fsnotify.Watcher
	// troubles delivers errors. If several come at once, it delivers one of them. Each
	// means that events may be missing.
	troubles chan error
	done     chan struct{}
}

// newSystem returns a notification that watches no folder yet. The system limits the number
// of notifications. The caller closes it.
func newSystem() (*system, error) {
	n, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	w := &system{n, make(chan error, 1), make(chan struct{})}
	go w.drain(n.Errors)
	return w, nil
}

// drain receives errors at once. While fsnotify waits to deliver one, as for a folder that
// was moved and then removed, it holds a lock that Add and Remove need.
func (w *system) drain(errs <-chan error) {
	defer close(w.done)
	for err := range errs {
		select {
		case w.troubles <- err:
		default: // the waiting error already means that events were missed
		}
	}
}

// Close ends the watching and waits for it.
func (w *system) Close() error {
	err := w.Watcher.Close()
	<-w.done
	return err
}
