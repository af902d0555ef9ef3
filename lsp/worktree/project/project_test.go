package project_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/lsp/worktree"
	"github.com/signalbox-dev/signalbox/lsp/worktree/project"
)

// repo makes what a repository's common directory needs to be one, made at a second.
func repo(t *testing.T, dir string, made int64) string {
	t.Helper()
	common := filepath.Join(dir, ".git")
	for _, err := range []error{
		os.MkdirAll(filepath.Join(common, "objects"), 0o700), os.MkdirAll(filepath.Join(common, "refs"), 0o700),
		os.WriteFile(filepath.Join(common, "HEAD"), []byte("ref: refs/heads/main\n"), 0o600),
		os.WriteFile(filepath.Join(common, "description"), nil, 0o600),
		os.Chtimes(filepath.Join(common, "description"), time.Time{}, time.Unix(made, 0)),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return common
}

func find(t *testing.T, dir string) worktree.Repository {
	t.Helper()
	r, err := worktree.Find(dir)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func note(t *testing.T, b *project.Book, now int64, r worktree.Repository, also ...project.Folder) {
	t.Helper()
	if err := b.Note(t.Context(), now, []project.Seen{{Repository: r, Also: also}}, nil); err != nil {
		t.Fatal(err)
	}
}

// TestBounds: what is remembered has an end, is private, and what was seen last is kept.
func TestBounds(t *testing.T) {
	dir, state := t.TempDir(), filepath.Join(t.TempDir(), "state")
	b := project.At(state)
	repo(t, filepath.Join(dir, "p"), 1)
	r := find(t, filepath.Join(dir, "p"))
	var many []project.Folder
	for i := range 600 {
		many = append(many, project.Folder{Path: filepath.Join(dir, fmt.Sprint("w", i)), Tree: fmt.Sprint(i)})
	}
	note(t, b, 1000, r, many...)
	note(t, b, 2000, r, project.Folder{Path: filepath.Join(dir, "last"), Tree: "last"})
	p := b.Of(&r)
	if _, ok := b.Holding(filepath.Join(dir, "last")); len(p.Folders) != 500 || !ok {
		t.Errorf("%d folders, %v", len(p.Folders), ok)
	}
	info, err := os.Stat(filepath.Join(state, "projects.cache"))
	if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

// TestNews: what is known is not written again.
func TestNews(t *testing.T) {
	dir, state := t.TempDir(), t.TempDir()
	b := project.At(state)
	repo(t, dir, 1)
	r := find(t, dir)
	note(t, b, 1000, r)
	file := filepath.Join(state, "projects.cache")
	before, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	note(t, project.At(state), 2000, r)
	r.Trees[0].Head = strings.Repeat("a", 40) // as after each commit
	note(t, b, 3000, r)
	if now, err := os.Stat(file); err != nil || !os.SameFile(before, now) {
		t.Errorf("written again: %v", err)
	}
	r.Trees[0].Branch = "next"
	note(t, b, 4000, r)
	if p := b.Of(&r); len(p.Folders) != 1 || p.Folders[0].Branch != "next" {
		t.Errorf("%+v", p)
	}
}

// TestDamaged: a file that is none, or holds what nobody wrote, is lost and written anew.
func TestDamaged(t *testing.T) {
	dir := t.TempDir()
	repo(t, dir, 1)
	r := find(t, dir)
	for _, text := range []string{
		"", "{", "\x00\x01", `{"projects":2}` + "\n" + `{"common":"/x"}`,
		`{"projects":1}` + "\n" + `{"common":"x"}` + "\nnonsense\n" + `{"common":"/x","folders":[{"path":"relative"}]}` + "\n" + `{"common":"/x\u0000"}`,
	} {
		state := t.TempDir()
		if err := os.WriteFile(filepath.Join(state, "projects.cache"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		b := project.At(state)
		if all := b.All(); len(all) > 0 {
			t.Errorf("%q: %+v", text, all)
		}
		note(t, b, 1000, r)
		if all := project.At(state).All(); len(all) != 1 || all[0].Common != r.CommonDir {
			t.Errorf("%q: %+v", text, all)
		}
	}
}

// TestWhich tells a repository that was moved from one that only looks like it.
func TestWhich(t *testing.T) {
	const seen = 5000 // milliseconds
	for _, c := range []struct {
		name        string
		made        int64 // of the second one, in seconds
		roots       string
		there, same bool
	}{
		{"moved", 1, "", false, true},
		{"copied", 1, "a", true, false},
		{"cloned anew later", 6, "a", false, true},
		{"a clone beside the lost one", 2, "a", false, false},
		{"of another beginning", 6, "b", false, false},
		{"moved by its time, of another beginning", 1, "b", false, false},
		{"not known", 6, "", false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir, b := t.TempDir(), project.At(t.TempDir())
			first, second := filepath.Join(dir, "first"), filepath.Join(dir, "second")
			common := repo(t, first, 1)
			roots := func(root string) project.Roots {
				return func(_ context.Context, _ string) []string { return strings.Fields(root) }
			}
			was := find(t, first)
			if err := b.Note(t.Context(), seen, []project.Seen{{Repository: was}}, roots("a")); err != nil {
				t.Fatal(err)
			}
			repo(t, second, c.made)
			if !c.there {
				if err := os.RemoveAll(common); err != nil {
					t.Fatal(err)
				}
			}
			now := find(t, second)
			if err := b.Note(t.Context(), 10_000, []project.Seen{{Repository: now}}, roots(c.roots)); err != nil {
				t.Fatal(err)
			}
			p := b.Of(&now)
			if same := len(p.Folders) == 2; same != c.same || same != (len(p.Was) == 1) {
				t.Errorf("%+v", p)
			}
			if n := len(b.All()); n == 1 != c.same {
				t.Errorf("%d projects", n)
			}
		})
	}
}
