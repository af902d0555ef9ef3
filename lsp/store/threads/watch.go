package threads

import (
	"context"
	"path/filepath"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/signalbox-dev/signalbox/core/atsf"
)

// settleEvents is how long events are gathered, so that a burst of writes is
// read at once. It is below what a person notices.
const settleEvents = 15 * time.Millisecond

// settleLong is how long they are gathered at most.
const settleLong = 200 * time.Millisecond

// pending is what events told to look at.
type pending struct {
	all     bool
	folders map[string]bool
	threads map[Key]bool
}

func newPending() *pending {
	return &pending{folders: make(map[string]bool), threads: make(map[Key]bool)}
}

func (p *pending) empty() bool { return !p.all && len(p.folders) == 0 && len(p.threads) == 0 }

// follower is the goroutine of a [Live].
type follower struct {
	live  *Live
	state *state
	watch *watcher
	todo  *pending
	// settled fires when the events that were gathered are to be looked at.
	settled *time.Timer
	// rest is how long the next burst is gathered: the longer looking took,
	// the longer.
	rest time.Duration
}

// keep follows the folders until ctx ends: what the system reports, at once,
// and everything at every poll, since some file systems report nothing.
func (l *Live) keep(ctx context.Context) {
	f := &follower{live: l, state: newState(l.cfg), watch: newWatcher(l), todo: newPending(), settled: time.NewTimer(time.Hour), rest: settleEvents}
	defer f.watch.close()
	defer f.settled.Stop()
	defer f.state.save()
	poll := time.NewTimer(0)
	defer poll.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case event := <-f.watch.events():
			f.note(event)
		case err := <-f.watch.errors():
			// An overflow, mostly: something was missed.
			l.cfg.Logger.Warn("watching the threads", "error", err)
			f.plan(func(p *pending) { p.all = true })
		case <-f.settled.C:
			start := time.Now()
			f.work(ctx)
			f.rest = min(max(settleEvents, 2*time.Since(start)), settleLong)
		case looked := <-l.kick:
			f.todo.all = true
			f.work(ctx)
			close(looked)
		case <-poll.C:
			start := time.Now()
			f.todo.all = true
			f.watch.retry()
			f.work(ctx)
			f.state.save()
			poll.Reset(untilPoll(l.cfg.Poll, time.Since(start)))
		}
	}
}

// untilPoll is how long to wait after a look that took a while: looking takes a
// hundredth of the time at most.
func untilPoll(poll, took time.Duration) time.Duration { return max(poll, 100*took) }

// plan adds to what is to be looked at soon.
func (f *follower) plan(add func(*pending)) {
	first := f.todo.empty()
	add(f.todo)
	if first && !f.todo.empty() {
		f.settled.Reset(f.rest)
	}
}

// note takes an event for what it is about.
func (f *follower) note(event fsnotify.Event) {
	t, inside := f.watch.about(event)
	base := filepath.Base(event.Name)
	f.plan(func(p *pending) {
		switch {
		case t == nil:
		case !inside:
			// The directory itself went or came.
			p.all = true
		case t.kind == ofGit:
			p.all = p.all || t.names == nil || t.names[base]
		case t.kind == ofFolder || t.kind == ofAgent:
			if t.names[base] {
				p.folders[t.folder] = true
			}
		case t.kind == ofThreads:
			p.threads[Key{t.folder, base}] = true
		case t.kind == ofThread:
			p.threads[Key{t.folder, t.thread}] = true
		}
	})
}

// work looks at what is planned, publishes what changed and watches what is
// new.
func (f *follower) work(ctx context.Context) {
	todo, s := f.todo, f.state
	f.todo = newPending()
	first := s.project == nil
	var c Change
	var err error
	if todo.all || first {
		c, err = s.refresh(ctx)
	} else {
		c, err = s.refreshSome(ctx, todo)
	}
	if err != nil {
		return
	}
	if first || !c.empty() {
		// The first list does not wait for the watches.
		f.publish(c)
	}
	var added []*target
	if todo.all || c.Folders || !f.watch.follows(s, c.Threads) || !f.watch.follows(s, s.begun()) {
		added = f.watch.renew(s)
	}
	if watching, troubles := f.watch.report(); watching != s.watching || !sameProblems(troubles, s.troubles) {
		s.watching, s.troubles = watching, troubles
		f.publish(Change{Folders: true})
	}
	if first {
		s.save()
	}
	// What changed before it was watched was not reported.
	f.plan(func(p *pending) {
		for _, t := range added {
			switch t.kind {
			case ofGit:
				p.all = true
			case ofThread:
				p.threads[Key{t.folder, t.thread}] = true
			default:
				p.folders[t.folder] = true
			}
		}
	})
}

func (f *follower) publish(c Change) {
	snap := f.state.snapshot()
	c.Revision = snap.Revision
	f.live.snap.Store(snap)
	f.live.cfg.Changed(c)
}

func sameProblems(a, b []Problem) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// refreshSome looks at single folders and threads.
func (s *state) refreshSome(ctx context.Context, todo *pending) (Change, error) {
	var c Change
	for id := range todo.folders {
		old := s.folders[id]
		if old == nil {
			continue
		}
		f := &folderState{Folder: old.Folder}
		f.Agent, f.Err, f.Problems = false, nil, nil
		if err := s.look(ctx, f); err != nil {
			return c, err
		}
		if !f.Agent || !old.Agent || old.Archived || old.recalls() {
			// What the cache knows counts too.
			return s.refresh(ctx)
		}
		c.compare(old, f)
		*old = *f
	}
	for k := range todo.threads {
		if f := s.folders[k.Folder]; f != nil && !todo.folders[k.Folder] {
			if err := s.refreshThread(f, k.Name, &c); err != nil {
				return s.refresh(ctx)
			}
		}
	}
	return c, ctx.Err()
}

// recalls reports whether some threads of a folder are known from the cache.
func (f *folderState) recalls() bool {
	for _, r := range f.records {
		if r.item.Gone {
			return true
		}
	}
	return false
}

// refreshThread looks at one thread.
func (s *state) refreshThread(f *folderState, name string, c *Change) error {
	if !listable(name) {
		return nil
	}
	d, err := Open(f.Path)
	if err != nil {
		return err
	}
	defer d.Close()
	threads, err := d.openThreads()
	if err != nil {
		return err
	}
	defer threads.Close()
	if f.records == nil {
		f.records = make(map[string]*record)
	}
	if f.begun == nil {
		f.begun = make(map[string]bool)
	}
	old := f.records[name]
	var now *record
	delete(f.begun, name)
	if info, err := threads.Lstat(name); err == nil && info.IsDir() {
		if now = look(f.ID, threads, nil, name, old); now == nil && len(f.begun) < maxBegun {
			f.begun[name] = true
		}
	}
	if now == old || now == nil && old.item.Gone {
		return nil
	}
	before, after := map[string]*record{}, map[string]*record{}
	if old != nil {
		before[name] = old
	}
	delete(f.records, name)
	if now != nil {
		after[name] = now
		f.records[name] = now
	}
	if c.differ(f.ID, before, after) {
		f.dirty = true
		f.lose(before, after)
	}
	if n := len(f.records); n != f.Threads {
		f.Threads, c.Folders = n, true
	}
	return nil
}

// agentPath and threadsPath are what is watched of a folder.
func agentPath(f *Folder) string   { return filepath.Join(f.Path, atsf.DirName) }
func threadsPath(f *Folder) string { return filepath.Join(f.Path, atsf.DirName, atsf.ThreadsName) }
