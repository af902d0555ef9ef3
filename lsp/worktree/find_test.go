package worktree_test

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/signalbox-dev/signalbox/lsp/worktree"
)

// TestFindAgrees holds Find against git itself in layouts that git reads right
// (ATSF L6 and Z13: worktrees come from git's bookkeeping, wherever they are).
func TestFindAgrees(t *testing.T) {
	for name, layout := range map[string]func(t *testing.T, dir string) (open []string){
		"plain": func(t *testing.T, dir string) []string {
			repo := newRepo(t, filepath.Join(dir, "repo"))
			write(t, filepath.Join(repo, "a", "b", "c"), "")
			return []string{repo, filepath.Join(repo, "a", "b"), filepath.Join(repo, "a", "b", "c"), filepath.Join(repo, ".git"), filepath.Join(repo, ".git", "refs")}
		},
		"linked, far away, one in another": func(t *testing.T, dir string) []string {
			repo := newRepo(t, filepath.Join(dir, "repo"))
			git(t, repo, "worktree", "add", "-q", "-b", "feature/x", filepath.Join(dir, "elsewhere", "deep", "x"))
			git(t, repo, "worktree", "add", "-q", "inner")
			git(t, repo, "worktree", "add", "-q", "inner/most")
			return []string{repo, filepath.Join(dir, "elsewhere", "deep", "x"), filepath.Join(repo, "inner"), filepath.Join(repo, "inner", "most"), filepath.Join(repo, ".git", "worktrees", "x")}
		},
		"detached, locked with and without a reason, unborn": func(t *testing.T, dir string) []string {
			repo := newRepo(t, filepath.Join(dir, "repo"))
			git(t, repo, "worktree", "add", "-q", "--detach", "../detached")
			git(t, repo, "worktree", "add", "-q", "../locked")
			git(t, repo, "worktree", "lock", "--reason", "on a stick,\nin a drawer", "../locked")
			git(t, repo, "worktree", "add", "-q", "../shut")
			git(t, repo, "worktree", "lock", "../shut")
			git(t, repo, "worktree", "add", "-q", "../unborn")
			git(t, filepath.Join(dir, "unborn"), "symbolic-ref", "HEAD", "refs/heads/not-yet")
			return []string{repo, filepath.Join(dir, "locked")}
		},
		"no commit at all": func(t *testing.T, dir string) []string {
			git(t, dir, "init", "-q", "repo")
			return []string{filepath.Join(dir, "repo")}
		},
		"gone, gone and locked, without .git": func(t *testing.T, dir string) []string {
			repo := newRepo(t, filepath.Join(dir, "repo"))
			for _, name := range []string{"gone", "away", "empty"} {
				git(t, repo, "worktree", "add", "-q", "../"+name)
			}
			git(t, repo, "worktree", "lock", "--reason", "usb", "../away")
			remove(t, filepath.Join(dir, "gone"))
			remove(t, filepath.Join(dir, "empty", ".git"))
			return []string{repo}
		},
		"removed and pruned": func(t *testing.T, dir string) []string {
			repo := newRepo(t, filepath.Join(dir, "repo"))
			for _, name := range []string{"a", "b", "c"} {
				git(t, repo, "worktree", "add", "-q", "../"+name)
			}
			git(t, repo, "worktree", "remove", "../a")
			remove(t, filepath.Join(dir, "b"))
			git(t, repo, "worktree", "prune")
			return []string{repo, filepath.Join(dir, "c")}
		},
		"packed refs": func(t *testing.T, dir string) []string {
			repo := newRepo(t, filepath.Join(dir, "repo"))
			git(t, repo, "worktree", "add", "-q", "-b", "one/two", "../w")
			git(t, repo, "tag", "-a", "-m", "annotated", "v1")
			git(t, repo, "pack-refs", "--all")
			// A ref one/two is packed; one/two/three cannot be, one/four is loose.
			git(t, repo, "branch", "one/four")
			return []string{repo, filepath.Join(dir, "w")}
		},
		"a branch that is another's name": func(t *testing.T, dir string) []string {
			repo := newRepo(t, filepath.Join(dir, "repo"))
			git(t, repo, "symbolic-ref", "refs/heads/alias", "refs/heads/main")
			git(t, repo, "worktree", "add", "-q", "--detach", "../w")
			git(t, filepath.Join(dir, "w"), "symbolic-ref", "HEAD", "refs/heads/alias")
			return []string{repo}
		},
		"bare": func(t *testing.T, dir string) []string {
			newRepo(t, filepath.Join(dir, "repo"))
			git(t, dir, "clone", "-q", "--bare", "repo", "repo.git")
			git(t, filepath.Join(dir, "repo.git"), "worktree", "add", "-q", "../w", "main")
			return []string{filepath.Join(dir, "repo.git"), filepath.Join(dir, "repo.git", "refs"), filepath.Join(dir, "w")}
		},
		"bare beside its worktrees": func(t *testing.T, dir string) []string {
			newRepo(t, filepath.Join(dir, "repo"))
			project := filepath.Join(dir, "project")
			git(t, dir, "clone", "-q", "--bare", "repo", "project/.bare")
			write(t, filepath.Join(project, ".git"), "gitdir: ./.bare\n")
			git(t, project, "worktree", "add", "-q", "main")
			git(t, project, "worktree", "add", "-q", "-b", "next", "next")
			return []string{project, filepath.Join(project, "main"), filepath.Join(project, "next"), filepath.Join(project, ".bare")}
		},
		"bare with a configuration for each worktree": func(t *testing.T, dir string) []string {
			newRepo(t, filepath.Join(dir, "repo"))
			git(t, dir, "clone", "-q", "--bare", "repo", "repo.git")
			bare := filepath.Join(dir, "repo.git")
			git(t, bare, "config", "extensions.worktreeConfig", "true")
			git(t, bare, "config", "--unset", "core.bare")
			git(t, bare, "config", "--worktree", "core.bare", "true")
			git(t, bare, "worktree", "add", "-q", "../w", "main")
			return []string{bare}
		},
		"moved by git": func(t *testing.T, dir string) []string {
			repo := newRepo(t, filepath.Join(dir, "repo"))
			git(t, repo, "worktree", "add", "-q", "../w")
			git(t, repo, "worktree", "move", "../w", "../v")
			return []string{repo, filepath.Join(dir, "v")}
		},
		"repository moved": func(t *testing.T, dir string) []string {
			repo := newRepo(t, filepath.Join(dir, "repo"))
			git(t, repo, "worktree", "add", "-q", "../w")
			rename(t, repo, filepath.Join(dir, "other"))
			return []string{filepath.Join(dir, "other")}
		},
		"nested": func(t *testing.T, dir string) []string {
			repo := newRepo(t, filepath.Join(dir, "repo"))
			inner := newRepo(t, filepath.Join(repo, "vendor", "inner"))
			git(t, inner, "worktree", "add", "-q", "../w")
			return []string{repo, inner, filepath.Join(repo, "vendor", "w"), filepath.Join(repo, "vendor")}
		},
		"an empty .git on the way": func(t *testing.T, dir string) []string {
			repo := newRepo(t, filepath.Join(dir, "repo"))
			mkdir(t, filepath.Join(repo, "sub", ".git"))
			return []string{filepath.Join(repo, "sub")}
		},
		"strange names": func(t *testing.T, dir string) []string {
			repo := newRepo(t, filepath.Join(dir, " re po\n\u202e"))
			git(t, repo, "worktree", "add", "-q", "-b", "ünï/日本", "../w\n\tx ")
			return []string{repo, filepath.Join(dir, "w\n\tx ")}
		},
		"sha256": func(t *testing.T, dir string) []string {
			git(t, dir, "init", "-q", "--object-format=sha256", "repo")
			repo := filepath.Join(dir, "repo")
			git(t, repo, "commit", "-q", "--allow-empty", "-m", "first")
			git(t, repo, "worktree", "add", "-q", "../w")
			return []string{repo}
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := sandbox(t)
			for _, open := range layout(t, dir) {
				want := gitList(t, gitFolder(open))
				if want[0].Bare {
					want[0].Path = ""
				}
				if name == "gone, gone and locked, without .git" {
					// git does not say it of a locked one.
					remove(t, filepath.Join(dir, "away"))
					at := slices.IndexFunc(want, func(t worktree.Tree) bool { return t.Locked })
					want[at].Missing = true
				}
				slices.SortFunc(want[1:], func(a, b worktree.Tree) int { return cmp.Compare(a.Path, b.Path) })
				got := find(t, open)
				for i := range got.Trees {
					tree := &got.Trees[i]
					if tree.Bare {
						tree.Branch, tree.Head = "", "" // git does not list them
					}
					if tree.Missing && !tree.Locked {
						tree.Reason = ""
					}
				}
				if diff := gocmp.Diff(want, got.Trees, cmpopts.IgnoreFields(worktree.Tree{}, "GitDir", "Root")); diff != "" {
					t.Errorf("Find(%q): -git +got\n%s", open, diff)
				}
				if len(got.Problems) > 0 {
					t.Errorf("Find(%q): problems %v", open, got.Problems)
				}
				common, err := filepath.EvalSymlinks(filepath.Clean(joinIfRelative(gitFolder(open), trimLine(git(t, gitFolder(open), "rev-parse", "--git-common-dir")))))
				if err != nil || got.CommonDir != common {
					t.Errorf("CommonDir is %q, want %q (%v)", got.CommonDir, common, err)
				}
			}
		})
	}
}

// TestFindMoved: a worktree that was moved by hand is where its .git file is.
func TestFindMoved(t *testing.T) {
	dir := sandbox(t)
	repo := newRepo(t, filepath.Join(dir, "repo"))
	git(t, repo, "worktree", "add", "-q", "../w")
	rename(t, filepath.Join(dir, "w"), filepath.Join(dir, "moved"))

	tree, ok := linkedTree(find(t, filepath.Join(dir, "moved")), filepath.Join(dir, "moved"))
	if !ok || tree.Missing || tree.Branch != "w" || tree.Head == "" {
		t.Errorf("opened at its new place: %+v", tree)
	}
	tree, ok = linkedTree(find(t, repo), filepath.Join(dir, "w"))
	if !ok || !tree.Missing || tree.Reason != "the folder is gone" {
		t.Errorf("opened elsewhere: %+v", tree)
	}
	// Somebody else took its old place.
	newRepo(t, filepath.Join(dir, "w"))
	tree, ok = linkedTree(find(t, repo), filepath.Join(dir, "w"))
	if !ok || !tree.Missing || tree.Reason != "the folder is a repository of its own" {
		t.Errorf("old place taken: %+v", tree)
	}
}

// TestFindCopy: a worktree copied with cp -r is a checkout too, and said to be
// a copy.
func TestFindCopy(t *testing.T) {
	dir := sandbox(t)
	repo := newRepo(t, filepath.Join(dir, "repo"))
	git(t, repo, "worktree", "add", "-q", "../w")
	if err := os.CopyFS(filepath.Join(dir, "copy"), os.DirFS(filepath.Join(dir, "w"))); err != nil {
		t.Fatal(err)
	}
	got := find(t, filepath.Join(dir, "copy"))
	for _, path := range []string{"w", "copy"} {
		if tree, ok := linkedTree(got, filepath.Join(dir, path)); !ok || tree.Missing || tree.Branch != "w" {
			t.Errorf("%s: %+v", path, tree)
		}
	}
	wantProblem(t, got, filepath.Join(dir, "copy", ".git"), "is a copy of it")
}

// TestFindForeign: a repository cannot make another folder of the user's its
// own by naming it.
func TestFindForeign(t *testing.T) {
	dir := sandbox(t)
	repo := newRepo(t, filepath.Join(dir, "repo"))
	private := newRepo(t, filepath.Join(dir, "private"))
	git(t, private, "worktree", "add", "-q", "../secret")
	git(t, repo, "worktree", "add", "-q", "../w")
	file := filepath.Join(repo, ".git", "worktrees", "w", "gitdir")
	for _, target := range []string{"private", "secret"} {
		write(t, file, filepath.Join(dir, target, ".git")+"\n")
		tree, ok := linkedTree(find(t, repo), filepath.Join(dir, target))
		if !ok || !tree.Missing {
			t.Errorf("%s: %+v", target, tree)
		}
	}
	git(t, repo, "config", "core.worktree", private)
	got := find(t, filepath.Join(repo, ".git"))
	if main, ok := got.Main(); !ok || main.Path != private || !main.Missing {
		t.Errorf("core.worktree: %+v", main)
	}
}

// TestFindPlaces: layouts in which git itself names the wrong folder, or in
// which one folder has several paths.
func TestFindPlaces(t *testing.T) {
	dir := sandbox(t)
	repo := newRepo(t, filepath.Join(dir, "repo"))

	t.Run("submodule", func(t *testing.T) {
		super := newRepo(t, filepath.Join(dir, "super"))
		git(t, super, "submodule", "--quiet", "add", repo, "libs/sub")
		sub := filepath.Join(super, "libs", "sub")
		git(t, sub, "worktree", "add", "-q", filepath.Join(dir, "subtree"))
		for _, open := range []string{sub, filepath.Join(dir, "subtree")} {
			got := find(t, open)
			if main, _ := got.Main(); main.Path != sub || main.Missing || main.Bare || main.Branch != "main" {
				t.Errorf("from %q: main is %+v", open, main)
			}
			if got.CommonDir != filepath.Join(super, ".git", "modules", "libs", "sub") || len(got.Trees) != 2 || len(got.Problems) > 0 {
				t.Errorf("from %q: %+v", open, got)
			}
		}
		if got := find(t, super); len(got.Trees) != 1 || got.Trees[0].Path != super {
			t.Errorf("the repository above: %+v", got)
		}
	})
	t.Run("separate git directory", func(t *testing.T) {
		git(t, dir, "init", "-q", "--separate-git-dir", "store.git", "apart")
		apart := filepath.Join(dir, "apart")
		git(t, apart, "commit", "-q", "--allow-empty", "-m", "first")
		git(t, apart, "worktree", "add", "-q", "../apart2")
		if main, _ := ptr(find(t, apart)).Main(); main.Path != apart || main.Missing {
			t.Errorf("main is %+v", main)
		}
		if main, _ := ptr(find(t, filepath.Join(dir, "apart2"))).Main(); main.Path != "" || !main.Missing || main.Reason == "" {
			t.Errorf("from the worktree, main is %+v", main)
		}
	})
	t.Run("links", func(t *testing.T) {
		git(t, repo, "worktree", "add", "-q", "../linked")
		link := filepath.Join(dir, "link")
		for from, to := range map[string]string{link: repo, link + "2": filepath.Join(dir, "linked")} {
			if err := os.Symlink(to, from); err != nil {
				t.Fatal(err)
			}
			if diff := gocmp.Diff(find(t, to), find(t, from)); diff != "" {
				t.Errorf("through a link: -real +link\n%s", diff)
			}
		}
	})
	t.Run("relative paths", func(t *testing.T) {
		rel := newRepo(t, filepath.Join(dir, "rel"))
		git(t, rel, "worktree", "add", "-q", "../relw")
		git(t, rel, "config", "core.repositoryformatversion", "1")
		git(t, rel, "config", "extensions.relativeWorktrees", "true")
		write(t, filepath.Join(rel, ".git", "worktrees", "relw", "gitdir"), "../../../../relw/.git\n")
		write(t, filepath.Join(dir, "relw", ".git"), "gitdir: ../rel/.git/worktrees/relw\n")
		for _, open := range []string{rel, filepath.Join(dir, "relw")} {
			tree, ok := linkedTree(find(t, open), filepath.Join(dir, "relw"))
			if !ok || tree.Missing || tree.Branch != "relw" {
				t.Errorf("from %q: %+v", open, find(t, open))
			}
		}
	})
	t.Run("reftable", func(t *testing.T) {
		table := newRepo(t, filepath.Join(dir, "table"))
		write(t, filepath.Join(table, ".git", "HEAD"), "ref: refs/heads/.invalid\n")
		got := find(t, table)
		if main, _ := got.Main(); main.Path != table || main.Branch != "" || main.Head != "" {
			t.Errorf("%+v", main)
		}
		wantProblem(t, got, filepath.Join(table, ".git", "HEAD"), "reftable")
	})
	t.Run("none", func(t *testing.T) {
		// The folder above may be a repository's where the tests run.
		if _, err := worktree.Find(filepath.Join(dir, "not there")); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("error %v", err)
		}
		if _, err := worktree.Find(string(filepath.Separator)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("error %v", err)
		}
	})
}

func TestAt(t *testing.T) {
	dir := sandbox(t)
	repo := newRepo(t, filepath.Join(dir, "repo"))
	git(t, repo, "worktree", "add", "-q", "inner")
	got := find(t, repo)
	for path, want := range map[string]string{
		repo: repo, filepath.Join(repo, "x"): repo, filepath.Join(repo, "inner"): filepath.Join(repo, "inner"),
		filepath.Join(repo, "inner", "x"): filepath.Join(repo, "inner"), filepath.Join(repo, "inner2"): repo, dir: "", repo + "2": "",
	} {
		if tree, ok := got.At(path); tree.Path != want || ok != (want != "") {
			t.Errorf("At(%q) = %q, %v, want %q", path, tree.Path, ok, want)
		}
	}
}
