package atsf

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/lsp/disk/disktest"
)

// TestMovedAway has a program that opened the threads of a worktree write to them after
// the worktree was moved. It must not be told that this was stored. ATSF M4
func TestMovedAway(t *testing.T) {
	b := newReadFixture(t)
	b.repo("p", "tree")
	d, name := b.begin("tree")
	append1 := func() error { return d.Append(disktest.Within(t), name, words("", atsf.RoleUser, "late", -1)) }
	// One waits for the lock.
	w, err := d.openForWriting(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	waited := make(chan error, 1)
	go func() { waited <- append1() }()
	late := NewThread{Title: "late", Agent: atsf.Agent{ID: "a", Name: "A"}, Context: atsf.Context{WorkingDir: "/x"}}
	move := func(from, to string) {
		t.Helper()
		if err := os.Rename(b.path(from), b.path(to)); err != nil {
			t.Fatal(err)
		}
	}
	move("tree", "elsewhere")
	w.end()
	for what, err := range map[string]error{
		"wait":   <-waited,
		"append": append1(),
		"create": func() error { _, err := d.Create(late); return err }(),
	} {
		if !errors.Is(err, ErrGone) {
			t.Errorf("%s: %v", what, err)
		}
	}
	move("elsewhere", "tree")
	// All is as before.
	if err := append1(); err != nil {
		t.Error(err)
	}
	if n := strings.Count(b.read("tree", name, atsf.MessagesName), "late"); n != 1 {
		t.Errorf("%d messages that nobody was told of are stored", n-1)
	}
}
