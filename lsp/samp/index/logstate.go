package index

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"hash/maphash"
	"io"
	"io/fs"
	"os"
	"slices"
	"time"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/disk/lineread"
	sampstore "github.com/signalbox-dev/signalbox/lsp/samp"
)

// logState records how far one log has been read into the index.
type logState struct {
	log sampstore.Log
	num int // in index.logs
	// scanned is the end of the last indexed line, and lines the number of lines up to
	// there.
	scanned int64
	lines   int
	// open is set while the last indexed line has no line end.
	open bool
	// size and mtime are the log's when it was last read.
	size  int64
	mtime time.Time
	// head and tail hold the first bytes of the log and the last bytes before scanned.
	// If the file no longer has them, it was rewritten and not only appended to. The
	// head contains an id, so the head of another log differs even if its lines have the
	// same length.
	head, tail []byte
	malformed  int
}

// readAs holds the form of missing ids and the seed of content hashes.
type readAs struct {
	profile samp.Profile
	seed    maphash.Seed
}

// endBytes is the largest length of a head or tail.
const endBytes = 64

// change is how a log changed since it was last read.
type change int

const (
	unchanged change = iota
	grown
	rewritten
)

// compare returns how a log changed. It reads only its head and tail.
func (s *logState) compare(d *sampstore.Dir, now sampstore.Log) (change, error) {
	if what, sure := s.byInfo(now.Info); sure {
		return what, nil
	}
	f, err := d.OpenRegular(now.Name)
	if err != nil {
		return unchanged, err
	}
	defer f.Close()
	if same, err := s.intact(f); err != nil || !same {
		return rewritten, err
	}
	return grown, nil
}

// byInfo is compare without looking into the file. It is sure of everything except
// growth. A log with the same size and another time counts as rewritten: reading it
// again is better than showing messages that are gone.
func (s *logState) byInfo(now fs.FileInfo) (what change, sure bool) {
	switch size := now.Size(); {
	case !os.SameFile(s.log.Info, now) || size < s.scanned:
		return rewritten, true
	case size == s.size && now.ModTime().Equal(s.mtime):
		return unchanged, true
	case size <= s.size:
		return rewritten, true
	}
	return grown, false
}

// intact reports whether a file still begins with the lines that were read from it.
func (s *logState) intact(f *os.File) (bool, error) {
	head := make([]byte, len(s.head))
	if n, err := f.ReadAt(head, 0); n < len(head) && err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	// One byte more than the tail shows whether an open line was ended.
	tail := make([]byte, len(s.tail)+1)
	n, err := f.ReadAt(tail, s.scanned-int64(len(s.tail)))
	if err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	tail = tail[:n]
	continued := s.open && n > len(s.tail) && tail[len(s.tail)] != '\n'
	return bytes.Equal(head, s.head) && bytes.HasPrefix(tail, s.tail) && !continued, nil
}

// noteEnds updates head and tail for an indexed line.
func (s *logState) noteEnds(raw []byte) {
	if room := endBytes - len(s.head); room > 0 {
		s.head = append(s.head, raw[:min(room, len(raw))]...)
	}
	if len(raw) >= endBytes {
		s.tail = append(s.tail[:0], raw[len(raw)-endBytes:]...)
		return
	}
	s.tail = append(s.tail, raw...)
	s.tail = s.tail[:copy(s.tail, s.tail[max(len(s.tail)-endBytes, 0):])]
}

// noteLongEnds is noteEnds for a line that is too long to be in memory.
func (s *logState) noteLongEnds(f *os.File, p lineread.Skipped) error {
	ends := make([]byte, 2*endBytes)
	_, err := f.ReadAt(ends[:endBytes], p.Offset)
	if err == nil {
		_, err = f.ReadAt(ends[endBytes:], p.End-endBytes)
	}
	if err == nil {
		s.noteEnds(ends)
	}
	return err
}

// errReplaced means that another file now has the log's name. The next look reads that file.
var errReplaced = errors.New("store: the log was replaced while it was being read")

// read reads the new lines of a log and passes their records to batch. The records
// are valid during that call only. It updates the state.
func (s *logState) read(ctx context.Context, d *sampstore.Dir, r *lineread.Reader, now sampstore.Log, as readAs, batch func([]item)) error {
	f, err := d.OpenRegular(now.Name)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if s.scanned > 0 {
		// The file may have been replaced since it was compared.
		what, sure := s.byInfo(info)
		if what == unchanged {
			return nil
		}
		if same, err := s.intact(f); err != nil || !same || sure {
			return cmp.Or(err, errReplaced)
		}
	}
	now.Info = info
	s.log, s.size, s.mtime = now, info.Size(), info.ModTime()
	var items []item
	last := s.scanned
	var failed error
	err = r.Read(ctx, f, s.scanned, s.size, lineread.Visitor{
		Line: func(offset int64, raw []byte, _ bool) {
			length := len(raw)
			whole := raw[length-1] == '\n'
			blank := len(bytes.TrimSpace(raw)) == 0
			if s.open && blank && whole {
				// The line end that was missing when the line was read.
				s.open = false
				last = offset + int64(length)
				s.noteEnds(raw)
				return
			}
			head, tail := s.head, s.tail
			if !whole {
				head, tail = slices.Clone(head), slices.Clone(tail)
			}
			s.noteEnds(raw) // which parsing overwrites
			rec, err := samp.ParseInPlace(raw)
			if !whole && err != nil {
				// The line is still being written. It is read again once it has grown.
				s.head, s.tail = head, tail
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
				items = append(items, item{rec: rec, key: samp.EffectiveID(&rec, as.profile), content: sampstore.ContentHash(as.seed, &rec), log: s.num, offset: offset, length: length, line: s.lines})
			}
		},
		Skipped: func(p lineread.Skipped) {
			if !p.Whole || failed != nil {
				return
			}
			if failed = s.noteLongEnds(f, p); failed != nil {
				return
			}
			if p.Fault != nil {
				s.malformed++
			}
			if p.Fault != nil || !s.open {
				s.lines++
			}
			s.open, last = false, p.End
		},
		Flush: func() {
			if len(items) > 0 {
				batch(items)
				items = items[:0]
			}
		},
	})
	s.scanned = last
	if err = cmp.Or(err, failed); err != nil {
		// The next look reads the rest, even if the log has not changed by then.
		s.size, s.mtime = s.scanned, time.Time{}
	}
	return err
}
