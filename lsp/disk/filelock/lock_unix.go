//go:build unix && !aix && !solaris

package filelock

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// try takes the lock of an open file if it is free. Closing the file releases the lock, and
// so does the end of the process.
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
