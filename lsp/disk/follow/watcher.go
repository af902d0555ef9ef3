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

// Notifier is the system's notification; tests put another in its place.
type Notifier interface {
	Add(path string) error
	Remove(path string) error
	// WatchList returns the paths whose events are told by their names.
	WatchList() []string
	Close() error
}

// System makes the notification that is there.
func System() (Notifier, <-chan fsnotify.Event, <-chan error, error) {
	n, err := newSystem()
	if err != nil {
		return nil, nil, nil, err
	}
	return n, n.Events, n.troubles, nil
}

// Budget is the number of folders that are watched at most. On Linux a user's
// limit of 8192, which all programs share, is not rare; elsewhere each costs a
// handle or a buffer.
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
	// Partly means that it does for a part, and that the rest is looked at now and
	// then.
	Partly = "partly"
	// Poll means that everything is looked at now and then.
	Poll = "poll"
)

// Watched says how far the system reports changes.
type Watched struct {
	// How is one of the constants.
	How string
	// Reason says in words what keeps the system from reporting all, Advice what
	// can be done. Both are empty if nothing does.
	Reason, Advice string
}

// Problems lists what the user should know of how changes are reported.
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
	// targets are the folders that are watched, by their paths relative to the
	// directory. The one around it, watched until it comes, is "..".
	targets map[string]bool
	// wanted is the number of folders that would be watched, and missed the number of
	// those folders that are not.
	wanted, missed int
	// refused is why the system watches no more, for the next polls.
	refused error
	polls   int
	// lost is set where a folder that was watched went.
	lost bool
}

// around stands for the folder that the directory is to come in.
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

// about returns the path that an event is about, as the source names it; "" is
// the directory itself.
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
		// The system no longer watches it, nor what is in it by this name; what
		// has its name later is new.
		w.lost = true
		for t := range w.targets {
			if t == at || strings.HasPrefix(t, at+"/") || at == "" && t != around {
				w.drop(t)
			}
		}
	}
	// Its times change with everything in it, which is told as well.
	return at, at != "" || event.Op != fsnotify.Write && event.Op != fsnotify.Chmod
}

func (w *watcher) drop(at string) {
	delete(w.targets, at)
	if w.notify != nil {
		_ = w.notify.Remove(w.full(at))
	}
}

// full is where the system finds a path of the source.
func (w *watcher) full(at string) string { return filepath.Join(w.root, filepath.FromSlash(at)) }

// retry lets a limit be tried again now and then.
func (w *watcher) retry() {
	if w.polls++; w.polls%retryAfter == 0 && w.notify != nil {
		w.refused = nil
	}
}

// renew watches these folders and no others, and returns what was not watched
// before.
func (w *watcher) renew(order []string) (added []string) {
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
		// One was moved and its name taken by another, of which the event is still to come:
		// the system tells of one folder by the old name alone, and no longer when that is dropped.
		for at := range w.targets {
			w.drop(at)
		}
		added = w.addAll(order)
	}
	return added
}

// addAll watches those that are not watched, and returns them.
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

// add reports whether a folder is watched now.
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
		// Gone meanwhile, or not ours to see: its fault is listed.
	default:
		w.refused = err
		w.missed++
	}
	return false
}

// watched says how far the system reports changes, and what keeps it from more.
func (w *watcher) watched() Watched {
	how := Notify
	switch {
	case len(w.targets) == 0 || w.targets[around]:
		how = Poll
	case w.missed > 0:
		how = Partly
	}
	if w.refused == nil || runtime.GOOS == "js" { // a browser has no limits that anybody could raise
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
