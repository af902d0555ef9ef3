package box

import (
	"context"
	"slices"

	"github.com/signalbox-dev/signalbox/core/samp"
	sampstore "github.com/signalbox-dev/signalbox/lsp/samp"
)

type (
	// Log is one log of a directory.
	Log = sampstore.Log
	// Compacted reports what compacting did to one log.
	Compacted = sampstore.Compacted
	// HeldError reports that a log was not compacted, because programs have it open for writing.
	HeldError = sampstore.HeldError
)

// Clone returns a copy of a message. Only the stem shares memory with the original.
func Clone(m *samp.Found) samp.Found { return sampstore.CloneFound(m) }

// Examine checks every line of every log, and calls emit for each problem.
func (d *Dir) Examine(ctx context.Context, emit func(Problem)) (Report, error) {
	return d.dir.Examine(ctx, emit)
}

// Logs lists the logs, and the problems of logs that are not read.
func (d *Dir) Logs() ([]Log, []Problem, error) { return d.dir.Logs() }

// Compact rewrites a log without its duplicates and with ids filled in (rule C2). If a program has
// the log open for writing, Compact changes nothing and returns a [HeldError], unless held is set.
func (d *Dir) Compact(ctx context.Context, log Log, held bool) (Compacted, error) {
	form, err := d.Form(ctx)
	if err != nil {
		return Compacted{}, err
	}
	if held {
		return d.dir.CompactHeld(ctx, log, form)
	}
	return d.dir.Compact(ctx, log, form)
}

// NewestForm returns the form of the newest record whose id is right, if there is one.
func (d *Dir) NewestForm(ctx context.Context) (form samp.Profile, found bool, err error) {
	newest, err := d.dir.Form(ctx)
	return newest.Profile, newest.Found, err
}

// Writable reports whether files can be created in the directory.
func (d *Dir) Writable() bool { return d.dir.Writable() }

// Watermark returns the watermark of a name, if there is one.
func (d *Dir) Watermark(name string) (mark samp.Watermark, found bool, err error) {
	return d.dir.Watermark(name)
}

// MarkWithWatermark marks messages as read under a name, and remembers the watermark that was
// written for it.
func (d *Dir) MarkWithWatermark(name string, read []Key, mark samp.Watermark) error {
	state, err := sampstore.OpenReadState(d.Env.StateDir(), d.dir, name)
	if err != nil {
		return err
	}
	return state.MarkWithWatermark(slices.Values(read), mark)
}

// Ahead counts the records of a log whose time is in the future.
type Ahead struct {
	Count  int
	Newest int64 // in Unix seconds
}

// CountAfter counts the records after a time in Unix seconds, by the stem of their log. It
// reveals no content, and so counts all records, whoever reads.
func (d *Dir) CountAfter(ctx context.Context, limit int64) (map[string]Ahead, error) {
	form, err := d.Form(ctx)
	if err != nil {
		return nil, err
	}
	mail, err := d.dir.Select(ctx, form, func(r *samp.Found) bool { return r.TS > limit })
	if err != nil {
		return nil, err
	}
	logs := make(map[string]Ahead)
	for i := range mail.Messages {
		m := &mail.Messages[i]
		a := logs[m.Stem]
		logs[m.Stem] = Ahead{a.Count + 1, max(a.Newest, m.TS)}
	}
	return logs, nil
}
