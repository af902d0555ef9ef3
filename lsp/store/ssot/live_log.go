package ssot

import (
	"context"
	"fmt"

	"github.com/signalbox-dev/signalbox/core/agn"
)

// retryLog is the number of polls after which writing the error log is tried
// again, and maxReject the number of lines that are written before the next
// look: each waits for the disk.
const (
	retryLog  = 30
	maxReject = 64
)

// rejectAll appends to the error log of a directory.
func rejectAll(ctx context.Context, path string, list []agn.Rejection) error {
	d, err := Open(path)
	if err != nil {
		return err
	}
	defer d.Close()
	for _, r := range list {
		if _, err := d.Reject(ctx, r); err != nil {
			return err
		}
	}
	return nil
}

// logKeeper is what a [follower] knows of the error log.
type logKeeper struct {
	// fault is why it could not be written, and rest the number of polls until
	// that is tried again.
	fault *Problem
	rest  int
	// told are the messages that were given to it.
	told map[key]bool
}

// log appends messages that were rejected to the error log, in a directory of
// ours (rule E0). Another tool's is never written to.
func (f *follower) log(ctx context.Context) {
	s, k := f.state, &f.keeper
	if !s.cfg.Log || !s.own || s.err != nil {
		return
	}
	if k.told == nil || s.log.offset == 0 {
		k.told = make(map[key]bool) // it was taken away, or never there
	}
	list, later := s.rejections(k.told)
	if later {
		f.wait()
	}
	if len(list) == 0 {
		k.fault = nil
		return
	}
	if k.fault != nil && k.rest > 0 {
		return
	}
	if len(list) > maxReject {
		list = list[:maxReject]
		f.plan(func(p *pending) { p.paths[errorLog] = true })
	}
	k.fault = nil
	if err := f.live.with.reject(ctx, s.cfg.Path, list); err != nil {
		k.rest = retryLog
		k.fault = &Problem{Path: errorLog, Rule: "E0", Reason: fmt.Sprintf("messages that were refused cannot be noted: %v", err), Advice: "check the permissions of the directory"}
		return
	}
	for _, r := range list {
		k.told[key{r.Source, r.Digest}] = true
	}
	c, err := s.refreshSome(ctx, []string{errorLog})
	if err == nil && !c.empty() {
		f.publish(&c)
	}
}

// wait has files looked at again once they are old enough to be whole.
func (f *follower) wait() {
	if !f.waiting && f.state.cfg.Poll > unsettled {
		f.waiting = true
		f.poll.Reset(unsettled)
	}
}
