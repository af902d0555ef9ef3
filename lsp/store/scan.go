package store

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/store/disk"
)

const (
	// segmentSize is how much of a log one worker takes at a time, so that
	// one large log is read by all of them.
	segmentSize = 8 << 20
	// maxSegments is into how many parts a log is cut at most: a file that takes no
	// room on the disk may be as large as a number can say.
	maxSegments = 4096
	// chunkSize is how much is read at once. It fits the second-level cache,
	// in which the lines are then looked at.
	chunkSize = 256 << 10
)

// segment is a part of a log: the lines that begin in it.
type segment struct {
	log      int
	from, to int64
}

// segments cuts logs into parts, in order.
func segments(logs []Log) []segment {
	var list []segment
	for i, l := range logs {
		size := l.Info.Size()
		step := max(segmentSize, size/maxSegments+1)
		for from := int64(0); from < size; {
			to := from + min(step, size-from)
			list = append(list, segment{i, from, to})
			from = to
		}
	}
	return list
}

// visitor sees the lines of one segment in order. A raw line holds its \n, unless
// the file ends in it. Where long is set, the visitor owns the bytes; otherwise they
// are valid until flush, which may be nil.
//
// passed, which may be nil too, is called for long lines that are no record. They are
// not read into memory.
type visitor struct {
	line   func(offset int64, raw []byte, long bool)
	passed func(passed)
	flush  func()
}

// passed is a line that was passed over.
type passed struct {
	// offset is its first byte, end the place behind its last.
	offset, end int64
	// whole tells that it has its line end.
	whole bool
	// fault is why it is no record, nil for white space.
	fault *canon.Fault
}

func (v visitor) flushed() {
	if v.flush != nil {
		v.flush()
	}
}

// scan reads all logs with as many workers as there are processors. visit
// makes the visitor of a segment; visitors of different segments run at the
// same time. A log that cannot be read becomes a problem, not an error.
func (d *Dir) scan(ctx context.Context, logs []Log, visit func(part int, s segment) visitor) ([]Problem, error) {
	parts := segments(logs)
	var mu sync.Mutex
	var problems []Problem
	err := inParallel(ctx, len(parts), func() func(int) error {
		r := lineReader{buf: make([]byte, chunkSize)}
		return func(i int) error {
			s := parts[i]
			if err := d.readLog(ctx, &r, logs[s.log], s.from, s.to, visit(i, s)); err != nil {
				mu.Lock()
				problems = append(problems, unreadable(logs[s.log], err))
				mu.Unlock()
			}
			return nil
		}
	})
	return compactProblems(problems), err
}

// inParallel does the work for all numbers below n on all processors. worker makes
// the work of one goroutine. An error ends its goroutine and is returned, unless ctx
// has ended.
func inParallel(ctx context.Context, n int, worker func() func(i int) error) error {
	var next atomic.Int64
	var wg sync.WaitGroup
	var once sync.Once
	var failed error
	for range min(runtime.GOMAXPROCS(0), n) {
		wg.Go(func() {
			work := worker()
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				if err := work(i); err != nil {
					once.Do(func() { failed = err })
					return
				}
			}
		})
	}
	wg.Wait()
	return cmp.Or(ctx.Err(), failed)
}

func unreadable(log Log, err error) Problem {
	return Problem{
		Rule: "R3", File: log.Name, Violation: true,
		Reason: "cannot be read: " + disk.Cause(err).Error(), Advice: "check the file's permissions and owner",
	}
}

// compactProblems keeps one problem a file.
func compactProblems(problems []Problem) []Problem {
	seen := make(map[string]bool)
	kept := problems[:0]
	for _, p := range problems {
		if !seen[p.File] {
			seen[p.File] = true
			kept = append(kept, p)
		}
	}
	return kept
}

// readLog opens a log and visits the lines that begin in [from, to).
func (d *Dir) readLog(ctx context.Context, r *lineReader, log Log, from, to int64, visit visitor) error {
	f, err := d.openLog(log)
	if err != nil {
		return err
	}
	defer f.Close()
	return r.read(ctx, f, from, to, visit)
}

// lineReader reads lines of any length. Its buffer is reused; a line that does
// not fit is looked through first, and if it can be a record it is read once into
// memory of its own size, so that it costs that size and no more. Any other line
// costs no memory: a file of a hundred gigabytes may take none on the disk.
type lineReader struct{ buf []byte }

// read visits the lines of f that begin in [from, to). It stops at the end of
// the file, wherever that is by now.
func (r *lineReader) read(ctx context.Context, f *os.File, from, to int64, visit visitor) error {
	defer visit.flushed()
	pos := from
	if from > 0 {
		// The line that reaches into the segment belongs to the one before.
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
		used := 0
		for used < have && pos+int64(used) < to {
			n := bytes.IndexByte(r.buf[used:have], '\n') + 1
			if n == 0 {
				break
			}
			visit.line(pos+int64(used), r.buf[used:used+n], false)
			used += n
		}
		visit.flushed()
		switch {
		case used > 0:
			copy(r.buf, r.buf[used:have])
			pos, have = pos+int64(used), have-used
			if atEnd && have > 0 && pos < to {
				visit.line(pos, r.buf[:have], false)
				return nil
			}
		case atEnd:
			if have > 0 && pos < to {
				visit.line(pos, r.buf[:have], false)
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

// long visits one line that is longer than the buffer, or passes it over, and
// returns its end.
func (r *lineReader) long(ctx context.Context, f *os.File, pos int64, visit visitor) (end int64, err error) {
	p, record, err := r.screen(ctx, f, pos)
	if err != nil {
		return 0, err
	}
	if !record {
		if visit.passed != nil {
			visit.passed(p)
		}
		return p.end, nil
	}
	line := make([]byte, room(p.end-pos))
	n, err := f.ReadAt(line, pos)
	if err != nil && !errors.Is(err, io.EOF) {
		return 0, err
	}
	if n > 0 {
		visit.line(pos, line[:n], true)
	}
	return pos + int64(max(n, 1)), nil
}

// screen looks through the line at pos, which may be the file's last, and reports
// whether it can be a record.
func (r *lineReader) screen(ctx context.Context, f *os.File, pos int64) (p passed, record bool, err error) {
	p = passed{offset: pos, end: pos}
	var s samp.Screen
	for !p.whole && ctx.Err() == nil {
		n, err := f.ReadAt(r.buf, p.end)
		part := r.buf[:n]
		if i := bytes.IndexByte(part, '\n'); i >= 0 {
			part, p.whole = part[:i+1], true
		}
		possible := s.Add(part)
		p.end += int64(len(part))
		if errors.Is(err, io.EOF) {
			break
		}
		if !possible && !p.whole {
			p.end = pastHole(f, part, p.end)
		}
		if err != nil {
			return p, false, err
		}
	}
	var blank bool
	p.fault, blank = s.End()
	return p, p.fault == nil && !blank, ctx.Err()
}

// room gives back what is not used any more before much is read, such as the last
// very long line before the next, so that two do not stand in memory at once. It
// costs nothing for others.
func room(size int64) int64 {
	const much = 32 << 20
	if size > much {
		debug.FreeOSMemory()
	}
	return max(size, 0)
}

// pastHole returns where to read on behind a part that ends at pos: behind the
// zeros there that a file has without room on the disk, which hold no line end.
func pastHole(f *os.File, part []byte, pos int64) int64 {
	if n := len(part); n == 0 || part[n-1] != 0 {
		return pos
	}
	return dataAfter(f, pos)
}

// lineEnd gives the offset after the first \n at or after pos, or -1 if there
// is none before limit (or the file's end, for a limit below 0).
func (r *lineReader) lineEnd(f *os.File, pos, limit int64) (int64, error) {
	for limit < 0 || pos < limit {
		n, err := f.ReadAt(r.buf, pos)
		if i := bytes.IndexByte(r.buf[:n], '\n'); i >= 0 {
			return pos + int64(i) + 1, nil
		}
		pos = pastHole(f, r.buf[:n], pos+int64(n))
		if errors.Is(err, io.EOF) {
			return -1, nil
		}
		if err != nil {
			return 0, err
		}
	}
	return -1, nil
}

// lastEnd gives the offset after the line at pos, which may be the file's last.
func (r *lineReader) lastEnd(f *os.File, pos int64) (int64, error) {
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
