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

// none stands for no entry, no thread or no name.
const none = math.MaxUint32

// state holds flags of an entry, as the reader sees it.
type state uint8

const (
	visible    state = 1 << iota // shown in its thread
	suspicious                   // may be forged: the sender's own log does not hold it
	isRead                       // marked read by the reader
	linked                       // stands in its thread's list
	oddID                        // the id is no 16 hexadecimal digits
	suspect                      // stands in the list of suspects
	// What a message to the reader wants takes two of them: neither is of a wish for a reply.
	asks  // asks the reader something
	tells // wants no reply, or with asks: is not understood
)

func (s state) asks() bool   { return s&(asks|tells) == asks }
func (s state) tells() bool  { return s&(asks|tells) == tells }
func (s state) unsure() bool { return s&(asks|tells) == asks|tells }

// entry is one record in the index. Bodies stay on disk. An entry and its share of the
// tables stay below 120 bytes, the index's limit for a message.
type entry struct {
	offset     int64
	ts         int64
	id         uint64 // the effective id's 64 bits, or a hash of an odd id
	content    uint64 // of sampstore.ContentHash
	length     uint32 // of the line, saturated
	line       uint32 // in the log, from 1
	from, to   uint32
	thread     uint32
	prev, next uint32 // neighbours in the thread, by time
	log        uint16
	state      state
	provenance samp.Provenance
}

// maxLogs is how many logs an index can number.
const maxLogs = math.MaxUint16

// thread is the visible part of a conversation.
type thread struct {
	name        uint32
	first, last uint32
	count       uint32
	unread      uint32
	// mail counts the messages to the reader, and open those of the unread ones that ask.
	mail, open uint32
}

// index is what the live store knows of a directory. It is not safe for
// concurrent use; [Live] guards it.
type index struct {
	// seed is secret, so that nobody can write two messages of one hash.
	seed    maphash.Seed
	me      uint32
	names   names
	logs    []sampstore.Log
	entries chunks
	// ids and texts find the entries that were shown first for an id and for a
	// content. Repetitions are in no table: a stranger who writes one record a million
	// times must not slow down every look-up.
	ids, texts hashtable.Table
	threads    []thread
	byName     hashtable.Table
	// byDigest finds threads whose name is too long for a ref.
	byDigest map[string]uint32
	// pending are shown entries that are not linked into their threads yet.
	pending []uint32
	// left are threads that lost an entry since the last flush. ambiguous are senders
	// for whom one id stands for two contents: which of their entries are shown has to
	// be decided again.
	left      []uint32
	ambiguous map[uint32]struct{}
	// order holds the threads with linked messages, the freshest last. It is nil while
	// many threads change at once.
	order []uint32
	// unread counts messages that wait for the reader, waiting the threads
	// that hold one.
	unread, waiting int
	// asking counts the threads that ask the reader something, see [index.asks], and owed the
	// threads that need the reader's reply; see [Live.SetReplySince].
	asking, needingReply int
	since                int64
	// seen gives the newest time of every alias that sent or was sent mail.
	seen map[uint32]int64
	// suspects are entries that may be forged, in order of arrival, some of
	// them cleared since; suspectTexts finds them by content.
	suspects     []uint32
	suspectTexts hashtable.Table
	suspected    int
	// read reports whether a message is marked read, for messages that were not in the
	// index or not shown when they were marked.
	read func(sampstore.Key) bool
	// readOdd gives the read messages whose id is odd.
	readOdd func() []sampstore.Key
}

func newIndex(seed maphash.Seed, me string, read func(sampstore.Key) bool, readOdd func() []sampstore.Key) *index {
	x := &index{
		seed: seed, names: newNames(), byDigest: make(map[string]uint32), seen: make(map[uint32]int64), ambiguous: make(map[uint32]struct{}),
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
	// content is the hash of what the record says.
	content uint64
	log     int
	offset  int64
	length  int
	line    int
}

// add puts a record into the index and decides, together with all others that
// say the same or have its id, which of them are shown.
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

// wantOf returns the flags of what a text wants of the reader.
func wantOf(text string) state {
	switch mail.WantOf(text) {
	case mail.Answer:
		return asks
	case mail.Nothing:
		return tells
	case mail.Unsure:
		return asks | tells
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

// hexID writes an id that is not odd.
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
// or the same sender and id. Of such entries the one in the sender's own log is shown,
// or else the one that stands first. The outcome does not depend on the order in which
// entries come, and is the same as of [samp.Choose].
func (x *index) insert(n uint32) {
	e := x.entries.at(n)
	if e.provenance == samp.Foreign {
		x.suspect(n)
		return
	}
	for _, alias := range [...]uint32{e.from, e.to} {
		if ts, known := x.seen[alias]; !known || ts < e.ts {
			x.seen[alias] = e.ts
		}
	}
	var copies []uint32
	for o := range x.shown(e) {
		if c := x.entries.at(o); c.provenance < e.provenance || c.provenance == e.provenance && x.place(c, e) < 0 {
			return
		}
		copies = append(copies, o)
	}
	// The original has come, or the earlier of two. The others are hidden.
	for _, o := range copies {
		if c := x.entries.at(o); c.id != e.id || c.content != e.content {
			// An entry that this one hid may be shown now.
			x.ambiguous[e.from] = struct{}{}
		}
		x.hide(o)
	}
	x.show(n)
}

// shown walks the visible entries that have the sender and id of e, or its
// content.
func (x *index) shown(e *entry) func(func(uint32) bool) {
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

// suspect notes a misfiled record, unless it is a replica of a shown one or
// repeats another suspect.
func (x *index) suspect(n uint32) {
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
	if e.state&suspect != 0 {
		return
	}
	e.state |= suspect
	x.suspects = append(x.suspects, n)
	x.suspectTexts.Add(e.content, n, x.contentAt)
}

// clear marks copies of the record e as no longer suspicious, since e is their original.
func (x *index) clear(e *entry) {
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

// show makes an entry visible. It is linked by the next flush.
func (x *index) show(n uint32) {
	e := x.entries.at(n)
	e.state |= visible
	x.threads[e.thread].count++
	x.countMail(e, 1)
	x.countUnread(e, 1)
	x.clear(e)
	x.ids.AddOnce(e.id, n, x.idOf)
	x.texts.AddOnce(e.content, n, x.contentAt)
	x.pending = append(x.pending, n)
}

// manyThreads is the number of changed threads from which sorting all threads again is
// cheaper than moving each one.
const manyThreads = 256

// flush links the pending entries into their threads, and returns the threads. It walks
// each thread once from its end, however many messages came.
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
	touched = append(touched, x.left...)
	x.pending, x.left = nil, nil
	if x.order == nil {
		x.sort()
	}
	slices.Sort(touched)
	return slices.Compact(touched)
}

// merge links entries, the newest first, into a thread's list.
func (x *index) merge(t *thread, newest []uint32) {
	x.countLast(t, -1)
	defer x.countLast(t, 1)
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
	x.countMail(e, -1)
	x.countUnread(e, -1)
	if e.state&linked == 0 {
		return
	}
	x.left = append(x.left, e.thread)
	x.countLast(t, -1)
	defer x.countLast(t, 1)
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

// mailOf walks the digests of a thread's messages to the reader, the newest first. A digest
// is of what tells a message from others, sender, id and time, and is the same in every run.
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

// countMail adds a message to its thread's count if it is to the reader.
func (x *index) countMail(e *entry, by int) {
	if e.to == x.me {
		x.threads[e.thread].mail += uint32(by)
	}
}

// countUnread adds a message to the counts if it waits for the reader.
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
		x.countLast(t, -1)
		t.open += uint32(by)
		x.countLast(t, 1)
	}
}

// countLast adds a thread to the counts that depend on its last message and its questions.
func (x *index) countLast(t *thread, by int) {
	if x.asks(t) {
		x.asking += by
	}
	if x.needsReply(t) {
		x.needingReply += by
	}
}

// needsReply reports whether the reader owes a reply: the thread asks the reader something, or
// somebody else wrote the last message to the reader at or after x.since and it is more
// than thanks or the like.
func (x *index) needsReply(t *thread) bool {
	if t.last == none {
		return false
	}
	e := x.entries.at(t.last)
	return x.asks(t) || !e.state.asks() && !e.state.tells() && e.to == x.me && e.from != x.me && e.ts >= x.since
}

// mayNeedReply reports whether it is not clear that the reader owes a reply.
func (x *index) mayNeedReply(t *thread) bool {
	return x.needsReply(t) && !x.asks(t) && x.entries.at(t.last).state.unsure()
}

// asks reports whether a thread asks the reader something: its last message does, or the
// reader has read the last message, and an unread question came late, with an older time.
func (x *index) asks(t *thread) bool {
	return t.last != none && x.entries.at(t.last).state.asks() || x.late(t)
}

// late reports whether a thread holds a question that came after the reader had read what is
// the last message by its time.
func (x *index) late(t *thread) bool {
	if t.last == none || t.open == 0 {
		return false
	}
	e := x.entries.at(t.last)
	return e.to == x.me && e.from != x.me && e.state&isRead != 0
}

// question returns the entry of a thread that asks the reader something: the newest unread
// one if questions came late, else the last if that asks. It is none if nothing asks.
func (x *index) question(t *thread) uint32 {
	n := t.last
	if x.late(t) {
		for n != none && (!x.entries.at(n).state.asks() || x.entries.at(n).state&isRead != 0) {
			n = x.entries.at(n).prev
		}
	} else if !x.asks(t) {
		n = none
	}
	return n
}

// setRead marks an entry, and reports whether that changed anything.
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
	x.countLast(t, -1)
	e.state ^= isRead
	x.countLast(t, 1)
	x.countUnread(e, 1)
	return true
}

// thread returns the number of the thread with that name, and adds it if it is new.
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

// takeOver adds the entries of another index whose logs it maps to new numbers.
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
		e.prev, e.next, e.state = none, none, e.state&(isRead|oddID|asks|tells)
		x.insert(x.entries.add(e))
	}
}

// keyed walks the visible entries of a key.
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
