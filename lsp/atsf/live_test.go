package atsf

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/lsp/disk/disktest"
	"github.com/signalbox-dev/signalbox/lsp/disk/follow"
)

// liveFixture follows the folders of a fx.
type liveFixture struct {
	*readFixture
	live    *Live
	changes chan Change
}

// follow opens a live store that polls so seldom that only events can help.
func (b *readFixture) follow(folders ...string) *liveFixture {
	b.t.Helper()
	return b.followWith(time.Hour, follow.System, follow.Budget(), folders...)
}

func (b *readFixture) followWith(poll time.Duration, notify func() (follow.Notifier, <-chan fsnotify.Event, <-chan error, error), budget int, folders ...string) *liveFixture {
	b.t.Helper()
	l := &liveFixture{readFixture: b, changes: make(chan Change, 1000)}
	cfg := b.config(folders...)
	cfg.Poll = poll
	var running atomic.Int32
	cfg.Changed = func(c Change) {
		if running.Add(1) != 1 {
			b.t.Error("Changed is called twice at a time")
		}
		l.changes <- c
		running.Add(-1)
	}
	l.live = openLive(cfg, notify, budget)
	b.t.Cleanup(l.live.Close)
	if err := l.live.Sync(disktest.Within(b.t)); err != nil {
		b.t.Fatal(err)
	}
	return l
}

// until waits for a snapshot. Every change is announced, so it looks only then.
func (l *liveFixture) until(what string, good func(s *Snapshot) bool) {
	l.t.Helper()
	ctx := disktest.Within(l.t)
	for !good(l.live.Snapshot()) {
		select {
		case c := <-l.changes:
			if c.Revision > l.live.Snapshot().Revision {
				l.t.Fatal("a change that cannot be read yet")
			}
		case <-ctx.Done():
			l.t.Fatalf("%s: still %q %q", what, l.places(l.live.Snapshot()), l.names(l.live.Snapshot()))
		}
	}
}

// drain forgets the changes so far, once the store is at rest.
func (l *liveFixture) drain() {
	l.t.Helper()
	if err := l.live.Sync(disktest.Within(l.t)); err != nil {
		l.t.Fatal(err)
	}
	for len(l.changes) > 0 {
		<-l.changes
	}
}

// thread waits for a change of a thread.
func (l *liveFixture) threadChange(folder, name string) {
	l.t.Helper()
	k := Key{FolderID(l.path(folder)), name}
	ctx := disktest.Within(l.t)
	for {
		select {
		case c := <-l.changes:
			if slices.Contains(c.Threads, k) {
				return
			}
		case <-ctx.Done():
			l.t.Fatalf("no change of %s/%s", folder, name)
		}
	}
}

// TestLive follows what other programs do, by the system's reports alone.
func TestLive(t *testing.T) {
	b := newReadFixture(t)
	b.repo("p", "one")
	b.thread("p", "a", 1, said("m1", "x"))
	b.thread("one", "b", 2, said("m2", "x"))
	l := b.follow("p")
	if got := l.live.Snapshot().Watching; got != follow.Notify {
		t.Fatalf("watching: %s", got)
	}
	l.drain()

	l.appendTo("one", "b", said("m3", "y")+"\n")
	l.threadChange("one", "b")
	k := Key{FolderID(b.path("one")), "b"}
	if page, err := l.live.Snapshot().Page(t.Context(), k, Query{}); err != nil || len(page.Entries) != 2 {
		t.Errorf("%v %v", ids(page), err)
	}

	b.write(b.meta("a", "Another title", 5), "p", atsf.DirName, atsf.ThreadsName, "a", "tmp")
	if err := os.Rename(b.threadPath("p", "a", "tmp"), b.threadPath("p", "a", atsf.ThreadName)); err != nil {
		t.Fatal(err)
	}
	l.until("a new title", func(s *Snapshot) bool { return s.Items[0].Thread.Title == "Another title" })

	b.thread("p", "new", 9, said("m4", "x"))
	l.until("a new thread", func(s *Snapshot) bool { return s.Items[0].Name == "new" && s.Items[0].Fault == nil })
	l.drain()
	l.appendTo("p", "new", said("m5", "y")+"\n")
	l.threadChange("p", "new")

	b.removeAll("p/.agent/threads/new")
	l.until("a removed thread", func(s *Snapshot) bool { return len(s.ByID("new")) == 0 })

	b.git("one", "switch", "-q", "-c", "other")
	l.until("a switched branch", func(s *Snapshot) bool { return slices.Contains(b.places(s), "one@other git agent 1") })

	b.git("p", "worktree", "add", "-q", "-b", "fresh", b.path("two"))
	l.until("a new worktree", func(s *Snapshot) bool { return slices.Contains(b.places(s), "two@fresh git") })
	b.thread("two", "c", 3, said("m6", "x"))
	l.until("its first thread", func(s *Snapshot) bool { return slices.Contains(b.names(s), "two/c") })
	l.drain()
	l.appendTo("two", "c", said("m7", "x")+"\n")
	l.threadChange("two", "c")

	l.drain()
	b.git("p", "worktree", "remove", "--force", b.path("one"))
	l.until("X3: a removed worktree", func(s *Snapshot) bool { return slices.Contains(b.places(s), "one@other git gone 1") })
	if item := l.live.Snapshot().Item(k); item == nil || !item.Gone {
		t.Errorf("X3: %+v", item)
	}
}

// TestLiveAgent follows a folder whose .agent comes, goes and comes again.
func TestLiveAgent(t *testing.T) {
	b := newReadFixture(t)
	b.repo("p")
	l := b.follow("p")
	for round := range 3 {
		name := fmt.Sprint("t", round)
		b.thread("p", name, round, said("m1", "x"))
		l.until("a thread", func(s *Snapshot) bool { return slices.Contains(b.names(s), "p/"+name) })
		l.drain()
		l.appendTo("p", name, said("m2", "x")+"\n")
		l.threadChange("p", name)
		b.removeAll("p/.agent")
		// The thread goes before its .agent does, so it may be listed nowhere for
		// a moment.
		l.until("X3: the thread as gone", func(s *Snapshot) bool {
			return slices.Contains(b.names(s), "p/"+name+" gone") && !slices.Contains(b.names(s), "p/"+name)
		})
	}
}

// TestLiveBegun follows a thread whose directory somebody makes a while before
// what it holds, so that it is looked at while it is empty.
func TestLiveBegun(t *testing.T) {
	b := newReadFixture(t)
	b.thread("p", "a", 1, said("m1", "x"))
	l := b.follow("p")
	for _, c := range []struct {
		name string
		seen func()
	}{
		{"listed", func() { l.drain() }},
		{"reported", func() {
			b.thread("p", "other", 2)
			l.until("a thread after it", func(s *Snapshot) bool { return slices.Contains(b.names(s), "p/other") })
		}},
	} {
		b.mkdir("p", atsf.DirName, atsf.ThreadsName, c.name)
		c.seen()
		if names := b.names(l.live.Snapshot()); slices.Contains(names, "p/"+c.name) {
			t.Errorf("%s is listed: %q", c.name, names)
		}
		b.thread("p", c.name, 3)
		l.until("what stands in it", func(s *Snapshot) bool { return slices.Contains(b.names(s), "p/"+c.name) })
	}
}

// TestLiveBegunMany holds that directories which stay empty take no watch from
// threads.
func TestLiveBegunMany(t *testing.T) {
	b := newReadFixture(t)
	b.thread("p", "z", 1, said("m1", "x"))
	for i := range maxIncomplete + 10 {
		b.mkdir("p", atsf.DirName, atsf.ThreadsName, fmt.Sprint("empty", i))
	}
	l := b.followWith(time.Hour, follow.System, maxIncomplete+4, "p")
	l.drain()
	l.appendTo("p", "z", said("m2", "y")+"\n")
	l.threadChange("p", "z")
}

// TestLiveStart gives the first list behind the call.
func TestLiveStart(t *testing.T) {
	b := newReadFixture(t)
	l := b.follow("p")
	if s := l.live.Snapshot(); !s.Ready || len(s.Problems) != 1 {
		t.Errorf("%+v", s)
	}
	l.live.Close()
	l.live.Close()
	if err := l.live.Sync(t.Context()); !errors.Is(err, follow.ErrClosed) {
		t.Errorf("Sync of a closed store: %v", err)
	}
	early := OpenLive(Config{})
	if s := early.Snapshot(); s == nil {
		t.Error("no snapshot before the first list")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := early.Sync(ctx); err == nil {
		t.Error("Sync takes no notice of its context")
	}
	early.Close()
}

// TestLivePoll sees changes without any report of the system.
func TestLivePoll(t *testing.T) {
	b := newReadFixture(t)
	b.repo("p", "one")
	b.thread("p", "a", 1, said("m1", "x"))
	none := func() (follow.Notifier, <-chan fsnotify.Event, <-chan error, error) {
		return nil, nil, nil, syscall.EMFILE
	}
	l := b.followWith(time.Millisecond, none, 100, "p")
	s := l.live.Snapshot()
	if s.Watching != follow.Poll || len(s.Problems) != 1 || s.Problems[0].Advice == "" || !strings.Contains(s.Problems[0].Reason, "0 of") {
		t.Errorf("%s %+v", s.Watching, s.Problems)
	}
	l.appendTo("p", "a", said("m2", "x")+"\n")
	l.threadChange("p", "a")
	b.thread("one", "b", 1)
	l.until("a new thread", func(s *Snapshot) bool { return slices.Contains(b.names(s), "one/b") })
}

// limited is a system that watches a few directories.
type limited struct {
	follow.Notifier
	left int
}

func (l *limited) Add(path string) error {
	if l.left == 0 {
		return syscall.ENOSPC
	}
	l.left--
	return l.Notifier.Add(path)
}

// TestLiveLimit reaches the system's limit of watches: it is said in words, and
// the threads beyond it are polled.
func TestLiveLimit(t *testing.T) {
	b := newReadFixture(t)
	for i := range 10 {
		b.thread("p", fmt.Sprint("t", i), i, said("m1", "x"))
	}
	few := func(n int) func() (follow.Notifier, <-chan fsnotify.Event, <-chan error, error) {
		return func() (follow.Notifier, <-chan fsnotify.Event, <-chan error, error) {
			n2, events, errs, err := follow.System()
			return &limited{n2, n}, events, errs, err
		}
	}
	l := b.followWith(time.Millisecond, few(5), 100, "p")
	s := l.live.Snapshot()
	if s.Watching != follow.Partly || len(s.Problems) != 1 || !strings.Contains(s.Problems[0].Reason, "5 of 12") {
		t.Errorf("%s %+v", s.Watching, s.Problems)
	}
	// Within our own budget nothing is wrong, and the newest come first.
	own := b.followWith(time.Hour, follow.System, 5, "p")
	if s := own.live.Snapshot(); s.Watching != follow.Partly || len(s.Problems) != 0 {
		t.Errorf("%s %+v", s.Watching, s.Problems)
	}
	own.drain()
	own.appendTo("p", "t9", said("m2", "x")+"\n")
	own.threadChange("p", "t9")
	l.appendTo("p", "t0", said("m2", "x")+"\n")
	l.threadChange("p", "t0")
}

// TestLiveOverflow looks at everything after the system lost reports.
func TestLiveOverflow(t *testing.T) {
	b := newReadFixture(t)
	b.thread("p", "a", 1)
	errs := make(chan error)
	deaf := func() (follow.Notifier, <-chan fsnotify.Event, <-chan error, error) {
		return deafNotifier{}, nil, errs, nil
	}
	l := b.followWith(time.Hour, deaf, 100, "p")
	l.drain()
	b.thread("p", "b", 1)
	errs <- fsnotify.ErrEventOverflow
	l.until("what was missed", func(s *Snapshot) bool { return slices.Contains(b.names(s), "p/b") })
}

// deafNotifier takes every directory and reports nothing.
type deafNotifier struct{}

func (deafNotifier) Add(string) error    { return nil }
func (deafNotifier) Remove(string) error { return nil }
func (deafNotifier) WatchList() []string { return nil }
func (deafNotifier) Close() error        { return nil }

// TestLiveSnapshots holds that a snapshot never changes once it was given out.
func TestLiveSnapshots(t *testing.T) {
	b := newReadFixture(t)
	b.thread("p", "a", 1)
	l := b.follow("p")
	old := l.live.Snapshot()
	places, names := b.places(old), b.names(old)
	for i := range 5 {
		b.thread("p", fmt.Sprint("n", i), i)
	}
	l.until("five more", func(s *Snapshot) bool { return len(s.Items) == 6 })
	if diff := cmp.Diff([][]string{places, names}, [][]string{b.places(old), b.names(old)}); diff != "" {
		t.Error(diff)
	}
}

// TestLiveMany names no more than a hundred threads of one change.
func TestLiveMany(t *testing.T) {
	b := newReadFixture(t)
	for i := range maxChanged + 5 {
		b.thread("p", fmt.Sprint("t", i), i)
	}
	l := b.follow("p")
	c := <-l.changes
	if len(c.Threads) != maxChanged || !c.Truncated || !c.Folders {
		t.Errorf("%d threads, %v", len(c.Threads), c.Truncated)
	}
}

// TestLiveHalfMade shows a worktree of which git had made only the directory when it was looked
// at.
func TestLiveHalfMade(t *testing.T) {
	b := newReadFixture(t)
	b.repo("p")
	b.thread("p", "a", 1, said("m1", "x"))
	b.git("p", "worktree", "add", "-q", "-b", "fresh", b.path("two"))
	made, kept := b.path("p/.git/worktrees/two/gitdir"), b.path("gitdir")
	if err := os.Rename(made, kept); err != nil {
		t.Fatal(err)
	}
	l := b.follow("p")
	l.drain()
	if err := os.Rename(kept, made); err != nil {
		t.Fatal(err)
	}
	l.until("a worktree that is whole", func(s *Snapshot) bool { return slices.Contains(b.places(s), "two@fresh git") })
}
