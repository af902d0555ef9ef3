package index_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/signalbox-dev/signalbox/core/samp"
	sampstore "github.com/signalbox-dev/signalbox/lsp/samp"
	"github.com/signalbox-dev/signalbox/lsp/samp/index"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// testDir is a message directory under test with its live index.
type testDir struct {
	t    testing.TB
	dir  string
	live *index.Live
}

func newTestDir(t testing.TB, me string) *testDir {
	t.Helper()
	b := &testDir{t: t, dir: filepath.Join(t.TempDir(), "mail")}
	if err := os.Mkdir(b.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	b.open(me)
	return b
}

func (b *testDir) open(me string) {
	b.live = index.Open(index.Config{
		Path: b.dir, Me: me, StateDir: b.t.TempDir(), Auto: true,
		Poll: time.Hour, Logger: slog.New(slog.DiscardHandler),
	})
	b.t.Cleanup(b.live.Close)
}

func (b *testDir) sync() {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.t.Context(), 30*time.Second)
	defer cancel()
	if err := b.live.Sync(ctx); err != nil {
		b.t.Fatal(err)
	}
}

func line(ts int64, from, to, thread, body string) string {
	r, err := samp.Build(from, to, thread, body, ts, samp.V1)
	if err != nil {
		panic(err)
	}
	return string(r.Append(nil))
}

func (b *testDir) write(name string, text ...string) {
	b.t.Helper()
	if err := os.WriteFile(filepath.Join(b.dir, name), []byte(strings.Join(text, "")), 0o600); err != nil {
		b.t.Fatal(err)
	}
}

func (b *testDir) append(name, text string) {
	b.t.Helper()
	f, err := os.OpenFile(filepath.Join(b.dir, name), os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		b.t.Fatal(err)
	}
	if _, err := f.WriteString(text); err != nil {
		b.t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		b.t.Fatal(err)
	}
}

func (b *testDir) remove(name string) {
	b.t.Helper()
	if err := os.Remove(filepath.Join(b.dir, name)); err != nil {
		b.t.Fatal(err)
	}
}

// bodies returns what a thread shows, in order.
func (b *testDir) bodies(thread string) []string {
	b.t.Helper()
	b.sync()
	page, err := b.live.Page(thread, nil, nil, 1000)
	if err != nil {
		return nil
	}
	var list []string
	for _, m := range page.Messages {
		if m.Err != nil {
			b.t.Error(m.Err)
		}
		list = append(list, m.Body)
	}
	return list
}

func (b *testDir) want(thread string, bodies ...string) {
	b.t.Helper()
	if diff := cmp.Diff(bodies, b.bodies(thread)); diff != "" {
		b.t.Errorf("thread %s (-want +got):\n%s", thread, diff)
	}
}

// TestLiveFollows takes a log through everything that happens to logs.
func TestLiveFollows(t *testing.T) {
	b := newTestDir(t, "bob")
	one, two, three := line(1, "alice", "bob", "t", "one"), line(2, "alice", "bob", "t", "two"), line(3, "alice", "bob", "t", "three")
	const log = "log-alice.jsonl"

	b.write(log, one)
	b.want("t", "one")
	b.append(log, two)
	b.want("t", "one", "two")

	b.append(log, three[:20])
	b.want("t", "one", "two")
	b.append(log, three[20:])
	b.want("t", "one", "two", "three")

	b.write(log, one, three)
	b.want("t", "one", "three")

	b.write(log, one, two, three, line(4, "alice", "bob", "t", "four"))
	b.want("t", "one", "two", "three", "four")

	b.write(log+".new", two)
	if err := os.Rename(filepath.Join(b.dir, log+".new"), filepath.Join(b.dir, log)); err != nil {
		t.Fatal(err)
	}
	b.want("t", "two")

	if err := os.Remove(filepath.Join(b.dir, log)); err != nil {
		t.Fatal(err)
	}
	b.want("t")

	b.write(log, strings.TrimSuffix(one, "\n"))
	b.want("t", "one")
	b.append(log, "\n"+two)
	b.want("t", "one", "two")
	if s := b.live.Stats(); s.Unread != 2 || s.Waiting != 1 {
		t.Errorf("unread %d in %d threads, want 2 in 1", s.Unread, s.Waiting)
	}
}

// TestLiveCompaction rewrites a log as compaction does while it is followed.
func TestLiveCompaction(t *testing.T) {
	b := newTestDir(t, "bob")
	one := line(1, "alice", "bob", "t", "one")
	b.write("log-alice.jsonl", one, one, strings.Replace(line(2, "alice", "bob", "t", "two"), `"id": `, `"was": `, 1))
	b.want("t", "one", "two")
	d, err := sampstore.Open(b.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	logs, _, err := d.Logs()
	if err != nil {
		t.Fatal(err)
	}
	done, err := d.Compact(t.Context(), logs[0], samp.V1)
	if err != nil || !done.Rewritten || done.Before != 3 || done.After != 2 || done.Filled != 1 {
		t.Fatalf("C2: %+v, %v", done, err)
	}
	b.want("t", "one", "two")
}

// TestReplySinceStays holds that the time of SetReplySince carries over to every new index.
func TestReplySinceStays(t *testing.T) {
	b := newTestDir(t, "bob")
	b.live.SetReplySince(100)
	old, fresh := line(50, "alice", "bob", "old", "one"), line(150, "alice", "bob", "fresh", "two")
	for _, step := range []struct {
		name      string
		do        func()
		needReply int
	}{
		{"the first look", func() {}, 0},
		{"two messages", func() { b.write("log-alice.jsonl", old, fresh) }, 1},
		{"a log that was rewritten", func() { b.write("log-alice.jsonl", old) }, 0},
		{"another log", func() { b.write("log-carol.jsonl", line(150, "carol", "bob", "third", "three")) }, 1},
		{"a log that is gone", func() { b.remove("log-alice.jsonl") }, 1},
	} {
		step.do()
		b.sync()
		if s := b.live.Stats(); s.NeedReply != step.needReply || s.Since != 100 {
			t.Errorf("%s: %d since %d, want %d since 100", step.name, s.NeedReply, s.Since, step.needReply)
		}
	}
}

// TestLiveCopies holds the rules for records in foreign logs: S1, and our own.
func TestLiveCopies(t *testing.T) {
	b := newTestDir(t, "bob")
	genuine := line(5, "alice", "bob", "t", "genuine")
	b.write("log-alice-replica.jsonl", genuine)
	b.want("t", "genuine")
	b.write("log-mallory.jsonl", genuine, line(6, "alice", "bob", "t", "forged"))
	b.want("t", "genuine")
	if s := b.live.Stats(); s.Suspicious != 1 {
		t.Errorf("%d suspicious records, want 1", s.Suspicious)
	}
	b.write("log-alice.jsonl", genuine)
	b.want("t", "genuine")
	if page, _ := b.live.Page("t", nil, nil, 10); page.Thread.Copied {
		t.Error("the original is there and the copy is shown")
	}
	b.append("log-alice.jsonl", line(6, "alice", "bob", "t", "forged"))
	b.want("t", "genuine", "forged")
	if s := b.live.Stats(); s.Suspicious != 0 {
		t.Errorf("%d suspicious records, want none now that alice wrote it", s.Suspicious)
	}
	forgedID := strings.Replace(line(7, "alice", "bob", "t", "other"), line(7, "alice", "bob", "t", "other")[8:24], genuine[8:24], 1)
	b.write("log-alice.a.jsonl", forgedID)
	b.want("t", "genuine", "forged")
}

// TestLivePages walks a thread in both directions and an inbox by cursor.
func TestLivePages(t *testing.T) {
	b := newTestDir(t, "bob")
	var log, want []string
	for i := range 25 {
		log = append(log, line(int64(100-i/2), "alice", "bob", "t", fmt.Sprint(i)))
		log = append(log, line(int64(i), "alice", "bob", fmt.Sprintf("thread-%02d", i), "x"))
	}
	b.write("log-alice.jsonl", log...)
	want = b.bodies("t")
	var got []string
	var before *sampstore.Key
	for {
		page, err := b.live.Page("t", before, nil, 4)
		if err != nil {
			t.Fatal(err)
		}
		var part []string
		for _, m := range page.Messages {
			part = append(part, m.Body)
		}
		got = append(part, got...)
		if !page.Older {
			break
		}
		k := sampstore.KeyOf(&page.Messages[0].Found)
		before = &k
	}
	if diff := cmp.Diff(want, got); diff != "" || len(got) != 25 {
		t.Error(diff)
	}
	var names []string
	var after *index.Place
	for more := true; more; {
		var list []index.Thread
		list, more = b.live.List(index.Listing{After: after, Limit: 4})
		for _, th := range list {
			names = append(names, th.Name)
		}
		after = &index.Place{TS: list[len(list)-1].Last, Name: list[len(list)-1].Name}
	}
	if len(names) != 26 || names[0] != "t" || !slices.IsSortedFunc(names[1:], func(a, b string) int { return strings.Compare(b, a) }) {
		t.Error(names)
	}
}

// TestLiveRead marks messages, finds the marks of another process, and the first time
// counts messages that a watermark covers as read.
func TestLiveRead(t *testing.T) {
	b := newTestDir(t, "bob")
	odd := strings.Replace(line(2, "alice", "bob", "t", "odd id"), `"id": "`, `"id": "not hex, `, 1)
	b.write("log-alice.jsonl", line(1, "alice", "bob", "t", "one"), odd, line(3, "alice", "carol", "t", "not mine"))
	b.sync()
	if s := b.live.Stats(); s.Unread != 2 {
		t.Fatalf("unread %d, want 2", s.Unread)
	}
	if err := b.live.SetRead(nil, []string{"t"}, true); err != nil {
		t.Fatal(err)
	}
	if s := b.live.Stats(); s.Unread != 0 || s.Waiting != 0 {
		t.Errorf("unread %d in %d threads after all were read", s.Unread, s.Waiting)
	}
	b.append("log-alice.jsonl", line(4, "alice", "bob", "t", "new"))
	b.sync()
	if s := b.live.Stats(); s.Unread != 1 {
		t.Errorf("unread %d after a new message, want 1", s.Unread)
	}
	b.write(".seen-bob", `{"ts": 3, "ids": []}`)
	b.open("bob")
	b.sync()
	if s := b.live.Stats(); s.Unread != 1 {
		t.Errorf("N2: unread %d with a watermark and no own state, want 1", s.Unread)
	}
}

// TestLiveWaits opens a directory that does not exist yet, and one that is removed and
// comes back.
func TestLiveWaits(t *testing.T) {
	b := &testDir{t: t, dir: filepath.Join(t.TempDir(), "later")}
	b.open("bob")
	b.sync()
	if s := b.live.Stats(); s.Exists || s.Err == nil || s.Indexing {
		t.Fatalf("%+v", s)
	}
	for range 2 {
		if err := os.Mkdir(b.dir, 0o700); err != nil {
			t.Fatal(err)
		}
		b.write("log-alice.jsonl", line(1, "alice", "bob", "t", "one"))
		b.want("t", "one")
		if err := os.RemoveAll(b.dir); err != nil {
			t.Fatal(err)
		}
		b.want("t")
	}
}

// TestSavedIndexRemoved deletes the indexes that earlier versions saved, and nothing
// else in the state folder.
func TestSavedIndexRemoved(t *testing.T) {
	b := newTestDir(t, "bob")
	b.live.Close()
	state := t.TempDir()
	saved, kept := filepath.Join(state, "index", "0123456789ab.index"), filepath.Join(state, "drafts", "d")
	for _, path := range []string{saved, kept} {
		if err := errors.Join(os.Mkdir(filepath.Dir(path), 0o700), os.WriteFile(path, nil, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	b.live = index.Open(index.Config{Path: b.dir, Me: "bob", StateDir: state, Poll: time.Hour, Logger: slog.New(slog.DiscardHandler)})
	defer b.live.Close()
	b.sync()
	if _, err := os.Stat(filepath.Dir(saved)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the saved index is left: %v", err)
	}
	if _, err := os.Stat(kept); err != nil {
		t.Error(err)
	}
}
