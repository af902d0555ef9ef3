package mailbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"github.com/signalbox-dev/signalbox/lsp/store/disk"
	"github.com/signalbox-dev/signalbox/lsp/store/follow"
	"github.com/signalbox-dev/signalbox/lsp/store/tree"
)

// Scan looks at a root once and writes nothing. That it is not there or cannot be
// read is in the snapshot; the error is the one of ctx alone. A message that is being
// written by a client that writes in place is seen as it is at that moment.
func Scan(ctx context.Context, path string) (*Snapshot, error) {
	s := newState(path)
	if _, err := s.refresh(ctx); err != nil {
		return nil, err
	}
	return s.snapshot(), nil
}

// maxChanged is the number of threads that a [Change] names.
const maxChanged = 100

// state is what is known of a root. It is used by one goroutine at a time.
type state struct {
	path, id string
	openRoot func(path string) (tree.Folder, error)
	// settle is as in [looker].
	settle time.Duration
	tree   *tree.Tree[*record]

	looked, exists bool
	err            error
	// boxes are what is in the mailboxes, by their folders; those that are none
	// for the user have a nil Mailbox.
	boxes map[string]*box
	// odd are problems that lie in no mailbox.
	odd     []Problem
	threads []*Thread
	byID    map[string]*Thread
	// halves counts the files that may still be being written.
	halves int

	revision int64
	watched  follow.Watched
	judged   *judged
	seen     *Seen
}

func newState(path string) *state {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	s := &state{path: path, id: ID(path), openRoot: tree.Open, watched: follow.Watched{How: follow.Poll}, judged: &judged{}}
	s.retree(limits())
	return s
}

// retree begins anew, with these limits.
func (s *state) retree(limits tree.Limits) {
	s.tree = tree.New(tree.Rules[*record]{
		Sort: sortOf, Rank: rank, Limits: limits,
		Looker: func() func(tree.Folder, string, *record, bool) *record {
			return (&looker{settle: s.settle}).look
		},
	})
}

// changed is what a look found to be different.
type changed struct {
	// threads are ids, sorted.
	threads []string
	// boxes is as in [Change]; other tells of anything else.
	boxes, other bool
}

func (c *changed) empty() bool { return len(c.threads) == 0 && !c.boxes && !c.other }

// change returns what is announced.
func (c *changed) change(revision int64) Change {
	n := min(len(c.threads), maxChanged)
	return Change{Revision: revision, Threads: c.threads[:n:n], Truncated: n < len(c.threads), Mailboxes: c.boxes}
}

// refresh looks at everything.
func (s *state) refresh(ctx context.Context) (changed, error) {
	f, err := s.openRoot(s.path)
	if err != nil {
		return s.lose(err), ctx.Err()
	}
	d, err := s.tree.Refresh(ctx, f)
	if err != nil {
		return changed{}, err
	}
	if s.tree.Root == nil {
		return s.found(&d, false, nil), nil
	}
	if err = s.tree.Root.Err; err != nil {
		err = fmt.Errorf("mailbox: read %q: %w", s.path, disk.Cause(err))
	}
	return s.found(&d, true, err), nil
}

// refreshSome looks at single files and folders, by their paths.
func (s *state) refreshSome(ctx context.Context, paths []string) (changed, error) {
	f, err := s.openRoot(s.path)
	if err != nil {
		return s.refresh(ctx)
	}
	d, ok := s.tree.RefreshSome(ctx, f, paths)
	f.Close()
	c := s.take(&d)
	if !ok {
		all, err := s.refresh(ctx)
		c.merge(&all)
		return c, err
	}
	return c, ctx.Err()
}

func (c *changed) merge(other *changed) {
	c.threads = append(c.threads, other.threads...)
	slices.Sort(c.threads)
	c.threads = slices.Compact(c.threads)
	c.boxes, c.other = c.boxes || other.boxes, c.other || other.other
}

// lose takes note of a root that is not there, or cannot be opened.
func (s *state) lose(err error) changed {
	d := s.tree.Lose()
	if errors.Is(err, fs.ErrNotExist) {
		return s.found(&d, false, nil)
	}
	return s.found(&d, true, fmt.Errorf("mailbox: open %q: %w", s.path, disk.Cause(err)))
}

// found takes in a look at everything.
func (s *state) found(d *tree.Delta[*record], exists bool, err error) changed {
	first := !s.looked
	status := first || s.exists != exists || !sameError(s.err, err)
	s.looked, s.exists, s.err = true, exists, err
	if first {
		d.Faults = true
	}
	c := s.take(d)
	c.boxes = c.boxes || status
	return c
}

// take takes in what differs.
func (s *state) take(d *tree.Delta[*record]) (c changed) {
	if len(d.Removed)+len(d.Added) == 0 && !d.Faults && !d.Folders {
		return c
	}
	touched := make(map[string]bool)
	for _, r := range d.Removed {
		s.halves -= r.isHalf()
		dir, _ := split(r.Path)
		touched[dir] = true
	}
	for _, r := range d.Added {
		s.halves += r.isHalf()
		dir, _ := split(r.Path)
		touched[dir] = true
	}
	c.other = true
	c.boxes = s.rebox(touched, d.Faults || d.Folders)
	c.threads = s.rethread()
	return c
}

func (r *record) isHalf() int {
	if r.half.IsZero() {
		return 0
	}
	return 1
}

// snapshot returns what is known now.
func (s *state) snapshot() *Snapshot {
	s.revision++
	snap := &Snapshot{
		Path: s.path, ID: s.id, Exists: s.exists, Err: s.err, Threads: s.threads,
		Watching: s.watched.How, Ready: s.looked, Revision: s.revision, judged: s.judged, Seen: s.seen,
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
	for _, b := range s.tree.Bounds {
		list = append(list, Problem{Path: b.Path, Rule: "STO-1", Reason: b.Reason, Advice: "delete old messages, or keep them elsewhere"})
	}
	list = append(list, rivals(boxes)...)
	slices.SortStableFunc(list, func(a, b Problem) int { return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Reason, b.Reason)) })
	return append(follow.AtMost(list), s.watched.Problems()...)
}
