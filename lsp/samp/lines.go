package samp

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"iter"
	"maps"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/disk"
	"github.com/signalbox-dev/signalbox/lsp/disk/lineread"
)

// Lines is what one scan of the logs finds: all mail for one reader (§6, modes all, raw and
// N), or what a filter keeps of everybody's. It is without the texts, which are read again
// from the logs when they are shown, but for the rows that were kept. A message takes 40 bytes
// of memory instead of a kilobyte, so that an inbox of a million stays small.
//
// Some logs are held open until [Lines.Close], so that a log that is compacted or
// removed meanwhile is shown as it was.
type Lines struct {
	// Mail tells what was noticed on the way. It has no Messages.
	Mail

	dir   *Dir
	me    string
	other string // one that differs from me only in case, to whom mail is addressed, or ""
	// wants narrows everybody's mail. It is nil for mail to me.
	wants func(*samp.Found) bool
	ends  bool // narrows it to the ends of some logs
	logs  []Log
	// pieces are what is read of the logs, nil for all of them. When they were read, each
	// ends behind its last whole line. A line that has no end yet is passed over by whoever
	// is following the logs.
	pieces    []segment
	following bool
	locations []location
	seed      maphash.Seed
	held      map[string]*os.File
	failed    error // why what a message says could not be read again
	// worker returns what makes the rows of a list, for one goroutine. kept holds the rows that
	// were made of what was found first. Both are nil where [Lines.Rows] is not called.
	worker  func() Row
	rows    *rowCache
	senders map[string]struct{}
}

// location is the place of a message in its log, with hashes that distinguish it from others.
type location struct {
	ts, offset int64
	// id is a hash of the sender and the effective id, and text a [ContentHash]. Of a kept
	// message text is 0 until it is needed. The seed is secret, so that nobody can write two
	// messages with one hash.
	id, text uint64
	// length is the length of the line with its end, at most [longest], or of a message that
	// is kept its place there.
	length uint32
	// packed is the log's number, then isKept, and in the last two bits the [samp.Provenance].
	packed uint32
}

const rowFlag = 1 << 2

func (s *location) log() int                    { return int(s.packed >> 3) }
func (s *location) hasRow() bool                { return s.packed&rowFlag != 0 }
func (s *location) provenance() samp.Provenance { return samp.Provenance(s.packed & 3) }

// Row appends what a list shows of a message.
type Row func(rows []byte, m *samp.Found) []byte

// rowCache holds rows, each behind its sender, whose lines need not be read again.
type rowCache struct {
	mu    sync.Mutex // guards parts
	parts [][]byte
	used  atomic.Int64
}

const (
	// maxRowBytes is about how many bytes of rows are kept.
	maxRowBytes = 18 << 20
	// partBits is the room for a place in a part.
	partBits = 15
	// partSize is the length of a part.
	partSize = 1 << partBits
	// maxRow is the room for nearly every row with its sender. A longer one may not be kept.
	maxRow = 1 << 10
	// rowHead are the bytes before a sender: its length, and that of the row behind it.
	rowHead = 4
)

func (k *rowCache) room() bool { return k.used.Load() < maxRowBytes }

// open returns an empty part, and its place.
func (k *rowCache) open() (part []byte, place uint32) {
	part = make([]byte, partSize)
	k.used.Add(partSize)
	k.mu.Lock()
	defer k.mu.Unlock()
	k.parts = append(k.parts, part)
	return part[:0], uint32(len(k.parts)-1) << partBits
}

// at returns the sender and the row at a place.
func (k *rowCache) at(place uint32) (from, row []byte) {
	text := k.parts[place>>partBits][place&(1<<partBits-1):]
	end := rowHead + binary.LittleEndian.Uint16(text)
	return text[rowHead:end], text[end : end+binary.LittleEndian.Uint16(text[2:])]
}

// Lines finds all mail for me. It reads every log, but decodes only lines that may be
// addressed to me. worker is for [Lines.Rows], and nil where that is not called: it returns
// what makes the rows, for one goroutine. The caller closes the result.
func (d *Dir) Lines(ctx context.Context, me string, p samp.Profile, worker func() Row) (*Lines, error) {
	return d.lines(ctx, p, &Lines{me: me, seed: maphash.MakeSeed(), worker: worker, rows: new(rowCache)})
}

// lines fills in what an empty scan with a seed and a reader or filter finds.
func (d *Dir) lines(ctx context.Context, p samp.Profile, l *Lines) (*Lines, error) {
	var err error
	l.dir, l.Profile = d, p
	if l.logs, l.Problems, err = d.Logs(); err != nil {
		return nil, err
	}
	if l.ends {
		l.logs = NewestLogs(l.logs)
		l.pieces = ends(l.logs)
	}
	l.hold()
	if err = l.find(ctx); err == nil {
		l.Suspicious, err = l.texts(ctx, l.deduplicate())
		err = cmp.Or(l.failed, err)
	}
	if err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}

// hold opens the logs if they are few, except on Windows, where nobody can replace an
// open file.
func (l *Lines) hold() {
	if len(l.logs) > maxOpen || runtime.GOOS == "windows" {
		return
	}
	l.held = make(map[string]*os.File)
	for _, log := range l.logs {
		// Whoever reads the log reports what is wrong with it.
		if f, err := l.dir.OpenRegular(log.Name); err == nil {
			l.held[log.Name] = f
		}
	}
}

// Close closes the logs that were held open.
func (l *Lines) Close() {
	for _, f := range l.held {
		f.Close()
	}
	l.held = nil
}

// find finds the spots in the pieces of the logs.
func (l *Lines) find(ctx context.Context) error {
	filter := samp.NewFilter(l.me)
	if l.wants != nil {
		filter = samp.KeepAll()
	}
	if l.pieces == nil {
		l.pieces = segments(l.logs)
	}
	parts := make([]part, len(l.pieces))
	problems, err := l.dir.scan(ctx, l.logs, l.pieces, func(n int, s segment) lineread.Visitor {
		p := &parts[n]
		*p = part{Lines: l, filter: filter, log: s.log, stem: l.logs[s.log].Stem}
		if l.worker != nil {
			p.row = l.worker()
		}
		return lineread.Visitor{Line: p.line, Skipped: p.skipped, Flush: p.flush}
	})
	if err != nil {
		return err
	}
	var all [][]location
	for i := range parts {
		all = append(all, parts[i].found...)
		l.other = cmp.Or(l.other, parts[i].other)
		l.bad(l.logs[l.pieces[i].log].Name, parts[i].bad)
		l.pieces[i].to = max(l.pieces[i].from, parts[i].whole)
	}
	l.locations = slices.Concat(all...)
	lineread.Room(int64(len(l.locations)) * int64(unsafe.Sizeof(location{})))
	l.Problems, l.Partial = append(l.Problems, problems...), len(problems) > 0
	return nil
}

// part is what is found in a piece of a log.
type part struct {
	*Lines
	filter samp.Filter
	// receivers are those of the lines.
	receivers samp.Receivers

	log   int
	stem  string
	found [][]location
	bad   BadLines
	other string
	whole int64 // the end of the last whole line
	// pending are copied from here once their number is known: a list that grows leaves twice
	// its length behind.
	pending []location
	// text is the part of the kept rows that is being filled, and place its number. one is
	// the message whose row is made, kept here so that it is not allocated each time.
	row   Row
	text  []byte
	place uint32
	one   samp.Found
}

func (p *part) line(offset int64, raw []byte, long bool) {
	length := len(raw)
	whole := raw[length-1] == '\n'
	if whole {
		p.whole = offset + int64(length)
	} else if p.following {
		return
	}
	filter := p.filter
	if p.wants == nil {
		to, plain := p.receivers.Of(raw)
		mine := plain && string(to) == p.me
		if !mine && p.other == "" && (!plain || differsInCase(to, p.me)) {
			p.other = addressee(bytes.Clone(raw), p.stem, p.me)
		}
		if mine {
			filter = samp.KeepAll() // it is looked at
		} else if plain {
			return // as most lines
		}
	}
	f, verdict := filter.ReadInPlace(raw, p.stem, p.Profile)
	if verdict == samp.Malformed {
		p.bad.add(offset)
	}
	if verdict != samp.ForMe || p.wants != nil && !p.wanted(f) {
		return
	}
	found := location{
		ts: f.TS, offset: offset, id: p.id(KeyOf(&f)),
		length: uint32(min(int64(length), longest)), packed: uint32(p.log)<<3 | uint32(f.Provenance()),
	}
	// What may be forged is read again with its texts.
	if p.row != nil && !long && whole && f.Provenance() != samp.Foreign {
		p.cacheRow(&found, &f)
	}
	if !found.hasRow() {
		found.text = ContentHash(p.seed, &f.Record)
	}
	p.pending = append(p.pending, found)
}

// cacheRow makes the row of a message and keeps it, if there is room.
func (p *part) cacheRow(s *location, f *samp.Found) {
	if !p.rows.room() {
		return
	}
	p.one = *f
	p.one.Rank, p.one.Offset = p.log, s.offset
	if cap(p.text)-len(p.text) < maxRow {
		p.text, p.place = p.rows.open()
	}
	begin := len(p.text)
	text := append(append(p.text, make([]byte, rowHead)...), f.From...)
	row := len(text)
	if text = p.row(text, &p.one); cap(text) != cap(p.text) {
		return // it did not fit
	}
	binary.LittleEndian.PutUint16(text[begin:], uint16(row-begin-rowHead))
	binary.LittleEndian.PutUint16(text[begin+2:], uint16(len(text)-row))
	s.length, s.packed, p.text = p.place|uint32(begin), s.packed|rowFlag, text
}

// wanted has its own copy of a record, which stands on the heap.
func (l *Lines) wanted(f samp.Found) bool { return l.wants(&f) }

func (p *part) skipped(s lineread.Skipped) {
	if s.Whole {
		p.whole = s.End
	} else if p.following {
		return
	}
	p.bad.skipped(s)
}

func (p *part) flush() {
	if len(p.pending) > 0 {
		p.found = append(p.found, slices.Clone(p.pending))
		p.pending = p.pending[:0]
	}
}

func (l *Lines) id(k Key) uint64 { return maphash.Comparable(l.seed, k) }

// deduplicate sorts the spots, keeps those that are shown, and returns those that may be forged,
// as [samp.Choose] decides. TestLinesAsInbox and FuzzLines compare that with texts in place
// of hashes.
func (l *Lines) deduplicate() (suspects []location) {
	l.locations = merged(l.locations)
	all := copies{Lines: l, r: LineReader{dir: l.dir, held: l.held}}
	defer all.r.Close()
	shown, forged := samp.Choose(&all, maphash.Comparable(l.seed, 0))
	for _, i := range forged {
		suspects = append(suspects, l.locations[i])
	}
	l.Replicas = len(l.locations) - len(suspects)
	kept := l.locations[:0]
	for i := range l.locations {
		if shown[i] {
			kept = append(kept, l.locations[i])
		}
	}
	l.locations = kept
	l.Replicas -= len(kept)
	l.failed = all.err
	return suspects
}

// merged sorts spots in the order of the scan by time. Logs are written in order of time: it
// merges the runs that stand in order, two at a time. It may overwrite list.
func merged(list []location) []location {
	var ends []int
	for i := range list {
		if i > 0 && list[i].ts < list[i-1].ts {
			ends = append(ends, i)
		}
	}
	ends = append(ends, len(list))
	if len(ends) == 1 {
		return list
	}
	for out := make([]location, len(list)); len(ends) > 1; list, out = out, list {
		into, begin := ends[:0], 0
		for i := 0; i < len(ends); i += 2 {
			middle, end := ends[i], ends[min(i+1, len(ends)-1)]
			merge(out[begin:end], list[begin:middle], list[middle:end])
			into, begin = append(into, end), end
		}
		ends = into
	}
	return list
}

// merge fills out with two sorted lists. Of one second the first list comes first.
func merge(out, a, b []location) {
	for i := range out {
		if len(b) == 0 || len(a) > 0 && a[0].ts <= b[0].ts {
			out[i], a = a[0], a[1:]
		} else {
			out[i], b = b[0], b[1:]
		}
	}
}

// copies are [samp.Copies]. The content of a kept message is read again if another message has
// the same second, which is rare.
type copies struct {
	*Lines
	r    LineReader
	text []byte
	err  error
}

func (c *copies) Len() int        { return len(c.locations) }
func (c *copies) ID(i int) uint64 { return c.locations[i].id }

func (c *copies) At(i int) samp.Position {
	p := &c.locations[i]
	return samp.Position{TS: p.ts, Offset: p.offset, Rank: p.log(), Provenance: p.provenance()}
}

func (c *copies) Content(i int) uint64 {
	s := &c.locations[i]
	if s.text == 0 && c.err == nil {
		var f samp.Found
		if f, c.text, c.err = c.message(&c.r, c.text[:0], s); c.err == nil {
			s.text = ContentHash(c.seed, &f.Record)
		}
	}
	return s.text
}

// mail reads the messages, and those of forged, into memory.
func (l *Lines) mail(ctx context.Context, forged []location) (m Mail, err error) {
	m = l.Mail
	if m.Messages, err = l.texts(ctx, l.locations); err == nil && len(forged) > 0 {
		m.Suspicious, err = l.texts(ctx, forged)
	}
	return m, err
}

func (l *Lines) texts(ctx context.Context, spots []location) (list []samp.Found, err error) {
	part := *l
	part.locations = spots
	for m, err := range part.All(ctx) {
		if err != nil {
			return nil, err
		}
		f := *m
		if len(f.Body) <= mostReused { // the buffer of a longer one is its own
			f = CloneFound(m)
		}
		list = append(list, f)
	}
	return list, nil
}

// Len is the number of messages.
func (l *Lines) Len() int { return len(l.locations) }

// Newest drops all messages but the n newest.
func (l *Lines) Newest(n int) { l.locations = l.locations[max(0, len(l.locations)-n):] }

// Filter drops the messages for which keep returns false. It reads every message.
func (l *Lines) Filter(ctx context.Context, keep func(*samp.Found) bool) error {
	var kept []location
	i := 0
	for m, err := range l.All(ctx) {
		if err != nil {
			return err
		}
		if keep(m) {
			kept = append(kept, l.locations[i])
		}
		i++
	}
	l.locations = kept
	return nil
}

// Verbatim writes the messages' lines as [Dir.Verbatim] does.
func (l *Lines) Verbatim(w io.Writer) error {
	r := LineReader{dir: l.dir, held: l.held}
	defer r.Close()
	for i := range l.locations {
		s := &l.locations[i]
		if err := r.copyLine(w, l.logs[s.log()].Name, s.offset); err != nil {
			return err
		}
	}
	return nil
}

const (
	// blockMessages and blockBytes are how much is read at a time; a longer line is a
	// block of its own.
	blockMessages = 256
	blockBytes    = 256 << 10
	// mostReused is the length up to which the buffer of a block is used for another one.
	mostReused = 2 * blockBytes
	// longest stands for a length that does not fit into a spot.
	longest = 1<<32 - 1
)

// block is a part of the messages that was read.
type block struct {
	found []samp.Found
	text  []byte
	rows  []byte
	from  map[string]struct{} // whose rows they are
	err   error
}

// All walks the messages in order, the oldest first. A message is valid until the next
// one. As many workers as there are processors read ahead. If a log was rewritten since,
// All ends with an error: what stands there now may be another message.
func (l *Lines) All(ctx context.Context) iter.Seq2[*samp.Found, error] {
	return func(yield func(*samp.Found, error) bool) {
		for b := range l.blocks(ctx, nil) {
			for i := range b.found {
				if !yield(&b.found[i], nil) {
					return
				}
			}
			if b.err != nil {
				yield(nil, b.err)
				return
			}
		}
	}
}

// Rows walks the rows of the messages, many at a time, as [Lines.All] walks the messages.
func (l *Lines) Rows(ctx context.Context) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		l.senders = make(map[string]struct{})
		for b := range l.blocks(ctx, l.worker) {
			if !yield(b.rows, nil) {
				return
			}
			if b.err != nil {
				yield(nil, b.err)
				return
			}
			maps.Copy(l.senders, b.from)
		}
	}
}

// HasRows reports whether the lines were made for [Lines.Rows].
func (l *Lines) HasRows() bool { return l.worker != nil }

// Senders are those whose rows [Lines.Rows] walked.
func (l *Lines) Senders() map[string]struct{} { return l.senders }

// blocks walks the messages in blocks. A block is valid until the next one.
func (l *Lines) blocks(ctx context.Context, worker func() Row) iter.Seq[*block] {
	return func(yield func(*block) bool) {
		ends := l.cut()
		workers := min(runtime.GOMAXPROCS(0), len(ends))
		// A worker takes a ticket before it takes a number, and the consumer returns it.
		// So there are never more blocks on the way than tickets, and each has a slot.
		tickets := make(chan *block, 2*workers)
		slots := make([]chan *block, cap(tickets))
		for i := range slots {
			slots[i] = make(chan *block, 1)
			tickets <- new(block)
		}
		ctx, stop := context.WithCancel(ctx)
		var next atomic.Int64
		var wg sync.WaitGroup
		defer wg.Wait()
		defer stop()
		for range workers {
			var format Row
			if worker != nil {
				format = worker()
			}
			wg.Go(func() {
				r := LineReader{dir: l.dir, held: l.held}
				defer r.Close()
				for {
					select {
					case <-ctx.Done():
						return
					case b := <-tickets:
						n := int(next.Add(1)) - 1
						if n >= len(ends) {
							return
						}
						first := 0
						if n > 0 {
							first = ends[n-1]
						}
						l.read(&r, b, l.locations[first:ends[n]], format)
						slots[n%len(slots)] <- b
					}
				}
			})
		}
		for n := range ends {
			var b *block
			select {
			case <-ctx.Done():
				yield(&block{err: ctx.Err()})
				return
			case b = <-slots[n%len(slots)]:
			}
			if !yield(b) {
				return
			}
			tickets <- b
		}
	}
}

// Since walks the messages from a second on, in order, as [Lines.All] does.
func (l *Lines) Since(ctx context.Context, ts int64) iter.Seq2[*samp.Found, error] {
	part := *l
	part.locations = l.locations[l.first(ts):]
	return part.All(ctx)
}

// LastSecond returns the newest second, up to one, in which there is a message, and before
// all others if there is none.
func (l *Lines) LastSecond(most int64) int64 {
	if i := l.first(most + 1); i > 0 {
		return l.locations[i-1].ts
	}
	return math.MinInt64
}

// first returns the place of the first message from a second on.
func (l *Lines) first(ts int64) int {
	i, _ := slices.BinarySearchFunc(l.locations, ts, func(s location, ts int64) int { return cmp.Compare(s.ts, ts) })
	return i
}

// cut returns where each block ends.
func (l *Lines) cut() []int {
	var ends []int
	first, size := 0, 0
	for i := range l.locations {
		length := 0
		if s := &l.locations[i]; !s.hasRow() {
			length = int(s.length)
		}
		if i > first && (i-first == blockMessages || size+length > blockBytes) {
			ends = append(ends, i)
			first, size = i, 0
		}
		size += length
	}
	if len(l.locations) > 0 {
		ends = append(ends, len(l.locations))
	}
	return ends
}

// read fills a block, which may have been filled before, with messages or with rows.
func (l *Lines) read(r *LineReader, b *block, spots []location, row Row) {
	b.found, b.text, b.rows, b.from, b.err = b.found[:0], b.text[:0], b.rows[:0], make(map[string]struct{}), nil
	if cap(b.text) > mostReused {
		b.text = nil
	}
	for i := range spots {
		s := &spots[i]
		if row != nil && s.hasRow() {
			from, kept := l.rows.at(s.length)
			b.rows = append(b.rows, kept...)
			if _, known := b.from[string(from)]; !known {
				b.from[string(from)] = struct{}{}
			}
			continue
		}
		var f samp.Found
		if f, b.text, b.err = l.message(r, b.text, s); b.err != nil {
			return
		}
		if row == nil {
			b.found = append(b.found, f)
			continue
		}
		b.rows, b.text = row(b.rows, &f), b.text[:0]
		b.from[strings.Clone(f.From)] = struct{}{}
	}
}

// message reads one message, whose strings are cut from what is added to text.
func (l *Lines) message(r *LineReader, text []byte, s *location) (samp.Found, []byte, error) {
	log := l.logs[s.log()]
	length := int64(s.length)
	if s.hasRow() {
		length = 0
	}
	begin := len(text)
	var err error
	if text, err = r.Append(text, log.Name, s.offset, length); err != nil {
		return samp.Found{}, text, fmt.Errorf("store: read %q: %w", filepath.Join(l.dir.path, log.Name), disk.Cause(err))
	}
	rec, err := samp.ParseInPlace(text[begin:])
	f := samp.Found{Record: rec, Key: samp.EffectiveID(&rec, l.Profile), Stem: log.Stem, Rank: s.log(), Offset: s.offset}
	if err != nil || rec.TS != s.ts || l.id(KeyOf(&f)) != s.id {
		return samp.Found{}, text, fmt.Errorf("store: read %q: %w", filepath.Join(l.dir.path, log.Name), errRewritten)
	}
	return f, text, nil
}

var errRewritten = errors.New("the log was rewritten meanwhile; run it again")
