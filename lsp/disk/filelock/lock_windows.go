package filelock

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// try takes the lock of an open file if it is free. Closing the file releases the lock, and
// so does the end of the process.
//
// It locks a byte far beyond the end of the file. A lock on the beginning would keep other
// processes from reading the holder's id.
func try(f *os.File) (held bool, err error) {
	err = windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &windows.Overlapped{OffsetHigh: 1})
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_IO_PENDING) {
		return false, nil
	}
	return err == nil, err
}
