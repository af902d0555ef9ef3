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

// maxMark limits the size of a reader's watermark and cache. A watermark lists the messages
// of one second, so that even a burst stays far below the limit.
const maxMark = 64 << 20

func (d *Dir) readSmall(name string) ([]byte, error) {
	data, _, err := d.readUpTo(name, maxMark)
	return data, err
}

// readUpTo returns a file of at most limit bytes, and when it was written.
func (d *Dir) readUpTo(name string, limit int64) (data []byte, written time.Time, err error) {
	f, err := d.OpenRegular(name)
	if err != nil {
		return nil, written, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, written, err
	}
	if info.Size() > limit {
		return nil, written, fmt.Errorf("store: read %q: %d bytes, and %d is the limit", filepath.Join(d.path, name), info.Size(), limit)
	}
	data = make([]byte, info.Size())
	n, err := f.ReadAt(data, 0)
	if n < len(data) && err != nil {
		return nil, written, err
	}
	return data, info.ModTime(), nil
}

// Watermark returns a reader's watermark (§6 step 2). found is false if there is none. If it
// cannot be read, Watermark returns an error, and the caller shows everything.
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

// maxReceipts limits the size of somebody else's watermark. It has room for more than
// [maxMarked] ids.
const maxReceipts = 2 << 20

// Receipts reports which messages somebody else has read, by their watermark.
type Receipts struct {
	seen    samp.Seen
	ts      int64
	written time.Time
}

// Receipts returns the receipts of another reader. It returns nil if there is no watermark, if
// the watermark cannot be read, or if its time is after now and so cannot be believed.
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
		written = time.Time{} // written by another clock
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

// FileState is a file's size and modification time, both zero for a missing file.
type FileState struct {
	size, changed int64
}

func stateOf(info fs.FileInfo, err error) FileState {
	if err != nil {
		return FileState{}
	}
	return FileState{info.Size(), info.ModTime().UnixNano()}
}

// WatermarkFile returns the state of a reader's watermark file without reading it.
func (d *Dir) WatermarkFile(alias string) FileState {
	return stateOf(d.root.Lstat(samp.WatermarkName(alias)))
}

// Read reports whether a message to the reader was read, and when. The time is zero if it
// is unknown, because the watermark has since been written again for newer messages.
func (r *Receipts) Read(m *samp.Found) (when time.Time, read bool) {
	switch {
	case r == nil:
		return when, false
	case r.seen.Listed(m) && m.TS == r.ts && r.written.Unix() >= m.TS:
		return r.written, true
	}
	return when, r.seen.Listed(m) || r.seen.Before(m.TS)
}

// SetWatermark writes a reader's own watermark atomically (§6 step 9) and syncs it.
func (d *Dir) SetWatermark(me string, w samp.Watermark) error {
	return d.writeFile(samp.WatermarkName(me), w.Append(nil), false)
}

// Signature sums up the names, sizes and times of a directory's logs. As long as it is the
// same, nothing can be new (§6 step 1, rule N1).
type Signature struct {
	// Mtime is the newest log's modification time in seconds. Files counts the logs, and Size
	// adds up their bytes. Other tools compare only these three.
	Mtime float64
	Files int
	Size  int64
	// Logs is a digest of every log's name, length and time. Without it, the change of one
	// log could hide a new message in another.
	Logs string
}

// Signature returns the signature of the logs without reading them.
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
		// No name contains a NUL, so different lists of logs never have the same bytes.
		line = append(append(line[:0], l.Name...), 0)
		line = strconv.AppendInt(line, l.Info.Size(), 10)
		line = strconv.AppendInt(append(line, ' '), mtime.Unix(), 10)
		line = strconv.AppendInt(append(line, '.'), int64(mtime.Nanosecond()), 10)
		digest.Write(append(line, '\n'))
	}
	s.Logs = hex.EncodeToString(digest.Sum(nil))
	return s
}

// Unchanged reports whether the logs have the same signature as at the last inbox of me. It is
// false if the watermark or the cache is missing, so that removing one of them makes the next
// inbox read everything.
func (d *Dir) Unchanged(me string, now Signature) bool {
	if _, err := d.root.Lstat(samp.WatermarkName(me)); err != nil {
		return false
	}
	data, err := d.readSmall(samp.MtimeName(me))
	if err != nil {
		return false
	}
	saved, ok := parseSignature(data)
	return ok && saved == now
}

// SaveSignature writes the cache of a reader atomically (§6 step 10). It contains the members
// that other tools read, and "logs", which they ignore.
func (d *Dir) SaveSignature(me string, s Signature) error {
	out := append([]byte(nil), `{"max_mtime": `...)
	out = strconv.AppendFloat(out, s.Mtime, 'f', -1, 64)
	out = strconv.AppendInt(append(out, `, "files": `...), int64(s.Files), 10)
	out = strconv.AppendInt(append(out, `, "size": `...), s.Size, 10)
	out = canon.AppendString(append(out, `, "logs": `...), s.Logs)
	return d.writeFile(samp.MtimeName(me), append(out, '}'), true)
}

// parseSignature parses a cache. It rejects a cache without "logs": the tool that wrote it can
// miss an append.
func parseSignature(data []byte) (s Signature, ok bool) {
	var have int
	err := canon.Object(data, func(key []byte, v canon.Value) error {
		switch string(key) {
		case "max_mtime":
			f, err := strconv.ParseFloat(string(v.Raw), 64)
			s.Mtime = f
			have |= bitIf(err == nil, 1)
		case "files":
			n, ok := v.Int64()
			s.Files = int(n)
			have |= bitIf(ok, 2)
		case "size":
			n, ok := v.Int64()
			s.Size = n
			have |= bitIf(ok, 4)
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

func bitIf(ok bool, bit int) int {
	if ok {
		return bit
	}
	return 0
}
