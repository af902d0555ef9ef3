// Package announce notifies a client of changes in the stores. It joins changes, so that many of
// them become a few notifications. Start with [New].
package announce

import (
	"context"
	"reflect"
	"slices"
	"sync"
	"time"

	"github.com/signalbox-dev/signalbox/lsp/panel"
)

const (
	// Every is the shortest time between two announcements of a kind.
	Every = 100 * time.Millisecond
	// maxChangeRefs is how many threads one signalbox/didChange lists.
	maxChangeRefs = 100
)

// Announcer notifies the client of changes and joins changes that come close together. The first
// change after a pause is sent at once.
type Announcer struct {
	notify func(method string, params any)
	wake   chan struct{} // holds one token if a change or status waits

	mu     sync.Mutex
	change *panel.Change // the change that waits, or nil; guarded by mu
	status *panel.Status // the status that waits, or nil; guarded by mu
}

// New returns an announcer, which sends nothing before Run. notify sends a notification.
func New(notify func(string, any)) *Announcer {
	return &Announcer{notify: notify, wake: make(chan struct{}, 1)}
}

// Changed announces a change. It does not block. It keeps c's slices.
func (a *Announcer) Changed(c panel.Change) {
	a.mu.Lock()
	a.change = join(a.change, c)
	a.mu.Unlock()
	a.poke()
}

// StatusChanged announces a status, which replaces a waiting one. It does not block.
func (a *Announcer) StatusChanged(s panel.Status) {
	a.mu.Lock()
	a.status = &s
	a.mu.Unlock()
	a.poke()
}

func (a *Announcer) poke() {
	select {
	case a.wake <- struct{}{}:
	default:
	}
}

// Run sends announcements until ctx ends.
func (a *Announcer) Run(ctx context.Context) {
	var lastSent panel.Status // the last status sent
	for {
		select {
		case <-ctx.Done():
			return
		case <-a.wake:
		}
		a.mu.Lock()
		change, status := a.change, a.status
		a.change, a.status = nil, nil
		a.mu.Unlock()
		if status != nil && reflect.DeepEqual(*status, lastSent) {
			status = nil
		}
		if change == nil && status == nil {
			continue
		}
		pause := time.After(Every)
		if status != nil {
			lastSent = *status
			a.notify("signalbox/didChangeStatus", status)
		}
		if change != nil {
			a.notify("signalbox/didChange", change)
		}
		select {
		case <-ctx.Done():
			return
		case <-pause:
		}
	}
}

// join adds a later change to a waiting one. The counts are those of the later change.
func join(waiting *panel.Change, c panel.Change) *panel.Change {
	if waiting == nil {
		waiting = &panel.Change{Kinds: []string{}, Refs: []panel.Ref{}}
	}
	joined := c
	joined.Revision = max(c.Revision, waiting.Revision)
	joined.Kinds = union(waiting.Kinds, c.Kinds)
	joined.Refs = union(waiting.Refs, c.Refs[:min(len(c.Refs), maxChangeRefs)])
	joined.Truncated = waiting.Truncated || c.Truncated || len(c.Refs) > maxChangeRefs
	if len(joined.Refs) > maxChangeRefs {
		joined.Refs, joined.Truncated = joined.Refs[:maxChangeRefs], true
	}
	return &joined
}

func union[T comparable](a, b []T) []T {
	u := slices.Clone(a)
	for _, v := range b {
		if !slices.Contains(u, v) {
			u = append(u, v)
		}
	}
	return u
}
