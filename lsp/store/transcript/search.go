package transcript

import (
	"bytes"
	"context"

	"github.com/signalbox-dev/signalbox/core/session"
)

// searchWindow is how many bytes are read at once in a search, and searchOverlap how
// many before them are read again for what a message began there.
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
	if err := r.whole(); err != nil {
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

// searched searches one stretch, and returns its length.
func (r *reader) searched(from int64, may func([]byte) bool, found func(*session.Message)) (int64, error) {
	before := max(0, from-searchOverlap)
	data, err := r.read(before, min(r.end, from+searchWindow))
	if err != nil {
		return 0, err
	}
	end := bytes.LastIndexByte(data, '\n') + 1
	if before+int64(end) <= from {
		return r.past(from)
	}
	hit := false
	for line := range bytes.Lines(data[from-before : end]) {
		hit = hit || may(line)
	}
	length := before + int64(end) - from
	if !hit {
		return length, nil
	}
	skip := 0
	if before > 0 {
		skip = bytes.IndexByte(data, '\n') + 1
	}
	log := &session.Log{Agent: r.item.Agent}
	r.feed(log, data[skip:end], before+int64(skip))
	for i := range log.Messages {
		if m := &log.Messages[i]; m.Offset >= from && m.Gap == "" {
			found(m)
		}
	}
	return length, nil
}

// past returns the length of a line that is too long to be searched.
func (r *reader) past(from int64) (int64, error) {
	for at := from; at < r.end; {
		data, err := r.read(at, min(r.end, at+searchWindow))
		if err != nil || len(data) == 0 {
			return r.end - from, err
		}
		if i := bytes.IndexByte(data, '\n'); i >= 0 {
			return at + int64(i) + 1 - from, nil
		}
		at += int64(len(data))
	}
	return r.end - from, nil
}
