//go:build unix

package disk

import (
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// canSync tells that a directory can be synced.
const canSync = true

// noWait keeps an open from waiting for a FIFO's other end, plainOpen from following
// a link too.
const (
	noWait    = unix.O_NONBLOCK
	plainOpen = unix.O_NOFOLLOW | noWait
)

// adopt gives what the superuser made in somebody's folder to them: in a container
// it is often the superuser who runs one tool and a user who runs another.
func adopt(at *Root, name string) error {
	if os.Geteuid() != 0 {
		return nil
	}
	info, err := at.Stat(".")
	if err != nil {
		return err
	}
	if st, ok := info.Sys().(*syscall.Stat_t); ok && st.Uid != 0 {
		return at.Lchown(name, int(st.Uid), int(st.Gid))
	}
	return nil
}
