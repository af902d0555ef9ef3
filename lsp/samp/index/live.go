// Package index keeps an index of a message directory in memory, follows the directory,
// and answers lists, pages, look-ups and searches. Start with [Open]. The index reads only
// new lines, holds no bodies, and can be thrown away at any time.
package index

import (
	"context"
	"errors"
	"hash/maphash"
	"io/fs"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/disk/follow"
	"github.com/signalbox-dev/signalbox/lsp/disk/lineread"
	"github.com/signalbox-dev/signalbox/lsp/disk/parallel"
	sampstore "github.com/signalbox-dev/signalbox/lsp/samp"
)

// Config selects the directory that a [Live] store follows, and the reader.
type Config struct {
	// Path is the message directory. It need not exist yet.
	Path string
	// Me is the reader's alias. It decides what counts as unread.
	Me string
	// StateDir is the folder of the reader's own state; see [environ.Env.StateDir].
	StateDir string
	// Profile is the form of new ids. With Auto the directory's own form takes precedence.
	Profile samp.Profile
	Auto    bool
	// Poll is how often to look at the directory even if the system reports nothing, as
	// with network and sync file systems. 0 means [follow.DefaultPoll].
	Poll time.Duration
	// Once is set for a process that makes a search or two. [Live.Scan] then searches the
	// logs, and there is no index until [Live.Sync] is called.
	Once bool
	// Logger receives the errors. It must not be nil.
	Logger *slog.Logger
	// Changed is called after every change, once the change can be read. It is never
	// called concurrently, and must not block.
	Changed func(Change)
}

// Change describes what changed in a live store.
type Change struct {
	Revision int64
	// Messages and Read are the kinds of change. Status is set when the
	// directory or its problems changed.
	Messages, Read, Status bool
	// Threads are the names of the threads that changed, at most 100.
	// Truncated is set when there were more.
	Threads   []string
	Truncated bool
}

// maxChanged is the number of threads a [Change] names.
const maxChanged = 100

// Live is a message directory with an index that follows it. It is safe for concurrent
// use. One goroutine, ended by [Live.Close], reads new mail and new marks.
type Live struct {
	cfg       Config
	follower  *follow.Follower
	following sync.Once // starts follower
	// openState opens the read state for scans. If there is none yet, covered is the
	// watermark that takes its place; otherwise it is nil.
	openState sync.Once
	covered   *samp.Seen
	// watermarks holds the states of other readers' watermark files at the last look, by
	// alias. It is nil before the first. Only the goroutine that follows the directory uses it.
	watermarks map[string]sampstore.FileState

	// begin closes begun once there is mail to show, or certainly none.
	begun chan struct{}
	begin func()

	// marks serialises changes of the read state, and sending serialises sends.
	marks, sending sync.Mutex

	mu       sync.RWMutex // guards everything below
	dir      *sampstore.Dir
	idx      *index
	logs     map[string]*logState
	problems []sampstore.Problem
	// profile is the form in which missing ids are computed. form is the form of the
	// newest record, in which new messages are written.
	profile  samp.Profile
	form     sampstore.Form
	state    *sampstore.ReadState
	mark     samp.Watermark
	revision int64
	ready    bool
	err      error
	// scanned holds the threads that scans met, by name. It is nil if there is an index.
	scanned map[string]*scanThread
	// partSize is the size of the parts of a log that a scan's workers search one at a time.
	// The part at the end of a log is smaller.
	partSize int64
	// markedMeanwhile holds the messages that were marked while a new index is being made. It
	// is nil at any other time.
	markedMeanwhile map[sampstore.Key]struct{}
}

// Open starts following a directory. It returns at once and fills the index in
// the background; [Stats.Indexing] is set until that is done.
func Open(cfg Config) *Live {
	if cfg.Changed == nil {
		cfg.Changed = func(Change) {}
	}
	l := newLive(cfg)
	if cfg.Once {
		l.openOnce()
	} else {
		l.follow()
	}
	return l
}

// newLive returns a store that does not follow its directory yet.
func newLive(cfg Config) *Live {
	l := &Live{cfg: cfg, profile: cfg.Profile, begun: make(chan struct{}), logs: make(map[string]*logState)}
	l.begin = sync.OnceFunc(func() { close(l.begun) })
	l.idx = l.emptyIndex()
	return l
}

// Close stops following the directory. Nothing changes the index after it returns.
func (l *Live) Close() {
	if l.follower != nil {
		l.follower.Close()
	}
	l.begin()
	if l.dir != nil {
		l.dir.Close()
	}
}

// Sync waits until the index holds everything that was on disk when Sync was called.
func (l *Live) Sync(ctx context.Context) error {
	l.follow()
	return l.follower.Sync(ctx)
}

// Begun waits until there is mail to show, or the directory is known to have none. It does
// not wait for the rest of the mail. Later calls return at once.
func (l *Live) Begun(ctx context.Context) {
	select {
	case <-l.begun:
	case <-ctx.Done():
	}
}

// Settle waits until the directory was read once. While [Stats.Indexing] is set the
// index holds only some of the mail: enough to show, too little to act upon.
func (l *Live) Settle(ctx context.Context) error {
	if l.readyNow() {
		return nil
	}
	return l.Sync(ctx)
}

func (l *Live) emptyIndex() *index {
	x := newIndex(maphash.MakeSeed(), l.cfg.Me,
		func(k sampstore.Key) bool { return l.state != nil && l.state.Has(k) },
		func() []sampstore.Key {
			if l.state == nil {
				return nil
			}
			return l.state.Irregular()
		})
	x.order = []uint32{}
	return x
}

// replace makes x the index in use. The time that [Live.SetReplySince] set stays. The lock
// is held.
func (l *Live) replace(x *index) {
	x.setReplySince(l.idx.replySince)
	l.idx = x
}

// open opens the directory, the reader's read state and the watermark, once the directory
// exists. It reports whether there is a directory to read.
func (l *Live) open(ctx context.Context) bool {
	if l.dir != nil {
		if l.dir.Current() {
			return true
		}
		l.forget()
	}
	dir, err := sampstore.Open(l.cfg.Path)
	if err != nil {
		l.fail(err)
		return false
	}
	profile, newest := l.cfg.Profile, sampstore.Form{}
	if l.cfg.Auto {
		if newest, err = dir.Form(ctx); err != nil {
			dir.Close()
			l.fail(err)
			return false
		}
		profile = newest.Profile
	}
	state, err := sampstore.OpenReadState(l.cfg.StateDir, dir, l.cfg.Me)
	if err != nil {
		l.cfg.Logger.Warn("read state cannot be read", "error", err)
	}
	mark, found, err := dir.Watermark(l.cfg.Me)
	if err != nil {
		l.cfg.Logger.Warn("watermark cannot be read", "error", err)
	}
	l.mu.Lock()
	l.dir, l.profile, l.form, l.state, l.mark, l.err = dir, profile, newest, state, mark, nil
	l.mu.Unlock()
	if !state.Exists() && found {
		l.adopt(ctx)
	}
	return true
}

// forget closes a directory that is gone, and empties the index.
func (l *Live) forget() {
	l.mu.Lock()
	l.dir.Close()
	l.watermarks = nil
	l.dir, l.logs = nil, make(map[string]*logState)
	l.replace(l.emptyIndex())
	l.mu.Unlock()
	l.changed(nil, Change{Messages: true, Status: true, Truncated: true})
}

func (l *Live) fail(err error) {
	l.mu.Lock()
	first := l.err == nil || l.err.Error() != err.Error() || !l.ready
	l.err, l.ready = err, true
	l.mu.Unlock()
	if first {
		level := slog.LevelWarn
		if errors.Is(err, fs.ErrNotExist) {
			level = slog.LevelInfo
		}
		l.cfg.Logger.Log(context.Background(), level, "message directory cannot be opened", "error", err)
		l.changed(nil, Change{Status: true})
	}
}

// adopt marks the messages that the watermark covers as read. It runs the first time that
// Signalbox opens a directory in which another tool has read mail.
func (l *Live) adopt(ctx context.Context) {
	keys, err := l.coveredBy(ctx, l.mark.SeenAt(time.Now().Unix()))
	if err != nil {
		l.cfg.Logger.Warn("mail that the watermark covers cannot be found", "error", err)
		return
	}
	if _, err := l.state.Mark(keys, true); err != nil {
		l.cfg.Logger.Warn("read state cannot be saved", "error", err)
	}
}

// coveredBy returns the keys of the messages that a watermark covers.
func (l *Live) coveredBy(ctx context.Context, seen samp.Seen) (keys []sampstore.Key, err error) {
	lines, err := l.dir.Lines(ctx, l.cfg.Me, l.profile, nil)
	if err != nil {
		return nil, err
	}
	defer lines.Close()
	for m, err := range lines.All(ctx) {
		if err != nil {
			return nil, err
		}
		if seen.Listed(m) || seen.Before(m.TS) {
			keys = append(keys, sampstore.Key{From: strings.Clone(m.From), ID: strings.Clone(m.Key)})
		}
	}
	return keys, nil
}

// refresh updates the index from the disk. It looks at the named logs, or at all if names
// is nil.
func (l *Live) refresh(ctx context.Context, names map[string]bool) {
	defer l.begin()
	if !l.open(ctx) {
		return
	}
	logs, problems, err := l.list(names)
	if err != nil {
		l.fail(err)
		return
	}
	if !l.ready {
		l.start(ctx, logs)
	} else {
		fresh, again := l.changedLogs(logs)
		switch {
		case len(again) > 0 || names == nil && l.missing(logs):
			l.rebuild(ctx, again)
		case len(fresh) > 0:
			l.grow(ctx, fresh)
		}
	}
	l.refreshState(names)
	l.refreshReceipts(names)
	if names == nil {
		l.setProblems(problems)
	}
}

// changedLogs compares logs with the index. It returns the new logs and the logs with new
// lines, and the names of the rewritten logs.
func (l *Live) changedLogs(logs []sampstore.Log) (fresh []sampstore.Log, again map[string]bool) {
	again = make(map[string]bool)
	for _, log := range logs {
		s := l.logs[log.Name]
		if s == nil {
			fresh = append(fresh, log)
			continue
		}
		what, err := s.compare(l.dir, log)
		switch {
		case err != nil:
			l.cfg.Logger.Warn("log cannot be read", "log", log.Name, "error", err)
		case what == grown:
			fresh = append(fresh, log)
		case what == rewritten:
			again[log.Name] = true
		}
	}
	return fresh, again
}

// list returns the named logs, or all logs if names is nil or a named log is gone.
func (l *Live) list(names map[string]bool) ([]sampstore.Log, []sampstore.Problem, error) {
	if names == nil {
		return l.dir.Logs()
	}
	var logs []sampstore.Log
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if _, ok := samp.LogStem(name); !ok {
			continue
		}
		log, problem := l.dir.Log(name)
		if problem != nil || log.Info == nil {
			// The log is gone or has a problem.
			return l.dir.Logs()
		}
		logs = append(logs, log)
	}
	return logs, nil, nil
}

// Stems lists the stems of the directory's logs as they were last seen, in byte order of the
// logs' names.
func (l *Live) Stems() []string {
	l.mu.RLock()
	defer l.mu.RUnlock()
	list := make([]sampstore.Log, 0, len(l.logs))
	for _, s := range l.logs {
		list = append(list, s.log)
	}
	slices.SortFunc(list, func(a, b sampstore.Log) int { return strings.Compare(a.Name, b.Name) })
	stems := make([]string, len(list))
	for i := range list {
		stems[i] = list[i].Stem
	}
	return stems
}

// missing reports whether an indexed log is gone.
func (l *Live) missing(logs []sampstore.Log) bool {
	here := make(map[string]bool, len(logs))
	for _, log := range logs {
		here[log.Name] = true
	}
	for name := range l.logs {
		if !here[name] {
			return true
		}
	}
	return false
}

// grow reads the new lines of logs into the index.
func (l *Live) grow(ctx context.Context, logs []sampstore.Log) {
	r := lineread.New()
	added := 0
	for _, log := range logs {
		s, known := l.logs[log.Name]
		if known {
			l.mu.Lock()
			l.idx.logs[s.num] = log // searches use its size
			l.mu.Unlock()
		} else {
			if len(l.idx.logs) >= maxLogs {
				l.cfg.Logger.Warn("too many logs; this one is not shown", "log", log.Name, "limit", maxLogs)
				continue
			}
			s = &logState{log: log, num: len(l.idx.logs)}
			l.mu.Lock()
			l.idx.logs = append(l.idx.logs, log)
			l.logs[log.Name] = s
			l.mu.Unlock()
		}
		err := s.read(ctx, l.dir, r, log, readAs{l.profile, l.idx.seed}, func(items []item) {
			l.mu.Lock()
			defer l.mu.Unlock()
			for i := range items {
				l.idx.add(&items[i])
				if l.cfg.Auto {
					l.form.Add(&items[i].rec)
				}
			}
			added += len(items)
		})
		if err != nil && ctx.Err() == nil && !errors.Is(err, errReplaced) {
			l.cfg.Logger.Warn("log cannot be read", "log", log.Name, "error", err)
		}
	}
	if added == 0 {
		return
	}
	l.mu.Lock()
	touched := l.idx.flush()
	l.mu.Unlock()
	l.changed(touched, Change{Messages: true})
}

// rebuild makes a new index beside the one in use, and then replaces it. It takes over the
// entries of unchanged logs, and reads new logs and the logs named in again. It reports
// whether it succeeded.
func (l *Live) rebuild(ctx context.Context, again map[string]bool) bool {
	logs, problems, err := l.dir.Logs()
	if err != nil {
		l.fail(err)
		return false
	}
	if len(logs) > maxLogs {
		l.cfg.Logger.Warn("too many logs; the last are not shown", "logs", len(logs), "limit", maxLogs)
		logs = logs[:maxLogs]
	}
	x := newIndex(l.idx.seed, l.cfg.Me, l.idx.read, l.idx.readOdd)
	states := make(map[string]*logState, len(logs))
	old := make(map[int]int)
	for i, log := range logs {
		x.logs = append(x.logs, log)
		s := &logState{log: log, num: i}
		if before := l.logs[log.Name]; before != nil && !again[log.Name] {
			if what, err := before.compare(l.dir, log); err == nil && what != rewritten {
				*s = *before
				s.num = i
				old[before.num] = i
			}
		}
		states[log.Name] = s
	}
	l.mu.Lock()
	if l.markedMeanwhile == nil {
		l.markedMeanwhile = make(map[sampstore.Key]struct{})
	}
	l.mu.Unlock()
	l.mu.RLock()
	x.takeOver(l.idx, old)
	l.mu.RUnlock()
	var mu sync.Mutex
	l.eachLog(ctx, logs, func(r *lineread.Reader, log sampstore.Log) {
		err := states[log.Name].read(ctx, l.dir, r, log, readAs{l.profile, x.seed}, func(items []item) {
			mu.Lock()
			defer mu.Unlock()
			for i := range items {
				x.add(&items[i])
			}
		})
		if err != nil && ctx.Err() == nil && !errors.Is(err, errReplaced) {
			l.cfg.Logger.Warn("log cannot be read", "log", log.Name, "error", err)
		}
	})
	if ctx.Err() != nil {
		return false
	}
	x.flush()
	newest := sampstore.Form{}
	if l.cfg.Auto {
		if newest, err = l.dir.Form(ctx); err != nil {
			l.cfg.Logger.Warn("the form of new ids cannot be found", "error", err)
		}
	}
	l.mu.Lock()
	l.form = newest
	for k := range l.markedMeanwhile {
		x.refreshRead(k)
	}
	l.markedMeanwhile = nil
	l.replace(x)
	l.logs, l.problems, l.ready = states, problems, true
	l.mu.Unlock()
	l.changed(nil, Change{Messages: true, Status: true, Truncated: true})
	return true
}

// eachLog calls work for every log, on all processors.
func (l *Live) eachLog(ctx context.Context, logs []sampstore.Log, work func(*lineread.Reader, sampstore.Log)) {
	_ = parallel.Do(ctx, len(logs), func() func(int) error {
		r := lineread.New()
		return func(i int) error {
			work(r, logs[i])
			return nil
		}
	})
}

// refreshState reads marks that other processes made. It reads the watermark as well if
// names has it or is nil.
func (l *Live) refreshState(names map[string]bool) {
	l.marks.Lock()
	defer l.marks.Unlock()
	changed, err := l.state.Refresh()
	if err != nil {
		l.cfg.Logger.Warn("read state cannot be read", "error", err)
	}
	l.applyRead(changed)
	if names != nil && !names[samp.WatermarkName(l.cfg.Me)] {
		return
	}
	if mark, _, err := l.dir.Watermark(l.cfg.Me); err == nil {
		l.mu.Lock()
		l.mark = mark
		l.mu.Unlock()
	}
}

// applyRead updates the index from these messages' read state.
func (l *Live) applyRead(keys []sampstore.Key) {
	if len(keys) == 0 {
		return
	}
	var touched []uint32
	l.mu.Lock()
	for _, k := range keys {
		touched = append(touched, l.idx.refreshRead(k)...)
		if l.markedMeanwhile != nil {
			l.markedMeanwhile[k] = struct{}{}
		}
	}
	l.mu.Unlock()
	if len(touched) > 0 {
		slices.Sort(touched)
		l.changed(slices.Compact(touched), Change{Read: true})
	}
}

func (l *Live) setProblems(problems []sampstore.Problem) {
	l.mu.Lock()
	same := slices.Equal(l.problems, problems)
	l.problems = problems
	l.mu.Unlock()
	if !same {
		l.changed(nil, Change{Status: true})
	}
}

// changed increments the revision and calls [Config.Changed].
func (l *Live) changed(threads []uint32, c Change) {
	l.mu.Lock()
	l.revision++
	c.Revision = l.revision
	for _, t := range threads {
		if len(c.Threads) == maxChanged {
			c.Truncated = true
			break
		}
		c.Threads = append(c.Threads, l.idx.names.text(l.idx.threads[t].name))
	}
	l.mu.Unlock()
	l.cfg.Changed(c)
}
