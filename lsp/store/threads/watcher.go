package threads

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/fsnotify/fsnotify"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/lsp/store/notify"
)

// notifier is the system's notification; tests put another in its place.
type notifier interface {
	Add(path string) error
	Remove(path string) error
	Close() error
}

// kind is what a watched directory is.
type kind uint8

const (
	ofGit     kind = iota // one of git's: branches and worktrees
	ofFolder              // a folder that has no .agent yet
	ofAgent               // .agent
	ofThreads             // .agent/threads
	ofThread              // one thread
)

// target is a directory that is watched.
type target struct {
	path           string
	kind           kind
	folder, thread string
	// names are the entries that matter; nil means all.
	names map[string]bool
}

// retryAfter is the number of polls after which a limit is tried again.
const retryAfter = 30

// watcher watches the directories of a state, as far as the system lets it.
type watcher struct {
	notify  notifier
	event   <-chan fsnotify.Event
	err     <-chan error
	budget  int
	targets map[string]*target
	// wanted is the number of directories that would be watched, missed that
	// of those that are not.
	wanted, missed int
	// refused is why the system watches no more, for the next polls.
	refused error
	polls   int
}

// watchBudget is the number of directories that are watched at most. The newest
// threads come first; who writes to an old one makes it a new one. On Linux a
// user's limit of 8192, which all programs share, is not rare; elsewhere each
// costs a handle or a buffer.
func watchBudget() int {
	if runtime.GOOS == "linux" {
		return 2048
	}
	return 256
}

func newWatcher(l *Live) *watcher {
	w := &watcher{budget: l.budget, targets: make(map[string]*target)}
	w.notify, w.event, w.err, w.refused = l.notifier()
	return w
}

// systemNotifier is the one that is there.
func systemNotifier() (notifier, <-chan fsnotify.Event, <-chan error, error) {
	n, err := notify.New()
	if err != nil {
		return nil, nil, nil, err
	}
	return n, n.Events, n.Troubles(), nil
}

func (w *watcher) events() <-chan fsnotify.Event { return w.event }
func (w *watcher) errors() <-chan error          { return w.err }

func (w *watcher) close() {
	if w.notify != nil {
		w.notify.Close()
	}
}

// about gives the watched directory that an event is about. inside tells an
// entry of the directory from the directory itself.
func (w *watcher) about(event fsnotify.Event) (t *target, inside bool) {
	if t = w.targets[event.Name]; t != nil && event.Has(fsnotify.Remove|fsnotify.Rename) {
		// The system no longer watches it; what has its name later is new.
		delete(w.targets, event.Name)
		if w.notify != nil {
			_ = w.notify.Remove(event.Name)
		}
		if t.kind != ofThread {
			return t, false
		}
	}
	if parent := w.targets[filepath.Dir(event.Name)]; parent != nil {
		return parent, true
	}
	return t, t != nil && t.kind == ofThread
}

// retry lets a limit be tried again now and then.
func (w *watcher) retry() {
	if w.polls++; w.polls%retryAfter == 0 && w.notify != nil {
		w.refused = nil
	}
}

// follows reports whether the threads that changed are watched already.
func (w *watcher) follows(s *state, changed []Key) bool {
	for _, k := range changed {
		if f := s.folders[k.Folder]; f == nil || w.targets[filepath.Join(threadsPath(&f.Folder), k.Name)] == nil {
			return false
		}
	}
	return true
}

// renew watches what there is by now, and gives what was not watched before.
func (w *watcher) renew(s *state) (added []*target) {
	want, all := w.plan(s)
	w.wanted, w.missed = all, all-len(want)
	if w.notify == nil {
		w.missed = all
		return nil
	}
	for path := range w.targets {
		if want[path] == nil {
			_ = w.notify.Remove(path)
			delete(w.targets, path)
		}
	}
	for _, t := range inOrder(want) {
		if old := w.targets[t.path]; old != nil {
			w.targets[t.path] = t
			continue
		}
		if w.refused != nil {
			w.missed++
			continue
		}
		switch err := w.notify.Add(t.path); {
		case err == nil:
			w.targets[t.path] = t
			added = append(added, t)
		case errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission):
			// Gone meanwhile, or not ours to see: its fault is listed.
		default:
			w.refused = err
			w.missed++
		}
	}
	return added
}

// inOrder lists targets so that those without which nothing is seen come first.
func inOrder(want map[string]*target) []*target {
	list := make([]*target, 0, len(want))
	for _, t := range want {
		list = append(list, t)
	}
	slices.SortFunc(list, func(a, b *target) int { return int(a.kind) - int(b.kind) })
	return list
}

// plan gives what should be watched within the budget, and how much would be
// without one.
func (w *watcher) plan(s *state) (want map[string]*target, all int) {
	want = make(map[string]*target)
	add := func(t *target) {
		if want[t.path] != nil {
			return
		}
		all++
		if len(want) < w.budget {
			want[t.path] = t
		}
	}
	heads := map[string]bool{"HEAD": true, "worktrees": true, "gitdir": true, "locked": true}
	for _, dir := range s.project.gitDirs {
		if !exists(dir) {
			continue
		}
		t := &target{path: dir, kind: ofGit, names: heads}
		if filepath.Base(dir) == "worktrees" {
			t.names = nil
		}
		add(t)
	}
	agent, threads := map[string]bool{atsf.DirName: true}, map[string]bool{atsf.ThreadsName: true}
	for _, f := range s.order {
		switch {
		case f.Gone || f.Err != nil:
		case !f.Agent:
			add(&target{path: f.Path, kind: ofFolder, folder: f.ID, names: agent})
		default:
			add(&target{path: agentPath(&f.Folder), kind: ofAgent, folder: f.ID, names: threads})
			if exists(threadsPath(&f.Folder)) {
				add(&target{path: threadsPath(&f.Folder), kind: ofThreads, folder: f.ID})
			}
		}
	}
	thread := func(k Key) {
		f := s.folders[k.Folder]
		if f == nil || !f.Agent {
			return
		}
		add(&target{path: filepath.Join(threadsPath(&f.Folder), k.Name), kind: ofThread, folder: f.ID, thread: k.Name})
	}
	// What is being made is newer than everything that is.
	for _, k := range s.begun() {
		thread(k)
	}
	for _, item := range s.items() {
		if !item.Gone {
			thread(Key{item.Folder, item.Name})
		}
	}
	return want, all
}

// report says how far the system reports changes, and in words what keeps it
// from reporting all.
func (w *watcher) report() (watching string, troubles []Problem) {
	switch {
	case len(w.targets) == 0:
		watching = WatchPoll
	case w.missed > 0:
		watching = WatchPartly
	default:
		watching = WatchNotify
	}
	if w.refused != nil {
		advice := "close other programs that watch many files, or reload the window"
		if runtime.GOOS == "linux" {
			advice = "raise the limits fs.inotify.max_user_watches and fs.inotify.max_user_instances with sysctl, or close other programs that watch many files"
		}
		troubles = append(troubles, Problem{
			Reason: fmt.Sprintf("the system reports changes in %d of %d directories of threads and refuses more (%v): the others are looked at every few seconds", len(w.targets), w.wanted, w.refused),
			Advice: advice,
		})
	}
	return watching, troubles
}
