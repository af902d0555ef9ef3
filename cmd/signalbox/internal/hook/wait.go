package hook

import (
	"context"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"syscall"
	"time"

	"github.com/signalbox-dev/signalbox/lsp/agents"
	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
)

const (
	// wakeCode is the exit code at which Claude Code wakes a session, with the text that the hook
	// wrote to standard error.
	wakeCode = 2
	// waitEvery is how often a waiter checks whether its session still runs, and for mail if the
	// system reports no changes.
	waitEvery = 5 * time.Second
)

// wait waits for mail beside an idle session, wakes the session when mail comes, and ends. Claude
// Code starts a waiter whenever a session stops, and never ends one: only the first stays. It
// ends with the session's program, even if that was killed without an event.
func (h *hook) wait(ctx context.Context, e *event) (err error) {
	folder := activity.At(h.Env.StateDir())
	if s, err := folder.Read(string(e.client), e.session); err != nil || !h.sits(&s) {
		return err
	}
	// Claude Code ends it with a signal when a person leaves.
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	done, ok := folder.Wait(string(e.client), e.session)
	if !ok {
		return nil
	}
	defer done()
	debug.SetGCPercent(20)
	begun := false
	h.Box().Watch(ctx, h.every, func() (on bool) {
		if on, err = h.wakes(ctx, folder, e); on && !begun {
			begun = true // the memory for starting is not needed again
			staySmall()
		}
		return on
	})
	if ctx.Err() != nil {
		return nil // it was ended in the middle of a check
	}
	return err
}

// wakes wakes the session if it sits idle and has mail that it was not notified of. on is false
// once there is nothing to wait for.
func (h *hook) wakes(ctx context.Context, folder activity.Folder, e *event) (on bool, err error) {
	s, err := folder.Read(string(e.client), e.session)
	if err != nil || s.State == activity.Ended || !s.Process.Runs() {
		return false, err
	}
	now := h.Now().UnixMilli()
	if s.Waiter != activity.Self() {
		if err := folder.Change(ctx, s.Client, s.ID, func(s *activity.Session) bool {
			s.Waiter = activity.Self()
			return s.State != ""
		}); err != nil {
			return false, err
		}
	}
	if !s.MayHold(now) {
		return true, nil
	}
	h.name(&s, e)
	seen, changed := h.look(&s, waking)
	if !changed || !h.sitsIdle(&s, now) {
		return true, nil
	}
	e.judged = s
	if me := h.Who(); me.Err != nil {
		return false, me.Err
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	m, err := h.Box().Waiting(ctx)
	if err != nil {
		return false, err
	}
	defer m.Close()
	err = h.record(ctx, folder, e, m, seen, now)
	return err == nil && !h.woke, err
}

// sitsIdle reports whether the session sits idle. Its record may not say so, since there is no
// event when the person interrupts a turn.
func (h *hook) sitsIdle(s *activity.Session, now int64) bool {
	if s.State == activity.Idle {
		return true
	}
	list, _ := agents.At(h.Env.StateDir()).List(now)
	return slices.ContainsFunc(list, func(o activity.Session) bool {
		return o.Client == s.Client && o.ID == s.ID && o.State == activity.Idle && s.IdleAs(&o)
	})
}

// wake writes a text in the form that makes the client wake the session.
func (h *hook) wake(e *event, text string) (err error) {
	if e.client == claude {
		_, err = io.WriteString(h.Stderr, text)
	} else {
		err = hold(h.Stdout, text)
	}
	h.woke = err == nil
	return err
}
