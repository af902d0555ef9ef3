package box

import (
	"context"
	"errors"
	"hash/maphash"
	"slices"
	"time"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/disk/follow"
	sampstore "github.com/signalbox-dev/signalbox/lsp/samp"
)

// pollInterval is how often a waiting agent checks the names and sizes of the logs if the system
// reports no changes, and after how long it retries a failed read.
const pollInterval = 500 * time.Millisecond

// Arrivals waits for mail that arrives for an agent from one moment on. It reads only the new
// part of each log, because many agents may wait at once.
type Arrivals struct {
	box   *Box
	names []string // of the agent
	tail  *sampstore.Tail
	seed  maphash.Seed
	// arrived holds hashes of the messages that arrived and were accepted.
	arrived map[uint64]struct{}
}

// Arrivals begins to wait for mail. The caller closes it.
func (b *Box) Arrivals(ctx context.Context) (*Arrivals, error) {
	alias, err := b.Reads()
	if err != nil {
		return nil, err
	}
	me := b.Who()
	d, err := b.openIfExists()
	if err != nil {
		return nil, err
	}
	var form samp.Profile
	if d != nil {
		defer d.Close()
		if form, err = d.Form(ctx); err != nil {
			return nil, err
		}
	}
	if me.Also != "" {
		alias = "" // a tail is for one name or for all
	}
	a := &Arrivals{b, me.Names(), sampstore.NewTail(b.Place().Value, alias, form), maphash.MakeSeed(), make(map[uint64]struct{})}
	return a, a.tail.Skip()
}

// Close releases the message directory.
func (a *Arrivals) Close() { a.tail.Close() }

// errArrived stops following the logs.
var errArrived = errors.New("box: something came")

// Wait returns when unread messages have arrived that accept accepts, with these messages, or
// when ctx ends, with none. The caller closes the mail, which is nil if ctx ended.
func (a *Arrivals) Wait(ctx context.Context, accept func(*samp.Found) bool) (*Waiting, []Unread, error) {
	for {
		switch err := a.tail.Follow(ctx, pollInterval, func(m Mail) error { return a.note(&m, accept) }); {
		case ctx.Err() != nil:
			return nil, nil, nil
		case errors.Is(err, errArrived):
			m, list, err := a.box.waiting(ctx, func(f *samp.Found) bool {
				_, ok := a.arrived[sampstore.ContentHash(a.seed, &f.Record)]
				return ok
			})
			if m != nil || err != nil {
				return m, list, err
			}
		default:
			// A sync tool may be at work.
			select {
			case <-ctx.Done():
				return nil, nil, nil
			case <-time.After(pollInterval):
			}
		}
	}
}

// note remembers new messages that accept accepts, and returns [errArrived] if there are any.
func (a *Arrivals) note(m *Mail, accept func(*samp.Found) bool) (err error) {
	for i := range m.Messages {
		if slices.Contains(a.names, m.Messages[i].To) && accept(&m.Messages[i]) {
			a.arrived[sampstore.ContentHash(a.seed, &m.Messages[i].Record)] = struct{}{}
			err = errArrived
		}
	}
	return err
}

// Wait returns when there are unread messages that accept accepts, with these messages, or when
// ctx ends, with none. The caller closes the mail, which is nil if ctx ended.
func (b *Box) Wait(ctx context.Context, accept func(*samp.Found) bool) (*Waiting, []Unread, error) {
	a, err := b.Arrivals(ctx)
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, nil, nil
	case err != nil:
		return nil, nil, err
	}
	defer a.Close()
	if m, list, err := b.waiting(ctx, accept); m != nil || err != nil {
		return m, list, err
	}
	return a.Wait(ctx, accept)
}

// waiting returns the mail if it has messages that accept accepts. Otherwise, and if ctx has
// ended, it returns nil.
func (b *Box) waiting(ctx context.Context, accept func(*samp.Found) bool) (*Waiting, []Unread, error) {
	m, list, err := b.accepted(ctx, accept)
	switch {
	case err == nil && len(list) > 0:
		return m, list, nil
	case err == nil:
		m.Close()
	case ctx.Err() == nil:
		return nil, nil, err
	}
	return nil, nil, nil
}

// Signature returns the signature of the message directory, without reading the logs. exists is
// false if there is no directory yet.
func (b *Box) Signature() (sig Signature, exists bool, err error) {
	d, err := b.openIfExists()
	if err != nil || d == nil {
		return sig, false, err
	}
	defer d.Close()
	sig, err = d.dir.Signature()
	return sig, true, err
}

// accepted returns the mail and its unread messages that accept accepts.
func (b *Box) accepted(ctx context.Context, accept func(*samp.Found) bool) (*Waiting, []Unread, error) {
	m, err := b.Waiting(ctx)
	if err != nil {
		return nil, nil, err
	}
	list, err := m.Pick(ctx, accept)
	if err != nil {
		m.Close()
		return nil, nil, err
	}
	return m, list, nil
}

// Watch calls look at once, whenever the message directory changes, and at the interval every,
// until look returns false or ctx ends.
func (b *Box) Watch(ctx context.Context, every time.Duration, look func() bool) {
	follow.Until(ctx, follow.Config{Path: b.Place().Value, What: "messages", Poll: every}, func(string) bool { return true }, look)
}
