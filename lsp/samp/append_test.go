package samp_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/signalbox-dev/signalbox/core/samp"
	sampstore "github.com/signalbox-dev/signalbox/lsp/samp"
)

func open(t *testing.T, path string) *sampstore.Dir {
	t.Helper()
	d, err := sampstore.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	return d
}

func compose(t *testing.T, from, to, body string) *samp.Record {
	t.Helper()
	r, err := sampstore.Compose(time.Unix(1_777_075_200, 0), samp.V1, from, to, "", body)
	if err != nil {
		t.Fatal(err)
	}
	return &r
}

// TestAppend writes one line, only to the sender's own log, and makes directory and log private:
// W1, L4.
func TestAppend(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a", "mail")
	d := open(t, path)
	r := compose(t, "bob", "alice", "hello")
	log, err := d.Append(r)
	if err != nil {
		t.Fatal(err)
	}
	if want := filepath.Join(path, "log-bob.jsonl"); log != want {
		t.Errorf("W1: wrote %s, want %s", log, want)
	}
	data, err := os.ReadFile(log)
	if err != nil || string(data) != string(r.Append(nil)) {
		t.Errorf("W1: log holds %q, %v", data, err)
	}
	if runtime.GOOS == "windows" {
		return // Modes say nothing there.
	}
	for name, want := range map[string]os.FileMode{path: 0o700, log: 0o600} {
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != want {
			t.Errorf("W1: %s has mode %v, want %v (%v)", name, info.Mode(), want, err)
		}
	}
}

// TestAppendShared lets a group read where the directory is shared: W1.
func TestAppendShared(t *testing.T) {
	if runtime.GOOS == "windows" {
		return // Modes say nothing there.
	}
	path := t.TempDir()
	if err := os.Chmod(path, 0o770); err != nil {
		t.Fatal(err)
	}
	log, err := open(t, path).Append(compose(t, "bob", "alice", "hello"))
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(log); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("W1: mode %v, want 0640 (%v)", info.Mode(), err)
	}
}

// TestAppendTorn puts a line end before a record if the log's last line is
// unfinished, so that only that line is lost: W3.
func TestAppendTorn(t *testing.T) {
	for _, c := range []struct{ name, before, want string }{
		{"W3/torn", `{"id": "x", "ts"`, `{"id": "x", "ts"` + "\n"},
		{"W3/whole but open", `{"a": 1}`, "{\"a\": 1}\n"},
		{"W3/ended", "{}\n", "{}\n"},
		{"W3/empty", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := open(t, t.TempDir())
			log := filepath.Join(d.Path(), "log-bob.jsonl")
			if err := os.WriteFile(log, []byte(c.before), 0o600); err != nil {
				t.Fatal(err)
			}
			r := compose(t, "bob", "alice", "hello")
			if _, err := d.Append(r); err != nil {
				t.Fatal(err)
			}
			got, err := os.ReadFile(log)
			if want := c.want + string(r.Append(nil)); err != nil || string(got) != want {
				t.Errorf("log holds %q, want %q (%v)", got, want, err)
			}
		})
	}
}

// TestAppendTogether has several processes write under one alias: W2. The test
// binary also runs as the other processes.
func TestAppendTogether(t *testing.T) {
	const processes, each = 4, 50
	if dir := os.Getenv("SIGNALBOX_TEST_APPEND"); dir != "" {
		d, err := sampstore.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		for i := range each {
			body := fmt.Sprintf("%s of process %d ", strings.Repeat("long ", 2000), os.Getpid())
			r := compose(t, "bob", "alice", body+fmt.Sprint(i))
			if _, err := d.Append(r); err != nil {
				t.Fatal(err)
			}
		}
		return
	}
	dir := t.TempDir()
	var wg sync.WaitGroup
	for range processes {
		wg.Go(func() {
			cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestAppendTogether$")
			cmd.Env = append(os.Environ(), "SIGNALBOX_TEST_APPEND="+dir)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
	wg.Wait()
	mail, err := open(t, dir).Inbox(t.Context(), "alice", samp.V1)
	if err != nil || len(mail.Messages) != processes*each || mail.Malformed != 0 {
		t.Errorf("W2: %d messages and %d malformed lines, want %d and none (%v)", len(mail.Messages), mail.Malformed, processes*each, err)
	}
}

// TestAppendRefused writes nothing under a name that may not have a log, nor to a file that isn't
// regular: L2, L5.
func TestAppendRefused(t *testing.T) {
	d := open(t, t.TempDir())
	if err := os.WriteFile(filepath.Join(d.Path(), "log-Bob.jsonl"), []byte(line(1, "Bob", "eve", "t", "hello")), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, alias := range []string{"", "../x", "a/b", "CON", "nul.txt", "dot.", strings.Repeat("a", 65), "bob", "-x"} {
		if err := d.CheckWriter(alias); err == nil {
			t.Errorf("L2: %q may write", alias)
		}
	}
	for _, alias := range []string{"Bob", "alice", strings.Repeat("a", 64), "0"} {
		if err := d.CheckWriter(alias); err != nil {
			t.Errorf("L2: %q may not write: %v", alias, err)
		}
	}
	outside := filepath.Join(t.TempDir(), "outside")
	if err := os.WriteFile(outside, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for alias, put := range map[string]func(string) error{
		"link":     func(p string) error { return os.Symlink(outside, p) },
		"dangling": func(p string) error { return os.Symlink(outside+"2", p) },
		"folder":   func(p string) error { return os.Mkdir(p, 0o700) },
	} {
		if err := put(filepath.Join(d.Path(), samp.LogName(alias))); err != nil {
			t.Fatal(err)
		}
		if _, err := d.Append(compose(t, alias, "alice", "x")); err == nil {
			t.Errorf("L5: %s was written to", alias)
		}
	}
	if data, err := os.ReadFile(outside); err != nil || len(data) != 0 {
		t.Errorf("L5: a symlink was followed: %q", data)
	}
	if _, err := os.Lstat(outside + "2"); err == nil {
		t.Error("L5: a dangling symlink was followed")
	}
	logs, problems, err := d.Logs()
	if err != nil || len(logs) != 1 || len(problems) != 3 {
		t.Errorf("L5: %v, %v, %v", logs, problems, err)
	}
}

// TestInboxSegments reads logs that are larger than a segment and lines that
// are larger than a buffer as a simple reader does.
func TestInboxSegments(t *testing.T) {
	d := open(t, t.TempDir())
	var data bytes.Buffer
	want := 0
	for i := 0; data.Len() < 20<<20; i++ {
		n := 100
		switch i % 1000 {
		case 500:
			n = 300_000
		case 999:
			n = 9 << 20
		}
		r := samp.Record{TS: int64(i), From: "alice", To: "bob", Thread: "t", Body: strings.Repeat("x", n) + fmt.Sprint(i)}
		r.ID = fmt.Sprint(i)
		data.Write(r.Append(nil))
		want++
	}
	if err := os.WriteFile(filepath.Join(d.Path(), "log-alice.jsonl"), bytes.TrimSuffix(data.Bytes(), []byte("\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	mail, err := d.Inbox(t.Context(), "bob", samp.V1)
	if err != nil || len(mail.Messages) != want || mail.Malformed != 0 {
		t.Fatalf("%d messages, want %d; %d malformed; %v", len(mail.Messages), want, mail.Malformed, err)
	}
	for i, m := range mail.Messages {
		if m.TS != int64(i) || !strings.HasSuffix(m.Body, fmt.Sprint(i)) {
			t.Fatalf("message %d is %d", i, m.TS)
		}
	}
}

// TestSignature never reports a changed directory as unchanged: N1.
func TestSignature(t *testing.T) {
	d := open(t, t.TempDir())
	log := filepath.Join(d.Path(), "log-alice.jsonl")
	old := time.Unix(1_700_000_000, 0)
	put := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(name, old, old); err != nil {
			t.Fatal(err)
		}
	}
	look := func() sampstore.Signature {
		t.Helper()
		s, err := d.Signature()
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	put(log, line(1, "alice", "bob", "t", "one"))
	if err := d.SetWatermark("bob", samp.Watermark{TS: 1}); err != nil {
		t.Fatal(err)
	}
	if err := d.SaveSignature("bob", look()); err != nil {
		t.Fatal(err)
	}
	if !d.Unchanged("bob", look()) {
		t.Error("N1: nothing changed and it is not seen")
	}
	put(log, line(1, "alice", "bob", "t", "one")+line(1, "alice", "bob", "t", "two"))
	if d.Unchanged("bob", look()) {
		t.Error("N1: an append within one tick of the clock is missed")
	}
	if err := d.SaveSignature("bob", look()); err != nil {
		t.Fatal(err)
	}
	put(filepath.Join(d.Path(), "log-carol.jsonl"), "")
	if d.Unchanged("bob", look()) {
		t.Error("N1: a new log is missed")
	}
	for _, cache := range []string{`{"max_mtime": 1700000000.0, "files": 2}`, fmt.Sprintf(`{"max_mtime": 1700000000.0, "files": 2, "size": %d}`, look().Size)} {
		if err := os.WriteFile(filepath.Join(d.Path(), ".mtime-bob"), []byte(cache), 0o600); err != nil {
			t.Fatal(err)
		}
		if d.Unchanged("bob", look()) {
			t.Errorf("N1: a cache that says nothing of each log is trusted: %s", cache)
		}
	}
	// Carol's log shrinks by as much as dave's grows, and its time is newer than his.
	put(filepath.Join(d.Path(), "log-carol.jsonl"), strings.Repeat("\n", 500))
	put(filepath.Join(d.Path(), "log-dave.jsonl"), "")
	if err := d.SaveSignature("bob", look()); err != nil {
		t.Fatal(err)
	}
	before, news := look(), line(2, "dave", "bob", "t", "news")
	put(filepath.Join(d.Path(), "log-carol.jsonl"), strings.Repeat("\n", 500-len(news)))
	put(filepath.Join(d.Path(), "log-dave.jsonl"), news)
	if now := look(); now.Size != before.Size || now.Mtime != before.Mtime || d.Unchanged("bob", now) {
		t.Error("N1: one log's time and length hide another's mail")
	}
}

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func line(ts int64, from, to, thread, body string) string {
	r, err := samp.Build(from, to, thread, body, ts, samp.V1)
	if err != nil {
		panic(err)
	}
	return string(r.Append(nil))
}
