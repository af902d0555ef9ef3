package agn

import (
	"context"
	"errors"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/agn"
)

// locking is a context that tells when the lock is about to be taken: nothing
// else asks it for its deadline.
type locking struct {
	context.Context
	once   sync.Once
	before func()
}

func (l *locking) Deadline() (time.Time, bool) {
	l.once.Do(l.before)
	return l.Context.Deadline()
}

// TestLocked writes nothing while another writer holds the lock, and says who
// does: AGN E13.
func TestLocked(t *testing.T) {
	k := newWriteFixture(t)
	m := k.send(k.dispatch(task))
	e := k.send(k.escalation(task, agn.Critical))
	data := k.result(task)
	before := k.standing()
	second, err := Open(k.path)
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	w, err := second.write(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	k.now += late
	for what, do := range map[string]func(ctx context.Context) error{
		"send":   func(ctx context.Context) error { _, err := k.d.Send(ctx, data, "x", k.at()); return err },
		"refuse": func(ctx context.Context) error { _, err := k.d.Send(ctx, []byte("{}"), "x", k.at()); return err },
		"ack":    func(ctx context.Context) error { _, err := k.d.Ack(ctx, m.ID, m.To, k.at()); return err },
		"resume": func(ctx context.Context) error {
			return k.d.Resume(ctx, agn.Resume{MsgID: e.ID, Action: agn.Approve, Millis: k.now})
		},
		"reject": func(ctx context.Context) error { _, err := k.d.Reject(ctx, rejection("x", "1")); return err },
		"watchdog": func(ctx context.Context) error {
			_, err := NewWatchdog(WatchdogConfig{Path: k.path, Now: k.at}).Pass(ctx)
			return err
		},
	} {
		// From when the lock is taken on: a look may take its time.
		ctx, cancel := context.WithCancel(t.Context())
		err := do(&locking{Context: ctx, before: cancel})
		if !errors.Is(err, ErrLocked) || !strings.Contains(err.Error(), "process "+strconv.Itoa(os.Getpid())) {
			t.Errorf("E13: %s: %v", what, err)
		}
	}
	if diff := cmp.Diff(append([]string{lockName}, before...), k.standing()); diff != "" {
		t.Errorf("E13: %s", diff)
	}
	// Reading waits for nobody.
	k.scan()
	w.end()
	k.send(data)
	if _, err := os.Lstat(k.file(lockName)); err == nil {
		t.Error("the lock was left")
	}
}

// TestLooksUnderLock holds that what others wrote until the lock was taken is
// seen: two that were each allowed to write by what they saw before never both
// do: AGN E1 E12 X9 X10 T1.
func TestLooksUnderLock(t *testing.T) {
	k := newWriteFixture(t)
	others, err := Open(k.path)
	if err != nil {
		t.Fatal(err)
	}
	defer others.Close()
	meanwhile := func(do func() error) context.Context {
		return &locking{Context: t.Context(), before: func() {
			if err := do(); err != nil {
				t.Error(err)
			}
		}}
	}
	m := k.send(k.dispatch(task))
	k.now += late

	list, err := NewWatchdog(WatchdogConfig{Path: k.path, Now: k.at}).Pass(meanwhile(func() error {
		_, err := others.Ack(t.Context(), m.ID, m.To, k.at())
		return err
	}))
	if err != nil || len(list) > 0 {
		t.Errorf("X10: acknowledged meanwhile, and %s: %v", causes(list), err)
	}

	m = k.send(k.dispatch(task))
	if _, err := k.d.Ack(meanwhile(func() error {
		_, err := others.Ack(t.Context(), m.ID, m.To, k.at())
		return err
	}), m.ID, m.To, k.at()); outcome(err) != "exists" {
		t.Errorf("E12: %v", err)
	}

	text := k.result(task)
	if _, err := k.d.Send(meanwhile(func() error {
		_, err := others.Send(t.Context(), append(text[:len(text):len(text)], '\n'), "x", k.at())
		return err
	}), text, "x", k.at()); ruleOf(err) != "E1" {
		t.Errorf("E1: %v", err)
	}

	locks := []agn.Message{}
	for range 2 {
		locks = append(locks, k.send(k.built(agn.BuildEscalation(k.head(task), agn.Coordinator, agn.Escalation{
			Kind: agn.HallucinationLock, Severity: agn.Critical, TriggeredBy: agn.Coordinator, Description: "x", Suspended: true,
			Snapshot: agn.Snapshot{TaskStatus: "locked"},
		}))))
	}
	answer := func(i int) agn.Resume {
		return agn.Resume{MsgID: locks[i].ID, Action: agn.Approve, Millis: k.now}
	}
	if err := k.d.Resume(meanwhile(func() error { return others.Resume(t.Context(), answer(0)) }), answer(1)); ruleOf(err) != "X9" {
		t.Errorf("X9: %v", err)
	}

	// And what it allows is allowed.
	first := k.dispatch(other)
	if _, err := k.d.Send(meanwhile(func() error {
		_, err := others.Send(t.Context(), first, "x", k.at())
		return err
	}), k.result(other), "x", k.at()); err != nil {
		t.Errorf("T1: %v", err)
	}
}

// TestLockMode lets everybody wait for the lock who may write to the directory,
// whatever the umask: AGN E13.
func TestLockMode(t *testing.T) {
	if !modes {
		t.Log("files have no modes here")
		return
	}
	defer setUmask(setUmask(0o077))
	for mode, want := range map[os.FileMode]os.FileMode{0o700: 0o600, 0o755: 0o600, 0o770: 0o660, 0o720: 0o660, 0o777: 0o666, 0o702: 0o606} {
		k := newWriteFixture(t)
		if err := os.Chmod(k.path, mode); err != nil {
			t.Fatal(err)
		}
		w, err := k.d.write(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(k.file(lockName)); err != nil || info.Mode().Perm() != want {
			t.Errorf("%o: %v, want %o: %v", mode, info.Mode(), want, err)
		}
		w.end()
	}
}
