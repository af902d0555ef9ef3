package session

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestMoved: what an agent did stays listed under its branch, whatever became of the
// worktree or of the repository, and from wherever it is looked at.
func TestMoved(t *testing.T) {
	if testing.Short() {
		t.Skip()
	}
	for _, c := range []struct {
		name  string
		moved func(b *fixture)
		open  []string // p, if it is empty
		want  []string // of the worktree's session, then the main checkout's
	}{
		{"removed by git", func(b *fixture) { b.git("p", "worktree", "remove", b.path("w")) }, []string{"p", "o"}, []string{"w branch-w: tree (gone)", "p main: main"}},
		{"removed by hand", func(b *fixture) { b.ok(os.RemoveAll(b.path("w"))) }, []string{"p", "o"}, []string{"w branch-w: tree (gone)", "p main: main"}},
		{"removed by hand and pruned", func(b *fixture) {
			b.ok(os.RemoveAll(b.path("w")))
			b.git("p", "worktree", "prune")
		}, []string{"p", "o"}, []string{"w branch-w: tree (gone)", "p main: main"}},
		{"removed with its branch", func(b *fixture) {
			b.git("p", "worktree", "remove", b.path("w"))
			b.git("p", "branch", "-D", "branch-w")
		}, nil, []string{"w branch-w: tree (gone)", "p main: main"}},
		{"moved by git", func(b *fixture) { b.git("p", "worktree", "move", b.path("w"), b.path("v")) }, []string{"p", "o", "v"}, []string{"v branch-w: tree", "p main: main"}},
		{"moved twice", func(b *fixture) {
			b.git("p", "worktree", "move", b.path("w"), b.path("v"))
			b.scan("p")
			b.git("p", "worktree", "move", b.path("v"), b.path("u"))
		}, []string{"p", "u"}, []string{"u branch-w: tree", "p main: main"}},
		{"moved by hand and repaired", func(b *fixture) {
			b.ok(os.Rename(b.path("w"), b.path("v")))
			b.git("p", "worktree", "repair", b.path("v"))
		}, []string{"p", "o", "v"}, []string{"v branch-w: tree", "p main: main"}},
		{"moved by hand", func(b *fixture) { b.ok(os.Rename(b.path("w"), b.path("v"))) }, []string{"p", "o"}, []string{"w branch-w: tree (gone)", "p main: main"}},
		{"moved, then removed", func(b *fixture) {
			b.git("p", "worktree", "move", b.path("w"), b.path("v"))
			b.scan("p")
			b.git("p", "worktree", "remove", b.path("v"))
		}, nil, []string{"w branch-w: tree (gone)", "p main: main"}},
		{"another one of its name", func(b *fixture) {
			b.git("p", "worktree", "remove", b.path("w"))
			b.git("p", "worktree", "add", "-q", "-b", "later", b.path("x", "w"))
		}, nil, []string{"w branch-w: tree (gone)", "p main: main"}},
		{"the repository renamed", func(b *fixture) { b.ok(os.Rename(b.path("p"), b.path("q"))) }, []string{"q"}, []string{"w branch-w: tree", "q main: main"}},
		{"the repository renamed and repaired", func(b *fixture) {
			b.ok(os.Rename(b.path("p"), b.path("q")))
			b.git("q", "worktree", "repair", b.path("w"), b.path("o"))
		}, []string{"q", "w", "o"}, []string{"w branch-w: tree", "q main: main"}},
		{"the repository renamed, looked at from its worktree", func(b *fixture) {
			b.ok(os.Rename(b.path("p"), b.path("q")))
			b.scan("q")
		}, []string{"w", "o"}, []string{"w branch-w: tree", "q main: main"}},
		{"the repository renamed twice, the worktree removed", func(b *fixture) {
			b.ok(os.Rename(b.path("p"), b.path("q")))
			b.scan("q")
			b.ok(os.Rename(b.path("q"), b.path("r")))
			b.ok(os.RemoveAll(b.path("w")))
			b.git("r", "worktree", "prune")
		}, []string{"r"}, []string{"w branch-w: tree (gone)", "r main: main"}},
		{"moved with everything around", func(b *fixture) {
			b.mkdir("deep")
			for _, name := range []string{"p", "w", "o"} {
				b.ok(os.Rename(b.path(name), b.path("deep", name)))
			}
			b.git("deep/p", "worktree", "repair", b.path("deep", "w"), b.path("deep", "o"))
		}, []string{"deep/p", "deep/w"}, []string{"deep/w branch-w: tree", "deep/p main: main"}},
		{"its place taken by another repository", func(b *fixture) {
			b.ok(os.Rename(b.path("p"), b.path("q")))
			b.repo("p")
		}, []string{"q"}, []string{"w branch-w: tree", "q main: main"}},
		{"cloned anew elsewhere, the first one deleted", func(b *fixture) {
			b.git(".", "clone", "-q", "--bare", "p", "server")
			b.ok(os.RemoveAll(b.path("p")))
			b.ok(os.RemoveAll(b.path("w")))
			b.git(".", "clone", "-q", "server", "q")
		}, []string{"q"}, []string{"w branch-w: tree (gone)", "q main: main"}},
		{"beside another clone", func(b *fixture) { b.git(".", "clone", "-q", "p", "q") }, []string{"q"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newFixture(t)
			b.repo("p", "w", "o")
			b.write(meta(1, b.path("w", "sub"))+says(0, "tree"), rollout(1))
			b.write(meta(2, b.path("p"))+says(0, "main"), rollout(2))
			b.scan("o")
			c.moved(b)
			if c.open == nil {
				c.open = []string{"p"}
			}
			for _, open := range c.open {
				if diff := cmp.Diff(c.want, b.branches(b.scan(open))); diff != "" {
					t.Errorf("from %q: -want +got\n%s", open, diff)
				}
			}
		})
	}
}

// TestPlaceTaken: a session belongs to the worktree that was in its folder then, whatever is
// there now.
func TestPlaceTaken(t *testing.T) {
	b := newFixture(t)
	b.repo("p", "w")
	write := func(n int, folder, prompt string) {
		b.write(meta(n, b.path(folder))+says(0, prompt), rollout(n))
	}
	check := func(open string, want ...string) {
		t.Helper()
		got := b.branches(b.scan(open))
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("from %q: -want +got\n%s", open, diff)
		}
	}
	write(1, "w", "first")
	check("p", "w branch-w: first")
	b.git("p", "worktree", "remove", b.path("w"))
	b.git("p", "worktree", "add", "-q", "-b", "second", b.path("w"))
	write(2, "w/sub", "second")
	check("p", "w branch-w: first (gone)", "w second: second")
	check("w", "w branch-w: first (gone)", "w second: second")
	b.git("p", "worktree", "move", b.path("w"), b.path("v"))
	b.git("p", "worktree", "add", "-q", "-b", "third", b.path("w"))
	write(3, "w", "third")
	check("p", "v second: second", "w branch-w: first (gone)", "w third: third")
	b.git("p", "worktree", "remove", b.path("w"))
	check("p", "v second: second", "w branch-w: first (gone)", "w third: third (gone)")
	b.repo("w")
	write(4, "w", "another's")
	check("p", "v second: second", "w branch-w: first (gone)", "w third: third (gone)")
	check("w", "w main: another's")
	b.ok(os.RemoveAll(b.path("p")))
	check("w", "w main: another's", "w main: first", "w main: second", "w main: third") // nobody else lists them
}

// branches returns the sessions with the folder and branch that they are listed under.
func (b *fixture) branches(s *Snapshot) (list []string) {
	for _, it := range s.Items {
		f, _ := s.Checkout(it.Checkout)
		rel, err := filepath.Rel(b.dir, f.Path)
		b.ok(err)
		line := strings.TrimSpace(rel+" "+f.Branch) + ": " + it.Prompt
		if f.Gone {
			line += " (gone)"
		}
		list = append(list, line)
	}
	slices.Sort(list)
	slices.Reverse(list) // the worktree's stands first: "tree" is after "main"
	slices.SortStableFunc(list, func(x, y string) int { return strings.Compare(y[strings.Index(y, ":"):], x[strings.Index(x, ":"):]) })
	return list
}

// TestSeenElsewhere: a worktree in which a session lay is remembered, though nobody opened
// its repository as long as it was there.
func TestSeenElsewhere(t *testing.T) {
	b := newFixture(t)
	b.repo("p", "w")
	b.repo("other")
	b.write(meta(1, b.path("w"))+says(0, "tree"), rollout(1))
	if s := b.scan("other"); len(s.Items) > 0 {
		t.Error(b.branches(s))
	}
	b.git("p", "worktree", "remove", b.path("w"))
	if diff := cmp.Diff([]string{"w branch-w: tree (gone)"}, b.branches(b.scan("p"))); diff != "" {
		t.Error(diff)
	}
}

// TestLayoutsOfRepositories lists sessions of checkouts of every kind, on the real git.
func TestLayoutsOfRepositories(t *testing.T) {
	if testing.Short() {
		t.Skip()
	}
	for _, c := range []struct {
		name string
		make func(b *fixture) (folders map[string]string) // where sessions are, and what is listed
		open []string
	}{
		{"a hidden bare repository", func(b *fixture) map[string]string {
			b.repo("src")
			b.git(".", "clone", "-q", "--bare", "src", "p/.bare")
			b.write("gitdir: ./.bare\n", "p/.git")
			for _, name := range []string{"main", "feat"} {
				b.git("p/.bare", "worktree", "add", "-q", "-B", name, b.path("p", name))
				b.write("gitdir: ../.bare/worktrees/"+name+"\n", "p/"+name+"/.git")
				b.write("../../../"+name+"/.git\n", "p/.bare/worktrees/"+name+"/gitdir")
			}
			return map[string]string{"p": "p: ", "p/notes": "p: ", "p/main": "p/main main: ", "p/feat/sub": "p/feat feat: "}
		}, []string{"p", "p/main", "p/feat"}},
		{"a bare repository", func(b *fixture) map[string]string {
			b.repo("src")
			b.git(".", "clone", "-q", "--bare", "src", "p.git")
			b.git("p.git", "worktree", "add", "-q", "-b", "feat", b.path("feat"))
			return map[string]string{"p.git": "p.git: ", "feat": "feat feat: "}
		}, []string{"p.git", "feat"}},
		{"core.bare left behind", func(b *fixture) map[string]string {
			b.repo("p", "w")
			b.git("p", "config", "core.bare", "true")
			return map[string]string{"p": "p main: ", "w": "w branch-w: "}
		}, []string{"p", "w"}},
		{"a linked .git", func(b *fixture) map[string]string {
			b.repo("p")
			b.ok(os.Rename(b.path("p", ".git"), b.path("store")))
			b.ok(os.Symlink(b.path("store"), b.path("p", ".git")))
			b.git("p", "worktree", "add", "-q", "-b", "feat", b.path("feat"))
			return map[string]string{"p/sub": "p main: ", "feat": "feat feat: "}
		}, []string{"p", "feat"}},
		{"a submodule", func(b *fixture) map[string]string {
			b.repo("lib")
			b.repo("p")
			b.git("p", "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", b.path("lib"), "libs/lib")
			return map[string]string{"p/libs/lib/x": "p/libs/lib main: "}
		}, []string{"p/libs/lib"}},
		{"a clone in another one", func(b *fixture) map[string]string {
			b.repo("p")
			b.repo("p/vendor/in")
			return map[string]string{"p/vendor/in/x": "p/vendor/in main: "}
		}, []string{"p/vendor/in"}},
		{"detached and locked", func(b *fixture) map[string]string {
			b.repo("p")
			b.git("p", "worktree", "add", "-q", "--detach", b.path("w"))
			b.git("p", "worktree", "lock", b.path("w"))
			return map[string]string{"p": "p main: ", "w": "w: "}
		}, []string{"p", "w"}},
		{"a folder with repositories", func(b *fixture) map[string]string {
			b.repo("all/one")
			b.repo("all/two")
			return map[string]string{"all": "all: ", "all/one": "all/one main: ", "all/two/x": "all/two main: "}
		}, []string{"all"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newFixture(t)
			var want []string
			n := 0
			for folder, line := range c.make(b) {
				n++
				b.write(meta(n, b.path(folder))+says(0, folder), rollout(n))
				want = append(want, line+folder)
			}
			slices.Sort(want)
			for _, open := range c.open {
				got := b.branches(b.scan(open))
				slices.Sort(got)
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("from %q: -want +got\n%s", open, diff)
				}
			}
		})
	}
}

// TestEverything finds the sessions of all repositories, each once.
func TestEverything(t *testing.T) {
	b := newFixture(t)
	b.repo("p", "w", "gone")
	b.repo("p/vendor/in")
	b.repo("q")
	b.mkdir("plain")
	for i, folder := range []string{"p", "w", "gone", "p/vendor/in/x", "q/sub", "plain", "never"} {
		b.write(meta(i, b.path(folder))+says(0, folder), rollout(i))
	}
	b.scan("p")
	b.git("p", "worktree", "remove", b.path("gone"))
	cfg := b.config()
	cfg.All = true
	want := []string{
		"gone branch-gone: gone (gone)", "never: never (gone)", "p main: p", "p/vendor/in main: p/vendor/in/x", "plain: plain", "q main: q/sub", "w branch-w: w",
	}
	for range 2 { // what the first one learned changes nothing
		s, err := Scan(t.Context(), cfg)
		b.ok(err)
		got := b.branches(s)
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
}

// TestLinkGone: a session that named its folder through a link stays listed when the link is
// gone.
func TestLinkGone(t *testing.T) {
	b := newFixture(t)
	b.repo("p")
	b.ok(os.Symlink(b.path("p"), b.path("link")))
	b.write(meta(1, b.path("link", "sub"))+says(0, "linked"), rollout(1))
	b.ok(os.Symlink(b.dir, b.path("above")))
	b.write(meta(2, b.path("above", "p"))+says(0, "above"), rollout(2))
	b.repo("other")
	b.scan("p")
	b.write(meta(3, b.path("above", "other"))+says(0, "other"), rollout(3))
	b.scan("p")
	b.ok(os.Remove(b.path("link")))
	b.ok(os.Remove(b.path("above")))
	if diff := cmp.Diff([]string{"p main: linked", "p main: above"}, b.branches(b.scan("p"))); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"other main: other"}, b.branches(b.scan("other"))); diff != "" {
		t.Error(diff)
	}
}

// TestForeignWorktree: a repository that names another one's folder as its worktree gets no
// session of that, now or later.
func TestForeignWorktree(t *testing.T) {
	b := newFixture(t)
	b.repo("p", "w")
	b.repo("private")
	b.write(meta(1, b.path("private"))+says(0, "secret"), rollout(1))
	b.write(b.path("private", ".git")+"\n", "p/.git/worktrees/w/gitdir")
	for range 2 {
		if s := b.scan("p"); len(s.Items) > 0 {
			t.Error(b.branches(s))
		}
	}
	if got := b.branches(b.scan("private")); len(got) != 1 {
		t.Error(got)
	}
}

// TestInvalidBranch: what a program takes for a branch in a reftable repository is none.
func TestInvalidBranch(t *testing.T) {
	b := newFixture(t)
	b.repo("p")
	b.write(strings.Replace(meta(1, b.path("p")), `"branch":"main"`, `"branch":".invalid"`, 1)+says(0, "x"), rollout(1))
	if s := b.scan("p"); len(s.Items) != 1 || s.Items[0].Branch != "" {
		t.Errorf("%+v", s.Items[0])
	}
}
