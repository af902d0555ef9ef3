package samp

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// unreadableLog makes a log that cannot be opened, even by root, until again is called.
func unreadableLog(t *testing.T, d *Dir, name string) (again func()) {
	t.Helper()
	f, err := os.OpenFile(filepath.Join(d.Path(), name), os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	lease := func(kind int) {
		if _, err := unix.FcntlInt(f.Fd(), unix.F_SETLEASE, kind); err != nil {
			t.Fatal(err)
		}
	}
	lease(unix.F_WRLCK)
	return func() { lease(unix.F_UNLCK); f.Close() }
}

// TestPartial shows the mail of an unreadable log as soon as it can be read, although no log
// changed (rules N1 and N6).
func TestPartial(t *testing.T) {
	t.Run("N1/new mail", func(t *testing.T) {
		d := storeOf(t, map[string]string{"log-a.jsonl": lineOf("a", "me", "one", 100), "log-b.jsonl": lineOf("b", "me", "two", 200)})
		r := readerOf(t, d)
		again := unreadableLog(t, d, "log-b.jsonl")
		if m := r.shows([]string{"one"}, nil).Mail; len(m.Problems) != 1 || m.Problems[0].File != "log-b.jsonl" {
			t.Errorf("%+v", m.Problems)
		}
		r.shows(nil, nil)
		again()
		r.shows([]string{"two"}, nil)
		if !r.shows(nil, nil).Unchanged {
			t.Error("all was read, and is read again")
		}
	})
	t.Run("N6/mail before the mark", func(t *testing.T) {
		d := storeOf(t, map[string]string{"log-a.jsonl": lineOf("a", "me", "one", 100), "log-b.jsonl": lineOf("b", "me", "two", 50)})
		r := readerOf(t, d)
		again := unreadableLog(t, d, "log-b.jsonl")
		r.shows([]string{"one"}, nil)
		again()
		r.shows(nil, []string{"two"})
	})
}
