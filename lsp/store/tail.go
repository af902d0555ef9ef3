package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/disk/follow"
	"github.com/signalbox-dev/signalbox/lsp/disk/lineread"
)

// Tail follows all logs of a directory and returns each message once, as it arrives: in
// logs that grow, in logs that appear later, and in logs that were truncated, replaced or
// rewritten (rule C1). A directory that is removed or replaced is followed by its path. A
// Tail is for one goroutine, which closes it.
type Tail struct {
	path string
	// dir is the directory at path, or nil while there is none.
	dir  *Dir
	me   string
	p    samp.Profile
	seed maphash.Seed
	logs map[string]*followed
	// shown holds a hash of the content of every message that was returned: 8 bytes a
	// message.
	shown map[uint64]struct{}
	buf   *lineread.Reader
}

// followed is how far one log has been read.
type followed struct {
	info os.FileInfo
	// offset is the end of the last complete line. before holds the bytes that stood
	// before it: a log that no longer has them was rewritten, and did not only grow.
	offset int64
	before []byte
}

// beforeSize is how much of a log's read part is compared.
const beforeSize = 64

// NewTail returns a tail. me limits it to mail for one reader, and "" means every
// message. The first [Tail.Poll] returns what is there already. A caller that wants only
// new mail drops it.
func NewTail(path, me string, p samp.Profile) *Tail {
	return &Tail{
		path: path, me: me, p: p, seed: maphash.MakeSeed(),
		logs: make(map[string]*followed), shown: make(map[uint64]struct{}),
		buf: lineread.New(),
	}
}

// Close releases the directory.
func (t *Tail) Close() error {
	if t.dir == nil {
		return nil
	}
	err := t.dir.Close()
	t.dir = nil
	return err
}

// open makes dir the directory that stands at the path now.
func (t *Tail) open() error {
	if t.dir != nil {
		if t.dir.Current() {
			return nil
		}
		t.Close()
		clear(t.logs)
	}
	dir, err := Open(t.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	t.dir = dir
	return err
}

// Skip takes what is there now as returned, without reading it.
func (t *Tail) Skip() error {
	if err := t.open(); err != nil || t.dir == nil {
		return err
	}
	logs, _, err := t.dir.Logs()
	if err != nil {
		return err
	}
	for _, log := range logs {
		// What cannot be skipped is read when it can be, as a new log is.
		if at, err := t.end(log); err == nil {
			t.logs[log.Name] = at
		}
	}
	return nil
}

// maxUnfinished is how much of a log's end is searched for the end of its last whole line.
// Behind it nothing is a record that may be written.
const maxUnfinished = 4 << 20

// end returns the end of a log's last whole line.
func (t *Tail) end(log Log) (*followed, error) {
	f, err := t.dir.OpenRegular(log.Name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	size := log.Info.Size()
	at := &followed{info: log.Info, offset: size}
	for n := min(size, tailSize); n > 0; n = min(size, 8*n) {
		buf := make([]byte, n)
		if _, err := f.ReadAt(buf, size-n); err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		if i := bytes.LastIndexByte(buf, '\n'); i >= 0 {
			at.offset = size - n + int64(i) + 1
			break
		}
		if n == size {
			at.offset = 0
			break
		}
		if n > maxUnfinished {
			break
		}
	}
	at.before, err = readBefore(f, at.offset)
	return at, err
}

// Poll returns the messages that arrived since the last call, sorted as an inbox is. A
// record in somebody else's log without an original among what was shown is in Suspicious
// and not in Messages. A line is read once it has its line end.
func (t *Tail) Poll(ctx context.Context) (Mail, error) {
	if err := t.open(); err != nil || t.dir == nil {
		return Mail{Profile: t.p}, err
	}
	logs, problems, err := t.dir.Logs()
	if err != nil {
		return Mail{}, err
	}
	m := Mail{Profile: t.p, Problems: problems}
	listed := make(map[string]bool, len(logs))
	var found []samp.Found
	for rank, log := range logs {
		listed[log.Name] = true
		more, bad, err := t.grow(ctx, rank, log)
		if err != nil {
			m.Problems = append(m.Problems, unreadable(log, err))
		}
		m.bad(log.Name, bad)
		found = append(found, more...)
	}
	for name := range t.logs {
		if !listed[name] {
			delete(t.logs, name)
		}
	}
	m.Inbox = samp.Gather(t.unseen(found))
	for i := range m.Suspicious {
		// It is returned once. A later original is a message of its own.
		t.shown[t.foreign(&m.Suspicious[i])] = struct{}{}
	}
	for i := range m.Messages {
		t.shown[ContentHash(t.seed, &m.Messages[i].Record)] = struct{}{}
	}
	return m, ctx.Err()
}

// foreign returns a hash of a misfiled record and its log.
func (t *Tail) foreign(f *samp.Found) uint64 {
	return maphash.Comparable(t.seed, struct {
		stem    string
		content samp.Content
	}{f.Stem, f.Content()})
}

func (t *Tail) unseen(found []samp.Found) []samp.Found {
	kept := found[:0]
	for i := range found {
		if _, known := t.shown[ContentHash(t.seed, &found[i].Record)]; known {
			continue
		}
		if found[i].Filing() == samp.Misfiled {
			if _, known := t.shown[t.foreign(&found[i])]; known {
				continue
			}
		}
		kept = append(kept, found[i])
	}
	return kept
}

// grow reads what is new in one log.
func (t *Tail) grow(ctx context.Context, rank int, log Log) (found []samp.Found, bad BadLines, err error) {
	was := t.logs[log.Name]
	if was != nil && os.SameFile(was.info, log.Info) && was.info.Size() == log.Info.Size() && was.info.ModTime().Equal(log.Info.ModTime()) {
		return nil, bad, nil
	}
	f, err := t.dir.OpenRegular(log.Name)
	if err != nil {
		return nil, bad, err
	}
	defer f.Close()
	now := &followed{info: log.Info}
	if was != nil && was.continues(f) {
		now.offset = was.offset
	}
	sieve := samp.NewSieve(t.me)
	if t.me == "" {
		sieve = samp.Everybody()
	}
	err = t.buf.Read(ctx, f, now.offset, 1<<62, lineread.Visitor{Line: func(offset int64, raw []byte, _ bool) {
		if raw[len(raw)-1] != '\n' {
			return
		}
		now.offset = offset + int64(len(raw))
		record, verdict := sieve.Read(raw, log.Stem, t.p)
		switch verdict {
		case samp.Mine:
			record.Rank, record.Offset = rank, offset
			found = append(found, record)
		case samp.Malformed:
			bad.add(offset)
		}
	}, Skipped: func(p lineread.Skipped) {
		if !p.Whole {
			return
		}
		now.offset = p.End
		bad.skipped(p)
	}})
	if err != nil {
		return nil, bad, err
	}
	now.before, err = readBefore(f, now.offset)
	if err == nil {
		t.logs[log.Name] = now
	}
	return found, bad, err
}

// continues reports whether the log still begins with what was read of it.
func (l *followed) continues(f *os.File) bool {
	info, err := f.Stat()
	if err != nil || !os.SameFile(l.info, info) || info.Size() < l.offset {
		return false
	}
	before, err := readBefore(f, l.offset)
	return err == nil && bytes.Equal(before, l.before)
}

func readBefore(f *os.File, offset int64) ([]byte, error) {
	buf := make([]byte, min(offset, beforeSize))
	n, err := f.ReadAt(buf, offset-int64(len(buf)))
	if n == len(buf) || errors.Is(err, io.EOF) {
		err = nil
	}
	return buf[:n], err
}

// Follow calls show with what is new until ctx ends or show fails. It looks when the
// system says that a file has changed, and in any case once per every, since file
// systems of networks and containers say nothing.
func (t *Tail) Follow(ctx context.Context, every time.Duration, show func(Mail) error) error {
	s := &tailing{Tail: t, show: show, failed: make(chan error, 1)}
	f := follow.Start(follow.Config{Path: t.path, What: "messages", Poll: every}, s)
	defer f.Close()
	select {
	case <-ctx.Done():
		return nil
	case err := <-s.failed:
		if ctx.Err() != nil {
			return nil
		}
		return fmt.Errorf("store: follow %q: %w", t.path, err)
	}
}

// tailing is what the follower of a [Tail] looks at.
type tailing struct {
	*Tail
	show func(Mail) error
	// failed gets the first error, after which nothing is shown.
	failed chan error
	ended  bool
}

// Look shows what is new.
func (s *tailing) Look(ctx context.Context, _ follow.Todo) (r follow.Looked) {
	if s.ended {
		return r
	}
	was, start := s.dir, time.Now()
	m, err := s.Poll(ctx)
	if err == nil {
		err = s.show(m)
	}
	if err != nil && ctx.Err() == nil {
		s.ended = true
		s.failed <- err
	}
	// The caller chose how often to look, and show may wait for its reader.
	r.Folders, r.Aside = s.dir != was, time.Since(start)
	return r
}

// Folders returns the directory itself, if it is there.
func (s *tailing) Folders() []string {
	if s.dir == nil {
		return nil
	}
	return []string{""}
}

// Heeds reports that every file may be a log.
func (s *tailing) Heeds(string, fsnotify.Op) bool { return true }

// Watched does nothing: what is not reported is polled.
func (s *tailing) Watched(follow.Watched) {}
