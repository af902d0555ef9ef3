package store

import (
	"context"
	"time"

	"github.com/signalbox-dev/signalbox/core/samp"
)

// Reading is one run of the default inbox (§6): what to show, and what to save
// once it was shown. Nothing is saved before [Reading.Commit], so that output
// that fails loses no mail.
type Reading struct {
	// Unchanged tells that nothing can be new and no log was read (rule N1).
	Unchanged bool
	// Mail is everything addressed to the reader.
	Mail Mail
	// Fresh is what the spec's filter shows. Late is what it would lose:
	// older than the watermark, not named by it, and not seen here before
	// (rule N6).
	Fresh, Late []samp.Found
	// Warnings say what was not usable, such as a broken watermark.
	Warnings []string

	dir *Dir
	me  string
	now int64
	sig Signature
	// next gives the mark after Fresh was shown.
	next  func() samp.Watermark
	state *ReadState
	// known is mail that was behind the watermark when Signalbox first
	// looked. Another tool has shown it.
	known []samp.Found
}

// ReadNew prepares the default inbox of me. now caps the watermark. state may
// be nil, where no own state can be kept: then late mail is announced on every
// run that reads the logs.
func (d *Dir) ReadNew(ctx context.Context, me string, p samp.Profile, now time.Time, state *ReadState) (*Reading, error) {
	r := &Reading{dir: d, me: me, now: now.Unix(), state: state}
	var err error
	if r.sig, err = d.Signature(); err != nil {
		return nil, err
	}
	if d.Unchanged(me, r.sig) {
		r.Unchanged = true
		return r, nil
	}
	mark, _, err := d.readMark(ctx, me)
	if err != nil {
		r.Warnings = append(r.Warnings, err.Error()+"; everything is shown")
	}
	if r.Mail, err = d.Inbox(ctx, me, p); err != nil {
		return nil, err
	}
	var older []samp.Found
	if r.Fresh, older, r.next, err = d.unread(ctx, &r.Mail, mark, r.now); err != nil {
		return nil, err
	}
	if state != nil && !state.Exists() {
		r.known = older
		return r, nil
	}
	for i := range older {
		if state == nil || !state.Has(KeyOf(&older[i])) {
			r.Late = append(r.Late, older[i])
		}
	}
	return r, nil
}

// Commit saves the watermark, the cache and the own read state. A directory
// that cannot be written gives errors, and the mail is shown again next time
// (rule N5).
func (r *Reading) Commit() []error {
	if r.Unchanged {
		return nil
	}
	var errs []error
	add := func(err error) bool {
		if err != nil {
			errs = append(errs, err)
		}
		return err == nil
	}
	saved := true
	// The own state comes before the mark. Who finds a mark without it takes what is
	// behind the mark for mail that another tool has shown.
	if r.state != nil {
		var keys []Key
		for _, list := range [][]samp.Found{r.known, r.Late, r.Fresh} {
			for i := range list {
				keys = append(keys, KeyOf(&list[i]))
			}
		}
		_, err := r.state.Mark(keys, true)
		saved = add(err)
	}
	if saved && len(r.Fresh) > 0 {
		saved = add(r.dir.SetWatermark(r.me, r.next()))
	}
	// The cache comes last: with it, what was not saved would be lost.
	if saved {
		add(r.dir.SaveSignature(r.me, r.sig))
	}
	return errs
}
