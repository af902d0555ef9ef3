package index

import (
	"cmp"
	"context"
	"hash/maphash"
	"os"
	"slices"
	"sync"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/disk/lineread"
	"github.com/signalbox-dev/signalbox/lsp/disk/parallel"
	"github.com/signalbox-dev/signalbox/lsp/store"
)

// around finds what else has to be known of messages that a scan found: records with the
// same id or the same content, which may hide them, and the openings of their threads.
// [samp.Gather] decides which of all these are shown.
type around struct {
	*seeker
	seed maphash.Seed
	// records are what is known, by their places in the logs, and asked those whose ids and
	// contents were looked for.
	records map[uint64]*samp.Found
	asked   map[uint64]bool
	threads map[string]*scanThread

	// ids, texts and named are hashes of what is looked for: sender and id, sender and time,
	// and thread.
	ids, texts, named hashes

	mu sync.Mutex // guards records and threads while logs are read
}

// hashes is a set of hashes. Most others are told by a bit.
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

// scanThread is what a scan knows of a thread.
type scanThread struct {
	list    []key    // of its oldest messages
	opening *Message // its first message
}

// openingsTried is how many of the oldest messages of a thread are tried in turn, where
// others with the same ids hide some.
const openingsTried = 4

// rounds is how often the logs are read again for what hides what hides a message. Only
// a forger or a broken writer makes more than two necessary.
const rounds = 12

// spread is an odd number that makes of times numbers which differ in all bits.
const spread = 0x9e3779b97f4a7c15

// idHash and textHash are hashes of what makes two records one message.
func (a *around) idHash(from, key string) uint64 {
	return maphash.String(a.seed, key) ^ 3*maphash.String(a.seed, from)
}

func (a *around) textHash(from string, ts int64) uint64 {
	return uint64(ts)*spread ^ maphash.String(a.seed, from)
}

// show returns those of some messages that are shown, in their order, and fills in the
// openings of their threads. With settled they are known to be shown.
func (s *seeker) show(ctx context.Context, hits []found, settled bool) ([]found, []samp.Found, error) {
	a := &around{
		seeker: s, seed: maphash.MakeSeed(), records: make(map[uint64]*samp.Found), asked: make(map[uint64]bool),
		threads: make(map[string]*scanThread),
	}
	if err := a.read(ctx, hits); err != nil {
		return nil, nil, err
	}
	a.named.clear()
	for p, f := range a.records {
		a.asked[p] = settled
		if s.live.scannedThread(f.Thread) == nil {
			a.threads[f.Thread] = &scanThread{}
			a.named.add(maphash.String(a.seed, f.Thread))
		}
	}
	shown, err := a.settle(ctx)
	if err != nil {
		return nil, nil, err
	}
	a.keep(shown)
	var kept []found
	var list []samp.Found
	for _, h := range hits {
		if f, ok := shown[h.place]; ok && f.TS == h.ts && s.matches(&f.Record) {
			kept, list = append(kept, h), append(list, *f)
		}
	}
	return kept, list, nil
}

// settle reads the logs until it is known which records are shown, and returns these.
func (a *around) settle(ctx context.Context) (shown map[uint64]*samp.Found, err error) {
	shown = a.gather()
	for round := range rounds {
		ends := a.ask(round == 0)
		if ends == nil {
			break
		}
		if err := a.pass(ctx, ends, round == 0); err != nil {
			return nil, err
		}
		shown = a.gather()
		if err := a.tryOpenings(ctx, shown); err != nil {
			return nil, err
		}
	}
	return shown, nil
}

// gather returns the records that are shown.
func (a *around) gather() map[uint64]*samp.Found {
	all := make([]samp.Found, 0, len(a.records))
	for _, f := range a.records {
		all = append(all, *f)
	}
	box := samp.Gather(all)
	shown := make(map[uint64]*samp.Found, len(box.Messages))
	for i := range box.Messages {
		shown[a.placeOf(&box.Messages[i])] = &box.Messages[i]
	}
	return shown
}

func (a *around) placeOf(f *samp.Found) uint64 { return a.rank[f.Rank] | uint64(f.Offset) }

// ask takes in which records are to be looked for, and returns how far each log has to be
// read for them, or nil if there is nothing new. A record in its sender's own log is hidden
// only by an earlier line there, so that much need not be read.
func (a *around) ask(everywhere bool) []int64 {
	a.ids.clear()
	a.texts.clear()
	own, copied, any := make(map[string]int64), make(map[string]bool), false
	for p, f := range a.records {
		if a.asked[p] {
			continue
		}
		a.asked[p], any = true, true
		a.ids.add(a.idHash(f.From, f.Key))
		a.texts.add(a.textHash(f.From, f.TS))
		own[f.From] = max(own[f.From], f.Offset)
		copied[f.From] = copied[f.From] || f.Filing() != samp.Own
	}
	if everywhere = everywhere && len(a.threads) > 0; !any && !everywhere {
		return nil
	}
	ends := make([]int64, len(a.logs))
	for i := range a.logs {
		if everywhere {
			ends[i] = a.logs[i].Info.Size()
			continue
		}
		for from, end := range own {
			switch where := samp.FilingOf(a.logs[i].Stem, from); {
			case where == samp.Misfiled:
			case copied[from]:
				ends[i] = a.logs[i].Info.Size()
			case where == samp.Own:
				ends[i] = max(ends[i], end)
			}
		}
	}
	return ends
}

// pass reads logs up to some offsets for what is looked for, the first time also for the
// messages of the threads.
func (a *around) pass(ctx context.Context, ends []int64, threads bool) error {
	return a.eachLine(ctx, ends, func(log int, offset int64, raw []byte) { a.line(log, offset, raw, threads) })
}

// eachLine calls do for the lines of logs up to some offsets, in several goroutines.
func (s *seeker) eachLine(ctx context.Context, ends []int64, do func(log int, offset int64, raw []byte)) error {
	var list []part
	for _, p := range s.parts() {
		if p.from < ends[p.log] {
			list = append(list, p)
		}
	}
	return parallel.Do(ctx, len(list), func() func(int) error {
		r := lineread.New()
		return func(i int) error {
			p := list[i]
			line := func(offset int64, raw []byte) { do(p.log, offset, raw) }
			_ = s.dir.ReadLog(ctx, r, s.logs[p.log], p.from, p.to, lineread.Visitor{
				Lines: func(offset int64, raw []byte) {
					for start := 0; start < len(raw); {
						end := lineEnd(raw, start)
						line(offset+int64(start), raw[start:end])
						start = end
					}
				},
				Line: func(offset int64, raw []byte, _ bool) { line(offset, raw) },
			})
			return nil
		}
	})
}

// line takes in a record if it is looked for.
func (a *around) line(log int, offset int64, raw []byte, threads bool) {
	if h, ok := samp.Peek(raw); ok {
		from := maphash.Bytes(a.seed, h.From)
		wanted := a.ids.has(maphash.Bytes(a.seed, h.ID)^3*from) || a.texts.has(uint64(h.TS)*spread^from)
		if !wanted && !(threads && a.named.has(maphash.Bytes(a.seed, h.Thread))) {
			return
		}
	}
	rec, err := samp.ParseInPlace(raw)
	if err != nil || samp.FilingOf(a.logs[log].Stem, rec.From) == samp.Misfiled {
		return
	}
	f := samp.Found{Record: rec, Key: samp.EffectiveID(&rec, a.live.profile), Stem: a.logs[log].Stem, Rank: log, Offset: offset}
	a.mu.Lock()
	defer a.mu.Unlock()
	if t := a.threads[rec.Thread]; threads && t != nil {
		t.add(key{rec.TS, a.placeOf(&f)})
	}
	if !a.ids.has(a.idHash(rec.From, f.Key)) && !a.texts.has(a.textHash(rec.From, rec.TS)) {
		return
	}
	if _, known := a.records[a.placeOf(&f)]; !known {
		own := store.CloneFound(&f)
		a.records[a.placeOf(&f)] = &own
	}
}

// add takes in a message of the thread.
func (t *scanThread) add(k key) {
	t.list = append(t.list, k)
	slices.SortFunc(t.list, key.compare)
	t.list = t.list[:min(len(t.list), openingsTried)]
}

// tryOpenings reads the first message of each thread that may be shown: what was asked for
// and is not shown is hidden.
func (a *around) tryOpenings(ctx context.Context, shown map[uint64]*samp.Found) error {
	var list []found
	for _, t := range a.threads {
		for _, e := range t.list {
			_, is := shown[e.place]
			if is {
				break
			}
			if !a.asked[e.place] {
				if _, known := a.records[e.place]; !known {
					list = append(list, found{key: e})
				}
				break
			}
		}
	}
	return a.read(ctx, list)
}

// keep keeps the openings of threads for those who show the messages.
func (a *around) keep(shown map[uint64]*samp.Found) {
	for _, t := range a.threads {
		for _, e := range t.list {
			if f, ok := shown[e.place]; ok && t.opening == nil {
				m := a.live.scannedMessage(a.logs[f.Rank].Name, f)
				t.opening = &m
			}
		}
		t.list = nil
	}
	a.live.keepScanned(a.threads)
}

// read reads records by their places.
func (a *around) read(ctx context.Context, list []found) error {
	list = slices.Clone(list)
	slices.SortFunc(list, func(x, y found) int { return cmp.Compare(x.place, y.place) })
	r := lineread.Sized(near)
	for len(list) > 0 {
		log, n := list[0].place>>offsetBits, 1
		for n < len(list) && list[n].place>>offsetBits == log {
			n++
		}
		// A log that cannot be read holds nothing that is shown.
		if f, err := a.dir.OpenRegular(a.logs[log].Name); err == nil {
			for i := range list[:n] {
				a.record(r, f, int(log), &list[i])
			}
			f.Close()
		}
		if list = list[n:]; ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

// record reads one record. A log that was rewritten meanwhile holds another one there.
func (a *around) record(r *lineread.Reader, f *os.File, log int, at *found) {
	offset, length := int64(at.place&(1<<offsetBits-1)), int64(at.n)
	if length == 0 || length == longest {
		end, err := r.LastEnd(f, offset)
		if err != nil {
			return
		}
		length = end - offset
	}
	raw := make([]byte, lineread.Room(length))
	n, _ := f.ReadAt(raw, offset)
	if rec, err := samp.ParseInPlace(raw[:n]); err == nil && rec.TS == at.ts {
		a.records[at.place] = &samp.Found{Record: rec, Key: samp.EffectiveID(&rec, a.live.profile), Stem: a.logs[log].Stem, Rank: log, Offset: offset}
	}
}
