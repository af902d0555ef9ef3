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

// WatchdogConfig sets what a watchdog watches.
type WatchdogConfig struct {
	// Path is the directory. It need not exist yet.
	Path string
	// Live follows Path and is used by this watchdog only; Run does not close it. nil means that
	// Run opens its own.
	Live *Live
	// Now is the clock; nil means [time.Now].
	Now func() time.Time
	// Poll is how often failed writes are tried again. 0 means 10 s.
	Poll time.Duration
	// Logger receives failures; it may be nil.
	Logger *slog.Logger
	// Reported is called with each escalation that this watchdog wrote, by the goroutine that
	// called Run or Pass. It may be nil.
	Reported func(agn.Message)
}

// Watchdog reports to the admin what [agn.Alarms] finds in the tasks of a directory: missing
// ACKs, silences, locks that no one escalated, dispatches to a forbidden branch (rules E12,
// C5, X10, X11 and D3). It never answers, changes or removes anything.
//
// Every cause is reported exactly once, however many watchdogs run and whenever they are
// killed: the history shows what was reported, and is read again under the lock of all
// writers. If the lock does not help, as between two machines with copies of a directory, the
// escalation's id is derived from its cause, so both write the same file.
type Watchdog struct {
	cfg WatchdogConfig
	// disk is replaced in tests.
	disk disk.Disk
}

// NewWatchdog returns a watchdog. It does nothing until Run or Pass is called.
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

// Pass writes the escalations that are due now and returns them, even if there is an error
// too. If none are due, it writes nothing and takes no lock.
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

// report writes the due escalations of all tasks.
func (w *Watchdog) report(ctx context.Context) (all []agn.Message, err error) {
	d, err := openOn(w.disk, w.cfg.Path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	for {
		part, err := w.writeBatch(ctx, d)
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

// writeBatch writes a batch of escalations under the lock. If one task's folder is broken, the
// escalations of other tasks are still written.
func (w *Watchdog) writeBatch(ctx context.Context, d *Dir) (list []agn.Message, err error) {
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
		part, bad := w.escalateTask(wr, t, historyOf(s, t.ID), batch-len(list))
		list, err = append(list, part...), errors.Join(err, bad)
	}
	return list, errors.Join(err, ctx.Err())
}

// escalateTask writes the escalations of one task, at most most.
func (w *Watchdog) escalateTask(wr *writing, t *Task, h agn.History, most int) (list []agn.Message, err error) {
	for again := true; again && err == nil; {
		now := w.now()
		state, alarms := agn.Alarms(t.ID, h, t.refused, now)
		again = false
		for i, a := range alarms {
			if len(list) >= most {
				break
			}
			again = true
			if i > 0 && a.Kind == agn.HeartbeatTimeout {
				break // an agent that now waits for the admin is not silent
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
		wr.updateSummary(t.ID, &h)
	}
	return list, err
}

// escalate writes the escalation of an alarm. mine is false if another message with that id
// was written since the look, by a watchdog that does not share the lock. escalate returns
// that message: it may have the same cause.
func (w *writing) escalate(h *agn.History, a *agn.Alarm, s agn.TaskState, now int64) (m agn.Message, mine bool, err error) {
	head := agn.Head{TaskID: s.TaskID, Millis: now, Number: max(agn.MinNumber, a.Since)}
	if a.Kind == agn.HallucinationLock {
		// If another machine's clock made the escalation older than the verdict that locked the
		// task, the verdict would not be counted.
		head.Millis = max(now, a.Since)
	}
	e := a.Escalation(s)
	for ; ; head.Number++ {
		id := head.ID(agn.TypeEscalation)
		if slices.ContainsFunc(h.Messages, func(m agn.Message) bool { return m.ID == id }) {
			continue // another cause in the same millisecond
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
		// A file with this name exists but is not a valid message: try the next number.
	}
}

// Run writes escalations as they become due, until the context ends. In between it sleeps
// until the directory changes or the next poll.
func (w *Watchdog) Run(ctx context.Context) {
	live := w.cfg.Live
	if live == nil {
		live = OpenLive(Config{Path: w.cfg.Path, Now: w.cfg.Now, Logger: w.cfg.Logger})
		defer live.Close()
	}
	_ = live.Sync(ctx)
	ticker := time.NewTicker(w.cfg.Poll)
	defer ticker.Stop()
	logged := ""
	for ctx.Err() == nil {
		if due(live.Snapshot(), w.now()) {
			_, err := w.report(ctx)
			logged = w.logFailure(ctx, err, logged)
			// Otherwise the escalations just written would be due again.
			_ = live.Sync(ctx)
		}
		select {
		case <-ctx.Done():
		case <-live.changed:
		case <-ticker.C:
		}
	}
}

// logFailure logs a failure unless it is the one that was logged last, and returns its text.
func (w *Watchdog) logFailure(ctx context.Context, err error, logged string) string {
	if err == nil || ctx.Err() != nil {
		return ""
	}
	if text := err.Error(); text != logged {
		w.cfg.Logger.Warn("an escalation cannot be written", "path", w.cfg.Path, "error", text)
		return text
	}
	return logged
}
