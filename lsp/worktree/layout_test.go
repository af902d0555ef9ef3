package worktree_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/signalbox-dev/signalbox/lsp/worktree"
)

// TestBareRoot: people work around a bare repository in the folder whose .git file leads to
// it.
func TestBareRoot(t *testing.T) {
	dir := sandbox(t)
	newRepo(t, filepath.Join(dir, "first"))
	p, bare := filepath.Join(dir, "p"), filepath.Join(dir, "p", ".bare")
	git(t, dir, "clone", "-q", "--bare", "first", "p/.bare")
	git(t, bare, "worktree", "add", "-q", filepath.Join(p, "main"), "main")
	for _, c := range []struct{ name, file, root string }{
		{"no .git file", "", bare},
		{"relative", "gitdir: ./.bare\n", p},
		{"absolute", "gitdir: " + bare + "\n", p},
		{"another's .git file", "gitdir: " + filepath.Join(dir, "first", ".git") + "\n", bare},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.file != "" {
				write(t, filepath.Join(p, ".git"), c.file)
			}
			if main, ok := ptr(find(t, filepath.Join(p, "main"))).Main(); !ok || !main.Bare || main.Path != "" || main.Root != c.root {
				t.Errorf("%+v", main)
			}
		})
	}
}

// TestLeftBare: core.bare=true left behind in a checkout makes it no bare repository, and is
// said with the way out.
func TestLeftBare(t *testing.T) {
	for _, linked := range []bool{false, true} {
		dir := sandbox(t)
		repo := newRepo(t, filepath.Join(dir, "repo"))
		git(t, repo, "worktree", "add", "-q", "../w")
		if linked {
			rename(t, filepath.Join(repo, ".git"), filepath.Join(dir, "store"))
			if err := os.Symlink(filepath.Join(dir, "store"), filepath.Join(repo, ".git")); err != nil {
				t.Fatal(err)
			}
		}
		git(t, repo, "config", "core.bare", "true")
		got := find(t, repo)
		if main, ok := got.Main(); !ok || main.Bare || main.Path != repo || main.Branch != "main" || main.Missing {
			t.Errorf("linked %v: %+v", linked, main)
		}
		wantProblem(t, got, filepath.Join(got.CommonDir, "config"), "core.bare")
		if len(got.Problems) != 1 || got.Problems[0].Advice != "git config core.bare false" {
			t.Errorf("linked %v: %+v", linked, got.Problems)
		}
	}
}

// TestLayouts: checkouts of all kinds are found with their branch, from wherever they are
// looked at.
func TestLayouts(t *testing.T) {
	for name, layout := range map[string]func(t *testing.T, dir string) (main string){
		"linked .git": func(t *testing.T, dir string) string {
			repo := newRepo(t, filepath.Join(dir, "repo"))
			rename(t, filepath.Join(repo, ".git"), filepath.Join(dir, "store"))
			if err := os.Symlink("../store", filepath.Join(repo, ".git")); err != nil {
				t.Fatal(err)
			}
			return repo
		},
		"sparse": func(t *testing.T, dir string) string {
			repo := newRepo(t, filepath.Join(dir, "repo"))
			git(t, repo, "sparse-checkout", "set", "nothing")
			return repo
		},
		"colocated with jj": func(t *testing.T, dir string) string {
			repo := newRepo(t, filepath.Join(dir, "repo"))
			write(t, filepath.Join(repo, ".jj", "repo", "store", "git_target"), "../../../.git")
			write(t, filepath.Join(repo, ".jj", ".gitignore"), "/*\n")
			return repo
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := sandbox(t)
			main := layout(t, dir)
			git(t, main, "worktree", "add", "-q", filepath.Join(dir, "w"))
			got := find(t, main)
			if tree, ok := got.Main(); !ok || tree.Path != main || tree.Branch != "main" || tree.Missing || tree.Bare {
				t.Errorf("main: %+v", tree)
			}
			for _, open := range []string{main, filepath.Join(dir, "w")} {
				if tree, ok := linkedTree(find(t, open), filepath.Join(dir, "w")); !ok || tree.Branch != "w" || tree.Missing {
					t.Errorf("from %q: %+v", open, tree)
				}
			}
			if len(got.Problems) > 0 {
				t.Errorf("problems %v", got.Problems)
			}
		})
	}
}

// TestLocate finds the work tree around a folder, which need not be there any more.
func TestLocate(t *testing.T) {
	dir := sandbox(t)
	repo := newRepo(t, filepath.Join(dir, "repo"))
	inner := newRepo(t, filepath.Join(repo, "vendor", "inner"))
	git(t, repo, "worktree", "add", "-q", "../w")
	broken := filepath.Join(dir, "broken")
	write(t, filepath.Join(broken, ".git"), "gitdir: /nowhere\n")
	common := filepath.Join(repo, ".git")
	for path, want := range map[string][3]string{
		repo:                                    {repo, common, common},
		filepath.Join(repo, "gone", "deep"):     {repo, common, common},
		filepath.Join(inner, "x"):               {inner, filepath.Join(inner, ".git"), filepath.Join(inner, ".git")},
		filepath.Join(dir, "w", "x"):            {filepath.Join(dir, "w"), filepath.Join(common, "worktrees", "w"), common},
		filepath.Join(broken, "x"):              {},
		filepath.Join(common, "refs"):           {"", common, common},
		filepath.Join(dir, "not there", "deep"): {},
	} {
		top, gitDir, at, ok := worktree.Locate(path)
		if [3]string{top, gitDir, at} != want || ok != (want[0] != "") {
			t.Errorf("%q: %q %q %q %v, want %q", path, top, gitDir, at, ok, want)
		}
	}
}

// TestRoots asks git for the first commits.
func TestRoots(t *testing.T) {
	dir := sandbox(t)
	repo := newRepo(t, filepath.Join(dir, "repo"))
	first := trimLine(git(t, repo, "rev-parse", "HEAD"))
	git(t, repo, "commit", "-q", "--allow-empty", "-m", "second")
	g := worktree.Git{Env: os.Environ()}
	if got := g.Roots(t.Context(), filepath.Join(repo, ".git")); len(got) != 1 || got[0] != first {
		t.Errorf("%q, want %q", got, first)
	}
	git(t, dir, "clone", "-q", "--depth", "1", "file://"+repo, "shallow")
	if got := g.Roots(t.Context(), filepath.Join(dir, "shallow", ".git")); len(got) > 0 {
		t.Errorf("a shallow clone does not hold its first commits: %q", got)
	}
	git(t, dir, "init", "-q", "empty")
	if got := g.Roots(t.Context(), filepath.Join(dir, "empty", ".git")); len(got) > 0 {
		t.Errorf("without a commit: %q", got)
	}
}
