package amp

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// The environment that makes the test binary a sender.
const (
	envRoot   = "SIGNALBOX_TEST_MAILBOX_ROOT"
	envFrom   = "SIGNALBOX_TEST_MAILBOX_FROM"
	envTo     = "SIGNALBOX_TEST_MAILBOX_TO"
	envStamps = "SIGNALBOX_TEST_MAILBOX_STAMPS"
)

// TestSenderProcess tests nothing itself: the processes of [TestSenderProcesses] run it. It
// waits for a line and then sends a message for each stamp.
func TestSenderProcess(t *testing.T) {
	root := os.Getenv(envRoot)
	if root == "" {
		return
	}
	d := &writeFixture{t: t, root: root, now: time.UnixMilli(1_795_249_958_000)}
	// The test's own limit ends what hangs; a busy machine must not.
	ctx, cancel := context.WithTimeout(t.Context(), 8*time.Minute)
	defer cancel()
	fmt.Println("ready")
	_, _ = bufio.NewReader(os.Stdin).ReadString('\n')
	b := d.box(os.Getenv(envFrom))
	for stamp := range strings.SplitSeq(os.Getenv(envStamps), ",") {
		if err := d.sendStamped(ctx, b, os.Getenv(envTo), stamp); err != nil {
			fmt.Println("failed", err)
			return
		}
	}
	fmt.Println("done")
}

// sendStamped sends a message with the file a.txt.
func (d *writeFixture) sendStamped(ctx context.Context, b *Box, to, stamp string) error {
	snap, err := Scan(ctx, d.root)
	if err != nil {
		return err
	}
	st, err := ParseStamp(stamp)
	if err != nil {
		return err
	}
	p, err := b.Prepare(ctx, snap, Letter{To: address(to), Subject: "s", Text: "x", Files: []string{d.file("../a.txt")}}, st)
	if err != nil {
		return err
	}
	_, err = b.Send(ctx, p, d.now)
	return err
}

// sender starts a process that is ready.
func (d *writeFixture) sender(from, to string, stamps []string) (cmd *exec.Cmd, in io.Writer, out *bufio.Reader) {
	d.t.Helper()
	cmd = exec.CommandContext(d.t.Context(), os.Args[0], "-test.run=^TestSenderProcess$")
	cmd.Env = append(os.Environ(), envRoot+"="+d.root, envFrom+"="+from, envTo+"="+to, envStamps+"="+strings.Join(stamps, ","), "GOMAXPROCS=1")
	pipe, err := cmd.StdoutPipe()
	if err == nil {
		in, err = cmd.StdinPipe()
	}
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		d.t.Fatal(err)
	}
	out = bufio.NewReader(pipe)
	if line, err := out.ReadString('\n'); line != "ready\n" {
		d.t.Fatalf("%q %v", line, err)
	}
	return cmd, in, out
}

// TestSenderProcesses lets processes send to each other at once, and the same message several
// times: each arrives once.
func TestSenderProcesses(t *testing.T) {
	if testing.Short() {
		t.Skip()
	}
	d := newWriteFixture(t)
	d.put("../a.txt", strings.Repeat("a", 100_000))
	many := func() (stamps []string) {
		for range 5 {
			stamps = append(stamps, NewStamp(d.now).String())
		}
		return stamps
	}
	same := many()[:1]
	var ends []func()
	var starts []io.Writer
	for _, c := range []struct {
		from, to string
		stamps   []string
	}{
		{"alice", "bob", many()},
		{"alice", "bob", many()},
		{"bob", "alice", many()},
		{"bob", "bob", many()},
		{"alice", "bob", same},
		{"alice", "bob", same},
	} {
		cmd, in, out := d.sender(c.from, c.to, c.stamps)
		starts = append(starts, in)
		ends = append(ends, func() {
			line, _ := out.ReadString('\n')
			_, _ = io.Copy(io.Discard, out)
			if err := cmd.Wait(); err != nil || line != "done\n" {
				t.Errorf("from %s to %s: %q %v", c.from, c.to, line, err)
			}
		})
	}
	for _, in := range starts {
		_, _ = io.WriteString(in, "\n")
	}
	for _, end := range ends {
		end()
	}
	snap := d.snap()
	if bob, alice := snap.Mailbox("bob"), snap.Mailbox("alice"); bob.Messages != 10+5+1 || alice.Messages != 5 || len(snap.Problems) > 0 {
		t.Errorf("%d and %d messages; %v", bob.Messages, alice.Messages, snap.Problems)
	}
	d.tidy("in the end")
}
