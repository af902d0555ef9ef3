package samp_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/disk"
	sampstore "github.com/signalbox-dev/signalbox/lsp/samp"
)

// opened opens alice's log as any other program does.
func opened(t *testing.T, d *sampstore.Dir) *os.File {
	t.Helper()
	f, err := os.OpenFile(filepath.Join(d.Path(), "log-alice.jsonl"), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// TestCompactHeld does not change a log that a program has open for writing, and names the
// program: its later writes would be lost (C2).
func TestCompactHeld(t *testing.T) {
	if testing.Short() {
		t.Skip()
	}
	const (
		twice  = `{"id": "0011223344556677", "ts": 1, "from": "alice", "to": "bob", "thread": "t", "body": "a"}` + "\n"
		unsaid = `{"ts": 1, "from": "alice", "to": "bob", "thread": "t", "body": "a"}` + "\n"
	)
	for _, c := range []struct {
		name, log string
		refused   bool
	}{
		{"a duplicate", twice + twice, true},
		{"an id to fill in", unsaid, true},
		{"an id to fill in, and no line end", strings.TrimSuffix(unsaid, "\n"), true},
		{"a duplicate and a torn line", twice + twice + `{"id`, true},
		{"nothing to do", twice + "not json\n" + `{"id`, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := dirWith(t, c.log)
			writer := opened(t, d)
			logs, _, err := d.Logs()
			if err != nil {
				t.Fatal(err)
			}
			done, err := d.Compact(t.Context(), logs[0], samp.V1)
			held, refused := errors.AsType[*sampstore.HeldError](err)
			if refused != c.refused || !refused && err != nil || done.Rewritten {
				t.Fatalf("compacted: %+v, %v", done, err)
			}
			if refused && (len(held.Writers) != 1 || held.Writers[0].PID != os.Getpid()) {
				t.Errorf("held by %v", held.Writers)
			}
			if _, err := writer.WriteString("\nmore\n"); err != nil {
				t.Fatal(err)
			}
			if got := text(t, d); got != c.log+"\nmore\n" {
				t.Errorf("the log is %q", got)
			}
			if names, err := os.ReadDir(d.Path()); err != nil || len(names) != 1 {
				t.Errorf("left behind: %v, %v", names, err)
			}
			if !c.refused {
				return
			}
			done, err = d.CompactHeld(t.Context(), logs[0], samp.V1)
			if err != nil || !done.Rewritten || len(done.Writers) != 1 || done.Writers[0].PID != os.Getpid() {
				t.Errorf("by force: %+v, %v", done, err)
			}
			if got := text(t, d); !strings.HasSuffix(got, "more\n") || strings.Count(got, `"id": "`) != 1 {
				t.Errorf("by force the log is %q", got)
			}
		})
	}
}

// TestCompactWaits compacts a log as soon as a program that had it open closes it, including the
// program's writes. It does not wait for readers.
func TestCompactWaits(t *testing.T) {
	line := `{"id": "0011223344556677", "ts": 1, "from": "alice", "to": "bob", "thread": "t", "body": "a"}` + "\n"
	d := dirWith(t, line+line)
	reader, err := os.Open(filepath.Join(d.Path(), "log-alice.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	writer := opened(t, d)
	time.AfterFunc(50*time.Millisecond, func() {
		_, err := writer.WriteString("more\n")
		if err := errors.Join(err, writer.Close()); err != nil {
			t.Error(err)
		}
	})
	logs, _, err := d.Logs()
	if err != nil {
		t.Fatal(err)
	}
	done, err := d.Compact(t.Context(), logs[0], samp.V1)
	if err != nil || !done.Rewritten || len(done.Writers) > 0 {
		t.Errorf("compacted: %+v, %v", done, err)
	}
	if got := text(t, d); got != line+"more\n" {
		t.Errorf("the log is %q", got)
	}
}

// TestCompactWriters names a program that opened the log just before it was replaced.
func TestCompactWriters(t *testing.T) {
	line := `{"id": "0011223344556677", "ts": 1, "from": "alice", "to": "bob", "thread": "t", "body": "a"}` + "\n"
	plain := dirWith(t, line+line)
	late := &meanwhile{before: map[disk.Op]func(){disk.OpRename: func() { opened(t, plain) }}}
	d, err := sampstore.OpenOn(disk.Disk{Layer: late}, plain.Path())
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	logs, _, err := d.Logs()
	if err != nil {
		t.Fatal(err)
	}
	done, err := d.Compact(t.Context(), logs[0], samp.V1)
	if err != nil || !done.Rewritten || len(done.Writers) != 1 || done.Writers[0].PID != os.Getpid() || done.Writers[0].Name == "" {
		t.Errorf("compacted: %+v, %v", done, err)
	}
}
