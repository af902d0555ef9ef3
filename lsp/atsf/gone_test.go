package atsf

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/lsp/disk/disktest"
)

// TestGone removes worktrees in every way and holds that their threads stay
// listed, with the branch that they had. ATSF X3
func TestGone(t *testing.T) {
	for _, c := range []struct {
		name   string
		remove func(b *readFixture)
		places []string
		items  []string
	}{
		{
			name:   "by git",
			remove: func(b *readFixture) { b.git("p", "worktree", "remove", "--force", b.path("one")) },
			places: []string{"one@branch-one git gone 2", "p@main main git agent 1"},
			items:  []string{"one/b gone", "one/c gone", "p/a"},
		},
		{
			name:   "by hand, so that git still lists it",
			remove: func(b *readFixture) { b.removeAll("one") },
			places: []string{"one@branch-one git gone 2", "p@main main git agent 1"},
			items:  []string{"one/b gone", "one/c gone", "p/a"},
		},
		{
			name: "by hand, and pruned",
			remove: func(b *readFixture) {
				b.removeAll("one")
				b.git("p", "worktree", "prune")
			},
			places: []string{"one@branch-one git gone 2", "p@main main git agent 1"},
			items:  []string{"one/b gone", "one/c gone", "p/a"},
		},
		{
			name:   "only .agent, as git clean does",
			remove: func(b *readFixture) { b.removeAll("one/.agent") },
			places: []string{"one@branch-one git 2", "p@main main git agent 1"},
			items:  []string{"one/b gone", "one/c gone", "p/a"},
		},
		{
			name:   "moved by git, so that nothing is gone",
			remove: func(b *readFixture) { b.git("p", "worktree", "move", b.path("one"), b.path("two")) },
			places: []string{"p@main main git agent 1", "two@branch-one git agent 2"},
			items:  []string{"p/a", "two/b", "two/c"},
		},
		{
			name:   "one thread alone, by its user",
			remove: func(b *readFixture) { b.removeAll("one/.agent/threads/b") },
			places: []string{"one@branch-one git agent 1", "p@main main git agent 1"},
			items:  []string{"one/c", "p/a"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newReadFixture(t)
			b.repo("p", "one")
			b.thread("p", "a", 1, said("m1", "x"))
			b.thread("one", "b", 2, said("m2", "y"))
			b.write("{", "one", atsf.DirName, atsf.ThreadsName, "c", atsf.ThreadName)
			before := b.scan("p")
			c.remove(b)
			// Any number of looks gives the same.
			for range 3 {
				s := b.scan("p")
				if diff := cmp.Diff(c.places, sorted(b.places(s))); diff != "" {
					t.Error(diff)
				}
				if diff := cmp.Diff(c.items, sorted(b.names(s))); diff != "" {
					t.Error(diff)
				}
				for _, item := range s.Items {
					was := before.Item(Key{item.Folder, item.Name})
					if !item.Gone {
						continue
					}
					got := *item
					got.Gone = false
					if !sameItem(&got, was) {
						t.Errorf("of %s is left\n%+v\nof\n%+v", item.Name, got, was)
					}
					if _, err := s.Page(t.Context(), Key{item.Folder, item.Name}, Query{}); !errors.Is(err, ErrNotFound) {
						t.Errorf("its messages: %v", err)
					}
				}
			}
		})
	}
}

func (b *readFixture) removeAll(path string) {
	b.t.Helper()
	if err := os.RemoveAll(b.path(filepath.FromSlash(path))); err != nil {
		b.t.Fatal(err)
	}
}

// TestGoneBitByBit looks on while a worktree is removed file by file: all that it
// held stays listed as it was. A thread that went alone is forgotten. ATSF X3
func TestGoneBitByBit(t *testing.T) {
	b := newReadFixture(t)
	b.repo("p", "one")
	for i, name := range []string{"a", "b", "c"} {
		b.thread("one", name, i, said("m", "x"))
	}
	l := b.follow("p")
	for _, path := range []string{"one/.agent/threads/a/thread.json", "one/.agent/threads/a", "one/.agent/threads/b/messages.jsonl", "one/.agent/threads/b", "one/.agent/threads/c", "one/.agent/threads", "one/.agent", "one"} {
		b.removeAll(path)
		if err := l.live.Sync(disktest.Within(t)); err != nil {
			t.Fatal(err)
		}
	}
	b.git("p", "worktree", "prune")
	if err := l.live.Sync(disktest.Within(t)); err != nil {
		t.Fatal(err)
	}
	for _, s := range []*Snapshot{l.live.Snapshot(), b.scan("p")} {
		if diff := cmp.Diff([]string{"one/a gone", "one/b gone", "one/c gone"}, sorted(b.names(s))); diff != "" {
			t.Error(diff)
		}
		for _, item := range s.Items {
			if item.Fault != nil || item.Thread.Title != "About "+item.Name {
				t.Errorf("%s: %q %v", item.Name, item.Thread.Title, item.Fault)
			}
		}
	}
	f, m, now := &folderState{records: map[string]*record{"x": {item: &Item{Name: "x"}}}}, &memory{items: map[string]*remembered{}}, time.Now()
	f.Agent = true
	m.update(f, now)
	clear(f.records)
	m.update(f, now)
	if m.update(f, now.Add(undoTime/2)); len(m.items) != 1 {
		t.Error("a thread that may have gone with its worktree is forgotten at once")
	}
	if m.update(f, now.Add(2*undoTime)); len(m.items) != 0 || !m.dirty {
		t.Error("what its user deleted long ago stays in the cache")
	}
}

// TestGoneMany lists the worktrees that went last, whatever their names, and
// reads the cache of the others no second time. ATSF X3
func TestGoneMany(t *testing.T) {
	b := newReadFixture(t)
	b.repo("p")
	b.thread("p", "here", 1)
	p := b.scan("p").Folders[0]
	const extra = 20
	for i := range maxGone + extra {
		f := Folder{Path: b.path("gone", fmt.Sprint(i)), Repository: p.Repository, Git: true}
		f.ID = FolderID(f.Path)
		item := parseItem(f.ID, "a", []byte(b.meta("a", "A", 1)), time.Now().UnixMilli())
		m := memory{Folder: f, file: cachePath(b.state, &f), dirty: true, items: map[string]*remembered{
			"a": {item: item, goneSince: time.Now().Add(-time.Hour).UnixMilli() + int64(i)},
		}}
		if err := m.write(); err != nil {
			t.Fatal(err)
		}
	}
	s := newState(b.config("p"))
	if _, err := s.refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	listed := make(map[string]bool)
	for _, f := range s.snapshot().Folders {
		listed[filepath.Base(f.Path)] = f.Gone
	}
	for i := range maxGone + extra {
		if name := fmt.Sprint(i); listed[name] != (i >= extra) {
			t.Errorf("X3: the worktree that went as number %s is listed: %v", name, listed[name])
		}
	}
	before := maps.Clone(s.memories)
	if c, err := s.refresh(t.Context()); err != nil || !c.empty() {
		t.Errorf("X3: %+v %v", c, err)
	}
	for id, m := range s.memories {
		if before[id] != m {
			t.Fatalf("X3: the cache of %q was read again", m.Path)
		}
	}
}

// TestGoneAgain puts another worktree in the place of one that went: the threads
// of the first stay listed beside those of the second, and once more when that
// went too. ATSF X3
func TestGoneAgain(t *testing.T) {
	b := newReadFixture(t)
	b.repo("p", "one")
	b.thread("one", "a", 1)
	b.scan("p")
	remove := func() {
		t.Helper()
		b.git("p", "worktree", "remove", "--force", b.path("one"))
	}
	want := func(what string, items ...string) {
		t.Helper()
		for range 2 {
			if diff := cmp.Diff(items, sorted(b.names(b.scan("p")))); diff != "" {
				t.Errorf("X3: %s: -want +got\n%s", what, diff)
			}
		}
	}
	remove()
	want("removed", "one/a gone")
	b.git("p", "worktree", "add", "-q", b.path("one"), "branch-one")
	want("made again", "one/a gone")
	// As a checkout that has a config.json and no thread.
	b.mkdir("one", atsf.DirName)
	want("with an .agent", "one/a gone")
	b.thread("one", "b", 2)
	want("with a thread", "one/a gone", "one/b")
	b.removeAll("one/.agent/threads/b")
	want("whose user removed it", "one/a gone")
	b.thread("one", "c", 2)
	want("with another", "one/a gone", "one/c")
	remove()
	want("removed again", "one/a gone", "one/c gone")
	b.git("p", "worktree", "add", "-q", b.path("one"), "branch-one")
	b.thread("one", "a", 1)
	want("with the first come back", "one/a", "one/c gone")
}

// TestGoneAgainLive never takes from the list what stood in the place of a new
// worktree, whichever of its directories is looked at. ATSF X3
func TestGoneAgainLive(t *testing.T) {
	b := newReadFixture(t)
	b.repo("p", "one")
	b.thread("one", "a", 1)
	s := newState(b.config("p"))
	steps := []struct {
		do   func()
		want []string
	}{
		{func() {}, []string{"one/a"}},
		{func() { b.git("p", "worktree", "remove", "--force", b.path("one")) }, []string{"one/a gone"}},
		{func() { b.git("p", "worktree", "add", "-q", b.path("one"), "branch-one") }, []string{"one/a gone"}},
		{func() { b.mkdir("one", atsf.DirName) }, []string{"one/a gone"}},
		{func() { b.thread("one", "b", 2) }, []string{"one/a gone", "one/b"}},
	}
	for i, step := range steps {
		step.do()
		for range 2 {
			if _, err := s.refresh(t.Context()); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(step.want, sorted(b.names(s.snapshot()))); diff != "" {
				t.Errorf("X3: step %d: -want +got\n%s", i, diff)
			}
			s.save()
		}
	}
}

// TestGoneBare lists the threads of the only worktree of a bare repository after it was
// removed. ATSF X3
func TestGoneBare(t *testing.T) {
	b := newReadFixture(t)
	b.repo("p")
	b.git("p", "clone", "-q", "--bare", b.path("p"), b.path("shop", ".bare"))
	b.write("gitdir: ./.bare\n", "shop", ".git")
	b.git("shop", "worktree", "add", "-q", "-b", "one", b.path("shop", "one"))
	b.thread("shop/one", "a", 1, said("m1", "x"))
	b.scan("shop")
	b.git("shop", "worktree", "remove", "--force", b.path("shop", "one"))
	if diff := cmp.Diff([]string{"one/a gone"}, sorted(b.names(b.scan("shop")))); diff != "" {
		t.Error(diff)
	}
}
