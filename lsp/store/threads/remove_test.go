package threads

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/lsp/store/storetest"
	"github.com/signalbox-dev/signalbox/lsp/store/worktree"
)

// removeTree removes a worktree of a repository, as a command does.
func (b *readBed) removeTree(repo, name string, keep func(at string) error) error {
	b.t.Helper()
	r, err := worktree.Find(b.path(repo))
	if err != nil {
		b.t.Fatal(err)
	}
	tree, ok := r.At(b.path(name))
	if !ok {
		b.t.Fatalf("%s is no worktree", name)
	}
	g := worktree.Git{Env: append(os.Environ(), "HOME="+b.dir, "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")}
	return g.Remove(b.t.Context(), &r, tree, false, func(string) bool { return true }, keep)
}

// TestRemoveWhileWriting removes worktrees while processes append to a thread
// there: each message that was acknowledged is in the copy. ATSF X3 M4
func TestRemoveWhileWriting(t *testing.T) {
	const rounds, writers = 8, 3
	b := inMemory(t)
	b.state = b.path("state")
	b.repo("p")
	for round := range rounds {
		tree := fmt.Sprintf("tree%d", round)
		b.git("p", "worktree", "add", "-q", "-b", tree, b.path(tree))
		d, name := b.begin(tree)
		for i := range 300 { // what git has to delete meanwhile
			b.write("x", tree, atsf.DirName, atsf.ThreadsName, "more", fmt.Sprint(i))
		}
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
		f := b.folder(tree)
		acknowledged := b.writeUntilGone(tree, name, writers, 4+round, func() error {
			return b.removeTree("p", tree, func(at string) error { return Archive(t.Context(), b.state, f, at) })
		})
		log, err := os.ReadFile(filepath.Join(archivePath(b.state, &f), atsf.DirName, atsf.ThreadsName, name, atsf.MessagesName))
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range acknowledged {
			if !strings.Contains(string(log), `"`+text+`"`) {
				t.Errorf("X3: round %d: %s was acknowledged and is lost", round, text)
			}
		}
		for _, path := range []string{b.path(tree), b.path(".signalbox-removed-" + tree)} {
			if exists(path) {
				t.Errorf("%s is there", path)
			}
		}
	}
}

// writeUntilGone starts writers, calls remove as soon as so many messages were
// acknowledged, and returns the text of all that were.
func (b *readBed) writeUntilGone(folder, thread string, writers, n int, remove func() error) (acknowledged []string) {
	b.t.Helper()
	said := make(chan string)
	var running sync.WaitGroup
	var cmds []*exec.Cmd
	for i := range writers {
		cmd := b.writerProcess(folder, thread, i, 1_000_000)
		out, err := cmd.StdoutPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			b.t.Fatal(err)
		}
		cmds = append(cmds, cmd)
		running.Go(func() {
			for s := bufio.NewScanner(out); s.Scan(); {
				if text, ok := strings.CutPrefix(s.Text(), "stored "); ok {
					said <- text
				}
			}
			// What it fails with depends on where it was; TestRemoveLate has the words.
			if err := cmd.Wait(); err == nil {
				b.t.Error("M4: a writer went on to the end")
			}
		})
	}
	go func() { running.Wait(); close(said) }()
	removed := make(chan error, 1)
	for text := range said {
		acknowledged = append(acknowledged, text)
		if len(acknowledged) == n {
			go func() {
				err := remove()
				for _, cmd := range cmds {
					if err != nil {
						_ = cmd.Process.Kill() // it would write for ever
					}
				}
				removed <- err
			}()
		}
	}
	if len(acknowledged) < n {
		b.t.Fatalf("M4: the writers ended after %d messages", len(acknowledged))
	}
	if err := <-removed; err != nil {
		b.t.Errorf("X3: %v", err)
	}
	return acknowledged
}

// TestRemoveLate has a program that opened the threads of a worktree write to them
// after they were copied. It must not be told that this was stored. ATSF X3 M4
func TestRemoveLate(t *testing.T) {
	b := newReadBed(t)
	b.repo("p", "tree")
	d, name := b.begin("tree")
	append1 := func() error { return d.Append(storetest.Within(t), name, words("", atsf.RoleUser, "late", -1)) }
	// One waits for the lock.
	w, err := d.write(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	waited := make(chan error, 1)
	go func() { waited <- append1() }()
	f := b.folder("tree")
	var moved string
	late := NewThread{Title: "late", Agent: atsf.Agent{ID: "a", Name: "A"}, Context: atsf.Context{WorkingDir: "/x"}}
	broken := errors.New("no room")
	err = b.removeTree("p", "tree", func(at string) error {
		moved = at
		if err := Archive(t.Context(), b.state, f, at); err != nil {
			return err
		}
		w.end()
		inside, err := Open(at)
		if err != nil {
			return err
		}
		defer inside.Close()
		for what, err := range map[string]error{
			"wait":   <-waited,
			"append": append1(),
			"set":    d.Edit(t.Context(), name, atsf.SetTitle("late")),
			"fork":   func() error { _, err := d.Fork(t.Context(), name, atsf.ForkPlan{}); return err }(),
			"attach": func() error { _, err := d.Attach(t.Context(), name, []byte(gif)); return err }(),
			"create": func() error { _, err := d.Create(t.Context(), late); return err }(),
			// As of a program whose working directory is in there.
			"inside":     inside.Append(t.Context(), name, words("", atsf.RoleUser, "late", -1)),
			"new inside": func() error { _, err := inside.Create(t.Context(), late); return err }(),
		} {
			if !errors.Is(err, ErrGone) {
				t.Errorf("X3: %s: %v", what, err)
			}
		}
		return broken
	})
	if !errors.Is(err, broken) || exists(moved) {
		t.Fatalf("X3: %v", err)
	}
	// It stays, and all is as before.
	if err := append1(); err != nil {
		t.Error(err)
	}
	if n := strings.Count(b.read("tree", name, atsf.MessagesName), "late"); n != 1 {
		t.Errorf("X3: %d messages that nobody was told of are stored", n-1)
	}
}

// TestArchiveBelow copies the threads of all folders of a worktree, and lists
// them. ATSF X3 L1
func TestArchiveBelow(t *testing.T) {
	b := newReadBed(t)
	b.repo("p", "tree")
	b.thread("tree", "top", 1, said("m1", "x"))
	b.thread("tree/packages/x", "below", 1, said("m2", "x"))
	b.thread("tree/node_modules/.hidden/y", "deep", 1, said("m3", "x"))
	b.thread("tree/.agent/threads/top/z", "within", 1, said("m4", "x"))
	b.write("x", "tree", "odd", atsf.DirName)
	b.write("x", "tree", "odd2", atsf.DirName, atsf.ThreadsName)
	b.thread("elsewhere", "other", 1, said("m5", "x"))
	if err := os.Symlink(b.path("elsewhere"), b.path("tree", "link")); err != nil {
		t.Fatal(err)
	}
	folders, err := Below(t.Context(), b.path("tree"))
	if diff := cmp.Diff([]string{".", "node_modules/.hidden/y", "packages/x"}, sorted(slashes(folders))); diff != "" || err != nil {
		t.Errorf("L1: %s %v", diff, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Below(ctx, b.path("tree")); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	f := b.folder("tree")
	if err := b.removeTree("p", "tree", func(at string) error { return Archive(t.Context(), b.state, f, at) }); err != nil {
		t.Fatal(err)
	}
	s := b.scan("p")
	if diff := cmp.Diff([]string{"tree/top gone", "x/below gone", "y/deep gone"}, sorted(b.names(s))); diff != "" {
		t.Errorf("X3: %s", diff)
	}
	for _, item := range s.Items {
		if page, err := s.Page(t.Context(), Key{item.Folder, item.Name}, Query{}); err != nil || len(page.Entries) != 1 {
			t.Errorf("X3: %s: %v", item.Name, err)
		}
	}
	if !exists(b.threadPath("elsewhere", "other")) {
		t.Error("L1: a link was followed")
	}
}

func slashes(list []string) []string {
	list = slices.Clone(list)
	for i, path := range list {
		list[i] = filepath.ToSlash(path)
	}
	return list
}
