package agn

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/signalbox-dev/signalbox/lsp/disk/follow"
	"github.com/signalbox-dev/signalbox/lsp/disk/tree"
)

// retryLog is the number of polls after which writing the error log is tried
// again, and maxReject the number of lines that are written before the next
// look: each waits for the disk.
const (
	retryLog  = 30
	maxReject = 64
)

// While another writer has the lock nothing is held up: it is waited for no
// longer than lockWait, and asked for again at the next poll. After lockTries the
// user is told.
const (
	lockWait  = 50 * time.Millisecond
	lockTries = 5
)

// logKeeper is what a [state] knows of the error log.
type logKeeper struct {
	// fault is why it could not be written, and rest the number of polls until
	// that is tried again. locked is how often another writer had the lock.
	fault  *Problem
	rest   int
	locked int
}

// keepLog appends messages that were rejected to the error log, in a directory of
// ours (rule E0). Another tool's is never written to.
func (s *state) keepLog(ctx context.Context, r *follow.Looked) {
	k := &s.keeper
	if !s.cfg.Log || !s.own || s.dir.Err != nil {
		return
	}
	list, later := s.rejections()
	if later {
		// They are looked at again once they are old enough to be whole.
		r.Soon = tree.Unsettled
	}
	if len(list) == 0 {
		k.fault = nil
		return
	}
	if k.rest > 0 {
		return
	}
	if len(list) > maxReject {
		list = list[:maxReject]
		r.Next = []string{ErrorsName}
	}
	brief, cancel := context.WithTimeout(ctx, lockWait)
	start := time.Now()
	err := s.reject(brief, s.cfg.Path, list)
	cancel()
	r.Aside = time.Since(start)
	if err != nil {
		s.unlogged(err, r)
		return
	}
	k.fault, k.locked = nil, 0
	c, err := s.look(ctx, []string{})
	if err == nil && !c.empty() {
		s.publish(&c)
	}
}

// unlogged takes note of an error log that could not be written.
func (s *state) unlogged(err error, r *follow.Looked) {
	k := &s.keeper
	fault := Problem{Path: ErrorsName, Rule: "E0", Reason: fmt.Sprintf("messages that were refused cannot be noted: %v", err), Advice: "check the permissions of the directory"}
	if !errors.Is(err, ErrLocked) {
		k.rest, k.fault = retryLog, &fault
		return
	}
	k.rest = 1
	if k.locked++; k.locked >= lockTries {
		// How long it was waited for this time is no news.
		fault.Reason, fault.Advice = "messages that were refused cannot be noted: "+ErrLocked.Error(), "end the program that holds "+lockName
		k.fault = &fault
	}
	r.Soon = tree.Unsettled
}
