//go:build unix

package worktree_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestFindDamage: a damaged file is a problem that names it, and costs nothing
// but what it says. No file is waited for.
func TestFindDamage(t *testing.T) {
	if testing.Short() {
		t.Skip()
	}
	dir := sandbox(t)
	long := strings.Repeat("x", 1<<20)
	const (
		mainLost = 1 << iota // what may be missing from the answer
		branchLost
		treeLost
		headLost
		lockLost
	)
	for name, damage := range map[string]struct {
		file, text, reason string
		lost               int
	}{
		"HEAD of the worktree: garbage":       {".git/worktrees/w/HEAD", "\x00\xff\x1b[2J", "neither a ref nor a commit", branchLost},
		"HEAD of the worktree: empty":         {".git/worktrees/w/HEAD", "", "neither a ref nor a commit", branchLost},
		"HEAD of the worktree: outside":       {".git/worktrees/w/HEAD", "ref: ../../../etc/passwd\n", "names a ref that is none", branchLost},
		"HEAD of the worktree: outside below": {".git/worktrees/w/HEAD", "ref: refs/heads/../../config\n", "names a ref that is none", branchLost},
		"HEAD of the worktree: control":       {".git/worktrees/w/HEAD", "ref: refs/heads/a\x1bb\n", "names a ref that is none", branchLost},
		"HEAD of the worktree: huge":          {".git/worktrees/w/HEAD", long, "too large", branchLost},
		"HEAD of the worktree: FIFO":          {".git/worktrees/w/HEAD", "fifo", "no regular file", branchLost},
		"HEAD of main: garbage":               {".git/HEAD", "what is this", "neither a ref nor a commit", mainLost},
		"gitdir: empty":                       {".git/worktrees/w/gitdir", "", "is empty", treeLost},
		"gitdir: NUL":                         {".git/worktrees/w/gitdir", "/a\x00b/.git\n", "NUL", treeLost},
		"gitdir: long":                        {".git/worktrees/w/gitdir", "/" + strings.Repeat("a/", 4000) + ".git", "too long", treeLost},
		"gitdir: huge":                        {".git/worktrees/w/gitdir", long, "too large", treeLost},
		"gitdir: FIFO":                        {".git/worktrees/w/gitdir", "fifo", "no regular file", treeLost},
		"gitdir: loop":                        {".git/worktrees/w/gitdir", "loop", "cannot be read", treeLost},
		"gitdir: no .git file":                {".git/worktrees/w/gitdir", "/tmp\n", "does not name a .git file", treeLost},
		"a file among the worktrees":          {".git/worktrees/v", "x", "is no directory", 0},
		"locked: huge":                        {".git/worktrees/w/locked", long, "too large", lockLost},
		"locked: FIFO":                        {".git/worktrees/w/locked", "fifo", "no regular file", lockLost},
		"config: garbage":                     {".git/config", "\x00[[[", "cannot be read", 0},
		"config: FIFO":                        {".git/config", "fifo", "no regular file", 0},
		"config: huge":                        {".git/config", strings.Repeat(long, 5), "too large", 0},
		"config: core.worktree long":          {".git/config", "[core]\nworktree = " + strings.Repeat("a/", 4000), "core.worktree", 0},
		"packed-refs: a line without an end":  {".git/packed-refs", long, "too long", headLost},
		"packed-refs: FIFO":                   {".git/packed-refs", "fifo", "no regular file", headLost},
		"ref: garbage":                        {".git/refs/heads/w", "garbage", "neither a ref nor a commit", headLost},
		"ref: leads to itself":                {".git/refs/heads/w", "ref: refs/heads/w\n", "without an end", headLost},
		"ref: FIFO":                           {".git/refs/heads/w", "fifo", "no regular file", headLost},
		"worktrees: FIFO":                     {".git/worktrees", "fifo", "is no directory", treeLost},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(dir, strings.NewReplacer("/", "", ":", "", " ", "-").Replace(name))
			repo := newRepo(t, filepath.Join(dir, "repo"))
			git(t, repo, "worktree", "add", "-q", "../w")
			path := filepath.Join(repo, filepath.FromSlash(damage.file))
			if strings.HasPrefix(name, "packed-refs") {
				git(t, repo, "pack-refs", "--all")
			}
			if strings.HasPrefix(name, "locked") {
				git(t, repo, "worktree", "lock", "../w")
			}
			put(t, path, damage.text)
			got := within(t, repo)
			if len(got.Problems) == 0 || got.Problems[0].File != path || !strings.Contains(got.Problems[0].Reason, damage.reason) {
				t.Errorf("problems %q, want one of %q that says %q", got.Problems, path, damage.reason)
			}
			main, ok := got.Main()
			if !ok || main.Path != repo || main.Missing || damage.lost == 0 && main.Branch != "main" {
				t.Errorf("main is %+v", main)
			}
			tree, ok := linkedTree(got, filepath.Join(dir, "w"))
			switch {
			case ok == (damage.lost == treeLost):
				t.Errorf("the worktree is listed: %v", ok)
			case !ok:
			case tree.Missing, (tree.Branch == "") != (damage.lost == branchLost), (tree.Head == "") != (damage.lost == branchLost || damage.lost == headLost):
				t.Errorf("the worktree is %+v", tree)
			case tree.Locked != (damage.lost == lockLost):
				t.Errorf("locked %v", tree.Locked)
			}
		})
	}
}

// TestFindBrokenFile: a .git file that leads nowhere ends the way upwards, as it
// does for git, and is a problem.
func TestFindBrokenFile(t *testing.T) {
	dir := sandbox(t)
	repo := newRepo(t, filepath.Join(dir, "repo"))
	inner := filepath.Join(repo, "inner")
	mkdir(t, inner)
	for name, text := range map[string]string{
		"empty": "", "no path": "gitdir: \n", "garbage": "\x00\x01", "no prefix": "/somewhere", "leads to nothing": "gitdir: /nowhere/at/all\n",
		"leads to itself": "gitdir: .git\n", "leads to a folder": "gitdir: ..\n", "NUL": "gitdir: a\x00b", "huge": "gitdir: " + strings.Repeat("x", 1<<20),
	} {
		t.Run(name, func(t *testing.T) {
			put(t, filepath.Join(inner, ".git"), text)
			got := within(t, inner)
			if got.CommonDir != "" || len(got.Trees) > 0 || len(got.Problems) != 1 || got.Problems[0].File != filepath.Join(inner, ".git") {
				t.Errorf("%+v", got)
			}
		})
	}
	for _, text := range []string{"fifo", "loop"} {
		put(t, filepath.Join(inner, ".git"), text)
		if got := within(t, inner); got.CommonDir != filepath.Join(repo, ".git") {
			t.Errorf("%s: %+v", text, got)
		}
	}
}

// TestFindCommondir: a worktree whose way to its repository is damaged.
func TestFindCommondir(t *testing.T) {
	dir := sandbox(t)
	repo := newRepo(t, filepath.Join(dir, "repo"))
	git(t, repo, "worktree", "add", "-q", "../w")
	file := filepath.Join(repo, ".git", "worktrees", "w", "commondir")
	for name, text := range map[string]string{"empty": "", "nowhere": "../../nowhere", "itself": ".", "fifo": "fifo", "loop": "loop", "NUL": "\x00"} {
		t.Run(name, func(t *testing.T) {
			put(t, file, text)
			got := within(t, filepath.Join(dir, "w"))
			if got.CommonDir != "" || len(got.Problems) == 0 {
				t.Errorf("%+v", got)
			}
			if tree, ok := linkedTree(within(t, repo), filepath.Join(dir, "w")); !ok || tree.Branch != "w" {
				t.Errorf("from the repository: %+v", tree)
			}
		})
	}
}

// TestFindUnlisted: a checkout that its repository does not know is listed where
// it was opened, and said to be none.
func TestFindUnlisted(t *testing.T) {
	dir := sandbox(t)
	repo := newRepo(t, filepath.Join(dir, "repo"))
	git(t, repo, "worktree", "add", "-q", "../w")
	admin := filepath.Join(dir, "admin")
	rename(t, filepath.Join(repo, ".git", "worktrees", "w"), admin)
	write(t, filepath.Join(admin, "commondir"), filepath.Join(repo, ".git"))
	write(t, filepath.Join(dir, "w", ".git"), "gitdir: "+admin)
	got := within(t, filepath.Join(dir, "w"))
	if tree, ok := linkedTree(got, filepath.Join(dir, "w")); !ok || tree.Branch != "w" || tree.Main {
		t.Errorf("%+v", got)
	}
	wantProblem(t, got, admin, "not among the worktrees")
}

// put writes a file, or something in its place that must not be opened.
func put(t *testing.T, path, text string) {
	t.Helper()
	remove(t, path)
	switch text {
	case "fifo":
		if err := syscall.Mkfifo(path, 0o600); err != nil {
			t.Fatal(err)
		}
	case "loop":
		if err := os.Symlink(filepath.Base(path), path); err != nil {
			t.Fatal(err)
		}
	default:
		write(t, path, text)
	}
}

// within is find with a deadline.
func within(t *testing.T, path string) (r repository) {
	t.Helper()
	done := make(chan repository, 1)
	go func() { done <- find(t, path) }()
	select {
	case r = <-done:
	case <-time.After(20 * time.Second):
		t.Fatal("Find hangs")
	}
	return r
}
