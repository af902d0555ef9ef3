package samp

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/core/samp"
)

// maxMark bounds the size of a reader's state file. A watermark lists the messages of one
// second, so that even a burst stays far below it.
const maxMark = 64 << 20

func (d *Dir) readSmall(name string) ([]byte, error) {
	data, _, err := d.readUpTo(name, maxMark)
	return data, err
}

// readUpTo reads a file of at most most bytes, and returns when it was written.
func (d *Dir) readUpTo(name string, most int64) (data []byte, written time.Time, err error) {
	f, err := d.OpenRegular(name)
	if err != nil {
		return nil, written, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, written, err
	}
	if info.Size() > most {
		return nil, written, fmt.Errorf("store: read %q: %d bytes, and %d is the limit", filepath.Join(d.path, name), info.Size(), most)
	}
	data = make([]byte, info.Size())
	n, err := f.ReadAt(data, 0)
	if n < len(data) && err != nil {
		return nil, written, err
	}
	return data, info.ModTime(), nil
}

// Watermark reads a reader's watermark (§6 step 2). found is false if there is none. If
// it cannot be read, that is an error, and the reader is shown everything.
func (d *Dir) Watermark(me string) (w samp.Watermark, found bool, err error) {
	data, err := d.readSmall(samp.WatermarkName(me))
	if errors.Is(err, fs.ErrNotExist) {
		return w, false, nil
	}
	if err != nil {
		return w, false, err
	}
	if w, err = samp.ParseWatermark(data); err != nil {
		return w, false, fmt.Errorf("store: %q: %w", filepath.Join(d.path, samp.WatermarkName(me)), err)
	}
	return w, true, nil
}

// maxReceipts bounds the size of somebody else's watermark: more than [maxMarked] ids
// take.
const maxReceipts = 2 << 20

// Receipts tells which messages somebody else has read, by their watermark.
type Receipts struct {
	seen    samp.Seen
	ts      int64
	written time.Time
}

// Receipts reads the watermark of another reader. It is nil if there is none, if it
// cannot be read, and if it lies ahead of now: then it says nothing.
func (d *Dir) Receipts(alias string, now time.Time) *Receipts {
	if !samp.ValidAlias(alias) {
		return nil
	}
	data, written, err := d.readUpTo(samp.WatermarkName(alias), maxReceipts)
	if err != nil {
		return nil
	}
	w, err := samp.ParseWatermark(data)
	if err != nil || w.TS > now.Unix() {
		return nil
	}
	if written.After(now) {
		written = time.Time{} // by another clock
	}
	return &Receipts{w.Seen(), w.TS, written}
}

// Known reports whether somebody has written or read mail under a name.
func (d *Dir) Known(alias string) bool {
	return samp.ValidAlias(alias) && slices.ContainsFunc([]string{samp.LogName(alias), samp.WatermarkName(alias)}, func(name string) bool {
		_, err := d.root.Lstat(name)
		return err == nil
	})
}

// FileState is what a file looks like from outside. It is zero for a missing one.
type FileState struct {
	size, changed int64
}

func stateOf(info fs.FileInfo, err error) FileState {
	if err != nil {
		return FileState{}
	}
	return FileState{info.Size(), info.ModTime().UnixNano()}
}

// WatermarkFile looks at a reader's watermark without reading it.
func (d *Dir) WatermarkFile(alias string) FileState {
	return stateOf(d.root.Lstat(samp.WatermarkName(alias)))
}

// Read reports whether a message to the reader was read, and when. The time is zero if it
// is not known: the watermark was written anew for newer messages since.
func (r *Receipts) Read(m *samp.Found) (when time.Time, read bool) {
	switch {
	case r == nil:
		return when, false
	case r.seen.Listed(m) && m.TS == r.ts && r.written.Unix() >= m.TS:
		return r.written, true
	}
	return when, r.seen.Listed(m) || r.seen.Before(m.TS)
}

// SetWatermark writes a reader's own watermark atomically (§6 step 9), and waits until it
// is on the disk.
func (d *Dir) SetWatermark(me string, w samp.Watermark) error {
	return d.writeFile(samp.WatermarkName(me), w.Append(nil), false)
}

// Signature is what a directory's logs look like from outside. As long as it is the same,
// nothing can be new (§6 step 1, rule N1).
type Signature struct {
	// Mtime is the newest log's, in seconds. Files counts the logs, and Size adds up their
	// bytes. Other tools go by these three.
	Mtime float64
	Files int
	Size  int64
	// Logs is a digest of every log's name, length and time. The three above do not show a
	// new message while another writer moves the time and the length of their own log.
	Logs string
}

// Signature looks at the logs without reading them.
func (d *Dir) Signature() (Signature, error) {
	logs, _, err := d.Logs()
	if err != nil {
		return Signature{}, err
	}
	return signature(logs), nil
}

func signature(logs []Log) Signature {
	s := Signature{Files: len(logs)}
	digest := sha256.New()
	var line []byte
	for _, l := range logs {
		mtime := l.Info.ModTime()
		s.Mtime = max(s.Mtime, float64(mtime.Unix())+float64(mtime.Nanosecond())*1e-9)
		s.Size += l.Info.Size()
		// No name holds a NUL, so that no two lists of logs are the same bytes.
		line = append(append(line[:0], l.Name...), 0)
		line = strconv.AppendInt(line, l.Info.Size(), 10)
		line = strconv.AppendInt(append(line, ' '), mtime.Unix(), 10)
		line = strconv.AppendInt(append(line, '.'), int64(mtime.Nanosecond()), 10)
		digest.Write(append(line, '\n'))
	}
	s.Logs = hex.EncodeToString(digest.Sum(nil))
	return s
}

// Unchanged reports whether the logs look as they did when me last looked. It is false if
// either state file is missing, so that removing one makes the next inbox read
// everything.
func (d *Dir) Unchanged(me string, now Signature) bool {
	if _, err := d.root.Lstat(samp.WatermarkName(me)); err != nil {
		return false
	}
	data, err := d.readSmall(samp.MtimeName(me))
	if err != nil {
		return false
	}
	then, ok := parseSignature(data)
	return ok && then == now
}

// SaveSignature writes the cache of a reader, atomically (§6 step 10): the members that
// other tools read, and "logs", which they pass over.
func (d *Dir) SaveSignature(me string, s Signature) error {
	out := append([]byte(nil), `{"max_mtime": `...)
	out = strconv.AppendFloat(out, s.Mtime, 'f', -1, 64)
	out = strconv.AppendInt(append(out, `, "files": `...), int64(s.Files), 10)
	out = strconv.AppendInt(append(out, `, "size": `...), s.Size, 10)
	out = canon.AppendString(append(out, `, "logs": `...), s.Logs)
	return d.writeFile(samp.MtimeName(me), append(out, '}'), true)
}

// parseSignature reads a cache. One without "logs" was written by a tool that can miss an
// append, and is not trusted.
func parseSignature(data []byte) (s Signature, ok bool) {
	var have int
	err := canon.Object(data, func(key []byte, v canon.Value) error {
		switch string(key) {
		case "max_mtime":
			f, err := strconv.ParseFloat(string(v.Raw), 64)
			s.Mtime = f
			have |= flag(err == nil, 1)
		case "files":
			n, ok := v.Int64()
			s.Files = int(n)
			have |= flag(ok, 2)
		case "size":
			n, ok := v.Int64()
			s.Size = n
			have |= flag(ok, 4)
		case "logs":
			if v.Kind == canon.String {
				s.Logs, _ = canon.Unquote(v.Raw)
				have |= 8
			}
		}
		return nil
	})
	return s, err == nil && have == 15
}

func flag(ok bool, bit int) int {
	if ok {
		return bit
	}
	return 0
}
