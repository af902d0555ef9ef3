package ssot

import (
	"context"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"
)

const (
	// settleEvents is how long events are gathered, so that a burst of writes is
	// read at once. It is below what a person notices.
	settleEvents = 15 * time.Millisecond
	// settleLong is how long they are gathered at most.
	settleLong = 200 * time.Millisecond
	// manyEvents is the number of names in one folder from which the whole
	// folder is looked at.
	manyEvents = 200
)

// pending is what events told to look at: everything, or paths relative to the
// directory.
type pending struct {
	all   bool
	paths map[string]bool
}

func (p *pending) empty() bool { return !p.all && len(p.paths) == 0 }

// list gives the paths, none of them within another.
func (p *pending) list() []string {
	count := make(map[string]int)
	for at := range p.paths {
		count[path.Dir(at)]++
	}
	for at, n := range count {
		if n > manyEvents && at != "." {
			p.paths[at] = true
		}
	}
	list := make([]string, 0, len(p.paths))
	for _, at := range slices.Sorted(maps.Keys(p.paths)) {
		if !p.within(at) {
			list = append(list, at)
		}
	}
	return list
}

// within reports whether a folder around a path is looked at.
func (p *pending) within(at string) bool {
	for at = path.Dir(at); at != "."; at = path.Dir(at) {
		if p.paths[at] {
			return true
		}
	}
	return false
}

// follower is the goroutine of a [Live].
type follower struct {
	live  *Live
	state *state
	watch *watcher
	todo  pending
	// settled fires when the events that were gathered are to be looked at.
	settled *time.Timer
	// rest is how long the next burst is gathered: the longer looking took, the
	// longer.
	rest   time.Duration
	keeper logKeeper
	poll   *time.Timer
	// waiting tells that poll is set to when rejected messages are old enough.
	waiting bool
}

// keep follows the directory until ctx ends: what the system reports, at once,
// and everything at every poll, since some file systems report nothing.
func (l *Live) keep(ctx context.Context, s *state) {
	f := &follower{live: l, state: s, watch: newWatcher(s.cfg.Path, l.with), settled: time.NewTimer(time.Hour), rest: settleEvents, poll: time.NewTimer(0)}
	defer f.watch.close()
	defer f.settled.Stop()
	defer f.poll.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case event := <-f.watch.event:
			f.note(event)
		case err := <-f.watch.err:
			// An overflow, mostly: something was missed.
			l.cfg.Logger.Warn("watching the tasks", "error", err)
			f.plan(func(p *pending) { p.all = true })
		case <-f.settled.C:
			start := time.Now()
			f.work(ctx)
			f.rest = min(max(settleEvents, 2*(time.Since(start)-f.keeper.took)), settleLong)
		case looked := <-l.kick:
			f.todo.all = true
			f.work(ctx)
			close(looked)
		case <-f.poll.C:
			start := time.Now()
			f.todo.all = true
			f.keeper.rest--
			f.waiting = false
			f.watch.retry()
			f.work(ctx)
			if !f.waiting {
				f.poll.Reset(untilPoll(l.cfg.Poll, time.Since(start)-f.keeper.took))
			}
		}
	}
}

// untilPoll is how long to wait after a look that took a while: looking takes a
// hundredth of the time at most.
func untilPoll(poll, took time.Duration) time.Duration { return max(poll, 100*took) }

// plan adds to what is to be looked at soon.
func (f *follower) plan(add func(*pending)) {
	first := f.todo.empty()
	if f.todo.paths == nil {
		f.todo.paths = make(map[string]bool)
	}
	add(&f.todo)
	if first && !f.todo.empty() {
		f.settled.Reset(f.rest)
	}
}

// note takes an event for what it is about.
func (f *follower) note(event fsnotify.Event) {
	at, ok := f.watch.about(event)
	if !ok {
		return
	}
	f.plan(func(p *pending) {
		switch {
		case at == "":
			// The directory itself came or went.
			p.all = true
		case strings.HasPrefix(base(at), "."):
		case event.Op == fsnotify.Write && !strings.HasSuffix(at, ".json") && at != errorLog:
		default:
			p.paths[at] = true
		}
	})
}

// work looks at what is planned, publishes what changed, watches what is new and
// writes the error log.
func (f *follower) work(ctx context.Context) {
	todo, s := f.todo, f.state
	f.todo = pending{}
	first := !s.looked
	var c changed
	var err error
	if todo.all || first {
		c, err = s.refresh(ctx)
	} else {
		c, err = s.refreshSome(ctx, todo.list())
	}
	if err != nil {
		return
	}
	if first || !c.empty() {
		// The first look does not wait for the watches.
		f.publish(&c)
	}
	if todo.all || !c.empty() || f.watch.lost {
		f.renew()
	}
	f.log(ctx)
	troubles := f.watch.troubles()
	if f.keeper.fault != nil {
		troubles = append(troubles, *f.keeper.fault)
	}
	if watching := f.watch.watching(); watching != s.watching || !slices.Equal(troubles, s.troubles) {
		s.watching, s.troubles = watching, troubles
		f.publish(&changed{status: true})
	}
}

// renew watches what there is by now. What changed before it was watched was not
// reported, so that it is looked at again.
func (f *follower) renew() {
	added := f.watch.renew(f.state)
	if len(added) == 0 {
		return
	}
	f.plan(func(p *pending) {
		for _, at := range added {
			if at == "" {
				p.all = true
			}
			p.paths[at] = true
		}
		delete(p.paths, "")
	})
}

func (f *follower) publish(c *changed) {
	snap := f.state.snapshot()
	f.live.snap.Store(snap)
	f.live.tell()
	f.live.cfg.Changed(c.change(snap.Revision))
}

// fullPath is where the system finds a path of the directory.
func fullPath(root, at string) string { return filepath.Join(root, filepath.FromSlash(at)) }
