package index

import (
	"bytes"
	"cmp"
	"context"
	"os"
	"slices"

	"github.com/signalbox-dev/signalbox/core/query"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/disk/lineread"
	"github.com/signalbox-dev/signalbox/lsp/disk/parallel"
	sampstore "github.com/signalbox-dev/signalbox/lsp/samp"
)

// A scan searches the logs on the disk without an index. It looks for the words in raw bytes,
// and parses only lines that may hold them and are not older than a full page. For the first
// page it begins at the ends of the logs, and skips the rest once the page is full: the pass
// for the openings of threads reads all logs anyway, and looks for newer hits there. A scan
// finds the same messages as [Live.Search], in the same order.

const (
	// partSize is [Live.partSize] outside tests. maxParts is about how many parts a log has at
	// most, since a file with holes may have any size.
	partSize = 1 << 20
	maxParts = 4096
)

// part is a part of a log. A line belongs to the part in which it begins.
type part struct {
	log      int
	from, to int64
	after    int // how many parts of the log come after it
}

// parts cuts the logs into parts, the ends of the logs first: they contain most of the newest
// messages, and once these fill a page older messages need not be parsed.
func (s *seeker) parts() (list []part) {
	for i, log := range s.logs {
		size := log.Info.Size()
		step := min(lineread.ChunkSize, s.live.partSize)
		for to, n := size, 0; to > 0; n++ {
			from := max(0, to-step)
			list = append(list, part{i, from, to, n})
			to, step = from, max(s.live.partSize, size/maxParts+1)
		}
	}
	slices.SortStableFunc(list, func(a, b part) int {
		return cmp.Or(cmp.Compare(a.after, b.after), s.logs[b.log].Info.ModTime().Compare(s.logs[a.log].Info.ModTime()))
	})
	return list
}

// scan looks through all logs for messages between s.low and s.high, and adds them to the
// hits. If early is set and there are enough hits, it skips parts that are not the ends of logs.
func (s *seeker) scan(ctx context.Context, early bool) error {
	list := s.parts()
	skip := make([]bool, len(list))
	err := parallel.Do(ctx, len(list), func() func(int) error {
		w, r := s.newScanner(ctx), s.reader()
		return func(i int) error {
			if skip[i] = early && list[i].after > 0 && w.bound() != bottom(); skip[i] {
				return nil
			}
			w.log = list[i].log
			// The follower of the directory reports a log that cannot be read.
			_ = s.dir.ReadLog(ctx, r, s.logs[w.log], list[i].from, list[i].to, lineread.Visitor{
				Lines: w.lines, Wants: w.mayHold,
				Line: func(offset int64, raw []byte, _ bool) { w.line(offset, raw) },
			})
			return nil
		}
	})
	s.skipped = make(map[part]bool)
	for i, p := range list {
		if skip[i] {
			s.skipped[p] = true
		}
	}
	return err
}

// reader returns a reader of logs for one goroutine. All readers together have at most one
// line in memory that does not fit into a buffer.
func (s *seeker) reader() *lineread.Reader {
	r := lineread.New()
	r.Long = &s.long
	return r
}

// scanner looks through parts of logs one after the other, in one goroutine.
type scanner struct {
	*seeker
	ctx    context.Context
	least  key // the oldest that can still be among the hits
	filter lineFilter
	log    int
	names  nameMatches
	buf    []byte
}

func (s *seeker) newScanner(ctx context.Context) *scanner {
	return &scanner{seeker: s, ctx: ctx, least: s.low, filter: s.filter.clone(), names: make(nameMatches)}
}

// naming is a name with the kind of thing that has it.
type naming struct {
	kind query.Kind
	name string
}

// near is the largest distance over which the start of a line is searched line by line.
const near = 1 << 10

// lines looks through whole lines for those with the first word.
func (w *scanner) lines(offset int64, raw []byte) {
	w.refreshLeast()
	next := func(from int) int { return from }
	if w.filter.first != nil {
		w.filter.first.Reset(raw)
		next = w.filter.first.Next
	}
	for end := 0; end < len(raw); {
		at := next(end)
		if at < 0 {
			break
		}
		start := end
		if at-end > near {
			start += bytes.LastIndexByte(raw[end:at], '\n') + 1
		}
		for end = lineEnd(raw, start); end <= at; end = lineEnd(raw, start) {
			start = end
		}
		w.line(offset+int64(start), raw[start:end])
	}
	w.filter.learn(len(raw) / usualLine)
}

// refreshLeast updates least.
func (w *scanner) refreshLeast() {
	if w.least = w.bound(); w.least.compare(w.low) < 0 {
		w.least = w.low
	}
}

// usualLine is roughly the length of a line in bytes.
const usualLine = 256

func lineEnd(raw []byte, start int) int {
	if n := bytes.IndexByte(raw[start:], '\n'); n >= 0 {
		return start + n + 1
	}
	return len(raw)
}

// line adds a line that may hold the first word if it is a message that matches. It
// overwrites raw.
func (w *scanner) line(offset int64, raw []byte) {
	length := len(raw)
	if h, ok := samp.ParseHead(raw); ok && !w.mayHit(&h, offset) || !w.filter.mayMatch(raw) {
		return
	}
	rec, err := samp.ParseInPlace(raw)
	if err == nil && samp.ProvenanceOf(w.logs[w.log].Stem, rec.From) != samp.Foreign {
		w.record(&rec, offset, length)
	}
}

// mayHit reports from the head of a line whether the line may be a hit.
func (w *scanner) mayHit(h *samp.Head, offset int64) bool {
	return w.within(key{h.TS, w.rank[w.log] | uint64(offset)}) && w.namesMatch(h)
}

// record adds a record if it is a hit.
func (w *scanner) record(rec *samp.Record, offset int64, length int) {
	if k := (key{rec.TS, w.rank[w.log] | uint64(offset)}); w.within(k) && w.matches(rec) {
		unique := w.pairs != nil && !w.pairs.mayMatch(w.headsOfRecord(w.pairs.seed, rec))
		w.add(found{k, uint32(min(length, longest)), unique})
	}
}

// longest replaces a length that does not fit into 32 bits.
const longest = 1<<32 - 1

func (w *scanner) within(k key) bool { return k.compare(w.least) >= 0 && k.compare(w.high) < 0 }

// namesMatch reports whether the names in a line match the query.
func (w *scanner) namesMatch(h *samp.Head) bool {
	return w.matchName(query.From, h.From, w.query.From) && w.matchName(query.To, h.To, w.query.To) &&
		(!w.query.Has(query.In) && !w.query.Has(query.Thread) || w.names.fits(query.Thread, h.Thread, w.matchThread))
}

func (w *scanner) matchName(k query.Kind, name []byte, fits func(string) bool) bool {
	return !w.query.Has(k) || w.names.fits(k, name, fits)
}

// nameMatches caches whether names match the query. It is limited to maxNames, since strangers
// may use a new name in each message.
type nameMatches map[naming]bool

const maxNames = 1 << 14

func (m nameMatches) fits(k query.Kind, name []byte, fits func(string) bool) bool {
	is, known := m[naming{k, string(name)}]
	if !known {
		if is = fits(string(name)); len(m) < maxNames {
			m[naming{k, string(name)}] = is
		}
	}
	return is
}

// matchThread reports whether a thread's name matches the query.
func (s *seeker) matchThread(name string) bool {
	return s.query.Thread(name) && s.query.In(query.InMail, name)
}

// matches reports whether a record matches the query.
func (s *seeker) matches(r *samp.Record) bool {
	if !s.query.Time(toMillis(r.TS)) || !s.query.From(r.From) || !s.query.To(r.To) || !s.matchThread(r.Thread) {
		return false
	}
	return s.query.Text(r.Body, r.From, r.Thread) && (!s.byState || s.query.State(s.live.stateOf(r)))
}

// mayHold reports whether a line that does not fit into the reader's buffer may hold the
// first word.
func (w *scanner) mayHold(f *os.File, offset, end int64) bool {
	if w.buf == nil {
		w.buf = make([]byte, lineread.ChunkSize)
	}
	may, _ := w.filter.mayHold(w.ctx, f, w.buf, offset, end, func(int) {})
	return may
}

// newScan prepares a search of all logs.
func (l *Live) newScan(q *query.Query, logs []sampstore.Log) *seeker {
	s := &seeker{live: l, dir: l.dir, query: q, logs: logs, least: bottom(), reads: true}
	s.byState = q.Has(query.Is)
	for i := range logs {
		s.byName = append(s.byName, i)
		s.rank = append(s.rank, uint64(i)<<offsetBits)
	}
	s.filter = newLineFilter(q.Words(), nil)
	return s
}
