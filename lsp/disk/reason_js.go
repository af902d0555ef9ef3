package disk

import (
	"errors"
	"syscall"
)

// LongestFile is the length of the longest file that can be read, in bytes: a browser reads
// files whole. The worker's file system has the same limit.
const LongestFile = 64 << 20

// refused is an error of the browser's file system with a text of its own. It wraps the
// system's error.
type refused struct {
	syscall.Errno
	words string
}

func (r refused) Error() string { return r.words }

func (r refused) Unwrap() error { return r.Errno }

// reason adds a text to errors that only the browser's file system returns.
func reason(err error) error {
	switch {
	case errors.Is(err, syscall.EFBIG):
		return refused{syscall.EFBIG, "it is longer than the 64 MB that are read in a browser; the desktop reads it"}
	case errors.Is(err, syscall.ESTALE):
		return refused{syscall.ESTALE, "another program wrote the file at the same moment, so this was not written; try again"}
	}
	return err
}
