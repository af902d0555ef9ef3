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

// Scan looks at a directory once and writes nothing. A missing or unreadable directory is
// reported in the snapshot; the error is only ctx's.
func Scan(ctx context.Context, path string) (*Snapshot, error) {
	s := newState(Config{Path: path})
	if _, err := s.look(ctx, nil); err != nil {
		return nil, err
	}
	return s.snapshot(), nil
}

// maxChanged is the largest number of tasks in a [Change].
const maxChanged = 100

// state is everything known about a directory. Only one goroutine at a time may use it.
type state struct {
	cfg Config
	id  string
	dir tree.Dir[*record]
	// texts is how many bytes of a message's texts are kept, or 0 for all.
	texts int
	// settle is how long a file must stay the same before its message is logged.
	settle time.Duration

	own      bool
	writable bool
	log      logReader
	index    index

	revision int64
	// due is when a task's state will change if no one writes, or 0.
	due      int64
	watching string
	// troubles are problems with watching and with writing the error log.
	troubles []Problem
	// live receives the snapshots of a followed directory. keeper is the state of its error log,
	// and reject appends to it.
	live   *Live
	keeper logWriter
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
		NewScanner: func() func(tree.Folder, string, *record, bool) *record {
			return (&scanner{texts: s.texts}).look
		},
	}
	return s
}

// look looks at the error log and at the given files and folders, or at everything if paths is
// nil.
func (s *state) look(ctx context.Context, paths []string) (c Change, err error) {
	log := func(f tree.Folder) { s.readLog(f, &c) }
	err = s.dir.Look(ctx, paths, log, func(d *tree.Delta[*record]) {
		s.take(d, &c)
		// A new folder has to be watched even if it is empty. A look at everything does that
		// anyway.
		c.problems = c.problems || d.Folders && paths != nil
	})
	slices.Sort(c.Tasks)
	c.Tasks = slices.Compact(c.Tasks)
	return c, err
}

// readLog reads the new lines of the error log.
func (s *state) readLog(f tree.Folder, c *Change) {
	about := s.log.entries
	differs, reset := s.log.refresh(f)
	if c.problems = c.problems || differs; !differs {
		return
	}
	if reset {
		about = slices.Concat(about, s.log.entries)
	} else {
		about = s.log.added
	}
	for _, e := range about {
		if agn.ValidTaskID(e.TaskID) {
			c.Tasks = append(c.Tasks, e.TaskID)
		}
	}
}

// take applies changed files.
func (s *state) take(d *tree.Delta[*record], c *Change) {
	c.problems, c.Status = c.problems || d.Faults, c.Status || d.Status
	if len(d.Removed)+len(d.Added) > 0 {
		c.problems, c.Tasks = true, append(c.Tasks, s.index.apply(d)...)
	}
	there := s.dir.Root != nil
	if !there && (s.log.offset > 0 || s.log.fault != nil) {
		// The log is forgotten if the directory is missing or cannot be opened.
		s.log, c.problems = logReader{}, true
	}
	own, writable := s.dir.Folder(inMessages) != nil, there && disk.CanWrite(s.cfg.Path)
	c.Status = c.Status || own != s.own || writable != s.writable
	s.own, s.writable = own, writable
}

// snapshot returns the current state.
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

// problems lists what the user should know, ordered by path.
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

// faults lists folders that cannot be read. The directory itself is reported in Err.
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

// rejections lists the messages that the error log does not have. later is set if a file may
// still be in the middle of a write: its bytes must have stayed the same for a while since
// they were first seen. Its own time may come from another clock.
func (s *state) rejections() (list []agn.Rejection, later bool) {
	now := s.cfg.Now().UnixMilli()
	for _, id := range slices.Sorted(maps.Keys(s.index)) {
		for _, h := range s.index[id].here {
			r := &h.rejected
			_, logged := s.log.known[keyOf(r.Source, r.Digest)]
			switch {
			case logged:
			case time.Since(h.record.firstSeen) < s.settle:
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
