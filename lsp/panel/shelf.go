package panel

import (
	"context"
	"errors"
	"io/fs"
	"iter"
	"maps"
	"sync"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/lsp/store/mailbox"
	"github.com/signalbox-dev/signalbox/lsp/store/shelf"
)

// Shelf is what the user put away, at the moment Now in Unix milliseconds.
type Shelf struct {
	*shelf.Snapshot
	Now   int64
	parts map[shelfStore]*ShelfPart
}

// shelfCache holds the parts of the newest snapshot.
type shelfCache struct {
	sync.Mutex
	of    *shelf.Snapshot
	parts map[shelfStore]*ShelfPart
}

// shelfStore is a directory in which threads were put away, and for whom.
type shelfStore struct {
	protocol     mail.Protocol
	store, owner string
}

// ShelfPart is what was put away of one directory, by name, and by digest where a
// name is too long for a ref.
type ShelfPart struct {
	names, digests map[string]shelf.Entry
}

// openShelf follows what the user put away.
func (p *Panels) openShelf() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.shelf = shelf.Open(shelf.Config{
		Path: shelf.Path(p.opt.Env.StateDir()), Now: p.opt.Now, Logger: p.opt.Log, Changed: p.shelfChanged,
	})
}

// shelfChanged has the client fetch again what it shows.
func (p *Panels) shelfChanged() { p.announce(SourceChange{Kinds: []string{"read"}, Truncated: true}) }

// shelfNow gives what is put away now.
func (p *Panels) shelfNow() *Shelf {
	p.mu.RLock()
	on := p.shelf
	p.mu.RUnlock()
	now := &Shelf{Snapshot: &shelf.Snapshot{}, Now: p.now()}
	if on == nil {
		return now
	}
	now.Snapshot = on.Snapshot()
	p.shelved.Lock()
	defer p.shelved.Unlock()
	if p.shelved.of != now.Snapshot {
		p.shelved.of, p.shelved.parts = now.Snapshot, shelfParts(now.Snapshot)
	}
	now.parts = p.shelved.parts
	return now
}

// shelfParts sorts what is put away by directory, so that a list looks up each of
// its threads by name alone.
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

// Part returns what the owner put away of one store of a format: the reader in the
// words of the format, or "" where threads are nobody's mail. It is nil where that is
// nothing, and all methods take nil.
func (s *Shelf) Part(p mail.Protocol, store, owner string) *ShelfPart {
	return s.parts[shelfStore{p, store, owner}]
}

// entry gives what was put away under a name. A nil part holds nothing.
func (s *ShelfPart) entry(name string) shelf.Entry {
	switch {
	case s == nil:
		return shelf.Entry{}
	case len(name) > mail.MaxName:
		return s.digests[mail.Digest(name)]
	}
	return s.names[name]
}

// Shelved is where a thread is, and until when it stays there.
type Shelved struct {
	shelf.State
	Until int64
}

// At returns where a thread is that holds so many messages to its owner.
func (s *ShelfPart) At(name string, mail int, now int64) Shelved {
	e := s.entry(name)
	return Shelved{e.State(mail, now), e.Until}
}

// All walks what was put away, by the names of the threads. Those with a name that
// is too long for a ref are left out.
func (s *ShelfPart) All() iter.Seq2[string, shelf.Entry] {
	if s == nil {
		return func(func(string, shelf.Entry) bool) {}
	}
	return maps.All(s.names)
}

// Shown reports whether threads in a state are asked for.
func (f *InboxFilter) Shown(s shelf.State) bool {
	if f.Everywhere {
		return true
	}
	if f.Archived || f.Snoozed {
		return f.Archived && s == shelf.Archived || f.Snoozed && s == shelf.Snoozed
	}
	return !s.Hidden()
}

// Due counts the threads that may have come back.
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

// Names returns the names of all threads that were put away, never nil. A name that is
// too long for a ref is what longName knows by its digest.
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

// Tally is what threads add to counts: how many they are, their unread messages, and
// how many of them wait for the user.
type Tally struct{ Threads, Unread, Waiting int }

// With returns the sum of two tallies.
func (t Tally) With(o Tally) Tally {
	return Tally{t.Threads + o.Threads, t.Unread + o.Unread, t.Waiting + o.Waiting}
}

// less returns a tally without a part of it.
func (t Tally) less(o Tally) Tally {
	return Tally{t.Threads - o.Threads, t.Unread - o.Unread, t.Waiting - o.Waiting}
}

// Tallies are counts of the threads in the inbox and of those that were put away.
type Tallies struct{ Inbox, Archived, Snoozed Tally }

// Add counts a thread that is in a state. One that came back waits for the user
// although it may hold nothing unread.
func (t *Tallies) Add(s shelf.State, one Tally) {
	switch s {
	case shelf.Archived:
		t.Archived = t.Archived.With(one)
	case shelf.Snoozed:
		t.Snoozed = t.Snoozed.With(one)
	case shelf.Due:
		one.Waiting = 1
		t.Inbox = t.Inbox.With(one)
	case shelf.Out:
		t.Inbox = t.Inbox.With(one)
	}
}

// Move counts a thread as what it is that was counted in the inbox before.
func (t *Tallies) Move(s shelf.State, one Tally) {
	t.Inbox = t.Inbox.less(one)
	t.Add(s, one)
}

// Of returns the part of the counts that a filter asks for.
func (t *Tallies) Of(f *InboxFilter) (sum Tally) {
	for _, part := range []struct {
		state shelf.State
		Tally
	}{{shelf.Out, t.Inbox}, {shelf.Archived, t.Archived}, {shelf.Snoozed, t.Snoozed}} {
		if f.Shown(part.state) {
			sum = sum.With(part.Tally)
		}
	}
	return sum
}

// tallyMail counts the threads of signed mail.
func (n *mailNow) tallyMail() Tallies {
	if n.tallies != nil {
		return *n.tallies
	}
	n.tallies = &Tallies{}
	for _, t := range n.Threads {
		own := Tally{Threads: 1}
		if n.own.Mailbox != nil && n.own.Mailbox.Unread > 0 {
			own.Unread = n.unreadIn(t)
			own.Waiting = min(own.Unread, 1)
		}
		n.tallies.Add(n.shelvedAt(t).State, own)
	}
	return *n.tallies
}

// shelvedAt gives where a thread of signed mail is. What the user received of it may
// be archived in their mailbox, where other programs see it too.
func (n *mailNow) shelvedAt(t *mailbox.Thread) Shelved {
	if n.archived(t) {
		return Shelved{State: shelf.Archived}
	}
	if n.away == nil {
		return Shelved{}
	}
	return n.away.At(t.ID, n.mailIn(t), n.at)
}

// mailIn counts the messages of a thread that the user received.
func (n *mailNow) mailIn(t *mailbox.Thread) int {
	count := 0
	for i := range t.Messages {
		if n.received(&t.Messages[i]) != nil {
			count++
		}
	}
	return count
}

// boxName is for whom signed mail is put away.
func (n *mailNow) boxName() string {
	if n.own.Mailbox == nil {
		return ""
	}
	return n.own.Mailbox.Name
}

// tallyAll counts what waits in the inbox, over all formats.
func tallyAll(signed *mailNow, views []view) (all Counts) {
	total := signed.tallyMail().Inbox
	all = Counts{Unread: total.Unread, NeedsReply: total.Waiting}
	for _, v := range views {
		c := v.Counts()
		all.Unread, all.NeedsReply = all.Unread+c.Unread, all.NeedsReply+c.NeedsReply
	}
	return all
}

// counts returns what is left unread everywhere.
func (p *Panels) counts(ctx context.Context) Counts {
	revision := p.revised()
	signed := p.mailNow(ctx)
	left := tallyAll(&signed, p.views(ctx, signed.shelf))
	left.Revision = revision
	return left
}

// problems are the remarks about the file of what was put away.
func (s *Shelf) problems() []Warning {
	if s.Err == nil {
		return nil
	}
	return []Warning{{Rule: "shelf", Message: safe("archived and snoozed threads are shown as they were last known, and none can be put away: " +
		s.Err.Error() + "; repair the file, or move it away")}}
}

// shelfFailure turns an error of the shelf into one a client can tell apart.
func shelfFailure(err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	return &Error{
		Kind: StoreUnavailable, Message: safe("archive or snooze: " + err.Error()), Detail: "shelf",
		Retryable: !errors.Is(err, fs.ErrPermission), Err: err,
	}
}
