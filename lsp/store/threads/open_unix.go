//go:build unix

package threads

import (
	"io/fs"
	"syscall"

	"golang.org/x/sys/unix"
)

// nonblock keeps an open from waiting for a FIFO's other end.
const nonblock = unix.O_NONBLOCK | unix.O_NOFOLLOW

// inode tells files of one name apart, so that one that took another's place
// is noticed even if it has its size and time.
func inode(info fs.FileInfo) uint64 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(st.Ino)
	}
	return 0
}

// canSyncDir tells that a directory can be synced.
const canSyncDir = true
