package store

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/signalbox-dev/signalbox/core/samp"
)

// logState is how far the index knows one log.
type logState struct {
	log Log
	num int // in index.logs
	// scanned is the end of the last indexed line, lines how many that were.
	scanned int64
	lines   int
	// open tells that the last indexed line had no line end yet.
	open bool
	// size and mtime are what the log looked like when it was last read.
	size  int64
	mtime time.Time
	// tail holds the last bytes before scanned. If they are there no more,
	// the log was rewritten and not merely appended to.
	tail      []byte
	malformed int
}

const tailKept = 64

// change says what became of a log since it was last read.
type change int

const (
	unchanged change = iota
	grown
	rewritten
)

// compare looks at a log without reading more than its tail. A log of the same
// size but another time is taken for rewritten: reading it again is cheap
// beside showing what is there no more.
func (s *logState) compare(d *Dir, now Log) (change, error) {
	size, mtime := now.Info.Size(), now.Info.ModTime()
	switch {
	case !os.SameFile(s.log.Info, now.Info) || size < s.scanned:
		return rewritten, nil
	case size == s.size && mtime.Equal(s.mtime):
		return unchanged, nil
	case size <= s.size:
		return rewritten, nil
	}
	f, err := d.openLog(now)
	if err != nil {
		return unchanged, err
	}
	defer f.Close()
	// One byte more than the tail shows whether an open line was ended.
	have := make([]byte, len(s.tail)+1)
	n, err := f.ReadAt(have, s.scanned-int64(len(s.tail)))
	if err != nil && !errors.Is(err, io.EOF) {
		return unchanged, err
	}
	have = have[:n]
	if !bytes.HasPrefix(have, s.tail) {
		return rewritten, nil
	}
	if s.open && len(have) > len(s.tail) && have[len(s.tail)] != '\n' {
		return rewritten, nil
	}
	return grown, nil
}

// read reads the new lines of a log and hands their records over in batches,
// which are valid during the call. It updates the state.
func (s *logState) read(ctx context.Context, d *Dir, r *lineReader, now Log, p samp.Profile, batch func([]item)) error {
	f, err := d.openLog(now)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	now.Info = info
	s.log, s.size, s.mtime = now, info.Size(), info.ModTime()
	var items []item
	last := s.scanned
	err = r.read(ctx, f, s.scanned, s.size, visitor{
		line: func(offset int64, raw []byte, _ bool) {
			length := len(raw)
			whole := raw[length-1] == '\n'
			blank := len(bytes.TrimSpace(raw)) == 0
			if s.open && blank && whole {
				// The end of the line that was read without it.
				s.open = false
				last = offset + int64(length)
				return
			}
			rec, err := samp.ParseInPlace(raw)
			if !whole && err != nil {
				// Still being written: it is read again when it has grown.
				return
			}
			last = offset + int64(length)
			s.lines++
			s.open = !whole
			switch {
			case blank:
			case err != nil:
				s.malformed++
			default:
				items = append(items, item{rec: rec, key: samp.EffectiveID(&rec, p), log: s.num, offset: offset, length: length, line: s.lines})
			}
		},
		flush: func() {
			if len(items) > 0 {
				batch(items)
				items = items[:0]
			}
		},
	})
	s.scanned = last
	return errors.Join(err, s.keepTail(f))
}

func (s *logState) keepTail(f *os.File) error {
	s.tail = make([]byte, min(tailKept, s.scanned))
	n, err := f.ReadAt(s.tail, s.scanned-int64(len(s.tail)))
	if n < len(s.tail) {
		return errors.Join(err, fs.ErrInvalid)
	}
	return nil
}
