package threads

import (
	"context"
	"errors"
	"hash/maphash"
	"io"
	"path"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/lsp/store/jsonl"
	"github.com/signalbox-dev/signalbox/lsp/store/tree"
)

const (
	// MaxFind is the number of bytes of logs that one search reads. What was
	// read is known to the next one.
	MaxFind = 256 << 20
	// maxIDs is the number of ids that are remembered, eight bytes each. Logs
	// beyond it are read again by every search.
	maxIDs = 4 << 20
)

// Hit is a message that was found by its id.
type Hit struct {
	Key
	// Message is its id.
	Message string
}

// Found is what a search for a message gave.
type Found struct {
	// Hits are the threads that hold it, the newest first: a fork begins with
	// its parent's messages.
	Hits []Hit
	// Partly is set where not all threads could be searched: there was more to
	// read than [MaxFind], and the next search goes on, or a log could not be
	// read.
	Partly bool
}

// Finder tells which threads hold a message. It remembers the ids of the logs
// that it read, and reads of a log that grew the new end alone. Its methods may
// be called from everywhere; one search runs at a time.
type Finder struct {
	turn chan struct{} // holds one token; whoever has it may use the rest
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

// NewFinder makes a Finder that knows nothing yet.
func NewFinder() *Finder {
	f := &Finder{turn: make(chan struct{}, 1), seed: maphash.MakeSeed(), logs: make(map[Key]*idList), limit: maxIDs, budget: MaxFind}
	f.turn <- struct{}{}
	return f
}

// FindMessage tells which threads hold a message with an id, as [Finder.Find]
// does.
func (l *Live) FindMessage(ctx context.Context, id string) (Found, error) {
	return l.finder.Find(ctx, l.Snapshot(), id)
}

// Find searches the threads of a snapshot for a message, the newest first. It
// reads logs as far as it does not know them, at most [MaxFind] bytes. The error
// is the one of ctx; what was found before it is returned too.
func (f *Finder) Find(ctx context.Context, s *Snapshot, id string) (Found, error) {
	var found Found
	if id == "" {
		return found, nil
	}
	select {
	case <-f.turn:
		defer func() { f.turn <- struct{}{} }()
	case <-ctx.Done():
		return found, ctx.Err()
	}
	for _, list := range f.logs {
		list.seen = false
	}
	search := search{f: f, hash: maphash.String(f.seed, id), left: f.budget, dirs: openDirs{}}
	defer search.dirs.close()
	for _, item := range s.Items {
		if err := ctx.Err(); err != nil {
			return found, err
		}
		if refused(item.Fault) {
			continue
		}
		k := Key{item.Folder, item.Name}
		holds, err := search.thread(ctx, s, item)
		switch {
		case errors.Is(err, ErrNotFound):
			// It has no messages, or they are gone with their worktree.
		case err != nil:
			found.Partly = true
		}
		if holds {
			found.Hits = append(found.Hits, Hit{k, id})
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

// search is one call of Find.
type search struct {
	f    *Finder
	hash uint64
	left int64 // bytes that may be read
	dirs openDirs
}

// errSpent reports that a log was not read to its end.
var errSpent = errors.New("threads: too much to read in one search")

// thread reports whether a thread holds the message.
func (s *search) thread(ctx context.Context, snap *Snapshot, item *Item) (bool, error) {
	threads, err := s.dirs.threads(snap, item)
	if err != nil {
		return false, err
	}
	at := path.Join(item.Name, atsf.MessagesName)
	info, err := threads.Lstat(at)
	if err != nil {
		return false, ErrNotFound
	}
	k := Key{item.Folder, item.Name}
	now := tree.StampOf(info)
	list := s.f.logs[k]
	if list == nil {
		list = &idList{}
		s.f.logs[k] = list
	}
	list.seen = true
	if list.stamp == now {
		return list.has(s.hash), nil
	}
	log, info, err := openFile(threads, at)
	if err != nil {
		return false, err
	}
	defer log.Close()
	if !list.continues(log, tree.StampOf(info), s.f.seed) {
		s.f.held -= len(list.ids)
		list.end, list.ids = 0, nil
	}
	holds, whole, err := s.read(ctx, log, info.Size(), list)
	list.stamp = tree.Stamp{}
	if err == nil && whole {
		list.stamp = tree.StampOf(info)
	}
	return holds || list.has(s.hash), err
}

func (l *idList) has(hash uint64) bool {
	for _, h := range l.ids {
		if h == hash {
			return true
		}
	}
	return false
}

// continues reports whether a log is the one that was read, with more at its
// end.
func (l *idList) continues(r io.ReaderAt, now tree.Stamp, seed maphash.Seed) bool {
	return l.end > 0 && now.Size >= l.end && tailOf(r, l.end, seed) == l.tail
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
// remembered; whole tells that all could.
func (s *search) read(ctx context.Context, r io.ReaderAt, size int64, list *idList) (holds, whole bool, err error) {
	end, err := jsonl.End(ctx, r, size)
	if err != nil {
		return false, false, err
	}
	lines := jsonl.Forward{R: r, At: list.end, End: end}
	whole = true
	for {
		at := lines.At
		if s.left <= 0 && at < end {
			err = errSpent
			break
		}
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
		if whole && s.f.held < s.f.limit {
			list.ids = append(list.ids, hash)
			s.f.held++
		} else if whole {
			// From here on the log is read again each time.
			whole, list.end = false, at
		}
	}
	if whole {
		list.end = lines.At
	}
	list.tail = tailOf(r, list.end, s.f.seed)
	if errors.Is(err, jsonl.ErrEnd) {
		err = nil
	}
	return holds, whole, err
}
