package amp

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/signalbox-dev/signalbox/lsp/disk/follow"
	"github.com/signalbox-dev/signalbox/lsp/disk/tree"
)

// Scan returns a snapshot of a root. It reads once and writes nothing. A root that is missing
// or cannot be read is reported in the snapshot; the only error is ctx's. A message that a
// client is writing in place may be read half written.
func Scan(ctx context.Context, path string) (*Snapshot, error) {
	s := newState(Config{Path: path})
	if _, err := s.look(ctx, nil); err != nil {
		return nil, err
	}
	return s.snapshot(), nil
}

type state struct {
	cfg    Config
	id     string
	dir    tree.Dir[*record]
	settle time.Duration

	// boxes holds the mailboxes by folder. A folder that is not a mailbox for the user has a
	// nil mailbox.
	boxes           map[string]*box
	problemsOutside []Problem // outside all mailboxes
	threads         []*Thread
	byID            map[string]*Thread
	partials        int // the number of files that may be half written

	watched follow.Watched
	cache   *trustCache
	live    *Live // gets the snapshots of a followed root
}

func newState(cfg Config) *state {
	if abs, err := filepath.Abs(cfg.Path); err == nil {
		cfg.Path = abs
	}
	s := &state{cfg: cfg, id: tree.ID(cfg.Path), watched: follow.Watched{How: follow.Poll}, cache: &trustCache{}}
	s.dir = tree.Dir[*record]{Path: cfg.Path, Store: "mailbox", Open: tree.Open}
	s.dir.Rules = tree.Rules[*record]{
		Sort: sortOf, Rank: rank, Limits: limits(),
		NewScanner: func() func(tree.Folder, string, *record, bool) *record {
			return (&scanner{settle: s.settle}).look
		},
	}
	return s
}

func (c *Change) empty() bool { return len(c.Threads) == 0 && !c.Mailboxes && !c.other }

func (s *state) look(ctx context.Context, paths []string) (c Change, err error) {
	err = s.dir.Look(ctx, paths, nil, func(d *tree.Delta[*record]) { s.take(d, &c) })
	slices.Sort(c.Threads)
	c.Threads = slices.Compact(c.Threads)
	return c, err
}

func (s *state) take(d *tree.Delta[*record], c *Change) {
	if len(d.Removed)+len(d.Added) == 0 && !d.Faults && !d.Folders && !d.Status {
		return
	}
	for _, r := range d.Removed {
		s.partials -= r.partial()
	}
	for _, r := range d.Added {
		s.partials += r.partial()
	}
	// A half-written file shows its former content, so it is not a change.
	change := Change{Mailboxes: s.rebuildMailboxes() || d.Status, Threads: s.rebuildThreads(), other: !replaced(d, func(r, _ *record) bool { return r.partial() != 0 })}
	if change.empty() {
		return
	}
	c.Threads = append(c.Threads, change.Threads...)
	c.Mailboxes, c.other = c.Mailboxes || change.Mailboxes, c.other || change.other
	c.Messages = c.Messages || change.Mailboxes || !replaced(d, (*record).sameContent)
}

// replaced reports whether only files that existed before have changed, and ok holds for each.
func replaced(d *tree.Delta[*record], ok func(r, old *record) bool) bool {
	if d.Faults || d.Folders || d.Status || len(d.Added) != len(d.Removed) {
		return false
	}
	before := make(map[string]*record, len(d.Removed))
	for _, r := range d.Removed {
		before[r.Path] = r
	}
	return !slices.ContainsFunc(d.Added, func(r *record) bool { return before[r.Path] == nil || !ok(r, before[r.Path]) })
}

// sameContent reports whether two files hold the same message, apart from its status.
func (r *record) sameContent(old *record) bool {
	if r.msg == nil || old.msg == nil || r.msg.Err != nil || old.msg.Err != nil || r.copyKey != old.copyKey {
		return false
	}
	m := *old.msg
	m.Mailbox, m.Status, m.Size, m.Modified, m.digest = r.msg.Mailbox, r.msg.Status, r.msg.Size, r.msg.Modified, r.msg.digest
	return m == *r.msg
}

func (r *record) partial() int {
	if r.partialSince.IsZero() {
		return 0
	}
	return 1
}

func (s *state) snapshot() *Snapshot {
	snap := &Snapshot{
		Root: Root{Path: s.cfg.Path, ID: s.id, Exists: s.dir.Exists, Err: s.dir.Err}, Threads: s.threads,
		Watching: s.watched.How, Ready: s.dir.Looked, cache: s.cache, Seen: s.cfg.Seen, byID: s.byID, strangers: s.cfg.Strangers,
	}
	for _, b := range s.boxes {
		if b.mailbox != nil {
			snap.Mailboxes = append(snap.Mailboxes, b.mailbox)
			snap.Messages += len(b.records)
		}
	}
	slices.SortFunc(snap.Mailboxes, func(a, b *Mailbox) int { return cmp.Compare(a.Dir, b.Dir) })
	snap.Problems = s.problems(snap.Mailboxes)
	return snap
}

func (s *state) problems(boxes []*Mailbox) []Problem {
	list := slices.Clone(s.problemsOutside)
	for _, b := range s.boxes {
		list = append(list, b.problems...)
	}
	for reason, at := range s.dir.Bounds {
		list = append(list, Problem{Path: at, Rule: "STO-1", Reason: reason, Advice: "delete old messages, or keep them elsewhere"})
	}
	list = append(list, addressConflicts(boxes)...)
	slices.SortStableFunc(list, func(a, b Problem) int { return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Reason, b.Reason)) })
	return append(follow.AtMost(list), s.watched.Problems()...)
}

// Live follows a root. Its methods are safe for concurrent use. One goroutine looks for changes
// until [Live.Close].
type Live struct {
	*follow.Follower
	snap atomic.Pointer[Snapshot]
}

// overrides holds what tests replace. A nil notifier and a zero budget mean the system's, and a
// zero poll means [follow.DefaultPoll].
type overrides struct {
	notifier func() (follow.Notifier, <-chan fsnotify.Event, <-chan error, error)
	budget   int
	poll     time.Duration
	settle   time.Duration
}

// OpenLive starts following a root and returns at once. [Snapshot.Ready] is set after the first
// scan. A file that cannot be read is reported when it has been unchanged for 2 s, since it may
// be half written.
func OpenLive(cfg Config) *Live { return openLive(cfg, overrides{settle: tree.Unsettled}) }

func openLive(cfg Config, with overrides) *Live {
	if cfg.Changed == nil {
		cfg.Changed = func(Change) {}
	}
	s := newState(cfg)
	s.settle, s.live = with.settle, &Live{}
	s.live.snap.Store(&Snapshot{Root: Root{Path: s.cfg.Path, ID: s.id}, Watching: follow.Poll, cache: s.cache, Seen: cfg.Seen, strangers: cfg.Strangers})
	s.live.Follower = follow.Start(follow.Config{
		Path: s.cfg.Path, What: "mail", Poll: with.poll, Once: cfg.Once, Logger: cfg.Logger, Notifier: with.notifier, Budget: with.budget,
	}, s)
	return s.live
}

// Snapshot returns the newest snapshot. It is never nil and never changed.
func (l *Live) Snapshot() *Snapshot { return l.snap.Load() }

// Look reads the planned paths and publishes what changed.
func (s *state) Look(ctx context.Context, todo follow.Todo) (r follow.Looked) {
	c, err := s.look(ctx, todo.Paths)
	if err != nil {
		return r
	}
	if !c.empty() {
		s.publish(&c)
		r.Folders = true
	}
	if s.partials > 0 {
		r.Soon = s.settle
	}
	return r
}

func (s *state) publish(c *Change) {
	s.live.snap.Store(s.snapshot())
	s.cfg.Changed(*c)
}

// Folders returns the folders to watch: first where mailboxes appear, then where mail does,
// newest first, then what rarely changes.
func (s *state) Folders() []string {
	return s.dir.ToWatch(func(folder string, _ int) int {
		switch _, rest := split(folder); {
		case folder == "" || folder == agentsName:
			return 0
		case boxOf(rest+"/") != "":
			return 1
		}
		return 2
	})
}

// Wants reports whether an event may concern mail. Attachments and files that are being written
// under another name do not.
func (s *state) Wants(path string, op fsnotify.Op) bool {
	if strings.HasPrefix(tree.Base(path), ".") {
		return false
	}
	return op != fsnotify.Write || partOf(path) != partNone
}

// Watched notes how far the system reports changes.
func (s *state) Watched(w follow.Watched) {
	if w != s.watched {
		s.watched = w
		s.publish(&Change{Messages: true, other: true})
	}
}
