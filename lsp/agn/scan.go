package agn

import (
	"cmp"
	"context"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/lsp/disk"
	"github.com/signalbox-dev/signalbox/lsp/disk/follow"
	"github.com/signalbox-dev/signalbox/lsp/disk/tree"
)

// Scan looks at a directory once and writes nothing. That it is not there or
// cannot be read is in the snapshot; the error is the one of ctx alone.
func Scan(ctx context.Context, path string) (*Snapshot, error) {
	s := newState(Config{Path: path})
	if _, err := s.look(ctx, nil); err != nil {
		return nil, err
	}
	return s.snapshot(), nil
}

// maxChanged is the number of tasks that a [Change] names.
const maxChanged = 100

// state is what is known of a directory. It is used by one goroutine at a time.
type state struct {
	cfg Config
	id  string
	dir tree.Dir[*record]
	// texts is how much is kept of one message's texts, 0 for all.
	texts int
	// settle is how long a file must say the same until its message is logged.
	settle time.Duration

	own      bool
	writable bool
	log      logReader
	index    index

	revision int64
	// due is when a task will be another one if nobody writes, or 0.
	due      int64
	watching string
	// troubles are problems of watching and of writing the error log.
	troubles []Problem
	// live is given the snapshots of a directory that is followed. keeper writes its
	// error log, to which reject appends.
	live   *Live
	keeper logKeeper
	reject func(ctx context.Context, path string, list []agn.Rejection) error
}

func newState(cfg Config) *state {
	if abs, err := filepath.Abs(cfg.Path); err == nil {
		cfg.Path = abs
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	s := &state{cfg: cfg, id: tree.ID(cfg.Path), index: index{}, settle: tree.Unsettled, watching: follow.Poll}
	s.dir = tree.Dir[*record]{Path: cfg.Path, Store: "ssot", Open: tree.Open}
	s.dir.Rules = tree.Rules[*record]{
		Sort: sortOf, Rank: precedence, Limits: usualLimits(),
		Looker: func() func(tree.Folder, string, *record, bool) *record {
			return (&looker{texts: s.texts}).look
		},
	}
	return s
}

// look looks at the error log, and at some files and folders, by their paths, or at
// everything if paths is nil.
func (s *state) look(ctx context.Context, paths []string) (c Change, err error) {
	log := func(f tree.Folder) { s.takeLog(f, &c) }
	err = s.dir.Look(ctx, paths, log, func(d *tree.Delta[*record]) {
		s.take(d, &c)
		// A folder that is new has to be watched, also while nothing is in it. After a
		// look at everything that is done anyway.
		c.problems = c.problems || d.Folders && paths != nil
	})
	slices.Sort(c.Tasks)
	c.Tasks = slices.Compact(c.Tasks)
	return c, err
}

// takeLog takes in what is new in the error log.
func (s *state) takeLog(f tree.Folder, c *Change) {
	about := s.log.entries
	differs, anew := s.log.refresh(f)
	if c.problems = c.problems || differs; !differs {
		return
	}
	if anew {
		about = slices.Concat(about, s.log.entries)
	} else {
		about = s.log.fresh
	}
	for _, e := range about {
		if agn.ValidTaskID(e.TaskID) {
			c.Tasks = append(c.Tasks, e.TaskID)
		}
	}
}

// take takes in what differs.
func (s *state) take(d *tree.Delta[*record], c *Change) {
	c.problems, c.Status = c.problems || d.Faults, c.Status || d.Status
	if len(d.Removed)+len(d.Added) > 0 {
		c.problems, c.Tasks = true, append(c.Tasks, s.index.apply(d)...)
	}
	there := s.dir.Root != nil
	if !there && (s.log.offset > 0 || s.log.fault != nil) {
		// Of a directory that is not there, or cannot be opened, the log is forgotten.
		s.log, c.problems = logReader{}, true
	}
	own, writable := s.dir.Folder(inMessages) != nil, there && disk.CanWrite(s.cfg.Path)
	c.Status = c.Status || own != s.own || writable != s.writable
	s.own, s.writable = own, writable
}

// snapshot returns what is known now.
func (s *state) snapshot() *Snapshot {
	s.revision++
	snap := &Snapshot{
		Path: s.cfg.Path, ID: s.id, Exists: s.dir.Exists, Own: s.own, Writable: s.writable, Err: s.dir.Err,
		Watching: s.watching, Ready: s.dir.Looked, Revision: s.revision, byID: map[string]*Task{},
	}
	for _, t := range s.index {
		if t.task != nil {
			snap.Tasks, snap.byID[t.id] = append(snap.Tasks, t.task), t.task
			snap.Messages += len(t.task.History.Messages)
		}
	}
	slices.SortFunc(snap.Tasks, func(a, b *Task) int {
		return cmp.Or(cmp.Compare(b.Last, a.Last), cmp.Compare(b.ID, a.ID))
	})
	snap.Rejected, snap.Problems = s.rejected(), s.problems()
	return snap
}

// problems lists what the user should know, in order of the paths.
func (s *state) problems() []Problem {
	list := s.index.problems(s.own)
	list = append(list, s.log.problems()...)
	for reason, at := range s.dir.Bounds {
		list = append(list, Problem{Path: at, Reason: reason, Advice: "keep the directory for tasks, or archive old ones elsewhere"})
	}
	list = append(list, s.faults()...)
	slices.SortStableFunc(list, byPath)
	return append(follow.AtMost(list), s.troubles...)
}

// faults lists folders that cannot be looked into. The directory itself has its
// own word for that.
func (s *state) faults() (list []Problem) {
	s.dir.Each(func(n *tree.Node[*record], _ int) {
		if n.Err == nil || n.Path == "" {
			return
		}
		reason, advice := n.Fault()
		list = append(list, Problem{Path: n.Path, Rule: "E13", Reason: reason, Advice: advice})
	})
	return list
}

// rejections lists the messages that the error log does not have. One that may still be
// being written is left for later: that it is whole is told by its bytes being the same a
// while after they were first met, and not by its time, which may be anybody's clock.
func (s *state) rejections() (list []agn.Rejection, later bool) {
	now := s.cfg.Now().UnixMilli()
	for _, id := range slices.Sorted(maps.Keys(s.index)) {
		for _, h := range s.index[id].here {
			r := &h.rejected
			_, logged := s.log.known[keyOf(r.Source, r.Digest)]
			switch {
			case logged:
			case time.Since(h.record.met) < s.settle:
				later = true
			default:
				list = append(list, agn.Rejection{
					Millis: now, Source: r.Source, MsgID: r.MsgID, TaskID: r.TaskID, Digest: r.Digest, Faults: r.Faults,
				})
			}
		}
	}
	return list, later
}
