package index

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/signalbox-dev/signalbox/core/mention"
	"github.com/signalbox-dev/signalbox/core/needle"
	"github.com/signalbox-dev/signalbox/core/query"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/disk/lineread"
	sampstore "github.com/signalbox-dev/signalbox/lsp/samp"
)

// seeker is one search.
type seeker struct {
	live   *Live
	idx    *index
	dir    *sampstore.Dir
	query  *query.Query
	word   *mention.Needle // must be mentioned, unless it is nil
	filter lineFilter
	limit  int
	low    key // the search ends here
	// logs are the logs to search, byName their numbers in order of name, and rank the index
	// of each log in byName, shifted as in a key.
	logs   []sampstore.Log
	byName []int
	rank   []uint64
	// indexing is set if the index is not filled yet, and reads if the logs must be read to
	// decide which messages match.
	indexing, reads             bool
	suspicious, byState, byTime bool
	// from, to and threads report which names match, by number. They are nil if all match.
	from, to, threads []bool

	pairs *pairs // set during a scan for all messages
	// high is where a scan begins, and skipped are the parts of logs that its first pass skipped.
	high    key
	skipped map[part]bool

	work, read atomic.Int64
	long       sync.Mutex // held while a line longer than the buffers is in memory

	mu   sync.Mutex // guards the fields below
	hits []found    // the newest that were found, at most twice the limit
	// least is the oldest key that can still be among the hits.
	least key
}

// matchNames decides once for each name whether it matches. The lock is held.
func (s *seeker) matchNames() {
	x := s.idx
	match := func(fits func(string) bool) []bool {
		list := make([]bool, len(*x.names.texts))
		for i, name := range *x.names.texts {
			list[i] = fits(name)
		}
		return list
	}
	if s.query.Has(query.From) {
		s.from = match(s.query.From)
	}
	if s.query.Has(query.To) {
		s.to = match(s.query.To)
	}
	if s.query.Has(query.Thread) || s.query.Has(query.In) {
		s.threads = match(s.matchThread)
	}
}

// fits reports whether an entry may match, by the index alone. Names added since the
// search began belong to new mail, which is not searched. The lock is held.
func (s *seeker) fits(e *entry) bool {
	if s.suspicious {
		if e.state&suspicious == 0 {
			return false
		}
	} else if e.state&linked == 0 {
		return false
	}
	if s.from != nil && !(int(e.from) < len(s.from) && s.from[e.from]) {
		return false
	}
	if s.to != nil && !(int(e.to) < len(s.to) && s.to[e.to]) {
		return false
	}
	if s.threads != nil {
		if name := s.idx.threads[e.thread].name; int(name) >= len(s.threads) || !s.threads[name] {
			return false
		}
	}
	if s.byTime && !s.query.Time(toMillis(e.ts)) {
		return false
	}
	return !s.byState || s.query.State(s.state(e))
}

func (s *seeker) state(e *entry) query.State {
	forged := e.state&suspicious != 0
	mine := e.to == s.idx.me && !forged
	return query.State{
		Unread: mine && e.state&isRead == 0, Read: mine && e.state&isRead != 0,
		Mine: mine || e.from == s.idx.me && !forged, Suspicious: forged,
	}
}

// chunks returns the chunks with entries in a range, newest first.
func (s *seeker) chunks(low, high key) ([]int, error) {
	s.live.mu.RLock()
	defer s.live.mu.RUnlock()
	if s.live.idx != s.idx {
		return nil, errIndexMoved
	}
	spans := s.idx.entries.spans
	var list []int
	for i, p := range spans {
		if p.newest >= low.ts && p.oldest <= high.ts {
			list = append(list, i)
		}
	}
	slices.SortFunc(list, func(a, b int) int { return cmp.Compare(spans[b].newest, spans[a].newest) })
	return list, nil
}

// searchRange adds the hits in a range.
func (s *seeker) searchRange(ctx context.Context, low, high key) error {
	return s.eachChunk(ctx, low, high, func() func(int) error {
		w := worker{seeker: s, filter: s.filter.clone()}
		return func(chunk int) error { return w.searchChunk(ctx, chunk, low, high) }
	})
}

// worker searches one chunk after the other, in one goroutine.
type worker struct {
	*seeker
	filter lineFilter
	lines  []lineAt
	buf    []byte
}

// lineAt is a line that may match.
type lineAt struct {
	key
	n, length uint32
}

func (l *lineAt) offset() int64 { return int64(l.place & (1<<offsetBits - 1)) }
func (l *lineAt) end() int64    { return l.offset() + int64(l.length) }
func (l *lineAt) rank() uint64  { return l.place >> offsetBits }

// mostRuns is how often the log may change from one line to the next before the lines are
// sorted by log.
const mostRuns = 16

func (w *worker) searchChunk(ctx context.Context, chunk int, low, high key) error {
	if least := w.bound(); least.compare(low) > 0 {
		low = least
	}
	w.lines = w.lines[:0]
	runs := 0
	err := w.walk(chunk, low, high, func(k key, e *entry, n uint32) {
		if !w.reads {
			w.add(found{key: k, n: n})
			return
		}
		if last := len(w.lines) - 1; last < 0 || w.lines[last].rank() != k.place>>offsetBits || w.lines[last].place > k.place {
			runs++
		}
		w.lines = append(w.lines, lineAt{k, n, e.length})
	})
	if err != nil || len(w.lines) == 0 {
		return err
	}
	if runs > mostRuns {
		slices.SortFunc(w.lines, func(a, b lineAt) int { return cmp.Compare(a.place, b.place) })
	}
	for rest := w.lines; len(rest) > 0 && ctx.Err() == nil; {
		n := 1
		for n < len(rest) && rest[n].rank() == rest[0].rank() && rest[n].place > rest[n-1].place {
			n++
		}
		if err := w.searchLog(ctx, rest[:n]); err != nil {
			return err
		}
		rest = rest[n:]
	}
	return nil
}

// gap is the largest hole between two wanted lines that we read through instead of
// seeking over.
const gap = 16 << 10

// searchLog looks through lines of one log.
func (w *worker) searchLog(ctx context.Context, lines []lineAt) error {
	f, err := w.dir.OpenRegular(w.logs[w.byName[lines[0].rank()]].Name)
	if err != nil {
		return w.readError(err)
	}
	defer f.Close()
	for len(lines) > 0 && ctx.Err() == nil {
		if lines[0].length > lineread.ChunkSize {
			if err := w.longLine(ctx, f, &lines[0]); err != nil {
				return err
			}
			lines = lines[1:]
			continue
		}
		n, end := 1, lines[0].end()
		for n < len(lines) && lines[n].end()-lines[0].offset() <= lineread.ChunkSize && lines[n].offset()-end <= gap {
			end = lines[n].end()
			n++
		}
		if w.buf == nil {
			w.buf = make([]byte, lineread.ChunkSize)
		}
		buf := w.buf[:end-lines[0].offset()]
		got, err := f.ReadAt(buf, lines[0].offset())
		if err != nil && !errors.Is(err, io.EOF) {
			return w.readError(err)
		}
		w.count(got)
		w.searchLines(buf[:got], lines[:n])
		lines = lines[n:]
	}
	return nil
}

// readError returns err if the search must fail because a log could not be opened or read.
// Only a search for mentions fails, unless the log is gone. Other searches leave the log out,
// and the follower of the directory reports it.
func (w *worker) readError(err error) error {
	if w.word == nil || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

func (s *seeker) count(bytes int) {
	s.read.Add(int64(bytes))
	s.work.Add(int64(bytes))
}

// searchLines looks through lines in memory, and decodes those that may match.
func (w *worker) searchLines(buf []byte, lines []lineAt) {
	defer w.filter.learn(len(lines))
	start := lines[0].offset()
	bytesOf := func(l *lineAt) []byte {
		return buf[min(l.offset()-start, int64(len(buf))):min(l.end()-start, int64(len(buf)))]
	}
	if w.filter.first == nil {
		for i := range lines {
			w.decode(bytesOf(&lines[i]), &lines[i])
		}
		return
	}
	w.filter.first.Reset(buf)
	i := 0
	for at := w.filter.first.Next(0); at >= 0; {
		for i < len(lines) && lines[i].end()-start <= int64(at) {
			i++
		}
		if i == len(lines) {
			return
		}
		if from := int(lines[i].offset() - start); at < from {
			at = w.filter.first.Next(from) // at was in a line that does not match
			continue
		}
		w.decode(bytesOf(&lines[i]), &lines[i])
		at = w.filter.first.Next(int(lines[i].end() - start))
	}
}

// decode parses a line and adds it if it matches. It overwrites raw.
func (w *worker) decode(raw []byte, l *lineAt) {
	if !w.filter.mayMatch(raw) {
		return
	}
	w.work.Add(decodedCost * int64(len(raw)))
	rec, err := samp.ParseInPlace(raw)
	if err == nil && w.query.Text(rec.Body, rec.From, rec.Thread) {
		w.add(found{key: l.key, n: l.n})
	}
}

// longLine looks through a line that is longer than the buffer, and reads the whole line into
// memory only if it may match.
func (w *worker) longLine(ctx context.Context, f *os.File, l *lineAt) error {
	if w.buf == nil {
		w.buf = make([]byte, lineread.ChunkSize)
	}
	may, err := w.filter.mayHold(ctx, f, w.buf, l.offset(), l.end(), w.count)
	if err != nil || !may || ctx.Err() != nil {
		return w.readError(err)
	}
	w.long.Lock()
	defer w.long.Unlock()
	raw := make([]byte, lineread.Room(int64(l.length)))
	n, err := f.ReadAt(raw, l.offset())
	w.count(n)
	if err != nil && !errors.Is(err, io.EOF) {
		return w.readError(err)
	}
	w.decode(raw[:n], l)
	return nil
}

// bound returns the oldest key that can still be among the hits.
func (s *seeker) bound() key {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.least
}

// add adds a hit. The hits may be one more than the limit, to show that there are more.
func (s *seeker) add(h found) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if h.compare(s.least) < 0 {
		return
	}
	s.hits = append(s.hits, h)
	if len(s.hits) >= 2*(s.limit+1) {
		s.trim()
	}
}

// trim drops the oldest hits beyond the limit.
func (s *seeker) trim() {
	slices.SortFunc(s.hits, func(a, b found) int { return b.compare(a.key) })
	if len(s.hits) > s.limit {
		s.hits = s.hits[:s.limit+1]
		s.least = s.hits[s.limit].key
	}
}

// newest returns the hits in order, at most one more than the limit.
func (s *seeker) newest() []found {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.trim()
	return s.hits
}

// lineFilter finds lines that may hold the words, or that mention an exact word, without
// decoding the others.
type lineFilter struct {
	words   []needle.Needle // the rarest first
	finders []finder        // find the words; nil for a word that may be in every line
	exact   *mention.Needle // replaces the words, unless it is nil
	first   finder          // finds the first word; nil if all lines must be decoded
	// lines counts the lines searched for the first word, and tried the lines that may hold it.
	// ruledOut counts, for each other word, how many tried lines it ruled out.
	lines, tried int
	ruledOut     []int
}

// finder finds the places in raw JSON where a word may be, as [needle.Finder] does.
type finder interface {
	Reset(json []byte)
	Next(from int) int
}

// exactFinder finds the spellings of one exact word. Bytes are compared faster than
// letters in either case.
type exactFinder struct {
	word *mention.Needle
	raw  []byte
}

func (f *exactFinder) Reset(raw []byte)  { f.raw = raw }
func (f *exactFinder) Next(from int) int { return f.word.Next(f.raw, from) }

func newLineFilter(words []needle.Needle, exact *mention.Needle) lineFilter {
	s := lineFilter{words: slices.Clone(words), exact: exact}
	for _, w := range words {
		// The words of a phrase are added, since JSON has many forms of white space: a
		// phrase itself cannot be found before a line is decoded.
		s.words = append(s.words, w.Words()...)
	}
	slices.SortStableFunc(s.words, func(a, b needle.Needle) int { return cmp.Compare(b.Weight(), a.Weight()) })
	return s.clone()
}

// clone returns a filter for another goroutine.
func (s *lineFilter) clone() lineFilter {
	c := lineFilter{words: slices.Clone(s.words), exact: s.exact, ruledOut: make([]int, len(s.words))}
	for _, w := range c.words { // each finder needs a needle of its own
		var f finder
		if known, ok := needle.NewFinder(&w); ok {
			f = known
		}
		c.finders = append(c.finders, f)
	}
	c.begin()
	return c
}

// begin starts to search for the first of the words.
func (s *lineFilter) begin() {
	s.lines, s.tried, s.first = 0, 0, nil
	clear(s.ruledOut)
	if s.exact != nil {
		s.first = &exactFinder{word: s.exact}
	} else if len(s.words) > 0 {
		s.first = s.finders[0]
	}
}

// learnAfter is the number of lines after which the words are put into a better order.
const learnAfter = 256

// learn puts the rarest word first, since a word's letters show only roughly how rare it is.
// It chooses another word if that word is rarer among the lines with the first word than the
// first word is among all lines. lines counts the lines searched since the last call.
func (s *lineFilter) learn(lines int) {
	s.lines += lines
	if len(s.words) == 0 || s.first == nil || s.tried < learnAfter {
		return
	}
	best := 0
	for i, n := range s.ruledOut {
		if n > s.ruledOut[best] {
			best = i
		}
	}
	// It must be half as frequent, so that two words do not keep swapping.
	if left := s.tried - s.ruledOut[best]; best > 0 && 2*left*s.lines < s.tried*s.tried {
		s.words[0], s.words[best] = s.words[best], s.words[0]
		s.finders[0], s.finders[best] = s.finders[best], s.finders[0]
	}
	s.begin()
}

// mayHold reports whether a line that does not fit into a buffer may hold the first word. It
// calls count with the number of bytes of each read.
func (s *lineFilter) mayHold(ctx context.Context, f *os.File, buf []byte, offset, end int64, count func(int)) (bool, error) {
	across := s.across()
	if s.first == nil || across > len(buf)/2 {
		return true, nil
	}
	for at := offset; at < end && ctx.Err() == nil; {
		n, err := f.ReadAt(buf[:min(int64(len(buf)), end-at)], at)
		count(n)
		if s.first.Reset(buf[:n]); s.first.Next(0) >= 0 {
			return true, nil
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return false, err
		}
		// A line that was cut meanwhile has no more.
		if err != nil || at+int64(n) >= end {
			break
		}
		// A word across the end of a part is found in the next part.
		at += int64(max(n-across, 1))
	}
	return false, nil
}

// across returns an upper bound for the length of the first word in a log, in bytes.
func (s *lineFilter) across() int {
	switch {
	case s.exact != nil:
		return s.exact.Longest()
	case len(s.words) > 0:
		return s.words[0].KeyBytes()
	}
	return 0
}

// mayMatch reports whether to decode a line in which the first word may be. If there is an exact
// word, the line must mention it. Otherwise no other word may be ruled out.
func (s *lineFilter) mayMatch(raw []byte) bool {
	if s.exact != nil {
		_, _, ok := s.exact.In(raw, mentionParts()...)
		return ok
	}
	s.tried++
	for i := 1; i < len(s.finders); i++ {
		f := s.finders[i]
		if f == nil {
			continue
		}
		if f.Reset(raw); f.Next(0) < 0 {
			s.ruledOut[i]++
			return false
		}
	}
	return true
}
