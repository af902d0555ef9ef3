package ssot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/lsp/store/disk"
	"github.com/signalbox-dev/signalbox/lsp/store/follow"
	"github.com/signalbox-dev/signalbox/lsp/store/tree"
)

// Scan looks at a directory once and writes nothing. That it is not there or
// cannot be read is in the snapshot; the error is the one of ctx alone.
func Scan(ctx context.Context, path string) (*Snapshot, error) {
	s := newState(Config{Path: path})
	if _, err := s.refresh(ctx); err != nil {
		return nil, err
	}
	return s.snapshot(), nil
}

// maxChanged is the number of tasks that a [Change] names.
const maxChanged = 100

// state is what is known of a directory. It is used by one goroutine at a time.
type state struct {
	cfg      Config
	id       string
	openRoot func(path string) (tree.Folder, error)
	// texts is how much is kept of one message's texts, 0 for all.
	texts int
	// settle is how long a file must say the same until its message is logged.
	settle time.Duration

	looked   bool
	err      error
	exists   bool
	own      bool
	writable bool
	tree     *tree.Tree[*record]
	log      logReader
	index    *index

	revision int64
	watching string
	// troubles are problems of watching and of writing the error log.
	troubles []Problem
}

func newState(cfg Config) *state {
	if abs, err := filepath.Abs(cfg.Path); err == nil {
		cfg.Path = abs
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	s := &state{cfg: cfg, id: ID(cfg.Path), openRoot: tree.Open, settle: tree.Unsettled, watching: follow.Poll}
	s.retree(usualLimits())
	return s
}

// retree begins anew, with these limits.
func (s *state) retree(limits tree.Limits) {
	s.tree = tree.New(tree.Rules[*record]{
		Sort: sortOf, Rank: precedence, Limits: limits,
		Looker: func() func(tree.Folder, string, *record, bool) *record {
			return (&looker{texts: s.texts}).look
		},
	})
	s.index = newIndex(s.tree.File)
}

// changed is what a look found to be different.
type changed struct {
	tasks []string
	// problems is set where those may differ, status that the directory does.
	problems, status bool
}

func (c *changed) empty() bool { return len(c.tasks) == 0 && !c.problems && !c.status }

func (c *changed) add(tasks []string) {
	c.tasks = append(c.tasks, tasks...)
	slices.Sort(c.tasks)
	c.tasks = slices.Compact(c.tasks)
}

// change returns what is announced.
func (c *changed) change(revision int64) Change {
	n := min(len(c.tasks), maxChanged)
	return Change{Revision: revision, Tasks: c.tasks[:n:n], Truncated: n < len(c.tasks), Status: c.status}
}

// refresh looks at everything.
func (s *state) refresh(ctx context.Context) (changed, error) {
	var c changed
	f, err := s.openRoot(s.cfg.Path)
	if err != nil {
		d := s.tree.Lose()
		return s.lost(&d, err), ctx.Err()
	}
	c.merge(s.takeLog(f))
	d, err := s.tree.Refresh(ctx, f)
	if err != nil {
		return c, err
	}
	if s.tree.Root == nil {
		c.merge(s.lost(&d, fs.ErrNotExist))
		return c, nil
	}
	c.merge(s.take(&d))
	s.setStatus(&c, s.tree.Root.Err)
	return c, nil
}

// refreshSome looks at single files and folders, by their paths.
func (s *state) refreshSome(ctx context.Context, paths []string) (changed, error) {
	f, err := s.openRoot(s.cfg.Path)
	if err != nil {
		return s.refresh(ctx)
	}
	defer f.Close()
	others := slices.DeleteFunc(slices.Clone(paths), func(p string) bool { return p == errorLog })
	d, ok := s.tree.RefreshSome(ctx, f, others)
	c := s.take(&d)
	if !ok {
		all, err := s.refresh(ctx)
		c.merge(all)
		return c, err
	}
	// A folder that is new has to be watched, also while nothing is in it.
	c.problems = c.problems || d.Folders
	if slices.Contains(others, inMessages) {
		s.setStatus(&c, nil)
	}
	if len(others) < len(paths) {
		c.merge(s.takeLog(f))
	}
	return c, ctx.Err()
}

// takeLog takes in what is new in the error log.
func (s *state) takeLog(f tree.Folder) (c changed) {
	if differs, anew := s.log.refresh(f); differs {
		c.problems = true
		c.add(s.index.relog(&s.log, anew))
	}
	return c
}

func (c *changed) merge(other changed) {
	c.add(other.tasks)
	c.problems, c.status = c.problems || other.problems, c.status || other.status
}

// lost takes note of a directory that is not there, or cannot be opened.
func (s *state) lost(d *tree.Delta[*record], err error) changed {
	c := s.take(d)
	c.problems = c.problems || len(s.index.gone) > 0
	clear(s.index.gone) // of everything at once there is one word: it is not there
	if s.log.offset > 0 || s.log.fault != nil {
		s.log = s.log.anew()
		c.add(s.index.relog(&s.log, true))
		c.problems = true
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	} else {
		err = fmt.Errorf("ssot: open %q: %w", s.cfg.Path, disk.Cause(err))
	}
	c.status = c.status || !s.looked || s.exists || text(s.err) != text(err)
	s.looked, s.exists, s.own, s.writable, s.err = true, false, false, false, err
	if err != nil {
		s.exists = true
	}
	return c
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// setStatus takes note of a directory that could be opened.
func (s *state) setStatus(c *changed, err error) {
	if err != nil {
		err = fmt.Errorf("ssot: read %q: %w", s.cfg.Path, disk.Cause(err))
	}
	own := s.tree.Folder(inMessages) != nil
	writable := disk.CanWrite(s.cfg.Path)
	if !s.looked || !s.exists || own != s.own || writable != s.writable || text(err) != text(s.err) {
		c.status = true
	}
	s.looked, s.exists, s.own, s.writable, s.err = true, true, own, writable, err
}

// take takes in what differs.
func (s *state) take(d *tree.Delta[*record]) changed {
	c := changed{problems: d.Faults}
	if len(d.Removed)+len(d.Added) > 0 {
		c.problems = true
		c.add(s.index.apply(d))
	}
	return c
}

// snapshot returns what is known now.
func (s *state) snapshot() *Snapshot {
	s.revision++
	snap := &Snapshot{
		Path: s.cfg.Path, ID: s.id, Exists: s.exists, Own: s.own, Writable: s.writable, Err: s.err,
		Watching: s.watching, Ready: s.looked, Revision: s.revision,
	}
	for _, t := range s.index.tasks {
		if t.task == nil {
			continue
		}
		snap.Rejected = append(snap.Rejected, t.task.Refused...)
		if t.id != "" && !t.ghost {
			snap.Tasks = append(snap.Tasks, t.task)
			snap.Messages += len(t.task.History.Messages)
		}
	}
	slices.SortFunc(snap.Tasks, func(a, b *Task) int {
		return cmp.Or(cmp.Compare(b.Last, a.Last), cmp.Compare(b.ID, a.ID))
	})
	slices.SortFunc(snap.Rejected, newestRefused)
	snap.Problems = s.problems()
	return snap
}

// problems lists what the user should know, in order of the paths.
func (s *state) problems() []Problem {
	list := s.index.problems(s.own)
	list = append(list, s.log.problems()...)
	for _, b := range s.tree.Bounds {
		list = append(list, Problem{Path: b.Path, Reason: b.Reason, Advice: "keep the directory for tasks, or archive old ones elsewhere"})
	}
	list = append(list, s.faults()...)
	slices.SortStableFunc(list, byPath)
	return append(follow.AtMost(list), s.troubles...)
}

// faults lists folders that cannot be looked into. The directory itself has its
// own word for that.
func (s *state) faults() (list []Problem) {
	s.tree.Each(func(n *tree.Node[*record], _ int) {
		if n.Err == nil || n.Path == "" {
			return
		}
		reason, advice := n.Fault()
		list = append(list, Problem{Path: n.Path, Rule: "E13", Reason: reason, Advice: advice})
	})
	return list
}

// rejections lists the messages that the error log does not have and was not
// told of. One that may still be being written is left for later: that it is
// whole is told by its bytes being the same a while after they were first met,
// and not by its time, which may be anybody's clock.
func (s *state) rejections(told map[key]bool) (list []agn.Rejection, later bool) {
	now := s.cfg.Now().UnixMilli()
	for _, id := range slices.Sorted(maps.Keys(s.index.tasks)) {
		for _, h := range s.index.tasks[id].here {
			switch r := h.rejected; {
			case r.Logged || told[key{r.Source, r.Digest}]:
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
