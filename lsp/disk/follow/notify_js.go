package follow

import (
	"errors"
	"maps"
	"path"
	"slices"
	"sync"
	"syscall/js"

	"github.com/fsnotify/fsnotify"
)

// system is the notification of the editor. The worker's program calls
// signalboxChanged(path, kind), where kind is 1 for a change, 2 for a new file and 3 for one
// that is gone. The caller cannot wait, so a burst that is too long is an overflow.
type system struct {
	Events   chan fsnotify.Event
	troubles chan error

	mu    sync.Mutex
	paths map[string]bool
}

// maxWaiting is the largest number of events that wait for the listener.
const maxWaiting = 1024

var (
	mu      sync.Mutex
	systems = map[*system]bool{}
	changed = sync.OnceFunc(func() {
		js.Global().Set("signalboxChanged", js.FuncOf(func(_ js.Value, args []js.Value) any {
			kinds := map[int]fsnotify.Op{1: fsnotify.Write, 2: fsnotify.Create, 3: fsnotify.Remove}
			report(fsnotify.Event{Name: args[0].String(), Op: kinds[args[1].Int()]})
			return nil
		}))
	})
)

// newSystem returns an error if the editor reports no changes. The worker's program then does
// not set signalboxWatches.
func newSystem() (*system, error) {
	if !js.Global().Get("signalboxWatches").Truthy() {
		return nil, errors.New("the editor reports no changes")
	}
	changed()
	s := &system{Events: make(chan fsnotify.Event, maxWaiting), troubles: make(chan error, 1), paths: map[string]bool{}}
	mu.Lock()
	defer mu.Unlock()
	systems[s] = true
	return s, nil
}

// report passes an event to each system that watches the path or its folder.
func report(e fsnotify.Event) {
	mu.Lock()
	defer mu.Unlock()
	for s := range systems {
		if !s.watches(e.Name) {
			continue
		}
		select {
		case s.Events <- e:
			continue
		default:
		}
		select {
		case s.troubles <- fsnotify.ErrEventOverflow:
		default: // the waiting error already means an overflow
		}
	}
}

func (s *system) watches(name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.paths[name] || s.paths[path.Dir(name)]
}

func (s *system) Add(p string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.paths[p] = true
	return nil
}

func (s *system) Remove(p string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.paths, p)
	return nil
}

func (s *system) WatchList() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Collect(maps.Keys(s.paths))
}

func (s *system) Close() error {
	mu.Lock()
	defer mu.Unlock()
	delete(systems, s)
	return nil
}
