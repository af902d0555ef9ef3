package index

import (
	"context"
	"fmt"
	"time"

	"github.com/signalbox-dev/signalbox/core/samp"
	sampstore "github.com/signalbox-dev/signalbox/lsp/samp"
)

// Send appends the record that build makes in the store's profile, once for
// each token, and waits until the index shows it. The directory is created if
// it is missing (§5 step 3).
func (l *Live) Send(ctx context.Context, token string, build func(samp.Profile) (samp.Record, error)) (samp.Record, error) {
	l.sending.Lock()
	defer l.sending.Unlock()
	dir, err := sampstore.Create(l.cfg.Path)
	if err != nil {
		return samp.Record{}, err
	}
	defer dir.Close()
	r, _, err := sampstore.OpenOutbox(l.cfg.StateDir, dir).Send(dir, token, func() (samp.Record, error) {
		if err := dir.CheckWriter(l.cfg.Me); err != nil {
			return samp.Record{}, err
		}
		return build(l.Stats().Profile)
	})
	if err != nil {
		return r, err
	}
	return r, l.Sync(ctx)
}

// MoveWatermark moves the reader's watermark to the oldest unread message, or to the newest
// message if all are read (§6 step 9). It never moves the watermark back, or past now. The
// watermark lists read messages beyond its time by id.
func (l *Live) MoveWatermark(ctx context.Context, now time.Time) error {
	l.mu.RLock()
	dir, profile := l.dir, l.profile
	l.mu.RUnlock()
	if dir == nil {
		return fmt.Errorf("store: move watermark: %w", ErrNotFound)
	}
	// Not l.state: the index would miss the marks that ReadNew reads anew.
	state, err := sampstore.OpenReadState(l.cfg.StateDir, dir, l.cfg.Me)
	if err != nil {
		return err
	}
	r, err := dir.ReadNew(ctx, l.cfg.Me, profile, now, state)
	if err != nil {
		return err
	}
	defer r.Close()
	if err := r.MoveWatermark(); err != nil {
		return err
	}
	l.refreshState(nil)
	return nil
}
