package atsf

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/atsf"
)

// The environment that makes the test binary a writer.
const (
	envFolder = "SIGNALBOX_TEST_WRITER_FOLDER"
	envThread = "SIGNALBOX_TEST_WRITER_THREAD"
	envNumber = "SIGNALBOX_TEST_WRITER_NUMBER"
	envCount  = "SIGNALBOX_TEST_WRITER_COUNT"
)

// TestWriterProcess is no test of its own: it is what the processes of the
// others run. It appends messages and says the text of each one that was
// acknowledged.
func TestWriterProcess(t *testing.T) {
	folder := os.Getenv(envFolder)
	if folder == "" {
		return
	}
	d, err := Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	count, err := strconv.Atoi(os.Getenv(envCount))
	if err != nil {
		t.Fatal(err)
	}
	// The test's own limit ends what hangs; a busy machine must not.
	ctx, cancel := context.WithTimeout(t.Context(), 8*time.Minute)
	defer cancel()
	for i := range count {
		text := fmt.Sprintf("w%s-%d", os.Getenv(envNumber), i)
		m := words("", atsf.RoleAgent, text, -1)
		if i%2 == 0 {
			m.Role = atsf.RoleUser
		}
		if i%5 == 0 {
			m.Tools = []atsf.ToolCall{{ID: text, Name: "bash", Status: "completed", Duration: -1}}
		}
		if err := d.Append(ctx, os.Getenv(envThread), m); err != nil {
			t.Fatal(err)
		}
		fmt.Println("stored", text)
	}
}

// writerProcess prepares a process that appends messages to a thread.
func (b *readFixture) writerProcess(folder, thread string, number, count int) *exec.Cmd {
	cmd := exec.CommandContext(b.t.Context(), os.Args[0], "-test.run=^TestWriterProcess$")
	cmd.Env = append(os.Environ(), envFolder+"="+b.path(folder), envThread+"="+thread, envNumber+"="+strconv.Itoa(number), envCount+"="+strconv.Itoa(count), "GOMAXPROCS=1")
	return cmd
}

// texts gives what each line of a log says, and holds that all are messages.
func texts(t *testing.T, log []byte) (list []string) {
	t.Helper()
	// Not ReadLog, which ends at MaxEntries and notes what repeats.
	atsf.Lines(log, func(offset int, raw []byte) {
		m, err := atsf.ParseMessage(raw)
		if err != nil || len(m.Faults) > 0 || len(m.Content) != 1 {
			t.Errorf("M4: the line at %d is no message: %v %v %.200q", offset, err, m.Faults, raw)
			return
		}
		list = append(list, m.Content[0].Text)
	})
	return list
}

// TestManyProcesses has 64 processes, fewer under the race detector, append 30
// messages each to one thread while four readers poll. All are there, in whole
// lines, each writer's in its order, and the log in the order of time; the stats
// are right and no lock is left: ATSF M1 M4 T4 T6 Z9.
func TestManyProcesses(t *testing.T) {
	if testing.Short() {
		t.Skip()
	}
	const processes, each = manyWriters, 30
	b := inMemory(t)
	d, name := b.begin("p")
	done := make(chan struct{})
	var reading, writing sync.WaitGroup
	for i := range 4 {
		reading.Go(func() { b.poll(d, name, i%2 == 0, done) })
	}
	start := time.Now()
	for i := range processes {
		cmd := b.writerProcess("p", name, i, each)
		writing.Go(func() {
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("M4: %v: %s", err, out[max(0, len(out)-500):])
			}
		})
	}
	writing.Wait()
	t.Logf("%d appends in %v", processes*each, time.Since(start))
	close(done)
	reading.Wait()
	log := []byte(b.read("p", name, atsf.MessagesName))
	next := make(map[string]int)
	for _, text := range texts(t, log) {
		writer, i, _ := strings.Cut(text, "-")
		if i != strconv.Itoa(next[writer]) {
			t.Errorf("M4: message %s of %s, want number %d", i, writer, next[writer])
		}
		next[writer]++
	}
	if len(next) != processes {
		t.Errorf("M4: %d writers", len(next))
	}
	for writer, n := range next {
		if n != each {
			t.Errorf("M4: %s wrote %d messages, want %d", writer, n, each)
		}
	}
	if th := b.right("p", name); th.Stats != (atsf.Stats{Messages: processes * each, User: processes * each / 2, Agent: processes * each / 2, ToolCalls: processes * each / 5}) {
		t.Errorf("T4: %+v", th.Stats)
	}
	for _, e := range atsf.ReadLog(log, 0).Entries {
		if len(e.Message.Notes) > 0 {
			t.Errorf("M1: line %d: %v", e.Number, e.Message.Notes)
		}
	}
	if diff := cmp.Diff([]string{atsf.MessagesName, atsf.ThreadName}, b.standing("p", name)); diff != "" {
		t.Errorf("Z9: left behind: %s", diff)
	}
}

// inMemory gives a fx on a file system in memory, where there is one. What is
// tested here is who may write when; waiting for a disk 25,600 times would take
// most of the time, and tell nothing, since a killed process loses no page that
// the system holds.
func inMemory(t *testing.T) *readFixture {
	t.Helper()
	b := newReadFixture(t)
	dir, err := os.MkdirTemp("/dev/shm", "signalbox-test-")
	if err != nil {
		return b
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	b.dir = dir
	return b
}

// poll reads a thread until done: as a page, or as a tool would that knows
// nothing of this package.
func (b *readFixture) poll(d *Dir, name string, pages bool, done <-chan struct{}) {
	seen := int64(0)
	// Without a pause four readers would leave the writers no processor.
	ticker := time.NewTicker(50 * time.Millisecond)
	defer ticker.Stop()
	for {
		select {
		case <-done:
			return
		case <-ticker.C:
		}
		if pages {
			page, err := d.Page(b.t.Context(), name, Query{})
			if err != nil || page.Item.Fault != nil || len(page.Item.Thread.Faults) > 0 {
				b.t.Errorf("T6: %v %+v", err, page.Item)
				return
			}
			if n := page.Item.Thread.Stats.Messages; n < seen {
				b.t.Errorf("T4: %d messages after %d", n, seen)
			}
			seen = page.Item.Thread.Stats.Messages
			for _, e := range page.Entries {
				if e.Fault != nil || len(e.Message.Faults) > 0 {
					b.t.Errorf("M5: %v %v", e.Fault, e.Message.Faults)
				}
			}
			continue
		}
		log, err := os.ReadFile(b.threadPath("p", name, atsf.MessagesName))
		tally, _ := atsf.Count(log)
		if err != nil || tally.Bad > 0 || tally.Stats.Messages < seen {
			b.t.Errorf("M5: %d messages after %d, %d bad lines (%v)", tally.Stats.Messages, seen, tally.Bad, err)
		}
		seen = tally.Stats.Messages
	}
}

// TestKilledWriters kills writers at random moments, again and again: the next
// one is not held up, nothing that was acknowledged is lost, the stats are right
// after its append, and nothing of the killed is left: ATSF M4 T4 T6 Z9.
func TestKilledWriters(t *testing.T) {
	if testing.Short() {
		t.Skip()
	}
	const rounds, writers = 40, 3
	random := rand.New(rand.NewPCG(1, 2))
	b := newReadFixture(t)
	d, name := b.begin("p")
	stored := make(map[string]bool)
	for round := range rounds {
		b.killWriters(name, round*writers, writers, 1+random.IntN(20), time.Duration(random.IntN(3000))*time.Microsecond, stored)
		// A lock that nobody gives back would hold it up for ever.
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		text := fmt.Sprint("after ", round)
		if err := d.Append(ctx, name, words("", atsf.RoleSystem, text, -1)); err != nil {
			t.Fatalf("Z9: round %d: %v", round, err)
		}
		cancel()
		stored[text] = true
		b.right("p", name)
		if diff := cmp.Diff([]string{atsf.MessagesName, atsf.ThreadName}, b.standing("p", name)); diff != "" {
			t.Errorf("Z9: round %d: left behind: %s", round, diff)
		}
	}
	log := []byte(b.read("p", name, atsf.MessagesName))
	there := make(map[string]int)
	for _, text := range texts(t, log) {
		there[text]++
	}
	for text := range stored {
		if there[text] != 1 {
			t.Errorf("M4: %s was acknowledged, and stands %d times in the log", text, there[text])
		}
	}
	// Each killed writer may have stored one that it could not tell of.
	if extra := len(there) - len(stored); extra < 0 || extra > rounds*writers {
		t.Errorf("M4: %d messages, %d were acknowledged", len(there), len(stored))
	}
	t.Logf("%d messages, %d acknowledged", len(there), len(stored))
}

// killWriters lets processes write until some messages were acknowledged, and a
// moment longer, and kills all of them. It adds what was acknowledged.
func (b *readFixture) killWriters(thread string, first, n, acknowledged int, moment time.Duration, stored map[string]bool) {
	b.t.Helper()
	said := make(chan string)
	var running sync.WaitGroup
	var cmds []*exec.Cmd
	for i := range n {
		cmd := b.writerProcess("p", thread, first+i, 1_000_000)
		out, err := cmd.StdoutPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			b.t.Fatal(err)
		}
		cmds = append(cmds, cmd)
		running.Go(func() {
			// A line that is cut off was no acknowledgement.
			for s := bufio.NewReader(out); ; {
				line, err := s.ReadString('\n')
				if err != nil {
					break
				}
				if text, ok := strings.CutPrefix(line, "stored "); ok {
					said <- strings.TrimSpace(text)
				}
			}
			exit := cmd.Wait()
			if e, ok := errors.AsType[*exec.ExitError](exit); !ok || e.ExitCode() == 1 {
				b.t.Errorf("M4: a writer ended by itself: %v", exit)
			}
		})
	}
	go func() { running.Wait(); close(said) }()
	for text := range said {
		stored[text] = true
		if acknowledged--; acknowledged == 0 {
			for start := time.Now(); time.Since(start) < moment; {
				// Not a sleep: the moment is to be as short as it says.
			}
			for _, cmd := range cmds {
				_ = cmd.Process.Kill()
			}
		}
	}
}
