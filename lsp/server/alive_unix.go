//go:build unix

package server

import (
	"errors"
	"syscall"
)

// Alive reports whether a process runs. A process that we may not signal counts as running.
func Alive(pid int) bool {
	err := syscall.Kill(pid, 0)
	return err == nil || errors.Is(err, syscall.EPERM)
}
