package threads

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/atsf"
)

func (b *readBed) hits(f *finder, s *Snapshot, id string) (names []string) {
	b.t.Helper()
	found, err := f.find(b.t.Context(), s, id)
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
	b := newReadBed(t)
	b.thread("p", "old", 1, said("m1", "x"), said("m2", "m3"), "no json", `{"id":"\u006d4"}`)
	b.thread("p", "fork", 2, said("m1", "x"), said("m3", "x"))
	b.thread("p", "empty", 3)
	b.write(b.meta("x", "X", 1), "p", atsf.DirName, atsf.ThreadsName, "no-log", atsf.ThreadName)
	s := b.scan("p")
	f := newFinder()
	check := func(id string, want ...string) {
		t.Helper()
		if diff := cmp.Diff(want, b.hits(f, s, id)); diff != "" {
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
	b.appendTo("p", "old", "\n")
	check("m6", "old")
	check("m1", "fork", "old")
	// Written anew and longer: what was read of it no longer counts.
	b.log("p", "old", said("n1", "x"), said("n2", strings.Repeat("x", 2000)))
	check("m2")
	check("n2", "old")
	b.log("p", "old", said("n3", "x"))
	check("n3", "old")
	check("n1")
	b.removeAll("p/.agent/threads/fork")
	check("m3")
	s = b.scan("p")
	check("m3")
	for k := range f.logs {
		if k.Name == "fork" {
			t.Error("a removed thread is remembered")
		}
	}
}

// TestFindForeign finds the last message of every foreign thread that may be
// read. ATSF V2
func TestFindForeign(t *testing.T) {
	b := newReadBed(t)
	b.foreign("p")
	s := b.scan("p")
	f := newFinder()
	for _, item := range s.Items {
		if refused(item.Fault) {
			continue
		}
		if got := b.hits(f, s, page1(t, s, item)); !slices.Contains(got, item.Name) || slices.Contains(got, "major-2") {
			t.Errorf("%s: %v", item.Name, got)
		}
	}
}

// TestFindBounds holds the bounds on what one search reads and on what is
// remembered.
func TestFindBounds(t *testing.T) {
	b := newReadBed(t)
	for i := range 5 {
		b.thread("p", fmt.Sprint("t", i), i, manySaid(50)...)
		b.appendTo("p", fmt.Sprint("t", i), said(fmt.Sprint("last", i), "x")+"\n")
	}
	s := b.scan("p")
	f := newFinder()
	f.budget = 7 << 10
	rounds := 0
	for {
		rounds++
		if got := b.hits(f, s, "last0"); len(got) > 0 {
			break
		}
		if rounds > 20 {
			t.Fatal("the search does not go on")
		}
	}
	if rounds < 3 {
		t.Errorf("%d rounds", rounds)
	}
	f = newFinder()
	f.limit = 120
	for range 3 {
		for i := range 5 {
			if got := b.hits(f, s, fmt.Sprint("last", i)); len(got) != 1 {
				t.Errorf("last%d: %v", i, got)
			}
		}
		if got := b.hits(f, s, "m49"); len(got) != 5 {
			t.Errorf("m49: %v", got)
		}
		held := 0
		for _, list := range f.logs {
			held += len(list.ids)
		}
		if held != f.held || held > f.limit {
			t.Errorf("%d ids are held, and %d counted", held, f.held)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := newFinder().find(ctx, s, "m1"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestFindLive searches through the live store.
func TestFindLive(t *testing.T) {
	b := newReadBed(t)
	b.thread("p", "a", 1, said("m1", "x"))
	l := b.follow("p")
	s := l.live.Snapshot()
	found, err := l.live.FindMessage(t.Context(), s, "m1")
	if err != nil || len(found) != 1 {
		t.Fatalf("%+v %v", found, err)
	}
	k := Key{found[0].Folder, found[0].Name}
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
