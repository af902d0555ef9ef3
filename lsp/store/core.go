package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/store/disk"
)

// Core is the protocol core in another place than this program, such as a
// WebAssembly module. A [Dir] without one calls core/samp line by line while it
// reads; one with it hands over lines and whole logs, and does the rest alike.
//
// Lines and logs are not changed and not kept. A line that is no record gives a
// *[samp.Fault]; any other error ends what the Dir was asked for.
type Core interface {
	// Parse reads one line, and tells what its id is.
	Parse(ctx context.Context, line []byte) (samp.Record, samp.Form, error)
	// Inspect checks one line of a log, as [samp.Inspect]. The record is set
	// where rule L4 is broken.
	Inspect(ctx context.Context, line []byte, log Log) (samp.Inspection, error)
	// Watermark reads a reader's mark.
	Watermark(ctx context.Context, data []byte) (samp.Watermark, error)
	// Inbox finds one reader's mail, and counts malformed lines as [Mail] does.
	Inbox(ctx context.Context, q Query) (box samp.Inbox, malformed int, err error)
	// Unread splits that mail as [samp.Unread], at the time now in Unix seconds,
	// and gives the mark after the fresh part was shown.
	Unread(ctx context.Context, q Query, mark samp.Watermark, now int64) (fresh, older []samp.Found, next samp.Watermark, err error)
	// Compact compacts a log.
	Compact(ctx context.Context, data []byte, p samp.Profile) (samp.Compaction, error)
}

// Query asks for the mail of Me in logs, in order of their names. Effective ids
// are of the form Profile.
type Query struct {
	Me      string
	Profile samp.Profile
	Logs    []LogText
}

// LogText is a log with its bytes.
type LogText struct {
	Log
	Data []byte
}

// Use has c compute what [Dir.Inbox], [Dir.ReadNew], [Dir.Unread], [Dir.Profile],
// [Dir.Examine] and [Dir.Compact] find out; nil stands for core/samp itself. It
// comes before the first of them.
func (d *Dir) Use(c Core) { d.core = c }

// inboxOf is Inbox by another core, which takes whole logs.
func (d *Dir) inboxOf(ctx context.Context, logs []Log, problems []Problem, me string, p samp.Profile) (Mail, error) {
	m := Mail{Profile: p, Problems: problems, query: Query{Me: me, Profile: p}}
	for _, log := range logs {
		if err := ctx.Err(); err != nil {
			return Mail{}, err
		}
		data, err := d.text(log)
		if err != nil {
			m.Problems, m.Partial = append(m.Problems, unreadable(log, err)), true
			continue
		}
		m.query.Logs = append(m.query.Logs, LogText{log, data})
	}
	var err error
	m.Inbox, m.Malformed, err = d.core.Inbox(ctx, m.query)
	return m, err
}

// text reads a log as long as it was when the directory was listed.
func (d *Dir) text(log Log) ([]byte, error) {
	f, err := d.openLog(log)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readText(f, log.Info.Size())
}

// maxText is the size in bytes of the largest log that is handed to another core.
const maxText = 1 << 30

// readText reads the first bytes of a log for another core.
func readText(f *os.File, size int64) ([]byte, error) {
	if size > maxText {
		return nil, fmt.Errorf("it has %d bytes, and another engine is given %d at most", size, maxText)
	}
	data := make([]byte, size)
	n, err := f.ReadAt(data, 0)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return data[:n], err
}

// Unread splits the mail that [Dir.Inbox] found into what mark lets through and
// what it hides because of its time alone. now caps the mark, in Unix seconds.
func (d *Dir) Unread(ctx context.Context, m *Mail, mark samp.Watermark, now int64) (fresh, older []samp.Found, err error) {
	fresh, older, _, err = d.unread(ctx, m, mark, now)
	return fresh, older, err
}

func (d *Dir) unread(ctx context.Context, m *Mail, mark samp.Watermark, now int64) (fresh, older []samp.Found, next func() samp.Watermark, err error) {
	if d.core == nil {
		mark = mark.Capped(now)
		fresh, older = samp.Unread(m.Messages, mark)
		return fresh, older, func() samp.Watermark { return mark.Advance(m.Messages, fresh, now) }, nil
	}
	fresh, older, after, err := d.core.Unread(ctx, m.query, mark, now)
	return fresh, older, func() samp.Watermark { return after }, err
}

// rewritten is decide by another core: if anything changes it gives the whole
// log anew.
func (c *Compacted) rewritten(ctx context.Context, core Core, f *os.File, p samp.Profile) (edits []edit, size int64, err error) {
	info, err := f.Stat()
	if err != nil {
		return nil, 0, err
	}
	data, err := readText(f, info.Size())
	if err != nil {
		return nil, 0, err
	}
	size = int64(len(data))
	done, err := core.Compact(ctx, data, p)
	if err == nil && done.Changed(data) {
		edits = []edit{{0, size, string(done.Data)}}
	}
	c.Before, c.After = done.Before, done.After
	c.Filled, c.Malformed, c.Conflicts = done.Filled, done.Malformed, done.Conflicts
	return edits, size, err
}

// watermark is Watermark, read by the core in use.
func (d *Dir) watermark(ctx context.Context, data []byte) (samp.Watermark, error) {
	if d.core == nil {
		return samp.ParseWatermark(data)
	}
	return d.core.Watermark(ctx, data)
}

// inspect checks a line by the core in use. It overwrites raw.
func (d *Dir) inspect(ctx context.Context, log Log, raw []byte) (samp.Inspection, error) {
	if d.core == nil {
		return samp.Inspect(raw, log.Stem), nil
	}
	return d.core.Inspect(ctx, raw, log)
}

// parse reads a line by the core in use, and overwrites raw. ok is false for what
// is no record.
func (d *Dir) parse(ctx context.Context, raw []byte) (r samp.Record, ok bool, err error) {
	if d.core == nil {
		r, err = samp.ParseInPlace(raw)
		return r, err == nil, nil
	}
	r, _, err = d.core.Parse(ctx, raw)
	if _, bad := errors.AsType[*samp.Fault](err); bad {
		return r, false, nil
	}
	return r, err == nil, err
}

// failed words an error of another core, which is none of the directory's.
func (d *Dir) failed(log Log, err error) error {
	return fmt.Errorf("store: read %q: %w", filepath.Join(d.path, log.Name), disk.Cause(err))
}
