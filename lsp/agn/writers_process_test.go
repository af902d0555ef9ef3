package agn

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/lsp/disk"
	"github.com/signalbox-dev/signalbox/lsp/disk/disktest"
)

// The environment that makes the test binary a writer.
const (
	envActionPath = "SIGNALBOX_TEST_ACTION_PATH"
	envAction     = "SIGNALBOX_TEST_ACTION"
	envAbout      = "SIGNALBOX_TEST_ACTION_ABOUT"
)

// TestActionProcess is no test of its own: it is what the processes of the others
// run. It waits for a line and then does one thing, in the midst of which it may
// be killed.
func TestActionProcess(t *testing.T) {
	path := os.Getenv(envActionPath)
	if path == "" {
		return
	}
	steps, err := strconv.Atoi(os.Getenv(envDies))
	if err != nil {
		t.Fatal(err)
	}
	d, err := openOn(disk.Disk{Layer: disktest.Before(func(*disk.Change) error {
		if steps--; steps == 0 {
			killed()
		}
		return nil
	})}, path)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	// The test's own limit ends what hangs; a busy machine must not.
	ctx, cancel := context.WithTimeout(t.Context(), 8*time.Minute)
	defer cancel()
	fmt.Println("ready")
	_, _ = bufio.NewReader(os.Stdin).ReadString('\n')
	fmt.Println("did", outcome(action(ctx, d, os.Getenv(envAction), os.Getenv(envAbout))))
}

// action does one thing.
func action(ctx context.Context, d *Dir, what, about string) error {
	switch what {
	case "send":
		for text := range strings.SplitSeq(about, "\x01") {
			if _, err := d.Send(ctx, []byte(text), "x", time.UnixMilli(noon)); err != nil {
				return err
			}
		}
		return nil
	case "ack":
		_, err := d.Ack(ctx, about, agn.Executor, time.UnixMilli(noon))
		return err
	case "resume":
		return d.Resume(ctx, agn.Resume{MsgID: about, Action: agn.Approve, Millis: noon + 3_600_000})
	}
	_, err := d.Reject(ctx, rejection(about, "1"))
	return err
}

// outcome names how a action ended, in a word.
func outcome(err error) string {
	if err == nil {
		return "done"
	}
	if _, ok := errors.AsType[*ExistsError](err); ok {
		return "exists"
	}
	return ruleOf(err)
}

// writer starts a process that is ready.
func (k *writeFixture) writer(dies int, what, about string) (cmd *exec.Cmd, in io.Writer, out *bufio.Reader) {
	k.t.Helper()
	cmd = exec.CommandContext(k.t.Context(), os.Args[0], "-test.run=^TestActionProcess$")
	cmd.Env = append(os.Environ(), envActionPath+"="+k.path, envAction+"="+what, envAbout+"="+about, envDies+"="+strconv.Itoa(dies), "GOMAXPROCS=1")
	pipe, err := cmd.StdoutPipe()
	if err == nil {
		in, err = cmd.StdinPipe()
	}
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		k.t.Fatal(err)
	}
	out = bufio.NewReader(pipe)
	if line, err := out.ReadString('\n'); line != "ready\n" {
		k.t.Fatalf("%q %v", line, err)
	}
	return cmd, in, out
}

// sound holds that every file that can be seen is a whole fact.
func (k *writeFixture) sound(when string) {
	k.t.Helper()
	for _, name := range k.standing() {
		if strings.HasPrefix(filepath.Base(name), ".") {
			continue
		}
		data := []byte(k.has(name))
		var err error
		switch top, _, _ := strings.Cut(name, "/"); top {
		case inMessages:
			var m agn.Message
			if m, err = agn.ParseMessage(data); err == nil && len(m.Faults) > 0 {
				err = &m.Faults[0]
			}
		case inAcks:
			_, err = agn.ParseAck(data)
		case inResumes:
			_, err = agn.ParseResume(data)
		case inTasks:
			_, err = agn.ParseRecord(data)
		default:
			for line := range bytes.Lines(data) {
				_, bad := agn.ParseRejection(line)
				err = errors.Join(err, bad)
			}
		}
		if err != nil {
			k.t.Errorf("E13: %s: %s: %v", when, name, err)
		}
	}
}

// TestKilledAtEachStep kills a writer at each step of each kind of write. What
// can be seen afterwards is whole, the next writer is not held up, and what it
// does again stands once: AGN E0 E12 E13 X9.
func TestKilledAtEachStep(t *testing.T) {
	for _, what := range []string{"send", "ack", "resume", "reject"} {
		t.Run(what, func(t *testing.T) {
			for dies := 1; ; dies++ {
				if !killedAt(t, what, dies) {
					if t.Logf("killed at %d steps", dies-1); dies < 3 {
						t.Error("not killed at all")
					}
					return
				}
			}
		})
	}
}

// killedAt reports whether there is such a step.
func killedAt(t *testing.T, what string, dies int) bool {
	t.Helper()
	k := newWriteFixture(t)
	m := k.send(k.dispatch(task))
	e := k.send(k.escalation(task, agn.Critical))
	about := map[string]string{"send": string(k.result(task)), "ack": m.ID, "resume": e.ID, "reject": "x"}[what]
	cmd, in, out := k.writer(dies, what, about)
	_, _ = io.WriteString(in, "\n")
	line, _ := out.ReadString('\n')
	_, _ = io.Copy(io.Discard, out)
	err := cmd.Wait()
	when := fmt.Sprintf("killed at step %d", dies)
	if line != "" && (line != "did done\n" || err != nil) {
		t.Errorf("%s: %q %v", when, line, err)
	}
	k.sound(when)
	// A lock that nobody gives back would hold it up for ever.
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if got := outcome(action(ctx, k.d, what, about)); got != "done" && got != "exists" {
		t.Errorf("E13: %s: again: %s", when, got)
	}
	k.sound(when)
	s := k.scan()
	h := s.Task(task).History
	got := []int{len(h.Messages), len(h.Acks), len(h.Resumes), len(k.rejections()), len(s.Problems)}
	want := map[string][]int{"send": {3, 0, 0, 0, 0}, "ack": {2, 1, 0, 0, 0}, "resume": {2, 0, 1, 0, 0}, "reject": {2, 0, 0, 1, 0}}[what]
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("E13: %s: messages, ACKs, answers, rejections, problems: %s\n%v", when, diff, s.Problems)
	}
	if _, err := os.Lstat(k.file(lockName)); err == nil {
		t.Errorf("%s: the lock was left", when)
	}
	return line == ""
}

// TestWriterProcesses has processes write at once: what each may do by the
// history before, and by it alone, one of them does: AGN E1 E12 E13 X9.
func TestWriterProcesses(t *testing.T) {
	const processes, each = 6, 10
	k := newWriteFixture(t)
	m := k.send(k.dispatch(task))
	var own, one, locks []string
	text := string(k.result(task))
	for i := range processes {
		var list []string
		for range each {
			list = append(list, string(k.dispatch(other)))
		}
		own = append(own, strings.Join(list, "\x01"))
		one = append(one, text+strings.Repeat(" ", i))
		locks = append(locks, k.send(k.built(agn.BuildEscalation(k.head(task), agn.Coordinator, agn.Escalation{
			Kind: agn.HallucinationLock, Severity: agn.Critical, TriggeredBy: agn.Coordinator, Description: "x", Suspended: true,
			Snapshot: agn.Snapshot{TaskStatus: "locked"},
		}))).ID)
	}
	same := func(s string) (list []string) {
		for range processes {
			list = append(list, s)
		}
		return list
	}
	for _, c := range []struct {
		name, what string
		about      []string
		done       int
		lost       string
	}{
		{"E13 each its own", "send", own, processes, ""},
		{"E1 one id, other contents", "send", one, 1, "E1"},
		{"E1 the same bytes", "send", same(string(k.dispatch(task))), processes, ""},
		{"E12 one ACK", "ack", same(m.ID), 1, "exists"},
		{"X9 one answer to one lock", "resume", locks, 1, "X9"},
	} {
		t.Run("AGN "+c.name, func(t *testing.T) {
			var ends []func() string
			var starts []io.Writer
			for _, about := range c.about {
				cmd, in, out := k.writer(0, c.what, about)
				starts = append(starts, in)
				ends = append(ends, func() string {
					line, _ := out.ReadString('\n')
					_, _ = io.Copy(io.Discard, out)
					if err := cmd.Wait(); err != nil {
						t.Errorf("%v", err)
					}
					return strings.TrimPrefix(strings.TrimSpace(line), "did ")
				})
			}
			for _, in := range starts {
				_, _ = io.WriteString(in, "\n")
			}
			got := map[string]int{}
			for _, end := range ends {
				got[end()]++
			}
			want := map[string]int{"done": c.done}
			if c.lost != "" {
				want[c.lost] = processes - c.done
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
	k.sound("in the end")
	if s := k.scan(); len(s.Task(other).History.Messages) != processes*each || len(s.Rejected) != processes-1 || len(k.rejections()) != processes-1 {
		t.Errorf("E13: %d messages, %d rejected", len(s.Task(other).History.Messages), len(s.Rejected))
	}
	for _, name := range k.standing() {
		if strings.HasPrefix(filepath.Base(name), ".") {
			t.Errorf("left behind: %s", name)
		}
	}
}
