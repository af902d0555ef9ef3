package agn

import (
	"sync"
	"time"

	"github.com/signalbox-dev/signalbox/lsp/store/ssot"
)

// longestWait is how long a timer runs before the clock is checked again: a timer stops
// while the machine sleeps, and the clock does not.
const longestWait = time.Minute

// deadline calls a function when a deadline passes. running waits for the calls in
// progress.
type deadline struct {
	timer   *time.Timer
	running sync.WaitGroup
}

func (d *deadline) set(after time.Duration, call func()) {
	d.stop()
	d.running.Add(1)
	d.timer = time.AfterFunc(after, func() {
		defer d.running.Done()
		call()
	})
}

// stop prevents the call unless it has already begun.
func (d *deadline) stop() {
	if d.timer != nil && d.timer.Stop() {
		d.running.Done()
	}
	d.timer = nil
}

// awaitDeadline starts the timer that announces a change when the next deadline of a
// task passes. No file changes at that moment.
func (s *source) awaitDeadline() {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.host.Options.Now()
	next := int64(0)
	for _, d := range s.directories {
		for _, task := range d.live.Snapshot().Tasks {
			if at := task.NextDeadline(now.UnixMilli()); at > 0 && (next == 0 || at < next) {
				next = at
			}
		}
	}
	s.deadline.stop()
	if next == 0 {
		return
	}
	if left := time.UnixMilli(next).Sub(now); left <= longestWait {
		s.deadline.set(left, func() { s.changed("", ssot.Change{}) })
		return
	}
	s.deadline.set(longestWait, s.awaitDeadline)
}
