package agn

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"slices"
	"time"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/lsp/disk"
)

// WatchdogConfig says what a watchdog watches.
type WatchdogConfig struct {
	// Path is the directory. It need not exist yet.
	Path string
	// Live follows Path for this watchdog alone and is not closed; nil means that Run opens
	// one.
	Live *Live
	// Now is the clock; nil means [time.Now].
	Now func() time.Time
	// Poll is how often what could not be written is tried again. 0 means 10 s.
	Poll time.Duration
	// Logger hears of failures; it may be nil.
	Logger *slog.Logger
	// Reported is told of each escalation that this watchdog wrote, by the
	// goroutine that called Run or Pass. It may be nil.
	Reported func(agn.Message)
}

// Watchdog tells the admin what [agn.Alarms] finds in the tasks of a directory:
// missing ACKs, silences, locks that nobody escalated, dispatches to a branch
// where nobody may work (rules E12, C5, X10, X11 and D3). It never answers,
// changes or removes anything.
//
// Every cause is reported exactly once, whatever watchdogs there are and when they are
// killed: the history says what was reported, and is looked at once more under the lock of
// all writers. Where a lock does not reach, as between two machines with copies of a
// directory, the escalation's id is made of its cause, so that both make the same file.
type Watchdog struct {
	cfg WatchdogConfig
	// disk is another one in tests.
	disk disk.Disk
}

// NewWatchdog makes a watchdog. It does nothing until it is asked to.
func NewWatchdog(cfg WatchdogConfig) *Watchdog {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Poll <= 0 {
		cfg.Poll = 10 * time.Second
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	if cfg.Reported == nil {
		cfg.Reported = func(agn.Message) {}
	}
	return &Watchdog{cfg: cfg}
}

// batch is how many escalations are written before other writers get their turn.
const batch = 100

// Pass reports what there is to report now, and returns the escalations that it
// wrote, also beside an error. Where nothing is to report nothing is written and
// no lock is taken.
func (w *Watchdog) Pass(ctx context.Context) ([]agn.Message, error) {
	s, err := Scan(ctx, w.cfg.Path)
	if err == nil {
		err = s.Err
	}
	if err != nil {
		return nil, fmt.Errorf("ssot: watch: %w", err)
	}
	if !due(s, w.now()) {
		return nil, nil
	}
	return w.report(ctx)
}

func (w *Watchdog) now() int64 { return w.cfg.Now().UnixMilli() }

// due reports whether a task has an alarm.
func due(s *Snapshot, now int64) bool {
	return slices.ContainsFunc(s.Tasks, func(t *Task) bool { return len(t.Alarms(now)) > 0 })
}

// report writes the escalations of all tasks.
func (w *Watchdog) report(ctx context.Context) (all []agn.Message, err error) {
	d, err := openOn(w.disk, w.cfg.Path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	for {
		part, err := w.some(ctx, d)
		for _, m := range part {
			w.cfg.Logger.Info("escalation written", "id", m.ID, "kind", m.Payload.Escalation.Kind)
			w.cfg.Reported(m)
		}
		all = append(all, part...)
		if err != nil || len(part) < batch {
			return all, err
		}
	}
}

// some writes a batch of escalations under the lock. A task whose folder is
// broken does not keep the others' from being written.
func (w *Watchdog) some(ctx context.Context, d *Dir) (list []agn.Message, err error) {
	wr, err := d.write(ctx)
	if err != nil {
		return nil, err
	}
	defer wr.end()
	s, err := wr.look(ctx)
	if err != nil {
		return nil, err
	}
	for _, t := range s.Tasks {
		if ctx.Err() != nil || len(list) >= batch {
			break
		}
		if len(t.Alarms(w.now())) == 0 {
			continue
		}
		part, bad := w.task(wr, t, historyOf(s, t.ID), batch-len(list))
		list, err = append(list, part...), errors.Join(err, bad)
	}
	return list, errors.Join(err, ctx.Err())
}

// task writes the escalations of one task, at most some.
func (w *Watchdog) task(wr *writing, t *Task, h agn.History, most int) (list []agn.Message, err error) {
	for again := true; again && err == nil; {
		now := w.now()
		state, alarms := agn.Alarms(t.ID, h, t.met, now)
		again = false
		for i, a := range alarms {
			if len(list) >= most {
				break
			}
			again = true
			if i > 0 && a.Kind == agn.HeartbeatTimeout {
				break // who waits for the admin by now is not silent
			}
			var m agn.Message
			var mine bool
			if m, mine, err = wr.escalate(&h, &a, state, now); err != nil {
				err = fmt.Errorf("ssot: report %s of %s: %w", a.Kind, t.ID, err)
				break
			}
			h.Messages = append(h.Messages, m)
			if mine {
				list = append(list, m)
			}
		}
	}
	if len(list) > 0 {
		wr.bring(t.ID, &h)
	}
	return list, err
}

// escalate writes the escalation of an alarm. mine is false where it gives
// another message, which was written under that name since the look, by a
// watchdog that the lock does not keep out: it may be about the same cause.
func (w *writing) escalate(h *agn.History, a *agn.Alarm, s agn.TaskState, now int64) (m agn.Message, mine bool, err error) {
	head := agn.Head{TaskID: s.TaskID, Millis: now, Number: max(agn.MinNumber, a.Since)}
	if a.Kind == agn.HallucinationLock {
		// Before the verdict that locked, by another's clock, it would keep that
		// verdict from being counted.
		head.Millis = max(now, a.Since)
	}
	e := a.Escalation(s)
	for ; ; head.Number++ {
		id := head.ID(agn.TypeEscalation)
		if slices.ContainsFunc(h.Messages, func(m agn.Message) bool { return m.ID == id }) {
			continue // another cause of that millisecond
		}
		data, err := agn.BuildEscalation(head, agn.System, e)
		if err != nil {
			return m, false, err
		}
		err = w.whole().Add(MessagePath(s.TaskID, id), data)
		switch {
		case err == nil:
			m, err = agn.ParseMessage(data)
			return m, true, err
		case !errors.Is(err, fs.ErrExist):
			return m, false, err
		}
		if data, err = w.readFile(MessagePath(s.TaskID, id)); err == nil {
			if m, err = agn.ParseMessage(data); err == nil && m.ID == id && len(m.Faults) == 0 {
				return m, false, nil
			}
		}
		// Whatever has the name, it tells the admin nothing.
	}
}

// Run reports what there is to report until the context ends. In between it sleeps, until
// the directory is another one or the poll.
func (w *Watchdog) Run(ctx context.Context) {
	live := w.cfg.Live
	if live == nil {
		live = OpenLive(Config{Path: w.cfg.Path, Now: w.cfg.Now, Logger: w.cfg.Logger})
		defer live.Close()
	}
	_ = live.Sync(ctx)
	ticker := time.NewTicker(w.cfg.Poll)
	defer ticker.Stop()
	told := ""
	for ctx.Err() == nil {
		if due(live.Snapshot(), w.now()) {
			_, err := w.report(ctx)
			told = w.failed(ctx, err, told)
			// Else what was written now would be due once more.
			_ = live.Sync(ctx)
		}
		select {
		case <-ctx.Done():
		case <-live.changed:
		case <-ticker.C:
		}
	}
}

// failed logs a failure, once until it is another one.
func (w *Watchdog) failed(ctx context.Context, err error, told string) string {
	if err == nil || ctx.Err() != nil {
		return ""
	}
	if text := err.Error(); text != told {
		w.cfg.Logger.Warn("an escalation cannot be written", "path", w.cfg.Path, "error", text)
		return text
	}
	return told
}
