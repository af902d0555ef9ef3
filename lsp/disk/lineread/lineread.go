// Package lineread reads the lines of a SAMP log with bounded memory: a line of any
// length is scanned in a fixed buffer, and is read whole only if it can be a record.
//
// Start with [New]. [Reader.Read] passes each line to a [Visitor].
package lineread

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"runtime/debug"
	"sync"

	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/disk"
)

// ChunkSize is the number of bytes that are read at once. They fit into the second-level
// cache, where their lines are then examined.
const ChunkSize = 256 << 10

// Visitor gets the lines of a part of a log, in order.
type Visitor struct {
	// Line gets a line with its \n, unless the file ends before that. If long is set, the
	// visitor owns the bytes. Otherwise they are valid until Flush is called.
	Line func(offset int64, raw []byte, long bool)
	// Lines, unless it is nil, gets several whole lines at once. Line then gets only long
	// lines. The last line may lack its \n at the end of the file. The bytes are valid during
	// the call.
	Lines func(offset int64, raw []byte)
	// Wants reports whether Line is to get a long line, which begins at offset and ends
	// before end. Nil means yes. A line that is not wanted is not read into memory.
	Wants func(f *os.File, offset, end int64) bool
	// Skipped gets long lines that cannot be records. They are not read into memory. Skipped
	// and Flush may be nil.
	Skipped func(Skipped)
	Flush   func()
}

// Skipped is a line that was not read into memory.
type Skipped struct {
	// Offset is the line's first byte, End the byte after its last.
	Offset, End int64
	// Whole is set if the line has its line end.
	Whole bool
	// Fault is why the line isn't a record, or nil for white space.
	Fault *canon.Fault
}

func (v Visitor) flush() {
	if v.Flush != nil {
		v.Flush()
	}
}

// line passes on one line that fits into the buffer.
func (v Visitor) line(offset int64, raw []byte) {
	if v.Lines != nil {
		v.Lines(offset, raw)
		return
	}
	v.Line(offset, raw, false)
}

// lines passes on the whole lines in raw that begin before a limit, and returns their length.
func (v Visitor) lines(offset int64, raw []byte, limit int64) (used int) {
	if v.Lines == nil {
		for used < len(raw) && int64(used) < limit {
			n := bytes.IndexByte(raw[used:], '\n') + 1
			if n == 0 {
				break
			}
			v.Line(offset+int64(used), raw[used:used+n], false)
			used += n
		}
		return used
	}
	if last := int(min(limit, int64(len(raw)))) - 1; int64(last) == limit-1 {
		// The last line is the one with the last byte before the limit.
		if n := bytes.IndexByte(raw[last:], '\n') + 1; n > 0 {
			raw = raw[:last+n]
		}
	}
	if used = bytes.LastIndexByte(raw, '\n') + 1; used > 0 {
		v.Lines(offset, raw[:used])
	}
	return used
}

// Reader reads lines of any length. Its buffer is reused. A line that does not fit is scanned
// first. If it can be a record, it is read once into memory of its own size. Any other line
// costs no memory: a file of a hundred gigabytes may take no room on the disk.
type Reader struct {
	// Long, unless it is nil, is locked while a long line is in memory and visited, so that
	// readers with the same mutex hold one long line at a time.
	Long *sync.Mutex
	buf  []byte
}

// New returns a reader with a buffer of [ChunkSize].
func New() *Reader { return Sized(ChunkSize) }

// Sized returns a reader with a buffer of n bytes.
func Sized(n int64) *Reader { return &Reader{buf: make([]byte, n)} }

// Read visits the lines of f that begin in [from, to). It stops at the end of the file as it
// is by then.
func (r *Reader) Read(ctx context.Context, f *os.File, from, to int64, visit Visitor) error {
	defer visit.flush()
	pos := from
	if from > 0 {
		// A line that reaches into this part belongs to the part before.
		end, err := r.lineEnd(f, from-1, to)
		if err != nil || end < 0 || end >= to {
			return err
		}
		pos = end
	}
	have := 0
	for pos < to && ctx.Err() == nil {
		n, err := f.ReadAt(r.buf[have:], pos+int64(have))
		have += n
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		atEnd := err != nil
		used := visit.lines(pos, r.buf[:have], to-pos)
		visit.flush()
		switch {
		case used > 0:
			copy(r.buf, r.buf[used:have])
			pos, have = pos+int64(used), have-used
			if atEnd && have > 0 && pos < to {
				visit.line(pos, r.buf[:have])
				return nil
			}
		case atEnd:
			if have > 0 && pos < to {
				visit.line(pos, r.buf[:have])
			}
			return nil
		case have == len(r.buf):
			end, err := r.long(ctx, f, pos, visit)
			if err != nil {
				return err
			}
			pos, have = end, 0
		}
	}
	return ctx.Err()
}

// long visits one line that is longer than the buffer, or skips it, and returns its
// end.
func (r *Reader) long(ctx context.Context, f *os.File, pos int64, visit Visitor) (end int64, err error) {
	p, record, err := r.screen(ctx, f, pos)
	if err != nil {
		return 0, err
	}
	if !record {
		if visit.Skipped != nil {
			visit.Skipped(p)
		}
		return p.End, nil
	}
	if visit.Wants != nil && !visit.Wants(f, pos, p.End) {
		return max(p.End, pos+1), nil
	}
	if r.Long != nil {
		r.Long.Lock()
		defer r.Long.Unlock()
	}
	line := make([]byte, Room(p.End-pos))
	n, err := f.ReadAt(line, pos)
	if err != nil && !errors.Is(err, io.EOF) {
		return 0, err
	}
	if n > 0 {
		visit.Line(pos, line[:n], true)
	}
	return pos + int64(max(n, 1)), nil
}

// screen scans the line at pos, which may be the file's last, and reports whether it can be a
// record.
func (r *Reader) screen(ctx context.Context, f *os.File, pos int64) (p Skipped, record bool, err error) {
	p = Skipped{Offset: pos, End: pos}
	var s samp.Screen
	for !p.Whole && ctx.Err() == nil {
		n, err := f.ReadAt(r.buf, p.End)
		part := r.buf[:n]
		if i := bytes.IndexByte(part, '\n'); i >= 0 {
			part, p.Whole = part[:i+1], true
		}
		possible := s.Add(part)
		p.End += int64(len(part))
		if errors.Is(err, io.EOF) {
			break
		}
		if !possible && !p.Whole {
			p.End = disk.PastHole(f, part, p.End)
		}
		if err != nil {
			return p, false, err
		}
	}
	var blank bool
	p.Fault, blank = s.End()
	return p, p.Fault == nil && !blank, ctx.Err()
}

// Room returns size, or 0 if it is negative. If size is large, Room first returns unused
// memory to the system, so that two very long lines are never in memory at once.
func Room(size int64) int64 {
	const much = 32 << 20
	if size > much {
		debug.FreeOSMemory()
	}
	return max(size, 0)
}

// nearEnd is the number of bytes that are read at first to find the end of a line: most lines
// are short.
const nearEnd = 4 << 10

// lineEnd returns the offset after the first \n at or after pos, or -1 if there is none
// before limit. A limit below 0 is the end of the file.
func (r *Reader) lineEnd(f *os.File, pos, limit int64) (int64, error) {
	for buf := r.buf[:min(nearEnd, len(r.buf))]; limit < 0 || pos < limit; buf = r.buf {
		n, err := f.ReadAt(buf, pos)
		if i := bytes.IndexByte(r.buf[:n], '\n'); i >= 0 {
			return pos + int64(i) + 1, nil
		}
		pos = disk.PastHole(f, r.buf[:n], pos+int64(n))
		if errors.Is(err, io.EOF) {
			return -1, nil
		}
		if err != nil {
			return 0, err
		}
	}
	return -1, nil
}

// LastEnd returns the offset after the line at pos, which may be the file's last.
func (r *Reader) LastEnd(f *os.File, pos int64) (int64, error) {
	end, err := r.lineEnd(f, pos, -1)
	if err != nil || end >= 0 {
		return end, err
	}
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}
