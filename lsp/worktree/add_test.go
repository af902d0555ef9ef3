package worktree_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/signalbox-dev/signalbox/lsp/worktree"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func theGit() *worktree.Git { return &worktree.Git{Env: os.Environ()} }

// plan is Git.Plan from the checkout at a path.
func plan(t *testing.T, path string, o worktree.AddOptions) (worktree.Addition, error) {
	t.Helper()
	r := find(t, path)
	from, ok := r.At(path)
	if !ok {
		from, _ = r.Main()
	}
	return theGit().Plan(context.Background(), &r, from, o)
}

// add plans and makes a worktree.
func add(t *testing.T, path string, o worktree.AddOptions) worktree.Tree {
	t.Helper()
	a, err := plan(t, path, o)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := theGit().Add(context.Background(), &a)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// TestCheckName holds the names against git check-ref-format, and refuses more:
// what a command could take for an option, and what could lead elsewhere.
func TestCheckName(t *testing.T) {
	dir := sandbox(t)
	for _, name := range []string{
		"x", "feature/x", "ünï", "日本", "a.b", "a@b", "@x", "a-b", "a_b", "#1", "a{b", "a'b\"c", "a|b", "a;b", "$(x)", "%",
		"", "@", "..", "a..b", "../x", "/x", "x/", "a//b", ".x", "a/.x", "x.", "x.lock", "x.lock/y", "a b", "a~1", "a^", "a:b", "a?", "a*", "a[b", `a\b`,
		"a@{b", "a\nb", "a\tb", "a\x00b", "a\x1b[2Jb", "a\x7fb", "-rf", "--force", "-", "HEAD", "\xff", strings.Repeat("x", 201),
	} {
		err := worktree.CheckName(name)
		if err != nil && !errors.Is(err, worktree.ErrName) {
			t.Errorf("%q: error %v is no ErrName", name, err)
		}
		if err == nil && (strings.HasPrefix(name, "-") || name == "HEAD") {
			t.Errorf("%q is allowed", name)
		}
		if strings.HasPrefix(name, "-") || name == "HEAD" || name == "\xff" || strings.Contains(name, "\x00") || len(name) > 200 {
			if err == nil {
				t.Errorf("%q is allowed", name)
			}
			continue
		}
		cmd := exec.Command("git", "check-ref-format", "refs/heads/"+name)
		cmd.Dir = dir
		if ok := cmd.Run() == nil; ok != (err == nil) && name != "@" {
			t.Errorf("%q: git allows it: %v, error %v", name, ok, err)
		}
	}
}

func TestAdd(t *testing.T) {
	dir := sandbox(t)
	repo := newRepo(t, filepath.Join(dir, "repo"))
	first := trimLine(git(t, repo, "rev-parse", "HEAD"))
	git(t, repo, "tag", "v1")
	git(t, repo, "commit", "-q", "--allow-empty", "-m", "second")
	head := trimLine(git(t, repo, "rev-parse", "HEAD"))
	git(t, repo, "branch", "there", first)

	for name, c := range map[string]struct {
		o            worktree.AddOptions
		path, branch string
		commit       string
		made         bool
	}{
		"new branch":          {worktree.AddOptions{Name: "login"}, "repo.worktrees/login", "login", head, true},
		"slash":               {worktree.AddOptions{Name: "fix/a;b"}, "repo.worktrees/fix-a-b", "fix/a;b", head, true},
		"other branch":        {worktree.AddOptions{Name: "desk", Branch: "topic/desk"}, "repo.worktrees/desk", "topic/desk", head, true},
		"from a tag":          {worktree.AddOptions{Name: "old", From: "v1"}, "repo.worktrees/old", "old", first, true},
		"a branch that is":    {worktree.AddOptions{Name: "there"}, "repo.worktrees/there", "there", first, false},
		"a path":              {worktree.AddOptions{Name: "pathed", Path: filepath.Join(dir, "deep", "er")}, "deep/er", "pathed", head, true},
		"a path with a dash":  {worktree.AddOptions{Name: "dashed", Path: filepath.Join(dir, "-rf")}, "-rf", "dashed", head, true},
		"an empty folder":     {worktree.AddOptions{Name: "emptied", Path: filepath.Join(dir, "empty")}, "empty", "emptied", head, true},
		"in the checkout":     {worktree.AddOptions{Name: "inner", Path: filepath.Join(repo, "inner")}, "repo/inner", "inner", head, true},
		"a path not yet real": {worktree.AddOptions{Name: "linked", Path: filepath.Join(dir, "link", "x")}, "deep2/x", "linked", head, true},
	} {
		t.Run(name, func(t *testing.T) {
			mkdir(t, filepath.Join(dir, "empty"))
			mkdir(t, filepath.Join(dir, "deep2"))
			_ = os.Symlink("deep2", filepath.Join(dir, "link"))
			before := snapshot(t, dir)
			a, err := plan(t, repo, c.o)
			if err != nil {
				t.Fatal(err)
			}
			if diff := gocmp.Diff(before, snapshot(t, dir)); diff != "" {
				t.Errorf("Plan changed\n%s", diff)
			}
			want := filepath.Join(dir, filepath.FromSlash(c.path))
			if a.Path != want || a.Branch != c.branch || a.Commit != c.commit || a.New != c.made {
				t.Errorf("planned %+v", a)
			}
			tree, err := theGit().Add(context.Background(), &a)
			if err != nil {
				t.Fatal(err)
			}
			if tree.Path != want || tree.Branch != c.branch || tree.Head != c.commit || tree.Missing || tree.Main {
				t.Errorf("made %+v", tree)
			}
		})
	}
}

// TestAddFrom: a new branch starts where the command was given.
func TestAddFrom(t *testing.T) {
	dir := sandbox(t)
	repo := newRepo(t, filepath.Join(dir, "repo"))
	first := add(t, repo, worktree.AddOptions{Name: "first"})
	git(t, first.Path, "commit", "-q", "--allow-empty", "-m", "ahead")
	second := add(t, first.Path, worktree.AddOptions{Name: "second"})
	if second.Head != trimLine(git(t, first.Path, "rev-parse", "HEAD")) || second.Path != filepath.Join(dir, "repo.worktrees", "second") {
		t.Errorf("made %+v", second)
	}
	// In bare repositories.
	git(t, dir, "clone", "-q", "--bare", "repo", "bare.git")
	if tree := add(t, filepath.Join(dir, "bare.git"), worktree.AddOptions{Name: "w"}); tree.Path != filepath.Join(dir, "bare.worktrees", "w") {
		t.Errorf("made %+v", tree)
	}
	git(t, dir, "clone", "-q", "--bare", "repo", "project/.bare")
	write(t, filepath.Join(dir, "project", ".git"), "gitdir: .bare\n")
	if tree := add(t, filepath.Join(dir, "project"), worktree.AddOptions{Name: "w"}); tree.Path != filepath.Join(dir, "project", "w") {
		t.Errorf("made %+v", tree)
	}
}

// TestAddRefused: what cannot be made is refused before anything changed.
func TestAddRefused(t *testing.T) {
	dir := sandbox(t)
	repo := newRepo(t, filepath.Join(dir, "repo"))
	git(t, repo, "branch", "there")
	git(t, repo, "worktree", "add", "-q", "../w")
	git(t, repo, "worktree", "add", "-q", "../gone")
	remove(t, filepath.Join(dir, "gone"))
	write(t, filepath.Join(dir, "full", "file"), "mine")
	write(t, filepath.Join(dir, "file"), "mine")
	if err := os.Symlink("empty", filepath.Join(dir, "dangling")); err != nil {
		t.Fatal(err)
	}
	git(t, dir, "init", "-q", "unborn")
	for name, c := range map[string]struct {
		o    worktree.AddOptions
		want string
	}{
		"option":              {worktree.AddOptions{Name: "-rf"}, "begins with a dash"},
		"elsewhere":           {worktree.AddOptions{Name: "../x"}, `".."`},
		"control":             {worktree.AddOptions{Name: "a\x1bb"}, `"\x1b"`},
		"branch is an option": {worktree.AddOptions{Name: "x", Branch: "--detach"}, "begins with a dash"},
		"from is an option":   {worktree.AddOptions{Name: "x", From: "--lock"}, "is not allowed"},
		"from nowhere":        {worktree.AddOptions{Name: "x", From: "nope"}, "is no commit"},
		"from a file":         {worktree.AddOptions{Name: "x", From: "HEAD:file.txt"}, "is no commit"},
		"from and a branch":   {worktree.AddOptions{Name: "there", From: "main"}, "does not start anew"},
		"checked out":         {worktree.AddOptions{Name: "x", Branch: "main"}, "is checked out at"},
		"of a missing one":    {worktree.AddOptions{Name: "x", Branch: "gone"}, "which is missing"},
		"place of a missing":  {worktree.AddOptions{Name: "x", Path: filepath.Join(dir, "gone")}, "still lists"},
		"not empty":           {worktree.AddOptions{Name: "x", Path: filepath.Join(dir, "full")}, "is not empty"},
		"a file":              {worktree.AddOptions{Name: "x", Path: filepath.Join(dir, "file")}, "exists"},
		"below a file":        {worktree.AddOptions{Name: "x", Path: filepath.Join(dir, "file", "x")}, "not a directory"},
		"git directory":       {worktree.AddOptions{Name: "x", Path: filepath.Join(repo, ".git", "x")}, "lies in the git directory"},
	} {
		t.Run(name, func(t *testing.T) {
			before := snapshot(t, dir)
			if a, err := plan(t, repo, c.o); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("planned %+v, error %v, want %q", a, err, c.want)
			}
			if diff := gocmp.Diff(before, snapshot(t, dir)); diff != "" {
				t.Errorf("changed\n%s", diff)
			}
		})
	}
	if _, err := plan(t, filepath.Join(dir, "unborn"), worktree.AddOptions{Name: "x"}); err == nil || !strings.Contains(err.Error(), "no commit yet") {
		t.Errorf("without a commit: %v", err)
	}
	// Between planning and making, somebody took the place.
	a, err := plan(t, repo, worktree.AddOptions{Name: "late"})
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(a.Path, "file"), "mine")
	if _, err := theGit().Add(context.Background(), &a); err == nil || !strings.Contains(err.Error(), "already exists") {
		t.Errorf("taken meanwhile: %v", err)
	}
}

// TestAddRunsNothing: what a repository's configuration would run is not run
// without being asked for, and is shown (ATSF Z11: consent).
func TestAddRunsNothing(t *testing.T) {
	dir := sandbox(t)
	repo := newRepo(t, filepath.Join(dir, "repo"))
	ran := filepath.Join(dir, "ran")
	script := "#!/bin/sh\necho \"$0\" >> '" + ran + "'\n"
	hooks := filepath.Join(repo, ".git", "hooks")
	for _, name := range []string{"post-checkout", "reference-transaction", "post-index-change"} {
		write(t, filepath.Join(hooks, name), script)
		if err := os.Chmod(filepath.Join(hooks, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	git(t, repo, "config", "core.fsmonitor", filepath.Join(hooks, "post-checkout"))
	git(t, repo, "config", "filter.lfs.process", "git-lfs filter-process")
	git(t, repo, "config", "--global", "filter.own.smudge", "mine")

	a, err := plan(t, repo, worktree.AddOptions{Name: "x"})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{filepath.Join(hooks, "post-checkout"), filepath.Join(hooks, "post-index-change"), filepath.Join(hooks, "reference-transaction")}
	if diff := gocmp.Diff(want, a.Hooks); diff != "" {
		t.Errorf("hooks: -want +got\n%s", diff)
	}
	if diff := gocmp.Diff([]string{"filter.lfs.process = git-lfs filter-process"}, a.Programs); diff != "" {
		t.Errorf("programs: -want +got\n%s", diff)
	}
	if _, err := theGit().Add(context.Background(), &a); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(ran); err == nil {
		t.Errorf("ran %s", text)
	}
	a, err = plan(t, repo, worktree.AddOptions{Name: "y", GitHooks: true})
	if err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(ran); err == nil {
		t.Errorf("planning ran %s", text)
	}
	if _, err := theGit().Add(context.Background(), &a); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(ran); err != nil || !strings.Contains(string(text), "post-checkout") {
		t.Errorf("asked for, ran %s (%v)", text, err)
	}
}

// TestPlanFetchesNothing: looking for a commit that a partial clone lacks does not
// run the program that its configuration names for fetching.
func TestPlanFetchesNothing(t *testing.T) {
	dir := sandbox(t)
	repo := newRepo(t, filepath.Join(dir, "repo"))
	ran := filepath.Join(dir, "ran")
	write(t, filepath.Join(dir, "ssh"), "#!/bin/sh\ntouch '"+ran+"'\nexit 1\n")
	if err := os.Chmod(filepath.Join(dir, "ssh"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, v := range [][2]string{
		{"core.repositoryformatversion", "1"},
		{"extensions.partialClone", "origin"},
		{"remote.origin.promisor", "true"},
		{"remote.origin.url", "host.invalid:x"},
		{"core.sshCommand", filepath.Join(dir, "ssh")},
		{"protocol.ssh.allow", "always"},
	} {
		git(t, repo, "config", v[0], v[1])
	}
	missing := strings.Repeat("1", 40)
	if _, err := plan(t, repo, worktree.AddOptions{Name: "x", From: missing}); err == nil || !strings.Contains(err.Error(), "no commit") {
		t.Errorf("error %v", err)
	}
	if _, err := os.Stat(ran); err == nil {
		t.Error("the program was run")
	}
	// git itself would have.
	cmd := exec.Command("git", "rev-parse", "--verify", "--quiet", missing+"^{commit}")
	cmd.Dir = repo
	_ = cmd.Run()
	if _, err := os.Stat(ran); err != nil {
		t.Error("git runs nothing here, and this test shows nothing")
	}
}

// TestEnv: the environment cannot send git to another repository.
func TestEnv(t *testing.T) {
	dir := sandbox(t)
	repo := newRepo(t, filepath.Join(dir, "repo"))
	other := newRepo(t, filepath.Join(dir, "other"))
	g := &worktree.Git{Env: append(os.Environ(), "GIT_DIR="+filepath.Join(other, ".git"), "GIT_WORK_TREE="+other, "GIT_INDEX_FILE="+filepath.Join(dir, "index"),
		"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=core.bare", "GIT_CONFIG_VALUE_0=true")}
	r := find(t, repo)
	main, _ := r.Main()
	a, err := g.Plan(context.Background(), &r, main, worktree.AddOptions{Name: "x"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := g.Add(context.Background(), &a); err != nil {
		t.Fatal(err)
	}
	if len(find(t, repo).Trees) != 2 || len(find(t, other).Trees) != 1 {
		t.Error("made in the wrong repository")
	}
	// No git at all.
	t.Setenv("PATH", dir)
	if _, err := g.Plan(context.Background(), &r, main, worktree.AddOptions{Name: "y"}); err == nil || !strings.Contains(err.Error(), "git is not installed") {
		t.Errorf("without git: %v", err)
	}
}

func TestCancelled(t *testing.T) {
	dir := sandbox(t)
	repo := newRepo(t, filepath.Join(dir, "repo"))
	a, err := plan(t, repo, worktree.AddOptions{Name: "x"})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := theGit().Add(ctx, &a); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// snapshot lists what there is below a folder.
func snapshot(t *testing.T, dir string) []string {
	t.Helper()
	var list []string
	err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		list = append(list, path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func BenchmarkFind(b *testing.B) {
	dir := b.TempDir()
	run := func(args ...string) {
		cmd := exec.Command("git", append([]string{"-c", "user.name=Ada", "-c", "user.email=ada@example.org"}, args...)...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("%s: %v", out, err)
		}
	}
	run("init", "-q", "repo")
	run("-C", "repo", "commit", "-q", "--allow-empty", "-m", "first")
	for i := range 20 {
		run("-C", "repo", "worktree", "add", "-q", filepath.Join(dir, "w", string(rune('a'+i))))
	}
	run("-C", "repo", "pack-refs", "--all")
	for b.Loop() {
		r, err := worktree.Find(filepath.Join(dir, "repo"))
		if err != nil || len(r.Trees) != 21 || r.Trees[20].Head == "" {
			b.Fatalf("%+v, error %v", r, err)
		}
	}
}
