package samp

import (
	"context"
	"errors"
	"hash/maphash"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/disk/lineread"
)

// Mail is the result of a pass over a directory for one reader.
type Mail struct {
	samp.Inbox
	// Profile is the form that effective ids were computed in.
	Profile samp.Profile
	// Malformed counts the lines that were read and aren't records. Only [Dir.Examine]
	// reads every line.
	Malformed int
	// Bad counts the same lines for each log, by the log's name.
	Bad map[string]BadLines
	// Problems lists the logs that were not read, and why.
	Problems []Problem
	// Partial is set if there may be more mail in a log that could not be read.
	Partial bool
}

// BadLines counts the malformed lines of a log. Last is the offset of the last one.
type BadLines struct {
	Count int
	Last  int64
}

func (b *BadLines) add(offset int64) {
	b.Count++
	b.Last = max(b.Last, offset)
}

// skipped counts a malformed line that was not read into memory. It serves as
// [lineread.Visitor.Skipped].
func (b *BadLines) skipped(p lineread.Skipped) {
	if p.Fault != nil {
		b.add(p.Offset)
	}
}

// bad adds malformed lines of a log.
func (m *Mail) bad(log string, b BadLines) {
	if b.Count == 0 {
		return
	}
	if m.Bad == nil {
		m.Bad = make(map[string]BadLines)
	}
	had := m.Bad[log]
	m.Malformed += b.Count
	m.Bad[log] = BadLines{had.Count + b.Count, max(had.Last, b.Last)}
}

// Select finds every record for which keep returns true, whoever it is addressed to. It
// parses every line. keep is called from several goroutines. Its argument is valid only
// during the call, and has no Rank and Offset yet.
func (d *Dir) Select(ctx context.Context, p samp.Profile, keep func(*samp.Found) bool) (m Mail, err error) {
	return d.selected(ctx, p, Lines{wants: keep})
}

func (d *Dir) selected(ctx context.Context, p samp.Profile, query Lines) (m Mail, err error) {
	err = reread(func() error {
		scan := query
		scan.seed = maphash.MakeSeed()
		l, err := d.lines(ctx, p, &scan)
		if err != nil {
			return err
		}
		defer l.Close()
		m, err = l.mail(ctx, nil)
		return err
	})
	return m, err
}

// reread calls read, and again if a log was compacted meanwhile, up to ten times.
func reread(read func() error) (err error) {
	const times = 10
	for range times {
		if err = read(); !errors.Is(err, errRewritten) {
			break
		}
	}
	return err
}

// CloneFound returns a copy of a record. Only the stem shares memory with the original.
func CloneFound(f *samp.Found) samp.Found {
	c := *f
	for _, s := range []*string{&c.ID, &c.From, &c.To, &c.Thread, &c.Body, &c.Key} {
		*s = strings.Clone(*s)
	}
	return c
}

// tailSize is how much of a log's end is searched for its form before the whole log is.
const tailSize = 64 << 10

// Form returns the form to write in: the form of the newest record in the directory whose id
// is right in one of the forms, and V1 if there is none. The newest records are at the ends
// of the logs. Form reads a whole log only if its end contains no right id.
func (d *Dir) Form(ctx context.Context) (Form, error) {
	logs, _, err := d.Logs()
	if err != nil {
		return Form{}, err
	}
	best := Form{}
	// If the logs are sorted newest first, one read is usually enough.
	slices.SortStableFunc(logs, func(a, b Log) int { return b.Info.ModTime().Compare(a.Info.ModTime()) })
	for _, log := range logs {
		if ctx.Err() != nil {
			return Form{}, ctx.Err()
		}
		if best.Found && log.Info.ModTime().Unix() < best.TS {
			// The log was last written before the best record's time, so it contains no newer
			// record.
			break
		}
		best.fromLog(ctx, d, log)
	}
	return best, nil
}

// Form is the form of the newest record with a right id so far, and its time.
type Form struct {
	Profile samp.Profile
	TS      int64
	Found   bool
}

func (b *Form) fromLog(ctx context.Context, d *Dir, log Log) {
	f, err := d.OpenRegular(log.Name)
	if err != nil {
		// Listing or reading the log reports it.
		return
	}
	defer f.Close()
	size := log.Info.Size()
	// The buffer is as small as the log: there may be thousands of small logs.
	r := lineread.Sized(min(tailSize, size+1))
	visit := lineread.Visitor{Line: func(_ int64, raw []byte, _ bool) { b.fromLine(raw) }}
	_ = r.Read(ctx, f, max(size-tailSize, 0), size, visit)
	if !b.Found && size > tailSize {
		_ = r.Read(ctx, f, 0, size, visit)
	}
}

func (b *Form) fromLine(raw []byte) {
	if rec, err := samp.ParseInPlace(raw); err == nil {
		b.Add(&rec)
	}
}

// Add takes over the form of a record, if its id is right and it isn't older.
func (b *Form) Add(rec *samp.Record) {
	if b.Found && rec.TS < b.TS {
		return
	}
	if p, ok := samp.Identify(rec).Profile(); ok {
		*b = Form{Profile: p, TS: rec.TS, Found: true}
	}
}
