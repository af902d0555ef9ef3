package mailbox

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"time"

	"github.com/signalbox-dev/signalbox/lsp/disk/follow"
	"github.com/signalbox-dev/signalbox/lsp/disk/tree"
)

// Scan looks at a root once and writes nothing. That it is not there or cannot be
// read is in the snapshot; the error is the one of ctx alone. A message that is being
// written by a client that writes in place is seen as it is at that moment.
func Scan(ctx context.Context, path string) (*Snapshot, error) {
	s := newState(Config{Path: path})
	if _, err := s.look(ctx, nil); err != nil {
		return nil, err
	}
	return s.snapshot(), nil
}

// maxChanged is the number of threads that a [Change] names.
const maxChanged = 100

// state is what is known of a root. It is used by one goroutine at a time.
type state struct {
	cfg Config
	id  string
	dir tree.Dir[*record]
	// settle is as in [looker].
	settle time.Duration

	// boxes are what is in the mailboxes, by their folders; those that are none
	// for the user have a nil Mailbox.
	boxes map[string]*box
	// odd are problems that lie in no mailbox.
	odd     []Problem
	threads []*Thread
	byID    map[string]*Thread
	// halves counts the files that may still be being written.
	halves int

	watched follow.Watched
	judged  *judged
	// live is given the snapshots of a root that is followed.
	live *Live
}

func newState(cfg Config) *state {
	if abs, err := filepath.Abs(cfg.Path); err == nil {
		cfg.Path = abs
	}
	s := &state{cfg: cfg, id: tree.ID(cfg.Path), watched: follow.Watched{How: follow.Poll}, judged: &judged{}}
	s.dir = tree.Dir[*record]{Path: cfg.Path, Store: "mailbox", Open: tree.Open}
	s.dir.Rules = tree.Rules[*record]{
		Sort: sortOf, Rank: rank, Limits: limits(),
		Looker: func() func(tree.Folder, string, *record, bool) *record {
			return (&looker{settle: s.settle}).look
		},
	}
	return s
}

// changed is what a look found to be different.
type changed struct {
	// threads are ids, sorted.
	threads []string
	// boxes is as in [Change]; other tells of anything else.
	boxes, other bool
	// statuses is set if no more than the status of messages differs.
	statuses bool
}

func (c *changed) empty() bool { return len(c.threads) == 0 && !c.boxes && !c.other }

// change returns what is announced.
func (c *changed) change() Change {
	n := min(len(c.threads), maxChanged)
	return Change{Threads: c.threads[:n:n], Truncated: n < len(c.threads), Mailboxes: c.boxes, Messages: c.boxes || !c.statuses}
}

func (c *changed) merge(other changed) {
	c.statuses = (c.statuses || c.empty()) && (other.statuses || other.empty())
	c.threads = append(c.threads, other.threads...)
	slices.Sort(c.threads)
	c.threads = slices.Compact(c.threads)
	c.boxes, c.other = c.boxes || other.boxes, c.other || other.other
}

// look looks at some files and folders, by their paths, or at everything if paths is nil.
func (s *state) look(ctx context.Context, paths []string) (c changed, err error) {
	err = s.dir.Look(ctx, paths, nil, func(d *tree.Delta[*record]) { c.merge(s.take(d)) })
	return c, err
}

// take takes in what differs.
func (s *state) take(d *tree.Delta[*record]) (c changed) {
	if len(d.Removed)+len(d.Added) == 0 && !d.Faults && !d.Folders && !d.Status {
		return c
	}
	for _, r := range d.Removed {
		s.halves -= r.isHalf()
	}
	for _, r := range d.Added {
		s.halves += r.isHalf()
	}
	// A file that is being written says what it said before: that is no change.
	c.other = !replaced(d, func(r, _ *record) bool { return r.isHalf() != 0 })
	c.statuses = replaced(d, (*record).saysAs)
	c.boxes = s.rebox() || d.Status
	c.threads = s.rethread()
	return c
}

// replaced reports whether no more differs than files that were there before, each in the
// way that as says.
func replaced(d *tree.Delta[*record], as func(r, old *record) bool) bool {
	if d.Faults || d.Folders || d.Status || len(d.Added) != len(d.Removed) {
		return false
	}
	before := make(map[string]*record, len(d.Removed))
	for _, r := range d.Removed {
		before[r.Path] = r
	}
	return !slices.ContainsFunc(d.Added, func(r *record) bool { return before[r.Path] == nil || !as(r, before[r.Path]) })
}

// saysAs reports whether two files hold the same message, whatever its status.
func (r *record) saysAs(old *record) bool {
	if r.msg == nil || old.msg == nil || r.msg.Err != nil || old.msg.Err != nil || r.words != old.words {
		return false
	}
	m := *old.msg
	m.Mailbox, m.Status, m.Size, m.Modified = r.msg.Mailbox, r.msg.Status, r.msg.Size, r.msg.Modified
	return m == *r.msg
}

func (r *record) isHalf() int {
	if r.half.IsZero() {
		return 0
	}
	return 1
}

// snapshot returns what is known now.
func (s *state) snapshot() *Snapshot {
	snap := &Snapshot{
		Root: Root{Path: s.cfg.Path, ID: s.id, Exists: s.dir.Exists, Err: s.dir.Err}, Threads: s.threads,
		Watching: s.watched.How, Ready: s.dir.Looked, judged: s.judged, Seen: s.cfg.Seen,
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

// problems lists what the user should know, in order of the paths.
func (s *state) problems(boxes []*Mailbox) []Problem {
	list := slices.Clone(s.odd)
	for _, b := range s.boxes {
		list = append(list, b.problems...)
	}
	for reason, at := range s.dir.Bounds {
		list = append(list, Problem{Path: at, Rule: "STO-1", Reason: reason, Advice: "delete old messages, or keep them elsewhere"})
	}
	list = append(list, rivals(boxes)...)
	slices.SortStableFunc(list, func(a, b Problem) int { return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Reason, b.Reason)) })
	return append(follow.AtMost(list), s.watched.Problems()...)
}
