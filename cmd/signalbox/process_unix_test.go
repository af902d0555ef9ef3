//go:build unix

package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/signalbox-dev/signalbox/core/samp"
)

// command prepares the program as a process of its own, reading as bob.
func command(t *testing.T, dir string, args ...string) *exec.Cmd {
	t.Helper()
	path, err := exec.LookPath("signalbox")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, args...)
	cmd.Dir = t.TempDir()
	cmd.Env = append(os.Environ(), "AGENT_MESSAGE_DIR="+dir, "SIGNALBOX_AS=bob", "SIGNALBOX_STATE_DIR="+filepath.Join(cmd.Dir, "state"), "TZ=UTC")
	return cmd
}

func record(from, to, body string, ts int64) []byte {
	r := samp.Record{TS: ts, From: from, To: to, Thread: "t", Body: body}
	r.ID = samp.ID(&r, samp.V1)
	return r.Append(nil)
}

func appendTo(t *testing.T, path string, data []byte) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Write(data); err != nil {
		t.Fatal(err)
	}
}

// following is a running tail.
type following struct {
	t        *testing.T
	cmd      *exec.Cmd
	out, err *bufio.Scanner
	log      func(stem string) string
}

// follow starts a tail of bob's mail and waits until it follows.
func follow(t *testing.T, dir string) *following {
	t.Helper()
	f := start(t, dir, "tail")
	f.says(f.err, "waiting for messages")
	return f
}

func start(t *testing.T, dir string, args ...string) *following {
	t.Helper()
	cmd := command(t, dir, args...)
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill() })
	return &following{
		t, cmd, bufio.NewScanner(stdout), bufio.NewScanner(stderr),
		func(stem string) string { return filepath.Join(dir, samp.LogName(stem)) },
	}
}

// says waits for the next line, which must hold a text.
func (f *following) says(s *bufio.Scanner, want string) {
	f.t.Helper()
	if !s.Scan() {
		f.t.Fatalf("ended before it said %q: %v", want, s.Err())
	}
	if !strings.Contains(s.Text(), want) {
		f.t.Fatalf("said %q, want %q", s.Text(), want)
	}
}

// TestTail follows logs that grow, appear, are truncated, replaced and
// rewritten, shows each message once, and ends with 0 on a signal (rule C1).
func TestTail(t *testing.T) {
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		t.Run(signal.String(), func(t *testing.T) {
			dir := t.TempDir()
			old := record("alice", "bob", "was there", 1)
			appendTo(t, filepath.Join(dir, "log-alice.jsonl"), old)
			f := follow(t, dir)
			appendTo(t, f.log("alice"), record("alice", "dora", "not for me", 2))
			appendTo(t, f.log("alice"), record("alice", "bob", "grown", 2))
			f.says(f.out, ": grown")
			appendTo(t, f.log("carol"), record("carol", "bob", "new log", 3))
			f.says(f.out, "from=carol thread=t: new log")

			// Half a line is shown when it is whole.
			line := record("carol", "bob", "in two writes", 4)
			appendTo(t, f.log("carol"), line[:20])
			appendTo(t, f.log("alice"), record("alice", "bob", "meanwhile", 4))
			f.says(f.out, "meanwhile")
			appendTo(t, f.log("carol"), line[20:])
			f.says(f.out, "in two writes")

			// Truncated and written anew: only what is new.
			if err := os.WriteFile(f.log("alice"), append(bytes.Clone(old), record("alice", "bob", "after truncation", 5)...), 0o600); err != nil {
				t.Fatal(err)
			}
			f.says(f.out, "after truncation")

			// Replaced by a rename, as compaction does it.
			tmp := filepath.Join(dir, "tmp")
			if err := os.WriteFile(tmp, append(record("carol", "bob", "replaced", 6), line...), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Rename(tmp, f.log("carol")); err != nil {
				t.Fatal(err)
			}
			f.says(f.out, "replaced")

			// A record that may be forged is announced, not shown.
			appendTo(t, f.log("mallory"), record("alice", "bob", "forged", 7))
			f.says(f.err, "message in log-mallory may be forged and is not shown: it claims to be from alice")
			appendTo(t, f.log("alice"), record("alice", "bob", "the end", 8))
			f.says(f.out, "the end")

			if err := f.cmd.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			rest, _ := io.ReadAll(f.rest())
			if err := f.cmd.Wait(); err != nil {
				t.Errorf("tail ended with %v", err)
			}
			if len(rest) > 0 {
				t.Errorf("said more: %q", rest)
			}
			if _, err := os.Stat(filepath.Join(dir, ".seen-bob")); !os.IsNotExist(err) {
				t.Errorf("tail moved the mark: %v", err)
			}
		})
	}
}

// rest gives what stdout still holds.
func (f *following) rest() io.Reader {
	var b bytes.Buffer
	for f.out.Scan() {
		b.WriteString(f.out.Text() + "\n")
	}
	return &b
}

// TestTailOfNothingYet waits for a directory, and then all in it is new.
func TestTailOfNothingYet(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "later")
	f := start(t, dir, "tail", "--all", "--json")
	f.says(f.err, "does not exist yet")
	if out, err := command(t, dir, "send", "dora", "first").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	f.says(f.out, `"body":"first"`)
	if err := f.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := f.cmd.Wait(); err != nil {
		t.Error(err)
	}
}

// TestBrokenPipe loses no mail: who closed the pipe has not read it (rule N3).
func TestBrokenPipe(t *testing.T) {
	dir := t.TempDir()
	for i := range 2000 {
		appendTo(t, filepath.Join(dir, "log-alice.jsonl"), record("alice", "bob", strings.Repeat("x", 100), int64(i)))
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	cmd := command(t, dir, "inbox")
	var stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = w, &stderr
	err = cmd.Run()
	w.Close()
	if err == nil || stderr.Len() > 0 {
		t.Errorf("ended with %v and said %q", err, stderr.String())
	}
	for _, name := range []string{".seen-bob", ".mtime-bob"} {
		if _, err := os.Stat(filepath.Join(dir, name)); !os.IsNotExist(err) {
			t.Errorf("%s was written: %v", name, err)
		}
	}
	out, err := command(t, dir, "inbox").Output()
	if err != nil || !bytes.Contains(out, []byte("2000 new from: alice")) {
		t.Errorf("the mail was lost: %v", err)
	}
}

// peakMemory is a finished process's largest size, in bytes.
func peakMemory(cmd *exec.Cmd) int64 {
	peak := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss
	if rssInKilobytes {
		peak <<= 10
	}
	return int64(peak)
}

// TestManyLogs reads a directory of 10,000 logs with few open files.
func TestManyLogs(t *testing.T) {
	if testing.Short() {
		t.Skip()
	}
	dir := t.TempDir()
	for i := range 10_000 {
		from := fmt.Sprintf("w%d", i)
		to := "dora"
		if i%100 == 0 {
			to = "bob"
		}
		if err := os.WriteFile(filepath.Join(dir, samp.LogName(from)), record(from, to, "hi", int64(i)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"inbox"}, "100 new from: w0, w100, "},
		{[]string{"inbox"}, "no new messages\n"},
		{[]string{"inbox", "raw"}, `"from": "w9900"`},
		{[]string{"validate"}, "10000 logs, 10000 records"},
	} {
		cmd := command(t, dir, c.args...)
		out, err := cmd.Output()
		if err != nil || !bytes.Contains(out, []byte(c.want)) {
			t.Errorf("%v: %v\n%.300s", c.args, err, out)
		}
		if peak := peakMemory(cmd); peak > shadow*(64<<20) {
			t.Errorf("%v took %d MB", c.args, peak>>20)
		}
	}
}

// TestConcurrentSend loses nothing of several processes under one alias (rule
// W2).
func TestConcurrentSend(t *testing.T) {
	dir := t.TempDir()
	const senders, each = 8, 5
	failed := make(chan error, senders)
	for s := range senders {
		cmds := make([]*exec.Cmd, each)
		for i := range cmds {
			cmds[i] = command(t, dir, "send", "bob", fmt.Sprintf("from %d, number %d", s, i))
		}
		go func() {
			var err error
			for _, cmd := range cmds {
				err = errors.Join(err, cmd.Run())
			}
			failed <- err
		}()
	}
	for range senders {
		if err := <-failed; err != nil {
			t.Error(err)
		}
	}
	out, err := command(t, dir, "validate").Output()
	if want := fmt.Sprintf("1 log, %d records (ids: %[1]d spaced (v1)), 0 malformed lines, 0 violations", senders*each); err != nil || !bytes.Contains(out, []byte(want)) {
		t.Errorf("%v: %s", err, out)
	}
}
