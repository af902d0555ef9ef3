package samp_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/core/samp"
	sampstore "github.com/signalbox-dev/signalbox/lsp/samp"
)

// TestWaiting counts what the default inbox shows, and writes nothing.
func TestWaiting(t *testing.T) {
	now := time.Unix(10_000, 0)
	line := func(ts int64, body string) string {
		r, err := samp.Build("ann", "bob", "t", body, ts, samp.V1)
		if err != nil {
			t.Fatal(err)
		}
		return string(r.Append(nil))
	}
	dir, state := t.TempDir(), t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	d, err := sampstore.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	var counts sampstore.NewCounts
	count := func(want int) {
		t.Helper()
		cached, err := counts.Count(t.Context(), d, "bob", samp.V1, now, state)
		if err != nil {
			t.Fatal(err)
		}
		list, err := d.Waiting(t.Context(), "bob", samp.V1, now, state)
		if n := len(list); err != nil || n != want || cached != want {
			t.Errorf("%d, kept %d, want %d, %v", n, cached, want, err)
		}
	}
	count(0)
	write("log-ann.jsonl", line(100, "one")+line(200, "two"))
	count(2)
	write(samp.WatermarkName("bob"), `{"ts": 150}`)
	count(1)

	// The logs are read again only if their signature changes.
	log := filepath.Join(dir, "log-ann.jsonl")
	info, err := os.Stat(log)
	if err != nil {
		t.Fatal(err)
	}
	write("log-ann.jsonl", strings.Repeat(" ", int(info.Size())-1)+"\n")
	if err := os.Chtimes(log, info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
	if n, err := counts.Count(t.Context(), d, "bob", samp.V1, now, state); n != 1 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	write("log-ann.jsonl", line(100, "one")+line(200, "two")+line(300, "three"))
	count(2)

	// Marks of single messages also count.
	own, err := sampstore.OpenReadState(state, d, "bob")
	if err != nil {
		t.Fatal(err)
	}
	mail, err := d.Inbox(t.Context(), "bob", samp.V1)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := own.Mark([]sampstore.Key{sampstore.KeyOf(&mail.Messages[2])}, true); err != nil {
		t.Fatal(err)
	}
	count(1)
	names, err := os.ReadDir(dir)
	if err != nil || len(names) != 2 {
		t.Errorf("counting left %v, %v", names, err)
	}
}
