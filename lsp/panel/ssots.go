package panel

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/lsp/store"
	"github.com/signalbox-dev/signalbox/lsp/store/ssot"
)

// taskStore is an SSOT that is followed, with its watchdog if it has one.
type taskStore struct {
	live     *ssot.Live
	path     string
	origin   string
	logs     bool // rejected messages are logged
	watchdog *running
}

// running is a watchdog at work.
type running struct {
	stop context.CancelFunc
	done sync.WaitGroup
}

// close stops the watchdog, then following.
func (t *taskStore) close() {
	t.unwatch()
	t.live.Close()
}

func (t *taskStore) unwatch() {
	if t.watchdog != nil {
		t.watchdog.stop()
		t.watchdog.done.Wait()
		t.watchdog = nil
	}
}

// shown tells whether there is something to say of the directory: one that
// nobody named is not missed while it is not there, and a file of that name is
// something else.
func (t *taskStore) shown() bool {
	switch t.origin {
	case "--ssot", "setting signalbox.ssot", "SIGNALBOX_SSOT":
		return true
	}
	s := t.live.Snapshot()
	return s.Exists && s.Err == nil || len(s.Tasks)+len(s.Rejected) > 0
}

// openTasks follows the SSOTs that the settings and the environment name, else
// those that there are in the workspace or will be: the first message of an
// agent makes one. It gives those that are to be closed. The caller holds mu.
func (p *Panels) openTasks(env store.Env, s Settings, folders []string) (left []*taskStore) {
	var now []*taskStore
	old := p.tasks
	for _, c := range ssot.Candidates(env, p.opt.SSOT, s.SSOT, folders) {
		i := slices.IndexFunc(old, func(t *taskStore) bool { return t.path == c.Value && t.logs == !s.ReadOnly })
		if i < 0 {
			now = append(now, p.followTasks(c, s))
			continue
		}
		t := old[i]
		t.origin = c.Origin
		old = slices.Delete(slices.Clone(old), i, i+1)
		now = append(now, t)
	}
	p.tasks = now
	for _, t := range now {
		p.watch(t, s.Watchdog && !s.ReadOnly)
	}
	return old
}

func (p *Panels) followTasks(c store.Choice, s Settings) *taskStore {
	path := c.Value
	return &taskStore{path: path, origin: c.Origin, logs: !s.ReadOnly, live: ssot.OpenLive(ssot.Config{
		Path: path, Log: !s.ReadOnly, Now: p.opt.Now, Logger: p.opt.Log,
		Changed: func(c ssot.Change) { p.tasksChanged(path, c) },
	})}
}

// watch starts or stops a directory's watchdog.
func (p *Panels) watch(t *taskStore, on bool) {
	if on == (t.watchdog != nil) {
		return
	}
	if !on {
		t.unwatch()
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	run := &running{stop: cancel}
	dog := ssot.NewWatchdog(ssot.WatchdogConfig{Path: t.path, Live: t.live, Now: p.opt.Now, Logger: p.opt.Log})
	run.done.Go(func() { dog.Run(ctx) })
	t.watchdog = run
}

// ssotsNow gives what is known of the SSOTs now.
func (p *Panels) ssotsNow() []*ssot.Snapshot {
	p.mu.RLock()
	defer p.mu.RUnlock()
	list := make([]*ssot.Snapshot, 0, len(p.tasks))
	for _, t := range p.tasks {
		if t.shown() {
			list = append(list, t.live.Snapshot())
		}
	}
	return list
}

func (p *Panels) ssotLive(id string) *ssot.Live {
	p.mu.RLock()
	defer p.mu.RUnlock()
	for _, t := range p.tasks {
		if t.live.Snapshot().ID == id {
			return t.live
		}
	}
	return nil
}

func (p *Panels) now() int64 { return p.opt.Now().UnixMilli() }

func (p *Panels) readOnly() bool {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.settings.ReadOnly
}

// workspace gives the folders that are open.
func (p *Panels) workspace() []string {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.around
}

// alarming counts what asks for the admin: open critical escalations, malformed
// ones too, and what is overdue without one.
func alarming(list []*ssot.Snapshot, now int64) (critical, late int) {
	for _, s := range list {
		for _, x := range s.Rejected {
			if x.Distress != nil && x.Distress.Payload.Escalation.Gravity() == agn.Critical {
				critical++
			}
		}
		for _, t := range s.Tasks {
			late += len(t.Alarms(now))
			open := openOf(t, now)
			for i := range t.History.Messages {
				e := t.History.Messages[i].Payload.Escalation
				if e != nil && e.Severity == agn.Critical && open[t.History.Messages[i].ID] {
					critical++
				}
			}
		}
	}
	return critical, late
}

// tasksChanged turns a change of tasks into the client's.
func (p *Panels) tasksChanged(path string, c ssot.Change) {
	change := SourceChange{Kinds: []string{"tasks"}, Truncated: c.Truncated, Status: c.Status}
	for _, id := range c.Tasks {
		change.Threads = append(change.Threads, mail.ThreadRef(mail.AGN, ssot.ID(path), id))
	}
	p.announce(change)
	p.wait()
}

// longestWait is how long a timer runs before the clock is looked at again: the
// timer stands still while the machine sleeps, and the clock does not.
const longestWait = time.Minute

// bell rings once, and is heard out before the panels are closed.
type bell struct {
	timer   *time.Timer
	ringing sync.WaitGroup
}

func (b *bell) set(after time.Duration, ring func()) {
	b.stop()
	b.ringing.Add(1)
	b.timer = time.AfterFunc(after, func() {
		defer b.ringing.Done()
		ring()
	})
}

// stop keeps the bell from ringing, but where it rings already.
func (b *bell) stop() {
	if b.timer != nil && b.timer.Stop() {
		b.ringing.Done()
	}
	b.timer = nil
}

// wait has the client told when the next deadline passes, since no file changes
// then.
func (p *Panels) wait() {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.opt.Now()
	next := int64(0)
	for _, t := range p.tasks {
		for _, task := range t.live.Snapshot().Tasks {
			if at := task.NextDeadline(now.UnixMilli()); at > 0 && (next == 0 || at < next) {
				next = at
			}
		}
	}
	p.alarm.stop()
	if next == 0 || p.closed {
		return
	}
	if left := time.UnixMilli(next).Sub(now); left <= longestWait {
		p.alarm.set(left, func() { p.tasksChanged("", ssot.Change{}) })
		return
	}
	p.alarm.set(longestWait, p.wait)
}

// ssotStatus describes a directory of task messages.
func (t *taskStore) status() SSOT {
	s := t.live.Snapshot()
	out := SSOT{
		Path: safe(s.Path), Origin: t.origin, Store: s.ID, Own: s.Own, Exists: s.Exists, Writable: s.Writable, Watching: Watching(s.Watching),
		Watchdog: t.watchdog != nil, Tasks: len(s.Tasks), Messages: s.Messages, Rejected: len(s.Rejected),
	}
	if s.Err != nil {
		out.Error = safe(s.Err.Error())
	}
	return out
}

// ssotProblems are the remarks about the directories.
func ssotProblems(list []*ssot.Snapshot) []Warning {
	warnings := []Warning{}
	for _, s := range list {
		if s.Err != nil {
			warnings = append(warnings, Warning{Rule: "E13", Message: safe(s.Path + ": " + s.Err.Error())})
		}
		for _, pr := range s.Problems {
			warnings = append(warnings, Problem(pr.Path, pr.Rule, pr.Reason, pr.Advice))
		}
	}
	return Some(warnings, Warning{Rule: "E0", Message: "and more: run signalbox doctor"})
}
