// Package announce tells a client what changed in the stores, joined so that a storm
// of changes is a few notifications. Start with [New].
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
	// Every is the least time between two announcements of a kind.
	Every = 100 * time.Millisecond
	// maxChangeRefs is how many threads one signalbox/didChange names.
	maxChangeRefs = 100
)

// Announcer tells the client what changed, joining changes that come close
// together. The first after a pause goes out at once.
type Announcer struct {
	notify func(method string, params any)
	wake   chan struct{} // holds one token when something waits

	mu     sync.Mutex
	change *panel.Change // nil: nothing waits; guarded by mu
	status *panel.Status // nil: nothing waits; guarded by mu
}

// New returns an announcer, which says nothing before Run. notify sends a notification.
func New(notify func(string, any)) *Announcer {
	return &Announcer{notify: notify, wake: make(chan struct{}, 1)}
}

// Changed takes a change. It does not block and keeps c's slices.
func (a *Announcer) Changed(c panel.Change) {
	a.mu.Lock()
	a.change = join(a.change, c)
	a.mu.Unlock()
	a.poke()
}

// StatusChanged takes a status, which replaces one that waits. It does not block.
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

// Run announces until ctx ends.
func (a *Announcer) Run(ctx context.Context) {
	var said panel.Status // the last status sent
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
		if status != nil && reflect.DeepEqual(*status, said) {
			status = nil
		}
		if change == nil && status == nil {
			continue
		}
		pause := time.After(Every)
		if status != nil {
			said = *status
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

// join adds a later change to one that waits. Counts are the later ones.
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
