package samp_test

import (
	"errors"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/disk"
	"github.com/signalbox-dev/signalbox/lsp/disk/ignorefile"
	sampstore "github.com/signalbox-dev/signalbox/lsp/samp"
)

// dirWith makes a directory with a log of alice.
func dirWith(t *testing.T, log string) *sampstore.Dir {
	t.Helper()
	d, err := sampstore.Create(filepath.Join(t.TempDir(), "mail"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	if err := os.WriteFile(filepath.Join(d.Path(), "log-alice.jsonl"), []byte(log), 0o600); err != nil {
		t.Fatal(err)
	}
	return d
}

// text returns the text of alice's log.
func text(t *testing.T, d *sampstore.Dir) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(d.Path(), "log-alice.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestCompactSweeps removes the unfinished file of a killed compaction of the log at once, and
// unfinished files of other writers only if they are old.
func TestCompactSweeps(t *testing.T) {
	const random = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	d := dirWith(t, "")
	put := func(name string, age time.Duration) {
		at := filepath.Join(d.Path(), disk.TempPrefix+name)
		then := time.Now().Add(-age)
		if err := os.WriteFile(at, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(at, then, then); err != nil {
			t.Fatal(err)
		}
	}
	put("log-alice.jsonl-"+random, 0)
	put("log-bob.jsonl-"+random, 0)
	put("log-carol.jsonl-"+random, 2*disk.Abandoned)
	put("log-alice.jsonl-x.jsonl-"+random, 0)
	put(random, 0)
	logs, _, err := d.Logs()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Compact(t.Context(), logs[0], samp.V1); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(d.Path())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, strings.TrimPrefix(e.Name(), disk.TempPrefix))
	}
	if want := random + " log-alice.jsonl-x.jsonl-" + random + " log-bob.jsonl-" + random + " log-alice.jsonl"; strings.Join(got, " ") != want {
		t.Errorf("there are %q", got)
	}
}

// made remembers the names of the files that are made in a folder.
type made struct {
	dir   string
	names map[string]bool
}

func (m *made) Do(c *disk.Change, do func() error) error {
	switch {
	case filepath.Dir(c.Path) != m.dir:
	case c.Op == disk.OpCreate:
		m.names[filepath.Base(c.Path)] = true
	case c.Op == disk.OpRename || c.Op == disk.OpLink:
		m.names[filepath.Base(c.To)] = true
	}
	return do()
}

// TestLocalFiles is rule S2: except for logs, every file that is created in a message directory
// is named in the rules for sync tools.
func TestLocalFiles(t *testing.T) {
	dir := t.TempDir()
	m := &made{filepath.Join(dir, "mail", "box"), map[string]bool{}}
	p := &post{disk: disk.Disk{Layer: m}, dir: dir, shown: map[string]bool{}}
	if err := preparePost(dir); err != nil {
		t.Fatal(err)
	}
	if err := p.open(); err != nil {
		t.Fatal(err)
	}
	defer p.close()
	for _, do := range []func() error{func() error { return p.send("alice", "hello", "1", postTime) }, p.read, p.compact} {
		if err := do(); err != nil {
			t.Fatal(err)
		}
	}
	temps := 0
	for name := range m.names {
		if strings.HasPrefix(name, disk.TempPrefix) {
			temps++
		}
		if _, ok := samp.LogStem(name); ok {
			continue
		}
		named := false
		for _, rule := range ignorefile.Messages(p.d.Path()).Ignore {
			match, err := path.Match(rule, name)
			named = named || match && err == nil
		}
		if !named {
			t.Errorf("S2: %s would be carried to other machines", name)
		}
	}
	if temps < 2 || !m.names[".log-alice.jsonl.lock"] {
		t.Errorf("the files made were %v", m.names)
	}
}

// TestCompactMuch copies all lines that a program appends meanwhile, however many, as whole lines.
func TestCompactMuch(t *testing.T) {
	line := `{"id": "0011223344556677", "ts": 1, "from": "alice", "to": "bob", "thread": "t", "body": "a"}` + "\n"
	more := strings.Repeat(strings.Repeat("x", 1_000_000)+"\n", 10) + strings.Repeat("y", 5_000_000) + "\n" + "torn"
	plain := dirWith(t, line+line)
	busy := &meanwhile{before: map[disk.Op]func(){disk.OpRename: func() {
		f, err := os.OpenFile(filepath.Join(plain.Path(), "log-alice.jsonl"), os.O_WRONLY|os.O_APPEND, 0)
		if err == nil {
			_, err = f.WriteString(more)
		}
		if err := errors.Join(err, f.Close()); err != nil {
			t.Error(err)
		}
	}}}
	d, err := sampstore.OpenOn(disk.Disk{Layer: busy}, plain.Path())
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	logs, _, err := d.Logs()
	if err != nil {
		t.Fatal(err)
	}
	if done, err := d.Compact(t.Context(), logs[0], samp.V1); err != nil || !done.Rewritten {
		t.Errorf("compacted: %+v, %v", done, err)
	}
	if got := text(t, d); got != line+more {
		t.Errorf("the log has %d bytes, want %d", len(got), len(line+more))
	}
}
