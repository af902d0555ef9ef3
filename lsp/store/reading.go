package store

import (
	"context"
	"time"

	"github.com/signalbox-dev/signalbox/core/samp"
)

// Reading is one run of the default inbox (§6): what to show, and what to save after it
// was shown. Nothing is saved before [Reading.Commit], so that no mail is lost if showing
// it fails.
type Reading struct {
	// Unchanged is set if nothing can be new and no log was read (rule N1).
	Unchanged bool
	// Mail is everything addressed to the reader.
	Mail Mail
	// Fresh is what the spec's filter shows. Late is what the filter would lose: mail
	// that is older than the watermark, not named by it, not shown here before, and was
	// not there for another tool to show (rule N6).
	Fresh, Late []samp.Found
	// Warnings say what was not usable, such as a broken watermark.
	Warnings []string

	dir *Dir
	me  string
	now int64
	sig Signature
	// mark is the directory's watermark.
	mark samp.Watermark
	// next returns the watermark after Fresh was shown.
	next  func() samp.Watermark
	state *ReadState
	// known is older mail that another tool may have shown, before Signalbox first
	// looked or since.
	known []samp.Found
}

// ReadNew prepares the default inbox of me. now caps the watermark. state is nil if no
// own state can be kept. Then late mail is announced on every run that reads the logs.
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

// sort divides older mail into mail that came late and mail that another tool may have
// shown. The latter is what the watermark covers and the watermark that we left does not,
// and everything if we never left one. If the watermark is not ours, a record that stands
// in its log before a record that the watermark names was there when it was written.
func (r *Reading) sort(older []samp.Found) {
	var left int64
	var ours, remembered bool
	if r.state != nil {
		// The watermark may be newer than what was read of the state.
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

// named returns the messages that the watermark names. They are of its second or later.
func (r *Reading) named() (list []samp.Found) {
	all, seen := r.Mail.Messages, r.mark.Capped(r.now).Seen()
	for i := len(all) - 1; i >= 0 && !seen.Before(all[i].TS); i-- {
		if seen.Listed(&all[i]) {
			list = append(list, all[i])
		}
	}
	return list
}

// Commit saves the watermark, the cache and the own read state. If the directory cannot
// be written it returns errors, and the mail is shown again next time (rule N5).
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
	// The own state is saved before the watermark. A reader that finds a watermark
	// without it takes older mail for mail that another tool has shown.
	if r.state != nil {
		saved = add(r.remember(mark))
	}
	if saved && len(r.Fresh) > 0 {
		saved = add(r.dir.SetWatermark(r.me, mark))
	}
	// The cache is saved last, and only if everything else was saved and every log was
	// read. Otherwise mail would be lost.
	if saved && !r.Mail.Partial {
		add(r.dir.SaveSignature(r.me, r.sig))
	}
	return errs
}

// remember marks as read everything that the watermark covers, and remembers the
// watermark as ours. While a log cannot be read it does not remember a watermark that
// another tool wrote.
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
