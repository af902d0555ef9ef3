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

// A scan searches the logs as they lie on the disk, without an index. It looks for the
// words in raw bytes, and parses only lines that may hold them and are not older than a
// full page. For the first page it begins at the ends of the logs, and leaves the rest once
// the page is full: whoever reads all logs for the openings of threads looks there for what
// is newer. What it finds is what [Live.Search] finds with the index, in that order.

const (
	// partSize is [Live.partSize] but for tests. maxParts is how many parts a log has at most:
	// a file with holes may have any size.
	partSize = 1 << 20
	maxParts = 4096
)

// part is a part of a log. A line belongs to the part in which it begins.
type part struct {
	log      int
	from, to int64
	behind   int // how many parts of the log come behind it
}

// parts cuts the logs, the ends of the logs first: the newest messages mostly stand there,
// and once a page is full of them older ones need not be parsed.
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
		return cmp.Or(cmp.Compare(a.behind, b.behind), s.logs[b.log].Info.ModTime().Compare(s.logs[a.log].Info.ModTime()))
	})
	return list
}

// scan looks through all logs for messages between s.low and s.high, and adds them to the
// hits. With early it leaves parts that are not the ends of logs once there are enough hits.
func (s *seeker) scan(ctx context.Context, early bool) error {
	list := s.parts()
	skip := make([]bool, len(list))
	err := parallel.Do(ctx, len(list), func() func(int) error {
		w, r := s.newScanner(ctx), s.reader()
		return func(i int) error {
			if skip[i] = early && list[i].behind > 0 && w.bound() != bottom(); skip[i] {
				return nil
			}
			w.log = list[i].log
			// Whoever follows the directory reports a log that cannot be read.
			_ = s.dir.ReadLog(ctx, r, s.logs[w.log], list[i].from, list[i].to, lineread.Visitor{
				Lines: w.lines, Wants: w.mayHold,
				Line: func(offset int64, raw []byte, _ bool) { w.line(offset, raw) },
			})
			return nil
		}
	})
	s.left = make(map[part]bool)
	for i, p := range list {
		if skip[i] {
			s.left[p] = true
		}
	}
	return err
}

// reader returns a reader of logs for one goroutine. All of them together have one line at a
// time in memory that does not fit into a buffer.
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
	judged judgements
	buf    []byte
}

func (s *seeker) newScanner(ctx context.Context) *scanner {
	return &scanner{seeker: s, ctx: ctx, least: s.low, filter: s.filter.clone(), judged: make(judgements)}
}

// naming is what is called by a name.
type naming struct {
	kind query.Kind
	name string
}

// near is the distance over which a line's beginning is looked for from the line before.
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

// refreshLeast asks how old a hit may be.
func (w *scanner) refreshLeast() {
	if w.least = w.bound(); w.least.compare(w.low) < 0 {
		w.least = w.low
	}
}

// usualLine is about how long a line is, in bytes.
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
	if h, ok := samp.ParseHead(raw); ok && !w.may(&h, offset) || !w.filter.rest(raw) {
		return
	}
	rec, err := samp.ParseInPlace(raw)
	if err == nil && samp.ProvenanceOf(w.logs[w.log].Stem, rec.From) != samp.Foreign {
		w.record(&rec, offset, length)
	}
}

// may reports whether a line may be a hit by what it begins with.
func (w *scanner) may(h *samp.Head, offset int64) bool {
	return w.within(key{h.TS, w.rank[w.log] | uint64(offset)}) && w.named(h)
}

// record adds a record if it is a hit.
func (w *scanner) record(rec *samp.Record, offset int64, length int) {
	if k := (key{rec.TS, w.rank[w.log] | uint64(offset)}); w.within(k) && w.matches(rec) {
		alone := w.pairs != nil && !w.pairs.of(w.headsOfRecord(w.pairs.seed, rec))
		w.add(found{k, uint32(min(length, longest)), alone})
	}
}

// longest stands for a length that does not fit.
const longest = 1<<32 - 1

func (w *scanner) within(k key) bool { return k.compare(w.least) >= 0 && k.compare(w.high) < 0 }

// named reports whether the names of a line are those that the query asks for.
func (w *scanner) named(h *samp.Head) bool {
	return w.judge(query.From, h.From, w.query.From) && w.judge(query.To, h.To, w.query.To) &&
		(!w.query.Has(query.In) && !w.query.Has(query.Thread) || w.judged.fits(query.Thread, h.Thread, w.thread))
}

func (w *scanner) judge(k query.Kind, name []byte, fits func(string) bool) bool {
	return !w.query.Has(k) || w.judged.fits(k, name, fits)
}

// judgements are what the query says of each name, by what is called so. Names are a
// stranger's: there may be one for each message.
type judgements map[naming]bool

const maxJudged = 1 << 14

func (j judgements) fits(k query.Kind, name []byte, fits func(string) bool) bool {
	is, known := j[naming{k, string(name)}]
	if !known {
		if is = fits(string(name)); len(j) < maxJudged {
			j[naming{k, string(name)}] = is
		}
	}
	return is
}

// thread reports whether a thread is one that is looked for.
func (s *seeker) thread(name string) bool {
	return s.query.Thread(name) && s.query.In(query.InMail, name)
}

// matches reports whether a record is what is searched for.
func (s *seeker) matches(r *samp.Record) bool {
	if !s.query.Time(toMillis(r.TS)) || !s.query.From(r.From) || !s.query.To(r.To) || !s.thread(r.Thread) {
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
