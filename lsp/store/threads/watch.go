package threads

import (
	"context"
	"time"
)

// keep follows the folders until ctx ends.
func (l *Live) keep(ctx context.Context) {
	s := newState(l.cfg)
	poll := time.NewTimer(0)
	defer poll.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case looked := <-l.kick:
			l.refresh(ctx, s)
			close(looked)
		case <-poll.C:
			start := time.Now()
			l.refresh(ctx, s)
			// Looking takes a hundredth of the time at most.
			poll.Reset(max(l.cfg.Poll, 100*time.Since(start)))
		}
	}
}

// refresh looks at everything and publishes what changed.
func (l *Live) refresh(ctx context.Context, s *state) {
	first := s.project == nil
	c, err := s.refresh(ctx)
	if err != nil || c.empty() && !first {
		return
	}
	l.publish(s, c)
}

func (l *Live) publish(s *state, c Change) {
	snap := s.snapshot()
	c.Revision = snap.Revision
	l.snap.Store(snap)
	l.cfg.Changed(c)
	s.save()
}
