//go:build unix

package disk

import "golang.org/x/sys/unix"

// canSync reports whether a directory can be synced.
const canSync = true

// NoWait keeps an open from waiting for the other end of a FIFO. PlainOpen also keeps it
// from following a link.
const (
	NoWait    = unix.O_NONBLOCK
	PlainOpen = unix.O_NOFOLLOW | NoWait
)

// CanWrite reports whether files can be made in a directory, judging by its permissions and
// its file system.
func CanWrite(path string) bool { return unix.Access(path, unix.W_OK) == nil }
