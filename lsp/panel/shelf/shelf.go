// Package shelf keeps what a user put away: threads that they archived, threads that
// they want to see again later, and threads that need no reply. It is the user's own state, in one
// file outside every message directory. What others wrote is never changed.
//
// Start with [Open]. Of this project the package imports lsp/disk and lsp/disk/statefile.
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

// Key names a thread that somebody put away. Owner is the reader who put it away, as the
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
	// NoReply is when the user said that it needs no reply. The thread stays where it is.
	NoReply int64
	// Mail is the number of messages to the owner when it was put away, and Known what they
	// were: the digests of the newest, sorted, 8 bytes each. One that was not there brings
	// the thread back. Neither a count nor a time would do: messages go when their log is
	// removed, senders' clocks differ, and a sync tool may bring old messages late. An entry
	// from before digests were kept has none, and goes by the count.
	Mail  int
	Known string
}

// State says where a thread is.
type State uint8

// The states of a thread. A thread that is Due was snoozed, came back because its time
// passed, and was not looked at since.
const (
	Out State = iota
	Archived
	Snoozed
	Due
)

// Hidden reports whether a thread in this state is kept out of the inbox.
func (s State) Hidden() bool { return s == Archived || s == Snoozed }

// State returns the state of the thread at a time in Unix milliseconds, by its messages to
// the owner.
func (e Entry) State(mail Mail, now int64) State {
	switch {
	case e == Entry{} || e.Outgrown(mail):
		return Out
	case e.Archived != 0:
		return Archived
	case e.Until > now:
		return Snoozed
	case e.Until != 0:
		return Due
	}
	return Out
}

// Dismissed reports whether the user said that a thread needs no reply, and it has no new
// message to the owner.
func (e Entry) Dismissed(mail Mail) bool { return e.NoReply != 0 && !e.Outgrown(mail) }

// Snapshot is what is put away at one moment. It never changes.
type Snapshot struct {
	Entries map[Key]Entry
	// Revision grows with every change that was seen, whoever made it.
	Revision int64
	// Err is why the file cannot be read as it is now, or nil. What was read before
	// still counts, and nothing is written until the file is repaired or removed.
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

// Config says where the file is and who is told of changes.
type Config struct {
	// Path of the file. It need not exist yet.
	Path string
	// Poll is how often the file is looked at: other windows write it too. 0 means
	// 2 s.
	Poll   time.Duration
	Now    func() time.Time
	Logger *slog.Logger
	// Changed is called after another process changed the file, and when a snoozed
	// thread comes back. It is not called concurrently.
	Changed func()

	// disk is where the file lies, for tests.
	disk disk.Disk
}

// Path is the file of a state folder.
func Path(stateDir string) string { return filepath.Join(stateDir, "shelf.json") }

// Shelf follows the file. It is safe for concurrent use. One goroutine, ended by
// [Shelf.Close], watches the clock and the file.
type Shelf struct {
	cfg    Config
	cancel context.CancelFunc
	done   chan struct{}
	kick   chan struct{}

	file *statefile.File // its lock guards what follows
	now  *Snapshot
	told int64 // the revision that everybody knows of
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
	s.file = statefile.At(statefile.Config{Path: cfg.Path, What: "shelf:", Limit: maxFile, Take: s.take})
	s.file.Disk = cfg.disk
	s.told = s.Snapshot().Revision
	go func() {
		defer close(s.done)
		s.keep(ctx)
	}()
	return s
}

// Close ends the following and waits for it.
func (s *Shelf) Close() {
	s.cancel()
	<-s.done
}

// Snapshot returns what is put away now, as the file has it.
func (s *Shelf) Snapshot() *Snapshot {
	s.look()
	s.file.Lock()
	defer s.file.Unlock()
	return s.now
}

// keep reports changes and threads that come back.
func (s *Shelf) keep(ctx context.Context) {
	since := s.cfg.Now().UnixMilli()
	for {
		now := s.cfg.Now().UnixMilli()
		s.look()
		s.file.Lock()
		snap, news := s.now, s.now.Revision != s.told
		s.told = snap.Revision
		s.file.Unlock()
		if next := snap.Next(since); news || next != 0 && next <= now {
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

// Put puts threads away and takes others back. After an error the file is as it was.
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
