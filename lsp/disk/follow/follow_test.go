package follow

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("runtime.handleEvent")) // what a browser calls runs there
}

// folders is a source that looks at nothing, and watches every folder there is.
type folders struct {
	dir string

	mu      sync.Mutex // guards what follows
	looks   []Todo
	looked  Looked
	watched Watched
	look    func(ctx context.Context)
}

func (s *folders) Look(ctx context.Context, todo Todo) Looked {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.looks = append(s.looks, todo)
	if s.look != nil {
		s.look(ctx)
	}
	r := s.looked
	s.looked.Soon, s.looked.Next = 0, nil // once
	return r
}

func (s *folders) Folders() (list []string) {
	_ = filepath.WalkDir(s.dir, func(at string, e os.DirEntry, err error) error {
		if err == nil && e.IsDir() {
			rel, _ := filepath.Rel(s.dir, at)
			list = append(list, strings.TrimPrefix(filepath.ToSlash(rel), "."))
		}
		return nil
	})
	return list
}

func (s *folders) Wants(path string, op fsnotify.Op) bool {
	return op != fsnotify.Write || strings.HasSuffix(path, ".json")
}

func (s *folders) Watched(w Watched) { s.watched = w }

// notifier watches nothing, and fails as it is told to.
type notifier struct {
	added, removed []string
	fail           map[string]error
	limit          int
}

func (n *notifier) Add(path string) error {
	if err := n.fail[filepath.Base(path)]; err != nil {
		return err
	}
	if n.limit > 0 && len(n.added) >= n.limit {
		return errors.New("no space left")
	}
	n.added = append(n.added, filepath.Base(path))
	return nil
}

func (n *notifier) Remove(path string) error {
	n.removed = append(n.removed, filepath.Base(path))
	return nil
}

func (n *notifier) WatchList() []string { return n.added }

func (n *notifier) Close() error { return nil }

// fixture is a directory that is followed by hand: nothing runs by itself.
type fixture struct {
	*loop
	t      *testing.T
	source *folders
	notify *notifier
}

func newFixture(t *testing.T, list ...string) *fixture {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "dir")
	for _, at := range list {
		if err := os.MkdirAll(filepath.Join(dir, at), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	b := &fixture{t: t, source: &folders{dir: dir}, notify: &notifier{}}
	f := &Follower{source: b.source, cfg: Config{
		Path: dir, What: "things", Poll: time.Hour, Logger: slog.New(slog.DiscardHandler), Budget: 100,
		Notifier: func() (Notifier, <-chan fsnotify.Event, <-chan error, error) { return b.notify, nil, nil, nil },
	}}
	b.loop = &loop{Follower: f, watch: newWatcher(&f.cfg), settled: time.NewTimer(time.Hour), poll: time.NewTimer(time.Hour)}
	t.Cleanup(func() { b.settled.Stop(); b.poll.Stop() })
	b.work(t.Context(), false)
	b.todo = pending{}
	return b
}

func (b *fixture) event(at string, op fsnotify.Op) {
	b.note(fsnotify.Event{Name: filepath.Join(b.source.dir, filepath.FromSlash(at)), Op: op})
}

// TestNote takes events for what they are about.
func TestNote(t *testing.T) {
	tests := []struct {
		name string
		file string
		op   fsnotify.Op
		want []string
		all  bool
	}{
		{"a new file", "a/x.json", fsnotify.Create, []string{"a/x.json"}, false},
		{"a new folder", "b", fsnotify.Create, []string{"b"}, false},
		{"a file that is written", "a.json", fsnotify.Write, []string{"a.json"}, false},
		{"a file that is nothing to the source", "a.txt", fsnotify.Write, nil, false},
		{"the directory gone", ".", fsnotify.Remove, nil, true},
		{"the directory's times", ".", fsnotify.Chmod, nil, false},
		{"something beside it", "../other.json", fsnotify.Create, nil, false},
		{"the folder around it", "..", fsnotify.Write, nil, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			b := newFixture(t, "a")
			b.event(test.file, test.op)
			if diff := cmp.Diff(test.want, b.todo.list(), cmp.Transformer("nil", func(l []string) string { return strings.Join(l, "\n") })); diff != "" || b.todo.all != test.all {
				t.Errorf("%v %s", b.todo.all, diff)
			}
		})
	}
}

// TestBack watches a folder anew that was moved away and back: the system no longer
// does, and nothing in it is different.
func TestBack(t *testing.T) {
	b := newFixture(t, "a/b")
	if !b.watch.targets["a"] || !b.watch.targets["a/b"] {
		t.Fatalf("%v", b.watch.targets)
	}
	b.event("a", fsnotify.Rename)
	if b.watch.targets["a"] || b.watch.targets["a/b"] || !b.watch.targets[""] {
		t.Fatalf("%v", b.watch.targets)
	}
	b.work(t.Context(), false)
	if !b.watch.targets["a"] || !b.watch.targets["a/b"] || b.watch.lost {
		t.Errorf("%v", b.watch.targets)
	}
}

// TestNew looks again at a new folder, since what came before it was watched was
// not told.
func TestNew(t *testing.T) {
	b := newFixture(t, "a")
	if err := os.Mkdir(filepath.Join(b.source.dir, "new"), 0o700); err != nil {
		t.Fatal(err)
	}
	b.source.looked.Folders = true
	b.event("new", fsnotify.Create)
	b.work(t.Context(), false)
	if !b.watch.targets["new"] || !b.todo.paths["new"] || b.todo.all {
		t.Errorf("%v %+v", b.watch.targets, b.todo)
	}
}

// TestCome watches the folder around a directory until that comes.
func TestCome(t *testing.T) {
	b := newFixture(t)
	if diff := cmp.Diff(map[string]bool{around: true}, b.watch.targets); diff != "" || b.source.watched.How != Poll {
		t.Fatal(diff, b.source.watched)
	}
	if err := os.Mkdir(b.source.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	b.event(".", fsnotify.Create)
	b.work(t.Context(), false)
	if diff := cmp.Diff(map[string]bool{"": true}, b.watch.targets); diff != "" || b.source.watched.How != Notify || !b.todo.all {
		t.Error(diff, b.source.watched, b.todo)
	}
}

// TestWatched says how far the system reports changes, and tries again later what
// it refused.
func TestWatched(t *testing.T) {
	for name, c := range map[string]struct {
		budget, limit int
		fail          map[string]error
		want, reason  string
	}{
		"all":                {100, 0, nil, Notify, ""},
		"a budget":           {2, 0, nil, Partly, ""},
		"a limit":            {100, 2, nil, Partly, "2 of 4 folders of things"},
		"one is not ours":    {100, 0, map[string]error{"b": fs.ErrPermission}, Notify, ""},
		"one is gone":        {100, 0, map[string]error{"b": fs.ErrNotExist}, Notify, ""},
		"nothing is watched": {100, 0, map[string]error{"dir": errors.New("no inotify")}, Poll, "no inotify"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newFixture(t, "a", "b", "c")
			b.notify.added, b.watch.targets = nil, map[string]bool{}
			b.watch.budget, b.notify.limit, b.notify.fail = c.budget, c.limit, c.fail
			b.todo.all = true
			b.work(t.Context(), false)
			if w := b.source.watched; w.How != c.want || !strings.Contains(w.Reason, c.reason) || (w.Reason == "") != (c.reason == "") || (w.Advice == "") != (c.reason == "") {
				t.Errorf("%+v", w)
			}
			b.notify.limit, b.notify.fail = 0, nil
			for range retryAfter {
				b.watch.retry()
			}
			b.watch.budget = 100
			b.todo.all = true
			b.work(t.Context(), true)
			if w := b.source.watched; w.How != Notify || w.Reason != "" || !b.source.looks[len(b.source.looks)-1].Poll {
				t.Errorf("later: %+v", w)
			}
		})
	}
}

// TestNoNotifier polls where the system has nothing to tell with.
func TestNoNotifier(t *testing.T) {
	b := newFixture(t, "a")
	b.cfg.Notifier = func() (Notifier, <-chan fsnotify.Event, <-chan error, error) {
		return nil, nil, nil, errors.New("none left")
	}
	b.watch = newWatcher(&b.cfg)
	b.todo.all = true
	b.work(t.Context(), false)
	if w := b.source.watched; w.How != Poll || !strings.Contains(w.Reason, "none left") {
		t.Errorf("%+v", w)
	}
}

// TestPendingList looks at a folder once instead of at much in it.
func TestPendingList(t *testing.T) {
	p := pending{paths: map[string]bool{"a": true, "a/b/c.json": true, "ab": true, "d/1.json": true, "e.json": true}}
	if diff := cmp.Diff([]string{"a", "ab", "d/1.json", "e.json"}, p.list()); diff != "" {
		t.Error(diff)
	}
	for i := range manyEvents {
		p.paths["d/x"+string(rune('a'+i))+".json"] = true
	}
	if diff := cmp.Diff([]string{"a", "ab", "d", "e.json"}, p.list()); diff != "" {
		t.Error(diff)
	}
}

// TestAbsolute follows folders that lie anywhere: their paths are the system's.
func TestAbsolute(t *testing.T) {
	dir := filepath.ToSlash(t.TempDir())
	w := newWatcher(&Config{Budget: 2, Notifier: func() (Notifier, <-chan fsnotify.Event, <-chan error, error) {
		return &notifier{}, nil, nil, nil
	}})
	if added := w.refresh([]string{dir + "/a", dir + "/a/b", dir + "/c"}); !slices.Equal(added, []string{dir + "/a", dir + "/a/b"}) || w.missed != 1 {
		t.Errorf("%q are watched, and %d are not", added, w.missed)
	}
	at, ok := w.about(fsnotify.Event{Name: filepath.FromSlash(dir + "/a/b/c.json"), Op: fsnotify.Write})
	if at != dir+"/a/b/c.json" || !ok || w.lost {
		t.Errorf("%q %v %v", at, ok, w.lost)
	}
	if at, ok = w.about(fsnotify.Event{Name: filepath.FromSlash(dir + "/a"), Op: fsnotify.Remove}); at != dir+"/a" || !ok || !w.lost || len(w.targets) > 0 {
		t.Errorf("%q %v %v", at, ok, w.targets)
	}
	p := pending{paths: map[string]bool{"/a": true, "/a/b": true, "/c/d": true}}
	if diff := cmp.Diff([]string{"/a", "/c/d"}, p.list()); diff != "" {
		t.Error(diff)
	}
}

// TestTimes: what is reported is gathered for a moment, everything is looked at now
// and then, sooner if the source asks, and no more often than the time a look takes
// allows.
func TestTimes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		events, troubles := make(chan fsnotify.Event), make(chan error)
		s := &folders{dir: t.TempDir()}
		start := time.Now()
		var at []time.Duration
		s.look = func(context.Context) { at = append(at, time.Since(start)) }
		f := Start(Config{
			Path: s.dir, What: "things", Poll: 10 * time.Second, Logger: slog.New(slog.DiscardHandler), Budget: 100,
			Notifier: func() (Notifier, <-chan fsnotify.Event, <-chan error, error) {
				return &notifier{}, events, troubles, nil
			},
		}, s)
		defer f.Close()
		passed := func(d time.Duration) { time.Sleep(d); synctest.Wait() }
		next := func(what string, want ...time.Duration) {
			t.Helper()
			s.mu.Lock()
			defer s.mu.Unlock()
			if !slices.Equal(at, want) {
				t.Errorf("%s: looked at %v, want %v", what, at, want)
			}
			at, start = nil, time.Now()
		}
		ask := func(r Looked) {
			t.Helper()
			s.mu.Lock()
			s.looked = r
			s.mu.Unlock()
			if err := f.Sync(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		passed(time.Second)
		next("at first", 0, settleEvents)
		for _, name := range []string{"a.json", "b.json", "a.json"} {
			events <- fsnotify.Event{Name: filepath.Join(s.dir, name), Op: fsnotify.Create}
		}
		passed(time.Second)
		next("a burst", settleEvents)
		if diff := cmp.Diff(Todo{Paths: []string{"a.json", "b.json"}}, s.last()); diff != "" {
			t.Error(diff)
		}
		troubles <- errors.New("an overflow")
		passed(time.Second)
		next("an overflow", settleEvents)
		if !s.last().All {
			t.Errorf("after an overflow: %+v", s.last())
		}
		ask(Looked{Soon: 3 * time.Second})
		passed(4 * time.Second)
		next("the source asks for it", 0, 3*time.Second)
		ask(Looked{Next: []string{"x"}})
		passed(time.Second)
		next("the source has more", 0, settleEvents)
		passed(10 * time.Second)
		next("a poll", 8*time.Second)
		s.mu.Lock()
		s.look = func(context.Context) { at = append(at, time.Since(start)); time.Sleep(time.Second) }
		s.mu.Unlock()
		passed(300 * time.Second)
		next("looks that take long", 8*time.Second, 109*time.Second, 210*time.Second)
		ask(Looked{Excluded: time.Second})
		next("it is asked", 0)
		passed(100 * time.Second)
		next("the time went to something else", 10*time.Second, 21*time.Second, 32*time.Second, 43*time.Second, 54*time.Second, 65*time.Second, 76*time.Second, 87*time.Second, 98*time.Second)
	})
}

// TestOnce looks when it is asked alone, and watches nothing.
func TestOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &folders{dir: t.TempDir()}
		f := Start(Config{Path: s.dir, What: "things", Once: true}, s)
		defer f.Close()
		for want := range 3 {
			time.Sleep(time.Minute)
			synctest.Wait()
			if len(s.looks) != want {
				t.Fatalf("%d looks, not %d", len(s.looks), want)
			}
			if err := f.Sync(t.Context()); err != nil {
				t.Fatal(err)
			}
			if !s.last().All || s.watched != (Watched{How: Poll}) {
				t.Errorf("%+v, %+v", s.last(), s.watched)
			}
		}
	})
}

// last is what was looked at last.
func (s *folders) last() Todo {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.looks[len(s.looks)-1]
}

// TestClose ends what waits.
func TestClose(t *testing.T) {
	s := &folders{dir: t.TempDir()}
	looking, asked := make(chan struct{}), make(chan error)
	s.look = func(ctx context.Context) {
		close(looking)
		<-ctx.Done()
	}
	f := Start(Config{Path: s.dir, Poll: time.Hour, Logger: slog.New(slog.DiscardHandler), Notifier: System, Budget: Budget()}, s)
	<-looking
	go func() { asked <- f.Sync(context.Background()) }()
	f.Close()
	if err := <-asked; !errors.Is(err, ErrClosed) {
		t.Errorf("%v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := f.Sync(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// TestSystem: the system tells of a new file.
func TestSystem(t *testing.T) {
	s := &folders{dir: t.TempDir()}
	todos := make(chan Todo, 100)
	f := Start(Config{Path: s.dir, Poll: time.Hour, Logger: slog.New(slog.DiscardHandler), Notifier: System, Budget: Budget()}, recorder{s, todos})
	defer f.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	if err := f.Sync(ctx); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(s.dir, "new.json"), []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	for {
		select {
		case todo := <-todos:
			if slices.Contains(todo.Paths, "new.json") {
				return
			}
		case <-ctx.Done():
			t.Fatal("nobody told of it")
		}
	}
}

// recorder records each look.
type recorder struct {
	*folders
	todos chan Todo
}

func (s recorder) Look(ctx context.Context, todo Todo) Looked {
	s.todos <- todo
	return s.folders.Look(ctx, todo)
}

// TestUntilPoll: looking takes a hundredth of the time at most.
func TestUntilPoll(t *testing.T) {
	if got := untilPoll(2*time.Second, time.Millisecond); got != 2*time.Second {
		t.Error(got)
	}
	if got := untilPoll(2*time.Second, time.Second); got != 100*time.Second {
		t.Error(got)
	}
}
