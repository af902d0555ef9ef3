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

// Lines is the result of one scan of the logs: all mail for one reader (§6, modes all, raw and
// N), or the part of everybody's mail that a filter accepts. It holds no texts, only some
// cached rows: texts are read again from the logs when they are shown. A message takes 40
// bytes of memory instead of a kilobyte, so that an inbox of a million stays small.
//
// If there are few logs, they are held open until [Lines.Close], so that a log that is
// compacted or removed meanwhile is shown as it was.
type Lines struct {
	// Mail holds the problems and the forged records that the scan found. It has no Messages.
	Mail

	dir       *Dir
	me        string
	otherCase string // a receiver of mail that differs from me only in case, or ""
	// wants filters everybody's mail. It is nil for mail to me.
	wants    func(*samp.Found) bool
	onlyEnds bool // limits the scan to the ends of the newest logs
	logs     []Log
	// pieces lists the parts of the logs to read, nil for all of them. After reading, each ends at
	// the end of its last whole line. If following is set, a line without a line end is skipped.
	pieces     []segment
	following  bool
	locations  []location
	seed       maphash.Seed
	held       map[string]*os.File
	contentErr error // why the content of a message could not be read again
	// worker returns a function that makes the rows of a list, for one goroutine. rows caches
	// the rows that the scan made. Both are unused if [Lines.Rows] is not called.
	worker  func() Row
	rows    *rowCache
	senders map[string]struct{}
}

// location is the place of a message in its log, with hashes that distinguish it from others.
type location struct {
	ts, offset int64
	// id is a hash of the sender and the effective id. text is a [ContentHash]; for a message
	// with a cached row it is 0 until it is needed. The seed is secret, so that no one can
	// write two messages with one hash.
	id, text uint64
	// length is the length of the line with its line end, at most [maxLength]. For a message
	// with a cached row it is the row's place in the [rowCache] instead.
	length uint32
	// packed is the log's number, then rowFlag, and in the last two bits the [samp.Provenance].
	packed uint32
}

const rowFlag = 1 << 2

func (s *location) log() int                    { return int(s.packed >> 3) }
func (s *location) hasRow() bool                { return s.packed&rowFlag != 0 }
func (s *location) provenance() samp.Provenance { return samp.Provenance(s.packed & 3) }

// Row appends a message's row in a list to rows.
type Row func(rows []byte, m *samp.Found) []byte

// rowCache holds rows, each preceded by its sender, so that their lines need not be read again.
type rowCache struct {
	mu    sync.Mutex // guards parts
	parts [][]byte
	used  atomic.Int64
}

const (
	// maxRowBytes is about how many bytes of rows are cached.
	maxRowBytes = 18 << 20
	// partBits is the number of bits of a place within a part.
	partBits = 15
	// partSize is the length of a part.
	partSize = 1 << partBits
	// maxRow is enough for nearly every row with its sender. A longer row may not be cached.
	maxRow = 1 << 10
	// rowHeader is the number of bytes before a sender: two for its length and two for the
	// row's length.
	rowHeader = 4
)

func (k *rowCache) hasRoom() bool { return k.used.Load() < maxRowBytes }

// newPart returns an empty part and its place.
func (k *rowCache) newPart() (part []byte, place uint32) {
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
	end := rowHeader + binary.LittleEndian.Uint16(text)
	return text[rowHeader:end], text[end : end+binary.LittleEndian.Uint16(text[2:])]
}

// Lines finds all mail for me. It reads every log, but decodes only lines that may be
// addressed to me. worker returns a function that makes rows, for one goroutine; it is nil if
// [Lines.Rows] is not called. The caller closes the result.
func (d *Dir) Lines(ctx context.Context, me string, p samp.Profile, worker func() Row) (*Lines, error) {
	return d.lines(ctx, p, &Lines{me: me, seed: maphash.MakeSeed(), worker: worker, rows: new(rowCache)})
}

// lines runs the scan that l describes by its seed and its reader or filter, and returns l.
func (d *Dir) lines(ctx context.Context, p samp.Profile, l *Lines) (*Lines, error) {
	var err error
	l.dir, l.Profile = d, p
	if l.logs, l.Problems, err = d.Logs(); err != nil {
		return nil, err
	}
	if l.onlyEnds {
		l.logs = NewestLogs(l.logs)
		l.pieces = ends(l.logs)
	}
	l.hold()
	if err = l.find(ctx); err == nil {
		l.Suspicious, err = l.texts(ctx, l.deduplicate())
		err = cmp.Or(l.contentErr, err)
	}
	if err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}

// hold opens the logs if there are few, except on Windows, where an open file cannot be replaced.
func (l *Lines) hold() {
	if len(l.logs) > maxOpen || runtime.GOOS == "windows" {
		return
	}
	l.held = make(map[string]*os.File)
	for _, log := range l.logs {
		// Reading the log reports why it cannot be opened.
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

// find scans the pieces of the logs for the locations of messages.
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
		l.otherCase = cmp.Or(l.otherCase, parts[i].otherCase)
		l.bad(l.logs[l.pieces[i].log].Name, parts[i].bad)
		l.pieces[i].to = max(l.pieces[i].from, parts[i].wholeEnd)
	}
	l.locations = slices.Concat(all...)
	lineread.Room(int64(len(l.locations)) * int64(unsafe.Sizeof(location{})))
	l.Problems, l.Partial = append(l.Problems, problems...), len(problems) > 0
	return nil
}

// part is the result of scanning a piece of a log.
type part struct {
	*Lines
	filter samp.Filter
	// receivers decodes the receivers of lines.
	receivers samp.Receivers

	log       int
	stem      string
	found     [][]location
	bad       BadLines
	otherCase string
	wholeEnd  int64 // the end of the last whole line
	// pending collects locations, and flush copies them to found: a list that grows would
	// leave twice its length behind as garbage.
	pending []location
	// row makes rows. text is the part of the row cache that is being filled, and place is
	// that part's place. scratch is the message whose row is made, allocated once.
	row     Row
	text    []byte
	place   uint32
	scratch samp.Found
}

func (p *part) line(offset int64, raw []byte, long bool) {
	length := len(raw)
	whole := raw[length-1] == '\n'
	if whole {
		p.wholeEnd = offset + int64(length)
	} else if p.following {
		return
	}
	filter := p.filter
	if p.wants == nil {
		to, plain := p.receivers.Of(raw)
		mine := plain && string(to) == p.me
		if !mine && p.otherCase == "" && (!plain || differsInCase(to, p.me)) {
			p.otherCase = otherCaseReceiver(bytes.Clone(raw), p.stem, p.me)
		}
		if mine {
			filter = samp.KeepAll()
		} else if plain {
			return // the most frequent case
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
		length: uint32(min(int64(length), maxLength)), packed: uint32(p.log)<<3 | uint32(f.Provenance()),
	}
	// A foreign record gets no row: if it may be forged, it is read again with its text.
	if p.row != nil && !long && whole && f.Provenance() != samp.Foreign {
		p.cacheRow(&found, &f)
	}
	if !found.hasRow() {
		found.text = ContentHash(p.seed, &f.Record)
	}
	p.pending = append(p.pending, found)
}

// cacheRow makes the row of a message and caches it, if there is room.
func (p *part) cacheRow(s *location, f *samp.Found) {
	if !p.rows.hasRoom() {
		return
	}
	p.scratch = *f
	p.scratch.Rank, p.scratch.Offset = p.log, s.offset
	if cap(p.text)-len(p.text) < maxRow {
		p.text, p.place = p.rows.newPart()
	}
	begin := len(p.text)
	text := append(append(p.text, make([]byte, rowHeader)...), f.From...)
	row := len(text)
	if text = p.row(text, &p.scratch); cap(text) != cap(p.text) {
		return // the row did not fit
	}
	binary.LittleEndian.PutUint16(text[begin:], uint16(row-begin-rowHeader))
	binary.LittleEndian.PutUint16(text[begin+2:], uint16(len(text)-row))
	s.length, s.packed, p.text = p.place|uint32(begin), s.packed|rowFlag, text
}

// wanted calls wants with a copy of a record, so that only this copy is allocated on the heap.
func (l *Lines) wanted(f samp.Found) bool { return l.wants(&f) }

func (p *part) skipped(s lineread.Skipped) {
	if s.Whole {
		p.wholeEnd = s.End
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

// deduplicate sorts the locations, drops the messages that are not shown, and returns those
// that may be forged, as [samp.Choose] decides. TestLinesAsInbox and FuzzLines compare the
// result with a choice by texts instead of hashes.
func (l *Lines) deduplicate() (suspects []location) {
	l.locations = sortByTime(l.locations)
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
	l.contentErr = all.err
	return suspects
}

// sortByTime returns locations sorted by time, and those of one second in the order of the
// scan. Logs are written in order of time, so sortByTime merges sorted runs, two at a time.
// It may overwrite list.
func sortByTime(list []location) []location {
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

// merge fills out with two sorted lists. Within a second, list a comes first.
func merge(out, a, b []location) {
	for i := range out {
		if len(b) == 0 || len(a) > 0 && a[0].ts <= b[0].ts {
			out[i], a = a[0], a[1:]
		} else {
			out[i], b = b[0], b[1:]
		}
	}
}

// copies implements [samp.Copies]. The content of a message with a cached row is read again if
// another message has the same second, which is rare.
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

// mail reads the messages and the forged records into memory.
func (l *Lines) mail(ctx context.Context, forged []location) (m Mail, err error) {
	m = l.Mail
	if m.Messages, err = l.texts(ctx, l.locations); err == nil && len(forged) > 0 {
		m.Suspicious, err = l.texts(ctx, forged)
	}
	return m, err
}

func (l *Lines) texts(ctx context.Context, locations []location) (list []samp.Found, err error) {
	part := *l
	part.locations = locations
	for m, err := range part.All(ctx) {
		if err != nil {
			return nil, err
		}
		f := *m
		if len(f.Body) <= maxReused { // the buffer of a longer body is not reused
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
	// blockMessages and blockBytes limit a block, the unit that is read at once. A longer line
	// is a block by itself.
	blockMessages = 256
	blockBytes    = 256 << 10
	// maxReused is the largest buffer of a block that is reused for another block.
	maxReused = 2 * blockBytes
	// maxLength is the largest length in a [location]. It also stands for any larger length.
	maxLength = 1<<32 - 1
)

// block holds some messages that were read, or their rows.
type block struct {
	found []samp.Found
	text  []byte
	rows  []byte
	// senders holds the senders of the rows.
	senders map[string]struct{}
	err     error
}

// All walks the messages, oldest first. A message is valid until the next one. As many workers
// as there are processors read ahead. If a log was rewritten since, All ends with an error:
// another message may now be in the place of the message.
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
			maps.Copy(l.senders, b.senders)
		}
	}
}

// HasRows reports whether the lines were made for [Lines.Rows].
func (l *Lines) HasRows() bool { return l.worker != nil }

// Senders returns the senders of the rows that [Lines.Rows] walked.
func (l *Lines) Senders() map[string]struct{} { return l.senders }

// blocks walks the messages in blocks, in order, while several goroutines read ahead. A block is
// valid until the next one. It has messages if newRow is nil, and otherwise rows: newRow is called
// once for each goroutine.
func (l *Lines) blocks(ctx context.Context, newRow func() Row) iter.Seq[*block] {
	return func(yield func(*block) bool) {
		ends := l.blockEnds()
		workers := min(runtime.GOMAXPROCS(0), len(ends))
		// A worker takes a free block before it takes a number, and the loop at the end frees the
		// block after its use. So at most cap(free) numbers are in flight, and block n has
		// ready[n%len(ready)] for itself.
		free := make(chan *block, 2*workers)
		ready := make([]chan *block, cap(free))
		for i := range ready {
			ready[i] = make(chan *block, 1)
			free <- new(block)
		}
		ctx, stop := context.WithCancel(ctx)
		var next atomic.Int64
		var wg sync.WaitGroup
		defer wg.Wait()
		defer stop()
		for range workers {
			var format Row
			if newRow != nil {
				format = newRow()
			}
			wg.Go(func() {
				r := LineReader{dir: l.dir, held: l.held}
				defer r.Close()
				for {
					select {
					case <-ctx.Done():
						return
					case b := <-free:
						n := int(next.Add(1)) - 1
						if n >= len(ends) {
							return
						}
						first := 0
						if n > 0 {
							first = ends[n-1]
						}
						l.read(&r, b, l.locations[first:ends[n]], format)
						ready[n%len(ready)] <- b
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
			case b = <-ready[n%len(ready)]:
			}
			if !yield(b) {
				return
			}
			free <- b
		}
	}
}

// Since walks the messages from a second on, in order, as [Lines.All] does.
func (l *Lines) Since(ctx context.Context, ts int64) iter.Seq2[*samp.Found, error] {
	part := *l
	part.locations = l.locations[l.first(ts):]
	return part.All(ctx)
}

// LastSecond returns the newest second, up to limit, in which there is a message, and the
// smallest second if there is none.
func (l *Lines) LastSecond(limit int64) int64 {
	if i := l.first(limit + 1); i > 0 {
		return l.locations[i-1].ts
	}
	return math.MinInt64
}

// first returns the place of the first message from a second on.
func (l *Lines) first(ts int64) int {
	i, _ := slices.BinarySearchFunc(l.locations, ts, func(s location, ts int64) int { return cmp.Compare(s.ts, ts) })
	return i
}

// blockEnds returns the index at which each block ends.
func (l *Lines) blockEnds() []int {
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

// read fills a block, which may be a used one, with messages or with rows.
func (l *Lines) read(r *LineReader, b *block, locations []location, row Row) {
	b.found, b.text, b.rows, b.senders, b.err = b.found[:0], b.text[:0], b.rows[:0], make(map[string]struct{}), nil
	if cap(b.text) > maxReused {
		b.text = nil
	}
	for i := range locations {
		s := &locations[i]
		if row != nil && s.hasRow() {
			from, cached := l.rows.at(s.length)
			b.rows = append(b.rows, cached...)
			if _, known := b.senders[string(from)]; !known {
				b.senders[string(from)] = struct{}{}
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
		b.senders[strings.Clone(f.From)] = struct{}{}
	}
}

// message appends a message's line to text and returns the message, whose strings share the
// memory of text.
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
