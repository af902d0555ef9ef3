package store

import (
	"context"
	"errors"
	"time"
)

// saver saves the index from time to time. It belongs to the goroutine that
// reads the logs, which never waits for it.
type saver struct {
	// tried tells that the checkpoint was looked for.
	tried bool
	// unsaved is how many bytes of logs were read since the index was saved.
	unsaved int64
	last    time.Time
	// running is closed when the index is saved that is being saved now, and
	// failed says then what came of it.
	running chan struct{}
	failed  error
	// saving is what unsaved was when that began.
	saving int64
}

// wait waits until nothing is being saved.
func (s *saver) wait() {
	if s.running != nil {
		<-s.running
	}
}

// save saves the index if much is new in it, behind what goes on. An index that
// changes meanwhile is saved later.
func (l *Live) save(ctx context.Context) {
	s := &l.saver
	if s.running != nil {
		select {
		case <-s.running:
		default:
			return
		}
		s.running = nil
		if s.failed == nil {
			s.unsaved -= s.saving
		} else if !errors.Is(s.failed, errMoved) && ctx.Err() == nil {
			l.cfg.Logger.Info("the index is not saved", "error", s.failed)
		}
	}
	if l.cfg.Checkpoint < 0 || s.unsaved < l.cfg.Checkpoint || !s.last.IsZero() && time.Since(s.last) < checkpointEvery {
		return
	}
	c, ok := l.checkpoint()
	if !ok {
		return
	}
	s.last, s.saving = time.Now(), s.unsaved
	done := make(chan struct{})
	s.running = done
	path := checkpointPath(l.cfg.StateDir, l.dir.ID())
	go func() {
		defer close(done)
		s.failed = c.write(ctx, path)
	}()
}

// checkpoint takes down what is to be saved. ok is false where the index is
// none that a later process could go on from.
func (l *Live) checkpoint() (c *checkpoint, ok bool) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	x := l.idx
	if !l.ready || len(x.pending)+len(x.left)+len(x.muddled) > 0 || len(l.logs) != len(x.logs) {
		return nil, false
	}
	c = &checkpoint{idx: x, count: x.entries.n, profile: l.profile, guard: &l.mu, logs: make([]savedLog, len(x.logs))}
	for _, s := range l.logs {
		if s.strange {
			return nil, false
		}
		c.logs[s.num] = s.save(x.secret)
	}
	changes := l.changes
	c.changed = func() bool { return l.changes != changes }
	return c, true
}
