package amp

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/lsp/disk/disktest"
	"github.com/signalbox-dev/signalbox/lsp/disk/follow"
	"github.com/signalbox-dev/signalbox/lsp/disk/tree"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// liveFixture follows the root of a fixture.
type liveFixture struct {
	*readFixture
	live    *Live
	changes chan Change
}

// systemDefaults is the real one. Tests write in place, as existing clients do: without the
// wait for files to settle, a reader could see half of a file.
func systemDefaults() overrides { return overrides{settle: tree.Unsettled} }

// follow opens a live root that polls so seldom that only events can help.
func (b *readFixture) follow() *liveFixture {
	b.t.Helper()
	return b.followWith(time.Hour, systemDefaults())
}

func (b *readFixture) followWith(poll time.Duration, with overrides) *liveFixture {
	b.t.Helper()
	l := &liveFixture{readFixture: b, changes: make(chan Change, 10_000)}
	var running atomic.Int32
	with.poll = poll
	l.live = openLive(Config{Path: b.Root, Changed: func(c Change) {
		if running.Add(1) != 1 {
			b.t.Error("Changed is called twice at a time")
		}
		l.changes <- c
		running.Add(-1)
	}}, with)
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

// drain drops the changes so far, once the root is at rest, and returns the ids of the threads
// in them.
func (l *liveFixture) drain() (threads []string, boxes bool) {
	l.t.Helper()
	for range 2 {
		l.sync()
	}
	for len(l.changes) > 0 {
		c := <-l.changes
		threads, boxes = append(threads, c.Threads...), boxes || c.Mailboxes
	}
	slices.Sort(threads)
	return slices.Compact(threads), boxes
}

// until waits for a snapshot that events alone bring about.
func (l *liveFixture) until(what string, ok func(s *Snapshot) bool) {
	l.t.Helper()
	ctx := disktest.Within(l.t)
	for !ok(l.live.Snapshot()) {
		select {
		case <-l.changes:
		case <-ctx.Done():
			l.t.Fatalf("nobody told of %s: %q", what, brief(l.live.Snapshot()))
		}
	}
}

// TestLive: changes that the system reports are seen without polling.
func TestLive(t *testing.T) {
	b := newReadFixture(t)
	l := b.follow()
	if s := l.live.Snapshot(); s.Exists || !s.Ready {
		t.Errorf("%+v", s)
	}
	l.drain()
	has := func(line string) func(*Snapshot) bool {
		return func(s *Snapshot) bool { return slices.Contains(brief(s), line) }
	}
	b.agent("alice", "alice@acme.aimaestro.local")
	l.until("the root and a mailbox", func(s *Snapshot) bool {
		return has(aliceLine)(s) && s.Exists && s.Mailbox("alice").Key.Fingerprint() != ""
	})
	b.Put(aliceIn+"a.json", note{id: id(1), text: "x"}.bytes())
	l.until("a message in a new folder", has(" "+aliceIn+"a.json"))
	b.Put(aliceIn+"a.json", note{id: id(1), text: "x", status: amp.Read}.bytes())
	l.until("its status", has("box agents/alice alice 0/1 alice@acme.aimaestro.local"))
	b.Put(aliceBox+"/config.json", []byte(`{"agent":{"name":"Alice"}}`))
	l.until("the name", func(s *Snapshot) bool { m := s.Mailbox("Alice"); return m != nil && m.Name == "Alice" })
	b.Rename("agents/alice", "agents/eve")
	l.until("another folder", has(" agents/eve/messages/inbox/bob_acme_aimaestro_local/a.json"))
	b.Put("agents/eve/messages/inbox/bob_acme_aimaestro_local/b.json", note{id: id(2), reply: id(1), text: "x"}.bytes())
	l.until("a message in it", func(s *Snapshot) bool { th := s.Thread(id(1)); return th != nil && len(th.Messages) == 2 })
	b.Remove(".")
	l.until("that all is gone", func(s *Snapshot) bool {
		return !s.Exists && len(s.Threads) == 0 && len(s.Mailboxes) == 0 && s.Messages == 0
	})
	b.agent("bob", "bob@acme.aimaestro.local")
	l.until("that it is back", has(bobLine))
}

// TestChange names the threads that became different, and no others.
func TestChange(t *testing.T) {
	b := twoAgents(t)
	b.Put(bobIn+"a.json", note{id: id(1), text: "x"}.bytes())
	b.Put(bobIn+"b.json", note{id: id(2), text: "y"}.bytes())
	b.Put(aliceIn+"c.json", note{id: id(3), text: "z"}.bytes())
	l := b.follow()
	threads, boxes := l.drain()
	if diff := cmp.Diff([]string{id(1), id(2), id(3)}, threads); diff != "" || !boxes {
		t.Errorf("%v %s", boxes, diff)
	}
	for _, step := range []struct {
		name  string
		do    func()
		want  []string
		boxes bool
	}{
		{"nothing", func() {}, nil, false},
		{"a status", func() { b.Put(bobIn+"a.json", note{id: id(1), text: "x", status: amp.Read}.bytes()) }, []string{id(1)}, false},
		{"a reply", func() { b.Put(aliceIn+"d.json", note{id: id(4), reply: id(2), text: "x"}.bytes()) }, []string{id(2)}, false},
		{"a copy", func() { b.Put(aliceOut+"b.json", note{id: id(2), text: "y"}.bytes()) }, []string{id(2)}, false},
		{"one goes", func() { b.Remove(bobIn + "a.json") }, []string{id(1)}, false},
		{"the first of a thread goes", func() { b.Remove(bobIn + "b.json"); b.Remove(aliceOut + "b.json") }, []string{id(2)}, false},
		{"it replies to another", func() { b.Put(aliceIn+"d.json", note{id: id(4), reply: id(3), text: "x"}.bytes()) }, []string{id(2), id(3)}, false},
		{"a key", func() { b.Put(aliceBox+"/keys/public.pem", fixture(t, "keys/carol.public.pem")) }, nil, true},
		{"an address", func() { b.agent("bob", "robert@acme.aimaestro.local") }, nil, true},
		{"a name", func() { b.Put(aliceBox+"/config.json", []byte(`{"agent":{"name":"Alice"}}`)) }, []string{id(3)}, true},
		{"another file", func() { b.Put(aliceBox+"/IDENTITY.md", []byte("x")) }, nil, false},
	} {
		before := l.live.Snapshot()
		step.do()
		threads, boxes := l.drain()
		if diff := cmp.Diff(step.want, threads); diff != "" || boxes != step.boxes {
			t.Errorf("%s: %v, %s", step.name, boxes, diff)
		}
		if step.want == nil && !step.boxes && l.live.Snapshot() != before {
			t.Errorf("%s: there is another snapshot", step.name)
		}
	}
}

// TestOnlyStatus: a change shows whether more than the status of messages is different.
func TestOnlyStatus(t *testing.T) {
	b := twoAgents(t)
	b.Put(bobIn+"a.json", note{id: id(1), text: "x"}.bytes())
	l := b.follow()
	l.drain()
	for _, step := range []struct {
		name     string
		note     note
		messages bool
	}{
		{"a status", note{id: id(1), text: "x", status: amp.Read}, false},
		{"another text", note{id: id(1), text: "y", status: amp.Read}, true},
		{"both", note{id: id(1), text: "z", status: amp.Archived}, true},
		{"a status again", note{id: id(1), text: "z"}, false},
	} {
		b.Put(bobIn+"a.json", step.note.bytes())
		l.sync()
		if c := <-l.changes; c.Messages != step.messages || !slices.Equal(c.Threads, []string{id(1)}) {
			t.Errorf("%s: %+v", step.name, c)
		}
		l.drain()
	}
}

// TestRootFile: a root that is not a folder is reported until it is gone.
func TestRootFile(t *testing.T) {
	b := newReadFixture(t)
	l := b.follow()
	l.drain()
	if err := os.WriteFile(b.Root, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if s := l.sync(); !s.Exists || s.Err == nil {
		t.Errorf("%v, %v", s.Exists, s.Err)
	}
	b.Remove(".")
	if s := l.sync(); s.Exists || s.Err != nil {
		t.Errorf("%v, %v", s.Exists, s.Err)
	}
	if _, boxes := l.drain(); !boxes {
		t.Error("nobody was told")
	}
}

// TestTouched: a file with the same content has another time.
func TestTouched(t *testing.T) {
	b := twoAgents(t)
	b.Put(bobIn+"a.json", note{id: id(1), text: "x"}.bytes())
	l := b.follow()
	old := l.live.Snapshot().ByID(id(1))[0]
	then := time.UnixMilli(1_700_000_000_000)
	if err := os.Chtimes(b.Path(bobIn+"a.json"), then, then); err != nil {
		t.Fatal(err)
	}
	now := l.sync().ByID(id(1))[0]
	if now.Modified != then.UnixMilli() || old.Modified == now.Modified {
		t.Errorf("it was %d and is %d", old.Modified, now.Modified)
	}
}

// TestSnapshotStays: a snapshot that was returned does not change.
func TestSnapshotStays(t *testing.T) {
	b := twoAgents(t)
	b.Put(bobIn+"a.json", note{id: id(1), text: "x"}.bytes())
	l := b.follow()
	old := l.live.Snapshot()
	before := brief(old)
	b.Put(bobIn+"b.json", note{id: id(2), reply: id(1), text: "x"}.bytes())
	b.Put(bobIn+"a.json", note{id: id(1), text: "x", status: amp.Read}.bytes())
	b.agent("bob", "robert@acme.aimaestro.local")
	l.sync()
	if diff := cmp.Diff(before, brief(old)); diff != "" {
		t.Error(diff)
	}
	if m := l.live.Snapshot().Mailbox("bob"); m.Messages != 2 || m.Unread != 1 || m != l.live.Snapshot().ByID(id(1))[0].Mailbox {
		t.Errorf("%+v", m)
	}
}

// TestPartial: existing clients write in place. A half-written file shows its former content
// and is read again, and is reported only if it stays the same.
func TestPartial(t *testing.T) {
	whole := note{id: id(1), text: "x", status: amp.Read}.bytes()
	for name, c := range map[string]struct {
		before, half, after []byte
		now, then           string
	}{
		"a new one":              {nil, whole[:40], whole, "", " a.json"},
		"a new one, empty":       {nil, whole[:0], whole, "", " a.json"},
		"one that was there":     {note{id: id(1), text: "x"}.bytes(), whole[:90], whole, " a.json", " a.json"},
		"one that was bad":       {[]byte("{"), whole[:90], whole, " a.json unreadable", " a.json"},
		"it stays so":            {nil, whole[:40], whole[:40], "", " a.json unreadable"},
		"it stays so, after all": {whole, whole[:40], whole[:40], " a.json", " a.json unreadable"},
		"it grows and stays so":  {nil, whole[:40], whole[:41], "", " a.json unreadable"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newReadFixture(t)
				b.Mkdir("messages/inbox")
				if c.before != nil {
					b.Put("messages/inbox/a.json", c.before)
				}
				with := systemDefaults()
				with.notifier = func() (follow.Notifier, <-chan fsnotify.Event, <-chan error, error) {
					return nil, nil, nil, errors.New("none")
				}
				l := quietly(t, b.Root, with)
				time.Sleep(2 * tree.Unsettled) // in the bubble
				state := func() string {
					for _, line := range brief(l.Snapshot()) {
						if strings.Contains(line, "a.json") {
							return strings.Replace(line, "messages/inbox/", "", 1)
						}
					}
					return ""
				}
				before := l.Snapshot()
				b.Put("messages/inbox/a.json", c.half)
				if err := l.Sync(t.Context()); err != nil {
					t.Fatal(err)
				}
				if got := state(); got != c.now {
					t.Errorf("at once it is %q", got)
				}
				if c.before != nil && l.Snapshot() != before {
					t.Error("something changed at once")
				}
				b.Put("messages/inbox/a.json", c.after)
				time.Sleep(3 * tree.Unsettled)
				synctest.Wait()
				if got := state(); got != c.then {
					t.Errorf("later it is %q", got)
				}
			})
		})
	}
}

// TestPartialConfig: a mailbox keeps its owner while its files are written.
func TestPartialConfig(t *testing.T) {
	b := twoAgents(t)
	config, key := configOf("bob", "bob@acme.aimaestro.local"), fixture(t, "keys/bob.public.pem")
	with := systemDefaults()
	with.settle = time.Hour
	l := quietly(t, b.Root, with)
	all := l.Snapshot()
	b.Put(bobBox+"/config.json", config[:len(config)/2])
	b.Put(bobBox+"/keys/public.pem", key[:len(key)/2])
	for range 2 {
		if err := l.Sync(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := l.Snapshot(); got != all || len(got.Problems) != 0 {
			t.Errorf("%q", brief(got))
		}
	}
	b.Put(bobBox+"/config.json", configOf("robert", "bob@acme.aimaestro.local"))
	b.Remove(bobBox + "/keys")
	if err := l.Sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := l.Snapshot().Mailbox("robert"); got == nil || got.Key.Fingerprint() != "" {
		t.Errorf("%q", brief(l.Snapshot()))
	}
}

// quietly follows a root without events and without polling.
func quietly(t *testing.T, path string, with overrides) *Live {
	with.poll = time.Hour
	l := openLive(Config{Path: path}, with)
	t.Cleanup(l.Close)
	if err := l.Sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	return l
}

// TestPoll: a system that reports no changes is a problem, and polling finds what is new.
func TestPoll(t *testing.T) {
	b := twoAgents(t)
	with := systemDefaults()
	with.notifier = func() (follow.Notifier, <-chan fsnotify.Event, <-chan error, error) {
		return nil, nil, nil, errors.New("no watchers left")
	}
	l := b.followWith(time.Millisecond, with)
	s := l.live.Snapshot()
	if s.Watching != follow.Poll || len(s.Problems) != 1 || !strings.Contains(s.Problems[0].Reason, "no watchers left") {
		t.Errorf("%s %+v", s.Watching, s.Problems)
	}
	b.Put(bobIn+"a.json", note{id: id(1), text: "x"}.bytes())
	l.until("what a poll finds", func(s *Snapshot) bool { return s.Messages == 1 })
}

// TestBudget: if not all folders can be watched, that is a problem, and those that show new
// mail come first.
func TestBudget(t *testing.T) {
	b := twoAgents(t)
	b.Put(bobIn+"a.json", note{id: id(1), text: "x"}.bytes())
	with := systemDefaults()
	with.budget = 4 // the root, agents, an inbox, and who wrote
	l := b.followWith(time.Hour, with)
	if s := l.live.Snapshot(); s.Watching != follow.Partly {
		t.Errorf("it is %s", s.Watching)
	}
	b.Put(bobIn+"b.json", note{id: id(2), text: "x"}.bytes())
	l.until("mail", func(s *Snapshot) bool { return s.Messages == 2 })
	b.agent("carol", "carol@globex.crabmail.ai")
	l.until("a new mailbox", func(s *Snapshot) bool { return s.Mailbox("carol") != nil })
	all := b.follow()
	if s := all.live.Snapshot(); s.Watching != follow.Notify || len(s.Problems) != 0 {
		t.Errorf("it is %s, %v", s.Watching, s.Problems)
	}
}

// TestFolders watches the folders that can be read, the most important ones first.
func TestFolders(t *testing.T) {
	b := twoAgents(t)
	b.Remove(aliceBox)
	for _, at := range []string{bobOut, bobIn, bobBox + "/registrations", bobBox + "/messages/inbox/eve", bobBox + "/attachments/att_1_a"} {
		b.Mkdir(at)
	}
	b.Backdate()
	now := time.Now()
	if err := os.Chtimes(b.Path(bobIn), now, now); err != nil {
		t.Fatal(err)
	}
	s := newState(Config{Path: b.Root})
	if s.Folders() != nil {
		t.Error("what was not looked at is watched")
	}
	s.dir.Open = func(path string) (tree.Folder, error) {
		f, err := tree.Open(path)
		return &guard{Folder: f, denied: map[string]bool{"eve": true}}, err
	}
	if _, err := s.look(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"", "agents",
		strings.TrimSuffix(bobIn, "/"), bobBox + "/messages/inbox", bobBox + "/messages/sent", strings.TrimSuffix(bobOut, "/"),
		bobBox, bobBox + "/keys", bobBox + "/messages", bobBox + "/registrations",
	}
	if diff := cmp.Diff(want, s.Folders()); diff != "" {
		t.Error(diff)
	}
}

// TestClose: a closed Live reports so, and still has its last snapshot.
func TestClose(t *testing.T) {
	b := twoAgents(t)
	l := b.follow()
	l.live.Close()
	if err := l.live.Sync(disktest.Within(t)); !errors.Is(err, follow.ErrClosed) {
		t.Errorf("%v", err)
	}
	if len(l.live.Snapshot().Mailboxes) != 2 {
		t.Error("it forgot")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Scan(ctx, b.Root); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled look: %v", err)
	}
}
