package agn

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/lsp/disk/disktest"
	"github.com/signalbox-dev/signalbox/lsp/disk/follow"
	"github.com/signalbox-dev/signalbox/lsp/disk/tree"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// liveFixture follows a fixture.
type liveFixture struct {
	*readFixture
	live    *Live
	changes chan Change
}

// outsideWorld is the real one, but that it does not wait for files to settle.
func outsideWorld() deps {
	return deps{reject: rejectInto}
}

// follow opens a live store that polls so seldom that only events can help.
func (b *readFixture) follow() *liveFixture {
	b.t.Helper()
	return b.followWith(Config{Poll: time.Hour}, outsideWorld())
}

func (b *readFixture) followWith(cfg Config, with deps) *liveFixture {
	b.t.Helper()
	l := &liveFixture{readFixture: b, changes: make(chan Change, 10_000)}
	var running atomic.Int32
	var before int64
	cfg.Path = b.Root
	cfg.Changed = func(c Change) {
		if running.Add(1) != 1 {
			b.t.Error("Changed is called twice at a time")
		}
		if c.Revision <= before {
			b.t.Errorf("revision %d after %d", c.Revision, before)
		}
		before = c.Revision
		l.changes <- c
		running.Add(-1)
	}
	l.live = openLive(cfg, with)
	b.t.Cleanup(l.live.Close)
	l.sync()
	return l
}

func (l *liveFixture) sync() *Snapshot {
	l.t.Helper()
	if err := l.live.Sync(disktest.Within(l.t)); err != nil {
		l.t.Fatal(err)
	}
	return l.live.Snapshot()
}

// drain forgets the changes so far, once the store is at rest.
func (l *liveFixture) drain() {
	l.t.Helper()
	for range 2 {
		l.sync()
	}
	for len(l.changes) > 0 {
		<-l.changes
	}
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
			l.t.Fatalf("%s: still %q", what, brief(l.live.Snapshot()))
		}
	}
}

// change waits for a change of a task.
func (l *liveFixture) change(task string) {
	l.t.Helper()
	ctx := disktest.Within(l.t)
	for {
		select {
		case c := <-l.changes:
			if slices.Contains(c.Tasks, task) {
				return
			}
		case <-ctx.Done():
			l.t.Fatalf("no change of %s", task)
		}
	}
}

func has(id string) func(s *Snapshot) bool {
	return func(s *Snapshot) bool { t, _ := s.Message(id); return t != nil }
}

// TestLive follows what other programs do, by the system's reports alone (AGN
// E12, E13, X9).
func TestLive(t *testing.T) {
	b := newReadFixture(t)
	b.Put(own("T-2026-001", 1), dispatch("T-2026-001", 1, "x"))
	l := b.follow()
	if s := l.live.Snapshot(); s.Watching != follow.Notify || s.Messages != 1 || !s.Own {
		t.Fatalf("%+v", s)
	}
	l.drain()

	b.Put(own("T-2026-001", 2), dispatch("T-2026-001", 2, "x"))
	l.change("T-2026-001")
	l.until("a message", has(dispatchID("T-2026-001", 2)))

	b.Put(own("T-2026-002", 3), dispatch("T-2026-002", 3, "x"))
	l.until("a task", has(dispatchID("T-2026-002", 3)))
	b.Put(own("T-2026-002", 4), dispatch("T-2026-002", 4, "x"))
	l.until("its second message", has(dispatchID("T-2026-002", 4)))

	id := dispatchID("T-2026-001", 1)
	b.Put(AckPath(id), ack(id, 9))
	l.until("an ACK", func(s *Snapshot) bool { return len(s.Task("T-2026-001").History.Acks) == 1 })
	b.Put(ResumePath(id), resume(id, 10))
	l.until("an answer", func(s *Snapshot) bool { return len(s.Task("T-2026-001").History.Resumes) == 1 })
	b.Put(TaskPath("T-2026-001"), taskFile("T-2026-001"))
	l.until("a summary", func(s *Snapshot) bool { return s.Task("T-2026-001").Record != nil })
	b.Put("errors.jsonl", agn.AppendRejection(nil, agn.Rejection{Millis: day, Source: "s", Digest: "d"}))
	l.until("a refused message", func(s *Snapshot) bool { return len(s.Rejected) == 1 })

	b.Put("inbox/a/b/1.json", dispatch("T-2026-003", 1, "x"))
	l.until("an envelope in new folders", has(dispatchID("T-2026-003", 1)))
	b.Put("inbox/a/b/2.json", dispatch("T-2026-003", 2, "x"))
	l.until("another one there", has(dispatchID("T-2026-003", 2)))

	// As careful writers do: a name that nobody looks at, then the real one.
	b.Put("messages/T-2026-001/.new", dispatch("T-2026-001", 5, "x"))
	b.Rename("messages/T-2026-001/.new", own("T-2026-001", 5))
	l.until("a renamed file", has(dispatchID("T-2026-001", 5)))

	if diff := same(b.scan(), l.sync()); diff != "" {
		t.Error(diff)
	}
}

// TestLiveDirectory follows a directory that comes, goes and comes again.
func TestLiveDirectory(t *testing.T) {
	b := newReadFixture(t)
	l := b.follow()
	if s := l.live.Snapshot(); s.Exists || !s.Ready || s.Watching != follow.Poll || len(s.Problems) > 0 {
		t.Fatalf("%+v", s)
	}
	for round := range int64(3) {
		b.Put(own("T-2026-001", round), dispatch("T-2026-001", round, "x"))
		l.until("a message", has(dispatchID("T-2026-001", round)))
		if s := l.sync(); !s.Exists || !s.Own || s.Watching != follow.Notify {
			t.Errorf("%+v", s)
		}
		b.Put(own("T-2026-002", round), dispatch("T-2026-002", round, "x"))
		l.until("another one", has(dispatchID("T-2026-002", round)))
		if round == 1 {
			b.Rename(".", "../away")
		} else {
			b.Remove(".")
		}
		l.until("none", func(s *Snapshot) bool { return !s.Exists && len(s.Tasks) == 0 })
	}
	if s := l.live.Snapshot(); s.Own || s.Writable {
		t.Errorf("%+v", s)
	}
}

// TestLiveStart gives the first list behind the call.
func TestLiveStart(t *testing.T) {
	b := newReadFixture(t)
	l := b.follow()
	if c := <-l.changes; !c.Status {
		t.Errorf("%+v", c)
	}
	l.live.Close()
	l.live.Close()
	if err := l.live.Sync(t.Context()); !errors.Is(err, follow.ErrClosed) {
		t.Errorf("Sync of a closed store: %v", err)
	}
	early := OpenLive(Config{Path: b.Root})
	if s := early.Snapshot(); s == nil || s.ID != tree.ID(b.Root) {
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
	b.Put(own("T-2026-001", 1), dispatch("T-2026-001", 1, "x"))
	with := outsideWorld()
	with.notifier = func() (follow.Notifier, <-chan fsnotify.Event, <-chan error, error) {
		return nil, nil, nil, syscall.EMFILE
	}
	l := b.followWith(Config{Poll: time.Millisecond}, with)
	s := l.live.Snapshot()
	if s.Watching != follow.Poll || len(s.Problems) != 1 || s.Problems[0].Advice == "" || !strings.Contains(s.Problems[0].Reason, "0 of") {
		t.Errorf("%s %+v", s.Watching, s.Problems)
	}
	b.Put(own("T-2026-001", 2), dispatch("T-2026-001", 2, "x"))
	l.change("T-2026-001")
	b.Put(own("T-2026-002", 2), dispatch("T-2026-002", 2, "x"))
	l.until("a new task", has(dispatchID("T-2026-002", 2)))
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
// the tasks beyond it are polled.
func TestLiveLimit(t *testing.T) {
	b := newReadFixture(t)
	for i := range 10 {
		task := fmt.Sprintf("T-2026-%03d", i)
		b.Put(own(task, 1), dispatch(task, 1, "x"))
	}
	with := outsideWorld()
	with.notifier = func() (follow.Notifier, <-chan fsnotify.Event, <-chan error, error) {
		n, events, errs, err := follow.System()
		return &limited{n, 5}, events, errs, err
	}
	l := b.followWith(Config{Poll: time.Millisecond}, with)
	s := l.live.Snapshot()
	if s.Watching != follow.Partly || len(s.Problems) != 1 || !strings.Contains(s.Problems[0].Reason, "5 of 12") {
		t.Errorf("%s %+v", s.Watching, s.Problems)
	}
	// Within our own budget nothing is wrong, and the newest come first.
	with = outsideWorld()
	with.budget = 5
	newest := time.Now().Add(time.Hour)
	if err := os.Chtimes(b.Path("messages/T-2026-004"), newest, newest); err != nil {
		t.Fatal(err)
	}
	mine := b.followWith(Config{Poll: time.Hour}, with)
	if s := mine.live.Snapshot(); s.Watching != follow.Partly || len(s.Problems) != 0 {
		t.Errorf("%s %+v", s.Watching, s.Problems)
	}
	mine.drain()
	b.Put(own("T-2026-004", 2), dispatch("T-2026-004", 2, "x"))
	mine.change("T-2026-004")
	b.Put(own("T-2026-000", 2), dispatch("T-2026-000", 2, "x"))
	l.until("what is polled", has(dispatchID("T-2026-000", 2)))
}

// TestLiveOverflow looks at everything after the system lost reports.
func TestLiveOverflow(t *testing.T) {
	b := newReadFixture(t)
	b.Put(own("T-2026-001", 1), dispatch("T-2026-001", 1, "x"))
	errs := make(chan error)
	with := outsideWorld()
	with.notifier = func() (follow.Notifier, <-chan fsnotify.Event, <-chan error, error) {
		return deafNotifier{}, nil, errs, nil
	}
	l := b.followWith(Config{Poll: time.Hour}, with)
	l.drain()
	b.Put(own("T-2026-001", 2), dispatch("T-2026-001", 2, "x"))
	errs <- fsnotify.ErrEventOverflow
	l.until("what was missed", has(dispatchID("T-2026-001", 2)))
}

// deafNotifier takes every directory and reports nothing.
type deafNotifier struct{}

func (deafNotifier) Add(string) error    { return nil }
func (deafNotifier) Remove(string) error { return nil }
func (deafNotifier) WatchList() []string { return nil }
func (deafNotifier) Close() error        { return nil }

// TestLiveBurst takes in many files at once, and names a hundred tasks at most.
func TestLiveBurst(t *testing.T) {
	b := newReadFixture(t)
	b.Mkdir("messages")
	l := b.follow()
	l.drain()
	const more = 400 // so many that the whole folder is looked at
	n := maxChanged + 5
	for i := range n {
		task := fmt.Sprintf("T-2026-%03d", i)
		b.Put(own(task, 1), dispatch(task, 1, "x"))
	}
	for i := range int64(more) {
		b.Put(own("T-2026-000", i), dispatch("T-2026-000", i, "x"))
	}
	l.until("all", func(s *Snapshot) bool { return s.Messages == n+more-1 })
	first := b.follow()
	if c := <-first.changes; len(c.Tasks) != maxChanged || !c.Truncated || !c.Status {
		t.Errorf("%d tasks, %v", len(c.Tasks), c.Truncated)
	}
}

// TestLiveSnapshots holds that a snapshot never changes once it was given out.
func TestLiveSnapshots(t *testing.T) {
	b := newReadFixture(t)
	id := dispatchID("T-2026-001", 1)
	b.Put(own("T-2026-001", 1), dispatch("T-2026-001", 1, "x"))
	b.Put("messages/x.json", []byte("{"))
	l := b.follow()
	old := l.live.Snapshot()
	before := brief(old)
	for i := range int64(5) {
		b.Put(own("T-2026-001", i), dispatch("T-2026-001", i, "x"))
	}
	b.Put(AckPath(id), ack(id, 1))
	b.Remove("messages/x.json")
	l.until("five", func(s *Snapshot) bool { return s.Messages == 5 && len(s.Rejected) == 0 })
	if diff := cmp.Diff(before, brief(old)); diff != "" {
		t.Error(diff)
	}
}

// TestLiveLog appends what is refused to the error log of a directory of ours,
// once, also across restarts, and to no other's (AGN E0).
func TestLiveLog(t *testing.T) {
	bad := []byte(strings.Replace(string(dispatch("T-2026-001", 1, "x")), `"low"`, `"huge"`, 1))
	cfg := Config{Poll: time.Hour, Log: true, Now: func() time.Time { return time.UnixMilli(day + 77) }}
	b := newReadFixture(t)
	b.Put(own("T-2026-001", 1), bad)
	b.Put("a.json", dispatch("T-2026-001", 2, "a"))
	b.Put("b.json", dispatch("T-2026-001", 2, "b"))
	b.Backdate()
	want := []string{
		"task T-2026-001", " " + dispatchID("T-2026-001", 2) + " a.json", " refused b.json", " refused " + own("T-2026-001", 1),
		"rejected b.json E1 conflict logged", "rejected " + own("T-2026-001", 1) + " D6 logged",
	}
	for range 2 {
		l := b.followWith(cfg, outsideWorld())
		b.holds(l.sync(), want...)
		if r := l.live.Snapshot().Rejected[0]; r.Millis != day+77 {
			t.Errorf("%+v", r)
		}
		l.live.Close()
		data, err := os.ReadFile(b.Path("errors.jsonl"))
		if err != nil || strings.Count(string(data), "\n") != 2 || strings.Contains(string(data), `"text"`) {
			t.Fatalf("%v %s", err, data)
		}
	}

	// Two that follow at once write one line.
	one, two := b.followWith(cfg, outsideWorld()), b.followWith(cfg, outsideWorld())
	b.Put("c.json", dispatch("T-2026-001", 2, "c"))
	b.Backdate()
	for _, l := range []*liveFixture{one, two} {
		l.sync()
	}
	if n := len(b.scan().Rejected); n != 3 {
		t.Errorf("%v", brief(b.scan()))
	}
	// The log was taken away, or was replaced: everything is written again, including
	// earlier lines.
	two.live.Close()
	b.Put("d.json", dispatch("T-2026-001", 2, "d"))
	b.Backdate()
	one.sync()
	for what, change := range map[string]func(){
		"taken away": func() { b.Remove("errors.jsonl") },
		"replaced": func() {
			b.Put("other.jsonl", []byte(strings.Repeat("nothing\n", 1000)))
			b.Rename("other.jsonl", "errors.jsonl")
		},
	} {
		change()
		one.sync()
		for _, r := range one.sync().Rejected {
			if !r.Logged {
				t.Errorf("%s: %+v", what, r)
			}
		}
	}

	foreign := newReadFixture(t)
	foreign.Put("inbox/1.json", bad)
	foreign.Backdate()
	l := foreign.followWith(cfg, outsideWorld())
	if s := l.sync(); len(s.Rejected) != 1 || s.Rejected[0].Logged {
		t.Errorf("%v", brief(s))
	}
	if list, err := os.ReadDir(foreign.Root); err != nil || len(list) != 1 {
		t.Errorf("another tool's directory was written to: %v %v", list, err)
	}
	silent := newReadFixture(t)
	silent.Put(own("T-2026-001", 1), bad)
	silent.Backdate()
	quiet := silent.follow()
	if s := quiet.sync(); len(s.Rejected) != 1 || s.Rejected[0].Logged {
		t.Errorf("%v", brief(s))
	}
}

// TestLiveLogYoung waits with the error log until a file is whole: one that is
// being written is bad for a moment (AGN E0).
func TestLiveLogYoung(t *testing.T) {
	if testing.Short() {
		t.Skip()
	}
	b := newReadFixture(t)
	whole := dispatch("T-2026-001", 1, "x")
	b.Put(own("T-2026-001", 1), whole[:40])
	with := outsideWorld()
	with.settle = tree.Unsettled
	l := b.followWith(Config{Poll: time.Hour, Log: true}, with)
	if s := l.sync(); len(s.Rejected) != 1 || s.Rejected[0].Logged {
		t.Errorf("%v", brief(s))
	}
	b.Put(own("T-2026-001", 1), whole)
	b.Put(own("T-2026-001", 2), []byte("{"))
	// The time of a file may be a wrong clock's.
	b.Put(own("T-2026-001", 3), []byte("{"))
	ahead := time.Now().AddDate(7, 0, 0)
	if err := os.Chtimes(b.Path(own("T-2026-001", 3)), ahead, ahead); err != nil {
		t.Fatal(err)
	}
	l.until("the others logged, without a poll", func(s *Snapshot) bool {
		return s.Messages == 1 && len(s.Rejected) == 2 && s.Rejected[0].Logged && s.Rejected[1].Logged
	})
	if s := newState(Config{Path: b.Root}); true {
		if _, err := s.look(t.Context(), nil); err != nil || s.dir.File(own("T-2026-001", 3)).Again {
			t.Errorf("it is read again and again: %v", err)
		}
	}
}

// TestLiveLogMended forgets what the error log says of a file once that is a
// sound message, and says it again when it is none (AGN E0).
func TestLiveLogMended(t *testing.T) {
	b := newReadFixture(t)
	whole := dispatch("T-2026-001", 1, "x")
	b.Put(own("T-2026-001", 1), whole[:40])
	b.Put("errors.jsonl", agn.AppendRejection(nil, agn.Rejection{
		Millis: day, Source: own("T-2026-001", 1), Digest: "d", Text: "{}", Faults: []canon.Fault{{Rule: "E0"}},
	}))
	l := b.followWith(Config{Poll: time.Hour, Log: true}, outsideWorld())
	l.until("logged", func(s *Snapshot) bool { return len(s.Rejected) == 2 && s.Rejected[0].Logged })
	// Not in place: what is seen half-way would be rejected too.
	b.Put("messages/.new", whole)
	b.Rename("messages/.new", own("T-2026-001", 1))
	l.until("mended", func(s *Snapshot) bool { return s.Messages == 1 && len(s.Rejected) == 1 })
	if diff := same(b.scan(), l.sync()); diff != "" {
		t.Error(diff)
	}
	if r := b.scan().Rejected[0]; r.Digest != "d" {
		t.Errorf("what was refused on its way is another's: %+v", r)
	}
	b.Remove(own("T-2026-001", 1))
	l.until("gone", func(s *Snapshot) bool { return len(s.Rejected) == 2 })
}

// TestLiveLogHeld goes on following while another writer has the lock, says so
// after a while, and logs when it is free (AGN E0 X10).
func TestLiveLogHeld(t *testing.T) {
	b := newReadFixture(t)
	b.Put("messages/a.json", []byte("{"))
	d, err := Open(b.Root)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	w, err := d.write(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	with := outsideWorld()
	with.reject = func(ctx context.Context, path string, list []agn.Rejection) error {
		if end, ok := ctx.Deadline(); !ok || time.Until(end) > lockWait {
			t.Error("it may be waited for long")
		}
		return rejectInto(ctx, path, list)
	}
	l := b.followWith(Config{Poll: time.Millisecond, Log: true}, with)
	b.Put(own("T-2026-001", 1), dispatch("T-2026-001", 1, "x"))
	l.until("a message", has(dispatchID("T-2026-001", 1)))
	if l.live.Snapshot().Rejected[0].Logged {
		t.Error("logged without the lock")
	}
	l.until("a word about it", func(s *Snapshot) bool {
		return len(s.Problems) == 1 && strings.HasSuffix(s.Problems[0].Reason, ErrLocked.Error())
	})
	w.end()
	l.until("logged", func(s *Snapshot) bool { return len(s.Problems) == 0 && s.Rejected[0].Logged })
}

// TestLiveLogFault says that the error log cannot be written, and tries again
// (AGN E0).
func TestLiveLogFault(t *testing.T) {
	b := newReadFixture(t)
	b.Put("messages/a.json", []byte("{"))
	b.Backdate()
	with := outsideWorld()
	var calls atomic.Int32
	with.reject = func(ctx context.Context, path string, list []agn.Rejection) error {
		if calls.Add(1) == 1 {
			return errors.New("disk full")
		}
		return rejectInto(ctx, path, list)
	}
	l := b.followWith(Config{Poll: time.Millisecond, Log: true}, with)
	logged := func(s *Snapshot) bool { return len(s.Problems) == 0 && s.Rejected[0].Logged }
	if s := l.live.Snapshot(); !logged(s) && (len(s.Problems) != 1 || !strings.Contains(s.Problems[0].Reason, "disk full")) {
		t.Errorf("%v", brief(s))
	}
	l.until("logged", logged)
	if n := calls.Load(); n != 2 {
		t.Errorf("%d tries", n)
	}
}

// TestWriterProcess is the other process of [TestLiveProcess].
func TestWriterProcess(t *testing.T) {
	dir := os.Getenv("SIGNALBOX_TEST_SSOT")
	if dir == "" {
		return
	}
	b := &readFixture{disktest.At(t, dir), t}
	for i := range int64(300) {
		task := fmt.Sprintf("T-2026-%03d", i%7)
		whole := func(file string, data []byte) {
			b.Put(file+".new", data)
			b.Rename(file+".new", file)
		}
		whole(own(task, i), dispatch(task, i, "x"))
		if id := dispatchID(task, i); i%3 == 0 {
			whole(AckPath(id), ack(id, i))
		}
	}
}

// TestLiveProcess looks while another process writes: what was seen stays, and
// in the end all is there (AGN E13).
func TestLiveProcess(t *testing.T) {
	b := newReadFixture(t)
	l := b.follow()
	cmd := exec.Command(os.Args[0], "-test.run=^TestWriterProcess$")
	cmd.Env = append(os.Environ(), "SIGNALBOX_TEST_SSOT="+b.Root)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	before := 0
	for done := false; !done; {
		select {
		case err := <-ended:
			if err != nil {
				t.Fatal(err)
			}
			done = true
		default:
		}
		s := l.sync()
		if s.Messages < before || len(s.Problems) > 0 {
			t.Fatalf("%d after %d: %v", s.Messages, before, problems(s))
		}
		before = s.Messages
	}
	s := l.sync()
	if s.Messages != 300 || len(s.Rejected)+len(s.Problems) > 0 {
		t.Errorf("%d messages, %v", s.Messages, problems(s))
	}
	if diff := same(b.scan(), s); diff != "" {
		t.Error(diff)
	}
}
