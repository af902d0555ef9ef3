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

// poll is how often a waiting agent looks at the names and sizes of the logs where the
// system reports no changes, and how soon it looks again at what could not be read.
const poll = 500 * time.Millisecond

// Arrivals is the mail that comes for an agent from one moment on. Many agents wait beside
// each other, so that it reads no log but what is new in it.
type Arrivals struct {
	box   *Box
	names []string // of the agent
	tail  *sampstore.Tail
	seed  maphash.Seed
	// arrived holds hashes of what came and was accepted.
	arrived map[uint64]struct{}
}

// Arrivals begins to look for mail. The caller closes it.
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
		alias = "" // a tail is for one reader or for all
	}
	a := &Arrivals{b, me.Names(), sampstore.NewTail(b.Place().Value, alias, form), maphash.MakeSeed(), make(map[uint64]struct{})}
	return a, a.tail.Skip()
}

// Close releases the message directory.
func (a *Arrivals) Close() { a.tail.Close() }

// errArrived ends the following of the logs.
var errArrived = errors.New("box: something came")

// Wait returns when something came that accept accepts and that is unread, with these
// messages, or when ctx ends, with none. The caller closes the mail, which is nil if ctx
// ended.
func (a *Arrivals) Wait(ctx context.Context, accept func(*samp.Found) bool) (*Waiting, []Unread, error) {
	for {
		switch err := a.tail.Follow(ctx, poll, func(m Mail) error { return a.note(&m, accept) }); {
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
			case <-time.After(poll):
			}
		}
	}
}

// note remembers what came and is accepted.
func (a *Arrivals) note(m *Mail, accept func(*samp.Found) bool) (err error) {
	for i := range m.Messages {
		if slices.Contains(a.names, m.Messages[i].To) && accept(&m.Messages[i]) {
			a.arrived[sampstore.ContentHash(a.seed, &m.Messages[i].Record)] = struct{}{}
			err = errArrived
		}
	}
	return err
}

// Wait returns when something waits that accept accepts, with these messages, or when ctx
// ends, with none. The caller closes the mail, which is nil if ctx ended.
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

// waiting returns the mail if it has messages that accept accepts, else nil, also if ctx has
// ended.
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

// Look returns what the message directory looks like from outside, without reading the
// logs. there is false if there is none yet.
func (b *Box) Look() (sig Signature, there bool, err error) {
	d, err := b.openIfExists()
	if err != nil || d == nil {
		return sig, false, err
	}
	defer d.Close()
	sig, err = d.dir.Signature()
	return sig, true, err
}

// accepted returns what waits and accept accepts. The mail is closed if there is an error.
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

// Watch calls look at once, when the message directory changes, and once per every, until it
// returns false or ctx ends.
func (b *Box) Watch(ctx context.Context, every time.Duration, look func() bool) {
	follow.Until(ctx, follow.Config{Path: b.Place().Value, What: "messages", Poll: every}, func(string) bool { return true }, look)
}
