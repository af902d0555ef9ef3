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

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/lsp/store/storetest"
	"github.com/signalbox-dev/signalbox/lsp/store/worktree"
)

// TestArchive removes a worktree whose threads were archived: they can be read
// as before, and nothing of them is lost. ATSF X3 T5 X4
func TestArchive(t *testing.T) {
	b := newReadBed(t)
	b.repo("p", "tree")
	b.project("worktree", "tree")
	b.foreign("tree")
	before := b.scan("p")
	if err := Archive(t.Context(), b.state, b.folder("tree"), b.path("tree")); err != nil {
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
	found, err := newFinder().find(t.Context(), s, page1(t, s, s.ByID("b2c3d4e5-f6a7-4901-bcde-f12345678901")[0]))
	if err != nil || len(found) == 0 {
		t.Errorf("%+v %v", found, err)
	}
	b.private(b.state)
}

// folder returns a folder of the bed as it is known by its path and by git.
func (b *readBed) folder(name string) Folder {
	b.t.Helper()
	f := Folder{ID: FolderID(b.path(name)), Path: b.path(name)}
	r, err := worktree.Find(f.Path)
	if t, ok := r.At(f.Path); err == nil && ok {
		f.Repository, f.Branch, f.Head, f.Main, f.Git = r.CommonDir, t.Branch, t.Head, t.Main, t.Path == f.Path
	}
	return f
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
	if runtime.GOOS == "linux" {
		// Other systems refuse such a name.
		b.write("theirs", "one", atsf.DirName, atsf.ThreadsName, "other", "as\xff", "notes")
	}
	archive := func() {
		t.Helper()
		if err := Archive(t.Context(), b.state, b.folder("one"), b.path("one")); err != nil {
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
	if err := Archive(t.Context(), b.state, b.folder("p"), b.path("p")); err != nil {
		t.Errorf("a folder without threads: %v", err)
	}
	if err := Archive(t.Context(), "", b.folder("p"), b.path("p")); err == nil {
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
	storetest.FIFO(t, b.threadPath("p", "a", "pipe"))
	if err := os.Symlink(b.path("secret"), b.threadPath("p", "a", "link")); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Archive(ctx, b.state, b.folder("p"), b.path("p")); !errors.Is(err, context.Canceled) {
		t.Errorf("a copy that was called off: %v", err)
	}
	if err := Archive(t.Context(), b.state, b.folder("p"), b.path("p")); err != nil {
		t.Fatal(err)
	}
	f := Folder{Path: b.path("p"), ID: FolderID(b.path("p"))}
	want := map[string]string{"a/deep/er/notes": "theirs", "a/messages.jsonl": said("m1", "x") + "\ntorn", "a/thread.json": b.meta("a", "About a", 1)}
	for file, archived := range map[string]bool{
		"threads/a/deep/er/notes": true, "threads/a/thread.json": true, "threads/.new-x/thread.json": false, "threads/a-file": false,
		"config.json": false, "threads": false, "threads/": false, "threadsx/a/thread.json": false,
	} {
		if Archives(file) != archived {
			t.Errorf("X3: %s is said to be archived: %v", file, !archived)
		}
	}
	got := b.files(strings.TrimPrefix(archivePath(b.state, &f), b.dir) + "/.agent/threads")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestArchiveLongName copies a thread whose name is as long as the system has
// them. ATSF X3
func TestArchiveLongName(t *testing.T) {
	b := newReadBed(t)
	long := strings.Repeat("n", 255)
	b.write(b.meta("a", "A", 1), "p", atsf.DirName, atsf.ThreadsName, long, atsf.ThreadName)
	b.log("p", long, said("m1", "x"))
	if err := Archive(t.Context(), b.state, b.folder("p"), b.path("p")); err != nil {
		t.Fatal(err)
	}
	f := Folder{Path: b.path("p"), ID: FolderID(b.path("p"))}
	d, err := openArchive(b.state, &f)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if page, err := d.Page(t.Context(), long, Query{}); err != nil || len(page.Entries) != 1 {
		t.Errorf("X3: %v", err)
	}
}
