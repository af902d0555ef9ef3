package index

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"hash/maphash"
	"iter"
	"math"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/core/hashtable"
	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/samp"
	sampstore "github.com/signalbox-dev/signalbox/lsp/samp"
)

// none means that there is no entry, thread or name.
const none = math.MaxUint32

// state holds an entry's flags, as the reader sees it.
type state uint8

const (
	visible    state = 1 << iota // shown in its thread
	suspicious                   // may be forged: the sender's own log does not hold it
	isRead                       // marked read by the reader
	linked                       // is in its thread's list
	oddID                        // the id is not 16 hexadecimal digits
	listed                       // is in index.suspects
	// Two flags encode what a message to the reader wants. It wants a reply if neither is set.
	asks    // asks the reader something
	noReply // wants no reply; with asks: it is unclear what the message wants
)

func (s state) asks() bool    { return s&(asks|noReply) == asks }
func (s state) noReply() bool { return s&(asks|noReply) == noReply }
func (s state) unsure() bool  { return s&(asks|noReply) == asks|noReply }

// entry is one record in the index. Bodies stay on disk. An entry and its share of the
// tables take less than 120 bytes, the index's limit for a message.
type entry struct {
	offset     int64
	ts         int64
	id         uint64 // the effective id's 64 bits, or a hash of an odd id
	content    uint64 // from sampstore.ContentHash
	length     uint32 // of the line, saturated
	line       uint32 // in the log, from 1
	from, to   uint32
	thread     uint32
	prev, next uint32 // neighbours in the thread, by time
	log        uint16
	state      state
	provenance samp.Provenance
}

// maxLogs is the largest number of logs in an index.
const maxLogs = math.MaxUint16

// thread is the list of a thread's visible messages, with its counts.
type thread struct {
	name        uint32
	first, last uint32
	count       uint32
	unread      uint32
	// toMe counts the messages to the reader. openQuestions counts the unread messages that ask
	// the reader something.
	toMe, openQuestions uint32
}

// index holds what the live store knows about a directory. It is not safe for
// concurrent use; [Live] guards it.
type index struct {
	// seed is secret, so that no one can craft two messages with the same hash.
	seed    maphash.Seed
	me      uint32
	names   names
	logs    []sampstore.Log
	entries chunks
	// ids and texts find the entries that have been shown, by id and by content. Repetitions
	// are in neither table: a stranger who writes one record a million times must not slow
	// down every look-up.
	ids, texts hashtable.Table
	threads    []thread
	byName     hashtable.Table
	// byDigest finds threads whose name is too long for a ref.
	byDigest map[string]uint32
	// pending are shown entries that are not linked into their threads yet.
	pending []uint32
	// shrunk lists the threads that lost an entry since the last flush. ambiguous holds the
	// senders who used one id for two contents. The next flush decides again which of their
	// entries are shown.
	shrunk    []uint32
	ambiguous map[uint32]struct{}
	// order holds the threads with linked messages, newest last. It is nil while
	// many threads change at once.
	order []uint32
	// unread counts the unread messages to the reader, and waiting the threads with at
	// least one.
	unread, waiting int
	// asking counts the threads that ask the reader something, see [index.asks], and
	// needingReply the threads that need the reader's reply; see [Live.SetReplySince].
	asking, needingReply int
	replySince           int64
	// lastMail holds the time of the newest message from or to every alias.
	lastMail map[uint32]int64
	// suspects lists the entries that may be forged, in order of arrival, including entries
	// cleared since. suspectTexts finds them by content, and suspected counts the others.
	suspects     []uint32
	suspectTexts hashtable.Table
	suspected    int
	// read reports whether a message is marked read, for messages that were not in the
	// index or not shown when they were marked.
	read func(sampstore.Key) bool
	// readOdd returns the keys of the read messages whose id is odd.
	readOdd func() []sampstore.Key
}

func newIndex(seed maphash.Seed, me string, read func(sampstore.Key) bool, readOdd func() []sampstore.Key) *index {
	x := &index{
		seed: seed, names: newNames(), byDigest: make(map[string]uint32), lastMail: make(map[uint32]int64), ambiguous: make(map[uint32]struct{}),
		read: read, readOdd: readOdd,
	}
	slots := maphash.MakeSeed()
	for i, t := range []*hashtable.Table{&x.ids, &x.texts, &x.byName, &x.suspectTexts} {
		t.Key = maphash.Comparable(slots, i)
	}
	x.me = x.names.add(me)
	return x
}

// item is a record on its way into the index. Its strings may alias a buffer.
type item struct {
	rec samp.Record
	key string
	// content is from sampstore.ContentHash.
	content uint64
	log     int
	offset  int64
	length  int
	line    int
}

// add puts a record into the index and decides which of the records with its content or
// its id are shown.
func (x *index) add(it *item) {
	r := &it.rec
	e := entry{
		offset: it.offset, ts: r.TS, log: uint16(it.log),
		length: uint32(min(it.length, math.MaxUint32)), line: uint32(min(it.line, math.MaxUint32)),
		id: idBits(it.key), content: it.content,
		from: x.names.add(r.From), to: x.names.add(r.To), thread: x.thread(r.Thread),
		prev: none, next: none,
		provenance: samp.ProvenanceOf(x.logs[it.log].Stem, r.From),
	}
	if _, ok := parseID(it.key); !ok {
		e.state |= oddID
	}
	if x.read(sampstore.Key{From: r.From, ID: it.key}) {
		e.state |= isRead
	}
	if e.to == x.me && e.from != x.me {
		e.state |= wantOf(r.Body)
	}
	x.insert(x.entries.add(e))
}

// wantOf returns the flags for what a text wants from the reader.
func wantOf(text string) state {
	switch mail.WantOf(text) {
	case mail.Answer:
		return asks
	case mail.Nothing:
		return noReply
	case mail.Unsure:
		return asks | noReply
	case mail.Reply:
	}
	return 0
}

// idBits returns the 64 bits of an id that has the form of §3, and a digest of any other
// string.
func idBits(id string) uint64 {
	if bits, ok := parseID(id); ok {
		return bits
	}
	sum := sha256.Sum256([]byte(id))
	return binary.BigEndian.Uint64(sum[:])
}

// hexID returns the digits of an id that is not odd.
func hexID(bits uint64) string {
	const digits = "0123456789abcdef"
	var id [16]byte
	for i := range id {
		id[i] = digits[bits>>(60-4*i)&15]
	}
	return string(id[:])
}

func parseID(id string) (bits uint64, ok bool) {
	if len(id) != 16 {
		return 0, false
	}
	for i := range len(id) {
		switch c := id[i]; {
		case '0' <= c && c <= '9':
			bits = bits<<4 | uint64(c-'0')
		case 'a' <= c && c <= 'f':
			bits = bits<<4 | uint64(c-'a'+10)
		default:
			return 0, false
		}
	}
	return bits, true
}

func (x *index) idOf(n uint32) uint64      { return x.entries.at(n).id }
func (x *index) contentAt(n uint32) uint64 { return x.entries.at(n).content }

// insert decides whether an entry is shown. No two shown entries have the same content,
// or the same sender and id. Such entries are shown by provenance, the sender's own log
// before a copy, then by place. The outcome does not depend on the order in which entries
// are inserted, and agrees with [samp.Choose].
func (x *index) insert(n uint32) {
	e := x.entries.at(n)
	if e.provenance == samp.Foreign {
		x.addSuspect(n)
		return
	}
	for _, alias := range [...]uint32{e.from, e.to} {
		if ts, known := x.lastMail[alias]; !known || ts < e.ts {
			x.lastMail[alias] = e.ts
		}
	}
	var copies []uint32
	for o := range x.conflicting(e) {
		if c := x.entries.at(o); c.provenance < e.provenance || c.provenance == e.provenance && x.place(c, e) < 0 {
			return
		}
		copies = append(copies, o)
	}
	// The entry is the original or the earlier one, and hides the others.
	for _, o := range copies {
		if c := x.entries.at(o); c.id != e.id || c.content != e.content {
			// An entry that o hid may have to be shown now.
			x.ambiguous[e.from] = struct{}{}
		}
		x.hide(o)
	}
	x.show(n)
}

// conflicting walks the visible entries that have the sender and id of e, or its
// content.
func (x *index) conflicting(e *entry) func(func(uint32) bool) {
	return func(yield func(uint32) bool) {
		for o := range x.ids.Find(e.id) {
			if c := x.entries.at(o); c.id == e.id && c.from == e.from && c.state&visible != 0 && !yield(o) {
				return
			}
		}
		for o := range x.texts.Find(e.content) {
			if c := x.entries.at(o); c.content == e.content && (c.id != e.id || c.from != e.from) && c.state&visible != 0 && !yield(o) {
				return
			}
		}
	}
}

// addSuspect flags a record in somebody else's log as suspicious, unless its content is
// shown, or another suspicious record has it.
func (x *index) addSuspect(n uint32) {
	e := x.entries.at(n)
	for o := range x.texts.Find(e.content) {
		if c := x.entries.at(o); c.content == e.content && c.state&visible != 0 {
			return
		}
	}
	for o := range x.suspectTexts.Find(e.content) {
		if c := x.entries.at(o); c.content == e.content && c.state&suspicious != 0 {
			return
		}
	}
	e.state |= suspicious
	x.suspected++
	if e.state&listed != 0 {
		return
	}
	e.state |= listed
	x.suspects = append(x.suspects, n)
	x.suspectTexts.Add(e.content, n, x.contentAt)
}

// clearSuspects clears the suspicion of copies of e, which is their original.
func (x *index) clearSuspects(e *entry) {
	for o := range x.suspectTexts.Find(e.content) {
		if c := x.entries.at(o); c.content == e.content && c.state&suspicious != 0 {
			c.state &^= suspicious
			x.suspected--
		}
	}
}

// compare orders messages by time, then log, then line (rule N3).
func (x *index) compare(a, b *entry) int {
	return cmp.Or(cmp.Compare(a.ts, b.ts), x.place(a, b))
}

// place orders records by log, then line.
func (x *index) place(a, b *entry) int {
	if a.log != b.log {
		return strings.Compare(x.logs[a.log].Name, x.logs[b.log].Name)
	}
	return cmp.Compare(a.offset, b.offset)
}

// show makes an entry visible. The next flush links it.
func (x *index) show(n uint32) {
	e := x.entries.at(n)
	e.state |= visible
	x.threads[e.thread].count++
	x.countToMe(e, 1)
	x.countUnread(e, 1)
	x.clearSuspects(e)
	x.ids.AddOnce(e.id, n, x.idOf)
	x.texts.AddOnce(e.content, n, x.contentAt)
	x.pending = append(x.pending, n)
}

// manyThreads is the number of changed threads above which sorting all threads again is
// cheaper than moving each one.
const manyThreads = 256

// flush links the pending entries into their threads, and returns the threads that changed.
// It walks each thread at most once, from its end.
func (x *index) flush() []uint32 {
	x.decideAgain(x.ambiguous)
	clear(x.ambiguous)
	pending := slices.DeleteFunc(x.pending, func(n uint32) bool { return x.entries.at(n).state&visible == 0 })
	slices.SortFunc(pending, func(a, b uint32) int {
		ea, eb := x.entries.at(a), x.entries.at(b)
		return cmp.Or(cmp.Compare(ea.thread, eb.thread), x.compare(eb, ea))
	})
	pending = slices.Compact(pending)
	var touched []uint32
	for i, n := range pending {
		if t := x.entries.at(n).thread; i == 0 || t != touched[len(touched)-1] {
			touched = append(touched, t)
		}
	}
	if len(touched) > manyThreads {
		x.order = nil
	}
	for rest := pending; len(rest) > 0; {
		t := x.entries.at(rest[0]).thread
		n := 1
		for n < len(rest) && x.entries.at(rest[n]).thread == t {
			n++
		}
		x.unrank(t)
		x.merge(&x.threads[t], rest[:n])
		x.rank(t)
		rest = rest[n:]
	}
	touched = append(touched, x.shrunk...)
	x.pending, x.shrunk = nil, nil
	if x.order == nil {
		x.sort()
	}
	slices.Sort(touched)
	return slices.Compact(touched)
}

// merge links entries, given newest first, into a thread's list.
func (x *index) merge(t *thread, newest []uint32) {
	x.countThread(t, -1)
	defer x.countThread(t, 1)
	after := t.last
	for _, n := range newest {
		e := x.entries.at(n)
		for after != none && x.compare(e, x.entries.at(after)) < 0 {
			after = x.entries.at(after).prev
		}
		e.state |= linked
		e.prev = after
		if after == none {
			e.next, t.first = t.first, n
		} else {
			p := x.entries.at(after)
			e.next, p.next = p.next, n
		}
		if e.next == none {
			t.last = n
		} else {
			x.entries.at(e.next).prev = n
		}
	}
}

// hide takes an entry out of its thread.
func (x *index) hide(n uint32) {
	e := x.entries.at(n)
	t := &x.threads[e.thread]
	e.state &^= visible
	t.count--
	x.countToMe(e, -1)
	x.countUnread(e, -1)
	if e.state&linked == 0 {
		return
	}
	x.shrunk = append(x.shrunk, e.thread)
	x.countThread(t, -1)
	defer x.countThread(t, 1)
	x.unrank(e.thread)
	if e.prev == none {
		t.first = e.next
	} else {
		x.entries.at(e.prev).next = e.next
	}
	if e.next == none {
		t.last = e.prev
	} else {
		x.entries.at(e.next).prev = e.prev
	}
	e.prev, e.next = none, none
	e.state &^= linked
	x.rank(e.thread)
}

// mailOf walks the digests of a thread's messages to the reader, newest first. A digest
// covers a message's sender, id and time, and is the same in every run.
func (x *index) mailOf(t *thread) iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		var key []byte
		for n := t.last; n != none; {
			e := x.entries.at(n)
			if n = e.prev; e.to != x.me {
				continue
			}
			key = binary.BigEndian.AppendUint64(append(key[:0], byte(e.state&oddID)), e.id)
			key = binary.BigEndian.AppendUint64(key, uint64(e.ts))
			sum := sha256.Sum256(append(key, x.names.text(e.from)...))
			if !yield(binary.BigEndian.Uint64(sum[:])) {
				return
			}
		}
	}
}

// countToMe changes the thread's count of messages to the reader if e is one of them.
func (x *index) countToMe(e *entry, by int) {
	if e.to == x.me {
		x.threads[e.thread].toMe += uint32(by)
	}
}

// countUnread changes the unread counts if e is an unread message to the reader.
func (x *index) countUnread(e *entry, by int) {
	if e.to != x.me || e.state&isRead != 0 {
		return
	}
	t := &x.threads[e.thread]
	if t.unread == 0 {
		x.waiting++
	}
	t.unread += uint32(by)
	x.unread += by
	if t.unread == 0 {
		x.waiting--
	}
	if e.state.asks() {
		x.countThread(t, -1)
		t.openQuestions += uint32(by)
		x.countThread(t, 1)
	}
}

// countThread changes the counts of threads that ask the reader something or need a reply.
func (x *index) countThread(t *thread, by int) {
	if x.asks(t) {
		x.asking += by
	}
	if x.needsReply(t) {
		x.needingReply += by
	}
}

// needsReply reports whether a thread needs the reader's reply: it asks the reader something,
// or its last message is to the reader, from somebody else, not older than x.replySince, and
// more than thanks or information.
func (x *index) needsReply(t *thread) bool {
	if t.last == none {
		return false
	}
	e := x.entries.at(t.last)
	return x.asks(t) || !e.state.asks() && !e.state.noReply() && e.to == x.me && e.from != x.me && e.ts >= x.replySince
}

// unsure reports whether a thread counts as needing a reply although that is unclear.
func (x *index) unsure(t *thread) bool {
	return x.needsReply(t) && !x.asks(t) && x.entries.at(t.last).state.unsure()
}

// asks reports whether a thread asks the reader something, in its last message or in a late
// question.
func (x *index) asks(t *thread) bool {
	return t.last != none && x.entries.at(t.last).state.asks() || x.hasLateQuestion(t)
}

// hasLateQuestion reports whether the reader has read the last message of a thread, but not
// a question that arrived later with an older time.
func (x *index) hasLateQuestion(t *thread) bool {
	if t.last == none || t.openQuestions == 0 {
		return false
	}
	e := x.entries.at(t.last)
	return e.to == x.me && e.from != x.me && e.state&isRead != 0
}

// question returns the entry of a thread that asks the reader something: the newest late
// question, or the last entry if it asks. It returns none if nothing asks.
func (x *index) question(t *thread) uint32 {
	n := t.last
	if x.hasLateQuestion(t) {
		for n != none && (!x.entries.at(n).state.asks() || x.entries.at(n).state&isRead != 0) {
			n = x.entries.at(n).prev
		}
	} else if !x.asks(t) {
		n = none
	}
	return n
}

// setRead sets an entry's read flag, and reports whether that changed it.
func (x *index) setRead(n uint32, read bool) bool {
	e := x.entries.at(n)
	if (e.state&isRead != 0) == read {
		return false
	}
	if e.state&visible == 0 {
		e.state ^= isRead
		return true
	}
	t := &x.threads[e.thread]
	x.countUnread(e, -1)
	x.countThread(t, -1)
	e.state ^= isRead
	x.countThread(t, 1)
	x.countUnread(e, 1)
	return true
}

// thread returns the number of the thread with a name, and adds the thread if it is new.
func (x *index) thread(name string) uint32 {
	n := x.names.add(name)
	for t := range x.byName.Find(uint64(n)) {
		if x.threads[t].name == n {
			return t
		}
	}
	t := uint32(len(x.threads))
	x.threads = append(x.threads, thread{name: n, first: none, last: none})
	if len(name) > mail.MaxName {
		x.byDigest[mail.Digest(name)] = t
	}
	x.byName.Add(uint64(n), t, func(t uint32) uint64 { return uint64(x.threads[t].name) })
	return t
}

// findThread returns the number of a thread that has a visible message.
func (x *index) findThread(name string) (uint32, bool) {
	n, ok := x.names.find(name)
	if !ok {
		return none, false
	}
	for t := range x.byName.Find(uint64(n)) {
		if x.threads[t].name == n && x.threads[t].last != none {
			return t, true
		}
	}
	return none, false
}

// takeOver adds another index's entries from some logs. logs maps these logs' numbers there to
// their new numbers.
func (x *index) takeOver(from *index, logs map[int]int) {
	odd := x.oddRead()
	for n := range uint32(from.entries.n) {
		e := *from.entries.at(n)
		log, kept := logs[int(e.log)]
		if !kept {
			continue
		}
		e.log = uint16(log)
		e.from = x.names.add(from.names.text(e.from))
		e.to = x.names.add(from.names.text(e.to))
		e.thread = x.thread(from.names.text(from.threads[e.thread].name))
		if e.state&visible == 0 {
			x.refreshEntry(&e, odd)
		}
		e.prev, e.next, e.state = none, none, e.state&(isRead|oddID|asks|noReply)
		x.insert(x.entries.add(e))
	}
}

// keyed walks the visible entries with a key.
func (x *index) keyed(k sampstore.Key) func(func(uint32) bool) {
	return func(yield func(uint32) bool) {
		from, ok := x.names.find(k.From)
		if !ok {
			return
		}
		for n := range x.withID(k.ID) {
			if x.entries.at(n).from == from && !yield(n) {
				return
			}
		}
	}
}

// withID walks the visible entries that have an id, whoever sent them.
func (x *index) withID(id string) func(func(uint32) bool) {
	return func(yield func(uint32) bool) {
		bits := idBits(id)
		for n := range x.ids.Find(bits) {
			if e := x.entries.at(n); e.id == bits && e.state&visible != 0 && !yield(n) {
				return
			}
		}
	}
}
