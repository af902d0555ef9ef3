package worktree_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/lsp/worktree"
)

// changed lists changes as "status path kind".
func changed(t *testing.T, folder, branch string) (list []string) {
	t.Helper()
	git := worktree.Git{Env: os.Environ()}
	c, err := git.Changes(t.Context(), folder, branch)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range c.Files {
		list = append(list, fmt.Sprintf("%s %s %s", f.Status, f.Path, f.Kind))
	}
	return list
}

// TestChanges: a branch is compared with where it left the main branch, with what is not
// committed, and its tip alone from elsewhere.
func TestChanges(t *testing.T) {
	dir := newRepo(t, filepath.Join(sandbox(t), "repo"))
	write(t, filepath.Join(dir, "gone.txt"), "gone\n")
	git(t, dir, "add", "-A")
	git(t, dir, "commit", "-q", "-m", "second")
	side := filepath.Join(filepath.Dir(dir), "side")
	git(t, dir, "worktree", "add", "-q", "-b", "side", side)
	write(t, filepath.Join(side, "committed.txt"), "one\n")
	git(t, side, "rm", "-q", "gone.txt")
	git(t, side, "add", "-A")
	git(t, side, "commit", "-q", "-m", "third")
	// The main branch goes on, which is none of the side's changes.
	write(t, filepath.Join(dir, "later.txt"), "later\n")
	git(t, dir, "add", "-A")
	git(t, dir, "commit", "-q", "-m", "later")
	write(t, filepath.Join(side, "file.txt"), "other\n")
	write(t, filepath.Join(side, "wörter\nneu.txt"), "new\n")
	if err := os.Symlink("/etc/passwd", filepath.Join(side, "link")); err != nil {
		t.Fatal(err)
	}
	git(t, side, "add", "link")
	newRepo(t, filepath.Join(side, "nested"))
	want := []string{
		"added committed.txt ", "modified file.txt ", "deleted gone.txt ", "added link link", "added nested repository", "added wörter\nneu.txt ",
	}
	if diff := cmp.Diff(want, changed(t, side, "")); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"added committed.txt ", "deleted gone.txt "}, changed(t, dir, "side")); diff != "" {
		t.Error(diff)
	}
	// What was only touched has not changed.
	write(t, filepath.Join(dir, "file.txt"), "text\n")
	if list := changed(t, dir, ""); list != nil {
		t.Errorf("on the main branch: %q", list)
	}
	reader := worktree.Git{Env: os.Environ()}
	c, err := reader.Changes(t.Context(), filepath.Join(side), "")
	if err != nil || c.Main != "main" || c.Root != side {
		t.Fatalf("%+v, %v", c, err)
	}
	for most, want := range map[int64]error{5: nil, 4: worktree.ErrLarge} {
		text, err := reader.Blob(t.Context(), side, c.Files[1].Before, most)
		if !errors.Is(err, want) || err == nil && text != "text\n" {
			t.Errorf("at most %d: %q, %v", most, text, err)
		}
		if _, err := worktree.File(side, "committed.txt", most-1); !errors.Is(err, want) {
			t.Errorf("at most %d: %v", most-1, err)
		}
	}
	if _, err := worktree.File(side, "link", 100); err == nil {
		t.Error("a link was read")
	}
	if _, err := worktree.File(side, "../repo/file.txt", 100); err == nil {
		t.Error("a file elsewhere was read")
	}
}

// TestChangesBegin: before the first commit everything is new.
func TestChangesBegin(t *testing.T) {
	dir := filepath.Join(sandbox(t), "repo")
	write(t, filepath.Join(dir, "a.txt"), "a\n")
	write(t, filepath.Join(dir, "b.txt"), "b\n")
	git(t, dir, "init", "-q")
	git(t, dir, "add", "a.txt")
	if diff := cmp.Diff([]string{"added a.txt ", "added b.txt "}, changed(t, dir, "")); diff != "" {
		t.Error(diff)
	}
}

// TestChangesRunNothing: whatever the repository's configuration names, no program of its own
// runs.
func TestChangesRunNothing(t *testing.T) {
	dir := newRepo(t, filepath.Join(sandbox(t), "repo"))
	ran := filepath.Join(filepath.Dir(dir), "ran")
	program := filepath.Join(filepath.Dir(dir), "program")
	write(t, program, "#!/bin/sh\necho \"$0 $@\" >> '"+ran+"'\ncat\n")
	if err := os.Chmod(program, 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, ".gitattributes"), "* filter=bad diff=bad\n")
	for _, name := range []string{"filter.bad.clean", "filter.bad.smudge", "filter.bad.process", "diff.bad.textconv", "diff.bad.command", "diff.external", "core.fsmonitor", "core.pager"} {
		git(t, dir, "config", name, program)
	}
	hooks := filepath.Join(dir, ".git", "hooks")
	for _, name := range []string{"post-index-change", "fsmonitor-watchman", "reference-transaction"} {
		write(t, filepath.Join(hooks, name), "#!/bin/sh\necho hook >> '"+ran+"'\n")
		if err := os.Chmod(filepath.Join(hooks, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	write(t, filepath.Join(dir, "file.txt"), "other\n")
	reader := worktree.Git{Env: os.Environ()}
	c, err := reader.Changes(t.Context(), dir, "")
	if err != nil || len(c.Files) != 2 {
		t.Fatalf("%+v, %v", c, err)
	}
	if text, err := reader.Blob(t.Context(), dir, c.Files[1].Before, 100); err != nil || text != "text\n" {
		t.Errorf("%q, %v", text, err)
	}
	if ignored, err := reader.Ignored(t.Context(), dir, []string{"file.txt"}); err != nil || len(ignored) != 0 {
		t.Errorf("%q, %v", ignored, err)
	}
	if said, err := os.ReadFile(ran); err == nil {
		t.Errorf("it ran %s", said)
	}
}
