package index

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/disk/lineread"
	sampstore "github.com/signalbox-dev/signalbox/lsp/samp"
)

// Has reports whether a shown message has an id, without reading it.
func (l *Live) Has(id string) bool {
	l.mu.RLock()
	defer l.mu.RUnlock()
	for range l.idx.withID(id) {
		return true
	}
	return false
}

// HasOriginal reports whether the content of a record is shown from the sender's log, or from
// a sync copy of it, under any id. Then the record in somebody else's log is a replica, not a
// forgery. HasOriginal does not read the disk.
func (l *Live) HasOriginal(r *samp.Record) bool {
	l.mu.RLock()
	defer l.mu.RUnlock()
	content := sampstore.ContentHash(l.idx.seed, r)
	for n := range l.idx.texts.Find(content) {
		if e := l.idx.entries.at(n); e.content == content && e.state&visible != 0 {
			return true
		}
	}
	return false
}

// ThreadsNamed returns at most limit threads with a name that match accepts, newest first.
// match must not block. more is set if there are others.
func (l *Live) ThreadsNamed(match func(name string) bool, limit int) (list []Thread, more bool) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	x := l.idx
	for i := len(x.order) - 1; i >= 0; i-- {
		if !match(x.names.text(x.threads[x.order[i]].name)) {
			continue
		}
		if len(list) == limit {
			return list, true
		}
		list = append(list, l.thread(x.order[i]))
	}
	return list, false
}

// First reads the first message of a thread.
func (l *Live) First(name string) (Message, error) {
	for _, m := range l.Openings(name) {
		return m, m.Err
	}
	return Message{}, ErrNotFound
}

// minPrefix is the smallest number of digits from which an id is completed.
const minPrefix = 4

// WithPrefix reads at most limit messages whose id begins with some hexadecimal digits,
// 4 or more, newest first. more is set if there are others. Messages that arrived earlier
// are left out first.
func (l *Live) WithPrefix(prefix string, limit int) (list []Message, more bool) {
	digits := len(prefix)
	if digits < minPrefix || digits > 16 {
		return nil, false
	}
	want, ok := parseID(prefix + strings.Repeat("0", 16-digits))
	if !ok {
		return nil, false
	}
	shift := uint(4 * (16 - digits))
	l.mu.RLock()
	x := l.idx
	var hits []uint32
	for n := x.entries.n - 1; n >= 0; n-- {
		e := x.entries.at(uint32(n))
		if e.id>>shift != want>>shift || e.state&visible == 0 || e.state&oddID != 0 {
			continue
		}
		if len(hits) == limit {
			more = true
			break
		}
		hits = append(hits, uint32(n))
	}
	slices.SortStableFunc(hits, func(a, b uint32) int { return cmp.Compare(x.entries.at(b).ts, x.entries.at(a).ts) })
	read := l.describe(hits)
	l.mu.RUnlock()
	return read.messages(), more
}

// LineOf reads the beginning of a message's line in its log, at most limit bytes.
func (l *Live) LineOf(m *Message, limit int) ([]byte, error) {
	l.mu.RLock()
	dir := l.dir
	l.mu.RUnlock()
	if dir == nil {
		return nil, ErrNotFound
	}
	f, err := dir.OpenRegular(m.File)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	buf := make([]byte, limit)
	n, err := f.ReadAt(buf, m.Offset)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	line, _, _ := strings.Cut(string(buf[:n]), "\n")
	return []byte(line), nil
}

// NumberOf returns the number of a message's line in its log, from 1. While
// [Stats.Indexing] is set the index may not know the number. Then NumberOf counts the lines
// before the message.
func (l *Live) NumberOf(m *Message) int {
	l.mu.RLock()
	dir := l.dir
	l.mu.RUnlock()
	if m.Line > 0 || dir == nil {
		return m.Line
	}
	f, err := dir.OpenRegular(m.File)
	if err != nil {
		return 0
	}
	defer f.Close()
	buf := make([]byte, lineread.ChunkSize)
	number := 1
	for pos := int64(0); pos < m.Offset; {
		n, err := f.ReadAt(buf[:min(int64(len(buf)), m.Offset-pos)], pos)
		number += bytes.Count(buf[:n], []byte{'\n'})
		if pos += int64(n); err != nil {
			break
		}
	}
	return number
}
