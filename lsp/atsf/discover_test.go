package atsf

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/lsp/worktree"
)

// TestDiscover finds the folders of a workspace with real git repositories.
// ATSF L5 L6 Z13
func TestDiscover(t *testing.T) {
	for _, c := range []struct {
		name string
		make func(b *readFixture)
		open []string
		want []string
	}{
		{
			name: "a folder without git",
			make: func(b *readFixture) { b.thread("p", "a", 1) },
			open: []string{"p"},
			want: []string{"p agent 1"},
		},
		{
			name: "a folder without anything, where a thread can be made",
			make: func(b *readFixture) { b.mkdir("p") },
			open: []string{"p"},
			want: []string{"p"},
		},
		{
			name: "the main checkout finds worktrees that lie elsewhere",
			make: func(b *readFixture) {
				b.repo("p", "share/state/one", "two")
				b.thread("p", "a", 1)
				b.thread("share/state/one", "b", 1)
				b.thread("two", "c", 1)
			},
			open: []string{"p"},
			want: []string{"p@main main git agent 1", "share/state/one@branch-one git agent 1", "two@branch-two git agent 1"},
		},
		{
			name: "a worktree finds the main checkout and its siblings",
			make: func(b *readFixture) {
				b.repo("p", "one", "two")
				b.thread("p", "a", 1)
			},
			open: []string{"one"},
			want: []string{"p@main main git agent 1", "one@branch-one git", "two@branch-two git"},
		},
		{
			name: "a subdirectory finds the root's .agent",
			make: func(b *readFixture) {
				b.repo("p")
				b.thread("p", "a", 1)
				b.mkdir("p", "src", "deep")
			},
			open: []string{"p/src/deep"},
			want: []string{"p@main main git agent 1"},
		},
		{
			name: "a subdirectory with an .agent of its own",
			make: func(b *readFixture) {
				b.repo("p")
				b.thread("p/src", "a", 1)
			},
			open: []string{"p/src"},
			want: []string{"p@main main git", "p/src@main agent 1"},
		},
		{
			name: "a bare repository and its worktrees",
			make: func(b *readFixture) {
				b.repo("first")
				b.git(".", "clone", "-q", "--bare", "first", "bare.git")
				b.git("bare.git", "worktree", "add", "-q", "-b", "topic", b.path("one"))
				b.thread("one", "a", 1)
			},
			open: []string{"one"},
			want: []string{"one@topic git agent 1"},
		},
		{
			name: "a detached worktree",
			make: func(b *readFixture) {
				b.repo("p")
				b.git("p", "worktree", "add", "-q", "--detach", b.path("one"))
			},
			open: []string{"p"},
			want: []string{"p@main main git", "one git"},
		},
		{
			name: "a nested repository is its own",
			make: func(b *readFixture) {
				b.repo("p")
				b.repo("p/vendor/inner")
				b.thread("p", "a", 1)
				b.thread("p/vendor/inner", "b", 1)
			},
			open: []string{"p/vendor/inner"},
			want: []string{"p/vendor/inner@main main git agent 1"},
		},
		{
			name: "a folder that holds several projects",
			make: func(b *readFixture) {
				b.repo("all/one", "elsewhere")
				b.repo("all/two")
				b.thread("all/two", "a", 1)
				b.thread("all/three", "b", 1)
				b.mkdir("all", "four")
				b.thread("all/four/five", "c", 1)
			},
			open: []string{"all"},
			want: []string{"all/one@main main git", "all/three agent 1", "all/two@main main git agent 1", "elsewhere@branch-elsewhere git"},
		},
		{
			name: "one folder in two ways is one",
			make: func(b *readFixture) {
				b.repo("p", "one")
				b.thread("p", "a", 1)
				if err := os.Symlink(b.path("p"), b.path("link")); err != nil {
					b.t.Fatal(err)
				}
			},
			open: []string{"p", "link", "one", "p/../p", "."},
			want: []string{"p@main main git agent 1", "one@branch-one git"},
		},
		{
			name: "a worktree that was moved by git",
			make: func(b *readFixture) {
				b.repo("p", "one")
				b.thread("one", "a", 1)
				b.git("p", "worktree", "move", b.path("one"), b.path("moved"))
			},
			open: []string{"p"},
			want: []string{"p@main main git", "moved@branch-one git agent 1"},
		},
		{
			name: "a worktree that was deleted and not pruned",
			make: func(b *readFixture) {
				b.repo("p", "one")
				if err := os.RemoveAll(b.path("one")); err != nil {
					b.t.Fatal(err)
				}
			},
			open: []string{"p"},
			want: []string{"p@main main git", "one@branch-one git gone"},
		},
		{
			name: "a .git file that leads nowhere",
			make: func(b *readFixture) {
				b.write("gitdir: /nowhere/at/all\n", "p", ".git")
				b.thread("p", "a", 1)
			},
			open: []string{"p"},
			want: []string{"p agent 1"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newReadFixture(t)
			c.make(b)
			s := b.scan(c.open...)
			if diff := cmp.Diff(sorted(c.want), sorted(b.places(s))); diff != "" {
				t.Error(diff)
			}
			if !s.Ready || s.Revision == 0 {
				t.Errorf("%+v", s)
			}
			for _, f := range s.Folders {
				if f.ID != FolderID(f.Path) || !filepath.IsAbs(f.Path) || f.Git && f.Repository == "" {
					t.Errorf("%+v", f)
				}
			}
		})
	}
}

// TestDiscoverProblems says in words what cannot be looked at.
func TestDiscoverProblems(t *testing.T) {
	b := newReadFixture(t)
	b.write("x", "file")
	b.write("gitdir: /nowhere/at/all\n", "broken", ".git")
	s := b.scan("missing", "file", "broken")
	var got []string
	for _, p := range s.Problems {
		got = append(got, filepath.Base(p.Path)+" "+p.Rule+" "+p.Reason)
	}
	for _, want := range []string{"missing  cannot be opened", "file  cannot be opened: is no directory", ".git L6 "} {
		if !slices.ContainsFunc(got, func(s string) bool { return strings.HasPrefix(s, want) }) {
			t.Errorf("%q is not said: %q", want, got)
		}
	}
}

// TestDiscoverBound holds that a folder of very many directories does not take
// forever.
func TestDiscoverBound(t *testing.T) {
	p := discover(t.Context(), nil, false)
	for i := range maxPlaces + 10 {
		p.add(Folder{Path: filepath.Join(string(filepath.Separator), "x", strings.Repeat("y", 1+i%50), string(rune('a'+i/50%26)), string(rune('a'+i/1300)))})
	}
	if len(p.places) > maxPlaces {
		t.Errorf("%d places", len(p.places))
	}
	if len(p.problems) != 1 {
		t.Errorf("that there are too many is told %d times", len(p.problems))
	}
}

// TestDiscoverCrowded says that not all of a folder was looked through, unless it
// is a project itself. ATSF L6
func TestDiscoverCrowded(t *testing.T) {
	if testing.Short() {
		t.Skip()
	}
	for n, want := range map[int]int{maxBelow: 0, maxBelow + 1: 1} {
		b := newReadFixture(t)
		for i := range n {
			b.mkdir("p", fmt.Sprint(i))
		}
		p := discover(t.Context(), []string{b.path("p")}, false)
		if len(p.problems) != want || len(p.places) != 1 {
			t.Errorf("%d entries: %+v in %d places", n, p.problems, len(p.places))
		}
		b.mkdir("p", ".agent")
		if p = discover(t.Context(), []string{b.path("p")}, false); len(p.problems) != 0 {
			t.Errorf("%d entries of a project: %+v", n, p.problems)
		}
	}
}

// TestDiscoverDamaged tells of a few damaged files and of the number of the
// others: a client gets all that is told with every list. ATSF L6
func TestDiscoverDamaged(t *testing.T) {
	b := newReadFixture(t)
	b.repo("p")
	for i := range 3 * maxProblems {
		b.mkdir("p", ".git", "worktrees", fmt.Sprint(i))
	}
	p := discover(t.Context(), []string{b.path("p")}, false)
	if n := len(p.problems); n != maxProblems+1 || !strings.Contains(p.problems[n-1].Reason, " more ") {
		t.Errorf("%d problems, the last %+v", n, p.problems[n-1])
	}
}

// TestDiscoverOnce reads the bookkeeping of a repository once, however many of
// its checkouts stand beside each other in the workspace folder: reading it for
// each of them takes seconds where there are hundreds. ATSF L6
func TestDiscoverOnce(t *testing.T) {
	b := newReadFixture(t)
	b.repo(filepath.Join("all", "p"))
	b.mkdir("all", "p", ".git", "worktrees", "damaged")
	for _, name := range []string{"q", "r", "s"} {
		b.git("all/p", "worktree", "add", "-q", "-b", name, b.path("all", name))
	}
	p := newProject()
	var read []string
	p.find = func(path string) (worktree.Repository, error) {
		r, err := worktree.Find(path)
		if err == nil {
			read = append(read, filepath.Base(path))
		}
		return r, err
	}
	p.workspace(t.Context(), b.path("all"))
	if len(read) != 1 {
		t.Errorf("read from %q", read)
	}
	if len(p.places) != 4 || len(p.problems) != 1 {
		t.Errorf("%+v %+v", p.places, p.problems)
	}
	for _, f := range p.places {
		if !f.Git || f.Branch == "" {
			t.Errorf("%+v", f)
		}
	}
}

// TestFixtureProject lists a project and its worktree as another application
// left them, each thread under its branch. ATSF L1 L5 L6
func TestFixtureProject(t *testing.T) {
	b := newReadFixture(t)
	b.repo("p", "tree")
	b.project("main", "p")
	b.project("worktree", "tree")
	for _, open := range []string{"p", "tree"} {
		s := b.scan(open)
		want := []string{"p/a1b2c3d4-e5f6-4890-abcd-ef1234567890", "tree/b2c3d4e5-f6a7-4901-bcde-f12345678901", "tree/c3d4e5f6-a7b8-4012-8def-123456789012"}
		if diff := cmp.Diff(want, sorted(b.names(s))); diff != "" {
			t.Error(diff)
		}
		id := "b2c3d4e5-f6a7-4901-bcde-f12345678901"
		hits := s.ByID(id)
		if len(hits) != 1 || hits[0].Name != id || len(s.ByID("")) != 0 {
			t.Errorf("by id: %v", hits)
		}
		fork := s.ByID("c3d4e5f6-a7b8-4012-8def-123456789012")
		if len(fork) != 1 || fork[0].Thread.ParentID != id {
			t.Errorf("fork: %+v", fork)
		}
		page, err := s.Page(t.Context(), Key{hits[0].Folder, id}, Query{})
		if err != nil || len(page.Entries) != 2 {
			t.Errorf("%+v %v", page, err)
		}
		if s.Item(Key{hits[0].Folder, "other"}) != nil {
			t.Error("an item of nowhere")
		}
	}
	if _, err := os.Stat(filepath.Join(b.state, cacheDir)); err != nil {
		t.Error("nothing was cached: ", err)
	}
	if info, err := os.Stat(b.path("p", atsf.DirName, atsf.ConfigName)); err != nil || info.Size() == 0 {
		t.Error(err)
	}
}
