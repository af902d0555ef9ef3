package threads

import (
	"context"
	"hash/maphash"
	"io"
	"path"
	"slices"
	"sync"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/lsp/disk/jsonl"
	"github.com/signalbox-dev/signalbox/lsp/disk/tree"
)

const (
	// MaxFind is the number of bytes of logs that one search reads. What was
	// read is known to the next one.
	MaxFind = 256 << 20
	// maxIDs is the number of ids that are remembered, eight bytes each. Logs
	// beyond it are read again by every search.
	maxIDs = 4 << 20
)

// finder tells which threads hold a message. It remembers the ids of the logs
// that it read, and reads of a log that grew the new end alone.
type finder struct {
	mu   sync.Mutex // guards what follows: one search runs at a time
	seed maphash.Seed
	logs map[Key]*idList
	held int
	// limit and budget are maxIDs and MaxFind; tests have smaller ones.
	limit  int
	budget int64
}

// idList is what is remembered of one log.
type idList struct {
	stamp tree.Stamp
	// end is how far the log was read, and tail the digest of what stands
	// before it, by which a log that was rewritten is noticed.
	end  int64
	tail uint64
	ids  []uint64
	seen bool // in the search that runs
}

func newFinder() *finder {
	return &finder{seed: maphash.MakeSeed(), logs: make(map[Key]*idList), limit: maxIDs, budget: MaxFind}
}

// FindMessage returns the threads of a snapshot that hold a message with an id,
// the newest first: a fork begins with its parent's messages. It reads logs as far
// as it does not know them, at most [MaxFind] bytes; the next search goes on. The
// error is the one of ctx.
func (l *Live) FindMessage(ctx context.Context, s *Snapshot, id string) ([]*Item, error) {
	return l.finder.find(ctx, s, id)
}

func (f *finder) find(ctx context.Context, s *Snapshot, id string) (found []*Item, err error) {
	if id == "" {
		return nil, nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, list := range f.logs {
		list.seen = false
	}
	search := search{f: f, hash: maphash.String(f.seed, id), left: f.budget, dirs: openDirs{}}
	defer search.dirs.close()
	for _, item := range s.Items {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if !refused(item.Fault) && search.thread(ctx, s, item) {
			found = append(found, item)
		}
	}
	for k, list := range f.logs {
		if !list.seen {
			f.held -= len(list.ids)
			delete(f.logs, k)
		}
	}
	return found, ctx.Err()
}

// search is one search of several logs.
type search struct {
	f    *finder
	hash uint64
	left int64 // bytes that may be read
	dirs openDirs
}

// thread reports whether a thread holds the message, as far as it can be read.
func (s *search) thread(ctx context.Context, snap *Snapshot, item *Item) bool {
	threads, err := s.dirs.threads(snap, item)
	if err != nil {
		return false
	}
	at := path.Join(item.Name, atsf.MessagesName)
	info, err := threads.Lstat(at)
	if err != nil {
		return false // it has no messages, or they are gone with their worktree
	}
	k := Key{item.Folder, item.Name}
	list := s.f.logs[k]
	if list == nil {
		list = &idList{}
		s.f.logs[k] = list
	}
	list.seen = true
	if list.stamp == tree.StampOf(info) {
		return slices.Contains(list.ids, s.hash)
	}
	log, info, err := openFile(threads, at)
	if err != nil {
		return false
	}
	defer log.Close()
	if !list.continues(log, info.Size(), s.f.seed) {
		s.f.held -= len(list.ids)
		list.end, list.ids = 0, nil
	}
	holds, whole := s.read(ctx, log, info.Size(), list)
	list.stamp = tree.Stamp{}
	if whole {
		list.stamp = tree.StampOf(info)
	}
	return holds || slices.Contains(list.ids, s.hash)
}

// continues reports whether a log is the one that was read, with more at its
// end.
func (l *idList) continues(r io.ReaderAt, size int64, seed maphash.Seed) bool {
	return l.end > 0 && size >= l.end && tailOf(r, l.end, seed) == l.tail
}

// tailOf returns the digest of what stands before a place.
func tailOf(r io.ReaderAt, end int64, seed maphash.Seed) uint64 {
	buf := make([]byte, min(end, keyed))
	if jsonl.ReadFull(r, buf, end-int64(len(buf))) != nil {
		return 0
	}
	return maphash.Bytes(seed, buf)
}

// read reads the ids that are not known yet. holds is for ids that could not be
// remembered; whole tells that all were read and could.
func (s *search) read(ctx context.Context, r io.ReaderAt, size int64, list *idList) (holds, whole bool) {
	end, err := jsonl.End(ctx, r, size)
	if err != nil {
		return false, false
	}
	lines := jsonl.Forward{R: r, At: list.end, End: end}
	room := true
	for s.left > 0 {
		at := lines.At
		var l jsonl.Line
		if l, err = lines.Next(ctx); err != nil {
			break
		}
		s.left -= l.Size + 1
		id, ok := lineID(l.Raw)
		if !ok {
			continue
		}
		hash := maphash.String(s.f.seed, id)
		holds = holds || hash == s.hash
		if room && s.f.held < s.f.limit {
			list.ids = append(list.ids, hash)
			s.f.held++
		} else if room {
			// From here on the log is read again each time.
			room, list.end = false, at
		}
	}
	if room {
		list.end = lines.At
	}
	list.tail = tailOf(r, list.end, s.f.seed)
	return holds, room && list.end == end
}
