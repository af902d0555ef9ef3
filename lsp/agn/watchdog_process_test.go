package agn

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/lsp/disk"
	"github.com/signalbox-dev/signalbox/lsp/disk/disktest"
)

// The environment that makes the test binary a watchdog.
const (
	envWatched = "SIGNALBOX_TEST_WATCHDOG_PATH"
	envClock   = "SIGNALBOX_TEST_WATCHDOG_CLOCK"
	envSkew    = "SIGNALBOX_TEST_WATCHDOG_SKEW"
	envRuns    = "SIGNALBOX_TEST_WATCHDOG_RUNS"
	envDies    = "SIGNALBOX_TEST_WATCHDOG_DIES"
)

// TestWatchdogProcess is no test of its own: it is what the processes of
// [TestTwoWatchdogs] run, by a clock that stands in a file. One makes a pass for
// each line that it is given, the other runs by itself; both say what they
// reported. Each is killed within one of its first writes, at a given
// step.
func TestWatchdogProcess(t *testing.T) {
	path := os.Getenv(envWatched)
	if path == "" {
		return
	}
	skew, err := strconv.ParseInt(os.Getenv(envSkew), 10, 64)
	steps, bad := strconv.Atoi(os.Getenv(envDies))
	if err = errors.Join(err, bad); err != nil {
		t.Fatal(err)
	}
	dog := NewWatchdog(WatchdogConfig{
		Path: path, Poll: 50 * time.Millisecond,
		Now: func() time.Time {
			text, err := os.ReadFile(os.Getenv(envClock))
			millis, bad := strconv.ParseInt(string(text), 10, 64)
			if err != nil || bad != nil {
				panic(errors.Join(err, bad))
			}
			return time.UnixMilli(millis + skew)
		},
		Reported: func(m agn.Message) { fmt.Println("reported", m.ID) },
	})
	dog.disk.Layer = disktest.Before(func(*disk.Change) error {
		if steps--; steps == 0 {
			killed()
		}
		return nil
	})
	// The test's own limit ends what hangs; a busy machine must not.
	ctx, cancel := context.WithTimeout(t.Context(), 8*time.Minute)
	defer cancel()
	lines := bufio.NewScanner(os.Stdin)
	if os.Getenv(envRuns) != "" {
		go func() {
			for lines.Scan() {
			}
			cancel()
		}()
		dog.Run(ctx)
		return
	}
	for lines.Scan() {
		if _, err := dog.Pass(ctx); err != nil {
			fmt.Println("failed", err)
			return
		}
		fmt.Println("passed")
	}
}

// killed ends this process as kill -9 does: nothing that it meant to do is done.
func killed() {
	if self, err := os.FindProcess(os.Getpid()); err == nil {
		_ = self.Kill()
	}
	select {}
}

// kennel is a directory with its watchdogs.
type kennel struct {
	*writeFixture
	clock  string
	random *rand.Rand
	// said has what watchdogs reported.
	mu   sync.Mutex
	said map[string]bool
	// want has the causes: what must be escalated, once.
	want map[string]int
	// tasks is how many were begun.
	tasks int
}

// dog is a watchdog's process.
type dog struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out sync.WaitGroup
	// passed has a value for each pass, and is closed in the end.
	passed chan struct{}
}

func (k *kennel) start(runs bool) *dog {
	k.t.Helper()
	skew := "0"
	env := append(os.Environ(), envWatched+"="+k.path, envClock+"="+k.clock, "GOMAXPROCS=1")
	if runs {
		// Two machines' clocks are never alike.
		skew, env = "45000", append(env, envRuns+"=1")
	}
	g := &dog{
		cmd:    exec.CommandContext(k.t.Context(), os.Args[0], "-test.run=^TestWatchdogProcess$"),
		passed: make(chan struct{}, 1), // a killed one's is not waited for
	}
	g.cmd.Env = append(env, envSkew+"="+skew, envDies+"="+strconv.Itoa(1+k.random.IntN(400)))
	g.cmd.Stderr = os.Stderr
	out, err := g.cmd.StdoutPipe()
	if err == nil {
		g.in, err = g.cmd.StdinPipe()
	}
	if err == nil {
		err = g.cmd.Start()
	}
	if err != nil {
		k.t.Fatal(err)
	}
	g.out.Go(func() {
		defer close(g.passed)
		// A line that is cut off was not said.
		for r := bufio.NewReader(out); ; {
			line, err := r.ReadString('\n')
			if err != nil {
				return
			}
			switch word, rest, _ := strings.Cut(strings.TrimSpace(line), " "); word {
			case "reported":
				k.mu.Lock()
				k.said[rest] = true
				k.mu.Unlock()
			case "passed":
				g.passed <- struct{}{}
			case "failed":
				k.t.Errorf("X10: a pass failed: %s", rest)
			}
		}
	})
	return g
}

// pass asks for a pass.
func (g *dog) pass() { _, _ = io.WriteString(g.in, "\n") }

// kill ends a watchdog at this very moment, or finds that it was killed.
func (k *kennel) kill(g *dog) {
	_ = g.cmd.Process.Kill()
	g.out.Wait()
	// On Windows one that is killed ends with 1, as one does that failed.
	if e, ok := errors.AsType[*exec.ExitError](g.cmd.Wait()); !ok || e.ExitCode() == 1 && runtime.GOOS != "windows" {
		k.t.Errorf("X10: a watchdog ended by itself: %v", e)
	}
}

// moment lets a random time pass, too short for a timer.
func (k *kennel) moment(most time.Duration) {
	for start, d := time.Now(), time.Duration(k.random.Int64N(int64(most))); time.Since(start) < d; {
		// Not a sleep: the moment is to be as short as it says.
	}
}

// tick sets the clock.
func (k *kennel) tick(millis int64) {
	k.t.Helper()
	k.now = millis
	err := os.WriteFile(k.clock+".new", []byte(strconv.FormatInt(millis, 10)), 0o600)
	if err = errors.Join(err, os.Rename(k.clock+".new", k.clock)); err != nil {
		k.t.Fatal(err)
	}
}

// drop puts a message there as a tool does that knows nothing of the lock, or
// sends it.
func (k *kennel) drop(data []byte) agn.Message {
	k.t.Helper()
	if k.random.IntN(10) == 0 {
		return k.send(data)
	}
	m, err := agn.ParseMessage(data)
	if err != nil {
		k.t.Fatal(err)
	}
	at := k.file(MessagePath(m.TaskID, m.ID))
	err = errors.Join(os.MkdirAll(filepath.Dir(at), 0o700), os.WriteFile(at+".new", data, 0o600), os.Rename(at+".new", at))
	if err != nil {
		k.t.Fatal(err)
	}
	return m
}

func (k *kennel) acked(m agn.Message) agn.Message {
	k.t.Helper()
	data := k.built(agn.BuildAck(agn.Ack{MsgID: m.ID, By: m.To, Millis: m.Time.Millis}))
	at := k.file(AckPath(m.ID))
	if err := errors.Join(os.WriteFile(at+".new", data, 0o600), os.Rename(at+".new", at)); err != nil {
		k.t.Fatal(err)
	}
	return m
}

// begin makes a task of one of the kinds that will need a watchdog.
func (k *kennel) begin() {
	k.t.Helper()
	k.tasks++
	id := fmt.Sprintf("T-2026-%03d", k.tasks)
	late := func(m agn.Message) agn.Message {
		k.want[agn.AckTimeout+" "+m.ID]++
		return m
	}
	switch k.random.IntN(8) {
	case 0: // silent, and nothing else
		m := k.acked(k.drop(k.dispatch(id)))
		k.want[agn.HeartbeatTimeout+" "+m.ID]++
	case 1: // locked: three results, and as many rejections
		d := k.acked(k.drop(k.dispatch(id)))
		var v agn.Message
		for i := range 3 {
			r := k.acked(k.drop(k.result(id)))
			k.acked(k.drop(k.request(id, d.ID, r.ID, int64(i))))
			v = k.acked(k.drop(k.verdict(id, agn.Rejected)))
		}
		k.want[agn.HallucinationLock+" "+v.ID]++
	case 2: // refused, and put there by an agent with no manners
		text := strings.Replace(string(k.dispatch(id)), `"branch": "b"`, `"branch": "main"`, 1)
		m, err := agn.ParseMessage([]byte(text))
		if err != nil {
			k.t.Fatal(err)
		}
		k.put("inbox/"+m.ID+ext, text)
		k.want[agn.BranchViolation+" "+m.ID]++
	default: // acknowledged by nobody
		d := late(k.drop(k.dispatch(id)))
		var r agn.Message
		for range 1 + k.random.IntN(8) {
			r = late(k.drop(k.result(id)))
		}
		late(k.drop(k.request(id, d.ID, r.ID, 0)))
	}
}

// TestTwoWatchdogs has two processes watch one directory through a thousand
// deadlines, while tasks go on being written, each with a clock of its own, and
// kills them at random moments, again and again. In the end each cause has
// exactly one escalation: AGN E12 X9 X10 X11 D3 C5.
func TestTwoWatchdogs(t *testing.T) {
	deadlines := deadlines
	if testing.Short() {
		deadlines = min(deadlines, 200)
	}
	k := &kennel{writeFixture: newWriteFixture(t), random: rand.New(rand.NewPCG(4, 2)), said: make(map[string]bool), want: make(map[string]int)}
	k.clock = filepath.Join(k.repo, "clock")
	k.tick(noon)
	passes, runs := k.start(false), k.start(true)
	died, kills := 0, 0
	step := func(begin int) {
		k.tick(k.now + 20_000 + k.random.Int64N(400_000))
		at := k.now
		for range begin {
			k.begin()
			k.now = at
		}
		passes.pass()
		switch k.random.IntN(6) {
		case 0:
			k.moment(20 * time.Millisecond)
			k.kill(passes)
			kills++
			passes = k.start(false)
			passes.pass()
		case 1:
			k.moment(20 * time.Millisecond)
			k.kill(runs)
			kills++
			runs = k.start(true)
		}
		if _, alive := <-passes.passed; !alive {
			k.kill(passes)
			died++
			passes = k.start(false)
		}
		select {
		case <-runs.passed:
			k.kill(runs)
			died++
			runs = k.start(true)
		default:
		}
	}
	for len(k.want) < deadlines {
		step(1 + k.random.IntN(8))
	}
	for range 12 {
		step(0)
	}
	k.tick(k.now + 2*agn.HeartbeatLimit)
	for alive := false; !alive; {
		passes.pass()
		if _, alive = <-passes.passed; !alive {
			k.kill(passes)
			passes = k.start(false)
		}
	}
	// One that looks after all others finds nothing left.
	last := NewWatchdog(WatchdogConfig{Path: k.path, Now: k.at})
	if list, err := last.Pass(t.Context()); err != nil || len(list) > 0 {
		t.Errorf("X10: %d were not reported: %v", len(list), err)
	}
	k.kill(passes)
	k.kill(runs)
	k.now += 10 * agn.HeartbeatLimit
	if list, err := last.Pass(t.Context()); err != nil || len(list) > 0 {
		t.Errorf("X10: reported again much later: %d %v", len(list), err)
	}
	k.settled()
	t.Logf("%d causes in %d tasks; watchdogs were killed %d times while they wrote and %d times at any moment", len(k.want), k.tasks, died, kills)
}

// settled holds what is on the disk when all is over.
func (k *kennel) settled() {
	k.t.Helper()
	got, ids := map[string]int{}, map[string]bool{}
	torn := 0
	for _, name := range k.standing() {
		if strings.HasPrefix(filepath.Base(name), disk.TempPrefix) {
			torn++
			continue
		}
		if !strings.HasSuffix(name, ".json") {
			continue
		}
		data := []byte(k.has(name))
		m, err := agn.ParseMessage(data)
		switch {
		case !strings.HasPrefix(name, "messages/"):
			if _, err := agn.ParseRecord(data); strings.HasPrefix(name, "tasks/") && err != nil {
				k.t.Errorf("E6: %s: %v", name, err)
			}
		case err != nil || len(m.Faults) > 0 || name != MessagePath(m.TaskID, m.ID):
			k.t.Errorf("E13: %s: %v %v", name, err, m.Faults)
		case m.Type == agn.TypeEscalation:
			e := m.Payload.Escalation
			if m.From != agn.System || len(e.Affected) != 1 {
				k.t.Fatalf("%s: %+v", name, e)
			}
			ids[m.ID] = true
			got[e.Kind+" "+e.Affected[0]]++
		}
	}
	if diff := cmp.Diff(k.want, got); diff != "" {
		k.t.Errorf("X10: the causes, and what was reported: %s", diff)
	}
	for id := range k.said {
		if !ids[id] {
			k.t.Errorf("E13: %s was said to be reported, and is not there", id)
		}
	}
	k.t.Logf("%d files were left by the killed, %d reports were told", torn, len(k.said))
}
