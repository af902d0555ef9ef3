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
	// older than the watermark, not named by it, not seen here before, and not
	// there before either, for another tool to show (rule N6).
	Fresh, Late []samp.Found
	// Warnings say what was not usable, such as a broken watermark.
	Warnings []string

	dir *Dir
	me  string
	now int64
	sig Signature
	// mark is what the directory had.
	mark samp.Watermark
	// next gives the mark after Fresh was shown.
	next  func() samp.Watermark
	state *ReadState
	// known is mail behind the watermark that another tool may have shown, before
	// Signalbox first looked or since.
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
	if r.mark, _, err = d.Watermark(me); err != nil {
		r.Warnings = append(r.Warnings, err.Error()+"; everything is shown")
	}
	if r.Mail, err = d.Inbox(ctx, me, p); err != nil {
		return nil, err
	}
	mark := r.mark.Capped(r.now)
	var older []samp.Found
	r.Fresh, older = samp.Unread(r.Mail.Messages, mark)
	r.next = func() samp.Watermark { return mark.Advance(r.Mail.Messages, r.Fresh, r.now) }
	r.sort(older)
	return r, nil
}

// sort tells mail that came late from mail that another tool may have shown: what
// the watermark names or covers and the one that we left did not, and all before we
// left any. Where the watermark is not ours, a record that stands in its log before
// one that the mark names was there when the mark was written.
func (r *Reading) sort(older []samp.Found) {
	var left int64
	var ours, remembered bool
	if r.state != nil {
		// As of now: the mark that was read may have been left since the state was.
		if _, err := r.state.Refresh(); err != nil {
			r.Warnings = append(r.Warnings, err.Error())
		}
		left, ours, remembered = r.state.Left(r.mark)
	}
	named := make(map[string]int64)
	if !ours {
		r.known = r.named()
		for i := range r.known {
			named[r.known[i].Stem] = max(named[r.known[i].Stem], r.known[i].Offset)
		}
	}
	for i := range older {
		m := &older[i]
		switch {
		case r.state != nil && r.state.Has(KeyOf(m)):
		case r.state != nil && (!remembered || m.TS >= left), m.Offset < named[m.Stem]:
			r.known = append(r.known, *m)
		default:
			r.Late = append(r.Late, *m)
		}
	}
}

// named returns the messages that the watermark names: of its second, or later.
func (r *Reading) named() (list []samp.Found) {
	all, seen := r.Mail.Messages, r.mark.Capped(r.now).Seen()
	for i := len(all) - 1; i >= 0 && !seen.Before(all[i].TS); i-- {
		if seen.Listed(&all[i]) {
			list = append(list, all[i])
		}
	}
	return list
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
	mark := r.mark
	if len(r.Fresh) > 0 {
		mark = r.next()
	}
	// The own state comes before the mark. Who finds a mark without it takes what is
	// behind the mark for mail that another tool has shown.
	if r.state != nil {
		saved = add(r.remember(mark))
	}
	if saved && len(r.Fresh) > 0 {
		saved = add(r.dir.SetWatermark(r.me, mark))
	}
	// The cache comes last: with it, what was not saved would be lost, and what was
	// in a log that could not be read.
	if saved && !r.Mail.Partial {
		add(r.dir.SaveSignature(r.me, r.sig))
	}
	return errs
}

// remember marks everything as read that the watermark covers, and the watermark as
// ours. One that another tool wrote is not taken over while a log cannot be read.
func (r *Reading) remember(mark samp.Watermark) error {
	var keys []Key
	for _, list := range [][]samp.Found{r.known, r.Late, r.Fresh} {
		for i := range list {
			keys = append(keys, KeyOf(&list[i]))
		}
	}
	if r.Mail.Partial && len(r.Fresh) == 0 {
		_, err := r.state.Mark(keys, true)
		return err
	}
	return r.state.Leave(keys, mark)
}
