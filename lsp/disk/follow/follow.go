// Package follow watches directories. It looks at a change soon after the system reports
// it, and at everything from time to time, since some file systems report nothing.
//
// Start with [Start]. A [Source] decides which folders to watch, and looks at them. It has
// one directory, or folders all over the disk.
package follow

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"runtime"
	"time"

	"github.com/fsnotify/fsnotify"
)

// ErrClosed is the error of [Follower.Sync] after [Follower.Close].
var ErrClosed = errors.New("follow: closed")

// Todo is what to look at.
type Todo struct {
	// All means everything. Otherwise Paths are relative to the directory, with "/" between
	// the names, and none is within another.
	All   bool
	Paths []string
	// Poll is set if time was the only reason.
	Poll bool
}

// Looked is the result of a look.
type Looked struct {
	// Folders is set if the folders to be watched may have changed.
	Folders bool
	// Soon is the time until the next look at everything at the latest, 0 for the usual time.
	// Next are paths to look at as soon as possible.
	Soon time.Duration
	Next []string
	// Excluded is the part of the time that was spent on something else than looking.
	Excluded time.Duration
}

// Source is the directory or the folders to follow. Only one goroutine calls its methods.
type Source interface {
	// Look looks, and publishes changes. The first look is at everything. A look that ctx
	// ended is not repeated.
	Look(ctx context.Context, todo Todo) Looked
	// Folders returns the folders to be watched, the most important first, relative to the
	// directory. "" is the directory itself. Nil means that it does not exist.
	Folders() []string
	// Wants reports whether an event about a path within the directory matters.
	Wants(path string, op fsnotify.Op) bool
	// Watched gets how far changes are reported, when that may have changed.
	Watched(w Watched)
}

// Config is the configuration of a follower.
type Config struct {
	// Path is the directory, absolute. It need not exist. If it is empty, the source has
	// folders all over the disk, and all its paths are absolute.
	Path string
	// What is a word for the content of the directory, for a person, such as "tasks".
	What string
	// Poll is the time between looks at everything, even if nothing was reported. Looks never
	// take more than a hundredth of the time. 0 means [DefaultPoll].
	Poll time.Duration
	// Once makes the follower look only when [Follower.Sync] asks, and watch nothing. It is
	// for a process that ends after one answer: to start and end watching would take longer.
	Once bool
	// Logger gets errors. Nil discards them.
	Logger *slog.Logger
	// Notifier returns the system's notification, and Budget is the largest number of folders
	// that it watches. Only tests set them; the defaults are [System] and [Budget].
	Notifier func() (Notifier, <-chan fsnotify.Event, <-chan error, error)
	Budget   int
}

// DefaultPoll is the default time between looks at everything.
const DefaultPoll = 2 * time.Second

// withDefaults returns the configuration with defaults for the fields that are not set.
func (c Config) withDefaults() Config {
	c.Poll = cmp.Or(c.Poll, DefaultPoll)
	c.Budget = cmp.Or(c.Budget, Budget())
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if c.Once {
		c.Notifier = func() (Notifier, <-chan fsnotify.Event, <-chan error, error) { return nil, nil, nil, nil }
	}
	if c.Notifier == nil {
		c.Notifier = System
	}
	return c
}

const (
	// settleEvents is how long events are gathered, so that a burst of writes is read at
	// once. A person does not notice so short a time.
	settleEvents = 15 * time.Millisecond
	// settleLong is how long they are gathered at most.
	settleLong = 200 * time.Millisecond
)

// Follower follows a directory, in a goroutine that [Follower.Close] ends.
type Follower struct {
	cfg    Config
	source Source
	cancel context.CancelFunc
	done   chan struct{}
	kick   chan chan struct{}
}

// Start starts a follower. It returns at once; the first look is in the background.
func Start(cfg Config, source Source) *Follower {
	ctx, cancel := context.WithCancel(context.Background())
	f := &Follower{cfg: cfg.withDefaults(), source: source, cancel: cancel, done: make(chan struct{}), kick: make(chan chan struct{})}
	go func() {
		defer close(f.done)
		f.run(ctx)
	}()
	return f
}

// Close ends the follower and waits for its goroutine.
func (f *Follower) Close() {
	f.cancel()
	<-f.done
}

// Sync waits for a look at everything that begins after the call.
func (f *Follower) Sync(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	looked := make(chan struct{})
	select {
	case f.kick <- looked:
	case <-ctx.Done():
		return ctx.Err()
	case <-f.done:
		return ErrClosed
	}
	select {
	case <-looked:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-f.done:
		return ErrClosed
	}
}

// loop is the state of a follower's goroutine.
type loop struct {
	*Follower
	watch *watcher
	todo  pending
	// settled fires when it is time to look at the gathered events.
	settled *time.Timer
	// gather is how long the next burst is gathered. It is longer if looking took longer.
	gather time.Duration
	poll   *time.Timer
	// soon is set if poll is set to an earlier time than usual.
	soon   bool
	looked bool
}

func (f *Follower) run(ctx context.Context) {
	l := &loop{Follower: f, watch: newWatcher(&f.cfg), settled: time.NewTimer(time.Hour), gather: settleEvents, poll: time.NewTimer(0)}
	defer l.watch.close()
	defer l.settled.Stop()
	defer l.poll.Stop()
	if f.cfg.Once {
		l.poll.Stop()
	}
	for {
		select {
		case <-ctx.Done():
			return
		case event := <-l.watch.event:
			l.note(event)
		case err := <-l.watch.err:
			// Usually an overflow: events were missed.
			f.cfg.Logger.Warn("watching the "+f.cfg.What, "error", err)
			l.plan(func(p *pending) { p.all = true })
		case <-l.settled.C:
			l.gather = min(max(settleEvents, 2*l.work(ctx, false)), settleLong)
		case looked := <-f.kick:
			l.todo.all = true
			if l.work(ctx, false); ctx.Err() != nil {
				return // Sync then returns ErrClosed
			}
			close(looked)
		case <-l.poll.C:
			l.todo.all = true
			l.soon = false
			l.watch.retry()
			if took := l.work(ctx, true); !l.soon {
				l.poll.Reset(untilPoll(f.cfg.Poll, took))
			}
		}
	}
}

// untilPoll returns how long to wait after a look that took some time, so that looking takes
// at most a hundredth of the time. In a browser a look waits for the host and takes little of
// the processor, so it does not delay the next one: where the host reports no changes, a slow
// first look would hide them for a minute.
func untilPoll(poll, took time.Duration) time.Duration {
	if runtime.GOOS == "js" {
		return poll
	}
	return max(poll, 100*took)
}

// plan adds paths to be looked at soon.
func (l *loop) plan(add func(*pending)) {
	first := l.todo.empty()
	if l.todo.paths == nil {
		l.todo.paths = make(map[string]bool)
	}
	add(&l.todo)
	if first && !l.todo.empty() {
		l.settled.Reset(l.gather)
	}
}

// note plans a look at the path of an event.
func (l *loop) note(event fsnotify.Event) {
	at, ok := l.watch.about(event)
	if !ok {
		return
	}
	l.plan(func(p *pending) {
		switch {
		case at == "":
			// The directory itself appeared or disappeared.
			p.all = true
		case l.source.Wants(at, event.Op):
			p.paths[at] = true
		}
	})
}

// work looks at the planned paths, watches new folders, and returns how long looking took.
func (l *loop) work(ctx context.Context, poll bool) time.Duration {
	if ctx.Err() != nil {
		return 0
	}
	start := time.Now()
	todo := l.todo
	l.todo = pending{}
	all := todo.all || !l.looked
	what := Todo{All: all, Poll: poll}
	if !all {
		what.Paths = todo.list()
	}
	r := l.source.Look(ctx, what)
	if ctx.Err() != nil {
		return 0
	}
	l.looked = true
	if all || r.Folders || l.watch.lost {
		// The first look does not wait for the watches.
		l.refresh()
	}
	l.source.Watched(l.watch.watched())
	l.plan(func(p *pending) {
		for _, at := range r.Next {
			p.paths[at] = true
		}
	})
	if r.Soon > 0 && !l.soon && l.cfg.Poll > r.Soon {
		l.soon = true
		l.poll.Reset(r.Soon)
	}
	return time.Since(start) - r.Excluded
}

// refresh watches the folders that exist now. Changes in a folder before it was watched were
// not reported, so it is looked at again.
func (l *loop) refresh() {
	added := l.watch.refresh(l.source.Folders())
	l.plan(func(p *pending) {
		for _, at := range added {
			if at == "" {
				p.all = true
			} else {
				p.paths[at] = true
			}
		}
	})
}
