package store

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"sync"
	"time"

	"github.com/signalbox-dev/signalbox/core/samp"
)

const (
	// checkpointFrom is what [Config.Checkpoint] is by default.
	checkpointFrom = 16 << 20
	// checkpointEvery is how long it takes at least from one time an index is
	// saved to the next: a large one is tens of megabytes.
	checkpointEvery = time.Minute
	// aheadMost is how many new bytes are read before a saved index is shown.
	// With more it is as well made anew, by all processors.
	aheadMost = 32 << 20
	// glanceFrom is how large logs are of which the ends are shown before they
	// are read, glanceSize how much of each, and glanceLogs of how many.
	glanceFrom = 16 << 20
	glanceSize = 64 << 10
	glanceLogs = 64
)

// start fills the index for the first time: out of the checkpoint and what is
// new since, or by reading the logs. The ends of large logs are shown first.
func (l *Live) start(ctx context.Context, logs []Log, problems []Problem) {
	l.glance(ctx, logs)
	saved := l.restore(ctx, logs)
	if saved == nil {
		if !l.rebuild(ctx, l.idx, l.logs, nil) {
			l.mu.Lock()
			l.idx = l.emptyIndex()
			l.mu.Unlock()
		}
		return
	}
	n := l.look(logs, saved.states)
	for name := range saved.altered {
		n.again[name] = true
	}
	l.cfg.Logger.Debug("the saved index is used", "messages", saved.idx.entries.n, "new", n.bytes, "again", len(n.again))
	if len(n.again) > 0 || n.bytes > aheadMost || missing(logs, saved.states) {
		l.rebuild(ctx, saved.idx, saved.states, n.again)
		return
	}
	for _, log := range n.grown {
		if s := saved.states[log.Name]; s != nil {
			saved.doubtful[log.Name] = s.before()
		}
	}
	l.mu.Lock()
	for k := range l.remarked {
		saved.idx.renew(k)
	}
	l.remarked = nil
	l.idx, l.logs = saved.idx, saved.states
	l.changes++
	l.mu.Unlock()
	l.grow(ctx, n.grown)
	if ctx.Err() != nil {
		return
	}
	l.mu.Lock()
	l.problems, l.ready = problems, true
	l.mu.Unlock()
	l.changed(nil, Change{Messages: true, Status: true, Truncated: true})
	// What only its beginning and its end vouched for is shown by now. Reading
	// all of it finds what somebody changed between these.
	if again := l.altered(ctx, saved.doubtful); len(again) > 0 {
		l.cfg.Logger.Debug("logs were changed before their ends", "logs", len(again))
		l.rebuild(ctx, l.idx, l.logs, again)
	}
}

// restored is an index out of a checkpoint.
type restored struct {
	idx    *index
	states map[string]*logState
	// altered names logs that are not what was read, and doubtful those of
	// which that is not sure.
	altered  map[string]bool
	doubtful map[string]sum
}

// sum is the checksum of the first bytes of a log.
type sum struct {
	size int64
	sum  uint32
}

func (s *logState) before() sum { return sum{s.scanned, s.sum} }

// restore reads the checkpoint. It gives nil where there is none that can be
// used. From then on marks are noted, until they are in the index.
func (l *Live) restore(ctx context.Context, logs []Log) *restored {
	if l.cfg.Checkpoint < 0 || l.saver.tried {
		return nil
	}
	l.saver.tried = true
	path := checkpointPath(l.cfg.StateDir, l.dir.ID())
	f, info, err := openCheckpoint(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var x *index
	var saved []savedLog
	if err == nil {
		defer f.Close()
		x, saved, err = load(f, info.Size(), l.profile, l.cfg.Me, func(s secret) *index {
			return newIndex(s, l.cfg.Me, l.idx.read, l.idx.readOdd)
		})
	}
	if err != nil {
		l.cfg.Logger.Info("the saved index is not used", "path", path, "error", err)
		return nil
	}
	r := &restored{idx: x, states: make(map[string]*logState, len(saved)), altered: make(map[string]bool), doubtful: make(map[string]sum)}
	l.known(ctx, r, logs, saved)
	l.mu.Lock()
	l.remarked = make(map[Key]struct{})
	l.mu.Unlock()
	for _, k := range l.state.keys() {
		x.renew(k)
	}
	return r
}

// known makes of what a checkpoint says of the logs what the index knows of
// them.
func (l *Live) known(ctx context.Context, r *restored, logs []Log, saved []savedLog) {
	now := make(map[string]Log, len(logs))
	for _, log := range logs {
		now[log.Name] = log
	}
	nums := make(map[string]int, len(saved))
	var here []Log
	for i := range saved {
		name := saved[i].name
		nums[name] = i
		log, there := now[name]
		if !there {
			r.states[name] = &logState{log: r.idx.logs[i], num: i}
			continue
		}
		r.idx.logs[i] = log
		here = append(here, log)
	}
	var mu sync.Mutex
	l.eachLog(ctx, here, func(_ *lineReader, log Log) {
		s := &saved[nums[log.Name]]
		state, same := l.recall(s, log, r.idx.secret)
		mu.Lock()
		defer mu.Unlock()
		state.num = nums[log.Name]
		r.states[log.Name] = state
		if !same {
			r.altered[log.Name] = true
		} else if s.racy || s.id != identityOf(log.Info) {
			r.doubtful[log.Name] = state.before()
		}
	})
}

// recall makes a log's state of what a checkpoint says, if the log has the head
// and tail that it had.
func (l *Live) recall(s *savedLog, log Log, key secret) (state *logState, same bool) {
	state = &logState{
		log: log, scanned: s.scanned, lines: s.lines, open: s.open, size: s.size, mtime: s.mtime, malformed: s.malformed,
		sum: s.sum, readAt: time.Now(),
	}
	if s.racy {
		state.readAt = s.mtime
	}
	f, err := l.dir.openLog(log)
	if err != nil {
		return state, false
	}
	defer f.Close()
	state.head, state.tail, same = s.matches(f, key)
	return state, same
}

// altered reads all that was read of some logs before, and names those that are
// not the same any more.
func (l *Live) altered(ctx context.Context, logs map[string]sum) map[string]bool {
	var list []Log
	for name := range logs {
		list = append(list, l.logs[name].log)
	}
	var mu sync.Mutex
	again := make(map[string]bool)
	l.eachLog(ctx, list, func(_ *lineReader, log Log) {
		f, err := l.dir.openLog(log)
		same := err == nil
		if err == nil {
			defer f.Close()
			same, err = unaltered(ctx, f, logs[log.Name].size, logs[log.Name].sum)
		}
		if ctx.Err() == nil && (err != nil || !same) {
			mu.Lock()
			again[log.Name] = true
			mu.Unlock()
		}
	})
	return again
}

// glance shows the ends of large logs while all of them, or the checkpoint, are
// read: what is in their writers' own logs there. It has no line numbers, and says less than all;
// [Stats.Indexing] tells, and so does the change when all is read.
func (l *Live) glance(ctx context.Context, logs []Log) {
	size := int64(0)
	for _, log := range logs {
		size += log.Info.Size()
	}
	if size < glanceFrom {
		return
	}
	logs = slices.Clone(logs)
	slices.SortFunc(logs, func(a, b Log) int { return b.Info.ModTime().Compare(a.Info.ModTime()) })
	logs = logs[:min(glanceLogs, len(logs))]
	x := newIndex(newSecret(), l.cfg.Me, l.idx.read, l.idx.readOdd)
	x.logs = logs
	nums := make(map[string]int, len(logs))
	for i := range logs {
		nums[logs[i].Name] = i
	}
	var mu sync.Mutex
	l.eachLog(ctx, logs, func(r *lineReader, log Log) {
		_ = l.end(ctx, r, log, readAs{l.profile, x.secret}, func(it *item) {
			mu.Lock()
			defer mu.Unlock()
			it.log = nums[log.Name]
			x.add(it)
		})
	})
	x.flush()
	l.mu.Lock()
	l.idx = x
	l.changes++
	l.mu.Unlock()
	l.changed(nil, Change{Messages: true, Truncated: true})
}

// end reads the records of its writer at the end of a log.
func (l *Live) end(ctx context.Context, r *lineReader, log Log, as readAs, add func(*item)) error {
	f, err := l.dir.openLog(log)
	if err != nil {
		return err
	}
	defer f.Close()
	size := log.Info.Size()
	return r.read(ctx, f, max(size-glanceSize, 0), size, visitor{line: func(offset int64, raw []byte, _ bool) {
		length := len(raw)
		rec, err := samp.ParseInPlace(raw)
		if err != nil || samp.FilingOf(log.Stem, rec.From) != samp.Own {
			return
		}
		add(&item{rec: rec, key: samp.EffectiveID(&rec, as.profile), content: as.secret.content(&rec), offset: offset, length: length})
	}})
}
