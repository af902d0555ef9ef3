package panel

import (
	"iter"
	"maps"
	"sync"
	"time"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/lsp/panel/shelf"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
)

// Shelf holds the threads that the user archived, snoozed or dismissed, at the moment Now in Unix
// milliseconds.
type Shelf struct {
	*shelf.Snapshot
	Now   int64
	parts map[shelfStore]*ShelfPart
}

// ShelfCache caches the parts of the newest snapshot. The zero value is empty.
type ShelfCache struct {
	mu    sync.Mutex
	of    *shelf.Snapshot
	parts map[shelfStore]*ShelfPart
}

// shelfStore identifies a store and the owner who put threads of it away.
type shelfStore struct {
	protocol     mail.Protocol
	store, owner string
}

// ShelfPart holds the threads that one owner put away in one store: by name, or by digest if a
// name is too long for a ref.
type ShelfPart struct {
	names, digests map[string]shelf.Entry
}

// At returns the shelf of a snapshot at a moment.
func (c *ShelfCache) At(snapshot *shelf.Snapshot, now int64) *Shelf {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.of != snapshot {
		c.of, c.parts = snapshot, shelfParts(snapshot)
	}
	return &Shelf{snapshot, now, c.parts}
}

// shelfParts groups the entries of a snapshot by store and owner, so that a list finds each of its
// threads by name.
func shelfParts(snap *shelf.Snapshot) map[shelfStore]*ShelfPart {
	parts := make(map[shelfStore]*ShelfPart)
	for k, e := range snap.Entries {
		at := shelfStore{k.Ref.Protocol, k.Ref.Store, k.Owner}
		if parts[at] == nil {
			parts[at] = &ShelfPart{names: map[string]shelf.Entry{}, digests: map[string]shelf.Entry{}}
		}
		if name, ok := k.Ref.Thread(); ok {
			parts[at].names[name] = e
		} else if digest, ok := k.Ref.ThreadDigest(); ok {
			parts[at].digests[digest] = e
		}
	}
	return parts
}

// Part returns the threads that an owner put away in one store of a format. The owner is the
// reader as the format names readers, or "" if threads are not mail. Part returns nil if nothing
// is put away. All methods of a nil part work.
func (s *Shelf) Part(p mail.Protocol, store, owner string) *ShelfPart {
	return s.parts[shelfStore{p, store, owner}]
}

// entry returns the entry under a name. It is zero if there is none, or the part is
// nil.
func (s *ShelfPart) entry(name string) shelf.Entry {
	switch {
	case s == nil:
		return shelf.Entry{}
	case len(name) > mail.MaxName:
		return s.digests[mail.Digest(name)]
	}
	return s.names[name]
}

// Shelved is the state of a thread on the shelf: until when it is snoozed, and whether the
// user said that it needs no reply.
type Shelved struct {
	shelf.State
	Until     int64
	Dismissed bool
	// Seen is when the user said so, or last looked at an agent's thread.
	Seen int64
}

// Quiet reports whether a thread does not need the user, whoever wrote last.
func (s Shelved) Quiet() bool { return s.Hidden() || s.Dismissed && s.State != shelf.Due }

// At returns the state of a thread. It depends on the thread's messages to the owner, which are
// read only if the thread was put away.
func (s *ShelfPart) At(name string, mail shelf.Mail, now int64) Shelved {
	e := s.entry(name)
	return Shelved{e.State(mail, now), e.Until, e.Dismissed(mail), e.NoReply}
}

// All returns the entries by the names of their threads. Threads with a name too long
// for a ref are left out.
func (s *ShelfPart) All() iter.Seq2[string, shelf.Entry] {
	if s == nil {
		return func(func(string, shelf.Entry) bool) {}
	}
	return maps.All(s.names)
}

// Due returns how many threads may have come back by now.
func (s *ShelfPart) Due(now int64) int {
	count := 0
	if s != nil {
		for _, list := range []map[string]shelf.Entry{s.names, s.digests} {
			for _, e := range list {
				if e.Until != 0 && e.Until <= now {
					count++
				}
			}
		}
	}
	return count
}

// Names returns the names of all threads that were put away. It is never nil. longName
// returns a name too long for a ref by its digest. A name that it does not know is left
// out.
func (s *ShelfPart) Names(longName func(digest string) (name string, ok bool)) []string {
	names := []string{}
	if s == nil {
		return names
	}
	for name := range s.names {
		names = append(names, name)
	}
	for digest := range s.digests {
		if name, ok := longName(digest); ok {
			names = append(names, name)
		}
	}
	return names
}

// Problems returns a warning if the file of the shelf cannot be read, and nothing
// otherwise.
func (s *Shelf) Problems() []Warning {
	if s.Err == nil {
		return nil
	}
	return []Warning{{Rule: "shelf", Message: show.Line("archived and snoozed threads are shown as they were last known, and none can be put away: " +
		s.Err.Error() + "; repair the file, or move it away")}}
}

// NeedsReplyFor is how long a message to the user needs a reply if it is the last word of
// its thread and asks nothing. Without this limit every message that a user ever read would need
// one. A question needs an answer however old it is.
const NeedsReplyFor = 14 * 24 * time.Hour

// ReplySince returns the time since which a last message needs a reply, in Unix milliseconds:
// [NeedsReplyFor] ago, rounded down to the hour, so that counts stay the same for a while.
func (s *Shelf) ReplySince() int64 {
	return time.UnixMilli(s.Now).Add(-NeedsReplyFor).Truncate(time.Hour).UnixMilli()
}
