package index

import (
	"cmp"
	"context"
	"hash/maphash"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/disk/lineread"
	"github.com/signalbox-dev/signalbox/lsp/disk/parallel"
	sampstore "github.com/signalbox-dev/signalbox/lsp/samp"
)

// resolver finds the records that a scan needs to show its hits: records with the same id or
// the same content, which may hide the hits, and the openings of their threads. It stores only
// hashes, from which [samp.Choose] decides, and the texts of openings.
type resolver struct {
	*seeker
	seed maphash.Seed
	// records holds the hits and the openings by their places in the logs, and conflicts the
	// records with the same id or content, by the hash of either.
	records   map[uint64]*record
	conflicts map[uint64][]*record
	count     int // of conflicts
	senders   map[string]string
	threads   map[string]*scanThread

	// ids, texts and named hold the [heads] of the records to look for. contents holds the
	// hashes of their whole contents.
	ids, texts, named hashes
	contents          map[uint64]bool

	mu sync.Mutex // guards records, conflicts and threads while logs are read
}

// record holds what decides whether a record is shown.
type record struct {
	key
	heads
	content    uint64
	from       string
	provenance samp.Provenance
	searched   bool // the logs were searched for its id and content
}

// precedence compares two records. The first of several with one id or content is shown.
func (r *record) precedence(o *record) int {
	return cmp.Or(cmp.Compare(r.provenance, o.provenance), cmp.Compare(r.place, o.place))
}

const (
	// conflictsTried is how many records with one id, or one content, are looked at: the first
	// by precedence. One of these is shown, unless a forger hid all of them with other records.
	conflictsTried = 8
	// maxConflicts is the largest number of conflicts in all.
	maxConflicts = 256 << 10
	// textBytes is how many bytes of lines a scan holds in memory until they are shown.
	textBytes = 16 << 20
	// openingBytes is how many bytes of a thread's first message are stored, for its title.
	openingBytes = 8 << 10
)

// hashes is a set of hashes. One bit rules out most hashes that are not in it.
type hashes struct {
	bits *[1 << 13]uint64
	set  map[uint64]struct{}
}

func (h *hashes) clear() { h.bits, h.set = new([1 << 13]uint64), make(map[uint64]struct{}) }

func (h *hashes) add(hash uint64) {
	h.bits[hash>>6&(1<<13-1)] |= 1 << (hash & 63)
	h.set[hash] = struct{}{}
}

func (h *hashes) has(hash uint64) bool {
	if h.bits[hash>>6&(1<<13-1)]&(1<<(hash&63)) == 0 {
		return false
	}
	_, ok := h.set[hash]
	return ok
}

// scanThread holds what a scan knows about a thread.
type scanThread struct {
	list    []key    // of its oldest messages
	opening *Message // its first message, whose text may be cut
}

// openingsTried is how many of the oldest messages of a thread are tried in turn as its
// opening, since other records may hide some.
const openingsTried = 4

// maxRounds is how often the logs are read at most: first for records that hide a message, then
// for records that hide these, and so on. Only a forger or a broken writer makes more than two
// rounds necessary.
const maxRounds = 12

// spread is an odd factor that makes times differ in all bits.
const spread = 0x9e3779b97f4a7c15

// heads are hashes from the head of a line: id is from sender and id, and text from time, thread
// and sender, with which the content begins.
type heads struct{ id, text, thread uint64 }

func headsOf(seed maphash.Seed, h *samp.Head) heads {
	sender, thread := maphash.Bytes(seed, h.From), maphash.Bytes(seed, h.Thread)
	return heads{maphash.Bytes(seed, h.ID) ^ 3*sender, uint64(h.TS)*spread ^ 5*thread ^ sender, thread}
}

// headsOfRecord is headsOf for a line that was parsed.
func (s *seeker) headsOfRecord(seed maphash.Seed, r *samp.Record) heads {
	return headsOf(seed, &samp.Head{ID: []byte(samp.EffectiveID(r, s.live.profile)), From: []byte(r.From), Thread: []byte(r.Thread), TS: r.TS})
}

// shown returns the hits that are shown, in their order, and the records of the first ones, up
// to textBytes. It stores the openings of their threads. settled is set if all hits are known to
// be shown. shown also adds the hits in the skipped parts of logs to s.hits.
func (s *seeker) shown(ctx context.Context, hits []found, settled bool) ([]found, map[uint64]*samp.Found, error) {
	a := &resolver{
		seeker: s, seed: maphash.MakeSeed(), records: make(map[uint64]*record), conflicts: make(map[uint64][]*record),
		senders: make(map[string]string), threads: make(map[string]*scanThread),
	}
	a.named.clear()
	s.live.forgetScanned()
	texts, size := make(map[uint64]*samp.Found), int64(0)
	err := s.readRecords(ctx, hits, func(at found, f *samp.Found) {
		if !s.matches(&f.Record) {
			return // the log was rewritten meanwhile
		}
		a.records[at.place] = a.recordOf(f)
		a.records[at.place].searched = settled
		if s.live.scannedThread(f.Thread) == nil && a.threads[f.Thread] == nil {
			a.threads[strings.Clone(f.Thread)] = &scanThread{}
			a.named.add(a.records[at.place].thread)
		}
		if size += int64(at.n); size <= textBytes {
			texts[at.place] = f
		}
	})
	if err != nil {
		return nil, nil, err
	}
	shown, err := a.settle(ctx)
	if err != nil {
		return nil, nil, err
	}
	var kept []found
	for _, h := range hits {
		if shown[h.place] {
			kept = append(kept, h)
		}
	}
	return kept, texts, nil
}

// recordOf returns what decides whether f is shown.
func (a *resolver) recordOf(f *samp.Found) *record {
	from, known := a.senders[f.From]
	if !known {
		from = strings.Clone(f.From)
		a.senders[from] = from
	}
	return &record{
		key: key{f.TS, a.rank[f.Rank] | uint64(f.Offset)}, heads: a.headsOfRecord(a.seed, &f.Record),
		content: sampstore.ContentHash(a.seed, &f.Record), from: from, provenance: f.Provenance(),
	}
}

// settle reads the logs until it is known which records are shown. It returns their places.
func (a *resolver) settle(ctx context.Context) (shown map[uint64]bool, err error) {
	shown = a.chooseShown()
	for round := range maxRounds {
		ends := a.nextPass(round == 0)
		if ends == nil {
			break
		}
		if err := a.pass(ctx, ends, round == 0); err != nil {
			return nil, err
		}
		shown = a.chooseShown()
		if err := a.tryOpenings(ctx, shown); err != nil {
			return nil, err
		}
	}
	return shown, a.saveOpenings(ctx, shown)
}

// all returns all known records, by time and place.
func (a *resolver) all() []*record {
	list := slices.Collect(maps.Values(a.records))
	for _, some := range a.conflicts {
		list = append(list, some...)
	}
	slices.SortFunc(list, func(a, b *record) int { return a.compare(b.key) })
	return slices.CompactFunc(list, func(a, b *record) bool { return a.place == b.place })
}

// chooseShown returns the places of the known records that are shown.
func (a *resolver) chooseShown() map[uint64]bool {
	shown, list := make(map[uint64]bool), a.all()
	chosen, _ := samp.Choose(copies(list), maphash.Comparable(a.seed, 0))
	for i, r := range list {
		if chosen[i] {
			shown[r.place] = true
		}
	}
	return shown
}

// copies implements [samp.Copies].
type copies []*record

func (r copies) Len() int             { return len(r) }
func (r copies) ID(i int) uint64      { return r[i].id }
func (r copies) Content(i int) uint64 { return r[i].content }
func (r copies) At(i int) samp.Position {
	return samp.Position{TS: r[i].ts, Offset: int64(r[i].place & (1<<offsetBits - 1)), Rank: int(r[i].place >> offsetBits), Provenance: r[i].provenance}
}

// nextPass collects the hashes to look for, and returns the offset up to which each log must be
// read, or nil if there is nothing new to look for. A record in its sender's own log is hidden
// only by an earlier line there, so the rest need not be read.
func (a *resolver) nextPass(everywhere bool) []int64 {
	a.ids.clear()
	a.texts.clear()
	a.contents = make(map[uint64]bool)
	ownEnds, copied, any := make(map[string]int64), make(map[string]bool), false
	for _, r := range a.all() {
		if r.searched {
			continue
		}
		r.searched, any = true, true
		a.ids.add(r.id)
		a.texts.add(r.text)
		a.contents[r.content] = true
		ownEnds[r.from] = max(ownEnds[r.from], int64(r.place&(1<<offsetBits-1)))
		copied[r.from] = copied[r.from] || r.provenance != samp.Own
	}
	if everywhere = everywhere && len(a.threads)+len(a.skipped) > 0; !any && !everywhere {
		return nil
	}
	ends := make([]int64, len(a.logs))
	for i := range a.logs {
		if everywhere {
			ends[i] = a.logs[i].Info.Size()
			continue
		}
		for from, end := range ownEnds {
			switch where := samp.ProvenanceOf(a.logs[i].Stem, from); {
			case where == samp.Foreign:
			case copied[from]:
				ends[i] = a.logs[i].Info.Size()
			case where == samp.Own:
				ends[i] = max(ends[i], end)
			}
		}
	}
	return ends
}

// pass reads logs up to some offsets for the records to look for. The first pass also looks for
// the messages of the threads, and for hits in the skipped parts.
func (a *resolver) pass(ctx context.Context, ends []int64, first bool) error {
	return a.eachLine(ctx, ends, func() lineVisitor {
		w := &passVisitor{resolver: a, scanner: a.newScanner(ctx), first: first}
		return lineVisitor{w.begin, w.line}
	})
}

// lineVisitor visits the lines of parts of logs. begin is called before the lines of each block
// that was read.
type lineVisitor struct {
	begin func(p part)
	line  func(p part, offset int64, raw []byte)
}

// eachLine visits the lines of logs up to some offsets, in several goroutines.
func (s *seeker) eachLine(ctx context.Context, ends []int64, visitor func() lineVisitor) error {
	list := slices.DeleteFunc(s.parts(), func(p part) bool { return p.from >= ends[p.log] })
	return parallel.Do(ctx, len(list), func() func(int) error {
		v, r := visitor(), s.reader()
		return func(i int) error {
			p := list[i]
			_ = s.dir.ReadLog(ctx, r, s.logs[p.log], p.from, p.to, lineread.Visitor{
				Lines: func(offset int64, raw []byte) {
					v.begin(p)
					for start := 0; start < len(raw); {
						end := lineEnd(raw, start)
						v.line(p, offset+int64(start), raw[start:end])
						start = end
					}
				},
				Line: func(offset int64, raw []byte, _ bool) {
					v.begin(p)
					v.line(p, offset, raw)
				},
			})
			return nil
		}
	})
}

// passVisitor visits lines for [resolver.pass], in one goroutine.
type passVisitor struct {
	*resolver
	scanner *scanner
	first   bool
	look    bool // whether to look for hits in this part
}

func (w *passVisitor) begin(p part) {
	w.scanner.log, w.look = p.log, w.first && w.skipped[p]
	w.scanner.refreshLeast()
}

// line adds the record in a line if it is one to look for.
func (w *passVisitor) line(p part, offset int64, raw []byte) {
	look := w.look
	if h, ok := samp.ParseHead(raw); ok {
		look = look && w.scanner.mayHit(&h, offset)
		hash := headsOf(w.seed, &h)
		if !look && !w.ids.has(hash.id) && !w.texts.has(hash.text) && !(w.first && w.named.has(hash.thread)) {
			return
		}
	}
	length := len(raw)
	rec, err := samp.ParseInPlace(raw)
	if err != nil || samp.ProvenanceOf(w.logs[p.log].Stem, rec.From) == samp.Foreign {
		return
	}
	if look {
		w.scanner.record(&rec, offset, length)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	r := w.recordOf(&samp.Found{Record: rec, Stem: w.logs[p.log].Stem, Rank: p.log, Offset: offset})
	if t := w.threads[rec.Thread]; w.first && t != nil {
		t.add(r.key)
	}
	w.addConflict(w.ids.has(r.id), r.id, r)
	w.addConflict(w.contents[r.content], r.content, r)
}

// addConflict adds a record with a wanted id or content, unless conflictsTried others precede
// it. Only the first of several records with the same id and content is stored.
func (a *resolver) addConflict(wanted bool, hash uint64, r *record) {
	if known := a.records[r.place]; known != nil {
		r = known
	}
	list := a.conflicts[hash]
	at, known := slices.BinarySearchFunc(list, r, (*record).precedence)
	if !wanted || known || at == conflictsTried || a.count == maxConflicts {
		return
	}
	same := func(o *record) bool { return o.id == r.id && o.content == r.content && o.provenance == r.provenance }
	if slices.ContainsFunc(list[:at], same) {
		return
	}
	a.count -= len(list)
	list = slices.Insert(slices.DeleteFunc(list, same), at, r)
	a.conflicts[hash] = list[:min(len(list), conflictsTried)]
	a.count += len(a.conflicts[hash])
}

// add adds a message of the thread, if it is among the oldest.
func (t *scanThread) add(k key) {
	if len(t.list) == openingsTried && k.compare(t.list[openingsTried-1]) >= 0 {
		return
	}
	t.list = append(t.list, k)
	slices.SortFunc(t.list, key.compare)
	t.list = t.list[:min(len(t.list), openingsTried)]
}

// tryOpenings reads the oldest message of each thread that may be shown. Messages that were read
// and are not shown are hidden.
func (a *resolver) tryOpenings(ctx context.Context, shown map[uint64]bool) error {
	var list []found
	for _, t := range a.threads {
		for _, e := range t.list {
			if shown[e.place] {
				break
			}
			if a.records[e.place] == nil {
				list = append(list, found{key: e})
				break
			}
		}
	}
	return a.readRecords(ctx, list, func(at found, f *samp.Found) { a.records[at.place] = a.recordOf(f) })
}

// saveOpenings stores the openings of threads in [Live.scanned].
func (a *resolver) saveOpenings(ctx context.Context, shown map[uint64]bool) error {
	var list []found
	for _, t := range a.threads {
		if i := slices.IndexFunc(t.list, func(k key) bool { return shown[k.place] }); i >= 0 {
			list = append(list, found{key: t.list[i]})
		}
		t.list = nil
	}
	err := a.readRecords(ctx, list, func(_ found, f *samp.Found) {
		if t := a.threads[f.Thread]; t != nil {
			f.Body = f.Body[:min(len(f.Body), openingBytes)]
			opening := sampstore.CloneFound(f)
			m := a.live.scannedMessage(a.logs[f.Rank].Name, &opening)
			t.opening = &m
		}
	})
	a.live.storeScanned(a.threads)
	return err
}

// readRecords reads records by their places, one after the other. It skips records in logs that
// cannot be read or were rewritten meanwhile.
func (s *seeker) readRecords(ctx context.Context, list []found, do func(found, *samp.Found)) error {
	list = slices.Clone(list)
	slices.SortFunc(list, func(x, y found) int { return cmp.Compare(x.place, y.place) })
	lines := s.dir.LineReader()
	defer lines.Close()
	for _, at := range list {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		log, offset := int(at.place>>offsetBits), int64(at.place&(1<<offsetBits-1))
		raw, err := lines.Append(nil, s.logs[log].Name, offset, int64(at.n))
		if err != nil {
			continue
		}
		if rec, err := samp.ParseInPlace(raw); err == nil && rec.TS == at.ts {
			do(at, &samp.Found{Record: rec, Key: samp.EffectiveID(&rec, s.live.profile), Stem: s.logs[log].Stem, Rank: log, Offset: offset})
		}
	}
	return nil
}
