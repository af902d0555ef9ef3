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

// Mail is what a pass over a directory found for one reader.
type Mail struct {
	samp.Inbox
	// Profile is the form that effective ids were computed in.
	Profile samp.Profile
	// Malformed counts the lines that were read and are no record. Only [Dir.Examine]
	// reads every line.
	Malformed int
	// Bad says which logs these lines are in, by the logs' names.
	Bad map[string]BadLines
	// Problems names logs that were not read, and why.
	Problems []Problem
	// Partial is set if there may be more mail in a log that could not be read.
	Partial bool
}

// BadLines counts the malformed lines of a log. Last is where the last of them begins.
type BadLines struct {
	Count int
	Last  int64
}

// add counts one more line.
func (b *BadLines) add(offset int64) {
	b.Count++
	b.Last = max(b.Last, offset)
}

// skipped counts a line that was not read into memory. It is a visitor's Skipped.
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
// parses every line. keep is called from several goroutines. Its argument is valid
// during the call only, and has no Rank and Offset yet.
func (d *Dir) Select(ctx context.Context, p samp.Profile, keep func(*samp.Found) bool) (m Mail, err error) {
	return d.selected(ctx, p, Lines{wants: keep})
}

func (d *Dir) selected(ctx context.Context, p samp.Profile, what Lines) (m Mail, err error) {
	err = reread(func() error {
		scan := what
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

// reread reads the logs again if one was compacted meanwhile.
func reread(read func() error) (err error) {
	const times = 10
	for range times {
		if err = read(); !errors.Is(err, errRewritten) {
			break
		}
	}
	return err
}

// CloneFound returns a record in memory of its own.
func CloneFound(f *samp.Found) samp.Found {
	c := *f
	for _, s := range []*string{&c.ID, &c.From, &c.To, &c.Thread, &c.Body, &c.Key} {
		*s = strings.Clone(*s)
	}
	return c
}

// tailSize is how much of a log's end is looked at for its form before the
// whole log is.
const tailSize = 64 << 10

// Form returns the form to write in: the form of the newest record in the directory whose id
// is right in one of the forms, and V1 if there is none. The newest records stand at the
// ends of the logs. Form reads a whole log only if its end holds no right id.
func (d *Dir) Form(ctx context.Context) (Form, error) {
	logs, _, err := d.Logs()
	if err != nil {
		return Form{}, err
	}
	best := Form{}
	// Logs by age, the freshest first, answer most questions with one read.
	slices.SortStableFunc(logs, func(a, b Log) int { return b.Info.ModTime().Compare(a.Info.ModTime()) })
	for _, log := range logs {
		if ctx.Err() != nil {
			return Form{}, ctx.Err()
		}
		if best.Found && log.Info.ModTime().Unix() < best.TS {
			// The log was last written before the best record's time, so it holds
			// no newer one.
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
		// Reported by whoever lists or reads the log.
		return
	}
	defer f.Close()
	size := log.Info.Size()
	// No more than the log needs: there may be thousands of small ones.
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

// Add looks at one more record.
func (b *Form) Add(rec *samp.Record) {
	if b.Found && rec.TS < b.TS {
		return
	}
	if p, ok := samp.Identify(rec).Profile(); ok {
		*b = Form{Profile: p, TS: rec.TS, Found: true}
	}
}
