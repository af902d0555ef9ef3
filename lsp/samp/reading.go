package samp

import (
	"context"
	"errors"
	"iter"
	"time"

	"github.com/signalbox-dev/signalbox/core/samp"
)

// Reading is one run of the default inbox (§6): the mail to show, and the state to save
// afterwards. Nothing is saved before [Reading.Commit], so that no mail is lost if showing it
// fails. A Reading holds no texts, because many agents' servers run on one machine and an
// inbox may have 100,000 messages. [Reading.Messages] reads the texts.
type Reading struct {
	// Unchanged is set if nothing can be new and no log was read (rule N1).
	Unchanged bool
	// Mail holds the problems and the forged records that were found. It has no Messages.
	Mail Mail
	// Fresh is the mail that the spec's filter shows. Late is mail that the filter would lose:
	// it is older than the watermark, not named by it, was not shown here before, and arrived
	// too late for another tool to show it (rule N6).
	Fresh, Late []Unread
	// Warnings report state that could not be used, such as a broken watermark.
	Warnings []string

	dir   *Dir
	me    string
	now   int64
	sig   Signature
	lines *Lines
	// mark is the directory's watermark.
	mark  samp.Watermark
	state *ReadState
	// presumedRead lists older mail that another tool may have shown, before or after
	// Signalbox first read the directory.
	presumedRead []Key
	// noKeys is set while the messages in Fresh have no keys.
	noKeys bool
}

// Unread is a message that the reader has not read.
type Unread struct {
	Key
	// TS is in Unix seconds.
	TS int64
	// place is the message's index in all mail to the reader.
	place int
}

// ReadNew prepares the default inbox of me. The watermark never gets later than now. If state is
// nil, late mail is announced on every run that reads the logs. The caller closes the reading.
func (d *Dir) ReadNew(ctx context.Context, me string, p samp.Profile, now time.Time, state *ReadState) (*Reading, error) {
	return d.readNew(ctx, p, &Reading{dir: d, me: me, now: now.Unix(), state: state})
}

// ReadMany is [Dir.ReadNew] for a list that may be very long: the messages in Fresh have no keys.
func (d *Dir) ReadMany(ctx context.Context, me string, p samp.Profile, now time.Time, state *ReadState) (*Reading, error) {
	return d.readNew(ctx, p, &Reading{dir: d, me: me, now: now.Unix(), state: state, noKeys: true})
}

func (d *Dir) readNew(ctx context.Context, p samp.Profile, r *Reading) (*Reading, error) {
	me, state := r.me, r.state
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
	if state != nil {
		// Without this, the watermark might be newer than the state.
		if _, err := state.Refresh(); err != nil {
			r.Warnings = append(r.Warnings, err.Error())
		}
	}
	if err = reread(func() error { return r.read(ctx, p) }); err != nil {
		return nil, err
	}
	return r, nil
}

// Close closes the logs that the texts are read from.
func (r *Reading) Close() {
	if r.lines != nil {
		r.lines.Close()
	}
}

// Len returns the number of all messages that are addressed to the reader, or 0 if nothing
// was read.
func (r *Reading) Len() int {
	if r.lines == nil {
		return 0
	}
	return r.lines.Len()
}

// nextWatermark returns the watermark for the time after Fresh was shown.
func (r *Reading) nextWatermark() (samp.Watermark, error) {
	fresh := make(map[int]bool)
	var all, shown []samp.Found
	from := min(r.Fresh[len(r.Fresh)-1].TS, r.now)
	for i := len(r.Fresh) - 1; i >= 0 && r.Fresh[i].TS >= from; i-- {
		fresh[r.Fresh[i].place] = true
	}
	err := r.since(from, func(place int, m *samp.Found) bool {
		// A watermark names messages by their effective ids. Of the written id it needs only
		// whether it is wrong.
		named := *m
		if samp.Identify(&m.Record) != samp.FormWrong {
			named.ID = ""
		}
		named.Body = ""
		f := CloneFound(&named)
		all = append(all, f)
		if fresh[place] {
			shown = append(shown, f)
		}
		return true
	})
	return r.mark.Advance(all, shown, r.now), err
}

// Commit saves the watermark, the cache and our read state. If the directory cannot be
// written, Commit returns errors, and the mail is shown again next time (rule N5).
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
		var err error
		if mark, err = r.nextWatermark(); err != nil {
			return []error{err}
		}
	}
	// Our state is saved before the watermark. If a reader found only the watermark, it would
	// presume that another tool has shown the older mail.
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

// remember marks everything that the watermark covers as read, and remembers the watermark as ours.
// While a log cannot be read, it does not remember a watermark that another tool wrote.
func (r *Reading) remember(mark samp.Watermark) error {
	var failed error
	keys := keysOf(r.presumedRead, r.Late, r.Fresh)
	if r.noKeys {
		keys = r.freshKeys(&failed)
	}
	if r.Mail.Partial && len(r.Fresh) == 0 {
		_, err := r.state.mark(keys, true, nil)
		return errors.Join(err, failed)
	}
	return errors.Join(r.state.MarkWithWatermark(keys, mark), failed)
}

// freshKeys walks the keys of presumedRead, Late and Fresh, and reads Fresh again for its keys.
// It ends at the first message that cannot be read, with the error in failed.
func (r *Reading) freshKeys(failed *error) iter.Seq[Key] {
	return func(yield func(Key) bool) {
		for k := range keysOf(r.presumedRead, r.Late) {
			if !yield(k) {
				return
			}
		}
		for m, err := range r.Messages(context.Background(), r.Fresh) {
			if err != nil {
				*failed = err
				return
			}
			if !yield(KeyOf(m)) {
				return
			}
		}
	}
}

// fillKeys reads the keys of Fresh if they are missing, and copies them to the messages in some.
func (r *Reading) fillKeys(some []Unread) error {
	if !r.noKeys {
		return nil
	}
	senders, keys, i := make(map[string]string), make(map[int]Key, len(r.Fresh)), 0
	for m, err := range r.Messages(context.Background(), r.Fresh) {
		if err != nil {
			return err
		}
		r.Fresh[i].Key = cloneKey(senders, m)
		keys[r.Fresh[i].place] = r.Fresh[i].Key
		i++
	}
	for i := range some {
		if k, fresh := keys[some[i].place]; fresh {
			some[i].Key = k
		}
	}
	r.noKeys = false
	return nil
}

// keysOf walks some keys, and then the keys of the messages in the lists.
func keysOf(keys []Key, lists ...[]Unread) iter.Seq[Key] {
	return func(yield func(Key) bool) {
		for _, k := range keys {
			if !yield(k) {
				return
			}
		}
		for _, list := range lists {
			for i := range list {
				if !yield(list[i].Key) {
					return
				}
			}
		}
	}
}
