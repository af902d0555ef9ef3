package agent

import (
	"context"
	"time"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/store"
)

// poll is how often a waiting agent looks at the message directory: a look reads the
// names and sizes of the logs, and an agent that waits should hear within 100 ms.
const poll = 40 * time.Millisecond

// Wait returns when something waits that accept accepts, with these messages, or when ctx
// ends, with none. The caller closes the mail, which is nil if ctx ended.
func (b *Box) Wait(ctx context.Context, accept func(*samp.Found) bool) (*Mail, []store.Unread, error) {
	tick := time.NewTicker(poll)
	defer tick.Stop()
	var last store.Signature
	for first := true; ; first = false {
		sig, there, err := b.Look()
		if first && err != nil {
			return nil, nil, err
		}
		// What cannot be looked at now is looked at again: a sync tool may be at work.
		if err == nil && there && (first || sig != last) {
			last = sig
			m, list, err := b.accepted(ctx, accept)
			switch {
			case ctx.Err() != nil:
				if m != nil {
					m.Close()
				}
				return nil, nil, nil
			case err != nil:
				return nil, nil, err
			case len(list) > 0:
				return m, list, nil
			}
			m.Close()
		}
		select {
		case <-ctx.Done():
			return nil, nil, nil
		case <-tick.C:
		}
	}
}

// Look returns what the message directory looks like from outside, without reading the
// logs. there is false if there is none yet.
func (b *Box) Look() (sig store.Signature, there bool, err error) {
	d, err := b.dir()
	if err != nil || d == nil {
		return sig, false, err
	}
	defer d.Close()
	sig, err = d.Signature()
	return sig, true, err
}

func (b *Box) accepted(ctx context.Context, accept func(*samp.Found) bool) (*Mail, []store.Unread, error) {
	m, err := b.Open(ctx)
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
