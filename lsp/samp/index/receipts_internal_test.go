package index

import (
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/disk/follow"
)

// TestReceiptsAreReported names the threads in which the reader wrote to somebody whose
// watermark changed, and no others.
func TestReceiptsAreReported(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	record := func(ts int64, from, to, thread string) string {
		r, err := samp.Build(from, to, thread, "text", ts, samp.V1)
		if err != nil {
			t.Fatal(err)
		}
		return string(r.Append(nil))
	}
	write("log-me.jsonl", record(1000, "me", "bob", "asked")+record(1001, "me", "carol", "other"))
	write("log-bob.jsonl", record(1002, "bob", "me", "asked")+record(1003, "bob", "me", "his own"))
	var changes []Change
	l := newLive(Config{Path: dir, Me: "me", StateDir: t.TempDir(), Logger: slog.New(slog.DiscardHandler), Changed: func(c Change) { changes = append(changes, c) }})
	s := source{Live: l}
	s.Look(t.Context(), follow.Todo{All: true})
	defer l.dir.Close()
	check := func(name string, want []Change, todo follow.Todo) {
		t.Helper()
		changes = nil
		s.Look(t.Context(), todo)
		for i := range changes {
			changes[i].Revision = 0
		}
		if diff := cmp.Diff(want, changes); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	for _, c := range []struct {
		name string
		want []Change
	}{
		{".seen-bob", []Change{{Read: true, Threads: []string{"asked"}}}},
		{".seen-me", nil},
		{".seen-nobody", nil},
		{".mtime-bob", nil},
	} {
		write(c.name, `{"ts": 1000}`)
		check(c.name, c.want, follow.Todo{Paths: []string{filepath.ToSlash(filepath.Join(dir, c.name))}})
	}
	// A look at everything finds, once, the changes that no event reported.
	everything := follow.Todo{All: true}
	check("nothing new", nil, everything)
	for _, c := range []struct{ name, text string }{{".seen-bob", `{"ts": 100000}`}, {".seen-carol", `{"ts": 1000}`}, {".seen-nobody", `{"ts": 100000}`}} {
		write(c.name, c.text)
	}
	both := []Change{{Read: true, Threads: []string{"asked", "other"}}}
	check("two marks", both, everything)
	check("the same", nil, everything)
	if err := os.Remove(filepath.Join(dir, ".seen-carol")); err != nil {
		t.Fatal(err)
	}
	check("one is gone", []Change{{Read: true, Threads: []string{"other"}}}, everything)
}
