package samp_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/disk/crash"
	sampstore "github.com/signalbox-dev/signalbox/lsp/samp"
	"github.com/signalbox-dev/signalbox/lsp/samp/index"
)

// The environment that makes the test binary a process of TestManyAtOnce.
const (
	envCrowdDir  = "SIGNALBOX_TEST_CROWD_DIR"
	envCrowdRole = "SIGNALBOX_TEST_CROWD_ROLE"
	envCrowdMost = "SIGNALBOX_TEST_CROWD_MOST"
)

const crowdWriters, crowdReaders = 32, 8

// crowd is a message directory that many processes use at once.
type crowd struct{ dir string }

func (c crowd) state() string { return filepath.Join(c.dir, "state") }

// over reports whether end has ended a role.
func (c crowd) over(role string) bool {
	_, err := os.Stat(filepath.Join(c.dir, "over-"+role))
	return err == nil
}

func (c crowd) end(t *testing.T, role string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(c.dir, "over-"+role), nil, 0o600); err != nil {
		t.Fatal(err)
	}
}

func (c crowd) open() (*sampstore.Dir, error) { return sampstore.Create(filepath.Join(c.dir, "mail")) }

// TestCrowdProcess isn't a test. The processes of TestManyAtOnce run it until their role is
// over. It prints the messages that were acknowledged or shown.
func TestCrowdProcess(t *testing.T) {
	c := crowd{os.Getenv(envCrowdDir)}
	if c.dir == "" {
		return
	}
	d, err := c.open()
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	most, err := strconv.Atoi(os.Getenv(envCrowdMost))
	if err != nil {
		t.Fatal(err)
	}
	role, name, _ := strings.Cut(os.Getenv(envCrowdRole), " ")
	out := bufio.NewWriter(os.Stdout)
	for i := 0; !c.over(role) && (role != "send" || i < most); i++ {
		switch role {
		case "send":
			err = c.send(d, name, i)
			fmt.Fprintf(out, "sent %s %d\n", name, i)
		case "read":
			err = c.read(d, name, out)
		case "compact":
			err = c.compact(d)
		}
		if err != nil {
			t.Fatalf("%s %s: %v", role, name, err)
		}
		out.Flush()
	}
}

// send sends a message, sometimes twice, like a sender that got no answer. Sometimes it appends
// a copy, like a tool without tokens, so that there is something to compact.
func (c crowd) send(d *sampstore.Dir, name string, i int) error {
	r, err := samp.Build(name, reader(name), "t", fmt.Sprintf("%s %d", name, i), time.Now().Unix(), samp.V1)
	if err != nil {
		return err
	}
	build := func() (samp.Record, error) { return r, nil }
	o := sampstore.OpenOutbox(filepath.Join(c.state(), name), d)
	for range 1 + i%2 {
		if _, _, err := o.Send(d, strconv.Itoa(i), build); err != nil {
			return err
		}
	}
	if i%5 == 0 {
		_, err = d.Append(&r)
	}
	return err
}

// reader returns the receiver that a writer writes to.
func reader(name string) string {
	n, _ := strconv.Atoi(name[1:])
	return "r" + strconv.Itoa(n%crowdReaders)
}

// read shows a reader's new mail, and prints it.
func (c crowd) read(d *sampstore.Dir, name string, out *bufio.Writer) error {
	state, err := sampstore.OpenReadState(c.state(), d, name)
	if err != nil {
		return err
	}
	r, err := d.ReadNew(context.Background(), name, samp.V1, time.Now(), state)
	if err != nil {
		return err
	}
	defer r.Close()
	for m, err := range r.Messages(context.Background(), slices.Concat(r.Fresh, r.Late)) {
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "shown %s\n", m.Body)
	}
	if r.Unchanged {
		time.Sleep(time.Millisecond) // leaves the processors to the writers
	}
	return errors.Join(r.Commit()...)
}

func (c crowd) compact(d *sampstore.Dir) error {
	logs, _, err := d.Logs()
	if err != nil {
		return err
	}
	for _, log := range logs {
		if _, err := d.Compact(context.Background(), log, samp.V1); err != nil {
			return err
		}
	}
	return nil
}

// member is a process of the crowd, with its output.
type member struct {
	role   string
	cmd    *exec.Cmd
	output sync.WaitGroup
	lines  []string
}

// wait waits until the process has ended and all its output was read.
func (m *member) wait() error {
	m.output.Wait()
	return m.cmd.Wait()
}

func (c crowd) start(t *testing.T, role string, most int) *member {
	t.Helper()
	m := &member{role: role, cmd: exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestCrowdProcess$")}
	m.cmd.Env = append(os.Environ(), envCrowdDir+"="+c.dir, envCrowdRole+"="+role, envCrowdMost+"="+strconv.Itoa(most), "GOMAXPROCS=1")
	out, err := m.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := m.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	m.output.Go(func() {
		for s := bufio.NewScanner(out); s.Scan(); {
			m.lines = append(m.lines, s.Text())
		}
	})
	return m
}

// TestManyAtOnce has 32 processes send, 8 read and 2 compact, while a live index
// serves the same directory here, under the race detector where there is one; two of
// the writers are killed. Every acknowledged message is there once, each sender's in
// its order, and every reader was shown every message: no watermark passed one.
func TestManyAtOnce(t *testing.T) {
	most := 8
	long := crash.SoakTime(t)
	if long > 0 {
		most = 1 << 30
	}
	c := crowd{crash.Dir(t)}
	d, err := c.open()
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	live := index.Open(index.Config{
		Path: d.Path(), Me: "served", StateDir: filepath.Join(c.dir, "served"), Poll: 20 * time.Millisecond, Logger: slog.New(slog.DiscardHandler),
	})
	defer live.Close()
	var senders, others []*member
	for i := range crowdReaders {
		others = append(others, c.start(t, fmt.Sprintf("read r%d", i), 0))
	}
	for range 2 {
		others = append(others, c.start(t, "compact", 0))
	}
	for i := range crowdWriters {
		senders = append(senders, c.start(t, fmt.Sprintf("send w%d", i), most))
	}
	if long > 0 {
		time.Sleep(long)
		c.end(t, "send")
	}
	for i, m := range senders {
		if i < 2 {
			_ = m.cmd.Process.Kill()
		}
		if err := m.wait(); err != nil && i >= 2 {
			t.Errorf("%s: %v: %s", m.role, err, strings.Join(m.lines[max(0, len(m.lines)-5):], "; "))
		}
	}
	c.end(t, "read")
	c.end(t, "compact")
	for _, m := range others {
		if err := m.wait(); err != nil {
			t.Errorf("%s: %v: %s", m.role, err, strings.Join(m.lines[max(0, len(m.lines)-5):], "; "))
		}
	}
	c.verify(t, d, senders, others, live)
}

// verify compares the acknowledged messages with the directory, for every reader.
func (c crowd) verify(t *testing.T, d *sampstore.Dir, senders, others []*member, live *index.Live) {
	t.Helper()
	acked := map[string]int{} // by writer
	for _, m := range senders {
		for _, line := range m.lines {
			name, number, ok := strings.Cut(strings.TrimPrefix(line, "sent "), " ")
			if n, err := strconv.Atoi(number); ok && err == nil && n == acked[name] {
				acked[name]++
			}
		}
	}
	shown := map[string]map[string]int{}
	for _, m := range others {
		role, name, _ := strings.Cut(m.role, " ")
		if role != "read" {
			continue
		}
		// Messages that arrived after its last read are still new to it.
		var rest strings.Builder
		out := bufio.NewWriter(&rest)
		if err := errors.Join(c.read(d, name, out), out.Flush()); err != nil {
			t.Fatal(err)
		}
		shown[name] = map[string]int{}
		for _, line := range append(m.lines, strings.Split(rest.String(), "\n")...) {
			if text, ok := strings.CutPrefix(line, "shown "); ok {
				shown[name][text]++
			}
		}
	}
	total := 0
	for i := range crowdReaders {
		name := "r" + strconv.Itoa(i)
		m, err := d.Inbox(t.Context(), name, samp.V1)
		if err != nil {
			t.Fatal(err)
		}
		next := map[string]int{}
		for j := range m.Messages {
			r := &m.Messages[j]
			total++
			if r.Body != fmt.Sprintf("%s %d", r.From, next[r.From]) {
				t.Errorf("%s has %q, and number %d of %s comes next", name, r.Body, next[r.From], r.From)
			}
			next[r.From]++
			if shown[name][r.Body] == 0 {
				t.Errorf("%s was never shown %q", name, r.Body)
			}
		}
		for w := range crowdWriters {
			from := "w" + strconv.Itoa(w)
			if reader(from) == name && (next[from] < acked[from] || next[from] > acked[from]+1) {
				t.Errorf("%s: %d messages of %s, and %d were acknowledged", name, next[from], from, acked[from])
			}
		}
	}
	if err := live.Sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	if thread, err := live.ThreadNamed("t"); err != nil || thread.Count != total || live.Stats().Suspicious != 0 {
		t.Errorf("the index has %d messages of %d: %v", thread.Count, total, err)
	}
	t.Logf("%d messages", total)
	if total < crowdWriters {
		t.Errorf("%d messages are no test", total)
	}
}
