//go:build unix

package disk

import "golang.org/x/sys/unix"

// canSync tells that a directory can be synced.
const canSync = true

// noWait keeps an open from waiting for a FIFO's other end, plainOpen from following
// a link too.
const (
	noWait    = unix.O_NONBLOCK
	plainOpen = unix.O_NOFOLLOW | noWait
)
