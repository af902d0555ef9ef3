// Package jsonl reads the lines of a log of JSON texts, forwards and backwards, with
// bounded memory. An unfinished last line is not read.
//
// Start with [End], then [Forward] or [Backward]. Each format interprets its own lines. A
// hole in a file costs no time.
package jsonl

import (
	"bytes"
	"context"
	"errors"
	"io"

	"github.com/signalbox-dev/signalbox/lsp/disk"
)

// MaxLine is the length in bytes of the longest line that is read. For a longer one only the
// beginning is read.
const MaxLine = 8 << 20

// Chunk is the number of bytes of a log that are read at first, and LargeChunk the largest
// number that is read at once where lines are short.
const (
	Chunk      = 64 << 10
	LargeChunk = 1 << 20
)

// HeadSize is the number of bytes that are read of a line that is too long.
const HeadSize = 4096

// MaxScan is the number of bytes of a log that are searched for the end of one line. Holes do
// not count.
const MaxScan = 4 << 30

// ErrEndless is returned for a line that is longer than [MaxScan].
var ErrEndless = errors.New("a line has no end within 4 GB")

// ErrEnd is returned when there are no more lines.
var ErrEnd = errors.New("no further line")

// ErrRewritten is returned when a program has rewritten the log while it was being read.
var ErrRewritten = errors.New("the log was rewritten")

// Line is one finished line of a log.
type Line struct {
	// Offset is where the line starts, and Size its length without its \n.
	Offset, Size int64
	// Raw is part of a buffer that nothing writes to again.
	Raw []byte
	// Long is set for a line that is too long to be read. Head is then its beginning.
	Long bool
	Head []byte
}

func newLine(offset int64, raw []byte) Line {
	l := Line{Offset: offset, Size: int64(len(raw)), Raw: raw}
	if len(raw) > MaxLine {
		l.Raw, l.Long, l.Head = nil, true, bytes.Clone(raw[:HeadSize])
	}
	return l
}

// After returns the offset after the line's \n.
func (l *Line) After() int64 { return l.Offset + l.Size + 1 }

// Blank reports whether the line holds only white space.
func (l *Line) Blank() bool { return !l.Long && len(bytes.Trim(l.Raw, " \t\r")) == 0 }

// ReadFull fills p with bytes that the log had a moment ago. The error is [ErrRewritten] if
// they are gone.
func ReadFull(r io.ReaderAt, p []byte, at int64) error {
	n, err := r.ReadAt(p, at)
	if n == len(p) {
		return nil
	}
	if err == nil || errors.Is(err, io.EOF) {
		return ErrRewritten
	}
	return err
}

// End returns the offset after the last finished line. The bytes from there to size are a
// write in progress, or one that was cut off.
func End(ctx context.Context, r io.ReaderAt, size int64) (int64, error) {
	return LastBreak(ctx, r, size, Chunk)
}

// LastBreak returns the offset after the last \n before end, or 0. It reads chunk bytes at
// first.
func LastBreak(ctx context.Context, r io.ReaderAt, end, chunk int64) (int64, error) {
	var buf []byte
	scanned := int64(0)
	for end > 0 {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		n := min(end, chunk)
		if int64(len(buf)) < n {
			buf = make([]byte, n)
		}
		if err := ReadFull(r, buf[:n], end-n); err != nil {
			return 0, err
		}
		if i := bytes.LastIndexByte(buf[:n], '\n'); i >= 0 {
			return end - n + int64(i) + 1, nil
		}
		if scanned += n; scanned > MaxScan {
			return 0, ErrEndless
		}
		end = disk.BeforeHole(r, buf[:n], end-n)
		chunk = min(4*chunk, LargeChunk)
	}
	return 0, nil
}

// Backward reads the lines of a log from At back to its beginning.
type Backward struct {
	R io.ReaderAt
	// At is the start of the line that was read last.
	At int64
	// buf holds the bytes from off on.
	buf []byte
	off int64
}

// Prev returns the line before At, or [ErrEnd].
func (b *Backward) Prev(ctx context.Context) (Line, error) {
	if b.At == 0 {
		return Line{}, ErrEnd
	}
	if err := ctx.Err(); err != nil {
		return Line{}, err
	}
	end := b.At - 1
	if end < b.off || end > b.off+int64(len(b.buf)) {
		b.buf, b.off = nil, end
	}
	seen := int64(0) // bytes before end that hold no \n
	for {
		part := b.buf[:end-b.off]
		if i := bytes.LastIndexByte(part[:int64(len(part))-seen], '\n'); i >= 0 || b.off == 0 {
			b.At = b.off + int64(i) + 1
			return newLine(b.At, part[i+1:len(part):len(part)]), nil
		}
		seen = int64(len(part))
		if seen >= MaxLine {
			return b.long(ctx, end)
		}
		// Each chunk is as long as the part that was read, so that no byte of a long line
		// is copied often.
		n := min(b.off, max(Chunk, seen))
		buf := make([]byte, n+seen)
		if err := ReadFull(b.R, buf[:n], b.off-n); err != nil {
			return Line{}, err
		}
		copy(buf[n:], part)
		b.buf, b.off = buf, b.off-n
	}
}

// long finds the start of a line that is too long to be read.
func (b *Backward) long(ctx context.Context, end int64) (Line, error) {
	start, err := LastBreak(ctx, b.R, b.off, LargeChunk)
	if err != nil {
		return Line{}, err
	}
	l := Line{Offset: start, Size: end - start, Long: true, Head: make([]byte, HeadSize)}
	if l.Size == MaxLine {
		l = Line{Offset: start, Size: l.Size, Raw: make([]byte, l.Size)}
		err = ReadFull(b.R, l.Raw, start)
	} else {
		err = ReadFull(b.R, l.Head, start)
	}
	b.At, b.buf, b.off = start, nil, start
	return l, err
}

// Forward reads the lines of a log from At to End, which is the end of a line.
type Forward struct {
	R       io.ReaderAt
	At, End int64
	buf     []byte // the bytes from At on
}

// Next returns the line at At, or [ErrEnd].
func (f *Forward) Next(ctx context.Context) (Line, error) {
	if f.At >= f.End {
		return Line{}, ErrEnd
	}
	if err := ctx.Err(); err != nil {
		return Line{}, err
	}
	seen := 0
	for {
		if i := bytes.IndexByte(f.buf[seen:], '\n'); i >= 0 {
			size := seen + i
			l := newLine(f.At, f.buf[:size:size])
			f.At, f.buf = f.At+int64(size)+1, f.buf[size+1:]
			return l, nil
		}
		seen = len(f.buf)
		have := f.At + int64(seen)
		if have >= f.End {
			return Line{}, ErrRewritten
		}
		if seen > MaxLine {
			return f.long(ctx)
		}
		n := min(f.End-have, max(Chunk, int64(seen)))
		buf := make([]byte, int64(seen)+n)
		copy(buf, f.buf)
		if err := ReadFull(f.R, buf[seen:], have); err != nil {
			return Line{}, err
		}
		f.buf = buf
	}
}

// long finds the end of a line that is too long to be read.
func (f *Forward) long(ctx context.Context) (Line, error) {
	l := Line{Offset: f.At, Long: true, Head: bytes.Clone(f.buf[:HeadSize])}
	end, err := FirstBreak(ctx, f.R, f.At+int64(len(f.buf)), f.End)
	switch {
	case err != nil:
		return Line{}, err
	case end < 0:
		return Line{}, ErrRewritten
	}
	l.Size = end - f.At
	f.At, f.buf = l.After(), nil
	return l, nil
}

// FirstBreak returns the offset of the first \n between two offsets, or -1.
func FirstBreak(ctx context.Context, r io.ReaderAt, from, to int64) (int64, error) {
	buf := make([]byte, min(to-from, LargeChunk))
	for scanned := int64(0); from < to; scanned += int64(len(buf)) {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		if scanned > MaxScan {
			return 0, ErrEndless
		}
		part := buf[:min(to-from, int64(len(buf)))]
		if err := ReadFull(r, part, from); err != nil {
			return 0, err
		}
		if i := bytes.IndexByte(part, '\n'); i >= 0 {
			return from + int64(i), nil
		}
		from = min(to, disk.PastHole(r, part, from+int64(len(part))))
	}
	return -1, nil
}

// Breaks counts the \n between two offsets.
func Breaks(ctx context.Context, r io.ReaderAt, from, to int64) (n int64, err error) {
	buf := make([]byte, min(to-from, LargeChunk))
	for from < to {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		part := buf[:min(to-from, int64(len(buf)))]
		if err := ReadFull(r, part, from); err != nil {
			return 0, err
		}
		n += int64(bytes.Count(part, []byte{'\n'}))
		from = min(to, disk.PastHole(r, part, from+int64(len(part))))
	}
	return n, nil
}
