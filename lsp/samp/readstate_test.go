package samp_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	sampstore "github.com/signalbox-dev/signalbox/lsp/samp"
)

// TestReadStateNames marks messages of every sender and id that a stranger can
// make, and finds just those marked, here and in another process.
func TestReadStateNames(t *testing.T) {
	d, err := sampstore.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	dir := t.TempDir()
	state := func() *sampstore.ReadState {
		s, err := sampstore.OpenReadState(dir, d, "bob")
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	mine, other := state(), state()
	victim := sampstore.Key{From: "alice", ID: "0123456789abcdef"}
	keys := []sampstore.Key{
		{From: "a:b", ID: "c"},
		{From: "a", ID: "b:d"},
		{From: "x\nr alice", ID: victim.ID},
		{From: "x", ID: "\nr alice:" + victim.ID},
		{From: `\`, ID: `\n`},
		{From: `\c`, ID: `\\n`},
		{From: "", ID: ""},
		{From: "a b", ID: "\\\n\\"},
		{From: "alice", ID: `\c:`},
	}
	// Marked one by one from two sides, nothing is lost between them.
	for i, k := range keys {
		by, watching := mine, other
		if i%2 == 1 {
			by, watching = other, mine
		}
		if _, err := by.Mark([]sampstore.Key{k}, true); err != nil {
			t.Fatal(err)
		}
		if got, err := watching.Mark(nil, true); err != nil || cmp.Diff([]sampstore.Key{k}, got) != "" {
			t.Errorf("the mark of %q arrives as %q, %v", k, got, err)
		}
	}
	for _, s := range []*sampstore.ReadState{mine, other, state()} {
		for _, k := range keys {
			if !s.Has(k) {
				t.Errorf("%q is marked and not found", k)
			}
		}
		if s.Has(victim) || s.Has(sampstore.Key{From: "a", ID: "b:c"}) || s.Has(sampstore.Key{From: "a:b", ID: "d"}) {
			t.Error("a name marked another's message")
		}
	}
}

// TestReadStateTorn appends behind a line that another process did not finish.
func TestReadStateTorn(t *testing.T) {
	d, err := sampstore.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	s, err := sampstore.OpenReadState(t.TempDir(), d, "bob")
	if err != nil {
		t.Fatal(err)
	}
	one, two := sampstore.Key{From: "alice", ID: "1"}, sampstore.Key{From: "alice", ID: "2"}
	if err := os.MkdirAll(filepath.Dir(s.Path()), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(s.Path(), []byte("r alice:1\ngarbage\nr nobody\nr alice:"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Mark([]sampstore.Key{two}, true); err != nil || !s.Has(one) || !s.Has(two) {
		t.Errorf("one read: %t, two read: %t, %v", s.Has(one), s.Has(two), err)
	}
	if s.Has(sampstore.Key{From: "alice", ID: "r alice"}) {
		t.Error("the torn line swallowed the next")
	}
}
