package store

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/store/disk"
)

// A checkpoint is an index as a file, so that the next process reads of a large
// store only what is new. It can be deleted at any time: whatever does not fit
// the logs, or itself, is not used, and the logs are read instead. It holds what
// the index holds, which is no bodies; counts, tables and the reader's marks are
// not in it but made anew, so that there is less that could be wrong.
//
// Numbers are little-endian. Each part ends in four bytes of a checksum that
// begins with the file's secret and the part's number:
//
//	header   magic, profile, secret, the sizes of all that follows
//	logs     how far each log was read, and what it looked like
//	names    lengths, then the texts
//	threads  name and number of messages of each
//	suspects numbers of entries
//	order    the messages of all threads, oldest first, thread by thread, in
//	         parts of orderLen
//	entries  parts of chunkLen entries
type checkpoint struct {
	idx *index
	// count is the number of its entries.
	count int
	logs  []savedLog
	// idx is not to change while it is written: changed tells that it did.
	changed func() bool
	guard   interface {
		RLock()
		RUnlock()
	}
	profile samp.Profile
}

const (
	// checkpointMagic changes with everything that is said here, and with what
	// the core takes for a record or for the same message.
	checkpointMagic = "signalbox index 1\n"
	headerSize      = len(checkpointMagic) + 1 + 16 + 8*8
	sumSize         = 4
	entrySize       = 56
	threadSize      = 8
	// checkpointDir is where checkpoints lie in the state folder.
	checkpointDir = "index"
	// checkpointAge is how long one is kept that nobody uses.
	checkpointAge = 30 * 24 * time.Hour
)

// savedLog is what a checkpoint says of one log.
type savedLog struct {
	name      string
	size      int64
	mtime     time.Time
	id        identity
	scanned   int64
	lines     int
	malformed int
	open      bool
	sum       uint32
	headLen   int
	tailLen   int
	headSum   uint64
	tailSum   uint64
	// racy tells that the log was read so soon after it was written that it
	// may have changed since with the same size and time.
	racy bool
}

// racy tells that a log was read when another write could still have given it
// the time that it had. Times are as coarse as two seconds where they have no
// part of one, and else follow a clock that ticks a hundred times a second.
func racy(mtime, readAt time.Time) bool {
	tick := 20 * time.Millisecond
	if mtime.Nanosecond() == 0 {
		tick = 3 * time.Second
	}
	return readAt.Sub(mtime) < tick
}

// castagnoli is made when it is first used, which takes 0.2 ms.
var castagnoli = sync.OnceValue(func() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) })

func checksum(sum uint32, b []byte) uint32 { return crc32.Update(sum, castagnoli(), b) }

// partSum is the checksum of a part of a checkpoint.
func partSum(s secret, part int, b []byte) uint32 {
	first := s.append(binary.LittleEndian.AppendUint32(nil, uint32(part)))
	return checksum(checksum(0, first), b)
}

// The numbers of the parts. Those of the order follow the last of them, and
// those of the entries follow these.
const (
	partHeader = iota
	partLogs
	partNames
	partThreads
	partSuspects
	partOrder
)

// orderLen is how many messages a part of the order holds.
const orderLen = 1 << 16

// save describes a log for a checkpoint. It is called by the goroutine that
// reads the logs.
func (s *logState) save(key secret) savedLog {
	return savedLog{
		name: s.log.Name, size: s.size, mtime: s.mtime, id: identityOf(s.log.Info), scanned: s.scanned,
		lines: s.lines, malformed: s.malformed, open: s.open, sum: s.sum,
		headLen: len(s.head), tailLen: len(s.tail), headSum: key.bytes(s.head), tailSum: key.bytes(s.tail),
		racy: racy(s.mtime, s.readAt),
	}
}

func (l *savedLog) append(b []byte) []byte {
	le := binary.LittleEndian
	b = le.AppendUint32(b, uint32(len(l.name)))
	b = append(b, l.name...)
	for _, n := range [...]uint64{
		uint64(l.size), uint64(l.mtime.Unix()), uint64(l.mtime.Nanosecond()), uint64(l.id),
		uint64(l.scanned), uint64(l.lines), uint64(l.malformed), uint64(l.sum), l.headSum, l.tailSum,
	} {
		b = le.AppendUint64(b, n)
	}
	flags := byte(0)
	if l.open {
		flags |= 1
	}
	if l.racy {
		flags |= 2
	}
	return append(b, byte(l.headLen), byte(l.tailLen), flags)
}

// checkpointPath is where the checkpoint of a directory lies.
func checkpointPath(stateDir, dirID string) string {
	return filepath.Join(stateDir, checkpointDir, dirID+checkpointExt)
}

const checkpointExt = ".index"

// errMoved tells that the index changed while it was written.
var errMoved = errors.New("store: the index changed while it was being saved")

// write saves a checkpoint, and removes those that nobody used for long. The
// file is there whole or not at all.
func (c *checkpoint) write(ctx context.Context, path string) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, disk.PrivateDir); err != nil {
		return fmt.Errorf("store: save index: %w", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("store: save index: %w", err)
	}
	defer root.Close()
	if info, err := root.Stat("."); err != nil || !ours(info) {
		return fmt.Errorf("store: save index: %q is open to others", dir)
	}
	sweepCheckpoints(root)
	w := disk.Whole{Root: root, Private: true, Tag: checkpointDir + "-"}
	err = w.ReplaceFrom(filepath.Base(path), func(to io.Writer) error {
		out := bufio.NewWriterSize(to, chunkSize)
		if err := c.encode(ctx, out); err != nil {
			return err
		}
		return out.Flush()
	})
	if err != nil {
		return fmt.Errorf("store: save index: %w", err)
	}
	return nil
}

func sweepCheckpoints(root *os.Root) {
	folder, err := root.Open(".")
	if err != nil {
		return
	}
	defer folder.Close()
	names, _ := folder.Readdirnames(-1)
	for _, name := range names {
		disk.Sweep(root, name, disk.Abandoned)
		info, err := root.Lstat(name)
		if err == nil && strings.HasSuffix(name, checkpointExt) && info.Mode().IsRegular() && time.Since(info.ModTime()) > checkpointAge {
			_ = disk.Remove(root, name)
		}
	}
}

// encode writes the checkpoint. The index is locked for a part at a time, so
// that nobody waits for long.
func (c *checkpoint) encode(ctx context.Context, to io.Writer) error {
	x := c.idx
	le := binary.LittleEndian
	part := 0
	buf := make([]byte, 0, orderLen*4+sumSize)
	put := func(fill func(b []byte) []byte) error {
		c.guard.RLock()
		if c.changed() {
			c.guard.RUnlock()
			return errMoved
		}
		buf = fill(buf[:0])
		c.guard.RUnlock()
		buf = le.AppendUint32(buf, partSum(x.secret, part, buf))
		part++
		_, err := to.Write(buf)
		return errors.Join(err, ctx.Err())
	}
	var logs []byte
	for i := range c.logs {
		logs = c.logs[i].append(logs)
	}
	var text, linkedCount int
	parts := []func(b []byte) []byte{
		partHeader: func(b []byte) []byte {
			for _, t := range *x.names.texts {
				text += len(t)
			}
			for i := range x.threads {
				linkedCount += int(x.threads[i].count)
			}
			return c.header(b, len(logs), text, linkedCount)
		},
		partLogs: func(b []byte) []byte { return append(b, logs...) },
		partNames: func(b []byte) []byte {
			b = slices.Grow(b, 4*len(*x.names.texts)+text+sumSize)
			for _, t := range *x.names.texts {
				b = le.AppendUint32(b, uint32(len(t)))
			}
			for _, t := range *x.names.texts {
				b = append(b, t...)
			}
			return b
		},
		partThreads: func(b []byte) []byte {
			b = slices.Grow(b, threadSize*len(x.threads)+sumSize)
			for i := range x.threads {
				b = le.AppendUint32(le.AppendUint32(b, x.threads[i].name), x.threads[i].count)
			}
			return b
		},
		partSuspects: func(b []byte) []byte {
			for _, n := range x.suspects {
				b = le.AppendUint32(b, n)
			}
			return b
		},
	}
	for _, fill := range parts {
		if err := put(fill); err != nil {
			return err
		}
	}
	next, stop := iter.Pull(x.linked())
	defer stop()
	for from := 0; from < linkedCount; from += orderLen {
		err := put(func(b []byte) []byte {
			for range min(orderLen, linkedCount-from) {
				n, _ := next()
				b = le.AppendUint32(b, n)
			}
			return b
		})
		if err != nil {
			return err
		}
	}
	for from, all := 0, c.count; from < all; from += chunkLen {
		err := put(func(b []byte) []byte {
			for n := from; n < min(from+chunkLen, all); n++ {
				b = x.entries.at(uint32(n)).append(b)
			}
			return b
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// linked walks the messages of all threads.
func (x *index) linked() iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		for i := range x.threads {
			for n := x.threads[i].first; n != none; n = x.entries.at(n).next {
				if !yield(n) {
					return
				}
			}
		}
	}
}

// header writes the first part.
func (c *checkpoint) header(b []byte, logBytes, text, linkedCount int) []byte {
	x := c.idx
	b = append(b, checkpointMagic...)
	b = append(b, byte(c.profile))
	b = x.secret.append(b)
	for _, n := range [...]int{len(c.logs), logBytes, len(*x.names.texts), text, len(x.threads), linkedCount, len(x.suspects), c.count} {
		b = binary.LittleEndian.AppendUint64(b, uint64(n))
	}
	return b
}

// append writes an entry without what is made anew: its neighbours and whether
// it was read.
func (e *entry) append(b []byte) []byte {
	le := binary.LittleEndian
	for _, n := range [...]uint64{uint64(e.offset), uint64(e.ts), e.id, e.content} {
		b = le.AppendUint64(b, n)
	}
	for _, n := range [...]uint32{e.length, e.line, e.from, e.to, e.thread} {
		b = le.AppendUint32(b, n)
	}
	return append(le.AppendUint16(b, e.log), byte(e.state&savedState), byte(e.filing))
}

// savedState are the parts of an entry's state that a checkpoint holds.
const savedState = visible | suspicious | oddID

// openCheckpoint opens the checkpoint of a directory if it is the user's own.
func openCheckpoint(path string) (*os.File, fs.FileInfo, error) {
	root, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return nil, nil, err
	}
	defer root.Close()
	if info, err := root.Stat("."); err != nil || !ours(info) {
		return nil, nil, fmt.Errorf("store: %q is open to others, so nothing in it is used", filepath.Dir(path))
	}
	f, info, err := disk.OpenFile(root, filepath.Base(path))
	if err == nil && !ours(info) {
		f.Close()
		err = fmt.Errorf("store: %q is not only ours, so it is not used", path)
	}
	if err == nil && time.Since(info.ModTime()) > checkpointAge/4 {
		// So that others do not take it for one that nobody uses.
		now := time.Now()
		_ = root.Chtimes(filepath.Base(path), now, now)
	}
	return f, info, err
}

// matches reports whether a log still has the bytes that were read of it before
// this process began, as far as its head and tail tell, and gives these.
func (l *savedLog) matches(f *os.File, key secret) (head, tail []byte, ok bool) {
	head, tail = make([]byte, l.headLen), make([]byte, l.tailLen)
	if _, err := f.ReadAt(head, 0); err != nil && !errors.Is(err, io.EOF) {
		return nil, nil, false
	}
	if _, err := f.ReadAt(tail, l.scanned-int64(len(tail))); err != nil && !errors.Is(err, io.EOF) {
		return nil, nil, false
	}
	return head, tail, key.bytes(head) == l.headSum && key.bytes(tail) == l.tailSum
}

// unaltered reads all of a log that was read before, and reports whether it is
// the same.
func unaltered(ctx context.Context, f io.ReaderAt, size int64, want uint32) (bool, error) {
	sum, err := sumOf(ctx, f, 0, size, 0)
	if errors.Is(err, io.EOF) {
		return false, nil
	}
	return err == nil && sum == want, err
}

// sumOf adds a part of a log to a checksum. A log that ends before it is [io.EOF].
func sumOf(ctx context.Context, f io.ReaderAt, from, to int64, sum uint32) (uint32, error) {
	buf := make([]byte, chunkSize)
	for pos := from; pos < to; {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		n, err := f.ReadAt(buf[:min(int64(len(buf)), to-pos)], pos)
		sum = checksum(sum, buf[:n])
		if pos += int64(n); err != nil && pos < to {
			return 0, err
		}
	}
	return sum, nil
}

// logSize is the size of a savedLog without its name.
const logSize = 4 + 10*8 + 3

// parseLogs reads the second part.
func parseLogs(b []byte, count int) ([]savedLog, bool) {
	le := binary.LittleEndian
	logs := make([]savedLog, 0, count)
	seen := make(map[string]bool, count)
	for range count {
		if len(b) < logSize {
			return nil, false
		}
		n := uint64(le.Uint32(b))
		if n > uint64(len(b)-logSize) {
			return nil, false
		}
		l := savedLog{name: string(b[4 : 4+n])}
		b = b[4+n:]
		var v [10]uint64
		for i := range v {
			v[i] = le.Uint64(b[8*i:])
		}
		b = b[8*len(v):]
		l.size, l.mtime, l.id = int64(v[0]), time.Unix(int64(v[1]), int64(v[2])), identity(v[3])
		l.scanned, l.lines, l.malformed, l.sum, l.headSum, l.tailSum = int64(v[4]), int(v[5]), int(v[6]), uint32(v[7]), v[8], v[9]
		l.headLen, l.tailLen, l.open, l.racy = int(b[0]), int(b[1]), b[2]&1 != 0, b[2]&2 != 0
		b = b[3:]
		_, isLog := samp.LogStem(l.name)
		if !isLog || seen[l.name] || l.scanned < 0 || l.scanned > l.size || v[2] > 999_999_999 || l.lines < 0 || l.malformed < 0 ||
			max(l.headLen, l.tailLen) > kept || int64(max(l.headLen, l.tailLen)) > l.scanned {
			return nil, false
		}
		seen[l.name] = true
		logs = append(logs, l)
	}
	return logs, len(b) == 0
}
