package follow

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/fsnotify/fsnotify"
)

// Notifier is the system's notification. Tests replace it.
type Notifier interface {
	Add(path string) error
	Remove(path string) error
	// WatchList returns the paths under which events are reported.
	WatchList() []string
	Close() error
}

// System returns the system's notification.
func System() (Notifier, <-chan fsnotify.Event, <-chan error, error) {
	n, err := newSystem()
	if err != nil {
		return nil, nil, nil, err
	}
	return n, n.Events, n.troubles, nil
}

// Budget returns the largest number of folders that are watched. On Linux a limit of 8192 for
// all programs of a user is not rare; elsewhere each folder costs a handle or a buffer.
func Budget() int {
	switch runtime.GOOS {
	case "js":
		return 1 << 20 // the editor watches the whole workspace
	case "linux":
		return 2048
	}
	return 256
}

// The values of [Watched.How].
const (
	// Notify means that the system reports every change.
	Notify = "notify"
	// Partly means that it reports some changes, and that the rest is looked at from time to
	// time.
	Partly = "partly"
	// Poll means that everything is looked at from time to time.
	Poll = "poll"
)

// Watched is how far the system reports changes.
type Watched struct {
	// How is [Notify], [Partly] or [Poll].
	How string
	// Reason is why the system refuses to report all changes, and Advice what can be done.
	// Both are empty if it refuses nothing.
	Reason, Advice string
}

// Problems lists what the user should know about how changes are reported.
func (w Watched) Problems() []Problem {
	if w.Reason == "" {
		return nil
	}
	return []Problem{{Reason: w.Reason, Advice: w.Advice}}
}

// retryAfter is the number of polls after which a limit is tried again.
const retryAfter = 30

// watcher watches the folders of a directory, as far as the system lets it.
type watcher struct {
	root, what string
	notify     Notifier
	event      <-chan fsnotify.Event
	err        <-chan error
	budget     int
	// targets are the watched folders, by their paths relative to the directory. ".." is the
	// parent folder, which is watched until the directory exists.
	targets map[string]bool
	// wanted is the number of folders that would be watched, and missed the number of
	// those folders that are not.
	wanted, missed int
	// refused is why the system watches no more. It is kept for some polls: see retry.
	refused error
	polls   int
	// lost is set if a watched folder was removed or renamed.
	lost bool
}

// around is the parent folder of a directory that does not exist yet.
const around = ".."

func newWatcher(cfg *Config) *watcher {
	w := &watcher{root: cfg.Path, what: cfg.What, budget: cfg.Budget, targets: make(map[string]bool)}
	w.notify, w.event, w.err, w.refused = cfg.Notifier()
	return w
}

func (w *watcher) close() {
	if w.notify != nil {
		w.notify.Close()
	}
}

// about returns the path that an event is about, as the source names it. "" is the directory
// itself. ok is false for an event that does not matter.
func (w *watcher) about(event fsnotify.Event) (at string, ok bool) {
	at = filepath.ToSlash(event.Name)
	if w.root != "" {
		rel, err := filepath.Rel(w.root, event.Name)
		if err != nil || rel == around || strings.HasPrefix(rel, around+string(filepath.Separator)) {
			return "", false
		}
		if at = filepath.ToSlash(rel); at == "." {
			at = ""
		}
	}
	if w.targets[at] && event.Has(fsnotify.Remove|fsnotify.Rename) {
		// The system no longer watches it, nor the folders in it, by this name. A folder
		// that gets its name later is new.
		w.lost = true
		for t := range w.targets {
			if t == at || strings.HasPrefix(t, at+"/") || at == "" && t != around {
				w.drop(t)
			}
		}
	}
	// The directory's times change with everything in it, which is also reported.
	return at, at != "" || event.Op != fsnotify.Write && event.Op != fsnotify.Chmod
}

func (w *watcher) drop(at string) {
	delete(w.targets, at)
	if w.notify != nil {
		_ = w.notify.Remove(w.full(at))
	}
}

// full returns the system's path of a path of the source.
func (w *watcher) full(at string) string { return filepath.Join(w.root, filepath.FromSlash(at)) }

// retry forgets now and then that the system refused to watch more, so that it is asked
// again.
func (w *watcher) retry() {
	if w.polls++; w.polls%retryAfter == 0 && w.notify != nil {
		w.refused = nil
	}
}

// refresh watches the folders in order and no others, and returns those that were not watched
// before.
func (w *watcher) refresh(order []string) (added []string) {
	if order == nil {
		order = []string{around}
	}
	w.lost = false
	w.wanted, w.missed = len(order), len(order)
	if w.notify == nil {
		return nil
	}
	order = order[:min(len(order), w.budget)]
	want := make(map[string]bool, len(order))
	for _, at := range order {
		want[at] = true
	}
	for at := range w.targets {
		if !want[at] {
			w.drop(at)
		}
	}
	if added = w.addAll(order); added != nil && len(w.notify.WatchList()) < len(w.targets) {
		// A folder was moved and another one took its name, and the event is still to come. The
		// system reports one of the two only by the old name, and no longer once that is dropped.
		for at := range w.targets {
			w.drop(at)
		}
		added = w.addAll(order)
	}
	return added
}

// addAll watches the folders that are not watched yet, and returns them.
func (w *watcher) addAll(order []string) (added []string) {
	w.missed = w.wanted - len(order)
	for _, at := range order {
		if !w.targets[at] && w.add(at) {
			if at == around {
				at = ""
			}
			added = append(added, at)
		}
	}
	return added
}

// add watches a folder, and reports whether it is watched now.
func (w *watcher) add(at string) bool {
	if w.refused != nil {
		w.missed++
		return false
	}
	switch err := w.notify.Add(w.full(at)); {
	case err == nil:
		w.targets[at] = true
		return true
	case errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission):
		// It is gone, or we may not read it: the source lists that fault.
	default:
		w.refused = err
		w.missed++
	}
	return false
}

// watched returns how far the system reports changes, and what keeps it from more.
func (w *watcher) watched() Watched {
	how := Notify
	switch {
	case len(w.targets) == 0 || w.targets[around]:
		how = Poll
	case w.missed > 0:
		how = Partly
	}
	if w.refused == nil || runtime.GOOS == "js" { // a browser has no limits that a user could raise
		return Watched{How: how}
	}
	advice := "close other programs that watch many files, or reload the window"
	if runtime.GOOS == "linux" {
		advice = "raise the limits fs.inotify.max_user_watches and fs.inotify.max_user_instances with sysctl, or close other programs that watch many files"
	}
	return Watched{
		How:    how,
		Reason: fmt.Sprintf("the system reports changes in %d of %d folders of %s and refuses more (%v): the others are looked at every few seconds", len(w.targets), w.wanted, w.what, w.refused),
		Advice: advice,
	}
}
