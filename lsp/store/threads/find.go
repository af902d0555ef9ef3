package threads

import (
	"context"
	"errors"
)

// Hit is a message that was found by its id.
type Hit struct {
	Key
	// Message is its id.
	Message string
}

// Found is what a search for a message gave.
type Found struct {
	// Hits are the threads that hold it, the newest first: a fork begins with
	// its parent's messages.
	Hits []Hit
	// Partly tells that not all threads could be searched within the bounds of
	// one call. The next call goes on.
	Partly bool
}

// FindMessage tells which threads hold a message with an id. Threads are
// searched on demand, the newest first.
func (l *Live) FindMessage(ctx context.Context, id string) (Found, error) {
	var found Found
	for _, item := range l.Snapshot().Items {
		if err := ctx.Err(); err != nil {
			return found, err
		}
		k := Key{item.Folder, item.Name}
		_, err := l.Snapshot().Message(ctx, k, id)
		switch {
		case err == nil:
			found.Hits = append(found.Hits, Hit{k, id})
		case !errors.Is(err, ErrNotFound) && !refused(item.Fault):
			found.Partly = true
		}
	}
	return found, nil
}
