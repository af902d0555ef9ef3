package transcript

import (
	"bytes"
	"context"
	"slices"

	"github.com/signalbox-dev/signalbox/core/needle"
	"github.com/signalbox-dev/signalbox/core/session"
)

const (
	// searchWindow is how many bytes are looked through at once, and maxSearched the length
	// of the longest line that is.
	searchWindow = 512 << 10
	maxSearched  = 4 << 20
	// searchOverlap is how many bytes before and after lines with a word are read too, for
	// what belongs to the same messages, and maxBehind how many before them at most.
	searchOverlap = 128 << 10
	maxBehind     = 8 << 20
)

// Search looks through a transcript from an offset on, which begins a line, and gives found
// the messages around lines that may hold one of the words, the rarest, where all may stand
// near: the last lines first, until found says of all messages around some that no older ones
// are wanted. Some may come more than once, and may lack what stands far away. Search ends
// when it has looked through budget bytes; next is then where to go on, and otherwise -1.
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
	w := &wordSearch{reader: r, begun: from, found: found}
	w.words = slices.SortedStableFunc(slices.Values(words), func(a, b needle.Needle) int { return b.Weight() - a.Weight() })
	for ; from < r.end && read < budget; from = w.begun + read {
		n, err := w.window(from)
		if err != nil {
			return -1, read, wrap(it, err)
		}
		read += n
	}
	for more := true; more && len(w.near) > 0; w.near = w.near[:len(w.near)-1] {
		if more, err = w.around(w.near[len(w.near)-1]); err != nil {
			return -1, read, wrap(it, err)
		}
	}
	if from >= r.end {
		from = -1
	}
	return from, read, nil
}

// wordSearch is a search of one transcript.
type wordSearch struct {
	*reader
	words  []needle.Needle // the rarest first
	begun  int64           // where this search began: what is before was searched already
	found  func(*session.Message) (more bool)
	near   []span // lines with the word, those that are near each other as one
	copies bool   // copies were looked for
	buf    []byte
}

// span is a line or several, from the first byte to behind the last.
type span struct{ from, to int64 }

// window looks for the lines of one window that have the word, and returns its length.
func (w *wordSearch) window(from int64) (int64, error) {
	data, err := w.lines(from)
	if err != nil {
		return 0, err
	}
	if len(data) == 0 {
		end, err := w.lineEnd(from) // the line is too long to be searched
		return end - from, err
	}
	for _, hit := range w.hits(data, from) {
		if n := len(w.near); n > 0 && hit.from-w.near[n-1].to < searchOverlap && hit.to-w.near[n-1].from < searchWindow {
			w.near[n-1].to = hit.to
		} else {
			w.near = append(w.near, hit)
		}
	}
	return int64(len(data)), nil
}

// lines returns whole lines from an offset on, which are good until the next call.
func (w *wordSearch) lines(from int64) ([]byte, error) {
	for _, most := range []int64{searchWindow, maxSearched} {
		n := min(w.end-from, most)
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

// hits returns the lines that may hold the rarest word, and all where there is no word that
// raw JSON shows.
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
		start := bytes.LastIndexByte(data[:i], '\n') + 1
		if end = i + bytes.IndexByte(data[i:], '\n') + 1; end == i {
			end = len(data)
		}
		list = append(list, span{at + int64(start), at + int64(end)})
	}
	return list
}

// around gives the messages to which lines with the word belong. More is read before them
// as long as one belongs to what was not read. more is false where no older ones are wanted.
func (w *wordSearch) around(lines span) (more bool, err error) {
	after, err := w.following(lines.to)
	if err != nil {
		return false, err
	}
	for n := int64(searchOverlap); ; n *= 4 {
		start := max(0, lines.from-n)
		data, err := w.read(start, lines.to)
		if err != nil {
			return false, err
		}
		if start > 0 {
			skip := bytes.IndexByte(data[:max(0, min(int64(len(data)), lines.from-start))], '\n') + 1
			if skip == 0 {
				skip = int(min(int64(len(data)), lines.from-start))
			}
			start, data = start+int64(skip), data[skip:]
		}
		if !w.rest(data, after) {
			return true, nil
		}
		first := int64(0) // messages from here on are whole
		if start > 0 {
			first = max(start+1, lines.from-n/2)
		}
		if n > maxBehind/4 {
			first = start // no more is read
		}
		h, err := w.heard(data, start, first, lines.from)
		if err != nil {
			return false, err
		}
		if !h.known && start > 0 && n <= maxBehind/4 {
			continue
		}
		w.feed(h.log, after, lines.to)
		return w.give(h, first, lines.to), nil
	}
}

// rest reports whether all words but the rarest may stand in lines.
func (w *wordSearch) rest(data, after []byte) bool {
	for i := 1; i < len(w.words); i++ {
		if !w.words[i].MayBeIn(data) && !w.words[i].MayBeIn(after) {
			return false
		}
	}
	return true
}

// hearing is what was read around lines with a word.
type hearing struct {
	log   *session.Log
	known bool // all these lines belong to messages that were read
	// least is the first message that surely begins here.
	least int
	// early and late are the messages with the word in lines before the search began,
	// where another search gave them, and after.
	early, late map[int]bool
}

// heard reads lines, of which those with the word are meant from an offset on. first is
// where messages begin that are whole.
func (w *wordSearch) heard(data []byte, start, first, from int64) (*hearing, error) {
	if !w.copies {
		if err := w.findTwins(); err != nil {
			return nil, err
		}
		w.copies = true
	}
	h := &hearing{log: w.log(), known: true, early: make(map[int]bool), late: make(map[int]bool)}
	if start > 0 && start < first {
		h.least = 1
	}
	at := start
	for _, hit := range w.hits(data, start) {
		w.feed(h.log, data[at-start:hit.to-start], at)
		at = hit.to
		i, missed := h.log.Touched()
		if i < len(h.log.Messages) {
			missed = missed || i < h.least || h.log.Messages[i].Offset < first
			if hit.from < w.begun {
				h.early[i] = true
			} else {
				h.late[i] = true
			}
		}
		h.known = h.known && (!missed || hit.from < from)
	}
	w.feed(h.log, data[at-start:], at)
	return h, nil
}

// give gives the messages that begin at first or after it, and before an end.
func (w *wordSearch) give(h *hearing, first, end int64) (more bool) {
	list, none := h.log.Messages, true
	for i := max(h.least, before(list, place{line: first})); i < len(list) && list[i].Offset < end; i++ {
		given := list[i].Offset < w.begun && (h.early[i] || !h.late[i])
		if list[i].Gap == "" && !given {
			more, none = w.found(&list[i]) || more, false
		}
	}
	return more || none
}

// following returns the lines after a stretch, at least one unless it is too long.
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
