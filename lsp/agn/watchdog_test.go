package agn

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/lsp/disk"
	"github.com/signalbox-dev/signalbox/lsp/disk/disktest"
)

// pass has a watchdog make a pass.
func (k *writeFixture) pass() []agn.Message {
	k.t.Helper()
	list, err := NewWatchdog(WatchdogConfig{Path: k.path, Now: k.at}).Pass(k.t.Context())
	if err != nil {
		k.t.Fatal(err)
	}
	return list
}

// causes lists escalations as "kind of the message's type".
func causes(list []agn.Message) string {
	var out []string
	for _, m := range list {
		e := m.Payload.Escalation
		of := ""
		if len(e.Affected) > 0 {
			of, _, _ = strings.Cut(e.Affected[0], "-")
		}
		out = append(out, strings.TrimSpace(e.Kind+" "+of))
	}
	slices.Sort(out)
	return strings.Join(out, ", ")
}

const (
	late  = 300_001 // of a dispatch's ACK
	quiet = agn.HeartbeatLimit
)

// TestWatchdog reports each cause once, and nothing else: AGN E12 C5 X9 X10 X11
// D3.
func TestWatchdog(t *testing.T) {
	lock := func(k *writeFixture) {
		d := k.send(k.dispatch(task))
		k.ack(d)
		for i := range 3 {
			r := k.send(k.result(task))
			k.ack(r)
			k.ack(k.send(k.request(task, d.ID, r.ID, int64(i))))
			k.ack(k.send(k.verdict(task, agn.Rejected)))
		}
	}
	for _, c := range []struct {
		name  string
		write func(k *writeFixture)
		after int64
		want  string
	}{
		{"nothing", func(*writeFixture) {}, quiet, ""},
		{"E12 in time", func(k *writeFixture) { k.send(k.dispatch(task)) }, late - 1, ""},
		{"E12 late", func(k *writeFixture) { k.send(k.dispatch(task)) }, late, "ack_timeout task_dispatch"},
		{"X11 late and silent is one thing", func(k *writeFixture) { k.send(k.dispatch(task)) }, quiet, "ack_timeout task_dispatch"},
		{"E12 C5 three late", func(k *writeFixture) { k.send(k.dispatch(task)); k.send(k.result(task)); k.send(k.result(task)) }, quiet, "ack_timeout task_dispatch, ack_timeout task_result, ack_timeout task_result"},
		{"X11 not yet silent", func(k *writeFixture) { k.ack(k.send(k.dispatch(task))) }, quiet - 1, ""},
		{"X11 silent", func(k *writeFixture) { k.ack(k.send(k.dispatch(task))) }, quiet, "heartbeat_timeout task_dispatch"},
		{"X10 locked", lock, 0, "hallucination_lock review_verdict"},
		{"D3 X11 refused on its way", func(k *writeFixture) {
			_, _ = k.d.Send(k.t.Context(), []byte(strings.Replace(string(k.dispatch(task)), `"branch": "b"`, `"branch": "main"`, 1)), "x", k.at())
		}, 0, ""},
		{"D3 X11 refused on its way, then in work", func(k *writeFixture) {
			_, _ = k.d.Send(k.t.Context(), []byte(strings.Replace(string(k.dispatch(task)), `"branch": "b"`, `"branch": "main"`, 1)), "x", k.at())
			k.ack(k.send(k.dispatch(task)))
		}, 0, ""},
		{"D3 a file that breaks it", func(k *writeFixture) {
			k.put("messages/T-2026-007/x.json", strings.Replace(string(k.dispatch(task)), `"branch": "b"`, `"branch": "master"`, 1))
		}, 0, "branch_violation task_dispatch"},
		{"X9 terminated", func(k *writeFixture) {
			k.send(k.dispatch(task))
			m := k.send(k.escalation(task, agn.Critical))
			if err := k.d.Resume(k.t.Context(), agn.Resume{MsgID: m.ID, Action: agn.Terminate, Millis: k.now}); err != nil {
				k.t.Fatal(err)
			}
		}, quiet, ""},
	} {
		t.Run("AGN "+c.name, func(t *testing.T) {
			k := newWriteFixture(t)
			c.write(k)
			k.now += c.after
			list := k.pass()
			if got := causes(list); got != c.want {
				t.Fatalf("%q, want %q", got, c.want)
			}
			for _, m := range list {
				at := m.Time.Millis
				if m.From != agn.System || m.To != agn.Admin || at != k.now || m.RequiresAck || k.has(MessagePath(task, m.ID)) != string(m.Raw) {
					t.Errorf("%+v", m)
				}
			}
			if len(list) > 0 {
				if r, err := agn.ParseRecord([]byte(k.has(TaskPath(task)))); err != nil || r.Messages != int64(k.scan().Messages) {
					t.Errorf("E6: %+v: %v", r, err)
				}
			}
			before := k.standing()
			for range 2 {
				if list := k.pass(); len(list) > 0 {
					t.Errorf("X10: again: %s", causes(list))
				}
				if c.want != "" {
					k.now += 10 * quiet
				}
			}
			if diff := cmp.Diff(before, k.standing()); diff != "" {
				t.Errorf("X10: %s", diff)
			}
		})
	}
}

// TestWatchdogAnswered reports another silence after the admin's answer, and an
// answered lock not again: AGN X9 X10 X11.
func TestWatchdogAnswered(t *testing.T) {
	k := newWriteFixture(t)
	k.ack(k.send(k.dispatch(task)))
	for range 2 {
		k.now += quiet
		list := k.pass()
		if causes(list) == "" || len(list) != 1 {
			t.Fatalf("X11: %s", causes(list))
		}
		k.now += 1000
		if err := k.d.Resume(t.Context(), agn.Resume{MsgID: list[0].ID, Action: agn.Approve, Millis: k.now}); err != nil {
			t.Fatal(err)
		}
		if list := k.pass(); len(list) > 0 {
			t.Errorf("X11: %s", causes(list))
		}
	}
}

// TestWatchdogIDs makes ids of causes, so that two machines make one file: AGN E1
// C9.
func TestWatchdogIDs(t *testing.T) {
	k := newWriteFixture(t)
	d := k.send(k.dispatch(task))
	k.now += 180_000 - 1000
	r := k.send(k.result(task)) // due at the same moment
	since := d.Time.Millis + late
	if got := r.Time.Millis + 120_001; got != since {
		t.Fatal("not the same moment")
	}
	k.put(MessagePath(task, agn.ID{Type: agn.TypeEscalation, TaskID: task, Millis: since}.String()), "{") // counts for nothing
	k.now += 500_000
	list := k.pass()
	var got []int64
	for _, m := range list {
		id, _ := agn.ParseID(m.ID)
		got = append(got, id.Millis-since)
	}
	if diff := cmp.Diff([]int64{1, 2}, got); diff != "" {
		t.Errorf("E1: %s", diff)
	}
}

// TestWatchdogWithoutLock holds that a watchdog which the lock does not keep out,
// as one of another machine, makes no second report of one cause, and keeps no
// other cause from being reported: AGN X10 E1.
func TestWatchdogWithoutLock(t *testing.T) {
	for _, same := range []bool{true, false} {
		k := newWriteFixture(t)
		m := k.send(k.dispatch(task))
		k.now += late
		dog := NewWatchdog(WatchdogConfig{Path: k.path, Now: k.at})
		head := agn.Head{TaskID: task, Millis: k.now - 7, Number: m.Time.Millis + late}
		e := agn.Escalation{
			Kind: agn.AckTimeout, Severity: agn.Warning, TriggeredBy: agn.Executor, Description: "in other words", Suspended: true,
			Affected: []string{m.ID}, Snapshot: agn.Snapshot{TaskStatus: "dispatched"},
		}
		if !same {
			e.Kind = agn.CIFailure
		}
		theirs := k.built(agn.BuildEscalation(head, agn.System, e))
		dog.disk.Layer = disktest.Before(func(c *disk.Change) error {
			if c.Op == disk.OpLink {
				dog.disk.Layer = nil
				k.put(MessagePath(task, head.ID(agn.TypeEscalation)), string(theirs))
			}
			return nil
		})
		list, err := dog.Pass(t.Context())
		if err != nil || len(list) != map[bool]int{true: 0, false: 1}[same] {
			t.Errorf("same %t: %s: %v", same, causes(list), err)
		}
		if got := k.has(MessagePath(task, head.ID(agn.TypeEscalation))); got != string(theirs) {
			t.Error("E1: overwritten")
		}
		if list := k.pass(); len(list) > 0 {
			t.Errorf("same %t: again: %s", same, causes(list))
		}
	}
}

// TestWatchdogLockAhead reports a lock whose verdict is dated in the future, once
// and so that the verdict still counts: AGN E7 X10 X11.
func TestWatchdogLockAhead(t *testing.T) {
	k := newWriteFixture(t)
	d := k.send(k.dispatch(task))
	for i := range 3 {
		r := k.send(k.result(task))
		k.send(k.request(task, d.ID, r.ID, int64(i)))
		if i == 2 {
			k.now += 40_000
		}
		m := k.send(k.verdict(task, agn.Rejected))
		k.ack(m)
	}
	verdict := k.now - 1000
	k.now -= 30_000
	list := k.pass()
	if causes(list) != "hallucination_lock review_verdict" {
		t.Fatalf("X10: %s", causes(list))
	}
	if err := k.d.Resume(t.Context(), agn.Resume{MsgID: list[0].ID, Action: agn.Approve, Millis: k.now}); err != nil {
		t.Fatal(err)
	}
	k.now = verdict + 30_000 // before any ACK of it is late
	if s := k.scan().Task(task).State(k.now); s.Rejects != 3 || s.Phase != agn.PhaseResumed {
		t.Errorf("X11: %+v", s)
	}
	if list := k.pass(); len(list) > 0 {
		t.Errorf("X10: again: %s", causes(list))
	}
}

// TestWatchdogIdle writes nothing where nothing is due, not even a lock, and says
// nothing of a directory that is not there.
func TestWatchdogIdle(t *testing.T) {
	k := newWriteFixture(t)
	k.send(k.dispatch(task))
	before, err := os.Stat(k.path)
	if err != nil {
		t.Fatal(err)
	}
	k.pass()
	if after, err := os.Stat(k.path); err != nil || !after.ModTime().Equal(before.ModTime()) {
		t.Errorf("written to: %v", err)
	}
	k.path = filepath.Join(k.path, "nothing")
	k.pass()
	if _, err := os.Stat(k.path); err == nil {
		t.Error("a directory was made")
	}
}

// TestWatchdogBroken goes on with other tasks where one cannot be written to, and
// ends with the context: AGN X10.
func TestWatchdogBroken(t *testing.T) {
	k := newWriteFixture(t)
	k.put("elsewhere/x.json", string(k.dispatch(task)))
	k.put("messages/"+task, "no folder")
	k.send(k.dispatch(other))
	k.now += late
	list, err := NewWatchdog(WatchdogConfig{Path: k.path, Now: k.at}).Pass(t.Context())
	if err == nil || !strings.Contains(err.Error(), task) || len(list) != 1 || list[0].TaskID != other {
		t.Errorf("%s: %v", causes(list), err)
	}
	if err := os.Remove(k.file("messages/" + task)); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	dog := NewWatchdog(WatchdogConfig{Path: k.path, Now: k.at})
	if list, err := dog.Pass(ctx); !errors.Is(err, context.Canceled) || len(list) > 0 {
		t.Errorf("%v", err)
	}
	if list := k.pass(); len(list) != 1 || list[0].TaskID != task {
		t.Errorf("%s", causes(list))
	}
}

// TestWatchdogMany gives other writers their turn, and reports all.
func TestWatchdogMany(t *testing.T) {
	k := newWriteFixture(t)
	const tasks = 2*batch + 3
	for i := range tasks {
		k.put(fmt.Sprintf("x/%d.json", i), string(k.dispatch(fmt.Sprintf("T-2026-%03d", i))))
	}
	k.now += late
	var reported []agn.Message
	list, err := NewWatchdog(WatchdogConfig{Path: k.path, Now: k.at, Reported: func(m agn.Message) { reported = append(reported, m) }}).Pass(t.Context())
	if err != nil || len(list) != tasks || len(reported) != tasks {
		t.Errorf("X10: %d, %d told: %v", len(list), len(reported), err)
	}
}

// running runs a watchdog by the real clock.
func (k *writeFixture) running(cfg WatchdogConfig) (reported chan agn.Message, stop func()) {
	k.t.Helper()
	reported = make(chan agn.Message, 100)
	cfg.Path, cfg.Reported = k.path, func(m agn.Message) { reported <- m }
	ctx, cancel := context.WithCancel(k.t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		NewWatchdog(cfg).Run(ctx)
	}()
	return reported, func() { cancel(); <-done }
}

// await waits for a report, and no longer than a busy machine may take.
func (k *writeFixture) await(reported chan agn.Message) agn.Message {
	k.t.Helper()
	select {
	case m := <-reported:
		return m
	case <-time.After(time.Minute):
		k.t.Fatal("X10: nothing was reported")
	}
	return agn.Message{}
}

// TestWatchdogRun reports what is due at once, at its deadline, and when it is
// written, without waiting for the poll: AGN E12 X10.
func TestWatchdogRun(t *testing.T) {
	if testing.Short() {
		t.Skip()
	}
	k := newWriteFixture(t)
	k.now = time.Now().UnixMilli() - 1000 - late
	first := k.send(k.dispatch(task))
	head := k.head(other)
	head.Millis, head.AckTimeout = time.Now().UnixMilli(), 1
	second := k.send(k.built(agn.BuildDispatch(head, agn.Dispatch{
		Description: "x", Repo: k.repo, Branch: "b", Subtasks: []agn.Subtask{{ID: "S1"}}, Criteria: []string{"c"}, Risk: "low",
	})))
	reported, stop := k.running(WatchdogConfig{Poll: time.Hour})
	defer stop()
	for _, want := range []agn.Message{first, second} {
		if m := k.await(reported); !slices.Equal(m.Payload.Escalation.Affected, []string{want.ID}) || m.Time.Millis <= want.Time.Millis+want.Timeout()*1000 {
			t.Errorf("E12: %+v", m)
		}
	}
	third := k.send(k.dispatch("T-2026-009"))
	if m := k.await(reported); !slices.Equal(m.Payload.Escalation.Affected, []string{third.ID}) {
		t.Errorf("X10: %+v", m)
	}
	stop()
	if len(reported) > 0 {
		t.Errorf("X10: more was reported")
	}
}

// TestWatchdogLive follows the store that it is given, and leaves it open (AGN E12
// X10).
func TestWatchdogLive(t *testing.T) {
	k := newWriteFixture(t)
	k.now = time.Now().UnixMilli() - 1000 - late
	changes := make(chan Change, 1000)
	live := OpenLive(Config{Path: k.path, Changed: func(c Change) { changes <- c }})
	defer live.Close()
	reported, stop := k.running(WatchdogConfig{Poll: time.Hour, Live: live})
	for range 2 {
		m := k.send(k.dispatch(task))
		if e := k.await(reported); !slices.Equal(e.Payload.Escalation.Affected, []string{m.ID}) {
			t.Errorf("X10: %+v", e)
		}
	}
	stop()
	if err := live.Sync(t.Context()); err != nil || live.Snapshot().Messages != 4 || len(changes) == 0 {
		t.Errorf("%v: %v", err, brief(live.Snapshot()))
	}
}

// TestWatchdogRunFails says once that nothing can be written, and tries again: AGN
// X10.
func TestWatchdogRunFails(t *testing.T) {
	k := newWriteFixture(t)
	k.send(k.dispatch(task))
	k.now = time.Now().UnixMilli()
	var log bytes.Buffer
	fails := 5
	dog := NewWatchdog(WatchdogConfig{
		Path: k.path, Poll: time.Millisecond, Logger: slog.New(slog.NewTextHandler(&log, nil)),
	})
	ctx, cancel := context.WithCancel(t.Context())
	dog.cfg.Reported = func(agn.Message) { cancel() }
	dog.disk.Layer = disktest.Before(func(c *disk.Change) error {
		if c.Op == disk.OpCreate && disktest.Unfinished(c) && fails > 0 {
			fails--
			return syscall.ENOSPC
		}
		return nil
	})
	dog.Run(ctx)
	if n := strings.Count(log.String(), "cannot be written"); n != 1 || fails > 0 {
		t.Errorf("said %d times: %s", n, log.String())
	}
}
