//go:build unix

package worktree

import "golang.org/x/sys/unix"

// nonblock keeps an open from waiting for a FIFO's other end.
const nonblock = unix.O_NONBLOCK
