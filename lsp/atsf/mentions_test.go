package atsf

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/atsf"
)

// TestBranch gives the threads of a branch: begun on it, or in a checkout of it.
func TestBranch(t *testing.T) {
	b := newReadFixture(t)
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

func (b *readFixture) hits(s *Snapshot, id string) (names []string) {
	b.t.Helper()
	found, err := s.FindMessage(b.t.Context(), id)
	if err != nil {
		b.t.Fatal(err)
	}
	for _, item := range found {
		names = append(names, item.Name)
	}
	return names
}

// TestFind finds messages in what was written before, since, and anew. ATSF Z6
func TestFind(t *testing.T) {
	b := newReadFixture(t)
	b.thread("p", "old", 1, said("m1", "x"), said("m2", "m3"), "no json", `{"id":"\u006d4"}`)
	b.thread("p", "fork", 2, said("m1", "x"), said("m3", "x"))
	b.thread("p", "empty", 3)
	b.write(b.meta("x", "X", 1), "p", atsf.DirName, atsf.ThreadsName, "no-log", atsf.ThreadName)
	s := b.scan("p")
	check := func(id string, want ...string) {
		t.Helper()
		if diff := cmp.Diff(want, b.hits(s, id)); diff != "" {
			t.Errorf("%q: %s", id, diff)
		}
	}
	check("m1", "fork", "old")
	check("m2", "old")
	check("m3", "fork")
	check("m4", "old")
	check("")
	check("no such id")
	b.appendTo("p", "old", said("m5", "x")+"\n"+said("m6", "torn"))
	check("m5", "old")
	check("m6")
	b.log("p", "old", said("n3", "x"))
	check("n3", "old")
	check("m2")
	b.removeAll("p/.agent/threads/fork")
	check("m3")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.FindMessage(ctx, "n3"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestFindForeign finds the last message of every foreign thread that may be
// read. ATSF V2
func TestFindForeign(t *testing.T) {
	b := newReadFixture(t)
	b.foreign("p")
	s := b.scan("p")
	for _, item := range s.Items {
		if refused(item.Fault) {
			continue
		}
		if got := b.hits(s, page1(t, s, item)); !slices.Contains(got, item.Name) || slices.Contains(got, "major-2") {
			t.Errorf("%s: %v", item.Name, got)
		}
	}
}

// TestEntry reads one line, and nothing of what is not there.
func TestEntry(t *testing.T) {
	b := newReadFixture(t)
	b.thread("p", "a", 1, said("m1", "x"))
	s := b.scan("p")
	k := Key{s.Items[0].Folder, "a"}
	e, err := s.Entry(t.Context(), k, Query{Around: "m1"})
	if err != nil || e.Number != 1 {
		t.Errorf("%+v %v", e, err)
	}
	if _, err := s.Entry(t.Context(), k, Query{}); !errors.Is(err, ErrCursor) {
		t.Error(err)
	}
	if _, err := s.Asset(k, "sha256-0123456789abcdef.png"); !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
	if _, err := s.Page(t.Context(), Key{"nowhere", "a"}, Query{}); !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
}
