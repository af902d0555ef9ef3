//go:build unix

package store

import "golang.org/x/sys/unix"

// nonblock keeps an open from waiting for a FIFO's other end.
const nonblock = unix.O_NONBLOCK | unix.O_NOFOLLOW

func writable(path string) bool { return unix.Access(path, unix.W_OK) == nil }
