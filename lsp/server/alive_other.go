//go:build !unix && !windows

package server

// Alive reports true for every process: here it cannot be checked whether a process runs.
func Alive(int) bool { return true }
