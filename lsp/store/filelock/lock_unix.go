//go:build unix && !aix && !solaris

package filelock

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// plain keeps an open from following a link and from waiting for a FIFO's other
// end.
const plain = unix.O_NONBLOCK | unix.O_NOFOLLOW

// try takes the lock of an open file if nobody holds it. It ends with the
// file's closing, also when the process is killed.
func try(f *os.File) (held bool, err error) {
	for {
		err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		switch {
		case err == nil:
			return true, nil
		case errors.Is(err, unix.EWOULDBLOCK):
			return false, nil
		case !errors.Is(err, unix.EINTR):
			return false, err
		}
	}
}
