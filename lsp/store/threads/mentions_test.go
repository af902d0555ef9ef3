package threads

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/lsp/store/mention"
)

// TestMentions finds words in what agents wrote, whatever the size of the pages.
// ATSF M1, M5
func TestMentions(t *testing.T) {
	b := newReadBed(t)
	b.thread("p", "old", 1, said("m1", "see release"), said("release", "its own id"), "no json release", said("m3", `\nrelease and release`), said("m4", "release-2"))
	b.thread("p", "new", 2, said("m5", "x"), said("m6", "the release."))
	b.thread("p", "empty", 3)
	s := b.scan("p")
	word, _ := mention.Of("release")
	want := []string{"new:2:m6", "old:4:m3", "old:1:m1"}
	for _, limit := range []int{1, 2, 10} {
		var got []string
		pages := 0
		for at := (&MentionCursor{}); at != nil; pages++ {
			found, next, err := s.Mentions(t.Context(), word, *at, limit)
			if err != nil {
				t.Fatal(err)
			}
			for i := range found {
				m := &found[i]
				got = append(got, fmt.Sprintf("%s:%d:%s", m.Item.Name, m.Number, m.Message.ID))
				if string(m.Text) != "release" || len(m.Before) == 0 {
					t.Errorf("%q after %q", m.Text, m.Before)
				}
			}
			at = next
		}
		if diff := cmp.Diff(want, got); diff != "" || pages > 4 {
			t.Errorf("by %d, %d pages: %s", limit, pages, diff)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := s.Mentions(ctx, word, MentionCursor{}, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestBranch gives the threads of a branch: begun on it, or in a checkout of it.
func TestBranch(t *testing.T) {
	b := newReadBed(t)
	b.repo("p", "tree")
	b.git("tree", "checkout", "-q", "-b", "feature/x")
	b.thread("p", "one", 1)
	b.thread("tree", "two", 2)
	s := b.scan("p")
	for branch, want := range map[string]int{"feature/x": 1, "main": 1, "": 0, "feature": 0} {
		if got := s.Branch(branch, 9); len(got) != want {
			t.Errorf("%q has %d threads, want %d", branch, len(got), want)
		}
	}
}
