package samp_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/disk"
	"github.com/signalbox-dev/signalbox/lsp/disk/crash"
	"github.com/signalbox-dev/signalbox/lsp/disk/filelock"
	sampstore "github.com/signalbox-dev/signalbox/lsp/samp"
)

// post is a message directory with our own state beside it. Two writers, a reader and a
// compactor use it until the disk fails.
type post struct {
	disk       disk.Disk
	dir        string
	d          *sampstore.Dir
	shown      map[string]bool
	sent       map[int]string // by step
	compacting bool
}

// postTime is when messages are sent: several in each second, one writer's clock
// behind the other's.
const postTime = 1_795_249_958

func newPost(on disk.Disk, dir string, seed uint64) *crash.Run {
	rng := rand.New(rand.NewPCG(seed, 1))
	p := &post{disk: on, dir: dir, shown: map[string]bool{}, sent: map[int]string{}}
	play := &crash.Run{Open: p.open, Close: p.close, Together: true}
	play.Check = func(marks []crash.Mark) error { return p.check(marks) }
	for i := range 9 {
		var s crash.Step
		switch n := rng.IntN(10); {
		case n < 6 || i == 0:
			from := []string{"alice", "carol"}[rng.IntN(2)]
			text := fmt.Sprintf("message %d of %s %s", i, from, strings.Repeat("x", rng.IntN(200)))
			p.sent[i] = text
			ts := int64(postTime + i/3 - rng.IntN(2))
			s = crash.Step{Name: "send " + text[:18], Names: dir, Do: func() error { return p.send(from, text, fmt.Sprint("token-", i), ts) }}
		case n < 7:
			// A tool that knows no tokens sends the same record once more.
			s = crash.Step{Name: "copy", Names: dir, Do: p.copy}
		case n < 9:
			s = crash.Step{Name: "read", Names: dir, Do: p.read}
		default:
			s = crash.Step{Name: "compact", Names: dir, Do: p.compact}
		}
		play.Steps = append(play.Steps, s)
	}
	return play
}

func (p *post) open() (err error) {
	p.d, err = sampstore.CreateOn(p.disk, filepath.Join(p.dir, "mail", "box"))
	return err
}

func (p *post) close() { _ = p.d.Close() }

func (p *post) send(from, text, token string, ts int64) error {
	_, _, err := sampstore.OpenOutbox(filepath.Join(p.dir, "state"), p.d).Send(p.d, token, func() (samp.Record, error) {
		return samp.Build(from, "bob", "t", text, ts, samp.V1)
	})
	return err
}

// read shows new mail and then commits it.
func (p *post) read() error {
	state, err := sampstore.OpenReadState(filepath.Join(p.dir, "state"), p.d, "bob")
	if err != nil {
		return err
	}
	r, err := p.d.ReadNew(context.Background(), "bob", samp.V1, time.Unix(postTime+100, 0), state)
	if err != nil {
		return err
	}
	defer r.Close()
	for m, err := range r.Messages(context.Background(), slices.Concat(r.Fresh, r.Late)) {
		if err != nil {
			return err
		}
		p.shown[strings.Clone(m.Body)] = true
	}
	return errors.Join(r.Commit()...)
}

func (p *post) copy() error {
	r, err := samp.Build("alice", "bob", "t", before, postTime-10, samp.V1)
	if err == nil {
		_, err = p.d.Append(&r)
	}
	return err
}

func (p *post) compact() error {
	logs, _, err := p.d.Logs()
	if err != nil {
		return err
	}
	if p.compacting {
		return nil // in the midst of another one, which holds the lock
	}
	p.compacting = true
	defer func() { p.compacting = false }()
	for _, log := range logs {
		// Also in the midst of a send, which has the log open and looks again.
		if _, err := p.d.CompactHeld(context.Background(), log, samp.V1); err != nil {
			return err
		}
	}
	return nil
}

// before is the message that alice wrote first.
const before = "an old message"

// preparePost writes a log that contains a message twice and is to be compacted, and a log that
// ends in an unfinished line.
func preparePost(dir string) error {
	d, err := sampstore.Create(filepath.Join(dir, "mail", "box"))
	if err != nil {
		return err
	}
	defer d.Close()
	p := &post{dir: dir, d: d}
	if err := errors.Join(p.copy(), p.copy()); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(d.Path(), "log-carol.jsonl"), []byte(`{"id":"torn`), 0o600)
}

// check reads the directory as a new reader does.
func (p *post) check(marks []crash.Mark) error {
	ctx := context.Background()
	d, err := sampstore.Open(p.d.Path())
	if err != nil {
		return err
	}
	defer d.Close()
	m, err := d.Inbox(ctx, "bob", samp.V1)
	if err != nil {
		return err
	}
	if len(m.Problems) > 0 || len(m.Suspicious) > 0 {
		return fmt.Errorf("problems: %v %v", m.Problems, m.Suspicious)
	}
	got := map[string]int{}
	for i := range m.Messages {
		got[m.Messages[i].Body]++
	}
	if got[before] != 1 {
		return fmt.Errorf("what was there before is there %d times", got[before])
	}
	delete(got, before)
	if err := crash.Same("inbox", got, marks, func(i int) string { return p.sent[i] }); err != nil {
		return err
	}
	if _, _, err := d.Watermark("bob"); err != nil {
		return err
	}
	// The reader shows now whatever it has not shown: no watermark has passed it.
	if err := p.read(); err != nil {
		return fmt.Errorf("read: %w", err)
	}
	for i := range m.Messages {
		if body := m.Messages[i].Body; !p.shown[body] {
			return fmt.Errorf("%.40q is there and was never shown", body)
		}
	}
	return nil
}

// TestCrash sends, reads and compacts while processes are killed, the power fails
// and the disk is full: what was acknowledged is there once, and was shown.
func TestCrash(t *testing.T) {
	if testing.Short() {
		t.Skip()
	}
	crash.Try(t, crash.Scenario{Prepare: preparePost, New: newPost}, 100)
}

// TestKilledBehind: an acknowledged change survives even if a killed process had made it without
// syncing it. This holds for the names of a new log, of a watermark and of our own files, and
// for their contents.
func TestKilledBehind(t *testing.T) {
	key := sampstore.Key{From: "alice", ID: "0123456789abcdef"}
	mark := samp.Watermark{TS: postTime}
	contains := func(times int, text string, path ...string) error {
		files, err := filepath.Glob(filepath.Join(path...))
		if err != nil || len(files) != 1 {
			return fmt.Errorf("%v are %q: %w", path, files, err)
		}
		data, err := os.ReadFile(files[0])
		if n := strings.Count(string(data), text); n != times {
			return fmt.Errorf("%s has %q %d times: %w", files[0], text, n, err)
		}
		return err
	}
	for _, c := range []struct {
		name      string
		do, holds func(p *post) error
	}{
		{
			"send",
			func(p *post) error { return p.send("dave", "hello", "a token", postTime) },
			func(p *post) error {
				return errors.Join(contains(1, "hello", p.d.Path(), "log-dave.jsonl"), contains(1, "a token", p.dir, "state", "outbox", "*"))
			},
		},
		{
			"watermark",
			func(p *post) error { return p.d.SetWatermark("bob", mark) },
			func(p *post) error {
				got, found, err := p.d.Watermark("bob")
				if err == nil && (!found || got.TS != mark.TS) {
					err = fmt.Errorf("the mark is %v", got)
				}
				return err
			},
		},
		{
			"read state",
			func(p *post) error {
				s, err := sampstore.OpenReadState(filepath.Join(p.dir, "state"), p.d, "bob")
				if err == nil {
					_, err = s.Mark([]sampstore.Key{key}, true)
				}
				return err
			},
			func(p *post) error {
				s, err := sampstore.OpenReadState(filepath.Join(p.dir, "state"), p.d, "bob")
				if err == nil && !s.Has(key) {
					err = errors.New("what was marked is not")
				}
				return err
			},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			crash.Each(t, crash.Scenario{Prepare: preparePost, New: func(on disk.Disk, dir string, _ uint64) *crash.Run {
				p := &post{disk: on, dir: dir}
				return &crash.Run{
					Open: p.open, Close: p.close,
					Steps: []crash.Step{{Name: c.name, Do: func() error { return c.do(p) }}},
					Check: func(marks []crash.Mark) error {
						if marks[0] == crash.Done {
							return c.holds(p)
						}
						return nil
					},
				}
			}})
		})
	}
}

// TestMarkWithoutState (N5, N6): if our state cannot be saved, the watermark is not moved either.
// Otherwise late mail would count as shown by another tool.
func TestMarkWithoutState(t *testing.T) {
	p := &post{dir: t.TempDir(), shown: map[string]bool{}}
	if err := p.open(); err != nil {
		t.Fatal(err)
	}
	defer p.close()
	state := filepath.Join(p.dir, "state")
	if err := errors.Join(p.send("alice", "early", "1", postTime), os.WriteFile(filepath.Join(state, "read"), nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	if err := p.read(); err == nil || !strings.Contains(err.Error(), state) {
		t.Errorf("the state was saved where it cannot be: %v", err)
	}
	if _, found, err := p.d.Watermark("bob"); found || err != nil {
		t.Errorf("there is a mark: %v", err)
	}
	if err := errors.Join(os.Remove(filepath.Join(state, "read")), p.send("carol", "late", "2", postTime-50), p.read()); err != nil {
		t.Fatal(err)
	}
	if !p.shown["early"] || !p.shown["late"] {
		t.Errorf("shown: %v", p.shown)
	}
}

// meanwhile runs an action of another process before or after the first change of a kind, and
// records the changes.
type meanwhile struct {
	// dir is the folder whose changes count.
	dir            string
	before, behind map[disk.Op]func()
	ops            []disk.Op
	mu             sync.Mutex // a reader opens several logs at once
}

func (m *meanwhile) Do(c *disk.Change, do func() error) error {
	if !strings.HasPrefix(c.Path, m.dir) {
		return do()
	}
	other := func(list map[disk.Op]func()) {
		m.mu.Lock()
		f := list[c.Op]
		delete(list, c.Op)
		m.mu.Unlock()
		if f != nil {
			f()
		}
	}
	other(m.before)
	err := do()
	m.mu.Lock()
	m.ops = append(m.ops, c.Op)
	m.mu.Unlock()
	other(m.behind)
	return err
}

// last returns the place of the last change of a kind, or -1.
func (m *meanwhile) last(op disk.Op) int {
	for i, done := range slices.Backward(m.ops) {
		if done == op {
			return i
		}
	}
	return -1
}

// TestMeanwhile compacts, sends and marks in the midst of one another. Afterwards each message is
// there once.
func TestMeanwhile(t *testing.T) {
	var mine, other *post
	var held *os.File // the old log, of a tool that knows nothing of us
	must := func(err error) {
		if err != nil {
			t.Helper()
			t.Error(err)
		}
	}
	compact := func(p *post) error {
		logs, _, err := p.d.Logs()
		if err == nil {
			_, err = p.d.Compact(t.Context(), logs[0], samp.V1)
		}
		return err
	}
	othersCompact := func() { must(other.compact()) }
	send := func() error { return mine.send("alice", "hello", "a token", postTime) }
	log := func() string { return filepath.Join(mine.d.Path(), "log-alice.jsonl") }
	for _, c := range []struct {
		name           string
		before, behind map[disk.Op]func()
		do             func() error
		fails          bool
		then           func(m *meanwhile) bool
		want           string
	}{
		{name: "a log is compacted before it is written to", before: map[disk.Op]func(){disk.OpWrite: othersCompact}, do: send, want: "hello"},
		{name: "a log is compacted while it is opened", behind: map[disk.Op]func(){disk.OpOpen: othersCompact}, do: send, want: "hello"},
		{name: "two compact", before: map[disk.Op]func(){disk.OpRename: func() {
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
			defer cancel()
			logs, _, err := other.d.Logs()
			must(err)
			if _, err := other.d.Compact(ctx, logs[0], samp.V1); !errors.Is(err, filelock.ErrLocked) {
				t.Errorf("another one compacts: %v", err)
			}
		}}, do: func() error { return compact(mine) }},
		{name: "another tool replaces a log that is compacted", before: map[disk.Op]func(){disk.OpSync: func() {
			data, err := os.ReadFile(log())
			must(errors.Join(err, os.WriteFile(log()+".new", append(data, line(postTime, "alice", "bob", "t", "theirs")...), 0o600), os.Rename(log()+".new", log())))
		}}, do: func() error { return compact(mine) }, fails: true, want: "theirs"},
		{
			name: "a tool writes late to a log that is compacted",
			before: map[disk.Op]func(){disk.OpRename: func() {
				var err error
				held, err = os.OpenFile(log(), os.O_WRONLY|os.O_APPEND, 0)
				must(err)
			}},
			behind: map[disk.Op]func(){disk.OpSyncDir: func() {
				_, err := held.WriteString(line(postTime, "alice", "bob", "t", "late"))
				must(errors.Join(err, held.Close()))
			}},
			do:   func() error { return compact(mine) },
			then: func(m *meanwhile) bool { return m.last(disk.OpSync) > m.last(disk.OpWrite) },
			want: "late",
		},
		{
			name: "a compacted log's name lasts", do: func() error { return compact(mine) },
			then: func(m *meanwhile) bool {
				return m.last(disk.OpRename) >= 0 && m.last(disk.OpSyncDir) > m.last(disk.OpRename)
			},
		},
		{
			name:   "two set a mark",
			before: map[disk.Op]func(){disk.OpRename: func() { must(other.d.SetWatermark("bob", samp.Watermark{TS: 1})) }},
			do:     func() error { return mine.d.SetWatermark("bob", samp.Watermark{TS: 2}) },
			then: func(m *meanwhile) bool {
				got, found, err := mine.d.Watermark("bob")
				return err == nil && found && got.TS == 2 && m.last(disk.OpSync) >= 0 && m.last(disk.OpSync) < m.last(disk.OpRename) && m.last(disk.OpRename) < m.last(disk.OpSyncDir)
			},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			m := &meanwhile{dir: filepath.Join(dir, "mail", "box"), before: c.before, behind: c.behind}
			mine, other = &post{disk: disk.Disk{Layer: m}, dir: dir}, &post{dir: dir}
			must(errors.Join(preparePost(dir), mine.open(), other.open()))
			defer mine.close()
			defer other.close()
			err := c.do()
			if (err != nil) != c.fails || len(c.before)+len(c.behind) > 0 {
				t.Errorf("%d did not happen: %v", len(c.before)+len(c.behind), err)
			}
			if c.then != nil && !c.then(m) {
				t.Errorf("it was done as %q", m.ops)
			}
			mail, err := mine.d.Inbox(t.Context(), "bob", samp.V1)
			must(err)
			var got []string
			for i := range mail.Messages {
				got = append(got, mail.Messages[i].Body)
			}
			if want := strings.TrimSpace(before + "\n" + c.want); strings.Join(got, "\n") != want {
				t.Errorf("there are %q", got)
			}
		})
	}
}
