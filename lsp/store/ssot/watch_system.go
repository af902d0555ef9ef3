package ssot

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/fsnotify/fsnotify"

	"github.com/signalbox-dev/signalbox/lsp/store/notify"
)

// notifier is the system's notification; tests put another in its place.
type notifier interface {
	Add(path string) error
	Remove(path string) error
	Close() error
}

// systemNotifier is the one that is there.
func systemNotifier() (notifier, <-chan fsnotify.Event, <-chan error, error) {
	n, err := notify.New()
	if err != nil {
		return nil, nil, nil, err
	}
	return n, n.Events, n.Troubles(), nil
}

// watchBudget is the number of folders that are watched at most. The newest tasks
// come first; who writes to an old one makes it a new one. On Linux a user's
// limit of 8192, which all programs share, is not rare; elsewhere each costs a
// handle or a buffer.
func watchBudget() int {
	if runtime.GOOS == "linux" {
		return 2048
	}
	return 256
}

// retryAfter is the number of polls after which a limit is tried again.
const retryAfter = 30

// watcher watches the folders of a directory, as far as the system lets it.
type watcher struct {
	root   string
	notify notifier
	event  <-chan fsnotify.Event
	err    <-chan error
	budget int
	// targets are the folders that are watched, by their paths relative to the
	// directory. The one around it, watched until it comes, is "..".
	targets map[string]bool
	// wanted is the number of folders that would be watched, missed that of
	// those that are not.
	wanted, missed int
	// refused is why the system watches no more, for the next polls.
	refused error
	polls   int
	// lost tells that a folder that was watched went.
	lost bool
}

// around stands for the folder that the directory is to come in.
const around = ".."

func newWatcher(root string, with outside) *watcher {
	w := &watcher{root: root, budget: with.budget, targets: make(map[string]bool)}
	w.notify, w.event, w.err, w.refused = with.notifier()
	return w
}

func (w *watcher) close() {
	if w.notify != nil {
		w.notify.Close()
	}
}

// about gives the path that an event is about, relative to the directory; "" is
// the directory itself.
func (w *watcher) about(event fsnotify.Event) (at string, ok bool) {
	rel, err := filepath.Rel(w.root, event.Name)
	if err != nil || rel == around || strings.HasPrefix(rel, around+string(filepath.Separator)) {
		return "", false
	}
	if at = filepath.ToSlash(rel); at == "." {
		at = ""
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
		_ = w.notify.Remove(fullPath(w.root, at))
	}
}

// retry lets a limit be tried again now and then.
func (w *watcher) retry() {
	if w.polls++; w.polls%retryAfter == 0 && w.notify != nil {
		w.refused = nil
	}
}

// renew watches what there is by now, and gives what was not watched before.
func (w *watcher) renew(s *state) (added []string) {
	w.lost = false
	order := w.plan(s)
	w.wanted, w.missed = len(order), 0
	if len(order) > w.budget {
		w.missed = len(order) - w.budget
		order = order[:w.budget]
	}
	if w.notify == nil {
		w.missed = w.wanted
		return nil
	}
	want := make(map[string]bool, len(order))
	for _, at := range order {
		want[at] = true
	}
	for at := range w.targets {
		if !want[at] {
			w.drop(at)
		}
	}
	for _, at := range order {
		if w.targets[at] {
			continue
		}
		if w.refused != nil {
			w.missed++
			continue
		}
		switch err := w.notify.Add(fullPath(w.root, at)); {
		case err == nil:
			w.targets[at] = true
			if at == around {
				at = ""
			}
			added = append(added, at)
		case errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission):
			// Gone meanwhile, or not ours to see: its fault is listed.
		default:
			w.refused = err
			w.missed++
		}
	}
	return added
}

// plan gives the folders that should be watched, those first without which
// nothing is seen, then the newest.
func (w *watcher) plan(s *state) []string {
	if s.root == nil {
		return []string{around}
	}
	type target struct {
		at   string
		rank int
		last int64
	}
	var all []target
	var walk func(n *node, depth int)
	walk = func(n *node, depth int) {
		if n.fault != nil {
			return
		}
		t := target{n.path, min(depth, 2), n.mtime}
		if depth == 1 && precedence(n.path) > 0 {
			t.rank = 2
		}
		all = append(all, t)
		for _, sub := range n.folders {
			walk(sub, depth+1)
		}
	}
	walk(s.root, 0)
	slices.SortFunc(all, func(a, b target) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(b.last, a.last), cmp.Compare(a.at, b.at))
	})
	paths := make([]string, len(all))
	for i, t := range all {
		paths[i] = t.at
	}
	return paths
}

// watching says how far the system reports changes.
func (w *watcher) watching() string {
	switch {
	case len(w.targets) == 0 || w.targets[around]:
		return WatchPoll
	case w.missed > 0:
		return WatchPartly
	}
	return WatchNotify
}

// troubles say in words what keeps the system from reporting all.
func (w *watcher) troubles() []Problem {
	if w.refused == nil {
		return nil
	}
	advice := "close other programs that watch many files, or reload the window"
	if runtime.GOOS == "linux" {
		advice = "raise the limits fs.inotify.max_user_watches and fs.inotify.max_user_instances with sysctl, or close other programs that watch many files"
	}
	return []Problem{{
		Reason: fmt.Sprintf("the system reports changes in %d of %d folders of tasks and refuses more (%v): the others are looked at every few seconds", len(w.targets), w.wanted, w.refused),
		Advice: advice,
	}}
}
