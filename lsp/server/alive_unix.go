//go:build unix

package server

import (
	"errors"
	"syscall"
)

// Alive reports whether a process runs. One that we may not signal runs.
func Alive(pid int) bool {
	err := syscall.Kill(pid, 0)
	return err == nil || errors.Is(err, syscall.EPERM)
}
