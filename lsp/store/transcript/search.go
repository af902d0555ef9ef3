package transcript

import (
	"bytes"
	"context"

	"github.com/signalbox-dev/signalbox/core/session"
)

// searchWindow is how many bytes are read at once in a search, and searchOverlap how
// many before and after them are read too, for what belongs to the same messages.
const (
	searchWindow  = 4 << 20
	searchOverlap = 128 << 10
)

// Search looks through a transcript from an offset on, which begins a line, and gives
// found the messages in those stretches that hold a line which may says yes to. It ends when
// it has read budget bytes; next is then where to go on, and otherwise -1.
func (s *Snapshot) Search(ctx context.Context, it *Item, from, budget int64, may func(raw []byte) bool, found func(*session.Message)) (next, read int64, err error) {
	f, size, err := it.open()
	if err != nil {
		return -1, 0, wrap(it, err)
	}
	defer f.Close()
	r := &reader{ctx: ctx, item: it, f: f, size: size}
	if r.end, err = r.lineStart(size); err != nil {
		return -1, 0, wrap(it, err)
	}
	if err = r.findTwins(); err != nil {
		return -1, 0, wrap(it, err)
	}
	for from < r.end {
		if read >= budget {
			return from, read, nil
		}
		n, err := r.searched(from, may, found)
		if err != nil {
			return -1, read, wrap(it, err)
		}
		from, read = from+n, read+n
	}
	return -1, read, nil
}

// searched searches the messages that begin in one stretch, and returns its length.
func (r *reader) searched(from int64, may func([]byte) bool, found func(*session.Message)) (int64, error) {
	data, err := r.read(from, min(r.end, from+searchWindow))
	if err != nil {
		return 0, err
	}
	length := int64(bytes.LastIndexByte(data, '\n') + 1)
	if length == 0 {
		end, err := r.lineEnd(from) // the line is too long to be searched
		return end - from, err
	}
	after, err := r.following(from + length)
	if err != nil || !anyLine(data[:length], may) && !anyLine(after, may) {
		return length, err
	}
	log, _, err := r.stretch(from-searchOverlap, from)
	if err != nil {
		return 0, err
	}
	r.feed(log, data[:length], from)
	r.feed(log, after, from+length)
	for i := before(log.Messages, place{line: from}); i < len(log.Messages) && log.Messages[i].Offset < from+length; i++ {
		if m := &log.Messages[i]; m.Gap == "" {
			found(m)
		}
	}
	return length, nil
}

// following returns the lines after a stretch, at least one unless it is too long.
func (r *reader) following(from int64) (data []byte, err error) {
	for _, n := range []int64{searchOverlap, searchWindow} {
		if data, err = r.read(from, min(r.end, from+n)); err != nil {
			return nil, err
		}
		if end := bytes.LastIndexByte(data, '\n') + 1; end > 0 {
			return data[:end], nil
		}
	}
	return nil, nil
}

func anyLine(data []byte, may func([]byte) bool) bool {
	for line := range bytes.Lines(data) {
		if may(line) {
			return true
		}
	}
	return false
}
