package index

import (
	"cmp"
	"errors"
	"fmt"
	"hash/maphash"
	"iter"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/samp"
	sampstore "github.com/signalbox-dev/signalbox/lsp/samp"
)

// Stats holds the numbers and the state of a live store.
type Stats struct {
	// Path is the directory, and ID its name in refs. Exists is set if it is open, Err is
	// the error if not, and Writable is set if mail can be sent.
	Path, ID         string
	Exists, Writable bool
	Err              error
	// Indexing is set until the first pass is done.
	Indexing bool
	// Profile is the form of new ids. Proven is set if a record in the directory has it.
	Profile samp.Profile
	Proven  bool
	// Logs and Messages count the logs and records in the index. Malformed counts the lines
	// that are not records, and Suspicious the records that may be forged.
	Logs, Messages, Malformed, Suspicious int
	// Threads counts the listed threads, and Newest is the time of their newest message
	// in Unix seconds.
	Threads int
	Newest  int64
	// Unread counts the unread messages to the reader, and Waiting the threads with at
	// least one.
	Unread, Waiting int
	// Asking counts the threads that ask the reader something, and NeedReply the threads
	// that need the reader's reply, with Since as in [Live.SetReplySince].
	Asking, NeedReply int
	Since             int64
	Revision          int64
	Problems          []sampstore.Problem
}

// Stats returns the numbers of the store.
func (l *Live) Stats() Stats {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.stats()
}

// stats returns the numbers of the store. The lock is held.
func (l *Live) stats() Stats {
	s := Stats{
		Path: l.cfg.Path, Indexing: !l.ready, Err: l.err, Profile: l.writes(), Proven: l.form.Found,
		Logs: len(l.logs), Messages: l.idx.entries.n, Suspicious: l.idx.suspected,
		Unread: l.idx.unread, Waiting: l.idx.waiting, Asking: l.idx.asking, NeedReply: l.idx.needingReply, Since: l.idx.replySince,
		Revision: l.revision, Problems: l.problems,
	}
	for _, log := range l.logs {
		s.Malformed += log.malformed
	}
	if s.Threads = len(l.idx.order); s.Threads > 0 {
		s.Newest = l.idx.entries.at(l.idx.threads[l.idx.order[s.Threads-1]].last).ts
	}
	if l.dir != nil {
		s.Exists, s.ID, s.Path = true, l.dir.ID(), l.dir.Path()
		s.Writable = l.dir.Writable()
	}
	return s
}

// writes returns the form of new ids. The lock is held.
func (l *Live) writes() samp.Profile {
	if l.form.Found {
		return l.form.Profile
	}
	return l.cfg.Profile
}

// Thread describes a thread for a list.
type Thread struct {
	Name string
	// Participants are the senders and recipients of its newest messages.
	Participants []string
	// From and To belong to the newest message. First and Last are the times
	// of the oldest and the newest message, in Unix seconds.
	From, To      string
	First, Last   int64
	Count, Unread int
	// Mine is set if a message is to the reader, or one of the newest is from the reader.
	// Copied is set if the newest is known only from a sync copy.
	Mine, Copied bool
	// NeedsReply is set if the thread needs the reader's reply; see [Live.SetReplySince].
	// Unsure is set as well if that is unclear.
	NeedsReply, Unsure bool
}

// Filter narrows a list of threads. The zero value narrows nothing.
type Filter struct {
	Unread, Mine bool
	// Asks selects the threads that ask the reader something, in their last message or in an
	// unread message that arrived after the reader had read the last one. With OrDue it also
	// selects due threads. NeedsReply selects the threads that need the reader's reply and
	// the due ones. With Unasked it selects only threads that ask nothing and are not due.
	Asks, OrDue, NeedsReply, Unasked bool
	// Shelf reports whether a thread is put away, and whether it is due: it came back and
	// counts as waiting even if nothing in it is unread. mail walks the thread's
	// [Live.Mail]. Shelf may be nil. It is called with the store's lock held.
	Shelf func(name string, mail iter.Seq[uint64]) (hidden, due bool)
	// Due is an upper bound for the number of due threads.
	Due int
	// Only contains the names of the threads to list, unless it is nil. The other filters
	// apply as well.
	Only []string
}

// participantsSeen is how many of a thread's newest messages are searched for participants.
// Each is elsewhere in memory, and a page of a list has 50 threads.
const participantsSeen = 32

// thread describes a thread. The lock is held.
func (l *Live) thread(n uint32) Thread {
	x := l.idx
	t := &x.threads[n]
	last := x.entries.at(t.last)
	info := Thread{
		Name: x.names.text(t.name), From: x.names.text(last.from), To: x.names.text(last.to),
		First: x.entries.at(t.first).ts, Last: last.ts, Count: int(t.count), Unread: int(t.unread),
		Mine:   t.toMe > 0,
		Copied: last.provenance == samp.Copied, NeedsReply: x.needsReply(t), Unsure: x.unsure(t),
	}
	var parties []uint32
	for n, i := t.last, 0; n != none && i < participantsSeen; i++ {
		e := x.entries.at(n)
		for _, p := range [...]uint32{e.from, e.to} {
			if !slices.Contains(parties, p) {
				parties = append(parties, p)
			}
			info.Mine = info.Mine || p == x.me
		}
		n = e.prev
	}
	for _, p := range parties {
		info.Participants = append(info.Participants, x.names.text(p))
	}
	slices.Sort(info.Participants)
	return info
}

// Message is one record of a thread, as it was read from its log.
type Message struct {
	samp.Found
	// Form is the form of its id. Unread is set if the reader has not read it, and Late if
	// it is unread although the watermark would hide it.
	Form         samp.Form
	Unread, Late bool
	// Suspicious is set if it may be forged.
	Suspicious bool
	// Line counts from 1 in the log named File.
	File string
	Line int
	// Err is set if the record could not be read again. Then only From, To, TS, Thread
	// and the place are set.
	Err error
}

// ErrNotFound reports that there is no such thread or message.
var ErrNotFound = errors.New("store: not found")

// Page is a part of a thread, oldest message first. Older and Newer are set if the thread
// has more messages on that side. If Newer is set, Next is the first message after the page.
// Newest and Opening are the thread's last and first message. Question is the message that
// asks the reader something, on the page or not, or nil.
type Page struct {
	Thread          Thread
	Messages        []Message
	Newest, Opening Message
	Next            Message
	Question        *Message
	Older, Newer    bool
	Revision        int64
}

// Page reads a part of a thread: its newest messages, or the messages before or after one
// of them. Bodies are read from disk, outside the lock.
func (l *Live) Page(name string, before, after *sampstore.Key, limit int) (Page, error) {
	page, read, err := l.page(name, before, after, limit)
	if err != nil {
		return Page{}, err
	}
	all := read.messages()
	if page.Question != nil {
		n := len(all) - 1
		page.Question, all = &all[n], all[:n]
	}
	n := len(all) - 2
	page.Newest, page.Opening = all[n], all[n+1]
	if page.Newer {
		n--
		page.Next = all[n]
	}
	page.Messages = all[:n:n]
	return page, nil
}

// page returns a page without messages, and a reading of the messages for it: the page's own,
// Next if Newer is set, then Newest, Opening, and Question unless it is nil.
func (l *Live) page(name string, before, after *sampstore.Key, limit int) (Page, *reading, error) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	x := l.idx
	t, ok := x.findThread(name)
	if !ok {
		return Page{}, nil, ErrNotFound
	}
	page := Page{Thread: l.thread(t), Revision: l.revision}
	var list []uint32
	switch {
	case after != nil:
		n, err := l.inThread(t, *after)
		if err != nil {
			return Page{}, nil, err
		}
		for n = x.entries.at(n).next; n != none && len(list) < limit; n = x.entries.at(n).next {
			list = append(list, n)
		}
	default:
		n := x.threads[t].last
		if before != nil {
			var err error
			if n, err = l.inThread(t, *before); err != nil {
				return Page{}, nil, err
			}
			n = x.entries.at(n).prev
		}
		for ; n != none && len(list) < limit; n = x.entries.at(n).prev {
			list = append(list, n)
		}
		slices.Reverse(list)
	}
	if len(list) > 0 {
		page.Older = x.entries.at(list[0]).prev != none
		if next := x.entries.at(list[len(list)-1]).next; next != none {
			page.Newer = true
			list = append(list, next)
		}
	}
	list = append(list, x.threads[t].last, x.threads[t].first)
	if q := x.question(&x.threads[t]); q != none {
		page.Question = &Message{}
		list = append(list, q)
	}
	return page, l.describe(list), nil
}

func (l *Live) inThread(t uint32, k sampstore.Key) (uint32, error) {
	for n := range l.idx.keyed(k) {
		if e := l.idx.entries.at(n); e.thread == t && e.state&linked != 0 {
			return n, nil
		}
	}
	return none, ErrNotFound
}

// reading holds what the index knows about some records, to read them from disk without
// the lock.
type reading struct {
	dir     *sampstore.Dir
	profile samp.Profile
	seed    maphash.Seed
	list    []Message
	places  []location
}

// location is where a record is in its log, and the hash of its content.
type location struct {
	offset  int64
	length  uint32
	content uint64
}

// hiddenBefore returns the time before which other tools hide mail: the watermark's, or the
// time of the watermark that Signalbox left, if that is older. The lock is held.
func (l *Live) hiddenBefore() int64 {
	if l.state == nil {
		return 0
	}
	left, _, _ := l.state.LastWatermark(l.mark)
	return min(left, l.mark.TS)
}

// describe returns a reading of entries. The lock is held.
func (l *Live) describe(list []uint32) *reading {
	x := l.idx
	r := &reading{dir: l.dir, profile: l.profile, seed: x.seed}
	before := l.hiddenBefore()
	for _, n := range list {
		e := x.entries.at(n)
		m := Message{File: x.logs[e.log].Name, Line: int(e.line), Suspicious: e.state&suspicious != 0}
		m.From, m.To, m.TS = x.names.text(e.from), x.names.text(e.to), e.ts
		m.Thread, m.Stem, m.Offset = x.names.text(x.threads[e.thread].name), x.logs[e.log].Stem, e.offset
		m.Unread = e.to == x.me && e.state&isRead == 0 && !m.Suspicious
		m.Late = m.Unread && e.ts < before
		if e.state&oddID == 0 {
			m.Key = hexID(e.id)
		}
		r.list = append(r.list, m)
		r.places = append(r.places, location{e.offset, e.length, e.content})
	}
	return r
}

// messages reads the records from their logs. It sets the Err of a record that is no longer
// there. The index is about to be rebuilt then.
func (r *reading) messages() []Message {
	lines := r.dir.LineReader()
	defer lines.Close()
	for i := range r.list {
		m := &r.list[i]
		rec, err := r.record(lines, m.File, r.places[i])
		if err != nil {
			m.Err = err
			continue
		}
		m.Record = rec
		m.Key = samp.EffectiveID(&rec, r.profile)
		m.Form = samp.Identify(&rec)
	}
	return r.list
}

func (r *reading) record(lines *sampstore.LineReader, log string, p location) (samp.Record, error) {
	raw, err := lines.Append(nil, log, p.offset, int64(p.length))
	if err != nil {
		return samp.Record{}, fmt.Errorf("store: read %q: %w", log, err)
	}
	rec, err := samp.ParseInPlace(raw)
	if err != nil || sampstore.ContentHash(r.seed, &rec) != p.content {
		return samp.Record{}, fmt.Errorf("store: %q was rewritten; it is being read again", log)
	}
	return rec, nil
}

// Ends reads the newest and the first message of each thread, in the order of the
// threads, and the messages that ask the reader something.
func (l *Live) Ends(threads []Thread) (newest, openings, questions []Message) {
	l.mu.RLock()
	last, first, asking := l.ends(threads)
	read := l.describe(slices.Concat(last, first, asking))
	l.mu.RUnlock()
	all, n := read.messages(), len(first)
	return all[:n], all[n : 2*n], all[2*n:]
}

// Openings reads the first message of each existing thread, in the order of the names.
func (l *Live) Openings(names ...string) []Message {
	l.mu.RLock()
	var first []uint32
	var list []Message
	for _, name := range names {
		if t := l.scanned[name]; t != nil && t.opening != nil {
			list = append(list, *t.opening)
		}
		if n, ok := l.idx.findThread(name); ok {
			first = append(first, l.idx.threads[n].first)
		}
	}
	read := l.describe(first)
	l.mu.RUnlock()
	return append(list, read.messages()...)
}

// ends returns the last and the first entry of each existing thread, and the entries that
// ask the reader something. The lock is held.
func (l *Live) ends(threads []Thread) (last, first, asking []uint32) {
	for i := range threads {
		if n, ok := l.idx.findThread(threads[i].Name); ok {
			t := &l.idx.threads[n]
			last, first = append(last, t.last), append(first, t.first)
			if q := l.idx.question(t); q != none {
				asking = append(asking, q)
			}
		}
	}
	return last, first, asking
}

// Find reads the messages with an id, whoever sent them, except suspicious records.
func (l *Live) Find(id string) []Message {
	l.mu.RLock()
	read := l.describe(slices.Collect(l.idx.withID(id)))
	l.mu.RUnlock()
	return read.messages()
}

// Get reads the message with a key.
func (l *Live) Get(k sampstore.Key) (Message, error) {
	l.mu.RLock()
	read := l.describe(slices.Collect(l.idx.keyed(k)))
	l.mu.RUnlock()
	for _, m := range read.messages() {
		return m, m.Err
	}
	return Message{}, ErrNotFound
}

// ThreadNamed describes one thread.
func (l *Live) ThreadNamed(name string) (Thread, error) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	t, ok := l.idx.findThread(name)
	if !ok {
		return Thread{}, ErrNotFound
	}
	return l.thread(t), nil
}

// Routes returns who wrote to whom in a thread, oldest message first, without reading
// messages. It returns nil for an unknown thread.
func (l *Live) Routes(name string) (list [][2]string) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	x := l.idx
	t, ok := x.findThread(name)
	if !ok {
		return nil
	}
	for n := x.threads[t].first; n != none; n = x.entries.at(n).next {
		e := x.entries.at(n)
		list = append(list, [2]string{x.names.text(e.from), x.names.text(e.to)})
	}
	return list
}

// LongName returns the thread name with a digest. A name that is too long for a ref has a
// [mail.Digest].
func (l *Live) LongName(digest string) (name string, ok bool) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	for name := range l.scanned {
		if len(name) > mail.MaxName && mail.Digest(name) == digest {
			return name, true
		}
	}
	t, ok := l.idx.byDigest[digest]
	if !ok {
		return "", false
	}
	return l.idx.names.text(l.idx.threads[t].name), true
}

// Suspicious reads the records that may be forged, latest arrival first.
func (l *Live) Suspicious(limit int) []Message {
	l.mu.RLock()
	var list []uint32
	for i := len(l.idx.suspects) - 1; i >= 0 && len(list) < limit; i-- {
		if n := l.idx.suspects[i]; l.idx.entries.at(n).state&suspicious != 0 {
			list = append(list, n)
		}
	}
	read := l.describe(list)
	l.mu.RUnlock()
	return read.messages()
}

// Party is somebody who sent or received mail here.
type Party struct {
	Alias string
	// Last is the time of the newest such message, in Unix seconds.
	Last int64
}

// Parties lists all senders and recipients, most recent first. It leaves out names that are
// not valid aliases, since no one can write to them.
func (l *Live) Parties(limit int) []Party {
	l.mu.RLock()
	defer l.mu.RUnlock()
	var list []Party
	for n, ts := range l.idx.lastMail {
		if alias := l.idx.names.text(n); samp.ValidAlias(alias) {
			list = append(list, Party{alias, ts})
		}
	}
	slices.SortFunc(list, func(a, b Party) int {
		return cmp.Or(cmp.Compare(b.Last, a.Last), strings.Compare(a.Alias, b.Alias))
	})
	return list[:min(limit, len(list))]
}

// SetRead marks messages, and all messages to the reader in the named threads, as read or
// unread.
func (l *Live) SetRead(keys []sampstore.Key, threads []string, read bool) error {
	for _, name := range threads {
		keys = append(keys, l.toMe(name, false)...)
	}
	l.mu.RLock()
	state := l.state
	l.mu.RUnlock()
	if state == nil {
		return fmt.Errorf("store: mark read: %w", ErrNotFound)
	}
	l.marks.Lock()
	defer l.marks.Unlock()
	changed, err := state.Mark(keys, read)
	l.applyRead(changed)
	return err
}

// Unread returns the unread messages to the reader in a thread.
func (l *Live) Unread(thread string) []sampstore.Key { return l.toMe(thread, true) }

// toMe returns the keys of a thread's messages to the reader, or only of the unread ones. It
// reads ids without the form of §3 from disk.
func (l *Live) toMe(thread string, unread bool) (keys []sampstore.Key) {
	l.mu.RLock()
	x := l.idx
	var odd []uint32
	if t, ok := x.findThread(thread); ok {
		for n := x.threads[t].last; n != none; n = x.entries.at(n).prev {
			e := x.entries.at(n)
			switch {
			case e.to != x.me, unread && e.state&isRead != 0:
			case e.state&oddID != 0:
				odd = append(odd, n)
			default:
				keys = append(keys, sampstore.Key{From: x.names.text(e.from), ID: hexID(e.id)})
			}
		}
	}
	rest := l.describe(odd)
	l.mu.RUnlock()
	for _, m := range rest.messages() {
		keys = append(keys, sampstore.KeyOf(&m.Found))
	}
	return keys
}

// Newest returns the message that a reply answers (§7, rule P2): the newest to the
// reader, or the newest from an alias if one is given. If several senders tie, newest is nil
// and tied holds the last message of each. Newest skips messages dated further ahead of now,
// in Unix seconds, than a clock's error.
func (l *Live) Newest(from string, now int64) (newest *Message, tied []Message) {
	l.mu.RLock()
	x := l.idx
	var best []uint32
	for n := range uint32(x.entries.n) {
		e := x.entries.at(n)
		if e.to != x.me || e.state&visible == 0 || samp.Ahead(e.ts, now) || from != "" && x.names.text(e.from) != from {
			continue
		}
		if len(best) > 0 && x.entries.at(best[0]).ts > e.ts {
			continue
		}
		if len(best) > 0 && x.entries.at(best[0]).ts < e.ts {
			best = best[:0]
		}
		best = append(best, n)
	}
	read := l.describe(best)
	l.mu.RUnlock()
	messages := read.messages()
	found := make([]samp.Found, 0, len(messages))
	for i := range messages {
		found = append(found, messages[i].Found)
		found[i].Rank = i
	}
	slices.SortFunc(found, func(a, b samp.Found) int {
		return cmp.Or(strings.Compare(a.Stem, b.Stem), cmp.Compare(a.Offset, b.Offset))
	})
	target, ties := samp.ReplyTarget(found, now)
	if target != nil {
		return &messages[target.Rank], nil
	}
	for _, t := range ties {
		tied = append(tied, messages[t.Rank])
	}
	return nil, tied
}
