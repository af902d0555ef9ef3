package threads

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/atsf"
)

// TestGone removes worktrees in every way and holds that their threads stay
// listed, with the branch that they had. ATSF X3
func TestGone(t *testing.T) {
	for _, c := range []struct {
		name   string
		remove func(b *readBed)
		places []string
		items  []string
	}{
		{
			name:   "by git",
			remove: func(b *readBed) { b.git("p", "worktree", "remove", "--force", b.path("one")) },
			places: []string{"one@branch-one git gone 2", "p@main main git agent 1"},
			items:  []string{"one/b gone", "one/c gone", "p/a"},
		},
		{
			name:   "by hand, so that git still lists it",
			remove: func(b *readBed) { b.removeAll("one") },
			places: []string{"one@branch-one git gone 2", "p@main main git agent 1"},
			items:  []string{"one/b gone", "one/c gone", "p/a"},
		},
		{
			name: "by hand, and pruned",
			remove: func(b *readBed) {
				b.removeAll("one")
				b.git("p", "worktree", "prune")
			},
			places: []string{"one@branch-one git gone 2", "p@main main git agent 1"},
			items:  []string{"one/b gone", "one/c gone", "p/a"},
		},
		{
			name:   "only .agent, as git clean does",
			remove: func(b *readBed) { b.removeAll("one/.agent") },
			places: []string{"one@branch-one git 2", "p@main main git agent 1"},
			items:  []string{"one/b gone", "one/c gone", "p/a"},
		},
		{
			name:   "moved by git, so that nothing is gone",
			remove: func(b *readBed) { b.git("p", "worktree", "move", b.path("one"), b.path("two")) },
			places: []string{"p@main main git agent 1", "two@branch-one git agent 2"},
			items:  []string{"p/a", "two/b", "two/c"},
		},
		{
			name:   "one thread alone, by its user",
			remove: func(b *readBed) { b.removeAll("one/.agent/threads/b") },
			places: []string{"one@branch-one git agent 1", "p@main main git agent 1"},
			items:  []string{"one/c", "p/a"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newReadBed(t)
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

func (b *readBed) removeAll(path string) {
	b.t.Helper()
	if err := os.RemoveAll(b.path(filepath.FromSlash(path))); err != nil {
		b.t.Fatal(err)
	}
}

// TestArchive removes a worktree whose threads were archived: they can be read
// as before, and nothing of them is lost. ATSF X3 T5 X4
func TestArchive(t *testing.T) {
	b := newReadBed(t)
	b.repo("p", "tree")
	b.project("worktree", "tree")
	b.foreign("tree")
	before := b.scan("p")
	if err := Archive(t.Context(), b.state, b.path("tree")); err != nil {
		t.Fatal(err)
	}
	want := b.files("tree/.agent/threads")
	b.git("p", "worktree", "remove", "--force", b.path("tree"))
	s := b.scan("p")
	if diff := cmp.Diff([]string{"p@main main git", "tree@branch-tree git gone archived 7"}, sorted(b.places(s))); diff != "" {
		t.Fatal(diff)
	}
	folder := s.Folders[len(s.Folders)-1]
	if diff := cmp.Diff(want, b.files(strings.TrimPrefix(archivePath(b.state, &folder), b.dir)+"/.agent/threads")); diff != "" {
		t.Errorf("T5 X4: the copy is another: %s", diff)
	}
	for _, item := range s.Items {
		k := Key{item.Folder, item.Name}
		was := before.Item(k)
		got := *item
		got.Gone = false
		if !item.Gone || !sameItem(&got, was) {
			t.Errorf("%+v is not %+v", got, was)
		}
		page, err := s.Page(t.Context(), k, Query{})
		if refused(item.Fault) {
			continue
		}
		if err != nil || len(page.Entries) == 0 || page.Item.Folder != item.Folder || !page.Item.Gone {
			t.Errorf("%s: %v %v", item.Name, ids(page), err)
		}
		for _, e := range page.Entries {
			if one, err := s.Message(t.Context(), k, e.Message.ID); err != nil || one.Cursor != e.Cursor {
				t.Errorf("%s: %v", e.Message.ID, err)
			}
		}
	}
	const img = "sha256-f78324a3d1694c16.png"
	if a, err := s.Asset(Key{folder.ID, "b2c3d4e5-f6a7-4901-bcde-f12345678901"}, img); err != nil || a.Mime != "image/png" {
		t.Errorf("%+v %v", a.Name, err)
	}
	found, err := NewFinder().Find(t.Context(), s, page1(t, s, s.ByID("b2c3d4e5-f6a7-4901-bcde-f12345678901")[0]))
	if err != nil || len(found.Hits) == 0 || found.Partly {
		t.Errorf("%+v %v", found, err)
	}
	b.private(b.state)
	if err := Forget(b.state, folder); err != nil {
		t.Fatal(err)
	}
	if s = b.scan("p"); len(s.Folders) != 1 || len(s.Items) != 0 {
		t.Errorf("forgotten: %v", b.places(s))
	}
}

// page1 gives the id of a thread's last message.
func page1(t *testing.T, s *Snapshot, item *Item) string {
	t.Helper()
	page, err := s.Page(t.Context(), Key{item.Folder, item.Name}, Query{Limit: 1})
	if err != nil || len(page.Entries) != 1 {
		t.Fatalf("%s: %v", item.Name, err)
	}
	return page.Entries[0].Message.ID
}

// files gives the content of all files of a directory.
func (b *readBed) files(dir string) map[string]string {
	b.t.Helper()
	files := make(map[string]string)
	fsys := os.DirFS(b.path(filepath.FromSlash(dir)))
	err := fs.WalkDir(fsys, ".", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := fs.ReadFile(fsys, path)
		files[path] = string(data)
		return err
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return files
}

// private holds that nobody else may read what is kept.
func (b *readBed) private(dir string) {
	b.t.Helper()
	if runtime.GOOS == "windows" {
		return
	}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			b.t.Errorf("%s has mode %v", path, info.Mode())
		}
		return err
	})
	if err != nil {
		b.t.Fatal(err)
	}
}

// TestArchiveAgain archives a worktree that was made anew at the same place:
// both copies of a thread are kept, and what was there before is listed beside
// what is there now. ATSF X3
func TestArchiveAgain(t *testing.T) {
	b := newReadBed(t)
	b.repo("p", "one")
	b.thread("one", "same", 1, said("m1", "x"))
	b.thread("one", "other", 1, said("m2", "x"))
	archive := func() {
		t.Helper()
		if err := Archive(t.Context(), b.state, b.path("one")); err != nil {
			t.Fatal(err)
		}
	}
	archive()
	archive()
	b.removeAll("one/.agent")
	b.thread("one", "same", 2, said("m3", "y"))
	s := b.scan("p")
	if diff := cmp.Diff([]string{"one/other gone", "one/same"}, sorted(b.names(s))); diff != "" {
		t.Error(diff)
	}
	for _, item := range s.Items {
		page, err := s.Page(t.Context(), Key{item.Folder, item.Name}, Query{})
		if want := map[string]string{"other": "m2", "same": "m3"}[item.Name]; err != nil || len(page.Entries) != 1 || page.Entries[0].Message.ID != want {
			t.Errorf("%s: %v %v", item.Name, ids(page), err)
		}
	}
	archive()
	b.git("p", "worktree", "remove", "--force", b.path("one"))
	s = b.scan("p")
	if diff := cmp.Diff([]string{"one/other gone", "one/same gone", "one/same.1 gone"}, sorted(b.names(s))); diff != "" {
		t.Error(diff)
	}
	if err := Archive(t.Context(), b.state, b.path("p")); err != nil {
		t.Errorf("a folder without threads: %v", err)
	}
	if err := Archive(t.Context(), "", b.path("p")); err == nil {
		t.Error("archived to nowhere")
	}
}

// TestArchiveOdd copies what other programs keep in a thread, and nothing that is
// no file of it. ATSF X3 X4
func TestArchiveOdd(t *testing.T) {
	b := newReadBed(t)
	b.thread("p", "a", 1, said("m1", "x"))
	b.appendTo("p", "a", "torn")
	b.write("theirs", "p", atsf.DirName, atsf.ThreadsName, "a", "deep", "er", "notes")
	b.write("5", "p", atsf.DirName, atsf.ThreadsName, "a", LockName)
	b.write("x", "p", atsf.DirName, atsf.ThreadsName, ".new-x", atsf.ThreadName)
	b.write("x", "p", atsf.DirName, atsf.ThreadsName, "a-file")
	b.write("secret", "secret")
	makeFIFO(t, b.threadPath("p", "a", "pipe"))
	if err := os.Symlink(b.path("secret"), b.threadPath("p", "a", "link")); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Archive(ctx, b.state, b.path("p")); !errors.Is(err, context.Canceled) {
		t.Errorf("a copy that was called off: %v", err)
	}
	if err := Archive(t.Context(), b.state, b.path("p")); err != nil {
		t.Fatal(err)
	}
	f := Folder{Path: b.path("p"), ID: FolderID(b.path("p"))}
	want := map[string]string{"a/deep/er/notes": "theirs", "a/messages.jsonl": said("m1", "x") + "\ntorn", "a/thread.json": b.meta("a", "About a", 1)}
	got := b.files(strings.TrimPrefix(archivePath(b.state, &f), b.dir) + "/.agent/threads")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if err := Forget(b.state, Folder{ID: "../../x", Path: b.path("p")}); !errors.Is(err, ErrNotFound) {
		t.Errorf("forgets elsewhere: %v", err)
	}
}

// TestCacheDisposable holds that any cache is as good as none, that it is
// written only when it changes, and that what is gone for long is forgotten.
// ATSF X3
func TestCacheDisposable(t *testing.T) {
	b := newReadBed(t)
	b.repo("p", "one")
	b.thread("one", "a", 1)
	s := b.scan("p")
	folder, _ := s.Folder(s.Items[0].Folder)
	at := archivePath(b.state, &folder) + ".json"
	first, err := os.Stat(at)
	if err != nil {
		t.Fatal(err)
	}
	b.scan("p")
	if again, err := os.Stat(at); err != nil || !os.SameFile(first, again) {
		t.Errorf("the cache was written again: %v", err)
	}
	b.private(b.state)
	good, err := os.ReadFile(at)
	if err != nil {
		t.Fatal(err)
	}
	b.git("p", "worktree", "remove", "--force", b.path("one"))
	replace := func(data string) *Snapshot {
		t.Helper()
		if err := os.WriteFile(at, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
		return b.scan("p")
	}
	for name, data := range map[string]string{
		"empty": "", "no JSON": "{", "another version": strings.Replace(string(good), `"version":1`, `"version":2`, 1),
		"another folder": strings.Replace(string(good), `/one"`, `/two"`, 1), "cut off": string(good[:len(good)/2]),
	} {
		if s := replace(data); len(s.Items) != 0 || len(s.Folders) != 1 {
			t.Errorf("%s: %v", name, b.places(s))
		}
	}
	if s := replace(string(good)); len(s.Items) != 1 || !s.Items[0].Gone {
		t.Errorf("the good one: %v", b.places(s))
	}
	f, items, gone, err := readCache(at, folder.ID)
	if err != nil || gone == 0 {
		t.Fatalf("since when is not kept: %d %v", gone, err)
	}
	old, err := encodeCache(&f, items, gone-forgetAfter.Milliseconds()-1000)
	if err != nil {
		t.Fatal(err)
	}
	if s := replace(string(old)); len(s.Items) != 0 {
		t.Errorf("nothing is forgotten: %v", b.places(s))
	}
	if _, err := os.Stat(at); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the forgotten file is there: %v", err)
	}
	if time.Since(time.UnixMilli(gone)) > time.Hour {
		t.Errorf("gone since %d", gone)
	}
}

// TestCacheUnwritable holds that a list needs no cache.
func TestCacheUnwritable(t *testing.T) {
	b := newReadBed(t)
	b.thread("p", "a", 1)
	b.write("a file", "state")
	if s := b.scan("p"); len(s.Items) != 1 {
		t.Errorf("%v", b.places(s))
	}
	b.state = ""
	if s := b.scan("p"); len(s.Items) != 1 {
		t.Errorf("%v", b.places(s))
	}
}

// TestCacheTogether lets several writers write one file of the cache.
func TestCacheTogether(t *testing.T) {
	b := newReadBed(t)
	path := b.path("state", "x.json")
	texts := []string{strings.Repeat("a", 1<<16), strings.Repeat("b", 1<<15)}
	done := make(chan error)
	for i := range 8 {
		go func() {
			for range 30 {
				if err := writeCache(path, []byte(texts[i%2])); err != nil {
					done <- err
					return
				}
				if data, err := os.ReadFile(path); err != nil || string(data) != texts[0] && string(data) != texts[1] {
					done <- errors.New("a torn file")
					return
				}
			}
			done <- nil
		}()
	}
	for range 8 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if left, err := os.ReadDir(b.state); err != nil || len(left) != 1 {
		t.Errorf("%v %v", left, err)
	}
}

// TestGoneBitByBit looks on while a worktree is removed file by file: all that it
// held stays listed as it was. A thread that went alone is forgotten. ATSF X3
func TestGoneBitByBit(t *testing.T) {
	b := newReadBed(t)
	b.repo("p", "one")
	for i, name := range []string{"a", "b", "c"} {
		b.thread("one", name, i, said("m", "x"))
	}
	l := b.follow("p")
	for _, path := range []string{"one/.agent/threads/a/thread.json", "one/.agent/threads/a", "one/.agent/threads/b/messages.jsonl", "one/.agent/threads/b", "one/.agent/threads/c", "one/.agent/threads", "one/.agent", "one"} {
		b.removeAll(path)
		if err := l.live.Sync(within(t)); err != nil {
			t.Fatal(err)
		}
	}
	b.git("p", "worktree", "prune")
	if err := l.live.Sync(within(t)); err != nil {
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
	f := &folderState{records: map[string]*record{}}
	f.lose(map[string]*record{"x": {item: &Item{Name: "x"}}}, f.records)
	f.lost["x"] = lostRecord{f.lost["x"].record, time.Now().Add(-2 * regretted)}
	f.Folder, f.Agent, f.dirty = Folder{ID: FolderID(b.path("q")), Path: b.path("q"), Agent: true}, true, true
	newState(b.config()).saveFolder(f)
	if len(f.lost) != 0 || f.dirty {
		t.Error("what its user deleted long ago stays in the cache")
	}
}

// TestPrune holds that the cache does not grow forever, and that no copy of a
// thread is ever removed by it.
func TestPrune(t *testing.T) {
	b := newReadBed(t)
	for _, name := range []string{"closed/a.json", "closed/.new-1-x", "closed/kept.json", "open/a.json", "open/.new-1-x", "fresh/a.json"} {
		b.write("{}", "state", cacheDir, filepath.FromSlash(name))
	}
	b.write("x", "state", cacheDir, "closed", "kept", ".agent", "threads", "t", atsf.ThreadName)
	now := time.Now()
	old := now.Add(-2 * forgetAfter)
	for _, name := range []string{"closed/a.json", "closed/.new-1-x", "closed/kept.json", "open/a.json", "open/.new-1-x"} {
		if err := os.Chtimes(b.path("state", cacheDir, filepath.FromSlash(name)), old, old); err != nil {
			t.Fatal(err)
		}
	}
	if err := prune(b.state, map[string]bool{"open": true}, now); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"closed/kept.json": "{}", "closed/kept/.agent/threads/t/thread.json": "x", "open/a.json": "{}", "fresh/a.json": "{}"}
	if diff := cmp.Diff(want, b.files("state/"+cacheDir)); diff != "" {
		t.Error(diff)
	}
	if err := prune(b.state, nil, now.Add(2*forgetAfter)); err != nil {
		t.Fatal(err)
	}
	if left := b.files("state/" + cacheDir); len(left) != 2 {
		t.Errorf("%v", left)
	}
	if _, err := os.Stat(b.path("state", cacheDir, "fresh")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an empty directory is left: %v", err)
	}
}
