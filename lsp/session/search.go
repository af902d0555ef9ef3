package session

import (
	"bytes"
	"context"
	"slices"

	"github.com/signalbox-dev/signalbox/core/needle"
	"github.com/signalbox-dev/signalbox/core/session"
)

const (
	// searchWindow is how many bytes are searched at once. maxSearched is the length of the
	// longest line that is searched.
	searchWindow = 128 << 10
	maxSearched  = 4 << 20
	// firstPart is how many bytes at the end of a transcript are searched before messages are
	// reported. Each part before it is twice as long, up to maxPart.
	firstPart = 1 << 20
	maxPart   = 64 << 20
	// searchOverlap is how many bytes before and after lines with a word are also read for parts
	// of the same messages. maxBehind is how many bytes before them are read at most.
	searchOverlap = 128 << 10
	maxBehind     = 8 << 20
	// maxNear is the largest length of lines that are read together because their words are close.
	maxNear = 512 << 10
	// idReach is how far before and after lines the other parts of a message are searched for.
	idReach = 1 << 20
	// maxID is the length of the longest id that is recognized.
	maxID = 256
)

// Search searches a transcript from an offset on, which must begin a line. It calls found for
// the messages of lines that may contain the rarest word, if all words may be near. It begins
// with the last lines, and stops when found returns false for all messages of some lines. A
// message may be reported more than once, and may lack parts that are far away. Search stops
// after searching budget bytes; next is then the offset to continue at, otherwise -1.
func (s *Snapshot) Search(ctx context.Context, it *Item, from, budget int64, words []needle.Needle, found func(*session.Message) (more bool)) (next, read int64, err error) {
	f, size, err := it.open()
	if err != nil {
		return -1, 0, wrap(it, err)
	}
	defer f.Close()
	r := &reader{ctx: ctx, item: it, f: f, size: size}
	if r.end, err = r.lineStart(size); err != nil {
		return -1, 0, wrap(it, err)
	}
	w := &wordSearch{reader: r, begun: from, found: found, covered: size}
	w.words = slices.SortedStableFunc(slices.Values(words), func(a, b needle.Needle) int { return b.Weight() - a.Weight() })
	if from == 0 && budget >= r.end && f.packed == nil {
		read, err = w.whole()
		from = r.end
	} else {
		read, _, err = w.part(from, r.end, budget)
		from += read
	}
	if err != nil {
		return -1, read, wrap(it, err)
	}
	if from >= r.end {
		from = -1
	}
	return from, read, nil
}

// whole searches everything from the end on, and no more than needed.
func (w *wordSearch) whole() (read int64, err error) {
	n, more := int64(firstPart), true
	for end := w.end; end > 0 && more; n = min(2*n, maxPart) {
		start, err := w.lineStart(max(0, end-n))
		if err != nil {
			start = 0 // a line is too long
		}
		var got int64
		if got, more, err = w.part(start, end, end-start); err != nil {
			return read, err
		}
		read, end = read+got, start
	}
	return read, nil
}

// part searches complete lines, about most bytes of them, and reports the messages around
// lines with the word, last first.
func (w *wordSearch) part(from, to, most int64) (read int64, more bool, err error) {
	w.to = to
	for from+read < to && read < most {
		n, err := w.window(from + read)
		if err != nil {
			return read, false, err
		}
		read += n
	}
	for more = true; more; {
		last, ok := w.last()
		if !ok {
			break
		}
		w.covered = last.from
		if more, err = w.around(last); err != nil {
			return read, false, err
		}
	}
	return read, more, nil
}

// last takes the last lines with the word whose messages were not reported yet.
func (w *wordSearch) last() (lines span, ok bool) {
	for n := len(w.near) - 1; n >= 0; n-- {
		lines, w.near = w.near[n], w.near[:n]
		if lines.to = min(lines.to, w.covered); lines.from < lines.to {
			return lines, true
		}
	}
	return span{}, false
}

// wordSearch is a search of one transcript.
type wordSearch struct {
	*reader
	words []needle.Needle // rarest first
	begun int64           // where this search began: the bytes before were searched already
	to    int64           // where the part ends that is searched
	found func(*session.Message) (more bool)
	near  []span // lines with the word; those close to each other are one span
	// covered begins a line: the messages of all lines with the word from there on were reported,
	// or are not wanted.
	covered int64
	copies  bool // copies were searched for
	buf     []byte
	// seen caches whether a word may be in a window of the transcript.
	seen map[wordIn]bool
}

// wordIn is a word and a window, by their indexes.
type wordIn struct {
	word   int
	window int64
}

// span is one or several lines, from the first byte to after the last.
type span struct{ from, to int64 }

// window searches one window for lines with the word, and returns its length.
func (w *wordSearch) window(from int64) (int64, error) {
	data, err := w.lines(from)
	if err != nil {
		return 0, err
	}
	if len(data) == 0 {
		// The line is too long to be searched, or the file was cut in the meantime.
		end, err := w.lineEnd(from)
		return min(end, w.to) - from, err
	}
	for _, hit := range w.hits(data, from) {
		if hit.from >= w.covered {
			break
		}
		if n := len(w.near); n > 0 && hit.from-w.near[n-1].to < searchOverlap && hit.to-w.near[n-1].from < maxNear {
			w.near[n-1].to = hit.to
		} else {
			w.near = append(w.near, hit)
		}
	}
	return int64(len(data)), nil
}

// lines returns complete lines from an offset on, valid until the next call.
func (w *wordSearch) lines(from int64) ([]byte, error) {
	for _, most := range []int64{searchWindow, maxSearched} {
		n := min(w.to-from, most)
		w.buf = slices.Grow(w.buf[:0], int(n))[:n]
		data, err := w.into(w.buf, from)
		if err != nil {
			return nil, err
		}
		if end := bytes.LastIndexByte(data, '\n') + 1; end > 0 {
			return data[:end], nil
		}
	}
	return nil, nil
}

// hits returns the lines that may contain the rarest word, or all lines if no word can be
// searched for in raw JSON.
func (w *wordSearch) hits(data []byte, at int64) (list []span) {
	next := func(from int) int { return from }
	if len(w.words) > 0 {
		if f, ok := needle.NewFinder(&w.words[0]); ok {
			f.Reset(data)
			next = f.Next
		}
	}
	for end := 0; end < len(data); {
		i := next(end)
		if i < 0 {
			break
		}
		start := end
		for n := bytes.IndexByte(data[start:i], '\n'); n >= 0; n = bytes.IndexByte(data[start:i], '\n') {
			start += n + 1
		}
		if end = i + bytes.IndexByte(data[i:], '\n') + 1; end == i {
			end = len(data)
		}
		list = append(list, span{at + int64(start), at + int64(end)})
	}
	return list
}

// around reports the messages of lines with the word. It reads more before and after them as
// long as a message has parts that were not read. more is false if no older messages are
// wanted.
func (w *wordSearch) around(lines span) (more bool, err error) {
	after, err := w.following(lines.to)
	if err != nil {
		return false, err
	}
	n, err := w.guessReach(lines)
	if err != nil {
		return false, err
	}
	for {
		data, start, err := w.before(lines, n)
		if err != nil {
			return false, err
		}
		if may, err := w.mayHaveOthers(lines, data, after); err != nil || !may {
			return true, err
		}
		first, near := int64(0), int64(0) // messages from here on are complete
		if start > 0 {
			first = max(start+1, lines.from-n/2)
			near = first
		}
		wide := start == 0 || n > maxBehind/4
		if wide {
			first = start // no more is read
		}
		h, err := w.readAround(data, start, first, near)
		if err != nil {
			return false, err
		}
		if !wide {
			began, err := w.findFirst(h.ids(0), start, lines.from-maxBehind)
			if err != nil {
				return false, err
			}
			if began < start || h.known > lines.from {
				n = min(max(4*n, 2*(lines.from-began)), maxBehind)
				continue
			}
		}
		w.covered = min(w.covered, h.known)
		if err := w.readOn(h, first, after, lines.to); err != nil {
			return false, err
		}
		return w.report(h, first, lines.to), nil
	}
}

// readOn reads the lines after those with a word, as far as the messages that begin at first
// or after it continue, including the calls they make on the way.
func (w *wordSearch) readOn(h *surroundings, first int64, lines []byte, from int64) error {
	for most := min(w.end, from+int64(len(lines))+idReach); ; {
		w.feed(h.log, lines, from)
		from += int64(len(lines))
		_, last, err := w.find(h.ids(first), from, most, false)
		if err != nil || last < 0 {
			return err
		}
		if lines, err = w.read(from, last); err != nil {
			return err
		}
	}
}

// probedLines is how many lines are read to learn how far back their messages may begin.
const probedLines = 4

// guessReach guesses how far before lines their messages begin, so that they need not be read
// again and again from ever further back.
func (w *wordSearch) guessReach(lines span) (int64, error) {
	data, start, err := w.before(span{lines.to, lines.to}, min(lines.to-lines.from+1, searchOverlap))
	if err != nil {
		return 0, err
	}
	h := &surroundings{log: w.log(), late: make(map[int]bool)}
	hits := w.hits(data, start)
	for _, hit := range hits[max(0, len(hits)-probedLines):] {
		w.feed(h.log, data[hit.from-start:hit.to-start], hit.from)
	}
	for i := range h.log.Messages {
		h.late[i] = true
	}
	began, err := w.findFirst(h.ids(0), lines.from-searchOverlap, lines.from-maxBehind)
	return min(2*(lines.from-began)-searchOverlap, maxBehind), err
}

// findFirst returns the beginning of the first line before place that has one of the ids, if
// such lines are no more than idReach from place and each other. Otherwise it returns place.
func (w *wordSearch) findFirst(ids map[string]bool, place, least int64) (int64, error) {
	for to := place; to > max(0, least); to -= idReach {
		at, _, err := w.find(ids, max(0, to-idReach), to, true)
		if err != nil || at < 0 {
			return place, err
		}
		place = at
	}
	return place, nil
}

// before reads lines and up to n bytes before them, from the beginning of a line on.
func (w *wordSearch) before(lines span, n int64) (data []byte, start int64, err error) {
	start = max(0, lines.from-n)
	if data, err = w.read(start, lines.to); err != nil || start == 0 {
		return data, start, err
	}
	head := min(int64(len(data)), lines.from-start)
	skip := int64(bytes.IndexByte(data[:head], '\n') + 1)
	if skip == 0 {
		skip = head
	}
	return data[skip:], start + skip, nil
}

// mayHaveOthers reports whether all words but the rarest may be in lines, or near enough to
// belong to the same message.
func (w *wordSearch) mayHaveOthers(lines span, data, after []byte) (bool, error) {
	for i := 1; i < len(w.words); i++ {
		if w.words[i].MayBeIn(data) || w.words[i].MayBeIn(after) {
			continue
		}
		if may, err := w.mayContain(i, lines.from-maxBehind, lines.to+idReach); err != nil || !may {
			return false, err
		}
	}
	return true, nil
}

// mayContain reports whether a word may be in a part of the transcript. Each window is
// searched once for a word.
func (w *wordSearch) mayContain(word int, from, to int64) (bool, error) {
	n := &w.words[word]
	for i := max(0, from/searchWindow); i*searchWindow < min(to, w.end); i++ {
		in := wordIn{word, i}
		if may, ok := w.seen[in]; may {
			return true, nil
		} else if ok {
			continue
		}
		size := min(searchWindow+int64(n.KeyBytes()), w.end-i*searchWindow)
		w.buf = slices.Grow(w.buf[:0], int(size))[:size]
		data, err := w.into(w.buf, i*searchWindow)
		if err != nil {
			return false, err
		}
		if w.seen == nil {
			w.seen = make(map[wordIn]bool)
		}
		if w.seen[in] = n.MayBeIn(data); w.seen[in] {
			return true, nil
		}
	}
	return false, nil
}

// find returns where the lines with one of the ids begin in a part of the transcript, and
// where they end, or -1. If first is set, end is that of the first such line.
func (w *wordSearch) find(ids map[string]bool, from, to int64, first bool) (begin, end int64, err error) {
	if len(ids) == 0 || from >= to {
		return -1, -1, nil
	}
	w.buf = slices.Grow(w.buf[:0], int(to-from))[:to-from]
	data, err := w.into(w.buf, from)
	begin, end = -1, -1
	for at := 0; ; {
		i := bytes.Index(data[at:], []byte(`d":"`)) // as in "id", "tool_use_id" and "messageId"
		if i < 0 {
			return begin, end, err
		}
		at += i + len(`d":"`)
		n := bytes.IndexByte(data[at:min(len(data), at+maxID+1)], '"')
		if n < 0 || !ids[string(data[at:at+n])] {
			continue
		}
		if begin < 0 {
			begin = from + int64(bytes.LastIndexByte(data[:at], '\n')+1)
		}
		line := bytes.IndexByte(data[at:], '\n')
		if line < 0 {
			return begin, end, err // the line is incomplete
		}
		if end = from + int64(at+line+1); first {
			return begin, end, err
		}
	}
}

// surroundings is what was read around lines with a word.
type surroundings struct {
	log *session.Log
	// known begins a line: all lines with the word from there on belong to messages that were
	// read.
	known int64
	// least is the first message that certainly begins here.
	least int
	// early and late are the messages with the word in lines before and after the beginning of the
	// search. The early ones were reported by an earlier search.
	early, late map[int]bool
}

// readAround reads lines. Messages from first on are complete. From near on the message of a
// line is certainly known.
func (w *wordSearch) readAround(data []byte, start, first, near int64) (*surroundings, error) {
	if !w.copies {
		if err := w.findCopies(); err != nil {
			return nil, err
		}
		w.copies = true
	}
	h := &surroundings{log: w.log(), known: start, early: make(map[int]bool), late: make(map[int]bool)}
	if start > 0 && start < first {
		h.least = 1
	}
	at := start
	for _, hit := range w.hits(data, start) {
		w.feed(h.log, data[at-start:hit.to-start], at)
		if at = hit.to; w.isCopy(data[hit.from-start : hit.to-start]) {
			continue
		}
		touched, missed := h.log.Touched()
		for _, i := range touched {
			missed = missed || i < h.least || h.log.Messages[i].Offset < first
			if hit.from < w.begun {
				h.early[i] = true
			} else {
				h.late[i] = true
			}
		}
		if missed || hit.from < near {
			h.known = hit.to
		}
	}
	w.feed(h.log, data[at-start:], at)
	return h, nil
}

// ids returns the ids of the messages with the word that begin at first or after it, and of
// their calls.
func (h *surroundings) ids(first int64) map[string]bool {
	ids := make(map[string]bool)
	for _, list := range []map[int]bool{h.early, h.late} {
		for i := range list {
			m := &h.log.Messages[i]
			if m.Offset < first {
				continue
			}
			ids[m.ID] = true
			for k := range m.Tools {
				ids[m.Tools[k].ID] = true
			}
		}
	}
	delete(ids, "")
	return ids
}

// report reports the messages with the word that begin at first or after it, and before end.
// It skips messages that an earlier search reported.
func (w *wordSearch) report(h *surroundings, first, end int64) (more bool) {
	list, none := h.log.Messages, true
	for i := max(h.least, before(list, place{line: first})); i < len(list) && list[i].Offset < end; i++ {
		if h.late[i] && !h.early[i] && list[i].Gap == "" {
			more, none = w.found(&list[i]) || more, false
		}
	}
	return more || none
}

// following returns the lines after an offset: at least one, unless it is too long.
func (r *reader) following(from int64) (data []byte, err error) {
	for _, n := range []int64{searchOverlap, maxSearched} {
		if data, err = r.read(from, min(r.end, from+n)); err != nil {
			return nil, err
		}
		if end := bytes.LastIndexByte(data, '\n') + 1; end > 0 {
			return data[:end], nil
		}
	}
	return nil, nil
}
