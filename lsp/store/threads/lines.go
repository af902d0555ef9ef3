package threads

import (
	"bytes"
	"context"
	"errors"
	"hash/fnv"
	"io"

	"github.com/signalbox-dev/signalbox/core/canon"
)

// MaxLine is the length in bytes of the longest line of messages.jsonl that is
// read as a message. A longer one is shown as a gap of its size.
const MaxLine = 8 << 20

const (
	firstChunk = 64 << 10
	largeChunk = 1 << 20
)

// errEnd tells that there is no further line.
var errEnd = errors.New("no further line")

// line is one finished line of a log, which starts at offset and is size bytes
// long without its \n. raw is part of a buffer that nothing writes to again.
type line struct {
	offset, size int64
	raw          []byte
	// long tells of a line that is not read for its length, and head is its
	// beginning.
	long bool
	head []byte
}

func newLine(offset int64, raw []byte) line {
	l := line{offset: offset, size: int64(len(raw)), raw: raw}
	if len(raw) > MaxLine {
		l.raw, l.long, l.head = nil, true, bytes.Clone(raw[:keyed])
	}
	return l
}

// next is the offset behind the line's \n.
func (l *line) next() int64 { return l.offset + l.size + 1 }

func (l *line) blank() bool { return !l.long && len(bytes.Trim(l.raw, " \t\r")) == 0 }

// readFull reads a part of the log that was there a moment ago.
func readFull(r io.ReaderAt, p []byte, at int64) error {
	n, err := r.ReadAt(p, at)
	if n == len(p) {
		return nil
	}
	if err == nil || errors.Is(err, io.EOF) {
		return ErrRewritten
	}
	return err
}

// endOf gives the offset behind the last finished line. What stands there up to
// size is a write in progress, or one that was cut off (rule M5).
func endOf(ctx context.Context, r io.ReaderAt, size int64) (int64, error) {
	return lastBreak(ctx, r, size, firstChunk)
}

// lastBreak gives the offset behind the last \n before end, or 0.
func lastBreak(ctx context.Context, r io.ReaderAt, end, chunk int64) (int64, error) {
	var buf []byte
	for end > 0 {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		n := min(end, chunk)
		if int64(len(buf)) < n {
			buf = make([]byte, n)
		}
		if err := readFull(r, buf[:n], end-n); err != nil {
			return 0, err
		}
		if i := bytes.LastIndexByte(buf[:n], '\n'); i >= 0 {
			return end - n + int64(i) + 1, nil
		}
		end -= n
		chunk = min(4*chunk, largeChunk)
	}
	return 0, nil
}

// backward reads the lines of a log from a place to its beginning.
type backward struct {
	r io.ReaderAt
	// at is the start of the line that was read last.
	at int64
	// buf holds the bytes from off on.
	buf []byte
	off int64
}

// prev gives the line before, or errEnd.
func (b *backward) prev(ctx context.Context) (line, error) {
	if b.at == 0 {
		return line{}, errEnd
	}
	if err := ctx.Err(); err != nil {
		return line{}, err
	}
	end := b.at - 1
	if end < b.off || end > b.off+int64(len(b.buf)) {
		b.buf, b.off = nil, end
	}
	seen := int64(0) // bytes before end that hold no \n
	for {
		part := b.buf[:end-b.off]
		if i := bytes.LastIndexByte(part[:int64(len(part))-seen], '\n'); i >= 0 || b.off == 0 {
			b.at = b.off + int64(i) + 1
			return newLine(b.at, part[i+1:len(part):len(part)]), nil
		}
		seen = int64(len(part))
		if seen >= MaxLine {
			return b.long(ctx, end)
		}
		// Each chunk is as long as what there is, so that no byte of a long
		// line is copied often.
		n := min(b.off, max(firstChunk, seen))
		buf := make([]byte, n+seen)
		if err := readFull(b.r, buf[:n], b.off-n); err != nil {
			return line{}, err
		}
		copy(buf[n:], part)
		b.buf, b.off = buf, b.off-n
	}
}

// long finds the start of a line that is too long to be read.
func (b *backward) long(ctx context.Context, end int64) (line, error) {
	start, err := lastBreak(ctx, b.r, b.off, largeChunk)
	if err != nil {
		return line{}, err
	}
	l := line{offset: start, size: end - start, long: true, head: make([]byte, keyed)}
	if l.size == MaxLine {
		l = line{offset: start, size: l.size, raw: make([]byte, l.size)}
		err = readFull(b.r, l.raw, start)
	} else {
		err = readFull(b.r, l.head, start)
	}
	b.at, b.buf, b.off = start, nil, start
	return l, err
}

// forward reads the lines of a log from a place to end, which is the end of a
// line.
type forward struct {
	r       io.ReaderAt
	at, end int64
	buf     []byte // the bytes from at on
}

// next gives the line at at, or errEnd.
func (f *forward) next(ctx context.Context) (line, error) {
	if f.at >= f.end {
		return line{}, errEnd
	}
	if err := ctx.Err(); err != nil {
		return line{}, err
	}
	seen := 0
	for {
		if i := bytes.IndexByte(f.buf[seen:], '\n'); i >= 0 {
			size := seen + i
			l := newLine(f.at, f.buf[:size:size])
			f.at, f.buf = f.at+int64(size)+1, f.buf[size+1:]
			return l, nil
		}
		seen = len(f.buf)
		have := f.at + int64(seen)
		if have >= f.end {
			return line{}, ErrRewritten
		}
		if seen > MaxLine {
			return f.long(ctx)
		}
		n := min(f.end-have, max(firstChunk, int64(seen)))
		buf := make([]byte, int64(seen)+n)
		copy(buf, f.buf)
		if err := readFull(f.r, buf[seen:], have); err != nil {
			return line{}, err
		}
		f.buf = buf
	}
}

// long finds the end of a line that is too long to be read.
func (f *forward) long(ctx context.Context) (line, error) {
	l := line{offset: f.at, long: true, head: bytes.Clone(f.buf[:keyed])}
	end, err := firstBreak(ctx, f.r, f.at+int64(len(f.buf)), f.end)
	switch {
	case err != nil:
		return line{}, err
	case end < 0:
		return line{}, ErrRewritten
	}
	l.size = end - f.at
	f.at, f.buf = l.next(), nil
	return l, nil
}

// firstBreak gives the place of the first \n of a part of the log, or -1.
func firstBreak(ctx context.Context, r io.ReaderAt, from, to int64) (int64, error) {
	buf := make([]byte, min(to-from, largeChunk))
	for from < to {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		part := buf[:min(to-from, int64(len(buf)))]
		if err := readFull(r, part, from); err != nil {
			return 0, err
		}
		if i := bytes.IndexByte(part, '\n'); i >= 0 {
			return from + int64(i), nil
		}
		from += int64(len(part))
	}
	return -1, nil
}

// breaks counts the \n of a part of the log.
func breaks(ctx context.Context, r io.ReaderAt, from, to int64) (n int64, err error) {
	buf := make([]byte, min(to-from, largeChunk))
	for from < to {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		part := buf[:min(to-from, int64(len(buf)))]
		if err := readFull(r, part, from); err != nil {
			return 0, err
		}
		n += int64(bytes.Count(part, []byte{'\n'}))
		from += int64(len(part))
	}
	return n, nil
}

// lineID gives the id of a message and reads no more of the line than that
// takes. Of two the last one counts, as for core/atsf.
func lineID(raw []byte) (id string, ok bool) {
	err := canon.Object(raw, func(key []byte, v canon.Value) error {
		if string(key) == "id" && v.Kind == canon.String {
			id, _ = canon.Unquote(v.Raw)
		}
		return nil
	})
	return id, err == nil && id != ""
}

// keyed is how much of a line without an id makes its key.
const keyed = 4096

// key tells lines apart: by their id, so that a line that is written again with
// another status stays the same one (rule Z6), else by how they begin.
func (l *line) key() (key uint64, byID bool) {
	h := fnv.New64a()
	raw := l.raw
	if l.long {
		raw = l.head
	} else if id, ok := lineID(raw); ok {
		io.WriteString(h, id)
		return h.Sum64(), true
	}
	h.Write(raw[:min(len(raw), keyed)])
	return h.Sum64(), false
}
