// Package follow keeps an eye on directories: what the system reports is looked
// at soon after, and everything now and then, since some file systems report
// nothing.
//
// Start with [Start], which is given a [Source]: it says what is worth watching and
// does the looking. A source has one directory, or folders all over the disk.
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

// ErrClosed is the error of asking a follower that was closed.
var ErrClosed = errors.New("follow: closed")

// Todo is what is to be looked at.
type Todo struct {
	// All means everything. Otherwise Paths are relative to the directory, with "/"
	// between the names, and none lies within another.
	All   bool
	Paths []string
	// Poll is set where nothing but time was the reason.
	Poll bool
}

// Looked is what came of a look.
type Looked struct {
	// Folders is set where other folders may have to be watched by now.
	Folders bool
	// Soon is when to look at everything again at the latest, 0 for no earlier
	// than usual. Next are paths to look at as soon as may be.
	Soon time.Duration
	Next []string
	// Aside is how much of the time went to something else than looking.
	Aside time.Duration
}

// Source is what is followed. One goroutine alone calls its methods.
type Source interface {
	// Look looks, and publishes what changed. The first look is at everything. A look
	// that ctx ended is not repeated.
	Look(ctx context.Context, todo Todo) Looked
	// Folders returns the folders to be watched, relative to the directory, "" for
	// itself, those first that matter most. Nil means that the directory is not
	// there.
	Folders() []string
	// Heeds reports whether an event about a path within the directory matters.
	Heeds(path string, op fsnotify.Op) bool
	// Watched is told how far changes are reported, when that may have changed.
	Watched(w Watched)
}

// Config says what is followed, and how.
type Config struct {
	// Path is the directory, absolute. It need not be there. Where it is empty the
	// source has folders all over the disk, and all its paths are absolute.
	Path string
	// What names what the directory holds, for a person, such as "tasks".
	What string
	// Poll is how often everything is looked at, even if nothing was reported. A
	// look never takes more than a hundredth of the time. 0 means [DefaultPoll].
	Poll time.Duration
	// Once has nothing looked at but when [Follower.Sync] asks, and nothing watched, for a
	// process that lives no longer than an answer: beginning and ending to watch takes longer.
	Once bool
	// Logger gets what goes wrong; nil discards it.
	Logger *slog.Logger
	// Notifier makes the system's notification, and Budget is the number of folders
	// that it watches at most. Tests set them; otherwise they are [System] and
	// [Budget].
	Notifier func() (Notifier, <-chan fsnotify.Event, <-chan error, error)
	Budget   int
}

// DefaultPoll is how often everything is looked at.
const DefaultPoll = 2 * time.Second

// withDefaults returns the configuration with what was left out.
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
	// settleEvents is how long events are gathered, so that a burst of writes is
	// read at once. It is below what a person notices.
	settleEvents = 15 * time.Millisecond
	// settleLong is how long they are gathered at most.
	settleLong = 200 * time.Millisecond
)

// Follower follows a directory. One goroutine, ended by [Follower.Close], does so.
type Follower struct {
	cfg    Config
	source Source
	cancel context.CancelFunc
	done   chan struct{}
	kick   chan chan struct{}
}

// Start begins to follow. It returns at once; the first look is taken behind it.
func Start(cfg Config, source Source) *Follower {
	ctx, cancel := context.WithCancel(context.Background())
	f := &Follower{cfg: cfg.withDefaults(), source: source, cancel: cancel, done: make(chan struct{}), kick: make(chan chan struct{})}
	go func() {
		defer close(f.done)
		f.keep(ctx)
	}()
	return f
}

// Close ends the following and waits for it.
func (f *Follower) Close() {
	f.cancel()
	<-f.done
}

// Sync waits until everything was looked at after it was called.
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

// loop is what the goroutine knows.
type loop struct {
	*Follower
	watch *watcher
	todo  pending
	// settled fires when the events that were gathered are to be looked at.
	settled *time.Timer
	// rest is how long the next burst is gathered: the longer looking took, the
	// longer.
	rest time.Duration
	poll *time.Timer
	// soon is set where poll is set to an earlier time than usual.
	soon   bool
	looked bool
}

func (f *Follower) keep(ctx context.Context) {
	l := &loop{Follower: f, watch: newWatcher(&f.cfg), settled: time.NewTimer(time.Hour), rest: settleEvents, poll: time.NewTimer(0)}
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
			// An overflow, mostly: something was missed.
			f.cfg.Logger.Warn("watching the "+f.cfg.What, "error", err)
			l.plan(func(p *pending) { p.all = true })
		case <-l.settled.C:
			l.rest = min(max(settleEvents, 2*l.work(ctx, false)), settleLong)
		case looked := <-f.kick:
			l.todo.all = true
			if l.work(ctx, false); ctx.Err() != nil {
				return // who asked is told by the end of the loop
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

// untilPoll is how long to wait after a look that took a while: looking takes a
// hundredth of the time at most. In a browser a look waits for the host and takes little of the
// processor, so that it postpones nothing: where the host reports no changes, a slow first look
// would hide them for a minute.
func untilPoll(poll, took time.Duration) time.Duration {
	if runtime.GOOS == "js" {
		return poll
	}
	return max(poll, 100*took)
}

// plan adds to what is to be looked at soon.
func (l *loop) plan(add func(*pending)) {
	first := l.todo.empty()
	if l.todo.paths == nil {
		l.todo.paths = make(map[string]bool)
	}
	add(&l.todo)
	if first && !l.todo.empty() {
		l.settled.Reset(l.rest)
	}
}

// note takes an event for what it is about.
func (l *loop) note(event fsnotify.Event) {
	at, ok := l.watch.about(event)
	if !ok {
		return
	}
	l.plan(func(p *pending) {
		switch {
		case at == "":
			// The directory itself came or went.
			p.all = true
		case l.source.Heeds(at, event.Op):
			p.paths[at] = true
		}
	})
}

// work looks at what is planned, watches what is new, and returns how long looking
// took.
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
		l.renew()
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
	return time.Since(start) - r.Aside
}

// renew watches what there is by now. What changed before it was watched was not
// reported, so that it is looked at again.
func (l *loop) renew() {
	added := l.watch.renew(l.source.Folders())
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
