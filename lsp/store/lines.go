package store

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"iter"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/disk"
	"github.com/signalbox-dev/signalbox/lsp/disk/lineread"
	"github.com/signalbox-dev/signalbox/lsp/store/hashtable"
)

// Lines is what one scan of the logs finds: all mail for one reader (§6, modes all, raw and
// N), or what a filter keeps of everybody's. It is without the texts, which are read again
// from the logs when they are shown. A message takes 40 bytes of memory instead of a
// kilobyte, so that an inbox of a million stays small.
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
	logs  []Log
	spots []spot
	seed  maphash.Seed
	held  map[string]*os.File
}

// spot is where a message lies, with hashes that tell it from others.
type spot struct {
	ts, offset int64
	// id is a hash of the sender and the effective id, and text a [ContentHash]. The seed
	// is secret, so that nobody can write two messages with one hash.
	id, text uint64
	// length is the length of the line with its end, at most [longest].
	length uint32
	// filed is the log's number and, in the last two bits, the [samp.Filing].
	filed uint32
}

func (s *spot) log() int            { return int(s.filed >> 2) }
func (s *spot) filing() samp.Filing { return samp.Filing(s.filed & 3) }

// scanned compares two spots in the order of the scan: by log, then by line.
func (s *spot) scanned(o *spot) int {
	return cmp.Or(cmp.Compare(s.log(), o.log()), cmp.Compare(s.offset, o.offset))
}

// Lines finds all mail for me. It reads every log, but decodes only lines that may be
// addressed to me. The caller closes the result.
func (d *Dir) Lines(ctx context.Context, me string, p samp.Profile) (*Lines, error) {
	return d.lines(ctx, p, &Lines{me: me, seed: maphash.MakeSeed()})
}

// lines fills in what an empty scan with a seed and a reader or filter finds.
func (d *Dir) lines(ctx context.Context, p samp.Profile, l *Lines) (*Lines, error) {
	var err error
	l.dir, l.Profile = d, p
	if l.logs, l.Problems, err = d.Logs(); err != nil {
		return nil, err
	}
	l.hold()
	if err = l.find(ctx); err == nil {
		err = l.suspects(ctx, l.gather())
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

func (l *Lines) find(ctx context.Context) error {
	sieve := samp.NewSieve(l.me)
	if l.wants != nil {
		sieve = samp.Everybody()
	}
	pieces := segments(l.logs)
	parts := make([]struct {
		spots [][]spot
		bad   BadLines
		other string
	}, len(pieces))
	problems, err := l.dir.scan(ctx, l.logs, func(part int, s segment) lineread.Visitor {
		out, stem := &parts[part], l.logs[s.log].Stem
		// Spots are copied from here once their number is known. A list that grows
		// leaves twice its length behind.
		var spots []spot
		line := func(offset int64, raw []byte, _ bool) {
			length := len(raw)
			if l.wants == nil {
				to, plain := samp.Receiver(raw)
				if out.other == "" && (!plain || respelled(to, l.me)) {
					out.other = addressee(bytes.Clone(raw), stem, l.me)
				}
				if plain && string(to) != l.me {
					return // as most lines
				}
			}
			switch f, verdict := sieve.ReadInPlace(raw, stem, l.Profile); verdict {
			case samp.Mine:
				if l.wants != nil && !l.wants(&f) {
					return
				}
				spots = append(spots, spot{
					ts: f.TS, offset: offset, id: l.id(KeyOf(&f)), text: ContentHash(l.seed, &f.Record),
					length: uint32(min(int64(length), longest)), filed: uint32(s.log)<<2 | uint32(f.Filing()),
				})
			case samp.Malformed:
				out.bad.add(offset)
			}
		}
		flush := func() {
			if len(spots) > 0 {
				out.spots = append(out.spots, slices.Clone(spots))
				spots = spots[:0]
			}
		}
		return lineread.Visitor{Line: line, Skipped: out.bad.skipped, Flush: flush}
	})
	if err != nil {
		return err
	}
	var all [][]spot
	for i := range parts {
		all = append(all, parts[i].spots...)
		l.other = cmp.Or(l.other, parts[i].other)
		l.bad(l.logs[pieces[i].log].Name, parts[i].bad)
	}
	l.spots = slices.Concat(all...)
	lineread.Room(int64(len(l.spots)) * int64(unsafe.Sizeof(spot{})))
	l.Problems, l.Partial = append(l.Problems, problems...), len(problems) > 0
	return nil
}

func (l *Lines) id(k Key) uint64 { return maphash.Comparable(l.seed, k) }

// gather sorts the spots, keeps those that are shown, and returns those that may be forged.
// It follows the rule of [samp.Gather], for hashes instead of texts. TestLinesAsInbox and
// FuzzLines compare the two.
func (l *Lines) gather() (suspects []spot) {
	slices.SortFunc(l.spots, func(a, b spot) int {
		if a.ts != b.ts {
			return cmp.Compare(a.ts, b.ts)
		}
		return a.scanned(&b)
	})
	g := newGatherer(l.spots)
	if !g.passes() {
		order := make([]uint32, len(l.spots))
		for i := range order {
			order[i] = uint32(i)
		}
		slices.SortFunc(order, func(a, b uint32) int { return l.spots[a].scanned(&l.spots[b]) })
		g = newGatherer(l.spots)
		g.order = order
		g.passes()
	}
	found := len(l.spots)
	for i := range l.spots {
		if s := &l.spots[i]; s.filing() == samp.Misfiled && (alone(l.spots, i) || !g.has(s.text)) {
			suspects = append(suspects, *s)
		}
	}
	kept := l.spots[:0]
	for i := range l.spots {
		if g.take[i] {
			kept = append(kept, l.spots[i])
		}
	}
	l.spots = kept
	l.Replicas = found - len(kept) - len(suspects)
	return suspects
}

// suspects reads what may be forged.
func (l *Lines) suspects(ctx context.Context, spots []spot) error {
	part := *l
	part.spots = spots
	for m, err := range part.All(ctx) {
		if err != nil {
			return err
		}
		l.Suspicious = append(l.Suspicious, CloneFound(m))
	}
	return nil
}

// gatherer decides which spots are shown.
type gatherer struct {
	spots      []spot
	take       []bool
	ids, texts hashtable.Table
	// order is the order of the scan. Nil stands for the order by time, which has the
	// same outcome unless one id stands for two times.
	order []uint32
}

func newGatherer(spots []spot) *gatherer {
	var key [8]byte
	_, _ = rand.Read(key[:]) // which never fails
	g := &gatherer{spots: spots, take: make([]bool, len(spots))}
	g.ids.Key = binary.LittleEndian.Uint64(key[:])
	g.texts.Key = g.ids.Key
	g.ids.Reserve(len(spots))
	return g
}

// passes chooses what is shown: originals first, then copies. It gives up and returns
// false if the order by time would choose another record of an id than the scan does.
func (g *gatherer) passes() bool { return g.pass(samp.Own) && g.pass(samp.Copied) }

func (g *gatherer) pass(which samp.Filing) bool {
	for i := range uint32(len(g.spots)) {
		if g.order != nil {
			i = g.order[i]
		}
		s := &g.spots[i]
		if s.filing() != which {
			continue
		}
		if first, twice := g.known(s.id); twice {
			if g.order == nil && first.filing() == which && s.scanned(first) < 0 {
				return false
			}
			continue
		}
		if !alone(g.spots, int(i)) {
			if g.has(s.text) {
				continue
			}
			g.texts.Add(s.text, i, func(n uint32) uint64 { return g.spots[n].text })
		}
		g.ids.Add(s.id, i, func(n uint32) uint64 { return g.spots[n].id })
		g.take[i] = true
	}
	return true
}

// known returns the spot that was chosen for an id.
func (g *gatherer) known(id uint64) (*spot, bool) {
	for n := range g.ids.Find(id) {
		if s := &g.spots[n]; s.id == id {
			return s, true
		}
	}
	return nil, false
}

// has reports whether a text was chosen that is not alone in its second.
func (g *gatherer) has(text uint64) bool {
	for n := range g.texts.Find(text) {
		if g.spots[n].text == text {
			return true
		}
	}
	return false
}

// alone reports whether no other spot has the same second. Then no other message has the
// same content, which includes the time.
func alone(spots []spot, i int) bool {
	ts := spots[i].ts
	return (i == 0 || spots[i-1].ts != ts) && (i+1 == len(spots) || spots[i+1].ts != ts)
}

// Len is the number of messages.
func (l *Lines) Len() int { return len(l.spots) }

// Newest drops all messages but the n newest.
func (l *Lines) Newest(n int) { l.spots = l.spots[max(0, len(l.spots)-n):] }

// Keep drops the messages for which keep returns false. It reads every message.
func (l *Lines) Keep(ctx context.Context, keep func(*samp.Found) bool) error {
	var kept []spot
	i := 0
	for m, err := range l.All(ctx) {
		if err != nil {
			return err
		}
		if keep(m) {
			kept = append(kept, l.spots[i])
		}
		i++
	}
	l.spots = kept
	return nil
}

// Verbatim writes the messages' lines as [Dir.Verbatim] does.
func (l *Lines) Verbatim(w io.Writer) error {
	return l.dir.copyLines(w, l.held, func(yield func(string, int64) bool) {
		for i := range l.spots {
			if s := &l.spots[i]; !yield(l.logs[s.log()].Stem, s.offset) {
				return
			}
		}
	})
}

const (
	// blockMessages and blockBytes are how much is read at a time; a longer line is a
	// block of its own.
	blockMessages = 256
	blockBytes    = 256 << 10
	// longest stands for a length that does not fit into a spot.
	longest = 1<<32 - 1
)

// block is a part of the messages that was read.
type block struct {
	found []samp.Found
	text  []byte
	err   error
}

// All walks the messages in order, the oldest first. A message is valid until the next
// one. As many workers as there are processors read ahead. If a log was rewritten since,
// All ends with an error: what stands there now may be another message.
func (l *Lines) All(ctx context.Context) iter.Seq2[*samp.Found, error] {
	return func(yield func(*samp.Found, error) bool) {
		ends := l.blocks()
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
			wg.Go(func() {
				r := lineFiles{dir: l.dir, held: l.held}
				defer r.close()
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
						l.read(&r, b, l.spots[first:ends[n]])
						slots[n%len(slots)] <- b
					}
				}
			})
		}
		for n := range ends {
			var b *block
			select {
			case <-ctx.Done():
				yield(nil, ctx.Err())
				return
			case b = <-slots[n%len(slots)]:
			}
			for i := range b.found {
				if !yield(&b.found[i], nil) {
					return
				}
			}
			if b.err != nil {
				yield(nil, b.err)
				return
			}
			tickets <- b
		}
	}
}

// Since walks the messages from a second on, in order, as [Lines.All] does.
func (l *Lines) Since(ctx context.Context, ts int64) iter.Seq2[*samp.Found, error] {
	part := *l
	part.spots = l.spots[l.first(ts):]
	return part.All(ctx)
}

// LastSecond returns the newest second, up to one, in which there is a message, and before
// all others if there is none.
func (l *Lines) LastSecond(most int64) int64 {
	if i := l.first(most + 1); i > 0 {
		return l.spots[i-1].ts
	}
	return math.MinInt64
}

// first returns the place of the first message from a second on.
func (l *Lines) first(ts int64) int {
	i, _ := slices.BinarySearchFunc(l.spots, ts, func(s spot, ts int64) int { return cmp.Compare(s.ts, ts) })
	return i
}

// blocks returns where each block ends.
func (l *Lines) blocks() []int {
	var ends []int
	first, size := 0, 0
	for i := range l.spots {
		length := int(l.spots[i].length)
		if i > first && (i-first == blockMessages || size+length > blockBytes) {
			ends = append(ends, i)
			first, size = i, 0
		}
		size += length
	}
	if len(l.spots) > 0 {
		ends = append(ends, len(l.spots))
	}
	return ends
}

// read fills a block, which may have been filled before.
func (l *Lines) read(r *lineFiles, b *block, spots []spot) {
	b.found, b.text, b.err = b.found[:0], b.text[:0], nil
	if cap(b.text) > 2*blockBytes {
		b.text = nil
	}
	for i := range spots {
		var f samp.Found
		if f, b.text, b.err = l.message(r, b.text, &spots[i]); b.err != nil {
			return
		}
		b.found = append(b.found, f)
	}
}

// message reads one message, whose strings are cut from what is added to text.
func (l *Lines) message(r *lineFiles, text []byte, s *spot) (samp.Found, []byte, error) {
	log := l.logs[s.log()]
	begin := len(text)
	text, err := r.appendLine(text, log.Name, s.offset, int64(s.length))
	if err != nil {
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

// lineFiles keeps a few logs open at a time. Messages in order of time jump between
// logs, and a directory may have more logs than a process may open files.
type lineFiles struct {
	dir *Dir
	// held are open already, and are not closed here.
	held map[string]*os.File
	open map[string]*lineFile
}

// lineFile is an open log and a piece of it: the next message is usually near.
type lineFile struct {
	*os.File
	piece []byte
	begin int64
}

// pieceSize is how much of a log is read at once. Reading it costs little more than
// reading a line.
const pieceSize = 16 << 10

func (r *lineFiles) close() {
	for name, f := range r.open {
		if r.held[name] == nil {
			f.Close()
		}
		delete(r.open, name)
	}
}

func (r *lineFiles) file(name string) (*lineFile, error) {
	if f, ok := r.open[name]; ok {
		return f, nil
	}
	if len(r.open) == maxOpen {
		r.close()
	}
	f := r.held[name]
	if f == nil {
		var err error
		if f, err = r.dir.OpenRegular(name); err != nil {
			return nil, err
		}
	}
	if r.open == nil {
		r.open = make(map[string]*lineFile)
	}
	r.open[name] = &lineFile{File: f}
	return r.open[name], nil
}

// appendLine adds the line of a length that begins at an offset.
func (r *lineFiles) appendLine(text []byte, name string, offset, length int64) ([]byte, error) {
	f, err := r.file(name)
	if err != nil {
		return text, err
	}
	if length <= pieceSize {
		line, err := f.near(offset, length)
		return append(text, line...), err
	}
	if length == longest {
		end, err := lineread.New().LastEnd(f.File, offset)
		if err != nil {
			return text, err
		}
		length = end - offset
	}
	have := len(text)
	text = slices.Grow(text, int(lineread.Room(length)))
	n, err := f.ReadAt(text[have:have+int(length)], offset)
	return text[:have+n], whole(n, length, err)
}

// near returns a line that fits into a piece. It is valid until the next call.
func (f *lineFile) near(offset, length int64) ([]byte, error) {
	if at := offset - f.begin; at >= 0 && at+length <= int64(len(f.piece)) {
		return f.piece[at : at+length], nil
	}
	if f.piece == nil {
		f.piece = make([]byte, 0, pieceSize)
	}
	n, err := f.ReadAt(f.piece[:pieceSize], offset)
	f.piece, f.begin = f.piece[:n], offset
	return f.piece[:min(int64(n), length)], whole(n, length, err)
}

// whole returns the error of a read that had to return length bytes.
func whole(n int, length int64, err error) error {
	switch {
	case int64(n) >= length:
		return nil
	case errors.Is(err, io.EOF):
		return errRewritten
	}
	return err
}
