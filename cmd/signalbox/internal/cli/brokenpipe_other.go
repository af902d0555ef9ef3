//go:build !windows

package cli

import (
	"errors"
	"syscall"
)

// left reports that the reader of a pipe had left when it was written to.
func left(err error) bool { return errors.Is(err, syscall.EPIPE) }
