package samp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"io/fs"
	"os"
	"slices"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/disk/follow"
)

// Tail follows all logs of a directory and returns each message once, when it arrives: in
// logs that grow, in logs that appear later, and in logs that were truncated, replaced or
// rewritten (rule C1). If the directory is removed or replaced, the Tail follows the next one
// at its path. A Tail is for one goroutine, which closes it.
type Tail struct {
	path string
	// dir is the directory at path, or nil while there is none.
	dir  *Dir
	me   string
	p    samp.Profile
	seed maphash.Seed
	logs map[string]*readPosition
	// shown holds a hash of the content of every message that was returned: 8 bytes a
	// message.
	shown map[uint64]struct{}
}

// readPosition is how far one log has been read.
type readPosition struct {
	info os.FileInfo
	// offset is the end of the last complete line. before holds the bytes before it: a log
	// with other bytes there was rewritten, and did not only grow.
	offset int64
	before []byte
}

// beforeSize is how many bytes before an offset are compared.
const beforeSize = 64

// NewTail returns a tail. me limits it to mail for one reader, and "" means every message. The
// first [Tail.Poll] returns the existing mail. A caller that wants only new mail ignores it, or calls [Tail.Skip] before.
func NewTail(path, me string, p samp.Profile) *Tail {
	return &Tail{
		path: path, me: me, p: p, seed: maphash.MakeSeed(),
		logs: make(map[string]*readPosition), shown: make(map[uint64]struct{}),
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

// open sets dir to the directory that is at the path now.
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

// Skip marks all existing mail as returned, without reading it.
func (t *Tail) Skip() error {
	if err := t.open(); err != nil || t.dir == nil {
		return err
	}
	logs, _, err := t.dir.Logs()
	if err != nil {
		return err
	}
	for _, log := range logs {
		// A log that cannot be opened now will be read later, like a new log.
		if at, err := t.lastLineEnd(log); err == nil {
			t.logs[log.Name] = at
		}
	}
	return nil
}

// maxUnfinished is how many bytes at a log's end are searched for the end of its last whole
// line. A longer unfinished line cannot become a record.
const maxUnfinished = 4 << 20

// lastLineEnd returns the position at the end of a log's last whole line.
func (t *Tail) lastLineEnd(log Log) (*readPosition, error) {
	f, err := t.dir.OpenRegular(log.Name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	size := log.Info.Size()
	at := &readPosition{info: log.Info, offset: size}
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
	at.before = t.before(log.Name, at.offset)
	return at, nil
}

// Poll returns the messages that arrived since the last call, in the order of an inbox. A
// record in somebody else's log whose original was not returned is in Suspicious and not in
// Messages. A line is read once it has its line end.
func (t *Tail) Poll(ctx context.Context) (m Mail, err error) {
	if err := t.open(); err != nil || t.dir == nil {
		return Mail{Profile: t.p}, err
	}
	err = reread(func() error {
		m, err = t.poll(ctx)
		return err
	})
	return m, err
}

func (t *Tail) poll(ctx context.Context) (Mail, error) {
	l := Lines{dir: t.dir, me: t.me, seed: t.seed, following: true, pieces: []segment{}}
	if t.me == "" {
		l.wants = func(*samp.Found) bool { return true }
	}
	var err error
	l.Profile = t.p
	if l.logs, l.Problems, err = t.dir.Logs(); err != nil {
		return Mail{}, err
	}
	now := make(map[string]*readPosition, len(l.logs))
	for i, log := range l.logs {
		from, changed := t.changedFrom(log)
		if changed {
			l.pieces = append(l.pieces, segment{i, from, 1 << 62})
		}
		if was := t.logs[log.Name]; was != nil {
			now[log.Name] = was
		}
	}
	before := len(l.Problems)
	if err := l.find(ctx); err != nil {
		return Mail{}, err
	}
	for _, p := range l.pieces {
		log := l.logs[p.log]
		if !slices.ContainsFunc(l.Problems[before:], func(p Problem) bool { return p.File == log.Name }) {
			now[log.Name] = &readPosition{log.Info, p.to, t.before(log.Name, p.to)}
		}
	}
	l.locations = slices.DeleteFunc(l.locations, func(s location) bool { return t.wasShown(&l, &s) })
	forged := l.deduplicate()
	m, err := l.mail(ctx, forged)
	if err != nil {
		return Mail{}, err
	}
	for i := range l.locations {
		t.shown[l.locations[i].text] = struct{}{}
	}
	for i := range forged {
		// The record is returned once. An original that arrives later is another message.
		t.shown[t.foreignHash(&l, &forged[i])] = struct{}{}
	}
	t.logs = now
	return m, nil
}

// wasShown reports whether a record was shown.
func (t *Tail) wasShown(l *Lines, s *location) bool {
	_, shown := t.shown[s.text]
	if !shown && s.provenance() == samp.Foreign {
		_, shown = t.shown[t.foreignHash(l, s)]
	}
	return shown
}

// foreignHash returns a hash of a record in somebody else's log, and of that log.
func (t *Tail) foreignHash(l *Lines, s *location) uint64 {
	return maphash.Comparable(t.seed, struct {
		stem    string
		content uint64
	}{l.logs[s.log()].Stem, s.text})
}

// changedFrom reports whether a log has changed since it was read, and the offset from which
// to read it.
func (t *Tail) changedFrom(log Log) (from int64, changed bool) {
	was := t.logs[log.Name]
	if was == nil || !os.SameFile(was.info, log.Info) {
		return 0, true
	}
	if stateOf(was.info, nil) == stateOf(log.Info, nil) {
		return 0, false
	}
	if log.Info.Size() >= was.offset && bytes.Equal(t.before(log.Name, was.offset), was.before) {
		from = was.offset
	}
	return from, true
}

// before returns up to [beforeSize] bytes before an offset of a log, or nil if the log cannot
// be opened.
func (t *Tail) before(name string, offset int64) []byte {
	f, err := t.dir.OpenRegular(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	buf := make([]byte, min(offset, beforeSize))
	n, _ := f.ReadAt(buf, offset-int64(len(buf)))
	return buf[:n]
}

// Follow calls show with new mail until ctx ends or show fails. It polls when the system
// reports a changed file, and also at the interval every, since file systems of networks and
// containers report nothing.
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

// tailing polls a [Tail] for a follower, and passes new mail to show.
type tailing struct {
	*Tail
	show func(Mail) error
	// failed receives the first error. Nothing is shown after it.
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
	r.Folders, r.Excluded = s.dir != was, time.Since(start)
	return r
}

// Folders returns the directory itself, if it is there.
func (s *tailing) Folders() []string {
	if s.dir == nil {
		return nil
	}
	return []string{""}
}

// Wants reports that every file may be a log.
func (s *tailing) Wants(string, fsnotify.Op) bool { return true }

// Watched does nothing: what is not reported is polled.
func (s *tailing) Watched(follow.Watched) {}
