package panel

import (
	"context"
	"errors"
	"io/fs"
	"sync"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/lsp/store"
	"github.com/signalbox-dev/signalbox/lsp/store/mailbox"
	"github.com/signalbox-dev/signalbox/lsp/store/shelf"
	"github.com/signalbox-dev/signalbox/lsp/store/threads"
)

// shelfNow is what the user put away, at one moment.
type shelfNow struct {
	*shelf.Snapshot
	parts map[shelfStore]*shelfPart
	cache *shelfCache // nil where nothing is put away
	alias string
	now   int64
}

// shelfCache holds the parts of the newest snapshot, and what was counted with it:
// neither changes until something else does.
type shelfCache struct {
	sync.Mutex
	of      *shelf.Snapshot
	parts   map[shelfStore]*shelfPart
	counted map[*shelfPart]counted
}

// counted is what threads put away in a message directory add to counts, at one
// revision of it and until the next of them comes back.
type counted struct {
	revision, next           int64
	inbox, archived, snoozed tally // inbox is what they take from it
}

// shelfStore is a directory in which threads were put away, and for whom.
type shelfStore struct {
	protocol     mail.Protocol
	store, owner string
}

// shelfPart is what was put away of one directory, by name, and by digest where a
// name is too long for a ref.
type shelfPart struct {
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
func (p *Panels) shelfChanged() {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return
	}
	p.revision++
	change := Change{Revision: p.revision, Kinds: []string{"read"}, Refs: []Ref{}, Truncated: true}
	p.mu.Unlock()
	p.countInto(&change)
	p.opt.Changed(change)
}

// shelfNow gives what is put away now.
func (p *Panels) shelfNow() *shelfNow {
	p.mu.RLock()
	on, alias := p.shelf, p.alias.Value
	p.mu.RUnlock()
	now := &shelfNow{Snapshot: &shelf.Snapshot{}, alias: alias, now: p.now()}
	if on == nil {
		return now
	}
	now.Snapshot = on.Snapshot()
	p.shelved.Lock()
	defer p.shelved.Unlock()
	if p.shelved.of != now.Snapshot {
		p.shelved.of, p.shelved.parts = now.Snapshot, shelfParts(now.Snapshot)
		p.shelved.counted = make(map[*shelfPart]counted)
	}
	now.parts, now.cache = p.shelved.parts, &p.shelved
	return now
}

// shelfParts sorts what is put away by directory, so that a list looks up each of
// its threads by name alone.
func shelfParts(snap *shelf.Snapshot) map[shelfStore]*shelfPart {
	parts := make(map[shelfStore]*shelfPart)
	for k, e := range snap.Entries {
		at := shelfStore{k.Ref.Protocol, k.Ref.Store, k.Owner}
		if parts[at] == nil {
			parts[at] = &shelfPart{names: map[string]shelf.Entry{}, digests: map[string]shelf.Entry{}}
		}
		if name, ok := k.Ref.Thread(); ok {
			parts[at].names[name] = e
		} else if digest, ok := k.Ref.ThreadDigest(); ok {
			parts[at].digests[digest] = e
		}
	}
	return parts
}

// samp gives what is put away of a message directory.
func (s *shelfNow) samp(store string) *shelfPart {
	return s.parts[shelfStore{mail.SAMP, store, s.alias}]
}

// agents gives what is put away of a worktree. It is nobody's mail.
func (s *shelfNow) agents(folder string) *shelfPart {
	return s.parts[shelfStore{mail.ATSF, folder, ""}]
}

// entry gives what was put away under a name. A nil part holds nothing.
func (s *shelfPart) entry(name string) shelf.Entry {
	switch {
	case s == nil:
		return shelf.Entry{}
	case len(name) > mail.MaxName:
		return s.digests[mail.Digest(name)]
	}
	return s.names[name]
}

// shelved is where a thread is, and until when it stays there.
type shelved struct {
	shelf.State
	until int64
}

// shelved gives where a thread is that holds so many messages to the user.
func (s *shelfPart) shelved(name string, mail int, now int64) shelved {
	e := s.entry(name)
	return shelved{e.State(mail, now), e.Until}
}

// shown tells whether threads in a state are asked for.
func (f *InboxFilter) shown(s shelf.State) bool {
	if f.Everywhere {
		return true
	}
	if f.Archived || f.Snoozed {
		return f.Archived && s == shelf.Archived || f.Snoozed && s == shelf.Snoozed
	}
	return !s.Hidden()
}

// shelfFilter narrows a list of a message directory to what is asked for.
func (s *shelfNow) shelfFilter(live *store.Live, id string, f *InboxFilter) (filter store.Filter) {
	part := s.samp(id)
	filter = store.Filter{Unread: f.Unread, Mine: f.Mine, Text: f.Text}
	if part == nil && f.shown(shelf.Out) {
		return filter
	}
	filter.Shelf = func(name string, mail int) (hidden, due bool) {
		at := part.shelved(name, mail, s.now).State
		return !f.shown(at), at == shelf.Due
	}
	filter.Due = part.due(s.now)
	if !f.shown(shelf.Out) {
		filter.Only = part.all(live)
	}
	return filter
}

// due counts the threads that may have come back.
func (s *shelfPart) due(now int64) int {
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

// all names the threads that were put away, and gives no nil.
func (s *shelfPart) all(live *store.Live) []string {
	names := []string{}
	if s == nil {
		return names
	}
	for name := range s.names {
		names = append(names, name)
	}
	for digest := range s.digests {
		if name, ok := live.LongName(digest); ok {
			names = append(names, name)
		}
	}
	return names
}

// tally is what threads add to counts: those in the part of the shelf that is asked
// for, their unread messages, and how many of them wait for the user.
type tally struct{ threads, unread, waiting int }

// tallyStore counts the threads of a message directory in the inbox, and those that
// were put away.
func (s *shelfNow) tallyStore(live *store.Live, stats *store.Stats) (inbox, archived, snoozed tally) {
	inbox = tally{stats.Threads, stats.Unread, stats.Waiting}
	part := s.samp(stats.ID)
	if part == nil {
		return inbox, archived, snoozed
	}
	s.cache.Lock()
	c, known := s.cache.counted[part]
	s.cache.Unlock()
	if !known || c.revision != stats.Revision || c.next != 0 && c.next <= s.now {
		c = s.count(live, part)
		c.revision, c.next = stats.Revision, s.Next(s.now)
		s.cache.Lock()
		s.cache.counted[part] = c
		s.cache.Unlock()
	}
	return inbox.with(c.inbox), c.archived, c.snoozed
}

// count looks at each thread that was put away in a message directory.
func (s *shelfNow) count(live *store.Live, part *shelfPart) (c counted) {
	for name, w := range live.Weigh(part.all(live)) {
		t := tally{1, w.Unread, min(w.Unread, 1)}
		switch part.shelved(name, w.Mail, s.now).State {
		case shelf.Archived:
			c.inbox, c.archived = c.inbox.less(t), c.archived.with(t)
		case shelf.Snoozed:
			c.inbox, c.snoozed = c.inbox.less(t), c.snoozed.with(t)
		case shelf.Due:
			// It waits although it may hold nothing unread.
			c.inbox.waiting += 1 - t.waiting
		case shelf.Out:
		}
	}
	return c
}

func (t tally) with(o tally) tally {
	return tally{t.threads + o.threads, t.unread + o.unread, t.waiting + o.waiting}
}

func (t tally) less(o tally) tally {
	return tally{t.threads - o.threads, t.unread - o.unread, t.waiting - o.waiting}
}

// tallyMail counts the threads of signed mail.
func (n *mailNow) tallyMail() (inbox, archived, snoozed tally) {
	if n.tallies != nil {
		return n.tallies[0], n.tallies[1], n.tallies[2]
	}
	defer func() { n.tallies = &[3]tally{inbox, archived, snoozed} }()
	for _, t := range n.Threads {
		own := tally{threads: 1}
		if n.own.Mailbox != nil && n.own.Mailbox.Unread > 0 {
			own.unread = n.unreadIn(t)
			own.waiting = min(own.unread, 1)
		}
		switch n.shelvedAt(t).State {
		case shelf.Archived:
			archived = archived.with(own)
		case shelf.Snoozed:
			snoozed = snoozed.with(own)
		case shelf.Due:
			own.waiting = 1
			inbox = inbox.with(own)
		case shelf.Out:
			inbox = inbox.with(own)
		}
	}
	return inbox, archived, snoozed
}

// shelvedAt gives where a thread of signed mail is. What the user received of it may
// be archived in their mailbox, where other programs see it too.
func (n *mailNow) shelvedAt(t *mailbox.Thread) shelved {
	if n.archived(t) {
		return shelved{State: shelf.Archived}
	}
	if n.away == nil {
		return shelved{}
	}
	return n.away.shelved(t.ID, n.mailIn(t), n.at)
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

// tallyAgents counts the threads of a worktree's agents.
func (s *shelfNow) tallyAgents(agents *threads.Snapshot, folder string, count int) (inbox, archived, snoozed tally) {
	inbox.threads = count
	part := s.agents(folder)
	if part == nil {
		return inbox, archived, snoozed
	}
	for name, e := range part.names {
		if agents.Item(threads.Key{Folder: folder, Name: name}) == nil {
			continue
		}
		one := tally{threads: 1}
		switch e.State(0, s.now) {
		case shelf.Archived:
			inbox, archived = inbox.less(one), archived.with(one)
		case shelf.Snoozed:
			inbox, snoozed = inbox.less(one), snoozed.with(one)
		case shelf.Due:
			inbox.waiting++
		case shelf.Out:
		}
	}
	return inbox, archived, snoozed
}

// tallyAll counts what waits in the inbox, over all formats.
func tallyAll(stores []opened, signed *mailNow, agents *threads.Snapshot, away *shelfNow) Counts {
	total, _, _ := signed.tallyMail()
	for _, s := range stores {
		stats := s.live.Stats()
		t, _, _ := away.tallyStore(s.live, &stats)
		total = total.with(t)
	}
	for at := range away.parts {
		if at.protocol == mail.ATSF {
			t, _, _ := away.tallyAgents(agents, at.store, 0)
			total.waiting += t.waiting
		}
	}
	return Counts{Unread: total.unread, NeedsReply: total.waiting}
}

// counts gives what is left unread everywhere.
func (p *Panels) counts(ctx context.Context) Counts {
	revision := p.revised()
	stores, _, _ := p.snapshot()
	signed := p.mailNow(ctx)
	left := tallyAll(stores, &signed, p.agents(), signed.shelf)
	left.Revision = revision
	return left
}

// of chooses the part of a count that a filter asks for.
func (f *InboxFilter) of(inbox, archived, snoozed tally) tally {
	var t tally
	if f.shown(shelf.Out) {
		t = t.with(inbox)
	}
	if f.shown(shelf.Archived) {
		t = t.with(archived)
	}
	if f.shown(shelf.Snoozed) {
		t = t.with(snoozed)
	}
	return t
}

// problems are the remarks about the file of what was put away.
func (s *shelfNow) problems() []Warning {
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
