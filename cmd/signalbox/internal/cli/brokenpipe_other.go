//go:build !windows

package cli

import (
	"errors"
	"syscall"
)

// isBrokenPipe reports whether a write failed because the reader of the pipe is gone.
func isBrokenPipe(err error) bool { return errors.Is(err, syscall.EPIPE) }
