package session

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/fsnotify/fsnotify"

	"github.com/signalbox-dev/signalbox/core/session"
	atsfstore "github.com/signalbox-dev/signalbox/lsp/atsf"
	"github.com/signalbox-dev/signalbox/lsp/disk/follow"
	"github.com/signalbox-dev/signalbox/lsp/disk/tree"
	"github.com/signalbox-dev/signalbox/lsp/worktree/project"
)

// limits are the limits for one program's folder. Each session takes up to three folders and,
// in memory, at most 2 KB.
var limits = tree.Limits{Files: 100_000, Folders: 100_000, Entries: 100_000}

// Live follows the sessions. Its methods may be called from several goroutines; one goroutine
// for each program, ended by [Live.Close], looks for changes.
type Live struct {
	cfg      Config
	book     *project.Book
	scope    *scope // shared by all programs, in a single look
	programs []*program
	snap     atomic.Pointer[Snapshot]
	// publish guards building a snapshot, and calls of Changed.
	publish sync.Mutex
	// memory is set until every program has had its first look. It is guarded by publish.
	memory *memory
}

// Open starts following. It returns at once; [Snapshot.Ready] is set after the first look.
func Open(cfg Config) *Live {
	l := newLive(cfg)
	for _, p := range l.programs {
		p.follower = follow.Start(follow.Config{Path: p.dir.Path, What: p.format.Title + "'s sessions", Once: cfg.Once, Logger: cfg.Logger}, p)
	}
	return l
}

// Scan looks once. The error is ctx's.
func Scan(ctx context.Context, cfg Config) (*Snapshot, error) {
	l := newLive(cfg)
	l.scope = findScope(ctx, &l.cfg, l.book)
	for _, p := range l.programs {
		p.Look(ctx, follow.Todo{All: true})
	}
	return l.Snapshot(), ctx.Err()
}

func newLive(cfg Config) *Live {
	if cfg.Changed == nil {
		cfg.Changed = func(Change) {}
	}
	l := &Live{cfg: cfg, book: project.At(cfg.Env.StateDir())}
	l.snap.Store(&Snapshot{})
	for _, f := range Formats() {
		for _, at := range roots(f, cfg.Env) {
			l.programs = append(l.programs, newProgram(l, f, at))
		}
	}
	return l
}

// Close stops following.
func (l *Live) Close() {
	for _, p := range l.programs {
		p.follower.Close()
	}
}

// Sync waits until the next snapshot includes everything that was on the disk when Sync was
// called.
func (l *Live) Sync(ctx context.Context) error {
	for _, p := range l.programs {
		if err := p.follower.Sync(ctx); err != nil && !errors.Is(err, follow.ErrClosed) {
			return err
		}
	}
	return nil
}

// Snapshot returns the current state. It is never nil.
func (l *Live) Snapshot() *Snapshot { return l.snap.Load() }

// program is one folder of a program. Only its follower's goroutine uses the fields that are
// not guarded.
type program struct {
	live     *Live
	format   *session.Format
	follower *follow.Follower
	dir      tree.Dir[*file]
	scope    *scope
	memory   *memory // the live's memory, during the first look

	// The fields below are guarded by the live's publish.
	checkouts []atsfstore.Folder
	items     []*Item
	unlisted  map[string]*unlisted
	problems  []follow.Problem
	ready     bool
}

func newProgram(l *Live, f *session.Format, root string) *program {
	p := &program{live: l, format: f}
	rules := tree.Rules[*file]{Sort: p.sort, Limits: limits, NewScanner: func() func(tree.Folder, string, *file, bool) *file {
		return (&scanner{format: f, root: root, scope: p.scope, memory: p.memory, at: make(map[string]string)}).look
	}}
	rules.Limits.Depth = f.Place.Depth
	p.dir = tree.Dir[*file]{Tree: *tree.New(rules), Path: root, Store: "sessions", Open: openLinked}
	return p
}

func (p *program) sort(path string, kind fs.FileMode) tree.Sort {
	switch {
	case kind.IsDir() && p.format.Place.Holds(path, true):
		return tree.Entered
	case !kind.IsDir() && (p.format.Place.Holds(path, false) || p.format.Place.Odd(path)):
		return tree.Wanted
	}
	return tree.Skipped
}

// Look looks at the planned paths, and publishes changes.
func (p *program) Look(ctx context.Context, todo follow.Todo) (r follow.Looked) {
	paths := todo.Paths
	if todo.All {
		paths = nil
		now := p.live.scope
		if now == nil {
			now = findScope(ctx, &p.live.cfg, p.live.book)
		}
		if p.scope == nil || !p.scope.same(now) {
			p.scope = now
			p.dir.Forget() // sessions in other checkouts may now count
		}
	}
	first := p.dir.Root == nil
	if first {
		p.memory = p.live.remember()
	}
	var all tree.Delta[*file]
	err := p.dir.Look(ctx, paths, nil, func(d *tree.Delta[*file]) {
		all.Removed, all.Added = append(all.Removed, d.Removed...), append(all.Added, d.Added...)
		all.Faults, all.Folders, all.Status = all.Faults || d.Faults, all.Folders || d.Folders, all.Status || d.Status
	})
	if err == nil {
		p.scope.note(ctx, &p.live.cfg, p.live.book)
		p.publish(&all, first || all.Faults || all.Folders || all.Status)
		p.live.saveMemory(ctx)
	}
	p.memory = nil // it takes much memory
	r.Folders = all.Folders || all.Status
	return r
}

// remember returns the memory of earlier processes, for a first look.
func (l *Live) remember() *memory {
	l.publish.Lock()
	defer l.publish.Unlock()
	if l.memory == nil {
		l.memory = newMemory(l.cfg.Env)
	}
	return l.memory
}

// saveMemory saves the results of the first looks, once the last of them has ended.
func (l *Live) saveMemory(ctx context.Context) {
	l.publish.Lock()
	m := l.memory
	if !l.Snapshot().Ready {
		m = nil
	}
	if m != nil {
		l.memory = nil
	}
	l.publish.Unlock()
	if m == nil {
		return
	}
	if err := m.save(ctx); err != nil && l.cfg.Logger != nil {
		l.cfg.Logger.Warn("what was found in sessions of agents cannot be kept", "error", err)
	}
}

// publish updates the snapshot if this program's sessions, checkouts or problems changed. If whole
// is set, more than the files in the delta may have changed.
func (p *program) publish(d *tree.Delta[*file], whole bool) {
	l := p.live
	l.publish.Lock()
	defer l.publish.Unlock()
	checkouts := p.scope.checkouts()
	checkoutsChanged := !p.ready || !slices.EqualFunc(p.checkouts, checkouts, sameCheckout)
	if !checkoutsChanged && !whole && p.grow(d) {
		return
	}
	before := p.items
	p.collect()
	problems := p.faults()
	statusChanged := checkoutsChanged || !slices.Equal(problems, p.problems)
	if !statusChanged && slices.Equal(p.items, before) {
		return // as after most looks
	}
	p.checkouts, p.problems, p.ready = checkouts, problems, true
	was, now := l.Snapshot(), l.merge()
	// A file that was moved is the same session in another place.
	l.snap.Store(now)
	c := changed(was, now)
	c.Checkouts = statusChanged
	if len(c.Sessions) > 0 || c.Checkouts {
		l.cfg.Changed(c)
	}
}

// collect sets the program's sessions, and its transcripts that belong to none, from the known files.
func (p *program) collect() {
	p.items, p.unlisted = nil, make(map[string]*unlisted)
	p.dir.Each(func(n *tree.Node[*file], _ int) {
		plain := make(map[string]bool)
		for _, f := range n.Files {
			if stem, ok := strings.CutSuffix(f.Path, session.Plain); ok {
				plain[stem] = true
			}
		}
		for _, f := range n.Files {
			packed := !strings.HasSuffix(f.Path, session.Plain)
			if packed && plain[tree.Join(n.Path, session.File(f.Path))] {
				continue // the plain file counts: it is being packed, or was converted
			}
			p.items = append(p.items, f.items...)
			if f.unlisted != "" {
				p.count(f)
			}
		}
	})
}

func changed(old, now *Snapshot) (c Change) {
	for k, it := range now.keys {
		if was := old.Item(k); was == nil || !was.same(it) {
			c.add(k)
		}
	}
	for k := range old.keys {
		if now.Item(k) == nil {
			c.add(k)
		}
	}
	return c
}

// add adds a session to a change.
func (c *Change) add(k Key) {
	if len(c.Sessions) < maxChanged {
		c.Sessions = append(c.Sessions, k)
	} else {
		c.Truncated = true
	}
}

// faults returns what cannot be read, and the limits that were reached.
func (p *program) faults() (list []follow.Problem) {
	if p.dir.Err != nil {
		list = append(list, follow.Problem{Path: p.dir.Path, Reason: p.dir.Err.Error()})
	}
	for reason, at := range p.dir.Bounds {
		list = append(list, follow.Problem{Path: at, Reason: fmt.Sprintf("%s: %s", p.format.Title, reason)})
	}
	for reason, u := range p.unlisted {
		list = append(list, follow.Problem{Path: p.dir.Path, Reason: p.format.Title + ": " + u.text(reason)})
	}
	slices.SortStableFunc(list, func(a, b follow.Problem) int {
		return slices.Compare([]string{a.Path, a.Reason}, []string{b.Path, b.Reason})
	})
	return list
}

// merge returns a snapshot of all programs' sessions.
func (l *Live) merge() *Snapshot {
	n := 0
	for _, p := range l.programs {
		n += len(p.items)
	}
	s, known := &Snapshot{Ready: true, Items: make([]*Item, 0, n), keys: make(map[Key]*Item, n)}, make(map[string]bool)
	unique := newDeduplicator(l.programs, n)
	for _, p := range l.programs {
		s.Ready = s.Ready && p.ready
		for _, f := range p.checkouts {
			if !known[f.ID] {
				known[f.ID] = true
				s.Checkouts = append(s.Checkouts, f)
			}
		}
		s.Problems = append(s.Problems, p.problems...)
		for _, it := range p.items {
			if it = unique.add(it, s.keys); it != nil {
				s.keys[it.Key()] = it
				s.Items = append(s.Items, it)
			}
		}
	}
	slices.SortFunc(s.Items, newest)
	return s
}

// Folders lists the folders to watch, newest last folders first.
func (p *program) Folders() []string {
	return p.dir.ToWatch(func(_ string, depth int) int { return depth })
}

// Wants passes over what is no transcript.
func (p *program) Wants(path string, op fsnotify.Op) bool {
	return op != fsnotify.Write || p.format.Place.Holds(path, false)
}

// Watched does nothing: folders without reported changes are polled.
func (p *program) Watched(follow.Watched) {}
