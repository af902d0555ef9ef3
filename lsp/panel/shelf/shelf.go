// Package shelf stores which threads a user archived, snoozed until later, or marked as needing no
// reply. This is the user's own state, in one file outside of every message directory. The threads
// themselves are never changed.
//
// Start with [Open]. The package depends on lsp/disk and lsp/disk/statefile.
package shelf

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"path/filepath"
	"time"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/lsp/disk"
	"github.com/signalbox-dev/signalbox/lsp/disk/statefile"
)

// Key identifies a thread that somebody put away. Owner is the reader who put it away, as the
// format names readers (an alias, a mailbox). It is empty if the thread is not mail.
type Key struct {
	Ref   mail.Ref
	Owner string
}

// Entry is one thread that was put away. At least one of the times is set, in Unix
// milliseconds. Archived and Until exclude each other.
type Entry struct {
	// Archived is when it was archived.
	Archived int64
	// Until is when a snoozed thread comes back.
	Until int64
	// NoReply is when the user marked it as needing no reply. The thread stays in the inbox.
	NoReply int64
	// Mail is the number of messages to the owner when it was put away. Known are the digests
	// of the newest, sorted, 8 bytes each. A message that was not there brings the thread back.
	// Neither a count nor a time is enough: messages go when their log is removed, senders'
	// clocks differ, and a sync tool may bring old messages late. Entries of older versions have
	// no digests, and then only the count is compared.
	Mail  int
	Known string
}

// State is where a thread is.
type State uint8

// The states of a thread. A thread that is Due was snoozed, came back because its time
// passed, and was not looked at since.
const (
	InInbox State = iota
	Archived
	Snoozed
	Due
)

// Hidden reports whether the inbox hides a thread in this state.
func (s State) Hidden() bool { return s == Archived || s == Snoozed }

// State returns the state of the thread at a time in Unix milliseconds. A new message to the owner
// brings it back into the inbox.
func (e Entry) State(mail Mail, now int64) State {
	switch {
	case e == Entry{} || e.HasNew(mail):
		return InInbox
	case e.Archived != 0:
		return Archived
	case e.Until > now:
		return Snoozed
	case e.Until != 0:
		return Due
	}
	return InInbox
}

// Dismissed reports whether the user marked a thread as needing no reply, and it has no new message
// to the owner.
func (e Entry) Dismissed(mail Mail) bool { return e.NoReply != 0 && !e.HasNew(mail) }

// Snapshot holds the threads that are put away at one moment. It never changes.
type Snapshot struct {
	Entries map[Key]Entry
	// Revision grows with every change of the file, whoever made it.
	Revision int64
	// Err is why the file cannot be read now, or nil. The entries are then older, and nothing
	// is written until the file is repaired or removed.
	Err error
}

// Next returns when the next snoozed thread comes back after now, in Unix milliseconds,
// or 0 if none does.
func (s *Snapshot) Next(now int64) int64 {
	next := int64(0)
	for _, e := range s.Entries {
		if e.Until > now && (next == 0 || e.Until < next) {
			next = e.Until
		}
	}
	return next
}

// Config configures a [Shelf].
type Config struct {
	// Path is the file, which need not exist yet.
	Path string
	// Poll is how often the file is checked for changes by other windows. 0 means 2 s.
	Poll   time.Duration
	Now    func() time.Time
	Logger *slog.Logger
	// Changed is called after another process changed the file, and when a snoozed
	// thread comes back. It is not called concurrently.
	Changed func()

	// disk is where the file is, for tests.
	disk disk.Disk
}

// Path returns the path of the file in a state folder.
func Path(stateDir string) string { return filepath.Join(stateDir, "shelf.json") }

// Shelf follows the file. It is safe for concurrent use. One goroutine, ended by
// [Shelf.Close], watches the clock and the file.
type Shelf struct {
	cfg    Config
	cancel context.CancelFunc
	done   chan struct{}
	kick   chan struct{}

	file      *statefile.File // its lock guards what follows
	now       *Snapshot
	announced int64 // the newest revision that Changed need not be called for
}

// Open starts following a file.
func Open(cfg Config) *Shelf {
	if cfg.Poll == 0 {
		cfg.Poll = 2 * time.Second
	}
	ctx, cancel := context.WithCancel(context.Background())
	s := &Shelf{
		cfg: cfg, cancel: cancel, done: make(chan struct{}), kick: make(chan struct{}, 1), now: &Snapshot{Entries: map[Key]Entry{}},
	}
	s.file = statefile.At(statefile.Config{Path: cfg.Path, What: "shelf:", Limit: maxFile, Take: s.load})
	s.file.Disk = cfg.disk
	s.announced = s.Snapshot().Revision
	go func() {
		defer close(s.done)
		s.follow(ctx)
	}()
	return s
}

// Close stops following and waits until the goroutine has ended.
func (s *Shelf) Close() {
	s.cancel()
	<-s.done
}

// Snapshot reads the file if it changed, and returns the threads that are put away now.
func (s *Shelf) Snapshot() *Snapshot {
	s.refresh()
	s.file.Lock()
	defer s.file.Unlock()
	return s.now
}

// follow announces changes and threads that come back, until the context ends.
func (s *Shelf) follow(ctx context.Context) {
	since := s.cfg.Now().UnixMilli()
	for {
		now := s.cfg.Now().UnixMilli()
		s.refresh()
		s.file.Lock()
		snap, changed := s.now, s.now.Revision != s.announced
		s.announced = snap.Revision
		s.file.Unlock()
		if next := snap.Next(since); changed || next != 0 && next <= now {
			s.cfg.Changed()
		}
		since = now
		wait := s.cfg.Poll
		if next := snap.Next(now); next != 0 {
			wait = min(wait, time.Duration(next-now)*time.Millisecond)
		}
		timer := time.NewTimer(wait)
		select {
		case <-ctx.Done():
			timer.Stop()
			return
		case <-s.kick:
			timer.Stop()
		case <-timer.C:
		}
	}
}

// Put puts threads away and brings others back. After an error the file is as it was.
func (s *Shelf) Put(ctx context.Context, put map[Key]Entry, back []Key) error {
	err := s.change(ctx, func(entries map[Key]Entry) error {
		for _, k := range back {
			delete(entries, k)
		}
		maps.Copy(entries, put)
		if len(entries) > maxEntries {
			return fmt.Errorf("would hold %d threads, and %d is the limit", len(entries), maxEntries)
		}
		return nil
	})
	// The timer has to be set again for a thread that comes back soon.
	select {
	case s.kick <- struct{}{}:
	default:
	}
	return err
}
