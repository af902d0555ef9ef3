package atsf

import (
	"context"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/lsp/worktree"
	projects "github.com/signalbox-dev/signalbox/lsp/worktree/project"
)

// TestRepositoryMoved: the threads of worktrees that are gone stay listed when the repository
// is renamed. ATSF X3
func TestRepositoryMoved(t *testing.T) {
	b := newReadFixture(t)
	b.repo("p", "one", "two")
	b.thread("p", "a", 1, said("m1", "x"))
	b.thread("one", "b", 2, said("m2", "y"))
	b.thread("two", "c", 3, said("m3", "z"))
	b.scan("p")
	r, err := worktree.Find(b.path("p"))
	if err != nil {
		t.Fatal(err)
	}
	state := b.config("p").StateDir
	if err := projects.At(state).Note(context.Background(), 1000, []projects.Seen{{Repository: r}}, nil); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"one", "two"} {
		b.git("p", "worktree", "remove", "--force", b.path(name))
	}
	b.scan("p")
	if err := os.Rename(b.path("p"), b.path("q")); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		s := b.scan("q")
		if diff := cmp.Diff([]string{"one/b gone", "q/a", "two/c gone"}, sorted(b.names(s))); diff != "" {
			t.Error(diff)
		}
		for i := range s.Folders {
			if f := &s.Folders[i]; f.Repository != s.Folders[0].Repository {
				t.Errorf("%q is listed as another repository's", f.Path)
			}
		}
	}
}
