//go:build unix

package worktree_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/lsp/worktree"
)

// wrapGit puts a script in front of git, which runs git after some lines of shell.
func wrapGit(t *testing.T, dir, lines string) {
	t.Helper()
	real, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	script(t, filepath.Join(dir, "bin", "git"), lines+"\nexec '"+real+"' \"$@\"")
	t.Setenv("PATH", filepath.Join(dir, "bin")+string(os.PathListSeparator)+os.Getenv("PATH"))
}

func script(t *testing.T, path, lines string) {
	t.Helper()
	write(t, path, "#!/bin/sh\n"+lines+"\n")
	if err := os.Chmod(path, 0o700); err != nil {
		t.Fatal(err)
	}
}

// ranNothing asks that no program of a repository left its mark.
func ranNothing(t *testing.T, mark, what string) {
	t.Helper()
	if text, err := os.ReadFile(mark); err == nil {
		t.Errorf("%s ran %q", what, text)
	}
	_ = os.Remove(mark)
}

// TestConfiguredHooks: hooks that the configuration names, as git 2.54 and later
// run them, are shown and turned off like those in files (ATSF Z11: consent). Of
// an older git only the command line can tell.
func TestConfiguredHooks(t *testing.T) {
	dir := sandbox(t)
	repo := newRepo(t, filepath.Join(dir, "repo"))
	log := filepath.Join(dir, "log")
	wrapGit(t, dir, `echo "$*" >> '`+log+`'`)
	for _, v := range [][2]string{
		{"hook.evil.event", "pre-commit"},
		{"hook.evil.event", "post-checkout"},
		{"hook.evil.command", "touch evil"},
		{"hook.two lines.event", "reference-transaction"},
		{"hook.two lines.command", "true\ntouch evil"},
		{"hook.other.event", "pre-commit"},
		{"hook.other.command", "touch other"},
	} {
		git(t, repo, "config", "--add", v[0], v[1])
	}
	git(t, repo, "config", "--global", "hook.mine.command", "touch mine")
	// lines are the command lines of one act that can run something.
	lines := func(t *testing.T, act func() error) []string {
		t.Helper()
		remove(t, log)
		if err := act(); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(log)
		if err != nil {
			t.Fatal(err)
		}
		list := slices.DeleteFunc(strings.Split(string(data), "\n"), func(l string) bool {
			return !strings.Contains(l, " worktree ") && !strings.Contains(l, " status ")
		})
		if len(list) == 0 {
			t.Fatalf("git was called with\n%s", data)
		}
		return list
	}
	off := []string{
		"hook.post-checkout.enabled=false", "hook.post-index-change.enabled=false", "hook.reference-transaction.enabled=false",
		"hook.evil.enabled=false", "hook.two lines.enabled=false", "hook.other.enabled=false", "hook.mine.enabled=false", "core.hooksPath=/dev/null",
	}
	var tree worktree.Tree
	for _, line := range lines(t, func() error { tree = add(t, repo, worktree.AddOptions{Name: "x"}); return nil }) {
		for _, option := range off {
			if !strings.Contains(line, "-c "+option+" ") {
				t.Errorf("%q lacks %q", line, option)
			}
		}
	}
	if tree.Path == "" {
		t.Error("nothing was made")
	}

	a, err := plan(t, repo, worktree.AddOptions{Name: "y", GitHooks: true})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"hook.evil.command = touch evil", `hook.two lines.command = "true\ntouch evil"`}
	if diff := gocmp.Diff(want, a.Hooks); diff != "" {
		t.Errorf("hooks: -want +got\n%s", diff)
	}
	for _, line := range lines(t, func() error { _, err := theGit().Add(context.Background(), &a); return err }) {
		if strings.Contains(line, "enabled=false") || !strings.Contains(line, "-c core.hooksPath="+filepath.Join(repo, ".git", "hooks")+" ") {
			t.Errorf("asked for, and turned off: %q", line)
		}
	}

	// What cannot be turned off by an option is not run.
	git(t, repo, "config", "hook.a=b.command", "touch evil")
	a, err = plan(t, repo, worktree.AddOptions{Name: "z"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := theGit().Add(context.Background(), &a); err == nil || !strings.Contains(err.Error(), `"hook.a=b.enabled"`) {
		t.Errorf("error %v", err)
	}
}

// TestRelativeHooks: asked for, the hooks that were shown run, and not those that
// the new worktree's commit brings along.
func TestRelativeHooks(t *testing.T) {
	dir := sandbox(t)
	repo := newRepo(t, filepath.Join(dir, "repo"))
	mark := filepath.Join(dir, "mark")
	script(t, filepath.Join(repo, "hooks", "post-index-change"), "echo evil >> '"+mark+"'")
	git(t, repo, "add", "-A")
	git(t, repo, "commit", "-q", "-m", "evil")
	remove(t, filepath.Join(repo, "hooks"))
	script(t, filepath.Join(repo, "hooks", "post-checkout"), "echo shown >> '"+mark+"'")
	git(t, repo, "config", "core.hooksPath", "hooks")
	a, err := plan(t, repo, worktree.AddOptions{Name: "x", GitHooks: true})
	if err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff([]string{filepath.Join(repo, "hooks", "post-checkout")}, a.Hooks); diff != "" {
		t.Errorf("hooks: -want +got\n%s", diff)
	}
	if _, err := theGit().Add(context.Background(), &a); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(mark); err != nil || string(text) != "shown\n" {
		t.Errorf("ran %q (%v)", text, err)
	}
}

// TestIncludes: files that the configuration reads on a condition can name what
// runs in the new worktree alone: they are shown, but not the user's own.
func TestIncludes(t *testing.T) {
	dir := sandbox(t)
	repo := newRepo(t, filepath.Join(dir, "repo"))
	git(t, repo, "config", "includeIf.onbranch:x.path", "evil")
	git(t, repo, "config", "--global", "includeIf.onbranch:x.path", "mine")
	a, err := plan(t, repo, worktree.AddOptions{Name: "x"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff([]string{"includeif.onbranch:x.path = evil"}, a.Includes); diff != "" {
		t.Errorf("includes: -want +got\n%s", diff)
	}
}

// TestPrograms: what a filter of the user's own runs because of the repository is
// shown too; where there is no filter, none of it runs.
func TestPrograms(t *testing.T) {
	dir := sandbox(t)
	repo := newRepo(t, filepath.Join(dir, "repo"))
	for _, v := range [][2]string{
		{"core.sshCommand", "evil"},
		{"core.askPass", "evil"},
		{"credential.helper", "evil"},
		{"credential.https://x.helper", "evil"},
		{"lfs.extension.x.smudge", "evil"},
		{"lfs.customtransfer.x.path", "evil"},
	} {
		git(t, repo, "config", v[0], v[1])
	}
	git(t, repo, "config", "--global", "credential.helper", "mine")
	a, err := plan(t, repo, worktree.AddOptions{Name: "x"})
	if err != nil || a.Programs != nil {
		t.Errorf("without a filter: %q, %v", a.Programs, err)
	}
	git(t, repo, "config", "--global", "filter.lfs.process", "git-lfs filter-process")
	if a, err = plan(t, repo, worktree.AddOptions{Name: "x"}); err != nil {
		t.Fatal(err)
	}
	slices.Sort(a.Programs)
	want := []string{
		"core.askpass = evil", "core.sshcommand = evil", "credential.helper = evil", "credential.https://x.helper = evil",
		"lfs.customtransfer.x.path = evil", "lfs.extension.x.smudge = evil",
	}
	if diff := gocmp.Diff(want, a.Programs); diff != "" {
		t.Errorf("programs: -want +got\n%s", diff)
	}
}

// TestAddFetchesNothing: a partial clone may lack the files of a new worktree.
// Fetching them would run what its configuration names, and is left to git.
func TestAddFetchesNothing(t *testing.T) {
	for name, env := range map[string]string{"git": "", "an older git": "unset GIT_NO_LAZY_FETCH"} {
		for _, hooks := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				dir := sandbox(t)
				source := newRepo(t, filepath.Join(dir, "source"))
				git(t, source, "config", "uploadpack.allowFilter", "true")
				git(t, dir, "clone", "-q", "--no-checkout", "--filter=blob:none", "file://"+source, "repo")
				repo, mark := filepath.Join(dir, "repo"), filepath.Join(dir, "mark")
				script(t, filepath.Join(dir, "ssh"), "echo ssh >> '"+mark+"'; exit 1")
				git(t, repo, "config", "core.sshCommand", filepath.Join(dir, "ssh"))
				git(t, repo, "config", "remote.origin.url", "host.invalid:x")
				git(t, repo, "config", "protocol.ssh.allow", "always")
				wrapGit(t, dir, env)
				a, err := plan(t, repo, worktree.AddOptions{Name: "x", GitHooks: hooks})
				if err != nil || !a.Partial {
					t.Fatalf("partial: %v, error %v", a.Partial, err)
				}
				if _, err := theGit().Add(context.Background(), &a); err == nil || !strings.Contains(err.Error(), `"git fetch --refetch --no-filter"`) {
					t.Errorf("error %v", err)
				}
				ranNothing(t, mark, "adding")
				// git itself would have.
				_ = exec.Command("git", "-C", repo, "worktree", "add", "../y").Run()
				if _, err := os.Stat(mark); err != nil {
					t.Error("git runs nothing here, and this test shows nothing")
				}
			})
		}
	}
}
