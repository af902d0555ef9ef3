package agn

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/signalbox-dev/signalbox/lsp/disk/follow"
	"github.com/signalbox-dev/signalbox/lsp/disk/tree"
)

// retryLog is the number of polls before a failed write of the error log is tried again.
// maxReject is the number of lines written before the next look, because each waits for the
// disk.
const (
	retryLog  = 30
	maxReject = 64
)

// Nothing waits long for another writer's lock: only lockWait, and again at the next poll.
// After lockTries the user sees a problem.
const (
	lockWait  = 50 * time.Millisecond
	lockTries = 5
)

// logWriter is the state of writing the error log.
type logWriter struct {
	// fault is the reason why the log could not be written, and rest the number of polls until the
	// next try. locked counts how often another writer had the lock.
	fault  *Problem
	rest   int
	locked int
}

// writeLog appends rejected messages to the error log, in a directory with our layout (rule
// E0). It never writes to another tool's directory.
func (s *state) writeLog(ctx context.Context, r *follow.Looked) {
	k := &s.keeper
	if !s.cfg.Log || !s.own || s.dir.Err != nil {
		return
	}
	list, later := s.rejections()
	if later {
		// Look again once these files are old enough to be complete.
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
	r.Excluded = time.Since(start)
	if err != nil {
		s.logFailed(err, r)
		return
	}
	k.fault, k.locked = nil, 0
	c, err := s.look(ctx, []string{})
	if err == nil && !c.empty() {
		s.publish(&c)
	}
}

// logFailed records that the error log could not be written.
func (s *state) logFailed(err error, r *follow.Looked) {
	k := &s.keeper
	fault := Problem{Path: ErrorsName, Rule: "E0", Reason: fmt.Sprintf("messages that were refused cannot be noted: %v", err), Advice: "check the permissions of the directory"}
	if !errors.Is(err, ErrLocked) {
		k.rest, k.fault = retryLog, &fault
		return
	}
	k.rest = 1
	if k.locked++; k.locked >= lockTries {
		// Use the error without the time waited, which differs each time.
		fault.Reason, fault.Advice = "messages that were refused cannot be noted: "+ErrLocked.Error(), "end the program that holds "+lockName
		k.fault = &fault
	}
	r.Soon = tree.Unsettled
}
